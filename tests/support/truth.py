"""Checks of explanations and hints: each value is compared with an oracle, which finds the winner by force.

`false_explanation` and `false_hint` return what is false in a value. They cover every kind about an unfinished game, so
a new kind without a check fails too. The oracle of first capture is the exact solver; that of the whole family is a
search by definition (`family.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import permutations
from typing import Final, NamedTuple, Protocol

from gtp_capture import Game
from gtp_capture.go import board as bd
from gtp_capture.go.vertex import COLOR_LETTERS, Color, ColorLike, opponent
from gtp_capture.solver.result import Solution, unsupported
from gtp_capture.solver.solver import Solver
from gtp_capture.teach.explain import CHANCES, Evidence, Explanation, Hint, Lost, Result
from gtp_capture.teach.reasons import Reason
from gtp_capture.util.limit import Limit

from .brute_force import chain_of, liberties_of, neighbors
from .diagrams import COLUMNS, show, vertices
from .family import Family, State


class UndecidedError(Exception):
    """The oracle does not find the truth within its budget."""


class Oracle(Protocol):
    """The truth about unfinished positions. UndecidedError: not found."""

    def wins(self, game: Game, color: int, winner: int) -> bool:
        """Whether `winner` can force a win with a colour to move. Points after two passes are not counted."""
        ...

    def within(self, game: Game, color: int, winner: int, plies: int) -> bool:
        """Whether `winner` can force a win within a number of moves."""
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
        solution = truth(game, color, length=True)
        return solution.winner == winner and (solution.plies or 0) <= plies

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
        trial, mover, points = game.copy(), color, list[int]()
        left = next(n for n in range(2 * game.width * game.height + 20) if self.within(game, color, winner, n))
        while left:
            for vertex in trial.legal_moves(mover):
                trial.play(vertex, mover)
                best = self.within(trial, opponent(mover), winner, left - 1)
                best = best and (
                    mover == winner or left == 1 or not self.within(trial, opponent(mover), winner, left - 2)
                )
                if best:
                    points.append(game.point(vertex))
                    break
                trial.undo()
            mover, left = opponent(mover), left - 1
        return points

    def _wins(self, game: Game, color: int, winner: int, plies: int | None) -> bool:
        won = self.family(game).wins(self.state(game), int(color), int(winner), plies)
        if won is None:
            raise UndecidedError
        return won


_family = lru_cache(1)(Family.of)


SOLVED: Final = Solved()


def wins_with(game: Game, color: int, vertex: str, oracle: Oracle = SOLVED) -> bool:
    """Whether a move of a colour wins by captures."""
    return _won_after(game, color, vertex, color, oracle)


def loses_with(game: Game, color: int, vertex: str, oracle: Oracle) -> bool:
    """Whether a move of a colour loses by captures."""
    return _won_after(game, color, vertex, opponent(color), oracle)


def _won_after(game: Game, color: int, vertex: str, winner: int, oracle: Oracle) -> bool:
    """Whether `winner` wins by captures after a move of a colour."""
    after = _after(game, vertex, color)
    if after.outcome is not None:
        decided = after.positions[-1].decided
        return decided is not None and decided.winner == Color(winner)
    return oracle.wins(after, opponent(color), winner)


def _after(game: Game, vertex: str, color: ColorLike) -> Game:
    return game.after_point(game.point(vertex), color)


def takes(game: Game, color: int, winner: int, plies: int, oracle: Oracle) -> bool:
    """Whether `winner` wins in exactly `plies` moves with a colour to move."""
    return oracle.within(game, color, winner, plies) and not oracle.within(game, color, winner, plies - 1)


def _takes_after(game: Game, vertex: str, plies: int, oracle: Oracle) -> bool:
    """Whether the side to move wins in exactly `plies` moves with this move as the first."""
    color = int(game.to_move)
    after = _after(game, vertex, color)
    if after.outcome is not None or plies == 1:
        return after.outcome is not None and plies == 1
    return takes(after, opponent(color), color, plies - 1, oracle)


def false_explanation(game: Game, explained: Explanation, oracle: Oracle = SOLVED) -> str | None:
    """Return what is false in an explanation of the last move, without its reply; None if it is true."""
    return _false_verdict(game, explained, oracle) or _false_chance(game, explained, oracle)


def _false_verdict(game: Game, explained: Explanation, oracle: Oracle) -> str | None:
    """Return what is false in the result of the last move, and in what was better."""
    last = game.moves[-1]
    winner, decided = opponent(int(last.color)), game.positions[-1].decided
    if (explained.move, explained.color) != (game.vertex(last.point), last.color):
        return "it is about another move"
    if decided is not None:
        ended = explained.result, explained.winner, explained.end, explained.known
        if ended != (Result.ENDED, decided.winner, decided.termination, Evidence.RULES):
            return f"the game ended otherwise: {decided}"
        return _false_context(game, explained, oracle) if decided.winner == Color(winner) else None
    if explained.result is Result.OPEN:
        return None if (explained.winner, explained.known) == (None, Evidence.UNKNOWN) else "a winner that is not known"
    if explained.known not in (Evidence.BOOK, Evidence.SOLVER, Evidence.TREE):
        return "a result without a proof"
    if explained.result is Result.WINS:
        wins = explained.winner == last.color and oracle.wins(game, winner, int(last.color))
        return None if wins else "the last move does not win"
    if explained.result is not Result.LOSES:
        return "a result that cannot be checked"
    if explained.winner != Color(winner) or not oracle.wins(game, winner, winner):
        return "the last move does not lose"
    return _false_line(game, winner, explained, oracle) or _false_context(game, explained, oracle)


def _false_line(game: Game, winner: int, explained: Explanation, oracle: Oracle) -> str | None:
    """Return what is false in the line that punishes the last move.

    With a number of plies and the end it is best play of both sides, else the replies of the loser are forced.
    """
    line, plies, trial = explained.line, explained.plies, game.copy()
    if plies is not None and not takes(game, winner, winner, plies, oracle):
        return f"it does not take {plies} plies"
    best = plies is not None and explained.end is not None
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
    return None if over == explained.end else f"the line ends with {over}"


def _replies(game: Game, color: int, oracle: Oracle) -> list[str]:
    """The moves of a colour, passes included, after which it has not lost and the opponent cannot win at once."""
    replies = []
    for vertex in game.legal_moves(color):
        after = _after(game, vertex, color)
        decided = after.positions[-1].decided
        lost = False if decided is None else decided.winner != Color(color)
        if not lost and (after.outcome is not None or not oracle.within(after, opponent(color), opponent(color), 1)):
            replies.append(vertex)
    return replies


def _false_chance(game: Game, explained: Explanation, oracle: Oracle) -> str | None:
    """Return what is false about captures and rescues that were missed, or name a missed one that is not mentioned."""
    missed, better, number = explained.missed, explained.better, len(game.moves) - 1
    if missed is None and (known := must_be_named(game, number, oracle)):
        return f"it misses {known}"
    named = [] if missed is None else [(missed, number if explained.missed_by is None else explained.missed_by[1] - 1)]
    if better is not None and better.wins and better.reason in CHANCES:
        named.append((better, number if explained.mistake is None else explained.mistake[1] - 1))
    for chance, at in named:
        before = game.copy(at)
        before.set_to_move(game.moves[at].color)
        wins = chance.wins is None or wins_with(before, int(before.to_move), chance.move, oracle)
        missed_it = chance.move != game.vertex(game.moves[at].point) and game.moves[at].color == explained.color
        wins &= chance.reason is not Reason.SAVE or not loses_with(before, int(before.to_move), chance.move, oracle)
        if not (wins and missed_it and before.is_legal(chance.move) and is_true_of(before, chance)):
            return f"{chance} is no chance at move {at + 1}"
        if at == number and (known := chances(game, at)) and chance.move not in known:
            return f"{chance} is named, and not {known}"
    return None


def must_be_named(game: Game, number: int, oracle: Oracle = SOLVED) -> set[str]:
    """The chances that a move misses: captures, and rescues that do not lose where our solver knows the position."""
    before, color = game.copy(number), int(game.moves[number].color)
    before.set_to_move(color)
    is_known = unsupported(before.rules, before.board) is None

    def must(vertex: str) -> bool:
        after = _after(before, vertex, color)
        return after.outcome is not None or (is_known and not oracle.wins(after, opponent(color), opponent(color)))

    return {vertex for vertex in chances(game, number) if must(vertex)}


def chances(game: Game, number: int) -> set[str]:
    """The captures that would have won at once in place of a move; else the plays that would have prevented them.

    The latter only if the move leaves in atari a chain that was in atari before and whose capture wins.
    """
    before, played = game.copy(number), game.moves[number]
    before.set_to_move(played.color)
    after = before.after_point(played.point)
    color, other, grid = int(played.color), opponent(int(played.color)), Grid(before)
    if before.outcome is not None or (after.outcome is not None and after.outcome.winner == Color(color)):
        return set()
    plays = {v: grid.play(grid.stones, _place(v), color) for v in before.legal_moves() if v != "pass"}
    if wins := {v for v, (_, taken) in plays.items() if taken and game.rules.won_by(before.prisoners(color) + taken)}:
        return wins

    def in_atari(stones: Stones) -> set[Place]:
        """The stones of the colour in atari."""
        return {p for p in stones if stones[p] == color and len(grid.liberties(stones, grid.chain(stones, p))) == 1}

    def at_stake(stones: Stones) -> set[Place]:
        """The stones in atari whose capture would win at once."""
        held = before.prisoners(other)
        return {p for p in in_atari(stones) if game.rules.won_by(held + len(grid.chain(stones, p)))}

    left = grid.stones if played.point <= 0 else grid.play(grid.stones, _place(game.vertex(played.point)), color)[0]
    lost = in_atari(grid.stones) & at_stake(left)
    saving = {v: then for v, (then, _) in plays.items() if not at_stake(then)}
    return {v for v, then in saving.items() if any(then.get(p) == color and p not in in_atari(then) for p in lost)}


def _false_context(game: Game, explained: Explanation, oracle: Oracle) -> str | None:
    """Return what is false about a better move or the losing move."""
    mover, number = game.moves[-1].color, len(game.moves) - 1
    before, better, lost = game.copy(number), explained.better, explained.lost
    if better is not None and explained.mistake is None:
        if not before.is_legal(better.move, mover):
            return f"{better.move} is illegal"
        if not better.wins:
            return "several unproven moves" if explained.several else None
        if explained.several and _wins(before, int(mover), oracle) < 2:
            return "no other move wins"
        return None if wins_with(before, int(mover), better.move, oracle) else f"{better.move} does not win"
    if better is None and lost is None:
        return None
    if not oracle.wins(before, int(mover), opponent(int(mover))):
        return "the position before the move was not lost"
    if better is None:
        first = next(n for n, move in enumerate(game.moves) if move.color == mover)
        start = lost is Lost.BEFORE or oracle.wins(game.copy(first), int(mover), opponent(int(mover)))
        return None if start else "the game was not lost from the start"
    assert explained.mistake is not None
    at = explained.mistake[1] - 1
    early = game.copy(at)
    if str(game.moves[at]) != f"{COLOR_LETTERS[int(mover)]} {explained.mistake[0]}" or not early.is_legal(
        better.move, mover
    ):
        return f"move {at + 1} was another one, or {better.move} is illegal there"
    if lost is not None or not better.wins or not wins_with(early, int(mover), better.move, oracle):
        return f"{better.move} does not win there"
    if explained.several and _wins(early, int(mover), oracle) < 2:
        return f"no other move than {better.move} wins there"
    later = range(at + 2, number + 1, 2)
    turned = [n for n in later if not oracle.wins(game.copy(n), int(mover), opponent(int(mover)))]
    return f"the position was not lost before move {turned[-1] + 1}" if turned else None


def _wins(game: Game, color: int, oracle: Oracle) -> int:
    """Count the winning moves of a colour."""
    return sum(wins_with(game, color, vertex, oracle) for vertex in game.legal_moves(color))


def false_hint(game: Game, advice: Hint, oracle: Oracle = SOLVED) -> str | None:
    """Return what is false in a hint for the side to move; None if it is true."""
    color = game.to_move
    if not game.is_legal(advice.move):
        return f"{advice.move} is illegal"
    if (advice.wins is not None) == (advice.known in (Evidence.MEASURED, Evidence.UNKNOWN)):
        return "a result without a proof, or a proof without a result"
    if advice.wins is False and (false := _false_loss(game, advice, oracle)) is not None:
        return false
    if advice.wins and not wins_with(game, int(color), advice.move, oracle):
        return f"{advice.move} does not win"
    if advice.wins and advice.plies is not None and not _takes_after(game, advice.move, advice.plies, oracle):
        return f"{advice.move} does not win in {advice.plies} plies"
    return _false_continuation(game, advice, oracle) or _false_reason(game, advice, oracle)


def _false_continuation(game: Game, advice: Hint, oracle: Oracle) -> str | None:
    """Return what is false in the line of a hint."""
    if advice.line and advice.line[0] != advice.move:
        return "the line begins with another move"
    return false_line(game, advice.line, _winner(game, advice.proof), oracle)


def false_line(game: Game, line: Iterable[str], winner: int | None, oracle: Oracle = SOLVED) -> str | None:
    """Return what is false in a line: a move that is illegal, or one of the proven winner that does not win."""
    trial = game.copy()
    for vertex in line:
        if trial.outcome is not None:
            return f"the game is over before {vertex}"
        if not trial.is_legal(vertex):
            return f"{vertex} is illegal"
        if int(trial.to_move) == winner and not wins_with(trial, int(trial.to_move), vertex, oracle):
            return f"{vertex} does not win in the line"
        trial.play(vertex)
    return None


def _winner(game: Game, proof: str | None) -> int | None:
    """Return the winner of a move of the side to move with a proof, "win" or "loss"."""
    return None if proof is None else int(game.to_move) if proof == "win" else opponent(int(game.to_move))


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


def _false_loss(game: Game, advice: Hint, oracle: Oracle) -> str | None:
    """Return what is false in a hint that every move loses."""
    color, plies = game.to_move, advice.plies
    if not oracle.wins(game, int(color), opponent(int(color))):
        return "the position is not lost"
    if plies is None:
        return None
    if not takes(game, int(color), opponent(int(color)), plies, oracle):
        return f"it does not take {plies} plies"
    after = _after(game, advice.move, color)
    short = after.outcome is not None or oracle.within(after, opponent(int(color)), opponent(int(color)), plies - 2)
    if short and plies > 1:
        return f"{advice.move} loses sooner"
    return "no play loses sooner" if advice.longest and not _some_play_ends_sooner(game, plies, oracle) else None


def _some_play_ends_sooner(game: Game, plies: int, oracle: Oracle) -> bool:
    """Whether the side to move, which loses in a number of plies, can lose sooner by a play."""
    color, winner = int(game.to_move), opponent(int(game.to_move))
    for play in game.legal_plays(color):
        after = game.after_point(play, color)
        if after.outcome is not None or oracle.within(after, winner, winner, plies - 2):
            return True
    return False


def _false_reason(game: Game, advice: Hint, oracle: Oracle) -> str | None:
    """Return what is false in the reason of a hint."""
    loser, after = opponent(int(game.to_move)), _after(game, advice.move, game.to_move)
    false = None
    match advice.reason:
        case Reason.SAVE:
            # Where one capture does not decide, a chain may be saved in a lost position.
            decides = game.rules.won_by(game.prisoners(loser) + 1)
            lost = decides and after.outcome is None and oracle.wins(after, loser, loser)
            false = lost or not is_true_of(game, advice)
        case Reason.ATARI if advice.plies is not None:
            false = any(not _is_taken(after, play, set(map(game.point, advice.stones))) for play in after.legal_plays())
        case Reason.LADDER:
            false = not advice.wins or not _is_ladder(game, advice.line, oracle)
        case Reason.RACE:
            return _false_race(game, oracle)
        case Reason.LOSS if advice.plies is not None:
            false = advice.wins is not False
        case Reason.FORCE | Reason.RATE | Reason.SIGHT | Reason.LOSS:
            if advice.move != "pass" and (said := done_by(game, advice.move)):
                return f"nothing is said, though it does this: {said}"
            unproven = Reason.SIGHT if advice.winrate is None else Reason.RATE
            false = advice.reason is not {True: Reason.FORCE, False: Reason.LOSS, None: unproven}[advice.wins]
        case Reason.PASS | Reason.NO_GAIN:
            false = advice.move != "pass"
        case _:
            false = not is_true_of(game, advice)
    return "a reason that cannot be checked" if false is None else "the reason is false" if false else None


def _is_ladder(game: Game, line: tuple[str, ...], oracle: Oracle) -> bool:
    """Whether a line is a ladder of the side to move, with two atari at least.

    Each of its plays is atari, with one answer, on the last liberty; at the end it captures, or there is no answer.
    """
    trial, loser = game.copy(), opponent(int(game.to_move))
    for number, vertex in enumerate(line):
        if number % 2 and {vertex} | set(_replies(trial, loser, oracle)) != {vertex}:
            return False
        if number % 2 and trial.point(vertex) not in {bd.last_liberty(trial.board, q) for q in trial.atari(loser)}:
            return False
        trial.play(vertex)
        if trial.outcome is not None:
            return number == len(line) - 1 and number % 2 == 0 and number >= 4
        if number % 2 == 0 and not trial.atari(loser):
            return False
    return len(line) >= 3 and len(line) % 2 == 1 and not _replies(trial, loser, oracle)


def _false_race(game: Game, oracle: Oracle) -> str | None:
    """Return what is false in a race of safe moves that the side to move wins."""
    trial, color = game.copy(), game.to_move
    for play in oracle.line(trial, int(color))[:-2]:
        if trial.atari(color) or trial.atari(opponent(int(color))):
            return "there is an attack"
        trial.play_point(play)
    return None if not _replies(trial, int(trial.to_move), oracle) else "the loser has a safe play left"


def _is_taken(game: Game, play: int, named: set[int]) -> bool:
    """Whether after a reply one of these stones can be captured, or the reply loses; one that captures wins."""
    after = game.after_point(play)
    if after.outcome is not None:
        return after.outcome.winner == Color(opponent(int(game.to_move)))
    atari = {int(after.board.root[p]): bd.last_liberty(after.board, p) for p in after.atari(game.to_move)}
    chains = {int(after.board.root[p]) for p in named}
    return any(chain in chains and after.is_legal_point(liberty) for chain, liberty in atari.items())


# --- What a play does, over sets of points ---

Place = tuple[int, int]
"""The column and the row of a point."""
Stones = dict[Place, int]
"""The colour of each stone."""


class Deed(NamedTuple):
    """Something that a play does: a reason of a hint, with the chains and numbers of it."""

    reason: Reason
    chains: tuple[frozenset[Place], ...] = ()
    numbers: tuple[int, ...] = ()


class Grid:
    """The points of a board, and what follows from the stones on them."""

    def __init__(self, game: Game) -> None:
        self.width, self.height = game.width, game.height
        rows = reversed(show(game))
        self.stones: Stones = {
            (x, y): "XO".index(symbol) + 1
            for y, row in enumerate(rows)
            for x, symbol in enumerate(row)
            if symbol != "."
        }
        self.empty = {(x, y) for x in range(self.width) for y in range(self.height)} - self.stones.keys()

    def chain(self, stones: Stones, place: Place) -> frozenset[Place]:
        return chain_of(place, (q for q, color in stones.items() if color == stones[place]), self.width, self.height)

    def liberties(self, stones: Stones, chain: frozenset[Place]) -> frozenset[Place]:
        return liberties_of(chain, stones.keys(), self.width, self.height)

    def beside(self, stones: Stones, place: Place, color: int) -> set[frozenset[Place]]:
        around = neighbors(place, self.width, self.height)
        return {self.chain(stones, q) for q in around if stones.get(q) == color}

    def play(self, stones: Stones, place: Place, color: int) -> tuple[Stones, int]:
        """The stones after a play, and how many of the other colour it takes."""
        then = {**stones, place: color}
        taken = [chain for chain in self.beside(then, place, 3 - color) if not self.liberties(then, chain)]
        then = {q: c for q, c in then.items() if not any(q in chain for chain in taken)}
        if not self.liberties(then, own := self.chain(then, place)):
            then = {q: c for q, c in then.items() if q not in own}
        return then, sum(map(len, taken))

    def safe(self, stones: Stones, color: int) -> set[Place]:
        """The points where a play takes something, or leaves its chain two liberties."""
        points = set()
        for place in self.empty - stones.keys():
            then, taken = self.play(stones, place, color)
            if taken or (place in then and len(self.liberties(then, self.chain(then, place))) > 1):
                points.add(place)
        return points


def done_by(game: Game, vertex: str) -> set[Deed]:
    """All effects of a play of the side to move, of the list in `teach/reasons.py`."""
    grid, color, other = Grid(game), int(game.to_move), opponent(int(game.to_move))
    stones, place = grid.stones, _place(vertex)
    then, taken = grid.play(stones, place, color)
    if taken:
        return {Deed(Reason.CAPTURE, numbers=(taken,))}
    deeds = set[Deed]()
    liberties = {chain: len(grid.liberties(stones, chain)) for chain in grid.beside(stones, place, color)}
    left = len(grid.liberties(then, grid.chain(then, place))) if place in then else 0
    deeds |= {Deed(Reason.FREE, (chain,)) for chain, count in liberties.items() if count == 1 < left}
    foes = {chain: grid.liberties(stones, chain) for chain in grid.beside(stones, place, other)}
    after = {chain: len(grid.liberties(then, chain)) for chain in foes}
    deeds |= {Deed(Reason.ATARI, (chain,)) for chain, count in after.items() if count == 1}
    if left < 2 or deeds:
        return deeds
    deeds |= {Deed(Reason.CONNECT, pair) for pair in permutations(liberties, 2)}
    deeds |= {Deed(Reason.CUT, pair) for pair in permutations(foes, 2) if foes[pair[0]] & foes[pair[1]] == {place}}
    deeds |= {Deed(Reason.TWO_LEFT, (chain,)) for chain, count in after.items() if count == 2}
    if len(liberties) == 1:
        deeds |= {
            Deed(Reason.EXTEND, (chain,), (count, left)) for chain, count in liberties.items() if 1 < count < left
        }
    return deeds | ({Deed(Reason.SAFE, numbers=(kept,))} if (kept := _last_safe(game, grid, place)) else set())


def _last_safe(game: Game, grid: Grid, place: Place) -> int:
    """The safe moves that a play keeps though another one would not, if they are one to three."""
    stones, color = grid.stones, int(game.to_move)
    one_wins = all(game.rules.won_by(game.prisoners(c) + 1) for c in (1, 2))
    attacked = any(len(grid.liberties(stones, grid.chain(stones, stone))) == 1 for stone in stones)
    safe = grid.safe(stones, color)
    if not one_wins or attacked or place not in safe or not 2 <= len(safe) <= 4:
        return 0
    keeping = {p for p in safe if safe - {p} <= grid.safe(grid.play(stones, p, color)[0], color)}
    return len(safe) - 1 if place in keeping and keeping != safe else 0


def is_true_of(game: Game, advice: Hint) -> bool:
    """Whether a hint says something that its move does."""
    named = [_place(vertex) for vertex in advice.stones]
    numbers = advice.liberties or ((advice.captured or advice.safe,) if advice.captured or advice.safe else ())
    reason = Reason.FREE if advice.reason is Reason.SAVE else advice.reason
    deeds = [deed for deed in done_by(game, advice.move) if deed.reason is reason and deed.numbers == numbers]
    if reason is Reason.ATARI:
        return bool(named) and all(any(stone in deed.chains[0] for deed in deeds) for stone in named)
    return any(
        len(named) == len(deed.chains) and all(s in chain for s, chain in zip(named, deed.chains, strict=True))
        for deed in deeds
    )


def _place(vertex: str) -> Place:
    return COLUMNS.index(vertex[0]), int(vertex[1:]) - 1
