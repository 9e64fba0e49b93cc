"""Proofs in parts that workers write: they hold, whatever happens to the workers."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gtp_capture import Game
from gtp_capture.cli.options import Unusable
from gtp_capture.cli.proofs import Target, write_proof
from gtp_capture.solver.job import JobSolver
from gtp_capture.solver.journal import COLUMNS, store_all
from gtp_capture.solver.proofs.part_job import work
from gtp_capture.solver.proofs.parts import Parts
from gtp_capture.solver.proofs.parts_writer import Crew
from gtp_capture.solver.result import LOSS, WIN
from gtp_capture.solver.search import Search
from gtp_capture.solver.solver import Solver
from gtp_capture.solver.trunk import Node, Trunk, TrunkError
from gtp_capture.solver.verdicts import verdicts
from gtp_capture.util.lanes import HERE, Lane, lanes
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE

from ..support.brute_force import random_games
from ..support.cluster import Cluster
from ..support.process import ENGINE
from ..support.proof_check import checked
from ..support.proof_oracle import count_parts
from .test_proof_parts import counts, parts_of

NO_VERDICTS = np.zeros((0, COLUMNS), np.uint64)
MEMORY = 16 * MEBIBYTE


def winner_of(game: Game) -> int:
    winner = Solver(game.width, game.height, MEMORY).solve(game.board, game.to_move).winner
    assert winner is not None
    return winner


def write(game: Game, path: Path, most: int, workers: int) -> int:
    """Write a proof by threads that know nothing of the position; return the winner."""
    winner = winner_of(game)
    crew = Crew(partial(lanes, workers), (game.width, game.height), MEMORY, 1, NO_VERDICTS)
    write_proof(JobSolver(game.width, game.height, MEMORY), game, winner, Target(path, most, crew), quiet=True)
    return winner


def holds(path: Path) -> None:
    """Check a proof, and its counts against the independent checker."""
    found, line = checked(path)
    assert found, line
    assert counts(line) == count_parts(path)


@pytest.mark.parametrize("workers", [1, 2, 5])
@pytest.mark.parametrize("most", [1, 7, 10**9])
def test_workers_write_a_proof_that_holds(most: int, workers: int, tmp_path: Path) -> None:
    write(Game("first-capture", 4, 3), tmp_path / "proof", most, workers)
    holds(tmp_path / "proof")
    assert max(part["choices"] for part in parts_of(tmp_path / "proof")) <= most


def test_the_parts_of_several_workers_are_small_at_first(tmp_path: Path) -> None:
    write(Game("first-capture", 4, 5), tmp_path / "proof", 10**9, 2)
    holds(tmp_path / "proof")
    parts = parts_of(tmp_path / "proof")
    assert parts[0]["choices"] == 1000
    assert len(parts) > 2


@pytest.mark.slow
def test_random_positions_hold_with_either_side_to_move(tmp_path: Path) -> None:
    rng, seen = random.Random(6), set()
    for game, color in random_games(rng, 40, 4, 3):
        most, workers = rng.choice((1, 2, 5, 1000)), rng.randint(1, 4)
        winner = write(game, tmp_path / "proof", most, workers)
        holds(tmp_path / "proof")
        seen.add((winner == color, min(3, len(parts_of(tmp_path / "proof")))))
    assert {(True, 0), (True, 1), (True, 3), (False, 3)} <= seen


def test_a_proof_has_no_more_parts_than_its_manifest_holds(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("gtp_capture.solver.proofs.parts.MAX_PARTS", 3)
    with pytest.raises(Unusable, match="more than 3 parts would be needed; use a larger --part-choices"):
        write(Game("first-capture", 4, 4), tmp_path / "proof", 50, 2)
    assert not (tmp_path / "proof").exists()


def row(*numbers: int) -> Any:
    return np.array([numbers], np.uint64)


WRONG: dict[str, Callable[[Any], Any]] = {
    "nothing": lambda w: None,
    "text": lambda w: "part",
    "another job": lambda w: w._replace(number=w.number + 1),
    "no choices": lambda w: w._replace(choices=0),
    "too many choices": lambda w: w._replace(choices=21),
    "choices as text": lambda w: w._replace(choices="5"),
    "no root": lambda w: w._replace(roots=0),
    "more roots than given": lambda w: w._replace(roots=10),
    "no bytes": lambda w: w._replace(content=None),
    "bytes as text": lambda w: w._replace(content="abc"),
    "negative nodes": lambda w: w._replace(nodes=-1),
    "claims that are none": lambda w: w._replace(uses=None),
    "claims without stones": lambda w: w._replace(uses=row(1, 2)),
    "two stones on a point": lambda w: w._replace(uses=row(1, 2, 3, 1)),
    "a stone off the board": lambda w: w._replace(uses=row(1, 2, 1 << 40, 1)),
    "a claim with no more stones than the root": lambda w: w._replace(uses=row(1, 2, 0, 0)),
    "keys with one word": lambda w: w._replace(proven=row(1)),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG.keys())
def test_a_malformed_part_is_refused(wrong: Callable[[Any], Any], tmp_path: Path) -> None:
    game = Game("first-capture", 4, 4)
    parts = Parts(JobSolver(4, 4, MEMORY), game, winner_of(game), tmp_path / "proof", 20)
    lane = Lane(HERE, 0)
    job = parts.job(lane)
    assert job is not None
    crew = Crew(partial(lanes, 1), (4, 4), MEMORY, 1, NO_VERDICTS)
    written = work(replace(job, means=crew.means("proof", lane)))
    assert written is not None
    with pytest.raises(TrunkError, match="something else than part 1"):
        parts.take(lane, job, wrong(written))
    assert list(tmp_path.iterdir()) == []
    parts.take(lane, job, written)


def test_the_verdicts_of_a_search_are_those_of_its_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gtp_capture.solver.trunk.FIRST_BUDGET", 100)
    trunk = Trunk(5, 5, (0, 0), 1)
    search = Search(trunk, MEMORY, 1)
    search.run([trunk.root], partial(lanes, 1), Limit())
    solver = JobSolver(5, 5, MEMORY)

    def is_found(by: Solver, node: Node) -> bool:
        return by.result(trunk.stones(node), trunk.to_move(node), Limit(playouts=30)) == node.result

    rows = verdicts(trunk, solver.zobrist)
    decided = [node for node in trunk.positions.values() if node.result in (WIN, LOSS)]
    assert len(rows) == len(decided)
    hard = [node for node in decided if not is_found(Solver(5, 5, MEBIBYTE), node)]
    assert len(hard) > 20
    store_all(solver.table, rows)
    assert all(is_found(solver, node) for node in hard)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "play", "most"),
    [((4, 5), None, 300), ((5, 5), "B2", 2000), ((4, 6), None, 500), ((5, 6), None, 3000)],
    ids=str,
)
def test_two_workers_write_a_proof_that_two_processes_check(
    size: tuple[int, int], play: str | None, most: int, tmp_path: Path, compiled: None
) -> None:
    game = Game("first-capture", *size)
    if play:
        game.play(play)
    two = partial(lanes, 2)
    trunk = Trunk(*size, Solver(*size, MEMORY).stones(game.board), game.to_move)
    Search(trunk, 4 * MEMORY, 1).run([trunk.root], two, Limit())
    winner = game.to_move if trunk.root.result == WIN else 3 - game.to_move
    solver, path = JobSolver(*size, MEMORY), tmp_path / "proof"
    crew = Crew(two, size, 4 * MEMORY, 1, verdicts(trunk, solver.zobrist))
    write_proof(solver, game, winner, Target(path, most, crew), quiet=True)
    parts = parts_of(path)
    assert len(parts) > 4
    assert max(part["choices"] for part in parts) <= most
    one, both = checked(path), checked(path, "--jobs", "2")
    assert one[0], one[1]
    assert both[0], both[1]
    assert counts(one[1]) == counts(both[1])
    if size == (4, 5):
        assert counts(one[1]) == count_parts(path)


SOLVE = [*ENGINE, "solve", "--size", "5x6", "--memory", "64", "--part-choices", "1000"]


@contextmanager
def writing(path: Path, *options: str, parts: int = 10) -> Iterator[subprocess.Popen[str]]:
    """Start to solve 5x6, and wait until its proof has some parts."""
    command = [*SOLVE, "--proof", str(path), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        end = time.monotonic() + 100
        while not path.with_name(f"{path.name}.{parts}").exists():
            assert process.poll() is None
            assert time.monotonic() < end
            time.sleep(0.01)
        yield process


@pytest.mark.slow
def test_an_interrupt_leaves_no_manifest(tmp_path: Path, compiled: None) -> None:
    path = tmp_path / "proof"
    with writing(path, "--jobs", "2") as process:
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out.startswith("black wins: ")
    assert "Traceback" not in err
    assert not path.exists()
    assert not list(tmp_path.glob("*.new"))


@pytest.mark.slow
def test_an_interrupt_leaves_no_manifest_of_an_older_proof(tmp_path: Path, compiled: None) -> None:
    path = tmp_path / "proof"
    path.write_text("{}")
    with writing(path, "--jobs", "2") as process:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    assert not path.exists()


def test_all_workers_of_a_cluster_may_be_lost(tmp_path: Path, cluster: Cluster, compiled: None) -> None:
    path = tmp_path / "proof"
    with writing(path, "--scheduler", cluster.address) as process:
        for worker in cluster.workers:
            worker.kill()
        assert process.stderr is not None
        assert "waiting for workers" in process.stderr.readline()
        cluster.add(1)
        process.communicate(timeout=200)
    assert process.returncode == 0
    found, line = checked(path)
    assert found, line


@pytest.mark.slow
def test_a_proof_is_written_after_the_search_was_resumed_from_its_log(tmp_path: Path, compiled: None) -> None:
    command = [*SOLVE[:-2], "--jobs", "2", "--checkpoint", str(tmp_path / "log")]
    subprocess.run(command, check=True, capture_output=True, timeout=100)
    path = tmp_path / "proof"
    options = ["--proof", str(path), "--part-choices", "100000"]
    done = subprocess.run([*command, *options], check=True, capture_output=True, text=True, timeout=100)
    assert done.stdout.splitlines()[-1].startswith(f"{path}: ")
    found, line = checked(path)
    assert found, line


def test_a_cluster_writes_a_proof_and_a_lost_worker_changes_nothing(
    tmp_path: Path, cluster: Cluster, compiled: None
) -> None:
    path = tmp_path / "proof"
    with writing(path, "--scheduler", cluster.address, "--json") as process:
        cluster.workers[0].kill()
        out, err = process.communicate(timeout=200)
    assert (process.returncode, err) == (0, "")
    assert json.loads(out)["winner"] == "black"
    found, line = checked(path)
    assert found, line


def test_a_lost_scheduler_ends_the_writing_with_one_line(tmp_path: Path, cluster: Cluster, compiled: None) -> None:
    path = tmp_path / "proof"
    with writing(path, "--scheduler", cluster.address) as process:
        cluster.scheduler.kill()
        out, err = process.communicate(timeout=90)
    assert process.returncode == 2
    assert out.startswith("black wins: ")
    assert len(err.splitlines()) == 1, err
    assert not path.exists()
