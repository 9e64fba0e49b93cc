"""Reviews in words: a sentence or two for a move, and the summary of a game, in plain sentences for all readers.

"wins" and "loses" are only used for proofs; other sentences state the win rate that the search found.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from ...go.vertex import BLACK, COLOR_LETTERS, PASS, WHITE, format_vertex, opponent
from ...go.words import TITLES, counted
from .judge import MIDDLING, Grade, Review
from .summary import always_won_by, deciding_mistake, resigned_ahead, side


def sentences(review: Review, number: int) -> str:
    """Return what is to be said about a move, counted from 0; "" if nothing is."""
    move = review.judgements[number]
    play, mover, other = _play(review, move.point), move.color, opponent(move.color)
    if move.over:
        return ""
    if move.grade is Grade.LOSING:
        end = f" Now {TITLES[other]} wins with {_play(review, move.punishment[0])}." if move.punishment else ""
        better = f" {_start(_play(review, move.better[0]))} wins." if move.better else ""
        return f"{_start(play)} turns a win into a loss.{better}{end}"
    if move.grade.is_only:
        return f"{_start(play)} is the only move that wins."
    if move.grade.is_mistake:
        before = f"Before {play}, the search gave {TITLES[mover]} a win rate of {_percent(move.before.rate(mover))}"
        after = f", after it {_percent(move.after.rate(mover))}."
        if move.after.winner is not None:
            after = f". After it {TITLES[other]} wins by force."
        return f"{before}{after} The search preferred {_play(review, move.better[0])}."
    return _news(review, number)


def _news(review: Review, number: int) -> str:
    """Return what is first proven, or no longer proven, after a move that is neither a mistake nor the only win."""
    move = review.judgements[number]
    play, winner = _play(review, move.point), move.after.winner
    if winner is not None and move.before.winner is None and move.before.black is not None:
        known = [verdict.winner for verdict in review.verdicts[:number] if verdict.winner is not None]
        return f"After {play} {TITLES[winner]} wins by force." if known[-1:] != [winner] else ""
    line = move.before.line
    if move.before.winner == move.color and winner is None and move.drop >= MIDDLING and line and line[0] != move.point:
        return f"{_start(_play(review, line[0]))} wins by force. After {play} no forced win was found."
    return ""


def summary(review: Review) -> Iterator[str]:
    """Yield the lines on a whole game: moves judged, the deciding mistake, and the counts of both sides."""
    if not review.judgements:
        yield "There are no moves to judge."
        return
    yield judged(review)
    if review.judged == 0:
        return
    yield _deciding(review)
    for color in (BLACK, WHITE):
        counts = side(review, color)
        losing = f" ({counts.losing} turned a win into a loss)" if counts.losing else ""
        yield (
            f"{TITLES[color]}: {counted(counts.moves, 'move')}, {counted(counts.mistakes, 'mistake')}{losing}, "
            f"{counted(counts.only, 'only winning move')} found."
        )


def file_summary(review: Review) -> Iterator[str]:
    """Yield the rules by which a game of a file was judged, and the lines of its summary."""
    yield f"Rules: {review.rules}."
    yield from summary(review)


def judged(review: Review) -> str:
    """Return how many moves of a game were judged."""
    if review.judged == review.moves:
        return f"All {counted(review.moves, 'move')} judged." if review.moves != 1 else "1 move judged."
    return f"{review.judged} of {counted(review.moves, 'move')} judged; more time may judge more."


def headline(review: Review) -> str:
    """Return the first lines of the summary of a game of a file as one line."""
    return " ".join(islice(file_summary(review), 3))


def _deciding(review: Review) -> str:
    """Return the deciding mistake in words, or that there is none."""
    loser = resigned_ahead(review)
    if loser is not None:
        last = review.verdicts[-1]
        if last.winner is not None:
            return f"Deciding mistake: {TITLES[loser]} resigned in a position that {TITLES[loser]} wins by force."
        share = f"The search gave {TITLES[loser]} a win rate of {_percent(last.rate(loser))} there"
        return f"Probably the deciding mistake: {TITLES[loser]} resigned. {share}."
    always = always_won_by(review)
    if always is not None:
        return f"{TITLES[always]} wins by force from the first position to the last."
    found = deciding_mistake(review)
    if found is None:
        unfinished = "After its last move the game is unfinished. " if review.outcome is None else ""
        return f"{unfinished}No deciding mistake was found" + (" among these." if review.judged < review.moves else ".")
    move = review.judgements[found.number]
    start = "Deciding mistake" if found.proven else "Probably the deciding mistake"
    return f"{start}: move {found.number + 1}, {TITLES[move.color]} {_vertex(review, move.point)}."


def remarks(review: Review) -> Iterator[str]:
    """Yield a line for each move about which there is something to say, for a console."""
    for number, move in enumerate(review.judgements):
        if text := sentences(review, number):
            yield f"{number + 1} {COLOR_LETTERS[move.color]} {_vertex(review, move.point)}: {text}"


def _vertex(review: Review, point: int) -> str:
    return format_vertex(point, review.width)


def _play(review: Review, point: int) -> str:
    """Return a move as it stands inside a sentence."""
    return "the pass" if point == PASS else _vertex(review, point)


def _start(text: str) -> str:
    """Return a text as the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def _percent(rate: float | None) -> str:
    return f"{100 * (rate or 0.0):.0f} %"
