"""The command gtp-capture match: whole matches, round robins, refusals, interruptions."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pexpect
import pytest

from gtp_capture import PRESETS, Game
from gtp_capture.match import openings
from gtp_capture.match.referee import Conditions
from tests.support import kills
from tests.support.forks import HANG, refusal, run
from tests.support.kills import rows as table
from tests.support.paths import TESTS
from tests.support.process import DOUBLE, ENGINE, command_line, command_lines, wait_until

OURS = command_line(ENGINE)
RANDOM = f"{OURS} --player random --seed 1"
GREEDY = f"{OURS} --player greedy --seed 2"
PAIR = ("--black", RANDOM, "--white", GREEDY, "--size", "5")


def match(*options: str) -> subprocess.CompletedProcess[str]:
    return run("match", *options)


def played(*options: str) -> dict[str, Any]:
    done = match(*options, "--json")
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


@pytest.mark.slow
def test_summary_table_and_sgf_files_agree(tmp_path: Path) -> None:
    path = tmp_path / "a.dat"
    done = match(*PAIR, "--games", "12", "--results", str(path), "--sgf-dir", str(tmp_path / "sgf"))
    assert (done.returncode, done.stderr) == (0, "")  # a pipe gets no progress bar
    for word in ("gtp-capture --player random --seed 1", "as Black", "Elo", "95 %", "superior", "won by", "capture"):
        assert word in done.stdout
    result = played(*PAIR, "--games", "2", "--results", str(path), "--resume")  # fewer than there are
    rows = table(path)
    assert [row.number for row in rows] == list(range(12))
    assert [row.alternated for row in rows] == [False, True] * 6
    first, second = result["standings"]
    wins = Counter(row.winner for row in rows)
    names = "gtp-capture --player random --seed 1", "gtp-capture --player greedy --seed 2"
    assert (first["name"], second["name"]) == names
    assert (wins[names[0]], wins[names[1]]) == (first["score"]["wins"], second["score"]["wins"])
    assert sum(result["causes"].values()) == result["games"] == result["planned"] == 12
    assert result["duplicates"] == 0
    assert result["causes"]["capture"] == sum(row.cause == "capture" for row in rows)
    assert second["black"]["wins"] == sum(row.winner == row.black == second["name"] for row in rows)
    assert len(list((tmp_path / "sgf").glob("*.sgf"))) == 12
    assert second["score"]["wins"] >= 10
    assert result["scores"][0]["elo"]["high"] < 0
    for row in rows:
        game = Game("first-capture", 5)
        for word in row.moves.split():
            assert game.outcome is None
            game.play(word[1:], word[0])
        assert game.outcome is not None


@pytest.mark.slow
def test_a_round_robin_names_every_faulty_engine_and_continues(tmp_path: Path) -> None:
    modes = ["crash", "garbage", "illegal"]
    file = tmp_path / "engines.toml"
    names = "".join(f'"{mode}" = {json.dumps(f"{DOUBLE} {mode}")}\n' for mode in ["honest", *modes, "deaf"])
    file.write_text(f"[engines]\n{names}")
    result = played("--engines", str(file), "--games", "1", "--size", "5", "--jobs", "2")
    assert result["games"] == result["planned"] == 10
    by_name = {standing["name"]: standing for standing in result["standings"]}
    for mode, cause in {"crash": "crash", "garbage": "garbage", "illegal": "illegal move"}.items():
        assert by_name[mode]["faults"][cause] >= 2
        assert any(f": {mode}: {cause}: " in fault and f"about to {mode}" in fault for fault in result["faults"])
    assert sum(by_name["honest"]["faults"].values()) == 0
    assert [w for w in result["warnings"] if "deaf ignores quit" in w]
    assert {rating["name"] for rating in result["ratings"]} == by_name.keys()


@pytest.mark.slow
@pytest.mark.posix
def test_an_engine_that_crashes_once_while_it_is_tried_is_started_again(tmp_path: Path) -> None:
    crashed = tmp_path / "crashed"
    engine = tmp_path / "engine.py"
    engine.write_text(
        "import pathlib, runpy, sys\n"
        f"flag = pathlib.Path({str(crashed)!r})\n"
        "if not flag.exists():\n"
        "    for line in sys.stdin:\n"
        "        if line == 'clear_board\\n':\n"
        "            flag.touch()\n"
        "            sys.exit(3)\n"
        "        print('= clear_board\\n', flush=True)\n"
        f"sys.argv = ['double', 'honest']\nrunpy.run_path({str(TESTS / 'support' / 'engine_double.py')!r})\n"
    )
    pair = ("--black", command_line([sys.executable, str(engine)]), "--white", RANDOM)
    result = played(*pair, "--size", "5", "--games", "2")
    assert result["games"] == 2
    assert [w for w in result["warnings"] if "crash: exit code 3" in w and w.endswith("it is started again")]
    assert all(sum(standing["faults"].values()) == 0 for standing in result["standings"])


@pytest.mark.slow
def test_the_sprt_stops_the_match() -> None:
    result = played(*PAIR, "--games", "500", "--sprt", "-100,0")
    assert 10 <= result["games"] < 100
    test, (score,) = result["sprt"], result["scores"]
    assert (test["verdict"], test["unit"], test["llr"]) == ("H0", "pairs of games", test["progress"][-1])
    assert test["outcomes"] == score["outcomes"]
    assert 2 * sum(score["outcomes"]) <= result["games"] - result["duplicates"]
    done = match(*PAIR, "--games", "3", "--sprt", "-100,0", "--no-alternate")
    assert "SPRT on 3 games (by points from 0 to 1: " in done.stdout
    assert "), -100 against 0 Elo: undecided, log-likelihood ratio " in done.stdout


def test_duplicate_games_are_not_scored() -> None:
    # Deterministic engines play only two different games, one with each colour.
    result = played("--black", DOUBLE, "--white", DOUBLE, "--size", "5", "--games", "10")
    assert (result["games"], result["duplicates"]) == (10, 8)
    assert sum(standing["score"]["wins"] for standing in result["standings"]) == 2


@pytest.mark.slow
def test_games_with_seeds_do_not_depend_on_the_number_of_jobs(tmp_path: Path) -> None:
    pair = ("--black", f"{OURS} --player random --seed {{seed}}", "--white", f"{OURS} --player greedy --seed {{seed}}")
    moves = []
    for jobs in ("1", "2"):
        path = tmp_path / f"{jobs}.dat"
        played(*pair, "--size", "5", "--games", "2", "--jobs", jobs, "--results", str(path))
        moves.append({row.number: row.moves for row in table(path)})
    assert moves[0] == moves[1]
    assert len(set(moves[0].values())) == 2


@pytest.mark.slow
def test_each_opening_of_a_file_is_played_with_both_colours(tmp_path: Path) -> None:
    (tmp_path / "o.txt").write_text("C3 D4  # a comment\n\nB2 C2 B4\n")
    path = tmp_path / "a.dat"
    played(*PAIR, "--games", "6", "--openings", str(tmp_path / "o.txt"), "--results", str(path))
    starts = [(" ".join(row.moves.split()[: row.opening]), row.alternated) for row in table(path)]
    assert starts == [(s, a) for s in ("bC3 wD4", "bB2 wC2 bB4", "bC3 wD4") for a in (False, True)]


@pytest.mark.slow
def test_a_crosscut_and_openings_from_sgf(tmp_path: Path) -> None:
    path = tmp_path / "a.dat"
    played(*PAIR, "--games", "2", "--opening", "crosscut", "--results", str(path))
    assert {row.moves[:15] for row in table(path)} == {"bC3 wD3 bD4 wC4"}
    # Two handicap stones and two moves become plays, with White to move after the stones.
    (tmp_path / "o.sgf").write_text("(;SZ[5]AB[bb][dd]PL[W];W[cc];B[ab])")
    (opening,) = openings.read(tmp_path / "o.sgf", Conditions(PRESETS["first-capture"], 5, 5))
    assert [(m.color, m.point) for m in opening] == [("black", 16), ("black", 26), ("white", 21), ("black", 25)]


def test_each_game_of_an_sgf_file_is_an_opening(tmp_path: Path) -> None:
    (tmp_path / "o.sgf").write_text("(;SZ[5];B[bb];W[cc])\n(;SZ[5];B[cc])")
    of_file = openings.read(tmp_path / "o.sgf", Conditions(PRESETS["first-capture"], 5, 5))
    assert [len(opening) for opening in of_file] == [2, 1]


REFUSED: list[tuple[list[str], str]] = [
    ([], "give --black and --white, or --engines"),
    (["--black", "x"], "give --black and --white, or --engines"),
    ([*PAIR, "--size", "1"], "is not a board size"),
    ([*PAIR, "--rules", "othello"], "unknown rules"),
    ([*PAIR, "--opening", "wild"], "empty, crosscut or random-K"),
    ([*PAIR, "--size", "3", "--opening", "crosscut"], "too small for a crosscut"),
    ([*PAIR, "--openings", "/nowhere"], "/nowhere"),
    ([*PAIR, "--sprt", "10"], "two differences in Elo"),
    ([*PAIR, "--sprt", "10,0"], "the smaller one first"),
    ([*PAIR, "--resume"], "--resume needs --results"),
    ([*PAIR, "--time-per-move", "1", "--time-settings", "1", "0", "0"], "do not go together"),
    ([*PAIR, "--time-settings", "nan", "1", "1"], "must be a finite number"),
    ([*PAIR, "--time-per-move", "1e300"], "1e+300 is not in the range"),
    ([*PAIR, "--patience", "1e9"], "is not in the range"),
    ([*PAIR, "--time-settings", "1e300", "1", "1"], "1e+300 is not in the range"),
    ([*PAIR, "--plot", "x.png"], "--plot needs --sprt or --engines"),
    ([*PAIR, "--scheduler", "tcp://127.0.0.1:9", "--games", "2"], "no Dask scheduler answers"),
    ([*PAIR, "--scheduler", "tcp://127.0.0.1:9", "--jobs", "2"], "--jobs would have no effect with --scheduler"),
    (["--black", "no-such-engine", "--white", RANDOM], "cannot start 'no-such-engine'"),
    (["--black", "quote ' open", "--white", RANDOM], "No closing quotation"),
    (["--black", f"{DOUBLE} stillborn", "--white", RANDOM], "no such option: --level"),
    (["--black", f"{OURS} --level 99", "--white", RANDOM], "99"),
    (["--black", f"{DOUBLE} silent", "--white", RANDOM, "--patience", "0.3"], "silence: no answer to 'name'"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("options", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_a_usage_error_is_one_line_and_exit_code_2(options: list[str], words: str) -> None:
    assert words in refusal(match(*options))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("engines = 3", r"[engines]"),
        ("[engines]\na = 'x'", "two or more"),
        ("[engines", "toml"),
        ("a=" + 5000 * "[", "nested too deeply"),
        ("[engines]\n'-'='x'\nb='y'", "'-' is not a name"),
    ],
)
def test_an_invalid_file_of_engines_is_refused(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "engines.toml").write_text(text)
    assert words in refusal(match("--engines", str(tmp_path / "engines.toml")))


@pytest.mark.slow
def test_a_byte_order_mark_in_an_input_file_is_ignored(tmp_path: Path) -> None:
    mark, moves, engines = "\ufeff", tmp_path / "o.txt", tmp_path / "engines.toml"
    moves.write_text(f"{mark}C3 D4\n", encoding="utf-8")
    engines.write_text(f"{mark}[engines]\na = {json.dumps(RANDOM)}\nb = {json.dumps(GREEDY)}\n", encoding="utf-8")
    result = played("--engines", str(engines), "--openings", str(moves), "--size", "5", "--games", "2")
    assert result["games"] == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "words"), [("C3 C3", "not empty"), ("Z9", "Z9"), ("B1 A1 A2", "over before it begins")]
)
def test_an_invalid_opening_is_refused(tmp_path: Path, line: str, words: str) -> None:
    (tmp_path / "o.txt").write_text(f"C3\n{line}\n")
    said = refusal(match(*PAIR, "--openings", str(tmp_path / "o.txt")))
    assert f"{tmp_path / 'o.txt'}:2: " in said
    assert words in said


def test_an_opening_that_the_rules_of_the_match_forbid_is_refused(tmp_path: Path) -> None:
    (tmp_path / "o.sgf").write_text("(;SZ[5]RU[capture-3 passing=stone];B[ab];W[];B[bb])")
    said = refusal(match(*PAIR, "--rules", "capture-3", "--openings", str(tmp_path / "o.sgf")))
    assert "o.sgf: white pass: these rules have no passing" in said


@pytest.mark.slow
def test_games_of_another_match_stay_and_stop_the_match(tmp_path: Path) -> None:
    folder, first = ("--sgf-dir", str(tmp_path / "sgf")), ("--results", str(tmp_path / "a.dat"))
    played(*PAIR, "--games", "2", *folder, *first)
    before = {path: path.read_bytes() for path in (tmp_path / "sgf").iterdir()}
    for options in ([], ["--results", str(tmp_path / "b.dat")]):
        assert "game-00000.sgf is of another match" in refusal(match(*PAIR, "--games", "2", *folder, *options))
    assert not (tmp_path / "b.dat").exists()
    assert "a.dat exists: use --resume" in refusal(match(*PAIR, "--games", "2", *folder, *first))
    assert played(*PAIR, "--games", "3", *folder, *first, "--resume")["games"] == 3
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.slow
def test_engines_that_know_the_rules_are_told_them() -> None:
    result = played(*PAIR, "--games", "1", "--rules", "capture-2", "--size", "3")
    assert (result["warnings"], result["faults"]) == ([], [])


# --- Interruptions ---

LONG = ("--size", "9", "--games", "2000", "--jobs", "2")


@pytest.mark.linux
@pytest.mark.slow
def test_control_c_ends_cleanly_and_resume_continues(tmp_path: Path) -> None:
    path = tmp_path / "a.dat"
    seed = str(random.SystemRandom().randrange(10**12))
    player = f"{OURS} --player random --seed {seed}"
    options = ["match", "--black", player, "--white", player, "--results", str(path), "--resume", *LONG]
    session = pexpect.spawn(
        ENGINE[0],
        [*ENGINE[1:], *options],
        dimensions=(40, 160),
        timeout=HANG,
        encoding="utf-8",
        codec_errors="replace",  # the terminal echoes ^C in the middle of a character if the output is not read
    )
    session.expect(r"\d+/2000")
    wait_until(lambda: path.exists() and len(table(path)) >= 3)
    session.sendintr()
    session.expect(r"stopped after (\d+) of 2000 games: .*--resume continues the match")
    games = int(session.match[1])
    session.expect(pexpect.EOF)
    session.close()
    assert session.exitstatus == 130
    assert "Traceback" not in session.before
    assert len(table(path)) == games
    wait_until(lambda: not command_lines(seed))
    options[options.index("2000")] = str(games + 4)
    done = subprocess.run([*ENGINE, *options, "--json"], capture_output=True, text=True, timeout=HANG, check=True)
    assert json.loads(done.stdout)["games"] == games + 4
    assert sorted(row.number for row in table(path)) == list(range(games + 4))


@pytest.mark.posix
@pytest.mark.slow
def test_kills_lose_and_duplicate_no_game(tmp_path: Path) -> None:
    assert kills.run(tmp_path, kills=2, games=30) == (0, 0, 0)
