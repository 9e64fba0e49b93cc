"""The end of a scored game: whether it is settled, the moves before a pass, and the komi that the search uses."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from ..go import board as bd
from ..go import scoring
from ..go.board import Board
from ..go.game import Game
from ..go.rules import Scoring
from ..go.scoring import Status
from ..go.vertex import BLACK, EMPTY, PASS, WHITE, Color, opponent
from . import life

COVERED: Final = 0.4
"""Share of the board that must be covered by stones before the end is tested without a pass of the opponent."""


@dataclass(frozen=True, slots=True)
class GameEnd:
    """How a colour ends a game with its next move."""

    move: int
    """PASS; while it would be too early, a play on a last neutral point, or one to capture dead stones."""
    lead: int
    """Black's lead in area without the dead stones."""
    has_seki: bool
    certain: bool = True
    """Whether every chain and region is settled according to `life`."""


def sensible_plays(game: Game, color: int) -> list[int]:
    """Legal plays; where the score alone decides, plays that fill an own eye are left out."""
    plays = game.legal_plays(color)
    if game.rules.is_capture_game or not game.rules.is_scored:
        return plays
    return [p for p in plays if not bd.is_eye(game.board, p, color)]


def closing_move(game: Game, color: int) -> GameEnd | None:
    """Return how a colour ends the game; None if the game is not settled, or its rules have no scoring."""
    board = game.board
    rules = game.rules
    if not (rules.is_scored and rules.may_pass) or not (count_passes(game) or covers(game, COVERED)):
        return None
    judgement = life.settled(board)
    if judgement is None:
        return None
    after = scoring.cleared(board, judgement.statuses)
    seki = scoring.stones_in_seki(board, judgement.statuses)
    neutral: list[int] = []
    for region in scoring.regions(after, [EMPTY]):
        owner = scoring.owner(after, region)
        if owner == EMPTY:
            if any(q in seki for p in region for q in bd.neighbors(after, p)):
                continue
            if len(region) > 1:
                return None
            neutral += region
        elif abs(sum(float(judgement.owners[p]) for p in region)) < life.SURE * len(region):
            return None
    remaining = neutral
    if not game.rules.dead_stones:  # stones left on the board count as alive, so dead ones must be captured
        dead = [p for p, status in judgement.statuses.items() if status is Status.DEAD and board.color[p] != color]
        remaining = neutral + [q for p in dead for q in bd.liberties(board, p)]
    useful = [p for p in remaining if game.is_legal_point(p, color) and not exposes(board, p, color)]
    move = max(sorted(useful), key=lambda p: bd.captures_at(board, p, color), default=PASS)
    return GameEnd(move, scoring.area(after).lead, bool(seki))


def answer_to_pass(game: Game) -> GameEnd | None:
    """Return a second pass that ends the game, with the most likely statuses.

    None at the beginning of a game, and where a further play costs nothing: under area scoring, or if a pass costs a
    stone too.
    """
    free = game.rules.scoring is not Scoring.TERRITORY or game.rules.pass_stones > 0
    if free or not count_passes(game) or not covers(game, COVERED):
        return None
    statuses = life.assess(game.board).statuses
    lead = scoring.area(scoring.cleared(game.board, statuses)).lead
    return GameEnd(PASS, lead, Status.SEKI in statuses.values(), certain=False)


def covers(game: Game, share: float) -> bool:
    """Whether stones cover at least this share of the board."""
    return bool(game.board.empties <= (1 - share) * game.width * game.height)


def area_komi(game: Game) -> float:
    """Return the komi for a search that always counts area, also under territory rules.

    Territory is area minus the stones that a colour has spent: on the board, as prisoners, and for passes.
    From here on both colours spend equally many, except that White spends one more if it is White's turn.
    """
    if game.rules.scoring is Scoring.TERRITORY:
        colors = bd.colors(game.board)
        spent = {c: colors.count(c) + game.prisoners(opponent(c)) for c in (BLACK, WHITE)}
        return game.komi + spent[BLACK] - spent[WHITE] - (game.to_move is Color.WHITE)
    return game.komi + (max(0, game.handicap - 1) if game.rules.pays_for_handicap else 0)


def exposes(board: Board, point: int, color: int) -> bool:
    """Whether a legal play leaves its own chain with one liberty, or captures it (suicide)."""
    after = board.copy()
    return bd.play(after, point, color) < 0 or bd.in_atari(after, point)


def without_early_pass(game: Game, color: int, moves: Sequence[int], lost: Collection[int] = ()) -> list[int]:
    """Return the moves to choose from: all moves if points decide after two passes, or if a pass is not among them.

    Elsewhere two passes end the game without a winner, and a pass may cost a stone. So a pass is left out, unless every
    play is `lost` or exposes stones. A play into one of the last two eyes of a chain is left out too.
    """
    if PASS not in moves or game.rules.is_scored:
        return list(moves)
    exposed = {p for p in moves if p != PASS and exposes(game.board, p, color)}
    plays = [p for p in moves if p != PASS and not (p in exposed and bd.is_eye(game.board, p, color))]
    return [*plays, PASS] if exposed.union(lost).issuperset(plays) else plays


def count_passes(game: Game) -> int:
    """Return the number of passes that end the sequence of moves, as the search counts it: 1 or 0."""
    last = game.last_move
    return 1 if last is not None and last.point == PASS else 0
