"""Proof files: proofs that the solver writes are accepted, and wrong ones refused."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from gtp_capture import Game
from gtp_capture.books.lookup import probe_book
from gtp_capture.go.opening import crosscut
from gtp_capture.go.vertex import BLACK, COLOR_NAMES, WHITE, opponent
from gtp_capture.solver.collection import describe_position
from gtp_capture.solver.proofs.checker import Checker, Counts
from gtp_capture.solver.proofs.format import FIELDS, INFERENCES, ProofError, create_proof, read_proof
from gtp_capture.solver.proofs.writer import write_proof
from gtp_capture.solver.solver import Solver
from gtp_capture.util.memory import MEBIBYTE

from ..support.brute_force import Points, game_of, outcome, random_position
from ..support.paths import TESTS

MEMORY = 64 * MEBIBYTE


def proven(game: Game, path: Path, threads: int = 1) -> tuple[int, bytes]:
    """Return the winner of a position, and the choices of its proof."""
    solver = Solver(game.width, game.height, MEMORY, threads)
    winner = solver.solve(game.board, int(game.to_move)).winner
    assert winner is not None
    with create_proof(path, dict.fromkeys(FIELDS, "")) as file:
        for _ in write_proof(solver, game.board, int(game.to_move), winner, file):
            pass
    _claim, chunks = read_proof(path)
    return winner, b"".join(chunks)


def verified(game: Game, winner: int, choices: bytes) -> int:
    """Return the positions checked; the bytes come one at a time, the hardest case. ProofError: the proof fails."""
    chunks = (choices[i : i + 1] for i in range(len(choices)))
    return list(Checker(game.board, winner, MEMORY).verify(int(game.to_move), chunks))[-1].choices


@pytest.mark.slow
@pytest.mark.parametrize("size", [(2, 2), (2, 3), (3, 3), (4, 3), (4, 4), (4, 5), (5, 5)], ids=str)
def test_proofs_that_the_solver_writes_hold(size: tuple[int, int], tmp_path: Path) -> None:
    game = Game("first-capture", size)
    winner, choices = proven(game, tmp_path / "proof")
    assert verified(game, winner, choices) == len(choices)
    with pytest.raises(ProofError, match="missing"):
        verified(game, winner, choices[:-1])
    with pytest.raises(ProofError, match="left over"):
        verified(game, winner, choices + b"\0")
    with pytest.raises(ProofError):
        verified(game, opponent(winner), choices)


@pytest.mark.slow
def test_plays_that_the_table_has_forgotten_are_found_with_few_nodes(tmp_path: Path) -> None:
    game = Game("first-capture", (4, 7))
    sizes = {}
    for memory in (256 * MEBIBYTE, 2 * MEBIBYTE):
        solver = Solver(4, 7, memory)
        winner = solver.solve(game.board, int(game.to_move), whole=False).winner
        assert winner is not None
        nodes = solver.nodes
        with create_proof(tmp_path / "proof", dict.fromkeys(FIELDS, "")) as file:
            *_, sizes[memory] = write_proof(solver, game.board, int(game.to_move), winner, file)
        assert solver.nodes - nodes < (0.05 * nodes if memory == 2 * MEBIBYTE else 1), memory
    assert solver.nodes > nodes
    assert sizes[2 * MEBIBYTE] < 1.5 * sizes[256 * MEBIBYTE]


@pytest.mark.parametrize("size", [(6, 6), (7, 7), (8, 7)], ids=str)
def test_the_proof_of_a_crosscut_holds(size: tuple[int, int], tmp_path: Path) -> None:
    game = Game("first-capture", size)
    game.setup_points(*crosscut(*size), BLACK)
    winner, choices = proven(game, tmp_path / "proof")
    assert winner == BLACK
    assert verified(game, winner, choices) == len(choices)


def acceptable(game: Game, winner: int, choices: bytes = b"") -> Iterator[bytes]:
    """Yield every string of choices that the checker accepts."""
    try:
        verified(game, winner, choices)
        yield choices
    except ProofError as error:
        if "missing" in str(error):
            for i in range(game.width * game.height):
                yield from acceptable(game, winner, choices + bytes([i]))


def positions(count: int, *sizes: tuple[int, int]) -> Iterator[tuple[Points, Points, tuple[int, int]]]:
    rng = random.Random(12)
    for i in range(count):
        size = sizes[i % len(sizes)]
        yield *random_position(rng, *size), size


@pytest.mark.slow
def test_the_checker_accepts_a_proof_exactly_if_minimax_gives_the_same_winner() -> None:
    seen = {BLACK: 0, WHITE: 0}
    for own, opp, size in positions(60, (2, 2), (2, 3), (3, 2)):
        truth = BLACK if outcome(own, opp, *size)[0] else WHITE
        seen[truth] += 1
        game = game_of(own, opp, *size, BLACK)
        for winner in (BLACK, WHITE):
            assert (next(acceptable(game, int(winner)), None) is not None) == (winner == truth), (own, opp, winner)
    assert min(seen.values()) > 10


@pytest.mark.slow
def test_proofs_of_random_positions_hold(tmp_path: Path) -> None:
    for own, opp, size in positions(30, (3, 3), (4, 3), (4, 4)):
        for color in (BLACK, WHITE):
            game = game_of(own, opp, *size, int(color))
            if game.outcome is None:
                winner, choices = proven(game, tmp_path / "proof")
                assert verified(game, winner, choices) == len(choices)


def test_too_little_memory_is_an_error(tmp_path: Path) -> None:
    game = Game("first-capture", 5)
    noise = bytes(random.Random(1).randrange(25) for _ in range(1000))
    with pytest.raises(ProofError):
        list(Checker(game.board, BLACK, 0).verify(BLACK, iter([noise])))


def verified_file(name: str, game: Game, winner: int) -> Counts:
    """Verify a proof in tests/proofs, of a position and its winner, without the solver; return its size."""
    claim, chunks = read_proof(TESTS / "proofs" / name)
    assert claim == {**describe_position(game), "winner": COLOR_NAMES[winner], "inferences": list(INFERENCES)}
    return list(Checker(game.board, winner, 2**29).verify(int(game.to_move), chunks))[-1]


@pytest.mark.slow
def test_black_wins_on_the_empty_6x6_board() -> None:
    """The replies are as many as an independent checker counted, which shares no code with this project."""
    counts = verified_file("6x6.proof", Game("first-capture", 6), BLACK)
    assert counts == (9_383_548, 145_625_610, 132_934_307)


@pytest.mark.slow
@pytest.mark.parametrize("first", ["A1", "B1", "C1", pytest.param("B2", marks=pytest.mark.long)])
def test_white_wins_on_6x6_after_a_bad_first_move(first: str) -> None:
    game = Game("first-capture", 6)
    game.play(first)
    assert verified_file(f"6x6-after-{first}.proof", game, WHITE)


def crosscut_of(name: str) -> Game:
    """Return the position of a name such as 8x8-crosscut-C3-swapped: C3 is the lower left point of the crosscut."""
    size, _, *words = name.split("-")
    width, height = map(int, size.split("x"))
    game, (black, white) = Game("first-capture", (width, height)), crosscut(width, height)
    shift = sum(game.point(word) - black[0] for word in words if word != "swapped")
    lower, upper = ([p + shift for p in side] for side in (black, white))
    game.setup_points(*((upper, lower) if "swapped" in words else (lower, upper)), BLACK)
    return game


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted((TESTS / "proofs").glob("*-crosscut*.proof")), ids=lambda path: path.stem)
def test_black_wins_with_a_crosscut(path: Path) -> None:
    game = crosscut_of(path.stem)
    assert game.to_move == "black"
    assert verified_file(path.name, game, BLACK)
    known = probe_book(game.board, BLACK)
    assert known is not None
    assert known.winner == BLACK
