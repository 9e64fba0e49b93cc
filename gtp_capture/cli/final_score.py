"""The count at the end of a game of Go, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from ..go import scoring
from ..go.position import Termination
from ..go.rules import Scoring
from ..go.vertex import BLACK, WHITE
from ..go.words import TITLES, counted
from ..gtp.engine import Engine


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
        count, nouns = scoring.area(board, seki), ("stone or point", "stones and points")
    else:
        count, nouns = scoring.territory(board, seki), ("point", "points")
    taken = {c: int(board.prisoners[c]) for c in (BLACK, WHITE)}
    totals: dict[int, float] = {}
    for color, found in ((BLACK, count.black), (WHITE, count.white)):
        text, totals[color] = counted(found, *nouns), float(found)
        if game.rules.scoring is Scoring.TERRITORY:
            text += f" + {counted(taken[color], 'prisoner')}"
            totals[color] += taken[color]
        if color == WHITE and game.komi:
            text += f" + {game.komi:g} {'of komi' if game.handicap else 'for going second'}"
            totals[color] += game.komi
        rest = game.compensation() if color == WHITE else 0
        if rest:
            text += f" + {-rest} for handicap stones" if rest < 0 else f" - {rest} for Black's last pass"
        yield f"{TITLES[color]}: {text} = {totals[color] - rest:g}."
