"""The kernels for boards of more than 64 points: against those for smaller boards, brute force and the tree search.

Their proofs are compared with those of the other kernels, and checked by an oracle.
"""

from __future__ import annotations

import gzip
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from gtp_capture import Game
from gtp_capture.go.vertex import BLACK, WHITE, opponent, point_at
from gtp_capture.solver import solver as solver_module
from gtp_capture.solver.exact import Node
from gtp_capture.solver.proofs import checker as checker_module
from gtp_capture.solver.proofs.files import check_file, write_file
from gtp_capture.solver.result import UNKNOWN, SolverError, unsupported
from gtp_capture.solver.solver import Solver
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE
from tests.support.random_games import safe_plays

from ..support.brute_force import bits, random_position
from ..support.minimax import check
from ..support.proof_check import checked
from ..support.proof_oracle import count_file


@pytest.fixture
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """New solvers use the kernels of large boards on all boards."""
    monkeypatch.setattr(solver_module, "words_of", lambda points: 2)


def solvers(width: int, height: int, monkeypatch: pytest.MonkeyPatch) -> tuple[Solver, Solver]:
    """Return a solver with the kernels of its board, and one with those of large boards."""
    narrow = Solver(width, height, MEBIBYTE)
    with monkeypatch.context() as patch:
        patch.setattr(solver_module, "words_of", lambda points: 2)
        return narrow, Solver(width, height, MEBIBYTE)


@pytest.mark.parametrize("size", [(4, 4), (5, 4), (5, 5), (6, 5), (6, 6), (7, 7), (8, 8)], ids=str)
def test_both_kernels_search_the_same_nodes(size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(size[0] * 10 + size[1])
    both = solvers(*size, monkeypatch)
    for _ in range(40):
        own, opp = random_position(rng, *size)
        node = Node(bits(own, size[0]), bits(opp, size[0]), 0, 0, rng.choice((0, 1)))
        attacker, plies = rng.choice(((0, 0), (1, 7), (-1, 6)))
        results = [solver.search(node, Limit(nodes=2_000).begin(), attacker, plies) for solver in both]
        assert results[0] == results[1]
        assert both[0].nodes == both[1].nodes
    assert (both[0].table == both[1].table).all()


@pytest.mark.slow
@pytest.mark.usefixtures("wide")
def test_minimax_agrees_with_the_kernels_of_large_boards() -> None:
    assert sum(check(60, seed=9).values()) == 60


@pytest.mark.parametrize("size", [(9, 9), (10, 10), (11, 11), (8, 16)], ids=str)
def test_a_capture_and_its_plies_are_found_at_the_last_points_of_a_large_board(size: tuple[int, int]) -> None:
    width, height = size
    game = Game("first-capture", (width, height))
    last = [point_at(width - 1 - x, height - 1 - y, width) for x, y in ((0, 0), (1, 0), (0, 1), (1, 1))]
    game.setup_points([last[1]], [last[0]], BLACK)
    solution = Solver(width, height, MEBIBYTE).solve(game.board, BLACK, length=True)
    assert (solution.winner, solution.line, solution.plies) == (BLACK, (last[2],), 1)
    game.setup_points([], [last[1], last[2]], BLACK)
    solver = Solver(width, height, MEBIBYTE)
    points = {play.point for play in solver.plays(solver.node(game.board, BLACK))}
    assert (last[0] in points, last[3] in points) == (False, True)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.slow
@pytest.mark.parametrize("size", [(3, 3), (4, 5), (5, 5), (7, 6)], ids=str)
def test_both_kernels_write_and_check_the_same_proofs(
    size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game("first-capture", size) if size != (7, 6) else decided(size)
    written = []
    for words, solver in enumerate(solvers(*size, monkeypatch), 1):
        folder = tmp_path / str(words)
        folder.mkdir()
        winner = solver.solve(game.board, int(game.to_move)).winner
        assert winner is not None
        write_file(solver, game, winner, folder / "whole")
        written.append(files(folder))
    assert written[0] == written[1]
    counts = []
    for words in (1, 2):
        monkeypatch.setattr(checker_module, "words_of", lambda points, words=words: words)
        counts.append(check_file(tmp_path / "1" / "whole", 2**27).counts)
    assert counts[0] == counts[1]


def decided(size: tuple[int, int]) -> Game:
    """Return a game, after random safe plays on a quarter of the points or more, that takes some search to decide."""
    rng, solver, points = random.Random(size[0]), Solver(*size, MEBIBYTE), size[0] * size[1]
    while True:
        game = Game("first-capture", size)
        for played in range(1, points):
            plays = safe_plays(game, solver)
            if not plays:
                break
            game.play_point(rng.choice(plays))
            before = solver.nodes
            if 4 * played < points:
                continue
            result = solver.value(game.board, int(game.to_move), Limit(nodes=2_000).begin())
            if result != UNKNOWN and solver.nodes > before + 40:
                return game


LARGE_SIZES = [(9, 8), (9, 9), (11, 11), (8, 16)]


@pytest.mark.slow
@pytest.mark.parametrize("size", LARGE_SIZES, ids=str)
def test_proofs_of_large_boards_hold_and_forged_ones_do_not(size: tuple[int, int], tmp_path: Path) -> None:
    game, solver = decided(size), Solver(*size, MEBIBYTE)
    winner = solver.solve(game.board, int(game.to_move)).winner
    assert winner is not None
    path = tmp_path / "whole"
    write_file(solver, game, winner, path)
    assert check_file(path, 2**27).counts == count_file(path)
    claim, _, choices = gzip.decompress(path.read_bytes()).partition(b"\n")
    rng = random.Random(1)

    def forged(claim: bytes, choices: bytes) -> str:
        path.write_bytes(gzip.compress(claim + b"\n" + choices))
        holds, line = checked(path)
        assert not holds or count_file(path)  # the oracle accepts it too
        return line

    assert "missing" in forged(claim, choices[:-1])
    assert "left over" in forged(claim, choices + b"\0")
    names: dict[int, bytes] = {BLACK: b'"winner": "black"', WHITE: b'"winner": "white"'}
    assert "the proof fails" in forged(claim.replace(names[winner], names[opponent(winner)]), choices)
    assert "no legal play" in forged(claim, bytes([size[0] * size[1]]) + choices[1:])
    for _ in range(8):
        changed = bytearray(choices)
        changed[rng.randrange(len(changed))] = rng.randrange(size[0] * size[1])
        forged(claim, bytes(changed))


def test_boards_of_more_than_128_points_are_refused() -> None:
    with pytest.raises(SolverError, match="up to 128 points, not 12x11"):
        Solver(12, 11)
    assert unsupported(Game("first-capture", 11).rules, Game("first-capture", 11).board) is None


@pytest.mark.slow
def test_a_small_board_does_not_load_the_code_of_large_boards() -> None:
    code = (
        "import sys; from gtp_capture.solver.solver import Solver; Solver(8, 8, 2**20);"
        "print([name for name in sys.modules if name.endswith(('solver.dfpn_large', 'uint128'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.slow
def test_without_compiled_code_the_same_proof_of_a_large_board_is_written_and_checked(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from gtp_capture import Game;"
        "from gtp_capture.solver.proofs.files import check_file, write_file;"
        "from gtp_capture.solver.solver import Solver;"
        "g = Game('first-capture', 9); [g.play(v) for v in 'E6 D9 F3 B4 D3 J3 E3 C2 C3 H5 B1'.split()];"
        "s = Solver(9, 9, 2**20); w = s.solve(g.board, int(g.to_move), whole=False).winner; f = Path(sys.argv[1]);"
        "write_file(s, g, w, f / 'whole'); print(check_file(f / 'whole', 2**27).counts)"
    )
    outputs = []
    for disabled in ("0", "1"):
        folder, environment = tmp_path / disabled, os.environ | {"NUMBA_DISABLE_JIT": disabled}
        folder.mkdir()
        command = [sys.executable, "-W", "ignore", "-c", code, str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
        outputs.append((done.stdout, files(folder)))
    assert outputs[0] == outputs[1]
