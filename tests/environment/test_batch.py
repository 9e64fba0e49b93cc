"""Many boards at once: each value of each step against `Game`, which knows nothing of the compiled code."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gtp_capture as gc
from gtp_capture.environment import PLANES, RESIGN, WAIT, BatchEnv, observe, random_agent

from ..support.process import HANG
from ..support.random_games import RULES, Plan, plans

KINDS = {name: rules for name, rules in RULES.items() if not rules.dead_stones} | {
    "superko of captures": gc.PRESETS["capture-20"].override(ko=gc.Ko.POSITIONAL, suicide=True),
    "situational superko": gc.PRESETS["tromp-taylor"].override(ko=gc.Ko.SITUATIONAL),
    "simple ko": gc.PRESETS["tromp-taylor"].override(ko=gc.Ko.SIMPLE, suicide=False),
    "passes cost stones": gc.PRESETS["tromp-taylor"].override(passing=gc.Passing.STONE),
    "captures or area": gc.PRESETS["tromp-taylor"].override(captures=6),
    "no pass": gc.PRESETS["tromp-taylor"].override(passing=gc.Passing.FORBIDDEN, scoring=gc.Scoring.NONE),
}
REPEATING = [gc.Illegal.KO, gc.Illegal.SUPERKO]


def planes(game: gc.Game) -> dict[str, Any]:
    """The observation of a position by its definition."""
    board, color = game.board_array(), game.to_move
    names = [[f"{'ABCDEFGHJ'[x]}{game.height - y}" for x in range(game.width)] for y in range(game.height)]
    liberties = np.array([[len(game.liberties(v)) if game[v] else 0 for v in row] for row in names])
    why = np.array([[game.why_illegal_point(game.point(v)) in REPEATING for v in row] for row in names])
    most = game.rules.captures or 0
    return {
        "own": board == int(color),
        "other": board == int(color.opponent),
        "empty": board == 0,
        "black_to_move": color == gc.BLACK,
        "one_liberty": liberties == 1,
        "two_liberties": liberties == 2,
        "more_liberties": liberties > 2,
        "own_need": max(0, most - game.prisoners(color)),
        "other_need": max(0, most - game.prisoners(color.opponent)),
        "ko": why,
    }


def assert_seen(observation: Any, legal: Any, game: gc.Game, over: bool) -> None:
    """Check what one board shows against a game."""
    for number, (name, expected) in enumerate(planes(game).items()):
        assert PLANES[number] == name
        assert (observation[number] == expected).all(), name
    assert (legal == (np.zeros_like(legal) if over else game.legal_mask())).all()


def reward(before: gc.Game, after: gc.Game) -> int:
    """What the colour that has moved gets."""
    if after.outcome is None or after.outcome.winner is None:
        return 0
    return 1 if after.outcome.winner is before.to_move else -1


@pytest.mark.slow
@given(
    st.sampled_from(sorted(KINDS)), st.integers(2, 5), st.integers(2, 5), st.integers(0, 2**32), st.sampled_from([0, 2])
)
def test_each_step_is_that_of_the_game(rules: str, width: int, height: int, seed: int, plies: int) -> None:
    rng, boards = np.random.default_rng(seed), 2
    env = BatchEnv(boards, KINDS[rules], (width, height), seed=seed, plies=(0, plies), komi=0.5)
    try:
        now = env.reset()
    except ValueError:  # on the smallest boards two plays may end each game
        assert plies > 0
        assert min(width, height) == 2
        return
    games = [env.game(i) for i in range(boards)]
    for _ in range(40):
        assert [int(game.to_move) for game in games] == env.to_move.tolist()
        actions = np.full(boards, WAIT)
        for i, game in enumerate(games):
            over = bool(now.terminated[i] or now.truncated[i])
            assert_seen(now.observations[i], now.legal[i], game, over)
            assert env.game(i) == game
            if rng.random() < 0.9:
                actions[i] = rng.integers(1000) if over else rng.choice(np.flatnonzero(now.legal[i]))
        before, now = now, env.step(actions)
        for i, game in enumerate(games):
            was_over = before.terminated[i] or before.truncated[i]
            if actions[i] == WAIT:
                assert (now.rewards[i], now.terminated[i]) == (0, before.terminated[i])
            elif was_over:
                games[i] = env.game(i)
                assert len(games[i].moves) <= plies
                assert not games[i].is_over
                assert (now.rewards[i], now.terminated[i], now.truncated[i]) == (0, False, False)
            else:
                after = game.copy()
                after.play(env.vertex(int(actions[i])))
                games[i] = after
                assert now.rewards[i] == reward(game, after)
                assert now.terminated[i] == after.is_over
                steps = len(after.moves) - len(env.openings[0].moves)
                assert not now.truncated[i] or (env.max_moves is not None and steps >= env.max_moves)


@given(plans(rules=[rules for rules in RULES if not RULES[rules].dead_stones]))
def test_any_position_can_be_observed_and_gone_on_from(plan: Plan) -> None:
    game = plan.after()
    seen, env = observe([game, game]), BatchEnv(2, game.rules, game.size)
    for i in range(2):
        assert_seen(seen.observations[i], seen.legal[i], game, over=game.is_over)
    if game.is_over:
        with pytest.raises(gc.GameError, match=r"^the game is over$"):
            env.reset(options={"games": [game, None]})
        return
    now = env.reset(options={"games": [game, None]})
    assert (env.game(0), env.game(1).moves) == (game, [])
    action = int(np.flatnonzero(now.legal[0])[-1])
    now = env.step([action, WAIT])
    game.play(env.vertex(action))
    assert env.game(0) == game
    assert_seen(now.observations[0], now.legal[0], game, game.is_over)


def test_the_seed_decides_the_openings_and_each_of_a_list_is_drawn() -> None:
    starts = [gc.Game("capture-3", 5) for _ in range(3)]
    for start, vertex in zip(starts[1:], ("C3", "A1"), strict=True):
        start.play(vertex)
    first, same, other = (BatchEnv(30, "capture-3", 5, openings=starts, plies=(2, 4), seed=s) for s in (7, 7, 8))
    for env in (first, same, other):
        env.reset()
    games, again, others = ([env.game(i) for i in range(30)] for env in (first, same, other))
    assert games == again
    assert games != others
    drawn = [next(k for k in (1, 2, 0) if game.copy(len(starts[k].moves)) == starts[k]) for game in games]
    assert {len(game.moves) - len(starts[k].moves) for game, k in zip(games, drawn, strict=True)} == {2, 3, 4}
    assert set(drawn) == {0, 1, 2}
    first.reset()
    assert [first.game(i) for i in range(30)] != games
    first.reset(seed=7)
    assert [first.game(i) for i in range(30)] == games


@pytest.mark.slow
def test_a_random_play_of_an_opening_is_each_legal_one_with_equal_chance() -> None:
    env = BatchEnv(9000, "first-capture", 3, plies=1, seed=1)
    env.reset()
    drawn = [env.game(i).moves[0].vertex for i in range(env.count)]
    counts = [drawn.count(vertex) for vertex in gc.Game(size=3).legal_moves()[:-1]]
    assert sum(counts) == 9000
    assert sum((count - 1000) ** 2 / 1000 for count in counts) < 26.1  # chi-squared, 8 degrees of freedom: p = 0.001


def test_the_agent_draws_each_legal_action_with_equal_chance() -> None:
    legal = np.array([[True, False, True, True], [False, False, False, False], [False, True, False, False]] * 3000)
    chosen = random_agent(1)(np.zeros((9000, 10, 2, 2), np.uint8), legal)
    counts = np.bincount(chosen[::3], minlength=4).tolist()
    assert counts[1] == 0
    assert sum((counts[action] - 1000) ** 2 / 1000 for action in (0, 2, 3)) < 13.9  # 2 degrees of freedom: p = 0.001
    assert set(chosen[2::3].tolist()) == {1}


def test_a_wrong_action_is_an_error_and_changes_nothing() -> None:
    env = BatchEnv(2, "capture-2", 5)
    with pytest.raises(gc.GameError, match=r"^no game has begun: reset starts them$"):
        env.step([0, 0])
    env.reset()
    env.step([env.action("C3"), WAIT])
    for wrong, error, words in (
        ([0, 25], gc.IllegalMoveError, "^board 1: black pass: these rules have no passing$"),
        ([12, 0], gc.IllegalMoveError, "^board 0: white C3: the point is not empty$"),
        ([0, 26], gc.IllegalMoveError, "^board 1: action is a whole number from 0 to 25, or WAIT or RESIGN, not 26$"),
        ([0, -3], gc.IllegalMoveError, "^board 1: action is a whole number from 0 to 25, or WAIT or RESIGN, not -3$"),
        ([0], ValueError, r"^2 boards need actions of shape \(2,\), not \(1,\)$"),
        ([0.0, 1.0], TypeError, "^actions are an array of whole numbers, not of float64$"),
    ):
        with pytest.raises(error, match=words):
            env.step(wrong)
    assert [len(env.game(i).moves) for i in range(2)] == [1, 0]


@pytest.mark.parametrize(
    ("arguments", "options", "error", "words"),
    [
        ((0,), {}, ValueError, "^count is a whole number of 1 or more, not 0$"),
        ((1, "japanese"), {}, gc.RulesError, "count dead stones or territory: choose tromp-taylor"),
        ((1, "chess"), {}, gc.RulesError, "^unknown rules 'chess'"),
        ((1, "capture-2", 99), {}, gc.GameError, "2 to 25 points"),
        ((1,), {"plies": -1}, ValueError, "^plies is a whole number of 0 or more, not -1$"),
        ((1,), {"plies": (3, 2)}, ValueError, "^plies is a whole number of 3 or more, not 2$"),
        ((1,), {"max_moves": 0}, ValueError, "^max_moves is a whole number of 1 or more, not 0$"),
        ((1,), {"openings": [gc.Game(size=5)]}, ValueError, "of 'first-capture' on 9x9 is needed, not .* on 5x5$"),
        ((1, "tromp-taylor"), {"openings": [gc.Game("tromp-taylor", komi=5)]}, ValueError, "komi 7.5 is needed, not"),
        ((1,), {"openings": ["C3"]}, TypeError, "^a Game is needed, not str$"),
    ],
)
def test_wrong_arguments_are_errors(arguments: Any, options: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        BatchEnv(*arguments, **options)


def test_who_resigns_loses() -> None:
    env = BatchEnv(2, "tromp-taylor", 5)
    env.reset()
    env.step([env.action("C3"), WAIT])
    now = env.step([RESIGN, WAIT])
    assert (now.rewards.tolist(), now.terminated.tolist(), now.legal[0].any()) == ([-1, 0], [True, False], False)
    assert str(env.game(0).outcome) == "black won: resignation"
    env.step([0, WAIT])
    assert env.game(0).moves == []


def test_openings_that_all_end_the_game_are_an_error() -> None:
    env = BatchEnv(1, "first-capture", 2, plies=6, seed=1)
    with pytest.raises(ValueError, match=r"^each random opening of 6 plies ended the game: fewer plies are needed$"):
        env.reset()


def test_actions_and_vertices() -> None:
    env = BatchEnv(1, size=(3, 2))
    assert [env.vertex(action) for action in range(env.num_actions)] == ["A2", "B2", "C2", "A1", "B1", "C1", "pass"]
    assert [env.action(env.vertex(action)) for action in range(env.num_actions)] == list(range(7))
    with pytest.raises(ValueError, match=r"^D1 is not on the 3x2 board$"):
        env.action("D1")
    with pytest.raises(ValueError, match=r"^action is a whole number from 0 to 6, not 7$"):
        env.vertex(7)


def test_a_pickle_goes_on_as_the_environment_does() -> None:
    env, agent = BatchEnv(4, "tromp-taylor", 3, seed=1, plies=1), random_agent(1)
    now = env.reset()
    for _ in range(9):
        now = env.step(agent(now.observations, now.legal))
    other = pickle.loads(pickle.dumps(env))
    actions = agent(now.observations, now.legal)
    assert all((a == b).all() for a, b in zip(env.step(actions), other.step(actions), strict=True))


def test_the_environment_needs_no_other_package_and_an_adapter_says_what_to_install() -> None:
    code = (
        "import sys, gtp_capture, gtp_capture.library, gtp_capture.cli.app; assert 'gymnasium' not in sys.modules\n"
        "sys.modules.update(pettingzoo=None, gymnasium=None, pyspiel=None)\n"
        "from gtp_capture.environment import BatchEnv; BatchEnv(1); assert 'numba' not in sys.modules\n"
        "for name in ('pettingzoo', 'gymnasium', 'openspiel'):\n"
        "    try: __import__('gtp_capture.environment.' + name)\n"
        "    except ImportError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=HANG, check=True
    ).stdout.splitlines()  # fmt: skip
    assert len(done) == 3
    assert all(line.startswith("an environment needs more packages: in the folder") for line in done)
    assert [("'.[rl]'" in line, "'.[openspiel]'" in line) for line in done] == [(True, False)] * 2 + [(False, True)]
