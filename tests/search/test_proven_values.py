"""Proven values of the tree search against an independent brute-force solver."""

from __future__ import annotations

import random
from functools import cache

import pytest

from gtp_capture.go import board as bd
from gtp_capture.go.game import Game
from gtp_capture.go.vertex import BLACK, WHITE
from gtp_capture.jit.records import Turn, rules_record
from gtp_capture.search import mcts
from gtp_capture.util.limit import Limit


@cache
def neighbors(width: int, height: int) -> tuple[tuple[int, ...], ...]:
    def near(i: int) -> tuple[int, ...]:
        x, y = i % width, i // width
        around = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
        return tuple(b * width + a for a, b in around if 0 <= a < width and 0 <= b < height)

    return tuple(near(i) for i in range(width * height))


def has_liberty(cells: str, start: int, width: int, height: int) -> bool:
    seen, frontier = {start}, [start]
    for i in frontier:
        for j in neighbors(width, height)[i]:
            if cells[j] == ".":
                return True
            if cells[j] == cells[start] and j not in seen:
                seen.add(j)
                frontier.append(j)
    return False


@cache
def wins(cells: str, color: str, width: int, height: int) -> bool:
    """Return whether the colour to move wins first capture, by exhaustive search."""
    other = "O" if color == "X" else "X"
    for i in range(width * height):
        if cells[i] != ".":
            continue
        after = cells[:i] + color + cells[i + 1 :]
        around = neighbors(width, height)[i]
        if any(after[j] == other and not has_liberty(after, j, width, height) for j in around):
            return True
        if has_liberty(after, i, width, height) and not wins(after, other, width, height):
            return True
    return False


def random_position(rng: random.Random, width: int, height: int, stones: int) -> Game | None:
    game = Game("first-capture", width, height)
    for _ in range(stones):
        plays = game.legal_plays()
        if not plays:
            return None
        game.play(rng.choice(plays))
        if game.outcome is not None:
            return None
    return game


def cells_of(game: Game) -> str:
    return "".join(".XO"[int(game.board.color[p])] for p in bd.points(game.board))


@pytest.mark.parametrize(
    ("width", "height", "stones", "count"),
    [
        (3, 3, 0, 1),
        (3, 3, 2, 60),
        (3, 3, 4, 100),
        (4, 3, 2, 100),
        (4, 3, 4, 200),
        (4, 4, 4, 150),
        (4, 4, 6, 400),
        (5, 4, 8, 400),
    ],
)
def test_a_proven_result_is_the_true_one(width: int, height: int, stones: int, count: int) -> None:
    rng = random.Random(width * 100 + height * 10 + stones)
    tree = mcts.Tree(32 * 2**20, 1, 1)
    checked, proven = 0, 0
    while checked < count:
        game = random_position(rng, width, height, stones)
        if game is None:
            continue
        rules = rules_record(game.rules, 0.0)
        color = game.to_move
        moves = game.legal_plays()
        tree.clear()
        tree.search(mcts.ROOT, Turn(game.board, rules, color), moves, Limit(playouts=3000))
        truth = wins(cells_of(game), "X" if color == BLACK else "O", width, height)
        for candidate in tree.candidates(mcts.ROOT):
            if candidate.proven:
                game.play(candidate.move, color)
                lost = game.outcome is None and wins(cells_of(game), "X" if color == WHITE else "O", width, height)
                assert (candidate.proven > 0) == (not lost), (cells_of(game), color, candidate)
                game.undo()
        checked += 1
        verdict = tree.verdict(mcts.ROOT)
        if verdict is not None:
            assert verdict == truth, (cells_of(game), color)
            proven += 1
    assert proven > count // 3


def test_brute_force_reproduces_published_results() -> None:
    assert not wins("." * 4, "X", 2, 2)
    assert wins("." * 9, "X", 3, 3)
