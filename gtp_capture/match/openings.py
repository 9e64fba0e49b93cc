"""Openings of match games; each opening is played with both colours."""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from ..books.lookup import probe_book
from ..go.game import Game, GameError, IllegalMoveError
from ..go.opening import crosscut
from ..go.position import Move
from ..go.sgf import load
from ..go.sgf_tree import MOST_BYTES, SgfError, split
from ..go.vertex import BLACK, WHITE, Color
from ..jit.warmup import loaded
from ..players.levels import FULL
from ..players.mcts import MctsPlayer
from ..players.player import PlayerSettings
from ..solver.choice import SolverResources, solve
from ..solver.result import UNSOLVED, WORD, unsupported
from ..util.files import RequestError, UnreadableError, files_of, read_bounded
from ..util.limit import Limit
from .referee import Conditions

KIND: Final = re.compile(r"(empty|crosscut)|random-(\d{1,2})", re.ASCII)
"""The names of openings that need no file."""
Opening = tuple[Move, ...]
WinRate = Callable[[Game], float]
"""Estimates the win rate of the colour to move, 0 to 1; exactly 0 or 1 if the result is proven."""
Solve = Callable[[Game], int | None]
"""Returns the winner under perfect play, or None if it is not known."""

TRIES: Final = 1000
"""Random sequences of plays tried to find one without a chain in atari at its end."""
CANDIDATES: Final = 400
"""Quiet openings tried to find a balanced one."""
BALANCED: Final = (0.25, 0.75)
"""Win rates of an opening that counts as balanced."""
PLAYOUTS: Final = 2000
"""Playouts of the search that estimates the win rate."""
NODES: Final = 250_000
"""Nodes of the solver, about 0.05 s; not a time limit, so that all machines find the same openings."""
MEMORY: Final = 64 * 2**20
"""Bytes for the search, and for the solver."""


@dataclass(frozen=True, slots=True)
class Openings:
    """The openings of a match."""

    name: str = "empty"
    """A kind, or the path of a file."""
    plies: int = 0
    """Plays of a random opening."""
    seed: int = 0
    given: tuple[Opening, ...] = ()
    """Openings that are used in turn, instead of random ones."""

    def opening(self, number: int, conditions: Conditions) -> Opening:
        """The opening with a number, counted from 0. RequestError: no quiet random one was found."""
        if self.given:
            return self.given[number % len(self.given)]
        return random_opening(conditions, self.seed, number, self.plies) if self.plies else ()


def choose_openings(kind: str, seed: int, file: Path | None, conditions: Conditions) -> Openings:
    """Return the openings of a file, or else those that `empty`, `crosscut` or `random-K` (K random plays) names.

    RequestError: as for `read`, there is no such kind, or the board has no crosscut.
    """
    if file is not None:
        return Openings(str(file), given=read(file, conditions))
    match = KIND.fullmatch(kind)
    if match is None:
        raise RequestError(f"{kind!r} is not empty, crosscut or random-K")
    return Openings(kind, int(match[2] or 0), seed, (_crosscut(conditions),) if kind == "crosscut" else ())


def read(path: Path, conditions: Conditions) -> tuple[Opening, ...]:
    """Read openings from a folder of SGF files, an SGF file, or a text file with the vertices of one opening per line.

    RequestError: a file cannot be read, is larger than MOST_BYTES, or has an opening that is illegal or ends the game.
    """
    try:
        files = files_of(path, ".sgf")
    except UnreadableError as error:
        raise RequestError(f"{path}: {error}") from None
    openings: list[Opening] = []
    for file in files:
        try:
            data = read_bounded(file, MOST_BYTES)
            if file.suffix.lower() == ".sgf":
                openings += [
                    _plays(load(game, session_rules=conditions.rules), conditions)
                    for game in list(split(data)) or [data]
                ]
                continue
            for number, line in enumerate(data.decode("utf-8-sig").splitlines(), 1):
                if words := line.partition("#")[0].split():
                    openings.append(_legal_moves(words, conditions, f"{file}:{number}"))
        except (UnreadableError, SgfError, IllegalMoveError, UnicodeDecodeError) as error:
            raise RequestError(f"{file}: {error}") from None
    if not openings:
        raise RequestError(f"{path}: no openings")
    return tuple(openings)


def quiet(conditions: Conditions, plies: int, rng: random.Random) -> Game:
    """A game after random plays with no chain in atari. RequestError: none was found in TRIES tries."""
    for _ in range(TRIES):
        game = conditions.game()
        while len(game.moves) < plies and game.outcome is None and (plays := game.legal_plays()):
            game.play_point(rng.choice(plays))
        if len(game.moves) == plies and game.outcome is None and not any(game.atari(color) for color in Color):
            return game
    raise RequestError(f"no quiet opening of {plies} plays found on {conditions.width}x{conditions.height}")


def balanced(candidates: Iterable[Game], mover_wins: bool, win_rate: WinRate, solve: Solve) -> Game:
    """Return the first balanced game among candidates, or the one closest to it; at least one is required.

    Each opening is played with both colours, so an opening that one side surely wins gives each player one win and
    tests nothing. Therefore the estimated win rate must leave either side a chance. If the winner under perfect play is
    known, it must be the colour to move exactly if `mover_wins`, which a match alternates to test both sides equally.
    """
    best, least = None, (2.0, True)
    for game in candidates:
        rate = win_rate(game)
        fair = BALANCED[0] <= rate <= BALANCED[1]
        wanted = int(game.to_move if mover_wins else game.to_move.opponent)
        wrong = fair and solve(game) not in (None, wanted)  # solving costs more than estimating
        if fair and not wrong:
            return game
        if (rank := (0.0 if fair else abs(rate - 0.5), wrong)) < least:
            best, least = game, rank
    assert best is not None
    return best


def search_win_rate(game: Game) -> float:
    """Estimate the win rate of the colour to move with a short search; the same on all machines."""
    # A level below full strength, which does not use the solver: it would prove most openings of small boards.
    player = MctsPlayer(PlayerSettings(seed=1, threads=1, level=FULL - 1, memory=MEMORY), loaded())
    decision = player.choose(game, int(game.to_move), Limit(playouts=PLAYOUTS).begin())
    return 0.5 if decision.winrate is None else decision.winrate


def solved_winner(game: Game) -> int | None:
    """Find the winner under perfect play in the book or by a short proof; the same on all machines.

    None if neither finds it, and for games not won by the next prisoner. On boards of more than 64 points, whose
    openings are seldom solved so, it is not tried.
    """
    if unsupported(game.rules, game.board) is not None or game.width * game.height > WORD:
        return None
    color = int(game.to_move)
    known = probe_book(game.board, color) or UNSOLVED
    if known.winner is None and not loaded().wait(0, threading.Event()):
        return None  # compiled code is not available on this machine
    # A new table each time: the content of an older one depends on earlier games of this process.
    return solve(game, color, SolverResources(MEMORY), Limit(nodes=NODES).begin(), known=known).winner


@lru_cache(maxsize=64)  # the same process often plays both games of an opening
def random_opening(conditions: Conditions, seed: int, number: int, plies: int) -> Opening:
    """The balanced opening with a number. RequestError: no quiet one was found."""
    rng = random.Random(f"{seed} {number}")
    candidates = (quiet(conditions, plies, rng) for _ in range(CANDIDATES))
    return tuple(balanced(candidates, number % 2 == 0, search_win_rate, solved_winner).moves)


def _crosscut(conditions: Conditions) -> Opening:
    try:
        black, white = crosscut(conditions.width, conditions.height)
    except GameError as error:
        raise RequestError(str(error)) from None
    pairs = zip(black, white, strict=True)
    return tuple(Move(color, p, conditions.width) for pair in pairs for color, p in zip(Color, pair, strict=True))


def _legal_moves(vertices: list[str], conditions: Conditions, where: str) -> Opening:
    game = conditions.game()
    try:
        for vertex in vertices:
            game.play_point(game.point(vertex))
    except ValueError as error:
        raise RequestError(f"{where}: {error}") from None
    if game.outcome is not None:
        raise RequestError(f"{where}: the game is over before it begins ({game.outcome.termination})")
    return tuple(game.moves)


def _plays(game: Game, conditions: Conditions) -> Opening:
    """Convert a game to plays only: set-up stones become plays, in an order that keeps the colour to move."""
    if (game.width, game.height) != (conditions.width, conditions.height):
        raise SgfError(f"a {game.width}x{game.height} board, not {conditions.width}x{conditions.height}")
    first = game.positions[0]
    stones = [Move(Color(color), p, game.width) for p, color in enumerate(first.colors) if color in (BLACK, WHITE)]
    stones.sort(key=lambda move: move.color != first.to_move)
    moves = (*stones, *game.moves)
    again = conditions.game()
    for move in moves:
        if again.outcome is None:
            again.play_point(move.point, move.color)
    if again.outcome is not None:
        raise SgfError("the game is over before it begins")
    if again.positions[-1].colors != game.positions[-1].colors or again.to_move != game.to_move:
        raise SgfError("the opening cannot be reached by plays")
    return moves
