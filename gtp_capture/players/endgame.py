"""When a scored game is over, what is left to do before one may pass, and what the search has to reach."""

from __future__ import annotations

from typing import Final

from ..go import board as bd
from ..go import scoring
from ..go.board import Board
from ..go.game import Game
from ..go.rules import Scoring
from ..go.scoring import Status
from ..go.vertex import BLACK, EMPTY, PASS, WHITE, opponent
from . import life

FULL: Final = 0.4
"""The share of the board that stones cover before anyone looks whether the game is over."""


def closing_move(game: Game, color: int) -> int | None:
    """PASS where nothing is left to play for, else a neutral point or the capture of a dead stone if only such is left.

    None: the game goes on, or nothing is scored.
    """
    board, last = game.board, game.last_move
    if game.rules.scoring is Scoring.NONE:
        return None
    passed = last is not None and last.point == PASS
    if not passed and board.empties > (1 - FULL) * game.width * game.height:
        return None
    judgement = life.judge(board)
    if judgement.unsure:
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
    chores = neutral
    if not game.rules.dead_stones:  # what is left on the board counts as alive: take it off
        chores = neutral + _liberties_of_dead(board, judgement.statuses, opponent(color))
    useful = [p for p in chores if game.is_legal(p, color) and not exposes(board, p, color)]
    return max(sorted(useful), key=lambda p: bd.captures_at(board, p, color), default=PASS)


def area_komi(game: Game) -> float:
    """What Black's area has to exceed, for a search that counts area whatever the rules count.

    Territory is area less the stones that a colour has spent, passes among them where these cost one; from here on both
    spend as many, but White one more if it is his turn.
    """
    if game.rules.scoring is Scoring.TERRITORY:
        colors = bd.colors(game.board)
        spent = {c: colors.count(c) + game.prisoners(opponent(c)) for c in (BLACK, WHITE)}
        return game.komi + spent[BLACK] - spent[WHITE] - (game.to_move == WHITE)
    return game.komi + (max(0, game.handicap - 1) if game.rules.pays_for_handicap else 0)


def exposes(board: Board, point: int, color: int) -> bool:
    """Whether a legal play leaves its own chain with one liberty."""
    after = bd.copy(board)
    return bd.play(after, point, color) < 0 or bd.in_atari(after, point)


def _liberties_of_dead(board: Board, statuses: scoring.Statuses, color: int) -> list[int]:
    dead = [p for p, status in statuses.items() if status is Status.DEAD and board.color[p] == color]
    return [q for p in dead for q in bd.liberties(board, p)]


def passes_before(game: Game) -> int:
    """1 if the last move was a pass, which a second one would answer, else 0."""
    last = game.last_move
    return 1 if last is not None and last.point == PASS else 0
