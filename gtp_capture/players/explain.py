"""What a teacher says of a move, as text: the best move and one reason for it, and how a losing move is punished.

Only what is proven is said as a fact: "wins" and "loses" by book, solver or a proof in the search tree, lengths where
they were computed. Everything else says what was looked for and not found.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..go import board as bd
from ..go.game import Game
from ..go.vertex import COLOR_NAMES, RESIGN, format_line, opponent
from ..solver.result import Solution, plies_text
from ..util.limit import Limit
from .analysis import Insight, insights, proven, study
from .perfect_play import PART_SMALL
from .player import Decision, MctsPlayer

ATTACKS = 300
"""Attacking plays read for a forced win."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A move for the colour whose turn it is, and why."""

    move: int
    reason: str


def hint(player: MctsPlayer, game: Game, color: int, limit: Limit) -> Hint | None:
    """The best move and one sentence why; None where the game is over or nothing can be played."""
    if game.outcome is not None:
        return None
    study(player, game, color, limit)
    if proven(player, game, color) is False:
        longest = player.perfect_play.solve(game, color, _for_solver(limit))
        if longest.plies is not None and longest.line:
            return Hint(longest.line[0], f"loses, but lasts longest: {plies_text(longest.plies)}")
    found = insights(player, game, color, least=1)
    if not found:  # too little time for a tree: the player still has an opinion
        decision: Decision = player.choose(game, color, Limit(0.0))
        return None if decision.move == RESIGN else Hint(decision.move, why(game, color, decision.move, None))
    return Hint(found[0].move, why(game, color, found[0].move, found[0]))


def why(game: Game, color: int, move: int, insight: Insight | None) -> str:
    """One sentence about a move, the most urgent thing first."""
    if move <= 0:
        return "passes"
    board, vertex = game.board, game.vertex
    proven = insight.proven if insight is not None else 0
    captured = bd.captures_at(board, move, color)
    if captured:
        wins = game.rules.captures is not None and game.prisoners(color) + captured >= game.rules.captures
        return f"captures {_stones(captured)}" + (" and wins" if wins else "")
    saved = [p for p in game.atari(color) if bd.last_liberty(board, p) == move]
    if saved and proven >= 0:
        return f"saves {vertex(saved[0])}"
    if proven > 0:
        if _first_of_ladder(game, color) == move:
            return "ladder: every answer is forced"
        mine, theirs = len(safe_points(game, color)), len(safe_points(game, opponent(color)))
        if game.rules.captures is not None and not attacks(game, color, move) and mine > theirs:
            return "wins the race of safe moves"
        return "wins by force"
    if proven < 0:
        return "loses, as every move does"
    attacked = attacks(game, color, move)
    if attacked:
        return f"puts {vertex(attacked[0])} in atari"
    return f"wins {insight.winrate:.0%} of the games tried" if insight is not None else "looks best at first sight"


def attacks(game: Game, color: int, move: int) -> list[int]:
    """A stone of each opposing chain that a play leaves with one liberty."""
    after = bd.copy(game.board)
    bd.play(after, move, color)
    around = {int(after.root[q]): q for q in bd.neighbors(after, move) if after.color[q] == opponent(color)}
    return [q for q in around.values() if bd.in_atari(after, q)]


def safe_points(game: Game, color: int) -> list[int]:
    """Where a colour may play and leave its chain two liberties or more, or capture."""
    from ..playout.static import is_safe

    board = game.board
    return [p for p in game.legal_plays(color) if bd.captures_at(board, p, color) or is_safe(board, p, color)]


def ladder(game: Game, color: int) -> list[int]:
    """A win of a colour by continuous atari, as plays of both; empty where it has none, or an atari comes first."""
    from ..playout.ladder import WIDTH, forced_win, new_boards, new_candidates

    if any(game.atari(c) for c in (color, opponent(color))) or game.rules.captures is None:
        return []
    if game.prisoners(color) + 1 < game.rules.captures or game.prisoners(opponent(color)) + 1 < game.rules.captures:
        return []
    candidates = new_candidates()
    length = forced_win(game.board, color, new_boards(), candidates, ATTACKS)
    sequence = []
    for plays in candidates[: max(0, (length - 1) // 2)]:
        sequence += [int(plays[plays[WIDTH + 1] - 1]), int(plays[WIDTH + 2])]
    return sequence[:-1]  # to the last attack, which has no answer


def _first_of_ladder(game: Game, color: int) -> int | None:
    found = ladder(game, color)
    return found[0] if found else None


def copy_of(game: Game, plies: int | None = None) -> Game:
    """The same game, or its first plies, to try things on."""
    other = Game(game.rules, game.width, game.height, komi=game.explicit_komi)
    first = game.positions[0]
    stones = {c: [p for p in bd.points(game.board) if first.colors[p] == c] for c in (1, 2)}
    other.setup(stones[1], stones[2], first.to_move)
    other.handicap = game.handicap
    for color, point in game.moves[:plies]:
        other.play(color, point)
    if plies is None:
        other.set_to_move(game.to_move)
    return other


def settle(player: MctsPlayer, game: Game, color: int, limit: Limit) -> Solution:
    """Find the winner with a colour to move, and the forced part of a winning line, by solver and search.

    The winner is None where neither proves it within the limit. The solver gets half of the time.
    """
    found = player.perfect_play.solve(game, color, _for_solver(limit, 0.5), length=False)
    if found.winner is not None:
        return found
    study(player, game, color, limit)
    result = proven(player, game, color)
    if result is None:
        return Solution(None)
    line = insights(player, game, color)[0].line if result else ()
    return Solution(color if result else opponent(color), tuple(_forced_part(game, color, line)))


def _forced_part(game: Game, color: int, line: tuple[int, ...]) -> Iterator[int]:
    """The start of a line of the winner, to move, as long as its opponent has one reply that is not captured next."""
    trial = copy_of(game)
    trial.set_to_move(color)
    for move in line:
        mover = trial.to_move
        if mover != color and sum(1 for p in trial.legal_plays() if not _loses_at_once(trial, p)) > 1:
            return
        yield move
        trial.play(mover, move)
        if trial.outcome is not None:
            return


def _loses_at_once(game: Game, play: int) -> bool:
    """Whether the opponent of the colour to move can win by one play after this one."""
    game.play(game.to_move, play)
    try:
        other, needed = game.to_move, game.rules.captures
        if game.outcome is not None or needed is None:
            return game.outcome is not None and game.outcome.winner == other
        return any(
            bd.captures_at(game.board, p, other) + game.prisoners(other) >= needed for p in game.legal_plays(other)
        )
    finally:
        game.undo()


def explain(player: MctsPlayer, game: Game, limit: Limit) -> str:
    """Say in one line whether the last move loses, how it is punished, and which move lost the game.

    ValueError: no move has been made. The limit holds for each of the questions behind it.
    """
    last = game.last_move
    if last is None:
        raise ValueError("no move to explain")
    before, after = (position.decided for position in game.positions[-2:])
    vertex, mover = game.vertex(last.point), last.color
    if before is not None and before.winner is not None:
        return f"the game was over before {vertex}: {COLOR_NAMES[before.winner]} won ({before.termination})"
    if last.point == RESIGN:
        return f"{COLOR_NAMES[mover]} resigned: {COLOR_NAMES[opponent(mover)]} wins"
    if after is None and game.outcome is not None:
        winner = game.outcome.winner
        return f"two passes ended the game: {'no winner' if winner is None else f'{COLOR_NAMES[winner]} wins'}"
    if after is not None and after.winner == mover:
        return f"{vertex} wins the game ({after.termination})"
    if after is not None:
        punished = f"{vertex} loses the game ({after.termination})"
    else:
        trial = copy_of(game)
        found = settle(player, trial, opponent(mover), _again(limit))
        if found.winner != opponent(mover):
            return f"{vertex} wins" if found.winner == mover else f"{vertex}: no forced loss found"
        punished = _punishment(player, trial, vertex, opponent(mover), found, limit)
    return f"{punished}. {_context(player, game, limit)}".strip()


def _punishment(player: MctsPlayer, game: Game, vertex: str, winner: int, found: Solution, limit: Limit) -> str:
    """The line that punishes a losing move: best play of both sides if it is computed in time, else its forced part."""
    best = player.perfect_play.solve(game, winner, _for_solver(limit))
    line = best.line if len(best.line) == best.plies else found.line
    for n, move in enumerate(line):
        game.play((winner, opponent(winner))[n % 2], move)
    length = "" if best.plies is None else f" in {plies_text(best.plies)}"
    end = "" if game.outcome is None else f" ({game.outcome.termination})"
    return f"{vertex} loses{length}: {format_line(winner, line, game.width)}{end}"


def _context(player: MctsPlayer, game: Game, limit: Limit) -> str:
    """What there was instead of a last move that loses, or which move had lost the game before it."""
    moves, mover = game.moves, game.moves[-1].color
    found = settle(player, before := _position_before(game, len(moves) - 1), mover, _again(limit))
    if found.winner == mover and found.line:
        return f"{game.vertex(found.line[0])} wins"
    if found.winner is None:
        choices = [i for i in insights(player, before, mover, least=1) if i.proven >= 0 and i.move != moves[-1].point]
        return f"No refutation of {game.vertex(choices[0].move)} was found" if choices else ""
    return _losing_move(player, game, _again(limit))


def _losing_move(player: MctsPlayer, game: Game, limit: Limit) -> str:
    """Name the move that lost a game whose last move was made in a lost position: the last change of the verdict."""
    moves, mover = game.moves, game.moves[-1].color
    number = len(moves) - 1
    while number >= 2 and (moves[number - 1].color, moves[number - 2].color) == (opponent(mover), mover):
        number -= 2
        found = settle(player, _position_before(game, number), mover, limit)
        if found.winner == mover and found.line:
            move, better = game.vertex(moves[number].point), game.vertex(found.line[0])
            return f"The losing move was {move}, move {number + 1}: {better} wins there"
        if found.winner != opponent(mover):
            return "The position was lost before"
    first = all(move.color != mover for move in moves[:number])
    return "The position was lost from the start" if first else "The position was lost before"


def _position_before(game: Game, number: int) -> Game:
    """The game without this move and those after it, the colour of the move to play."""
    before = copy_of(game, number)
    before.set_to_move(game.moves[number].color)
    return before


def _again(limit: Limit) -> Limit:
    """The same limit, beginning now."""
    return replace(limit, started=time.monotonic())


def _for_solver(limit: Limit, part: float = 1.0) -> Limit:
    """A part of the time for the solver; where playouts are counted, nodes in proportion."""
    seconds = None if limit.seconds is None else part * limit.seconds
    nodes = None if limit.playouts is None else limit.playouts * PART_SMALL.nodes
    return Limit(seconds, nodes, limit.stop)


def _stones(count: int) -> str:
    return "a stone" if count == 1 else f"{count} stones"
