"""Collect positions for the problem suite: `python -m tests.benchmarks.suite_collect --size 7 --count 30`.

A try is a game of the search without solver, with few playouts for each move after some random plays. It is solved
backward from its end, until --nodes nodes do not decide a position. From the earliest decided position the search plays
on LINES times, until an easy solve decides a position. The positions of these lines that the side to move wins are
candidates, and after the others those with one of the REPLIES that a search prefers. A candidate becomes a problem if

- a solve of EASY nodes with an empty table does not decide it,
- most of SEEDS searches with PLAYOUTS playouts, without solver and book, choose a play that loses; one with a win rate
  over CONFIDENT counts as right without a solve,
- SAFE plays at least do not lose at once,
- all legal plays are solved, by at most --nodes nodes each, and one or two of them win.

One problem is taken from a try. It is appended to the file at once. A run goes on after the last problem of that size
in the file, or with the try that `--first` gives. More nodes find harder problems, in more time.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from gtp_capture.go.game import Game
from gtp_capture.go.rules import PRESETS
from gtp_capture.jit.records import Turn, rules_record
from gtp_capture.jit.warmup import loaded
from gtp_capture.match.openings import quiet
from gtp_capture.match.referee import Conditions
from gtp_capture.players.player import last_play, sensible_plays
from gtp_capture.search.mcts import ROOT, Candidate, Tree
from gtp_capture.solver.result import LOSS, UNKNOWN, WIN
from gtp_capture.solver.solver import Solver
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE
from tests.support.random_games import safe_plays

from ..support.suite import FILE, MOST_WINNING, Problem, play_wins, problems, winning_plays

RANDOM_PLIES: Final = (2, 6)
PLAYOUTS_OF_GAME: Final = 300
PLAYOUTS: Final = 1_000
SEEDS: Final = 3
EASY: Final = 100_000
SAFE: Final = 8
LINES: Final = 4
REPLIES: Final = 6
CONFIDENT: Final = 0.75
PART: Final = 4
"""The move of a search is solved with at most 1/PART of the nodes."""
MEMORY: Final = 16 * MEBIBYTE
"""Of the searches and the easy solves."""


class Collector:
    """Solver, search trees and limits, used again by all tries of one size."""

    def __init__(self, side: int, nodes: int) -> None:
        self.side, self.nodes = side, nodes
        self.solver = Solver(side, side, 512 * MEBIBYTE)
        self._easy = Solver(side, side, MEMORY)
        self._trees = [Tree(MEMORY, 1, seed) for seed in range(SEEDS)]

    def problem(self, number: int) -> Problem | None:
        """Return the problem of a try, if it finds one."""
        self.solver.clear()
        game = self.game(number)
        self.undo_to_first_decided(game)
        for position in (found for _ in range(LINES) for found in self.candidates(game)):
            if not self.is_hard(position) or self.easy(position) or self.solved(position) is None:
                continue
            self.solver.clear()
            before = self.solver.nodes
            winning = self.solved(position)
            if winning is not None:  # with an empty table too
                plays = tuple(position.vertex(move.point) for move in position.moves)
                return Problem(self.side, number, plays, winning, self.solver.nodes - before)
        return None

    def game(self, number: int) -> Game:
        """Return the game of a try; it ends where all plays lose at once."""
        rng = random.Random(f"suite {self.side} {number}")
        game = quiet(Conditions(PRESETS["first-capture"], self.side, self.side), rng.randint(*RANDOM_PLIES), rng)
        while found := self.ranked(game, number % SEEDS, PLAYOUTS_OF_GAME):
            game.play_point(found[0].move)
            if game.outcome is not None:
                break
        return game

    def undo_to_first_decided(self, game: Game) -> None:
        """Undo a game to its earliest position before which a solve is not decided."""
        last = game.moves[-1]
        while game.moves:
            last = game.moves[-1]
            game.undo()
            if self.value(game) == UNKNOWN:
                break
        game.play_point(last.point, last.color)

    def value(self, game: Game) -> int:
        """Return WIN, LOSS or UNKNOWN for the side to move."""
        return self.solver.value(game.board, game.to_move, Limit(nodes=self.nodes).begin())

    def candidates(self, game: Game) -> Iterator[Game]:
        """Play on, and yield the positions that the side to move wins, there and after replies in lost positions."""
        begin = len(game.moves)
        while game.outcome is None and not self.easy(game):
            value = self.value(game)
            if value == WIN:
                yield game
            elif value == LOSS:
                safe = safe_plays(game, self.solver)
                for reply in [c.move for c in self.ranked(game, 0) if c.move in safe][:REPLIES]:
                    game.play_point(reply)
                    yield game
                    game.undo()
            game.play_point(self.ranked(game, 0, PLAYOUTS_OF_GAME)[0].move)
        while len(game.moves) > begin:
            game.undo()

    def ranked(self, game: Game, seed: int, playouts: int = PLAYOUTS) -> list[Candidate]:
        """Return the plays that do not lose at once as a search without solver and book ranks them."""
        color, tree = game.to_move, self._trees[seed]
        moves = sensible_plays(game, color)
        tree.clear()
        turn = Turn(game.board, rules_record(game.rules, game.komi), color, last_play(game))
        tree.search(ROOT, turn, moves, Limit(playouts=playouts).begin())
        return [candidate for candidate in tree.candidates(ROOT) if candidate.move in moves]

    def easy(self, game: Game) -> bool:
        """Whether a short solve with an empty table decides a position."""
        self._easy.clear()
        return self._easy.value(game.board, game.to_move, Limit(nodes=EASY).begin()) != UNKNOWN

    def is_hard(self, game: Game) -> bool:
        """Whether most searches choose a losing play."""
        if len(safe_plays(game, self.solver)) < SAFE:
            return False
        moves = []
        for seed in range(SEEDS):
            best = self.ranked(game, seed)[0]
            moves += [best.move] if best.winrate <= CONFIDENT else []
        if 2 * len(moves) < SEEDS:
            return False
        values = {move: play_wins(game, move, self.solver, self.nodes // PART) for move in set(moves)}
        return 2 * sum(values[move] is False for move in moves) > SEEDS

    def solved(self, game: Game) -> tuple[str, ...] | None:
        """Return all winning plays if every legal play is decided and there are not too many."""
        return winning_plays(game, self.solver, self.nodes, MOST_WINNING)


@click.command()
@click.option("--size", type=click.IntRange(5, 9), default=7, show_default=True)
@click.option("--count", default=30, show_default=True, help="Problems of this size wanted in the file.")
@click.option("--nodes", default=3_000_000, show_default=True, help="Bound of each solve.")
@click.option("--first", type=int, help="First try; default: the one after the last in the file.")
@click.option("--file", type=click.Path(path_type=Path), default=FILE, show_default=True)
def main(size: int, count: int, nodes: int, first: int | None, file: Path) -> None:
    """Add problems of a size to the file until it has COUNT."""
    loaded()
    collector = Collector(size, nodes)
    known = [problem for problem in problems(file) if problem.side == size]
    number = first if first is not None else max((problem.number for problem in known), default=0) + 1
    try:
        while len(known) < count:
            problem = collector.problem(number)
            if problem is not None and all(problem.plays != other.plays for other in known):
                known.append(problem)
                with file.open("a", encoding="utf-8") as output:
                    output.write(problem.line())
            print(f"\r{size}x{size}: {len(known)} problems, {number} tries", end="", file=sys.stderr, flush=True)
            number += 1
    except KeyboardInterrupt:
        click.echo(f"\nstopped: --first {number} continues", err=True)


if __name__ == "__main__":
    main()
