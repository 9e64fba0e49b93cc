"""The trunk of a search in jobs against brute force and the solver: winners, numbers, and results that are refused."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from gtp_capture import BLACK, WHITE, Game
from gtp_capture.go.symmetry import symmetries
from gtp_capture.go.vertex import opponent
from gtp_capture.solver import solver as solver_module
from gtp_capture.solver.dfpn import damping_of
from gtp_capture.solver.job import JobSolver
from gtp_capture.solver.result import LOSS, POINTS, UNKNOWN, WIN, Stones
from gtp_capture.solver.solver import Solver
from gtp_capture.solver.trunk import ANY, Child, Finding, Node, Trunk, TrunkError
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE

from ..support.brute_force import bits, outcome, random_position

SMALL = 2 * MEBIBYTE


class Workers:
    """Workers in this process, whose jobs end in random order."""

    def __init__(self, trunk: Trunk, count: int, budget: int, seed: int) -> None:
        self.trunk, self.budget, self.rng = trunk, budget, random.Random(seed)
        self.solvers = [JobSolver(trunk.width, trunk.height, SMALL) for _ in range(count)]
        self.running: dict[int, tuple[Node, Finding]] = {}
        self.jobs = 0

    def start(self, target: Node, worker: int) -> bool:
        """Give a worker a job; return whether there is one."""
        leaf, trunk = self.trunk.select(target, worker), self.trunk
        if leaf is None:
            return False
        trunk.enter(leaf, worker)
        self.jobs += 1
        solver, before, stones = self.solvers[worker], self.solvers[worker].nodes, trunk.stones(leaf)
        pn, dn, children = solver.survey(stones, trunk.to_move(leaf), Limit(playouts=self.budget))
        self.running[worker] = leaf, Finding(self.jobs, stones, pn, dn, solver.nodes - before, 0.0, children)
        return True

    def end(self, worker: int, expand: bool) -> None:
        """Take the result of a worker's job."""
        leaf, found = self.running.pop(worker)
        self.trunk.leave(leaf)
        self.trunk.record(found, expand)

    def solve(self, target: Node) -> Iterator[None]:
        """Search until a node is decided; yield after each result."""
        while target.result == UNKNOWN:
            for worker in range(len(self.solvers)):
                if worker not in self.running:
                    self.start(target, worker)
            self.end(self.rng.choice(list(self.running)), expand=True)
            yield
        for worker in list(self.running):
            self.end(worker, expand=False)


@pytest.fixture
def tiny_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a job search one node and its children, so that the trunk does nearly all."""
    monkeypatch.setattr(solver_module, "FIRST_BUDGET", 1)


def positions(
    seed: int, count: int, sizes: list[tuple[int, int]]
) -> Iterator[tuple[tuple[int, int], Stones, int, int]]:
    """Yield random positions by brute force: size, stones, colour to move, and the winner."""
    rng = random.Random(seed)
    while count:
        size = rng.choice(sizes)
        found = random_position(rng, *size)
        if found is None or (size == (4, 4) and sum(map(len, found)) < 7):
            continue
        color = rng.choice((BLACK, WHITE))
        own, opp = bits(found[0], size[0]), bits(found[1], size[0])
        won, _ = outcome(*found, *size)
        yield size, ((own, opp) if color == BLACK else (opp, own)), color, color if won else opponent(color)
        count -= 1


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 3])
def test_winners_are_those_of_brute_force(workers: int, tiny_jobs: None) -> None:
    for seed, (size, stones, color, winner) in enumerate(positions(workers, 150, [(2, 3), (3, 3), (3, 4), (4, 4)])):
        trunk = Trunk(*size, stones, color, workers)
        for _ in Workers(trunk, workers, 1, seed).solve(trunk.root):
            pass
        assert (color if trunk.root.result == WIN else opponent(color)) == winner, (size, stones, color)


@pytest.mark.parametrize(("size", "winner"), [((3, 3), BLACK), ((4, 4), WHITE), ((4, 3), BLACK), ((3, 5), BLACK)])
@pytest.mark.parametrize("workers", [1, 4])
def test_empty_boards_have_their_known_winner(
    size: tuple[int, int], winner: int, workers: int, tiny_jobs: None
) -> None:
    trunk = Trunk(*size, (0, 0), BLACK)
    for _ in Workers(trunk, workers, 1, 1).solve(trunk.root):
        pass
    assert trunk.root.result == (WIN if winner == BLACK else LOSS)


@pytest.mark.slow
def test_first_moves_have_the_winners_of_the_solver(tiny_jobs: None) -> None:
    for size, stones, color, _ in positions(7, 25, [(3, 4), (4, 4), (5, 4), (5, 5)][:2]):
        solver = Solver(*size, SMALL)
        trunk = Trunk(*size, stones, color)
        workers = Workers(trunk, 2, 1, 3)
        for play, after in solver.plays(stones, color):
            if not solver.captures(stones, color, play):
                node = trunk.node(after)
                for _ in workers.solve(node):
                    pass
                assert node.result == Solver(*size, SMALL).result(after, opponent(color), Limit()), (size, stones, play)


def test_5x5_positions_have_the_winner_of_the_solver() -> None:
    rng = random.Random(5)
    for seed in range(6):
        game = Game("first-capture", 5)
        for _ in range(rng.randrange(2, 7)):
            game.play(rng.choice(game.legal_plays()))
        if game.outcome is None:
            solver = Solver(5, 5, 16 * MEBIBYTE)
            stones = solver.stones(game.board)
            trunk = Trunk(5, 5, stones, game.to_move)
            for _ in Workers(trunk, 2, 4000, seed).solve(trunk.root):
                pass
            assert trunk.root.result == solver.result(stones, game.to_move, Limit())


def test_numbers_are_always_those_of_the_children(tiny_jobs: None) -> None:
    """After each result, with some jobs running, nothing changes when all nodes are computed again."""
    trunk = Trunk(4, 4, (0, 0), BLACK)
    for _ in Workers(trunk, 3, 1, 2).solve(trunk.root):
        for node in trunk.positions.values():
            if node.children is not None and node.result == UNKNOWN:
                assert not node.refresh(damping_of(4, 4))
    assert len(trunk.positions) > 100


def test_the_virtual_loss_is_gone_after_the_jobs(tiny_jobs: None) -> None:
    trunk = Trunk(4, 4, (0, 0), BLACK)
    workers = Workers(trunk, 3, 1, 2)
    for _, _ in zip(range(30), workers.solve(trunk.root), strict=False):
        pass
    for worker in list(workers.running):
        workers.end(worker, expand=False)
    before = {key: (node.pn, node.dn) for key, node in trunk.positions.items()}
    chosen = [workers.start(trunk.root, worker) for worker in range(3)]
    assert chosen == [True] * 3
    assert len({leaf.key for leaf, _ in workers.running.values()}) == 3
    for leaf, _ in workers.running.values():
        trunk.leave(leaf)
    assert {key: (node.pn, node.dn) for key, node in trunk.positions.items()} == before


def test_a_leaf_goes_to_its_worker_and_to_others_when_that_is_lost() -> None:
    trunk = Trunk(3, 3, (0, 0), BLACK)
    root = trunk.root
    trunk.enter(root, 1)
    assert trunk.select(root, 0) is None
    trunk.leave(root)
    assert root.free == 1 << 1
    assert trunk.select(root, 0) is root  # it has nothing else
    trunk.record(Finding(1, (0, 0), 3, 5, 10, 0.0, (Child(0, 2, 3), Child(1, 2, 4), Child(4, 1, 4))), expand=True)
    assert (root.pn, root.dn) == (3, 2 + int(0.65 * 3))
    first, second = (trunk.node((1 << i, 0)) for i in (0, 1))
    trunk.enter(first, 1)
    trunk.leave(first)
    assert trunk.select(root, 1) is first
    assert trunk.select(root, 0) is second
    trunk.forget(1)
    assert (first.free, trunk.select(root, 0)) == (ANY, first)


def test_images_of_a_position_are_one_node() -> None:
    rng = random.Random(1)
    for width, height in ((5, 5), (4, 6), (3, 7)):
        for _ in range(20):
            points = rng.sample(range(width * height), 6)
            trunk = Trunk(width, height, (0, 0), BLACK)
            keys = set()
            for symmetry in symmetries(width, height):
                at = [symmetry.index(p) for p in points]
                keys.add(trunk.key((sum(1 << i for i in at[:3]), sum(1 << i for i in at[3:]))))
            assert len(keys) == 1
            node = trunk.node((sum(1 << p for p in points[:3]), sum(1 << p for p in points[3:])))
            assert trunk.stones(node) in {(key & 2**POINTS - 1, key >> POINTS) for key in keys}


GOOD = Finding(1, (0, 0), 3, 5, 10, 0.0, (Child(0, 2, 3), Child(1, 2, 4)))


@pytest.mark.parametrize(
    "found",
    [
        replace(GOOD, stones=(1, 0)),
        replace(GOOD, stones=(1 << 40, 0)),
        replace(GOOD, pn=-1),
        replace(GOOD, pn=0, dn=0),
        replace(GOOD, nodes=-5),
        replace(GOOD, children=()),
        replace(GOOD, children=(Child(0, 2, 3), Child(0, 2, 4))),
        replace(GOOD, children=(Child(9, 2, 3),)),
        replace(GOOD, children=(Child(-1, 2, 3),)),
        replace(GOOD, children=(Child(1, 0, 0),)),
    ],
)
def test_a_malformed_result_is_refused_and_changes_nothing(found: Finding) -> None:
    trunk = Trunk(3, 3, (0, 0), BLACK)
    with pytest.raises(TrunkError, match="job 1"):
        trunk.record(found, expand=True)
    assert (trunk.jobs, trunk.nodes, trunk.root.pn, trunk.root.children) == (0, 0, 1, None)


def test_results_that_contradict_each_other_are_refused() -> None:
    trunk = Trunk(3, 3, (0, 0), BLACK)
    trunk.record(GOOD, expand=True)
    corner = trunk.stones(trunk.node((1, 0)))
    trunk.record(Finding(2, corner, 0, 9, 1, 0.0), expand=False)
    with pytest.raises(TrunkError, match="contradict"):
        trunk.record(Finding(3, corner, 9, 0, 1, 0.0), expand=False)
