"""The checker's rules on bits, compared with the rules engine on random positions."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from gtp_capture import BLACK, WHITE
from gtp_capture.go import board as bd
from gtp_capture.go.board import Board
from gtp_capture.go.symmetry import symmetries
from gtp_capture.go.vertex import EMPTY
from gtp_capture.jit.bitsets import words_of
from gtp_capture.solver.proofs import keyset, rules

pytestmark = pytest.mark.filterwarnings("ignore:overflow")  # of uncompiled unsigned numbers, as in compiled code
SIZES = [(2, 2), (3, 2), (2, 5), (3, 3), (4, 3), (5, 5), (6, 4), (6, 6), (7, 7), (8, 8), (8, 3), (2, 8)]
LARGE_SIZES = [(9, 8), (9, 9), (10, 10), (11, 11), (16, 8)]


@pytest.fixture(autouse=True)
def integers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """On large boards the rules run with Python integers: 128-bit numbers exist in compiled code alone."""
    if "size" in request.fixturenames and request.getfixturevalue("size") in LARGE_SIZES:
        for name, value in {"NONE": 0, "ONE": 1, "as_words": lambda number, words: number}.items():
            monkeypatch.setattr(rules, name, value)


def position(rng: random.Random, width: int, height: int) -> Board:
    """Return random stones; chains without liberties are left out."""
    board = bd.new(width, height)
    for p in bd.points(board):
        color = int(rng.choice((BLACK, WHITE)))
        if rng.random() < 0.6 and bd.is_legal(board, p, color, False) and not bd.captures_at(board, p, color):
            bd.place(board, p, color)
    return board


def bits(board: Board, points: list[int]) -> Any:
    order = bd.points(board)
    mask = sum(1 << order.index(p) for p in set(points))
    return mask if len(order) > 64 else np.uint64(mask)


def stones(board: Board, color: int) -> Any:
    return bits(board, [p for p in bd.points(board) if board.color[p] == color])


def empty(board: Board) -> Any:
    return stones(board, EMPTY)


@pytest.mark.parametrize("size", [*SIZES, *LARGE_SIZES], ids=str)
def test_neighbours_and_chains_are_those_of_the_board(size: tuple[int, int]) -> None:
    rng, g = random.Random(1), rules.grid(*size)
    for _ in range(3):
        board = position(rng, *size)
        for p in bd.points(board):
            around = bd.neighbors(board, p)
            assert rules.near(bits(board, [p]), g) == bits(board, around)
            if board.color[p] != EMPTY:
                own = stones(board, int(board.color[p]))
                assert rules.chain_of(bits(board, [p]), own, g) == bits(board, bd.stones(board, p))
        some = [p for p in bd.points(board) if rng.random() < 0.4]
        twice = [p for p in bd.points(board) if sum(q in some for q in bd.neighbors(board, p)) >= 2]
        assert rules.near_two(bits(board, some), g) == bits(board, twice)


@pytest.mark.parametrize("size", [*SIZES, *LARGE_SIZES], ids=str)
def test_liberties_and_replies_are_those_of_the_board(size: tuple[int, int]) -> None:
    rng, g = random.Random(2), rules.grid(*size)
    for _ in range(6):
        board = position(rng, *size)
        for color, other in ((BLACK, WHITE), (WHITE, BLACK)):
            liberties = rules.liberties(stones(board, int(color)), empty(board), g)
            counted: dict[int, list[int]] = {1: [], 2: [], 3: []}
            for p in bd.chains(board, int(color)):
                counted[min(3, len(bd.liberties(board, p)))] += bd.liberties(board, p)
            assert liberties == (*(bits(board, counted[n]) for n in (1, 2, 3)),)
            if bd.chains_in_atari(board, int(other)):
                continue
            legal = [p for p in bd.points(board) if bd.is_legal(board, p, int(color), False)]
            safe = [p for p in legal if not bd.chains_in_atari(bd.after(board, p, int(color)), int(color))]
            assert rules.replies(stones(board, int(color)), empty(board), g) == (bits(board, legal), bits(board, safe))


@pytest.mark.parametrize("size", [*SIZES, *LARGE_SIZES], ids=str)
def test_two_positions_have_one_key_exactly_if_one_is_an_image_of_the_other(size: tuple[int, int]) -> None:
    points = size[0] * size[1]
    words = words_of(points)
    rng, weights = random.Random(3), keyset.weights(*size, words).weights
    table = weights.reshape(2, weights.shape[1], 16, -1).tolist()

    def key(colors: tuple[int, ...]) -> tuple[int, int]:
        numbers = [
            sum(word << 64 * k for i, c in enumerate(colors) if c for k, word in enumerate(table[c - 1][i][s]))
            for s in range(16)
        ]
        assert max(numbers) < 2 ** (64 * words) - 1
        return min(zip(numbers[:8], numbers[8:], strict=True))

    for _ in range(20):
        colors = tuple(rng.choice((0, 0, 1, 2)) for _ in range(points))
        images = {tuple(colors[i] for i in symmetry) for symmetry in symmetries(*size)}
        assert len({key(image) for image in images}) == 1
        changed = rng.randrange(points)
        other = (*colors[:changed], (colors[changed] + 1) % 3, *colors[changed + 1 :])
        assert key(other) != key(colors)
        assert keyset.numbers_of(points, words) == 2 or key(colors)[1] == 0
