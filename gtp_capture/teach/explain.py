"""Hints and explanations as text: the best move with one reason, and how the last move loses.

"wins" and "loses" are only used for proofs, by book, solver or search tree, and lengths only if they were computed.
All other sentences state what was searched for and not found. `tests/support/truth.py` checks every sentence.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..go import board as bd
from ..go.game import Game
from ..go.vertex import COLOR_NAMES, PASS, RESIGN, format_line, opponent
from ..go.words import counted
from ..players.analysis import MoveAnalysis, move_analyses, proven, study
from ..players.perfect_play import PART_SMALL
from ..players.player import Analyst
from ..solver.result import Solution, has_length
from ..util.limit import Limit

ATTACKS: Final = 300
"""Maximum number of attacking plays in a ladder search."""
BY_FORCE: Final = "wins by force"
RACE: Final = "wins the race of safe moves"
PART_SHORTEST: Final = 0.2
"""Part of the time of a hint in which the shortest win is solved, which may show a race."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A recommended move with its reason."""

    move: int
    reason: str


@dataclass(frozen=True, slots=True)
class Better:
    """A move that was better than the one that loses; `str` gives it as text."""

    vertex: str
    wins: bool
    """Whether it is proven to win; else no refutation of it was found."""
    several: bool = False
    """Whether another move is proven to win too."""
    mistake: tuple[str, int] | None = None
    """The vertex and the number of the move that lost the game, in whose place it was; None: the last move."""

    def __str__(self) -> str:
        if not self.wins:
            return f"No refutation of {self.vertex} was found"
        if self.mistake is None:
            return f"{'For example, ' * self.several}{self.vertex} wins"
        vertex, number = self.mistake
        return f"The losing move was {vertex}, move {number}: {'for example, ' * self.several}{self.vertex} wins there"


@dataclass(frozen=True, slots=True)
class Explanation:
    """Whether a move loses; `str` gives it as one line of text."""

    verdict: str
    """The proven result of the move, or what was searched for and not found."""
    punishment: str | None = None
    """The line that refutes a losing move, as text; with the cause of the end if it reaches the end."""
    line: tuple[int, ...] = ()
    """The moves of that line, the opponent's first."""
    played: bool = False
    """Whether the line begins with the reply that was played."""
    context: Better | str = ""
    """For a losing move: a better one, or that there was none."""

    def __str__(self) -> str:
        text = self.verdict if self.punishment is None else f"{self.verdict}: {self.punishment}"
        return f"{text}. {context}" if (context := str(self.context)) else text


def hint(analyst: Analyst, game: Game, color: int, limit: Limit) -> Hint | None:
    """Return the best move of a colour with one reason; None if the game is over or there is no move."""
    if game.outcome is not None:
        return None

    def reason_for(move: int, analysis: MoveAnalysis | None) -> str:
        solver = analyst.perfect_play
        return why(
            game, color, move, analysis, lambda: solver.withstands(game, color, move, _for_solver(limit, PART_SHORTEST))
        )

    chosen = None
    if game.rules.is_scored:
        chosen = analyst.choose(game, color, limit)
        if chosen.move == PASS:
            return Hint(PASS, "looks best: no play was found that gains points")
    else:
        study(analyst, game, color, limit)
    if proven(analyst, game, color) is False:
        longest = analyst.perfect_play.resistance(game, color, _for_solver(limit))
        if longest.plies is not None and longest.line:
            return Hint(longest.line[0], f"loses, but lasts longest: {counted(longest.plies, 'ply', 'plies')}")
    found = move_analyses(analyst, game, color, least=1)
    if not found:  # too little time for the search
        decision = chosen or analyst.choose(game, color, Limit(0.0))
        return None if decision.move == RESIGN else Hint(decision.move, reason_for(decision.move, None))
    best = found[0].move
    if found[0].proven <= 0:
        return Hint(best, reason_for(best, found[0]))
    line = best_line(analyst, game, color, (best,), _for_solver(limit, PART_SHORTEST))
    reason = why(game, color, line[0], found[0])
    return Hint(line[0], RACE if reason == BY_FORCE and _is_race(game, color, line) else reason)


def best_line(analyst: Analyst, game: Game, color: int, known: Sequence[int], limit: Limit) -> tuple[int, ...]:
    """Return best play of both sides to the end if it is found within the limit, else the longer of two proven lines.

    Hints, explanations and reviews name its first move, so that they name the same one where several win: of the
    shortest wins one by continuous atari, if there is one, because it can be seen. `known`: a proven line with the
    colour to move.
    """
    found = Solution(None) if limit.expired() else analyst.perfect_play.solve(game, color, limit)
    if found.plies is None or len(found.line) != found.plies:
        return max(tuple(known), found.line, key=len)
    attack = ladder(game, color)[:1] if found.winner == color else []
    if not attack or attack[0] == found.line[0]:
        return found.line
    after = game.copy()
    after.play(attack[0], color)
    rest = analyst.perfect_play.solve(after, opponent(color), limit)
    return (attack[0], *rest.line) if rest.plies == len(rest.line) == found.plies - 1 else found.line


def why(
    game: Game,
    color: int,
    move: int,
    analysis: MoveAnalysis | None,
    withstands: Callable[[], bool] = lambda: True,
) -> str:
    """Return the most important reason for a move in a few words.

    `withstands`: whether the solver did not refute the move; called only where that decides whether it saves a chain.
    """
    if move <= 0:
        return "looks best"
    board, vertex = game.board, game.vertex
    proven = analysis.proven if analysis is not None else 0
    captured = bd.captures_at(board, move, color)
    taken = f"captures {'a stone' if captured == 1 else f'{captured} stones'}"
    if captured and game.rules.won_by(game.prisoners(color) + captured):
        return f"{taken} and wins"
    if proven < 0:
        return "loses, as every move does"
    if gain := taken if captured else _saved(game, color, move, (lambda: True) if proven > 0 else withstands):
        return f"{gain} and {BY_FORCE}" if proven > 0 else gain
    attacked = bd.attacked(board, move, color)
    if proven > 0:
        attacks = ladder(game, color)
        if attacks[:1] == [move] and len(attacks) > 1:
            return "starts a ladder: every answer is forced"
        if attacks == [move] and len(attacked) > 1:
            return f"puts {vertex(attacked[0])} and {vertex(attacked[1])} in atari: one of them is lost"
        if attacks == [move] and attacked:
            return f"puts {vertex(attacked[0])} in atari, and nothing saves it"
        return BY_FORCE
    if attacked:
        return f"puts {vertex(attacked[0])} in atari"
    return (
        f"has a win rate of {analysis.winrate:.0%} in the search"
        if analysis is not None
        else "looks best at first sight"
    )


def _saved(game: Game, color: int, move: int, withstands: Callable[[], bool]) -> str | None:
    """Return what a play on the last liberty of a chain does for it; None if it is on none, or in vain.

    A chain is not called saved by a play that loses, because its side then loses it or another one.
    """
    from ..players.life import holds

    chain = next((p for p in game.atari(color) if bd.last_liberty(game.board, p) == move), None)
    if chain is None:
        return None
    after = game.copy()
    after.play(move, color)
    if bd.in_atari(after.board, chain):
        return None
    vertex = game.vertex(chain)
    return f"saves {vertex}" if holds(after.board, chain) and withstands() else f"takes {vertex} out of atari"


def _is_race(game: Game, color: int, line: tuple[int, ...]) -> bool:
    """Whether a winning line ends because the loser has no safe play left, and nothing is in atari before."""
    if not has_length(game.rules):
        return False
    trial = game.copy()
    trial.set_to_move(color)
    exhausted = False
    for number, move in enumerate(line):
        if any(trial.atari(c) for c in (color, opponent(color))) and number < len(line) - 1:
            return False
        exhausted = not safe_points(trial, trial.to_move) if number % 2 else exhausted
        trial.play(move)
    return trial.outcome is not None and exhausted


def safe_points(game: Game, color: int) -> list[int]:
    """Return the legal plays that capture, or leave their chain at least two liberties."""
    from ..playout.static import keeps_two_liberties

    board = game.board
    return [
        p for p in game.legal_plays(color) if bd.captures_at(board, p, color) or keeps_two_liberties(board, p, color)
    ]


def why_unread(game: Game) -> str | None:
    """Return why `ladder` reads nothing in this position; None if it reads."""
    colors = game.to_move, opponent(game.to_move)
    if not all(game.rules.won_by(game.prisoners(c) + 1) for c in colors):
        return "one capture does not win here"
    return "a chain is in atari" if any(game.atari(c) for c in colors) else None


def ladder(game: Game, color: int) -> list[int]:
    """Return a win by continuous atari as plays of both colours; [] if none is found, see `why_unread`."""
    from ..playout.ladder import forced_win, new_reader, winning_line

    if why_unread(game) is not None:
        return []
    reader = new_reader()
    return winning_line(reader, forced_win(game.board, color, reader, ATTACKS))


def settle(analyst: Analyst, game: Game, color: int, limit: Limit) -> Solution:
    """Find the winner with a colour to move, and the forced part of a winning line, by solver and search.

    The solver gets half of the time alone; the search then continues its proof in the same transposition table.
    The winner is None if neither proves it within the limit.
    """
    found = analyst.perfect_play.solve(game, color, _for_solver(limit, 0.5), length=False)
    if found.winner is not None:
        return found
    study(analyst, game, color, limit)
    result = proven(analyst, game, color)
    if result is None:
        return Solution(None)
    line = move_analyses(analyst, game, color)[0].line if result else ()
    return Solution(color if result else opponent(color), tuple(_forced_part(game, color, line)))


def _forced_part(game: Game, color: int, line: tuple[int, ...]) -> Iterator[int]:
    """Yield the moves of a winning line until the loser has more than one reply that does not lose at once."""
    trial = game.copy()
    trial.set_to_move(color)
    for move in line:
        mover = trial.to_move
        replies = [*trial.legal_plays(), *([PASS] if trial.rules.may_pass else [])]
        if mover != color and sum(1 for move in replies if not _loses_at_once(trial, move)) > 1:
            return
        yield move
        trial.play(move, mover)
        if trial.outcome is not None:
            return


def _loses_at_once(game: Game, move: int) -> bool:
    """Whether the opponent of the colour to move wins by its next play after this move, or has won already."""
    game.play(move)
    try:
        other = game.to_move
        if game.outcome is not None:
            return game.outcome.winner == other
        held = game.prisoners(other)
        return any(game.rules.won_by(held + bd.captures_at(game.board, p, other)) for p in game.legal_plays(other))
    finally:
        game.undo()


def explain(analyst: Analyst, game: Game, limit: Limit) -> str:
    """Return the explanation of the last move as one line of text; see `explanation`."""
    return str(explanation(analyst, game, limit))


def explanation(analyst: Analyst, game: Game, limit: Limit, reply: int = PASS) -> Explanation:
    """Return whether the last move loses, how it is punished, and which move lost the game.

    `reply`: the play that followed, if one did; it is shown as the punishment if it is proven to be one. The limit
    applies to each position that is solved for it. Raise ValueError if no move has been made.
    """
    last = game.last_move
    if last is None:
        raise ValueError("no move to explain")
    before, after = (position.decided for position in game.positions[-2:])
    vertex, mover = game.vertex(last.point), last.color
    if before is not None and before.winner is not None:
        return Explanation(
            f"the game was over before {vertex}: {COLOR_NAMES[before.winner]} won ({before.termination})"
        )
    if last.point == RESIGN:
        return Explanation(f"{COLOR_NAMES[mover]} resigned: {COLOR_NAMES[opponent(mover)]} wins")
    if after is None and game.outcome is not None:
        return Explanation(f"two passes ended the game: {_scored(game, game.outcome.winner)}")
    if after is not None and after.winner == mover:
        return Explanation(f"{vertex} wins the game ({after.termination})")
    if after is not None:
        found = Explanation(f"{vertex} loses the game ({after.termination})")
    else:
        trial = game.copy()
        solution = settle(analyst, trial, opponent(mover), _again(limit))
        if solution.winner != opponent(mover):
            return Explanation(f"{vertex} wins" if solution.winner == mover else f"{vertex}: no forced loss found")
        found = _punishment(analyst, trial, vertex, solution, limit, reply)
    return replace(found, context=_context(analyst, game, limit))


def _scored(game: Game, winner: int | None) -> str:
    """Return the winner after two passes in words."""
    if winner is not None:
        return f"{COLOR_NAMES[winner]} wins"
    return "dead stones are not decided" if game.rules.is_scored and game.score() is None else "no winner"


def _punishment(analyst: Analyst, game: Game, vertex: str, found: Solution, limit: Limit, reply: int) -> Explanation:
    """Return the line that punishes a losing move: best play if computed in time, else its forced part.

    `found`: the winner, with a line; that colour is to move. The line begins with the reply that was played if that
    wins.
    """
    winner = int(found.winner or game.to_move)
    best = analyst.perfect_play.solve(game, winner, _for_solver(limit))
    line, played = best.line if len(best.line) == best.plies else found.line, False
    if reply > 0:
        after = _line_after(analyst, game, winner, reply, limit)
        line, played = (after, True) if after else (line, False)
    for n, move in enumerate(line):
        game.play(move, (winner, opponent(winner))[n % 2])
    whole = game.outcome is not None
    another_length = played and whole and len(line) != best.plies
    length = "" if best.plies is None or another_length else f" in {counted(best.plies, 'ply', 'plies')}"
    end = "" if game.outcome is None else f" ({game.outcome.termination})"
    return Explanation(f"{vertex} loses{length}", f"{format_line(winner, line, game.width)}{end}", line, played)


def _line_after(analyst: Analyst, game: Game, winner: int, reply: int, limit: Limit) -> tuple[int, ...]:
    """Return a reply and what follows it, as in `_punishment`; () if it is not proven to win."""
    after = game.copy()
    after.play(reply, winner)
    if after.outcome is not None:
        return (reply,) if after.outcome.winner == winner else ()
    found = settle(analyst, after, opponent(winner), _again(limit))
    if found.winner != winner:
        return ()
    return reply, *best_line(analyst, after, opponent(winner), found.line, _for_solver(_again(limit)))


def _context(analyst: Analyst, game: Game, limit: Limit) -> Better | str:
    """Return a better move than the last one, which loses, or the move that had lost the game before it."""
    moves, mover = game.moves, game.moves[-1].color
    found = settle(analyst, before := _position_before(game, len(moves) - 1), mover, _again(limit))
    if found.winner == mover and found.line:
        return _winning_move(analyst, before, found.line, limit)
    if found.winner is None:
        others = (i for i in move_analyses(analyst, before, mover, least=1) if i.move != moves[-1].point)
        choice = next((i.move for i in others if i.proven >= 0 and not _loses_at_once(before, i.move)), None)
        return Better(game.vertex(choice), wins=False) if choice is not None else ""
    return _losing_move(analyst, game, limit)


def _losing_move(analyst: Analyst, game: Game, limit: Limit) -> Better | str:
    """Name the last move that turned a won position into a lost one, for a last move in a lost position."""
    moves, mover = game.moves, game.moves[-1].color
    number = len(moves) - 1
    spent = _again(limit)
    while number >= 2 and (moves[number - 1].color, moves[number - 2].color) == (opponent(mover), mover):
        number -= 2
        before = _position_before(game, number)
        found = settle(analyst, before, mover, spent)
        if found.winner == mover and found.line:
            better = _winning_move(analyst, before, found.line, limit)
            return replace(better, mistake=(game.vertex(moves[number].point), number + 1))
        if found.winner != opponent(mover):
            return "The position was lost before"
    first = all(move.color != mover for move in moves[:number])
    return "The position was lost from the start" if first else "The position was lost before"


def _winning_move(analyst: Analyst, game: Game, known: Sequence[int], limit: Limit) -> Better:
    """Return the move to name in a won position of the side to move, whose winning line is known."""
    color = int(game.to_move)
    best = best_line(analyst, game, color, known, _for_solver(_again(limit)))[0]
    others = frozenset(play for play in game.legal_plays(color) if play != best)
    solved = analyst.perfect_play.moves(game, color, replace(_for_solver(_again(limit)), only=others))
    return Better(game.vertex(best), wins=True, several=any(wins for _, wins in solved))


def _position_before(game: Game, number: int) -> Game:
    """Return the game before a move (0: the first), its colour to move."""
    before = game.copy(number)
    before.set_to_move(game.moves[number].color)
    return before


def _again(limit: Limit) -> Limit:
    """Return the same limit with the time starting now."""
    return replace(limit, started=time.monotonic())


def _for_solver(limit: Limit, part: float = 1.0) -> Limit:
    """Return the solver's share of a limit; a number of playouts becomes a number of nodes."""
    seconds = None if limit.seconds is None else part * limit.seconds
    nodes = None if limit.playouts is None else limit.playouts * PART_SMALL.nodes
    return Limit(seconds, nodes, limit.stop)
