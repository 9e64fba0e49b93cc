"""The transposition table: its size, its buckets, and what is found in it."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtp_capture import Game
from gtp_capture.solver.dfpn import canonical
from gtp_capture.solver.solver import Solver
from gtp_capture.solver.table import (
    BUCKET,
    BUCKET_WORDS,
    LEAF,
    bucket_of,
    effort_of,
    new_table,
    numbers_of,
    probe,
    store,
    store_leaf,
)
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE

LINE = 64
"""Bytes of a cache line."""
Key = tuple[Any, Any]


def random_keys(seed: int, count: int) -> list[Key]:
    halves = np.random.default_rng(seed).integers(0, 2**64, (count, 2), np.uint64)
    return [(low, high) for low, high in halves]


def stored(table: Any, key: Key) -> tuple[int, int] | None:
    value = probe(table, *key)
    return tuple(map(int, numbers_of(value))) if value else None  # type: ignore[return-value]


@given(st.integers(LINE, 2**22))
def test_a_table_fills_its_memory_with_whole_cache_lines(memory: int) -> None:
    table = new_table(memory)
    assert memory - LINE < table.nbytes <= memory
    assert new_table(table.nbytes).nbytes == table.nbytes
    assert table.nbytes % LINE == table.ctypes.data % LINE == 0
    assert not table.any()


@pytest.mark.parametrize("buckets", [1, 2, 7, 100, 96, 1000, 65_536, 99_991])
def test_keys_are_spread_evenly_over_any_number_of_buckets(buckets: int) -> None:
    zobrist = Solver(5, 5, MEBIBYTE).zobrist.keys
    table, rng, each = np.zeros(buckets * BUCKET_WORDS, np.uint64), random.Random(buckets), 40
    groups, count = min(buckets, 100), Counter[int]()
    for _ in range(groups * each):
        hashes = np.bitwise_xor.reduce([zobrist[rng.randrange(2), i] for i in rng.sample(range(25), 8)])
        bucket, rest = divmod(int(bucket_of(table, hashes[canonical(hashes)])), BUCKET_WORDS)
        assert rest == 0
        assert 0 <= bucket < buckets
        count[bucket * groups // buckets] += 1
    # Chi-squared with groups - 1 degrees of freedom: six standard deviations above its mean.
    chi_squared = sum((count[i] - each) ** 2 / each for i in range(groups))
    assert chi_squared < groups - 1 + 6 * (2 * groups) ** 0.5


@given(st.integers(0, 2**32), st.integers(1, 9), st.integers(1, 60))
def test_a_probe_returns_the_last_numbers_of_a_key_or_nothing(seed: int, buckets: int, keys: int) -> None:
    table, rng, model = np.zeros(buckets * BUCKET_WORDS, np.uint64), random.Random(seed), {}
    known = random_keys(seed, keys)
    for _ in range(3 * keys):
        key, numbers = rng.choice(known), (rng.randrange(2**28), rng.randrange(1, 2**28))
        store(table, *key, *numbers, rng.randrange(1, 2**40))
        model[key] = numbers
        assert stored(table, key) == numbers
    assert all(stored(table, key) in (model.get(key), None) for key in known)
    load = Counter(int(bucket_of(table, low)) for low, _ in model)
    assert all(stored(table, key) for key in model if load[int(bucket_of(table, key[0]))] <= BUCKET)


def test_a_new_position_replaces_the_one_that_cost_least() -> None:
    table = new_table(LINE)
    keys = random_keys(1, BUCKET + 1)
    for key, nodes in zip(keys, [4096, 64, 8, 512, 1], strict=True):
        store(table, *key, 5, 6, nodes)
    assert [stored(table, key) is None for key in keys] == [False, False, True, False, False]
    store(table, *keys[0], 7, 8, 2)
    assert stored(table, keys[0]) == (7, 8)
    assert int(effort_of(probe(table, *keys[0]))) == LEAF + 13  # what it cost first


def test_leaves_fill_a_bucket_and_give_way_to_searched_positions() -> None:
    table = new_table(LINE)
    leaves, searched = random_keys(4, 3 * BUCKET), random_keys(5, BUCKET)
    for key in leaves[:BUCKET]:
        store_leaf(table, *key, 1, 2)
    assert all(stored(table, key) == (1, 2) for key in leaves[:BUCKET])
    for kept, key in enumerate(searched):
        store(table, *key, 3, 4, 1)
        assert sum(stored(table, leaf) is None for leaf in leaves[:BUCKET]) == kept + 1
    for key in leaves:
        store_leaf(table, *key, 1, 2)
    assert all(stored(table, key) == (3, 4) for key in searched)


def test_leaves_replace_leaves() -> None:
    table = new_table(LINE)
    leaves = random_keys(6, 10 * BUCKET)
    for key in leaves:
        store_leaf(table, *key, 1, 2)
        assert stored(table, key) == (1, 2)
    old = sum(stored(table, key) is not None for key in leaves[: -2 * BUCKET])
    assert old < BUCKET  # not always the same one is replaced


def test_a_leaf_that_is_searched_later_keeps_its_entry() -> None:
    table = new_table(LINE)
    one, other = random_keys(7, 2)
    store_leaf(table, *one, 1, 2)
    store_leaf(table, *other, 1, 2)
    store(table, *one, 5, 6, 100)
    assert (stored(table, one), stored(table, other)) == ((5, 6), (1, 2))
    assert np.count_nonzero(table) == 4


def test_an_entry_of_two_writes_at_the_same_time_matches_no_key() -> None:
    for one, other in itertools.permutations(random_keys(2, 6), 2):
        first, second = new_table(LINE), new_table(LINE)
        store(first, *one, 1, 2, 3)
        store(second, *other, 4, 5, 6)
        torn = np.concatenate([first[:1], second[1:]])
        assert stored(torn, one) is None
        assert stored(torn, other) is None


def test_only_a_full_table_is_cleared_and_only_for_another_game() -> None:
    solver, game = Solver(5, 5, 2**20), Game("first-capture", 5)
    for play in ("C3", "B2", "D3", "A4"):
        game.play(play)
    solver.begin(game.board)
    solver.value(game.board, int(game.to_move), Limit().begin())
    other = Game("first-capture", 5)
    solver.begin(other.board)
    assert solver.table.any()
    solver.begin(game.board)
    solver.nodes += solver.table.size  # as many as it has room for
    for play in ("B4", "D1"):
        game.play(play)
        solver.begin(game.board)
    game.undo()
    solver.begin(game.board)
    assert solver.table.any()
    solver.begin(other.board)
    assert not solver.table.any()
