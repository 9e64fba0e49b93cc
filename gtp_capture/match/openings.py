"""How the games of a match begin: the same opening for both colours."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal

from ..go.game import Game, GameError, IllegalMoveError
from ..go.opening import crosscut
from ..go.position import Move
from ..go.rules import Rules
from ..go.sgf import SgfError, load
from ..go.vertex import BLACK, WHITE, opponent
from ..jit.warmup import loaded
from ..players.levels import LEVELS
from ..players.player import MctsPlayer, Settings
from ..solver.book.lookup import probe_book
from ..solver.result import unsupported
from ..util.limit import Limit
from .referee import Conditions

Opening = tuple[Move, ...]
Judge = Callable[[Game], float]
"""Says how likely the colour to move is to win, 0 to 1; exactly 0 or 1 where it is proven."""
Knower = Callable[[Game], int | None]
"""Says who wins under perfect play, or None where that is not known."""

TRIES: Final = 1000
"""Sequences of random plays to look at for one after which nothing is in atari."""
CANDIDATES: Final = 30
"""Quiet openings to look at for a balanced one."""
BALANCED: Final = (0.25, 0.75)
"""What a judge says of an opening that either side can win."""
PLAYOUTS: Final = 2000
"""Of the search that judges."""
NODES: Final = 250_000
"""Of the solver that judges, a twentieth of a second: counted, so that the openings are the same on every machine."""
MEMORY: Final = 64 * 2**20
"""Bytes for either of them."""


class OpeningError(ValueError):
    """There is no such opening; the message says why."""


@dataclass(frozen=True, slots=True)
class Openings:
    """The openings of a match."""

    kind: Literal["empty", "crosscut", "random", "file"] = "empty"
    plies: int = 0
    """Random plays."""
    seed: int = 0
    given: tuple[Opening, ...] = ()
    """Those of a file, taken in turn."""

    def opening(self, number: int, conditions: Conditions) -> Opening:
        """The opening with that number, counted from 0. OpeningError: this board has none."""
        if self.kind == "file":
            return self.given[number % len(self.given)]
        if self.kind == "crosscut":
            return _crosscut(conditions)
        if self.kind == "random":
            rules, width, height = conditions.rules, conditions.width, conditions.height
            return random_opening(rules, width, height, self.seed, number, self.plies)
        return ()


def read(path: Path, conditions: Conditions) -> tuple[Opening, ...]:
    """The openings of a folder of SGF files, of one SGF file, or of a text file with vertices, an opening on each line.

    OpeningError: a file that cannot be read, or moves after which there is no game to play.
    """
    files = sorted(path.glob("*.sgf")) if path.is_dir() else [path]
    found: list[Opening] = []
    for file in files:
        try:
            if file.suffix.lower() == ".sgf":
                found.append(_plays(load(file.read_bytes(), conditions.rules), conditions))
                continue
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                if words := line.partition("#")[0].split():
                    found.append(_checked(words, conditions, f"{file}:{number}"))
        except (OSError, SgfError, UnicodeDecodeError) as error:
            raise OpeningError(f"{file}: {error}") from None
    if not found:
        raise OpeningError(f"{path}: no openings")
    return tuple(found)


def quiet(rules: Rules | str, width: int, height: int, plies: int, rng: random.Random) -> Game:
    """A game after random plays in which nobody has to answer an atari. OpeningError: there seems to be none."""
    for _ in range(TRIES):
        game = Game(rules, width, height)
        for _ in range(plies):
            game.play(game.to_move, rng.choice(game.legal_plays()))
            if game.outcome is not None:
                break
        if game.outcome is None and not game.atari(BLACK) and not game.atari(WHITE):
            return game
    raise OpeningError(f"no quiet opening of {plies} plays found on {width}x{height}")


def balanced(
    rules: Rules | str,
    width: int,
    height: int,
    number: int,
    plies: int,
    rng: random.Random,
    judge: Judge,
    knower: Knower,
    candidates: int,
) -> Game:
    """A quiet game that is balanced; among so many candidates that are not, the one that is so the most.

    Each opening is played with both colours, so none is unfair. But one that is decided at sight only makes each player
    win once: the judge must leave either side a chance. And openings that the same side wins under perfect play would
    only show how well that side is played: where the winner is known, the colour to move wins those with an even
    `number` and loses the others. Where it is not known, the judge's word is enough.
    """
    best, least = None, (2.0, True)
    for _ in range(candidates):
        game = quiet(rules, width, height, plies, rng)
        chance = judge(game)
        fair = BALANCED[0] <= chance <= BALANCED[1]
        wanted = game.to_move if number % 2 == 0 else opponent(game.to_move)
        # Only of those that are balanced otherwise: to know costs more than to judge.
        wrong = fair and knower(game) not in (None, wanted)
        if fair and not wrong:
            return game
        if (rank := (0.0 if fair else abs(chance - 0.5), wrong)) < least:
            best, least = game, rank
    assert best is not None
    return best


def by_search(game: Game) -> float:
    """What a short search thinks of a position; it says the same on every machine."""
    # The level below the last, which lacks only the solver: that one would say of small boards who wins, however deep
    # the win is hidden.
    player = MctsPlayer(Settings(seed=1, threads=1, level=len(LEVELS), memory=MEMORY), loaded())
    decision = player.choose(game, game.to_move, Limit(playouts=PLAYOUTS))
    return 0.5 if decision.winrate is None else decision.winrate


def by_solver(game: Game) -> int | None:
    """Who wins under perfect play, as far as the book or a short proof tells; it says the same on every machine.

    It tells where the next prisoner wins, on boards of up to 64 points.
    """
    if unsupported(game.rules, game.board) is not None:
        return None
    verdict = probe_book(game.board, game.to_move)
    if verdict is None:
        if not loaded().wait(0, threading.Event()):
            return None  # there is no compiled search on this machine
        from ..solver.solver import Solver

        # A new table each time: what an older one holds depends on the games that were played here before.
        solver = Solver(game.width, game.height, MEMORY)
        verdict = solver.solve(game.board, game.to_move, Limit(playouts=NODES), whole=False)
    return verdict.winner


@lru_cache(maxsize=64)  # both games of an opening are often played by the same process
def random_opening(rules: Rules | str, width: int, height: int, seed: int, number: int, plies: int) -> Opening:
    """The balanced opening with that number. OpeningError: there seems to be no quiet one."""
    rng = random.Random(f"{seed} {number}")
    return tuple(balanced(rules, width, height, number, plies, rng, by_search, by_solver, CANDIDATES).moves)


def _crosscut(conditions: Conditions) -> Opening:
    try:
        black, white = crosscut(conditions.width, conditions.height)
    except GameError as error:
        raise OpeningError(str(error)) from None
    return tuple(m for pair in zip(black, white, strict=True) for m in (Move(BLACK, pair[0]), Move(WHITE, pair[1])))


def _checked(vertices: list[str], conditions: Conditions, where: str) -> Opening:
    game = conditions.game()
    try:
        for vertex in vertices:
            game.play(game.to_move, vertex)
    except (IllegalMoveError, ValueError) as error:
        raise OpeningError(f"{where}: {error}") from None
    if game.outcome is not None:
        raise OpeningError(f"{where}: the game is over before it begins ({game.outcome.termination})")
    return tuple(game.moves)


def _plays(game: Game, conditions: Conditions) -> Opening:
    """A game from a file as plays alone; stones that were set up are played so that the right colour moves next."""
    if (game.width, game.height) != (conditions.width, conditions.height):
        raise SgfError(f"a {game.width}x{game.height} board, not {conditions.width}x{conditions.height}")
    first = game.positions[0]
    stones = [Move(color, p) for p, color in enumerate(first.colors) if color in (BLACK, WHITE)]
    last = opponent(first.to_move)
    stones.sort(key=lambda move: move.color == last)
    moves = (*stones, *game.moves)
    again = conditions.game()
    for move in moves:
        if again.outcome is None:
            again.play(*move)
    if again.outcome is not None:
        raise SgfError("the game is over before it begins")
    if again.positions[-1].colors != game.positions[-1].colors or again.to_move != game.to_move:
        raise SgfError("the opening cannot be reached by plays")
    return moves
