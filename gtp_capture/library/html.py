"""Results of matches and reviews as HTML, which notebooks display."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from ..match.report import MatchResult
from ..teach import words
from ..teach.review.reviewed import Review, ReviewedMove


def match_html(result: MatchResult) -> str:
    """Return the scores of the players as a table, with the result of the match as its caption."""
    rows = []
    for name in result.names:
        black, white = (result.score(name, black=side) for side in (True, False))
        scores = (f"{score.wins} - {score.draws} - {score.losses}" for score in (black + white, black, white))
        rows.append([name, f"{(black + white).points:g}", *scores])
    return _table([str(result)], ("player", "points", "won - drawn - lost", "with Black", "with White"), rows)


def review_html(review: Review) -> str:
    """Return the moves about which the review says something as a table, with its summary as the caption."""
    rows = [_row(move) for move in review.moves if move.remark]
    return _table(words.file_summary(review), ("move", "", "before", "after", "remark"), rows)


def _row(move: ReviewedMove) -> list[str]:
    rates = ("" if rate is None else f"{rate:.0%}" for rate in (move.before, move.after))
    return [f"{move.number}", f"{move.color} {move.vertex}", *rates, move.remark]


def _table(caption: Iterable[str], head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; all texts are escaped."""
    lines = [[f"<td>{escape(text)}</td>" for text in row] for row in rows]
    lines.insert(0, [f"<th>{escape(text)}</th>" for text in head])
    body = "".join(f"<tr>{''.join(cells)}</tr>" for cells in lines)
    return f"<table><caption>{'<br/>'.join(map(escape, caption))}</caption>{body}</table>"
