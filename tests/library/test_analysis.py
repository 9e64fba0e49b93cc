"""Analyses, streams of them, hints and explanations as values, and their use from several threads."""

from __future__ import annotations

import asyncio
import math
import pickle
import sys
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import CancelledError, ThreadPoolExecutor
from itertools import islice
from typing import Any

import pytest

import gtp_capture as gc
from gtp_capture.library import streams
from gtp_capture.library.engine import FIXED_LINES, _analyst

from ..support.diagrams import ATARI, played, set_up
from ..support.paths import ROOT, TESTS
from ..support.process import HANG, python, wait_until
from ..support.truth import false_move

# --- Values ---


def test_a_move_of_an_analysis_completes_itself() -> None:
    assert gc.AnalysedMove("c3", 0.6) == gc.AnalysedMove("C3", winrate=0.6, visits=0, prior=0.0, line=("C3",))
    assert (gc.AnalysedMove("PASS", proof="loss").winrate, gc.AnalysedMove("D4", proof="win").winrate) == (0.0, 1.0)
    assert str(gc.AnalysedMove("D4", 0.256, 300, line=("D4", "E5"))) == "  D4  26%     300  D4 E5"


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: gc.AnalysedMove("C3", 1.5), ValueError, "a win rate is 0 to 1, not 1.5"),
        (lambda: gc.AnalysedMove("C3", float("nan")), ValueError, "a win rate is 0 to 1"),
        (lambda: gc.AnalysedMove("C3", proof="won"), ValueError, "a proof is 'win', 'loss' or None, not 'won'"),  # type: ignore[arg-type]
        (lambda: gc.AnalysedMove("C3", line="C3"), TypeError, "a line is a tuple of moves, not 'C3'"),  # type: ignore[arg-type]
        (lambda: gc.Analysis.of(gc.Game(size=5), {"resign": 0.1}), ValueError, "resigning has no win rate"),
        (lambda: gc.Analysis.of(gc.Game(size=5), {"J9": 0.5}), ValueError, "J9 is not on the 5x5 board"),
        (lambda: gc.Analysis.of(gc.Game(size=5), ["C3"]), TypeError, "an AnalysedMove is needed, not 'C3'"),  # type: ignore[list-item]
        (lambda: gc.Analysis.of(gc.Game(size=5), {"C3": 0.5, "c3": 0.4}), ValueError, "a move is there twice"),
        (lambda: gc.Analysis.of(set_up(ATARI, "aga"), {"C4": 0.5}), gc.IllegalMoveError, "black C4: the point is not"),
    ],
)
def test_a_wrong_value_is_named(make: Callable[[], object], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        make()


def test_another_program_makes_an_analysis_in_one_call() -> None:
    game = set_up(ATARI, "first-capture", int(gc.WHITE))
    rates = gc.Analysis.of(game, {"A1": 0.25, "b2": 0.5})
    assert [move.move for move in rates.moves] == ["B2", "A1"]
    assert (rates.color, rates.winner, rates.best) == (gc.WHITE, None, gc.AnalysedMove("B2", 0.5))
    mixed = [gc.AnalysedMove("A1", 0.9, 10), gc.AnalysedMove("E5", proof="loss"), gc.AnalysedMove("B2", 0.5, 20)]
    assert [move.move for move in gc.Analysis.of(game, mixed).moves] == ["B2", "A1", "E5"]
    assert gc.Analysis.of(game, [*mixed, gc.AnalysedMove("D3", proof="win")]).winner is gc.WHITE
    empty = gc.Analysis.of(game, [], color="black")
    assert (empty.color, empty.best, empty.moves) == (gc.BLACK, None, ())


def test_an_analysis_is_read_by_vertex_and_printed() -> None:
    game = gc.Game(size=5)
    analysis = gc.Analysis.of(game, [gc.AnalysedMove("C3", proof="win"), gc.AnalysedMove("A1", 0.25, 12)])
    assert (analysis["c3"].proof, analysis["A1"].winrate) == ("win", 0.25)
    assert ("a1" in analysis, "B1" in analysis, 3 in analysis) == (True, False, False)
    assert [move.move for move in analysis] == ["C3", "A1"]
    with pytest.raises(KeyError, match="B1"):
        analysis["B1"]
    with pytest.raises(KeyError, match="3"):
        analysis[3]  # type: ignore[index]
    assert str(analysis) == "black to play, black wins\n  C3  win       0  C3\n  A1  25%      12  A1"
    assert repr(analysis) == "<Analysis for black: 2 moves, C3 first>"
    assert pickle.loads(pickle.dumps(analysis)) == analysis != gc.Analysis.of(game, {"C3": 0.5})
    game.play("C3")  # the analysis has its own copy
    assert analysis.game == gc.Game(size=5)


def test_an_analysis_is_a_heat_map() -> None:
    analysis = gc.Analysis.of(
        gc.Game("aga", 5), [gc.AnalysedMove("C3", 0.62), gc.AnalysedMove("A1", proof="loss"), gc.AnalysedMove("pass")]
    )
    picture = analysis._repr_svg_()
    assert picture.startswith("<svg")
    assert ">62<" in picture
    assert ">-<" in picture
    assert ">50<" not in picture  # a pass has no place


@pytest.mark.slow
@pytest.mark.parametrize(("size", "first", "winner"), [(5, "C3", gc.BLACK), (4, "B2", gc.WHITE), (4, "B3", gc.WHITE)])
def test_lines_of_proven_moves_are_proven_for_the_winner_move_by_move(
    size: int, first: str, winner: gc.Color, compiled: None
) -> None:
    game = played(size, first)
    analysis = gc.analyse(game, playouts=2000)
    assert analysis.winner is winner
    assert any(len(move.line) > 1 for move in analysis.moves)
    for move in analysis.moves:
        assert move.proof is not None
        assert false_move(game, move.line, move.winrate, move.proof) is None


# --- Hints and explanations ---


def test_a_hint_is_a_value_with_a_sentence(compiled: None) -> None:
    hint = gc.hint(set_up(ATARI, "first-capture", int(gc.WHITE)), playouts=200)
    assert (hint.move, hint.reason, hint.proof) == ("D3", gc.Reason.CAPTURE, "win")
    assert (str(hint), str(hint.reason)) == ("D3 takes a stone and wins", "capture")
    open_hint = gc.hint(gc.Game("japanese", 9), playouts=50)
    assert (open_hint.proof, open_hint.reason) == (None, gc.Reason.RATE)


def test_an_explanation_is_a_value_with_a_sentence(compiled: None) -> None:
    game = set_up(ATARI, "first-capture")
    game.play("A1")
    why = gc.explain(game, playouts=200)
    assert (why.loses, why.proven, why.line, why.better, why.lost) == (True, True, ("D3",), None, gc.Lost.START)
    assert str(why).startswith("A1 loses in 1 ply: W D3 (capture)")
    game.undo()
    game.resign()
    assert gc.explain(game).loses is True
    better = gc.explain(played(5, "C3", "C2", "A1"), playouts=2000).better
    assert better is not None
    assert (better.proof, str(better).startswith(better.move)) == ("win", True)
    won = set_up(ATARI, "first-capture", int(gc.WHITE))
    won.play("D3")
    assert (gc.explain(won).loses, gc.explain(won).better) == (False, None)
    open_game = played(9, "E5", rules="japanese")
    unknown = gc.explain(open_game, playouts=50)
    assert (unknown.loses, unknown.proven) == (None, False)
    passed = played(9, "E5", "pass", "pass", rules="japanese")
    assert gc.explain(passed).loses is None  # dead stones are not decided


# --- Streams ---


def searching() -> list[threading.Thread]:
    """The threads of streams that run."""
    return [thread for thread in threading.enumerate() if thread.name == "stream"]


def test_a_stream_gives_values_that_grow(compiled: None) -> None:
    visits = [0]
    for analysis in gc.stream(gc.Game("japanese", 9), every=0.01):
        visits.append(sum(move.visits for move in analysis.moves))
        if visits[-1] > 2 * visits[1]:
            break
    assert visits == sorted(visits)


def fail_inside(stream: gc.Stream) -> None:
    """Leave a loop by an error."""
    for _ in stream:
        raise ZeroDivisionError


@pytest.mark.slow
def test_leaving_the_loop_stops_the_search(compiled: None) -> None:
    stream = gc.stream(gc.Game("japanese", 9), every=0.01)
    for _ in stream:
        assert len(searching()) == 1
        break
    wait_until(lambda: not searching())
    with pytest.raises(ZeroDivisionError):
        fail_inside(stream)  # a stream may be used again
    wait_until(lambda: not searching())
    values = iter(stream)
    next(values)
    values.close()
    wait_until(lambda: not searching())
    for _ in stream:
        stream.close()
    wait_until(lambda: not searching())


@pytest.mark.slow
def test_the_other_functions_work_inside_a_loop(compiled: None) -> None:
    game = gc.Game(size=7)
    for analysis in gc.stream(game, every=0.01):
        assert gc.hint(game, playouts=20).move in game.legal_moves()
        assert analysis.game == game
        break
    for _ in gc.stream(game, every=0.01):
        assert [value.color for value in islice(gc.stream(game, every=0.01), 2)] == [gc.BLACK] * 2
        break
    wait_until(lambda: not searching())


@pytest.mark.slow
def test_a_stream_of_a_solved_position_has_lines_at_its_end(compiled: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "LINES", FIXED_LINES)
    *_, last = gc.stream(gc.Game(size=4), seconds=HANG)
    wait_until(lambda: not searching())
    assert last.winner is gc.WHITE
    assert all(len(move.line) > 1 for move in last.moves)


def test_asyncio_goes_on_while_a_stream_works(compiled: None) -> None:
    async def main() -> tuple[int, int]:
        turns, seen = 0, 0

        async def other() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        task = asyncio.create_task(other())
        async for analysis in gc.stream(gc.Game("japanese", 9), every=0.05):
            seen += bool(analysis.moves)
            if seen == 3:
                break
        task.cancel()
        return turns, seen

    turns, seen = asyncio.run(main())
    assert seen == 3
    assert turns > 30
    wait_until(lambda: not searching())


def test_an_error_of_the_search_reaches_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise MemoryError("no memory")

    monkeypatch.setattr("gtp_capture.library.streams.study", fail)
    with pytest.raises(MemoryError, match="no memory"):
        next(iter(gc.stream(gc.Game())))


# --- Threads ---


@pytest.mark.slow
def test_all_functions_can_be_called_from_several_threads(compiled: None) -> None:
    game = played(5, "C3")
    works: list[Callable[[], object]] = [
        lambda: gc.analyse(game, playouts=50),
        lambda: gc.hint(game, playouts=50),
        lambda: gc.explain(game, playouts=50),
        lambda: gc.solve(game).winner,
        lambda: gc.score(gc.Game("japanese", 5)),
        lambda: [value.best for value in islice(gc.stream(game, every=0.01), 2)],
        lambda: gc.Player(level=3, seed=1).choose(game, playouts=20),
        lambda: gc.load_sgf(gc.dump_sgf(game)) == game,
        lambda: gc.review(game, seconds_per_move=0.01).moves[0].vertex,
        lambda: len(gc.puzzles(count=1, depth=1)),
    ]
    with ThreadPoolExecutor(4) as pool:
        for future in [pool.submit(work) for work in works * 2]:
            assert future.result(HANG) is not None
    assert not _analyst()._lock.locked()


def test_two_searches_run_at_once_and_a_third_waits(compiled: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gtp_capture.library.engine._turns", threading.BoundedSemaphore(2))
    game = gc.Game("capture-3", 9)
    with ThreadPoolExecutor(3) as pool, gc.Stop() as first, gc.Stop() as second:
        endless = [pool.submit(gc.analyse, game, seconds=math.inf, stop=stop) for stop in (first, second)]
        wait_until(lambda: len(searches()) == 2)
        third = pool.submit(gc.analyse, game, playouts=20)
        with gc.Stop() as stop:
            pass
        with pytest.raises(CancelledError, match="while other threads searched"):
            gc.analyse(game, seconds=1, stop=stop)
        assert not third.done()
        first.set()
        assert third.result(HANG).moves
        assert not endless[1].done()
        second.set()
        assert all(search.result(HANG).moves for search in endless)


def searches() -> list[str]:
    """The threads that search."""
    stacks = ["".join(traceback.format_stack(frame)) for frame in sys._current_frames().values()]
    return [stack for stack in stacks if "in _study_round" in stack]


def test_a_seed_is_another_fresh_search(compiled: None) -> None:
    game = gc.Game("japanese", 7)
    one, two = (gc.analyse(game, playouts=200, seed=seed) for seed in (1, 2))
    assert one == gc.analyse(game, playouts=200, seed=1) != two
    with pytest.raises(ValueError, match="a search with a seed is fresh"):
        gc.analyse(game, seed=1, fresh=False)


FIXED = """
import sys
import gtp_capture as gc

def answers():
    for rules, size, moves in (("first-capture", 5, "C3 C2 D2"), ("capture-3", 6, "D4 D3"), ("japanese", 6, "D4 C3")):
        game = gc.Game(rules, size)
        for move in moves.split():
            game.play(move)
        yield gc.analyse(game, playouts=100), gc.hint(game, playouts=100), gc.explain(game, playouts=100)

first = list(answers())
if len(sys.argv) > 1:
    gc.analyse(gc.Game("first-capture", 5), playouts=2000, fresh=False)
    gc.solve(gc.Game("first-capture", 5))
    assert list(answers()) == first
print([(move, move.line_visits) for analysis, *_ in first for move in analysis], [told for _, *told in first])
"""


@pytest.mark.slow
def test_a_fixed_number_of_playouts_has_a_fixed_answer_after_any_calls_and_on_a_slow_machine(compiled: None) -> None:
    slow = {"PYTHONPATH": str(TESTS / "support" / "slow_machine")}
    assert python(FIXED, "again", folder=ROOT) == python(FIXED, env=slow, folder=ROOT) != ""


def test_a_search_that_is_not_fresh_goes_on_from_what_is_known(compiled: None) -> None:
    game = gc.Game("capture-3", 9)
    first, second = (gc.analyse(game, playouts=300, fresh=False) for _ in range(2))
    assert sum(move.visits for move in second) > sum(move.visits for move in first)
    assert gc.analyse(game, playouts=300) == gc.analyse(game, playouts=300)
