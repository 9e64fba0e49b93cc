"""The count at the end of a game of Go, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from ..go import scoring
from ..go.position import Termination
from ..go.rules import Scoring
from ..go.vertex import BLACK, WHITE
from ..gtp.engine import Engine
from .wording import color_name


def lines(engine: Engine) -> Iterator[str]:
    """Yield the dead stones and the points of both sides; nothing if no count has decided the game."""
    game, outcome = engine.game, engine.game.outcome
    if outcome is None or outcome.termination is not Termination.TWO_PASSES or not game.rules.is_scored:
        return
    statuses = game.statuses()
    if statuses is None:
        return
    dead = engine.dead_stones()
    if dead:
        yield f"Dead stones, which come off the board: {', '.join(game.vertex(p) for p in sorted(dead))}."
    board = scoring.cleared(game.board, statuses)
    seki = () if game.rules.seki_points else scoring.stones_in_seki(game.board, statuses)
    if game.rules.scoring is Scoring.AREA:
        count, noun = scoring.area(board, seki), "stones and points"
    else:
        count, noun = scoring.territory(board, seki), "points"
    taken = {c: int(board.prisoners[c]) for c in (BLACK, WHITE)}
    totals: dict[int, float] = {}
    for color, found in ((BLACK, count.black), (WHITE, count.white)):
        parts, totals[color] = [f"{found} {noun}"], float(found)
        if game.rules.scoring is Scoring.TERRITORY:
            parts.append(f"{taken[color]} {'prisoner' if taken[color] == 1 else 'prisoners'}")
            totals[color] += taken[color]
        if color == WHITE and game.komi:
            parts.append(f"{game.komi:g} for going second")
            totals[color] += game.komi
        # What remains is what White gets for handicap stones, or Black for a last pass; see `Game.score`.
        rest = totals[BLACK] - totals[WHITE] - (game.score() or 0.0) if color == WHITE else 0.0
        if rest:
            parts.append(f"{rest:g} for {'handicap stones' if rest > 0 else 'the last pass'}")
        yield f"{color_name(color)}: {' + '.join(parts)} = {totals[color] + rest:g}."
