"""The manual against the program: every option and command is in it, nothing else, and its examples run."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from functools import cache, reduce
from pathlib import Path
from typing import Final

import click
import platformdirs
import pytest
from babel.messages.pofile import read_po
from click.testing import CliRunner

import gtp_capture as gc
from gtp_capture.cli import help as shown
from gtp_capture.cli.app import cli
from gtp_capture.gtp.parameters import lines as parameters
from gtp_capture.library import engine
from gtp_capture.teach import manual, sentences
from gtp_capture.util.limit import Limit

from .support import pages, translations
from .support.examples import PAGES, README, commands, failures, fenced, mentioned, prepare, sessions
from .support.forks import HANG, refusal, run
from .support.manual import TABLE, all_commands, tables, updated
from .support.paths import MANUAL, ROOT
from .support.process import ENGINE, GtpProcess

TEXTS: Final = {path: path.read_text(encoding="utf-8") for path in PAGES}
FOREIGN: Final = {
    *("--bin", "--dist", "--force", "--id", "--managed-python", "--mode", "--no-deps"),
    *("--no-show-source", "--quiet", "--steps", "--table", "--value"),
}
"""Options of uv, pip, pipx, winget, pytest, pdoc, GNU Go and our benchmarks."""
TOPICS: Final = manual.topics()
PYTHON: Final = fenced(TEXTS[MANUAL / "library.md"], "python")
LONG: Final = ("check-proof", "match", "puzzles", "review", "solve", "yardstick", "--heat", "--problem")
"""Words of commands that take longer than a moment; `bench` runs in `cli/test_options.py` alone, `class` in `web/`."""
SMALLER: Final = (
    ("--games 40", "--size 5 --games 2"),
    ("--size 7 --games 20", "--size 5 --games 2"),
    ("--seconds 2", "--seconds 0.1"),
    ("--size 5 --count 20 --depth 3", "--size 4 --count 1 --depth 1"),
    ("review ", "review --seconds-per-move 0.05 "),
)
"""Parts of the examples, and those with which they run here."""


CODE: Final = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
LANGUAGES: Final = sorted(path.parent.name for path in MANUAL.glob(f"*/{pages.NAME}"))
"""The languages that have pages for teachers."""


@cache
def listed() -> set[str]:
    """The GTP commands that some option lists."""
    done = run("--gogui-rules", "--rules-from-gui", "--genmove-analyze", "--player", "random", data="list_commands\n")
    return set(done.stdout.removeprefix("= ").split())


def table(page: str, marker: str) -> list[list[str]]:
    """The cells of the table after a marker, without its head."""
    rows = TEXTS[MANUAL / f"{page}.md"].partition(f"<!-- {marker} -->\n")[2].partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


# --- The text against the program ---


def test_each_topic_is_a_page_with_a_title_and_what_can_be_done_with_it() -> None:
    assert sorted(path.stem for path in MANUAL.glob("*.md")) == sorted(TOPICS)
    for topic in TOPICS:
        assert re.match(r"# [\w ]+: .+\n\n(?:How to |`gtp-capture help)", TEXTS[MANUAL / f"{topic}.md"]), topic


@pytest.mark.parametrize("topic", TOPICS)
def test_the_tables_are_made_from_the_program(topic: str) -> None:
    text = TEXTS[MANUAL / f"{topic}.md"]
    assert updated(text) == text, "run python -m tests.support.manual"


def test_each_table_of_the_program_is_on_one_page() -> None:
    names = [name for text in TEXTS.values() for name, _ in TABLE.findall(text)]
    assert sorted(names) == sorted(name for name, make in tables().items() if make())


def test_the_index_has_each_command_beside_its_page() -> None:
    indexed = []
    for topic, rest in re.findall(r"^- \[([\w-]+)\]\S+ (.*)$", TEXTS[MANUAL / "index.md"], re.MULTILINE):
        names = re.findall(r"`([\w-]+)`", rest)
        assert {shown.find(name) for name in names if name not in manual.topics()} <= {topic}
        tables = re.findall(r"^<!-- table: options of ([\w-]+)", TEXTS[MANUAL / f"{topic}.md"], re.MULTILINE)
        assert {name for name in tables if name in cli.list_commands(click.Context(cli))} <= {*names, topic}
        indexed += names
    assert sorted(indexed) == sorted(cli.list_commands(click.Context(cli)))


def test_each_gtp_command_is_in_the_tables_and_no_other() -> None:
    described = set()
    for head, rows in re.findall(
        r"^\| (command|client) \| [\w ]+ \|\n\|---\|---\|\n((?:\|.*\n)+)", TEXTS[MANUAL / "gtp.md"], re.MULTILINE
    ):
        for row in rows.splitlines():
            cell = row.split(" | ")[head == "client"]
            described |= {code.split()[0] for code in re.findall(r"`([^`]+)`", cell) if not code.startswith("--")}
    assert listed() - described == set(), "each command needs a row in a table of manual/gtp.md"
    assert described - {"dead", "seki", "crosscut"} == listed()


def test_each_option_in_the_text_exists() -> None:
    existing = {name for _, command in all_commands() for option in command.params for name in option.opts}
    existing |= {name for _, command in all_commands() for option in command.params for name in option.secondary_opts}
    for path, text in TEXTS.items():
        assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text)) <= existing | FOREIGN | {"--help"}, path.name


def anchors(text: str) -> set[str]:
    """The anchors of a page: those that it names, and those of its headings, as GitHub makes them."""
    return {*re.findall(r'^<a id="(.+)"></a>$', text, re.MULTILINE)} | {
        manual.anchor(title) for title in re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    }


def test_each_link_leads_to_a_file_and_a_heading() -> None:
    for path in [*PAGES, *sorted(MANUAL.glob("*/*.md")), ROOT / "sabaki-config" / "README.md"]:
        text = path.read_text(encoding="utf-8")
        for target, anchor in re.findall(r"\]\((?!https?:)([^)#]*)#?([^)]*)\)", text):
            page = path.parent / target if target else path
            assert page.exists(), f"{path.name}: {target}"
            assert not anchor or anchor in anchors(page.read_text(encoding="utf-8")), f"{path.name}: {target}#{anchor}"


def test_the_options_of_gogui_are_those_of_capture_param() -> None:
    (row,) = (line for line in TEXTS[MANUAL / "gtp.md"].splitlines() if line.startswith("| `capture-param"))
    from gtp_capture.gtp.options import Options

    assert re.findall(r"`(\w+)`", row.partition(" | ")[2]) == [line.split()[1] for line in parameters(Options())]


@pytest.mark.slow
def test_each_step_of_the_way_to_go_can_be_played_in_one_session(compiled: None) -> None:
    with GtpProcess([*ENGINE, "--playouts", "20", "--threads", "1"]) as engine:
        for _, rules, size, _ in table("course", "ladder table"):
            for name in rules.replace("`", "").split(" or "):
                engine.ask(f"boardsize {size}")
                assert engine.ask(f"capture-rules {name}") == name
                moves = [engine.ask(f"genmove {color}") for color in "bwbw"]
                assert len({*moves}) == 4
                assert not {"pass", "resign"} & {move.lower() for move in moves}


# --- The pages in other languages ---


def test_each_language_of_the_program_has_the_pages_and_the_front_page_leads_to_them() -> None:
    assert sorted(path.parents[1].name for path in sentences.FOLDER.glob(f"*/*/{sentences.DOMAIN}.po")) == LANGUAGES
    first = README.read_text(encoding="utf-8").partition("\n## ")[0]
    assert sorted(re.findall(r"\(gtp_capture/manual/(\w+)/install\.md\)", first)) == LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_of_a_language_are_whole_and_made_from_the_english_ones(language: str) -> None:
    path, messages = pages.source(language), pages.template()
    with path.open("rb") as file:
        catalog = read_po(file, locale=language)
    assert {(message.id, message.context) for message in catalog if message.id} == {
        (message.id, message.context) for message in messages if message.id
    }, f"run python -m tests.support.pages {language}"
    assert [*pages.faults(messages, catalog, translations.read(translations.source(language)))] == []
    for topic in manual.TRANSLATED:
        said = path.with_name(f"{topic}.md").read_text(encoding="utf-8")
        assert said == pages.page(topic, catalog), f"run python -m tests.support.pages {language}"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("topic", manual.TRANSLATED)
def test_help_shows_a_page_in_a_language_with_the_code_of_the_english_one(topic: str, language: str) -> None:
    said, english = manual.shown(topic, language), manual.shown(topic)
    assert said.splitlines()[0] != english.splitlines()[0]
    assert CODE.findall(said) == CODE.findall(english)
    assert "<a id" not in said
    assert CliRunner().invoke(cli, ["help", topic, "--language", language]).output == said


def test_a_page_that_is_not_translated_is_shown_in_english() -> None:
    assert CliRunner().invoke(cli, ["help", "levels", "--language", "de"]).output == manual.shown("levels")


# --- Examples ---


def test_each_command_in_the_text_is_understood(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare(tmp_path)
    monkeypatch.chdir(tmp_path)
    for args in [*mentioned(), *(command for path in PAGES for command in commands(path))]:
        command: click.Command | None = cli
        context = click.Context(cli, info_name="gtp-capture")
        rest = list(args)
        while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
            _, command, rest = command.resolve_command(context, rest)
        assert command is not None
        if not {"--help", "--version"} & set(rest):
            command.make_context("gtp-capture", rest, parent=context)


def is_long(args: list[str]) -> bool:
    """Whether an example takes longer than a moment."""
    return not set(LONG).isdisjoint(args)


def complete(path: Path, folder: Path, long: bool) -> None:
    """Run the examples of a page that no page before has, in order, with smaller numbers."""
    prepare(folder)
    home = {name: str(folder / "home") for name in ("HOME", "XDG_CONFIG_HOME", "USERPROFILE")}
    home["XDG_CACHE_HOME"] = str(platformdirs.user_cache_path())  # with the compiled code
    home["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"], "/usr/games"])
    before = [args for page in PAGES[: PAGES.index(path)] for args in commands(page)]
    for args in commands(path):
        if is_long(args) == long and args not in before and args[:1] not in (["bench"], ["class"]):
            line = reduce(lambda text, change: text.replace(*change), SMALLER, shlex.join(args))
            done = run(*shlex.split(line), data="resign\nquit\n", folder=folder, env=home)
            assert done.returncode == 0, f"{args}: {done.stdout}{done.stderr}"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_quick_examples_run(path: Path, tmp_path: Path) -> None:
    complete(path, tmp_path, long=False)


@pytest.mark.slow
@pytest.mark.parametrize("path", [p for p in PAGES if any(map(is_long, commands(p)))], ids=lambda path: path.stem)
def test_long_examples_run(path: Path, tmp_path: Path, gnugo: str) -> None:
    complete(path, tmp_path, long=True)


@pytest.mark.slow
@pytest.mark.parametrize(("data", "args", "output"), sessions(), ids=lambda value: str(value)[:20])
def test_a_session_prints_what_the_page_says(data: str, args: list[str], output: str) -> None:
    assert run(*args, data=data).stdout == output


@pytest.mark.slow
def test_the_scripted_game_says_its_result_on_stderr() -> None:
    data, args, _ = next(session for session in sessions() if "capture-atari" in session[0])
    spoken = run(*args, data=data).stderr
    assert spoken.index("atari: A1") < spoken.index("BLACK WINS (capture)")


def test_the_board_is_what_showboard_prints() -> None:
    (board,) = fenced(TEXTS[MANUAL / "gtp.md"], "")
    moves = ["boardsize 5", "play b C3", "play w C4", "play b B4", "play w A1", "play b B1", "showboard"]
    assert board in run("--player", "random", data="\n".join(moves)).stdout


def served_bot() -> str:
    """The program of the library's page that serves a bot."""
    (program,) = (source for source in PYTHON if "class Corner:" in source and "__main__" in source)
    return program


def learner() -> str:
    """The program of the page about learning that trains and measures."""
    program, _ = fenced(TEXTS[MANUAL / "learning.md"], "python")
    return program


@pytest.mark.slow
def test_the_program_that_learns_throws_away_fewer_wins_than_random_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert len(learner().splitlines()) <= 30
    exec(compile(learner(), "program.py", "exec"), {})
    (by_chance, cases), (learnt, same) = (
        map(int, re.findall(r"^(\d+) of (\d+), ", line)[0]) for line in capsys.readouterr().out.splitlines()
    )
    assert cases == same > 200
    assert learnt < 0.7 * by_chance


@pytest.mark.slow
def test_the_program_with_two_agents_plays_a_game_of_pettingzoo_and_measures_both(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, program = fenced(TEXTS[MANUAL / "learning.md"], "python")
    exec(compile(program, "program.py", "exec"), {})
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(" throws away ")[0] for line in lines] == ["captures", "a policy of PettingZoo"]
    assert all(re.search(r"\d+ of 30, .* \d+ of 10, .* against level 3$", line) for line in lines)


def test_the_bot_of_the_library_plays_against_gnu_go(gnugo: str, tmp_path: Path) -> None:
    assert len(served_bot().splitlines()) < 15
    (tmp_path / "corner.py").write_text(served_bot(), encoding="utf-8")
    engines = (f"{sys.executable} {tmp_path / 'corner.py'}", f"{gnugo} --mode gtp --level 1")
    result = gc.play_match(*engines, games=2, size=5)
    assert result.names == ("corner", "GNU Go")
    assert sum(result.points.values()) == 2.0
    assert {game.cause for game in result.games} <= {"capture", "resignation", "handed over a stone"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "source",
    [
        pytest.param(source, id=str(number), marks=[pytest.mark.external] * ("gnugo" in source))
        for number, source in enumerate(PYTHON)
        if source != served_bot()
    ],
)
def test_python_examples(source: str, compiled: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare(tmp_path)
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "one.sgf").write_text("(;SZ[5];B[cc];W[cd];B[ae];W[be])", encoding="utf-8")
    (tmp_path / "corner.py").write_text(served_bot(), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}:/usr/games")  # where Debian installs GNU Go
    monkeypatch.setattr(engine, "LINES", Limit(HANG, nodes=engine.LINES.nodes))
    if source.startswith(">>>"):
        limit = "analyse(game, seconds={})"  # the analysis ends when it has proven the moves, also on a slow machine
        assert failures(source.replace(limit.format(1), limit.format(HANG))) == 0
    else:  # a small program
        assert len(source.splitlines()) <= 25
        exec(compile(source, "program.py", "exec"), {})


def test_each_public_name_is_on_the_page_of_the_library() -> None:
    assert {name for name in dir(gc) if f"`{name}`" not in TEXTS[MANUAL / "library.md"]} == {"__version__"}


@pytest.mark.slow
def test_the_reference_has_each_public_name_and_a_search_and_is_built_without_a_warning(tmp_path: Path) -> None:
    (command,) = re.findall(r"<!-- reference command -->\n```sh\npython (.*)\n", TEXTS[MANUAL / "library.md"])
    args = shlex.split(command.replace("build/reference", str(tmp_path)))
    done = subprocess.run([sys.executable, "-W", "error", *args], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    page = (tmp_path / "gtp_capture.html").read_text(encoding="utf-8")
    for module, public in (("environment", "GoEnv"), ("yardstick", "measure")):
        assert f'id="{public}"' in (tmp_path / "gtp_capture" / f"{module}.html").read_text(encoding="utf-8")
    assert [name for name in dir(gc) if f'id="{name}"' not in page] == []
    assert 'type="search"' in page
    assert (tmp_path / "search.js").exists()


# --- gtp-capture help ---


def test_help_shows_the_index_with_a_line_for_each_page() -> None:
    lines = CliRunner().invoke(shown.help, []).output.splitlines()
    for topic in TOPICS[1:]:
        assert [line for line in lines if line.startswith(f"- `gtp-capture help {topic}`: ")]


@pytest.mark.parametrize("topic", TOPICS)
def test_a_page_is_plain_markdown_where_no_terminal_is(topic: str) -> None:
    done = CliRunner().invoke(shown.help, [topic])
    assert done.exit_code == 0
    assert done.output.startswith("# ")
    assert not [mark for mark in ("\x1b", "<!--", "![", ".md") if mark in done.output]


@pytest.mark.parametrize(
    ("word", "topic"), [("check-proof", "solve"), ("play", "first-lesson"), ("bench", "troubleshooting")]
)
def test_a_command_leads_to_the_page_with_its_options(word: str, topic: str) -> None:
    assert CliRunner().invoke(shown.help, [word]).output == CliRunner().invoke(shown.help, [topic]).output


@pytest.mark.parametrize(("word", "advice"), [("levls", "levels"), ("Sabaki", "sabaki"), ("xyzzy", "lists the pages")])
def test_a_wrong_topic_is_one_line_with_near_names(word: str, advice: str) -> None:
    assert re.fullmatch(rf"gtp-capture: no page '{word}': .*{advice}.*", refusal(run("help", word)))
