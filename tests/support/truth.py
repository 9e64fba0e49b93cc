"""Checks of explanations and hints: each value is compared with an oracle, which finds the winner by force.

`false_explanation` and `false_hint` return what is false in a value. They cover every kind about an unfinished game, so
a new kind without a check fails too. The oracle of first capture is the exact solver; that of the whole family is a
search by definition (`family.py`).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Final, Protocol

from gtp_capture import Game
from gtp_capture.go import board as bd
from gtp_capture.go.rules import Rules
from gtp_capture.go.vertex import COLOR_LETTERS, opponent
from gtp_capture.solver.result import Solution
from gtp_capture.solver.solver import Solver
from gtp_capture.teach.explain import Evidence, Explanation, Hint, Lost, Reason, Result
from gtp_capture.util.limit import Limit

from .diagrams import show, vertices
from .family import Family, State


class UndecidedError(Exception):
    """The oracle does not find the truth within its budget."""


class Oracle(Protocol):
    """The truth about unfinished positions. UndecidedError: not found."""

    def wins(self, game: Game, color: int, winner: int) -> bool:
        """Whether `winner` can force a win with a colour to move. Points after two passes are not counted."""
        ...

    def within(self, game: Game, color: int, winner: int, plies: int) -> bool:
        """Whether `winner` can do so within a number of moves."""
        ...

    def line(self, game: Game, color: int) -> list[int]:
        """Best play of both sides to the end, where one of them can force a win: points, and PASS."""
        ...


@cache
def _solver(width: int, height: int) -> Solver:
    return Solver(width, height, 64 * 2**20)


def truth(game: Game, color: int, *, length: bool = False) -> Solution:
    """Return the exact result of first capture with a colour to move."""
    return _solver(game.width, game.height).solve(game.board, color, Limit().begin(), length=length)


class Solved:
    """The exact solver: for first capture."""

    def wins(self, game: Game, color: int, winner: int) -> bool:
        """See Oracle."""
        return truth(game, color).winner == winner

    def within(self, game: Game, color: int, winner: int, plies: int) -> bool:
        """See Oracle."""
        if plies == 1 and color == winner:
            return bool(game.atari(opponent(winner)))
        found = truth(game, color, length=True)
        return found.winner == winner and (found.plies or 0) <= plies

    def line(self, game: Game, color: int) -> list[int]:
        """See Oracle."""
        return list(truth(game, color, length=True).line)


class ByDefinition:
    """The search by definition: for all capture games on tiny boards."""

    def __init__(self, nodes: int) -> None:
        """`nodes`: the positions that one answer may take."""
        self._nodes = nodes

    def family(self, game: Game) -> Family:
        """The rules and the board of a game."""
        return _family(game.rules, game.width, game.height, self._nodes)

    def state(self, game: Game) -> State:
        """The state after the moves of a game. AssertionError: one of them is illegal."""
        family, first = self.family(game), " ".join(show(game.copy(0)))
        state = family.start(*(vertices(first, symbol) for symbol in "XO"))
        for move in game.moves:
            after = family.play(state, int(move.color), game.vertex(move.point))
            assert after is not None, f"{game.vertex(move.point)} is illegal"
            state = after
        return state

    def wins(self, game: Game, color: int, winner: int) -> bool:
        """See Oracle."""
        return self._wins(game, color, winner, None)

    def within(self, game: Game, color: int, winner: int, plies: int) -> bool:
        """See Oracle."""
        return self._wins(game, color, winner, plies)

    def line(self, game: Game, color: int) -> list[int]:
        """See Oracle."""
        winner = color if self.wins(game, color, color) else opponent(color)
        trial, mover, found = game.copy(), color, list[int]()
        left = next(n for n in range(2 * game.width * game.height + 20) if self.within(game, color, winner, n))
        while left:
            for vertex in trial.legal_moves(mover):
                trial.play(vertex, mover)
                best = self.within(trial, opponent(mover), winner, left - 1)
                best = best and (
                    mover == winner or left == 1 or not self.within(trial, opponent(mover), winner, left - 2)
                )
                if best:
                    found.append(game.point(vertex))
                    break
                trial.undo()
            mover, left = opponent(mover), left - 1
        return found

    def _wins(self, game: Game, color: int, winner: int, plies: int | None) -> bool:
        found = self.family(game).wins(self.state(game), int(color), int(winner), plies)
        if found is None:
            raise UndecidedError
        return found


@lru_cache(1)
def _family(rules: Rules, width: int, height: int, nodes: int) -> Family:
    assert rules.captures is not None
    ko, passing = str(rules.ko), str(rules.passing)
    return Family(width, height, rules.captures, suicide=rules.suicide, ko=ko, passing=passing, nodes=nodes)


SOLVED: Final = Solved()


def wins_with(game: Game, color: int, vertex: str, oracle: Oracle = SOLVED) -> bool:
    """Whether a move of a colour wins by captures."""
    after = game.copy()
    after.play(vertex, color)
    if after.outcome is not None:
        decided = after.positions[-1].decided
        return decided is not None and decided.winner == color
    return oracle.wins(after, opponent(color), color)


def loses_with(game: Game, color: int, vertex: str, oracle: Oracle) -> bool:
    """Whether a move of a colour loses by captures."""
    after = game.copy()
    after.play(vertex, color)
    if after.outcome is not None:
        decided = after.positions[-1].decided
        return decided is not None and decided.winner == opponent(color)
    return oracle.wins(after, opponent(color), opponent(color))


def takes(game: Game, color: int, winner: int, plies: int, oracle: Oracle) -> bool:
    """Whether `winner` wins in exactly so many moves with a colour to move."""
    return oracle.within(game, color, winner, plies) and not oracle.within(game, color, winner, plies - 1)


def random_game(width: int, height: int, plies: int, rng: random.Random) -> Game:
    """Return an unfinished game of first capture of `plies` random plays."""
    while True:
        game = Game("first-capture", (width, height))
        while game.outcome is None and len(game.moves) < plies:
            game.play(rng.choice(game.legal_plays()))
        if game.outcome is None:
            return game


def false_explanation(game: Game, found: Explanation, oracle: Oracle = SOLVED) -> str | None:
    """Return what is false in an explanation of the last move; None if it is true."""
    last = game.moves[-1]
    winner, decided = opponent(last.color), game.positions[-1].decided
    if (found.move, found.color) != (game.vertex(last.point), last.color):
        return "it is about another move"
    if decided is not None:
        ended = found.result, found.winner, found.end, found.known
        if ended != (Result.ENDED, decided.winner, decided.termination, Evidence.RULES):
            return f"the game ended otherwise: {decided}"
        return _false_context(game, found, oracle) if decided.winner == winner else None
    if found.result is Result.OPEN:
        return None if (found.winner, found.known) == (None, Evidence.UNKNOWN) else "a winner that is not known"
    if found.known not in (Evidence.BOOK, Evidence.SOLVER, Evidence.TREE):
        return "a result without a proof"
    if found.result is Result.WINS:
        wins = found.winner == last.color and oracle.wins(game, winner, last.color)
        return None if wins else "the last move does not win"
    if found.result is not Result.LOSES:
        return "a result that cannot be checked"
    if found.winner != winner or not oracle.wins(game, winner, winner):
        return "the last move does not lose"
    return _false_line(game, winner, found, oracle) or _false_context(game, found, oracle)


def _false_line(game: Game, winner: int, found: Explanation, oracle: Oracle) -> str | None:
    """Return what is false in the line that punishes the last move.

    With a number of plies and the end it is best play of both sides, else the replies of the loser are forced.
    """
    line, plies, trial = found.line, found.plies, game.copy()
    if plies is not None and not takes(game, winner, winner, plies, oracle):
        return f"it does not take {plies} plies"
    best = plies is not None and found.end is not None
    if best and len(line) != plies:
        return f"the line takes {len(line)} plies, not {plies}"
    for number, vertex in enumerate(line):
        color = winner if number % 2 == 0 else opponent(winner)
        move = f"move {number + 1}, {vertex},"
        if trial.outcome is not None:
            return f"the game is over before {move}"
        if not trial.is_legal(vertex, color):
            return f"{move} is illegal"
        if color == winner and not wins_with(trial, color, vertex, oracle):
            return f"{move} does not win"
        if best and not takes(trial, color, winner, len(line) - number, oracle):
            return f"the moves before {move} are not best play"
        if color != winner and not best and not set(_replies(trial, color, oracle)) <= {vertex}:
            return f"{move} is not forced"
        trial.play(vertex, color)
    over = None if trial.outcome is None else trial.outcome.termination
    return None if over == found.end else f"the line ends with {over}"


def _replies(game: Game, color: int, oracle: Oracle) -> list[str]:
    """The moves of a colour, passes included, after which it has not lost and the opponent cannot win at once."""
    found = []
    for vertex in game.legal_moves(color):
        after = game.copy()
        after.play(vertex, color)
        decided = after.positions[-1].decided
        lost = False if decided is None else decided.winner != color
        if not lost and (after.outcome is not None or not oracle.within(after, opponent(color), opponent(color), 1)):
            found.append(vertex)
    return found


def _false_context(game: Game, found: Explanation, oracle: Oracle) -> str | None:
    """Return what is false about a better move or the losing move."""
    mover, number = game.moves[-1].color, len(game.moves) - 1
    before, better, lost = game.copy(number), found.better, found.lost
    if better is not None and better.mistake is None:
        if not before.is_legal(better.move, mover):
            return f"{better.move} is illegal"
        if not better.wins:
            return "several unproven moves" if better.several else None
        if better.several and _wins(before, mover, oracle) < 2:
            return "no other move wins"
        return None if wins_with(before, mover, better.move, oracle) else f"{better.move} does not win"
    if better is None and lost is None:
        return None
    if not oracle.wins(before, mover, opponent(mover)):
        return "the position before the move was not lost"
    if better is None:
        first = next(n for n, move in enumerate(game.moves) if move.color == mover)
        start = lost is Lost.BEFORE or oracle.wins(game.copy(first), mover, opponent(mover))
        return None if start else "the game was not lost from the start"
    assert better.mistake is not None
    at = better.mistake[1] - 1
    early = game.copy(at)
    if str(game.moves[at]) != f"{COLOR_LETTERS[mover]} {better.mistake[0]}" or not early.is_legal(better.move, mover):
        return f"move {at + 1} was another one, or {better.move} is illegal there"
    if lost is not None or not better.wins or not wins_with(early, mover, better.move, oracle):
        return f"{better.move} does not win there"
    if better.several and _wins(early, mover, oracle) < 2:
        return f"no other move than {better.move} wins there"
    later = range(at + 2, number + 1, 2)
    turned = [n for n in later if not oracle.wins(game.copy(n), mover, opponent(mover))]
    return f"the position was not lost before move {turned[-1] + 1}" if turned else None


def _wins(game: Game, color: int, oracle: Oracle) -> int:
    """Count the winning moves of a colour."""
    return sum(wins_with(game, color, vertex, oracle) for vertex in game.legal_moves(color))


def false_hint(game: Game, found: Hint, oracle: Oracle = SOLVED) -> str | None:
    """Return what is false in a hint for the side to move; None if it is true."""
    color = game.to_move
    if not game.is_legal(found.move):
        return f"{found.move} is illegal"
    if (found.wins is not None) == (found.known in (Evidence.MEASURED, Evidence.UNKNOWN)):
        return "a result without a proof, or a proof without a result"
    if (found.wins is False) != (found.reason is Reason.LOSS):
        return "a loss without that reason, or the reverse"
    if found.reason is Reason.LOSS:
        return _false_loss(game, found, oracle) or _false_continuation(game, found, oracle)
    if found.wins and not wins_with(game, color, found.move, oracle):
        return f"{found.move} does not win"
    return _false_continuation(game, found, oracle) or _false_reason(game, found, oracle)


def _false_continuation(game: Game, found: Hint, oracle: Oracle) -> str | None:
    """Return what is false in the line of a hint."""
    if found.line and found.line[0] != found.move:
        return "the line begins with another move"
    return false_line(game, found.line, _winner(game, found.proof), oracle)


def false_line(game: Game, line: Iterable[str], winner: int | None, oracle: Oracle = SOLVED) -> str | None:
    """Return what is false in a line: a move that is illegal, or one of the proven winner that does not win."""
    trial = game.copy()
    for vertex in line:
        if trial.outcome is not None:
            return f"the game is over before {vertex}"
        if not trial.is_legal(vertex):
            return f"{vertex} is illegal"
        if trial.to_move == winner and not wins_with(trial, winner, vertex, oracle):
            return f"{vertex} does not win in the line"
        trial.play(vertex)
    return None


def _winner(game: Game, proof: str | None) -> int | None:
    """Return the winner of a move of the side to move with a proof, "win" or "loss"."""
    return None if proof is None else int(game.to_move) if proof == "win" else opponent(game.to_move)


def false_move(
    game: Game, line: Sequence[str], winrate: float | None, proof: str | None, oracle: Oracle = SOLVED
) -> str | None:
    """Return what is false about a move of the side to move: its win rate, its proof or the line that it begins."""
    winner = _winner(game, proof)
    if winrate is not None and (winrate in (0, 1)) != (winner is not None):
        return f"the win rate is {winrate}, and the proof {proof}"
    if proof == "loss" and not loses_with(game, int(game.to_move), line[0], oracle):
        return f"{line[0]} does not lose"
    return false_line(game, line, winner, oracle)


def _false_loss(game: Game, found: Hint, oracle: Oracle) -> str | None:
    """Return what is false in a hint that every move loses."""
    color, plies = game.to_move, found.plies
    if not oracle.wins(game, color, opponent(color)):
        return "the position is not lost"
    if plies is None:
        return None
    if not takes(game, color, opponent(color), plies, oracle):
        return f"it does not take {plies} plies"
    after = game.copy()
    after.play(found.move, color)
    short = after.outcome is not None or oracle.within(after, opponent(color), opponent(color), plies - 2)
    return f"{found.move} loses sooner" if short and plies > 1 else None


def _false_reason(game: Game, found: Hint, oracle: Oracle) -> str | None:
    """Return what is false in the reason of a move that does not lose."""
    color, loser, after = game.to_move, opponent(game.to_move), game.copy()
    after.play(found.move, color)
    stones = [game.point(vertex) for vertex in found.stones]
    false = None
    match found.reason:
        case Reason.CAPTURE:
            false = bd.captures_at(game.board, game.point(found.move), color) != found.captured
        case Reason.SAVE | Reason.FREE if after.outcome is None and after.board.color[stones[0]] != color:
            return f"the chain at {found.stones[0]} is gone"
        case Reason.SAVE:
            # Where one capture does not decide, a chain may be saved in a lost position.
            decides = game.rules.won_by(game.prisoners(loser) + 1)
            lost = decides and after.outcome is None and oracle.wins(after, loser, loser)
            false = lost or stones[0] not in game.atari(color)
        case Reason.FREE:
            false = stones[0] not in game.atari(color) or bd.in_atari(after.board, stones[0])
        case Reason.ATARI if found.wins:
            false = any(not _is_taken(after, play, set(stones)) for play in after.legal_plays())
        case Reason.ATARI:
            false = not bd.in_atari(after.board, stones[0])
        case Reason.LADDER:
            false = not found.wins or not after.atari(loser) or len(_replies(after, loser, oracle)) > 1
        case Reason.RACE:
            return _false_race(game, oracle)
        case Reason.FORCE:
            false = not found.wins
        case Reason.RATE:
            false = found.winrate is None
        case Reason.SIGHT:
            false = found.known is not Evidence.UNKNOWN
        case Reason.PASS | Reason.NO_GAIN:
            false = found.move != "pass"
    return "a reason that cannot be checked" if false is None else "the reason is false" if false else None


def _false_race(game: Game, oracle: Oracle) -> str | None:
    """Return what is false in a race of safe moves that the side to move wins."""
    trial, color = game.copy(), game.to_move
    for play in oracle.line(trial, color)[:-2]:
        if trial.atari(color) or trial.atari(opponent(color)):
            return "there is an attack"
        trial.play(play)
    return None if not _replies(trial, trial.to_move, oracle) else "the loser has a safe play left"


def _is_taken(game: Game, play: int, named: set[int]) -> bool:
    """Whether after a reply one of these stones can be captured, or the reply loses; one that captures wins."""
    after = game.copy()
    after.play(play)
    if after.outcome is not None:
        return after.outcome.winner == opponent(game.to_move)
    atari = {int(after.board.root[p]): bd.last_liberty(after.board, p) for p in after.atari(game.to_move)}
    chains = {int(after.board.root[p]) for p in named}
    return any(chain in chains and after.is_legal(liberty) for chain, liberty in atari.items())
