"""Games of the search with itself, and the positions that the network learns from."""

from __future__ import annotations

import itertools
import random
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from gtp_capture.go import board as bd
from gtp_capture.go.game import Game
from gtp_capture.go.rules import PRESETS
from gtp_capture.go.vertex import BLACK, PASS, opponent
from gtp_capture.jit.records import Turn, rules_record
from gtp_capture.network.network import need_class, read, record
from gtp_capture.players.endgame import passes_before
from gtp_capture.search.mcts import ROOT, Candidate, Tree
from gtp_capture.solver.result import UNKNOWN, WIN, unsupported
from gtp_capture.solver.solver import Solver
from gtp_capture.util.atomic_file import atomic_write
from gtp_capture.util.limit import Limit

MEMORY: Final = 4 * 2**20
OPENING: Final = 10
"""Maximum number of random plays at the start of a game."""
STRAYS: Final = 0.05, 0.15, 0.3
"""Chances, one for each game, that a play is drawn from the best ones by their visits."""
DRAWN: Final = 6
"""Number of plays from which such a play is drawn."""
SOLVED: Final = 2_000
"""Nodes that the solver may search at the position of an example."""
RECORDED: Final = 0.4
"""Chance that a position becomes an example. The others are searched with a part of the playouts, for more games in the
same time: positions of one game have the same result (playout cap randomization of KataGo; Wu 2019)."""
QUICK: Final = 0.2
"""Share of the playouts for these other positions."""
KOMI: Final = 7.5, 7.5, 7.5, 7.5, 6.5, 5.5, 3.5, 0.5, -2.5, 10.5
"""Komi of games of ordinary Go, each with the same chance."""
SURE: Final = 0.97
"""Win rate of a colour in two positions in a row after which a game of ordinary Go counts as won by it."""
PLAYED_ON: Final = 0.1
"""Share of the games that go on, in spite of SURE, until the result is proven."""
LONGEST: Final = 3
"""Moves of a game of ordinary Go, as a multiple of the points; then the win rate decides."""


class Job(NamedTuple):
    """Games to play: a shard of the examples."""

    file: Path
    side: int
    captures: int
    """Prisoners that win; 1 for first capture, 0 for ordinary Go."""
    positions: int
    """Number of positions to find; no game begins after that."""
    playouts: int
    """Playouts for the move of an example."""
    seed: int
    network: Path | None
    """Weights; None for a search by playouts alone, with the same policy for all plays."""


class Row(NamedTuple):
    """A position, and the results of the search there."""

    stones: Any
    """int8 [points]: 1 for the colour to move, 2 for the other one."""
    needs: tuple[int, int]
    """Prisoners that the colour to move and the other one need; in ordinary Go their classes (`need_class`), plus 1."""
    last: int
    """Index of the last play, or -1."""
    rate: float
    """Win rate of the colour to move, by the search."""
    visits: Any
    """uint16 [points]."""
    color: int


def play(job: Job) -> int:
    """Play the games of a shard and write their positions; return their number."""
    rows, won, games = list[Row](), list[bool](), list[int]()
    tree, start = new_tree(job), new_game(job, random.Random())
    solver = Solver(job.side, job.side, MEMORY) if unsupported(start.rules, start.board) is None else None
    for number in itertools.count():
        if len(rows) >= job.positions:
            break
        found, winner = play_game(tree, solver, job, job.seed * 1_000_000 + number)
        rows += found
        won += [row.color == winner for row in found]
        games += [number] * len(found)
    columns: dict[str, Any] = {
        "stones": np.array([row.stones for row in rows], np.int8),
        "needs": np.array([row.needs for row in rows], np.uint8),
        "last": np.array([row.last for row in rows], np.int16),
        "rate": np.array([row.rate for row in rows], np.float32),
        "visits": np.array([row.visits for row in rows], np.uint16),
        "won": np.array(won, np.bool_),
        "game": np.array(games, np.int32),
    }
    with atomic_write(job.file) as file:
        np.savez_compressed(file, **columns)
    return len(rows)


def new_game(job: Job, chance: random.Random) -> Game:
    """Return a game of the kind of a job."""
    if job.captures == 0:
        return Game(PRESETS["tromp-taylor"].override(suicide=False), job.side, komi=chance.choice(KOMI))
    return Game("first-capture" if job.captures == 1 else f"capture-{job.captures}", job.side)


def new_tree(job: Job) -> Tree:
    """Return a tree that searches with the network of a job."""
    if job.network is None:
        return Tree(MEMORY, 1, job.seed, network=record({}), playout_share=1.0)
    with job.network.open("rb") as file:
        return Tree(MEMORY, 1, job.seed, network=read(file))


def play_game(tree: Tree, solver: Solver | None, job: Job, seed: int) -> tuple[list[Row], int]:
    """Play one game until its result is proven, by the search or the solver; return examples and the winner.

    A game of ordinary Go ends too when both colours agree about its winner.
    """
    chance, rows = random.Random(seed), list[Row]()
    game = new_game(job, chance)
    points = bd.points(game.board)
    index, every, stray = {p: i for i, p in enumerate(points)}, {*points, PASS}, chance.choice(STRAYS)
    sure, leader, most = 0, 0, len(points) * LONGEST
    play_on = job.captures > 0 or chance.random() < PLAYED_ON
    for _ in range(chance.randint(0, OPENING)):
        if game.outcome is None:
            game.play_point(chance.choice(game.legal_plays()))
    while game.outcome is None:
        color, last = int(game.to_move), game.last_move
        recorded = chance.random() < RECORDED
        point = last.point if last is not None else 0
        turn = Turn(game.board, rules_record(game.rules, game.komi), color, point, passes_before(game))
        tree.clear()
        tree.search(ROOT, turn, every, Limit(playouts=job.playouts if recorded else int(QUICK * job.playouts)).begin())
        candidates, verdict = tree.candidates(ROOT), tree.proven(ROOT)
        if verdict is not None:
            return rows, color if verdict else opponent(color)
        rate = candidates[0].winrate
        ahead = color if rate > 0.5 else opponent(color)
        sure = 0 if abs(rate - 0.5) <= SURE - 0.5 else sure + 1 if ahead == leader else 1
        leader = ahead
        if (sure > 1 and not play_on) or (job.captures == 0 and len(game.moves) > most):
            return rows, leader
        if recorded:
            rows.append(row_of(game, job, points, index, candidates))
        if solver is not None and recorded:
            result = solver.value(game.board, color, Limit(nodes=SOLVED).begin())
            if result != UNKNOWN:
                return rows, color if result == WIN else opponent(color)
        best = [c for c in candidates if c.proven >= 0][:DRAWN] or candidates[:1]
        drawn = chance.random() < stray
        best = chance.choices(best, [c.visits + 1 for c in best], k=1) + best if drawn else best
        game.play_point(next((c.move for c in best if game.is_legal_point(c.move)), PASS))  # superko forbids some
    winner = game.outcome.winner
    assert winner is not None
    return rows, int(winner)


def row_of(game: Game, job: Job, points: list[int], index: dict[int, int], candidates: list[Candidate]) -> Row:
    """Return a position as a row."""
    colors = np.array([game.board.color[p] for p in points], np.int8)
    stones = colors if game.to_move == BLACK else np.where(colors == 0, 0, 3 - colors).astype(np.int8)
    visits = np.zeros(len(points), np.uint16)
    for c in candidates:
        if c.move != PASS and c.proven >= 0:
            visits[index[c.move]] = c.visits
    open_ = [c for c in candidates if c.proven == 0]
    total = sum(c.visits for c in open_)
    last = game.last_move
    rate = sum(c.visits * c.winrate for c in open_) / max(1, total)
    prisoners, color = game.board.prisoners, game.to_move
    needs = job.captures - int(prisoners[color]), job.captures - int(prisoners[opponent(color)])
    if job.captures == 0:
        rules = rules_record(game.rules, game.komi)
        needs = need_class(game.board, rules, color) + 1, need_class(game.board, rules, opponent(color)) + 1
    return Row(stones, needs, index.get(last.point, -1) if last is not None else -1, rate, visits, int(color))
