"""Random finished games under `aga`: territory with pass stones must give exactly the area score.

    python -m tests.support.aga --games 10000

With handicap, White gets a point for each handicap stone but one.

The area is counted by sgfmill on the board without its dead stones, independently of our own code.
"""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass

import click
from sgfmill.boards import Board

from gtp_capture import Game, Scoring
from gtp_capture.go import board as bd
from gtp_capture.go import scoring
from gtp_capture.go.opening import spread
from gtp_capture.go.scoring import Status
from gtp_capture.go.vertex import BLACK, PASS, WHITE, column_row
from gtp_capture.judgement import life
from gtp_capture.judgement.endgame import area_komi

KEPT = 0.02
"""Probability of a pass with plays left, which leaves dead stones and open borders."""


@dataclass(frozen=True)
class Case:
    """The comparison of one game."""

    equal: bool
    owed: bool
    """Whether Black passed last, so that White must make a third pass."""
    dead: int
    """Dead chains."""
    seki: int


def finished_game(chance: random.Random, width: int, height: int, handicap: int = 0) -> Game:
    """Play random moves, none of which fills an eye, to the end by two passes."""
    game = Game("aga", (width, height))
    game.find_statuses = life.statuses
    if handicap:
        game.place_handicap(map(game.vertex, spread(width, height, handicap)))
    while game.outcome is None and len(game.moves) < 20 * width * height:
        color, board = game.to_move, game.board
        free = [int(p) for p in board.empty[: board.empties]]
        chance.shuffle(free)
        plays = (p for p in free if not bd.is_eye(board, p, int(color)) and game.is_legal_point(p, color))
        late = board.empties < width * height // 2 and chance.random() < KEPT
        game.play_point(PASS if late else next(plays, PASS), color)
    return game


def compare(game: Game) -> Case:
    """Count one game by both methods."""
    statuses = game.statuses()
    assert statuses is not None
    after = scoring.cleared(game.board, statuses)
    area = scoring.area(after).lead
    if game.width == game.height:  # sgfmill supports square boards only
        board = Board(game.width)
        black, white = ([column_row(p, game.width)[::-1] for p in bd.stones_of(after, c)] for c in (BLACK, WHITE))
        assert board.apply_setup(black, white, [])
        area = board.area_score()
    last = game.last_move
    owed = last is not None and last.color == "black"
    expected = area - max(0, game.handicap - 1) - game.komi
    equal = game.score() == expected == _as_area(game).score() == area - area_komi(game)
    if owed:
        score = game.score()
        game.play_point(PASS, WHITE)  # the third pass must not change the score
        equal = equal and game.score() == score
    count = list(statuses.values()).count
    return Case(equal, owed, count(Status.DEAD), count(Status.SEKI))


def _as_area(game: Game) -> Game:
    """Return the same position under area scoring."""
    other = Game(game.rules.override(scoring=Scoring.AREA), (game.width, game.height))
    other.setup(game.stones(BLACK), game.stones(WHITE), game.to_move)
    other.handicap = game.handicap
    other.find_statuses = life.statuses
    return other


@click.command()
@click.option("--games", default=10_000, show_default=True)
@click.option("--handicap", default=0, show_default=True, help="Handicap stones.")
@click.option("--seed", default=1, show_default=True)
def main(games: int, handicap: int, seed: int) -> None:
    """Compare games on boards of 4 to 9 points a side."""
    chance = random.Random(seed)
    cases = []
    with click.progressbar(range(games), label="games", file=sys.stderr) as numbers:
        for _ in numbers:
            width, height = chance.randint(4, 9), chance.randint(4, 9)
            height = height if chance.random() < 0.5 else width
            cases.append(compare(finished_game(chance, width, height, handicap)))
    print(f"{sum(c.equal for c in cases)} of {games} equal")
    print(f"third pass owed in {sum(c.owed for c in cases)}, dead stones in {sum(c.dead > 0 for c in cases)}", end=", ")
    print(f"seki in {sum(c.seki > 0 for c in cases)}")
    raise SystemExit(any(not c.equal for c in cases))


if __name__ == "__main__":
    main()
