"""Checks of explanations and hints: each statement is compared with an oracle, which finds the winner by force.

`false_explanation` and `false_hint` parse a sentence and return what is false in it. The patterns cover every sentence
about an unfinished game, so a new sentence without a check fails too. The oracle of first capture is the exact solver;
that of the whole family is a search by definition (`family.py`).
"""

from __future__ import annotations

import random
import re
from functools import cache, lru_cache
from typing import Final, Protocol

from gtp_capture import Game
from gtp_capture.go import board as bd
from gtp_capture.go.rules import Rules
from gtp_capture.go.vertex import COLOR_LETTERS, opponent
from gtp_capture.solver.result import Solution
from gtp_capture.solver.solver import Solver
from gtp_capture.util.limit import Limit

from .diagrams import moves, show, vertices
from .family import Family, State

PLAY: Final = r"[A-HJ-Z]\d+"
MOVE: Final = rf"(?:{PLAY}|pass)"
END: Final = r"capture|no legal play|handed over a stone"
LOSES = re.compile(
    rf"(?P<vertex>{MOVE}) loses(?: in (?P<plies>\d+) pl(?:y|ies))?: (?P<line>(?:[BW] {MOVE} ?)*)"
    rf"(?:\((?P<end>{END})\))?(?:\. (?P<rest>.*))?"
)
OVER = re.compile(rf"(?P<vertex>{MOVE}) loses the game \((?P<end>{END})\)(?:\. (?P<rest>.*))?")
BETTER = re.compile(rf"(?P<several>For example, )?(?P<vertex>{MOVE}) wins")
UNREFUTED = re.compile(rf"No refutation of (?P<vertex>{MOVE}) was found")
MISTAKE = re.compile(
    rf"The losing move was (?P<vertex>{MOVE}), move (?P<number>\d+): "
    r"(?P<several>for example, )?(?P<better>\S+) wins there"
)
LOST = ("The position was lost before", "The position was lost from the start")
LONGEST = re.compile(r"loses, but lasts longest: (?P<plies>\d+) pl(?:y|ies)")
CAUGHT = re.compile(r"puts (\S+) and (\S+) in atari: one of them is lost|puts (\S+) in atari, and nothing saves it")
LADDER, RACE = "starts a ladder: every answer is forced", "wins the race of safe moves"
WINNING = re.compile(
    rf"(?:captures|saves|takes) .* and wins(?: by force)?|{CAUGHT.pattern}|{LADDER}|{RACE}|wins by force"
)
SAVED, FREED = re.compile(r"saves (\S+)"), re.compile(r"takes (\S+) out of atari")
OPEN = re.compile(
    r"puts \S+ in atari|has a win rate of \d+% in the search|looks best at first sight|captures .* stones?"
)
CLOSING = re.compile(r"looks best(?:: no play was found that gains points)?")
"""Of a pass."""


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
    return _solver(game.width, game.height).solve(game.board, color, Limit(), length=length)


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
        game = Game("first-capture", width, height)
        while game.outcome is None and len(game.moves) < plies:
            game.play(rng.choice(game.legal_plays()))
        if game.outcome is None:
            return game


def false_explanation(game: Game, text: str, oracle: Oracle = SOLVED) -> str | None:
    """Return what is false in a sentence of `explain` about the last move; None if it is true."""
    last = game.moves[-1]
    vertex, winner = game.vertex(last.point), opponent(last.color)
    decided = game.positions[-1].decided
    if decided is not None:
        if (decided.winner, text) == (last.color, f"{vertex} wins the game ({decided.termination})"):
            return None
        ended = OVER.fullmatch(text)
        if ended is None or (ended["vertex"], ended["end"]) != (vertex, str(decided.termination)):
            return "a sentence that cannot be checked"
        return "the last move wins" if decided.winner == last.color else _false_context(game, ended["rest"], oracle)
    if text == f"{vertex}: no forced loss found":
        return None
    if text == f"{vertex} wins":
        return None if oracle.wins(game, winner, last.color) else "the last move does not win"
    found = LOSES.fullmatch(text)
    if found is None or found["vertex"] != vertex:
        return "a sentence that cannot be checked"
    if not oracle.wins(game, winner, winner):
        return "the last move does not lose"
    return _false_line(game, winner, found, oracle) or _false_context(game, found["rest"], oracle)


def _false_line(game: Game, winner: int, found: re.Match[str], oracle: Oracle) -> str | None:
    """Return what is false in the line that punishes the last move.

    With a number of plies and the end it is best play of both sides, else the replies of the loser are forced.
    """
    line, trial = list(moves(found["line"])), game.copy()
    plies = None if found["plies"] is None else int(found["plies"])
    if plies is not None and not takes(game, winner, winner, plies, oracle):
        return f"it does not take {plies} plies"
    best = plies is not None and found["end"] is not None
    if best and len(line) != plies:
        return f"the line takes {len(line)} plies, not {plies}"
    for number, (color, vertex) in enumerate(line):
        move = f"{COLOR_LETTERS[color]} {vertex}"
        if color != (winner if number % 2 == 0 else opponent(winner)):
            return "the colours of the line do not alternate"
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
    over = None if trial.outcome is None else str(trial.outcome.termination)
    return None if over == found["end"] else f"the line ends with {over}"


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


def _false_context(game: Game, text: str | None, oracle: Oracle) -> str | None:
    """Return what is false in the sentence about a better move or the losing move."""
    mover, number = game.moves[-1].color, len(game.moves) - 1
    before = game.copy(number)
    if text is None:
        return None
    if (named := BETTER.fullmatch(text) or UNREFUTED.fullmatch(text)) is not None and not before.is_legal(
        named["vertex"], mover
    ):
        return f"{named['vertex']} is illegal"
    if better := BETTER.fullmatch(text):
        if better["several"] and _wins(before, mover, oracle) < 2:
            return "no other move wins"
        return None if wins_with(before, mover, better["vertex"], oracle) else f"{better['vertex']} does not win"
    if UNREFUTED.fullmatch(text):
        return None
    if not oracle.wins(before, mover, opponent(mover)):
        return f"{text!r}, but the position before the move was not lost"
    if text in LOST:
        first = next(n for n, move in enumerate(game.moves) if move.color == mover)
        start = text == LOST[0] or oracle.wins(game.copy(first), mover, opponent(mover))
        return None if start else "the game was not lost from the start"
    mistake = MISTAKE.fullmatch(text)
    if mistake is None:
        return "a context that cannot be checked"
    at = int(mistake["number"]) - 1
    early = game.copy(at)
    if game.moves[at] != (mover, game.point(mistake["vertex"])) or not early.is_legal(mistake["better"], mover):
        return f"move {at + 1} was another one, or {mistake['better']} is illegal there"
    if not wins_with(early, mover, mistake["better"], oracle):
        return f"{mistake['better']} does not win there"
    if mistake["several"] and _wins(early, mover, oracle) < 2:
        return f"no other move than {mistake['better']} wins there"
    later = range(at + 2, number + 1, 2)
    turned = [n for n in later if not oracle.wins(game.copy(n), mover, opponent(mover))]
    return f"the position was not lost before move {turned[-1] + 1}" if turned else None


def _wins(game: Game, color: int, oracle: Oracle) -> int:
    """Count the winning moves of a colour."""
    return sum(wins_with(game, color, vertex, oracle) for vertex in game.legal_moves(color))


def false_hint(game: Game, move: int, reason: str, oracle: Oracle = SOLVED) -> str | None:
    """Return what is false in a hint for the side to move; None if it is true."""
    color, vertex = game.to_move, game.vertex(move)
    if not game.is_legal(move):
        return f"{vertex} is illegal"
    if reason.startswith("loses"):
        return _false_loss(game, vertex, reason, oracle)
    after = game.copy()
    after.play(move, color)
    if WINNING.fullmatch(reason):
        if not wins_with(game, color, vertex, oracle):
            return f"{vertex} does not win"
        if false := _false_reason(after, reason, oracle):
            return false
        reason = reason.removesuffix(" and wins by force")
    if saved := SAVED.fullmatch(reason):
        # Where one capture does not decide, a chain may be saved in a lost position.
        decides = game.rules.won_by(game.prisoners(opponent(color)) + 1)
        lost = decides and after.outcome is None and oracle.wins(after, opponent(color), opponent(color))
        return f"{saved[1]} is not saved" if lost or game.point(saved[1]) not in game.atari(color) else None
    if freed := FREED.fullmatch(reason):
        chain = game.point(freed[1])
        freed_now = chain in game.atari(color) and not bd.in_atari(after.board, chain)
        return None if freed_now else f"{freed[1]} is not taken out of atari"
    known = OPEN.fullmatch(reason) or WINNING.fullmatch(reason) or (vertex == "pass" and CLOSING.fullmatch(reason))
    return None if known else "a hint that cannot be checked"


def _false_loss(game: Game, vertex: str, reason: str, oracle: Oracle) -> str | None:
    """Return what is false in a hint that every move loses."""
    color = game.to_move
    if not oracle.wins(game, color, opponent(color)):
        return "the position is not lost"
    longest = LONGEST.fullmatch(reason)
    if longest is None:
        return None if reason == "loses, as every move does" else "a hint that cannot be checked"
    plies = int(longest["plies"])
    if not takes(game, color, opponent(color), plies, oracle):
        return f"it does not take {plies} plies"
    after = game.copy()
    after.play(vertex, color)
    short = after.outcome is not None or oracle.within(after, opponent(color), opponent(color), plies - 2)
    return f"{vertex} loses sooner" if short and plies > 1 else None


def _false_reason(after: Game, reason: str, oracle: Oracle) -> str | None:
    """Return what is false in the reason of a winning move, which was made."""
    loser = after.to_move
    if (caught := CAUGHT.fullmatch(reason)) is not None:
        named = {after.point(vertex) for vertex in caught.groups() if vertex is not None}
        return "a reply saves them" if any(not _is_taken(after, play, named) for play in after.legal_plays()) else None
    if reason == LADDER:
        forced = after.atari(loser) and len(_replies(after, loser, oracle)) <= 1
        return None if forced else "the answer is not forced"
    if reason == RACE:
        after.undo()
        for play in oracle.line(after, opponent(loser))[:-2]:
            if after.atari(loser) or after.atari(opponent(loser)):
                return "there is an attack"
            after.play(play)
        return None if not _replies(after, loser, oracle) else "the loser has a safe play left"
    return None


def _is_taken(game: Game, play: int, named: set[int]) -> bool:
    """Whether after a reply one of these stones can be captured, or the reply loses; one that captures wins."""
    after = game.copy()
    after.play(play)
    if after.outcome is not None:
        return after.outcome.winner == opponent(game.to_move)
    atari = {int(after.board.root[p]): bd.last_liberty(after.board, p) for p in after.atari(game.to_move)}
    chains = {int(after.board.root[p]) for p in named}
    return any(chain in chains and after.is_legal(liberty) for chain, liberty in atari.items())
