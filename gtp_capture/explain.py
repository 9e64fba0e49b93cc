"""What a teacher says: the best move and one reason for it, and how a move that loses is punished."""

from __future__ import annotations

from dataclasses import dataclass

from . import board as bd
from .analysis import Insight, insights, study
from .game import Game
from .players import Decision, MctsPlayer
from .position import Termination
from .search.limit import Limit
from .vertex import PASS, RESIGN, opponent

ATTACKS = 300
"""Attacking plays read for a forced win."""
LONGEST = 60
"""Plies of a refutation, at most."""


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
    found = insights(player, game, color)
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
        return "loses too, but lasts longest"
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
    from .search.tactics import is_safe

    board = game.board
    return [p for p in game.legal_plays(color) if bd.captures_at(board, p, color) or is_safe(board, p, color)]


def ladder(game: Game, color: int) -> list[int]:
    """A win of a colour by continuous atari, as plays of both; empty where it has none, or an atari comes first."""
    from .search.ladder import WIDTH, forced_win, new_boards, new_candidates

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


@dataclass(frozen=True, slots=True)
class Refutation:
    """How the last move is punished."""

    line: tuple[int, ...]
    """The plays of both colours, the punishing one first."""
    end: Termination | None
    """How it ends, if the line goes so far."""
    better: int | None
    """A move that does not lose by force, where one was found instead of the one played."""


def refutation(player: MctsPlayer, game: Game, limit: Limit) -> Refutation | None:
    """The refutation of the last move; None where no forced loss is proven within the limit.

    The limit counts for the proof; the line and the better move take about as long again.
    """
    color, seconds = game.to_move, limit.seconds
    trial = copy_of(game)
    if game.outcome is None:
        study(player, trial, color, limit)
        found = insights(player, trial, color)
        if not found or found[0].proven != 1:
            return None
    rest = Limit(seconds, None, limit.stop)
    line: list[int] = []
    while trial.outcome is None and len(line) < LONGEST and not rest.expired():
        mover = trial.to_move
        move = player.choose(trial, mover, Limit(min(0.5, rest.left()), limit.playouts, limit.stop)).move
        if move == RESIGN or (move == PASS and mover == color):
            break
        trial.play(mover, move)
        line.append(move)
    end = trial.outcome.termination if trial.outcome is not None else None
    before = copy_of(game, len(game.moves) - 1)
    mistaken = opponent(color)
    study(player, before, mistaken, Limit(seconds, limit.playouts, limit.stop))
    choices = [i for i in insights(player, before, mistaken) if i.proven >= 0]
    last = game.last_move
    better = choices[0].move if choices and (last is None or choices[0].move != last.point) else None
    return Refutation(tuple(line), end, better)


def _stones(count: int) -> str:
    return "a stone" if count == 1 else f"{count} stones"
