"""Our engines in Sabaki's settings: added, updated and removed without other changes."""

from __future__ import annotations

import json
import re
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf

from gtp_capture.frontends import sabaki
from gtp_capture.players.levels import RECOMMENDED
from gtp_capture.util.files import RequestError

from ..support import forks
from ..support.forks import refusal
from ..support.paths import MANUAL, ROOT

CONFIG = ROOT / "sabaki-config"
PROGRAM = "/opt/bin/gtp-capture"
THEIRS = {"name": "KataGo", "path": "/opt/katago", "args": "gtp", "commands": "komi 7", "analysis": True}
FILE: dict[str, Any] = {"app.lang": "日本語", "board.x": 1.5, "engines.list": [THEIRS], "window.width": None}

plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
values = st.recursive(plain, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3))
engines = st.lists(
    st.one_of(
        values,
        st.fixed_dictionaries(
            {
                "name": st.sampled_from(
                    ["Capture Go 10 full strength", "Capture-5 03 misses a third", "Go, AGA rules 99", "Mine", ""]
                )
                | st.text(),
                "path": st.sampled_from([PROGRAM, "C:\\x\\GTP-capture.exe", "/opt/katago", "gtp-capture2"]) | st.text(),
                "args": st.text(),
            },
            optional={"commands": st.text(), "other": values},
        ),
    ),
    max_size=5,
)
settings = st.builds(
    lambda rest, listed: rest | ({} if listed is None else {sabaki.KEY: listed}),
    st.dictionaries(st.text().filter(lambda key: key != sabaki.KEY), values, max_size=5),
    st.none() | engines,
)


def is_ours(engine: Any) -> bool:
    """Whether an entry has our program and one of our names, computed differently from the tested code."""
    if not (isinstance(engine, dict) and isinstance(engine.get("path"), str) and isinstance(engine.get("name"), str)):
        return False
    program = re.search(r"(?:^|[\\/])gtp-capture(\.exe)?$", engine["path"], re.IGNORECASE)
    return program is not None and engine["name"] in {entry["name"] for entry in sabaki.entries("")}


@given(settings)
def test_other_settings_are_unchanged(before: dict[str, Any]) -> None:
    for after in (sabaki.installed(before, PROGRAM), sabaki.uninstalled(before)):
        assert [key for key in after if key != sabaki.KEY] == [key for key in before if key != sabaki.KEY]
        assert all(after[key] == before[key] for key in before if key != sabaki.KEY)
        theirs = [engine for engine in before.get(sabaki.KEY, []) if not is_ours(engine)]
        assert [engine for engine in after.get(sabaki.KEY, []) if not is_ours(engine)] == theirs


@given(settings)
def test_installing_once_more_changes_nothing(before: dict[str, Any]) -> None:
    once = sabaki.installed(before, PROGRAM)
    assert sabaki.installed(once, PROGRAM) == once
    names = [engine["name"] for engine in once[sabaki.KEY] if is_ours(engine)]
    assert sorted(names) == sorted(entry["name"] for entry in sabaki.entries(PROGRAM))


@given(settings)
def test_uninstalling_removes_what_was_installed(before: dict[str, Any]) -> None:
    clean = sabaki.uninstalled(before)
    back = sabaki.uninstalled(sabaki.installed(clean, PROGRAM))
    assert back == {**clean, sabaki.KEY: clean.get(sabaki.KEY, [])}


def test_an_updated_entry_keeps_its_place_and_other_fields() -> None:
    name = "Capture Go 10 full strength"
    other = {"name": name, "path": "/other/gtp-capture", "args": "--level 2", "commands": "komi 3", "x": 1}
    after = sabaki.installed({sabaki.KEY: [THEIRS, other]}, PROGRAM)[sabaki.KEY]
    assert after[:2] == [THEIRS, {**other, "path": PROGRAM, "args": ""}]
    assert [engine["name"] for engine in after].count(name) == 1


def test_names_say_the_rules_and_then_the_level_in_two_digits() -> None:
    """In a sorted list the weakest comes first, and no name is bare, which a pupil would choose."""
    listed = {entry["name"]: entry["args"] for entry in sabaki.entries(PROGRAM)}
    capture_go = [name for name in listed if name.startswith("Capture Go")]
    assert capture_go == sorted(capture_go)
    assert (capture_go[0], capture_go[-1]) == ("Capture Go 00 follows you", "Capture Go 10 full strength")
    assert listed["Capture Go 00 follows you"] == "--level adapt"
    assert listed["Capture-5 03 misses a third"] == "--rules capture-5 --level 3"
    for name, args in listed.items():
        assert re.fullmatch(r".* (?:0[0-9]|10) [a-z ]+", name)
        level = re.search(r"--level (\d+|adapt)", args)
        assert f" {int(level[1].replace('adapt', '0')) if level else 10:02} " in name


def test_the_list_has_each_step_of_the_way_to_go_at_a_beginners_level() -> None:
    listed = {entry["name"]: entry["args"] for entry in sabaki.entries(PROGRAM)}
    assert len(listed) <= 16
    for rules in ("capture-5", '"capture-10 ko=simple passing=stone"', "japanese", "aga"):
        assert f"--rules {rules} --level {RECOMMENDED}" in listed.values()
        assert f"--rules {rules}" in listed.values()


@pytest.mark.parametrize(
    ("steps", "names"), [("6", {"Capture-5"}), ("1-5", {"Capture Go"}), ("7-8", {"Capture-10", "Go"})]
)
def test_steps_limit_the_list(steps: str, names: set[str]) -> None:
    printed = json.loads(run("print", "--system", "linux", "--steps", steps).stdout)
    assert {re.split(r",| \d", engine["name"])[0] for engine in printed[sabaki.KEY]} == names


@pytest.mark.parametrize(
    ("system", "environment", "expected"),
    [
        ("win32", {"APPDATA": "/u/Roaming"}, "/u/Roaming/Sabaki/settings.json"),
        ("win32", {}, "/home/me/AppData/Roaming/Sabaki/settings.json"),
        ("darwin", {"XDG_CONFIG_HOME": "/x"}, "/home/me/Library/Application Support/Sabaki/settings.json"),
        ("linux", {"XDG_CONFIG_HOME": "/x"}, "/x/Sabaki/settings.json"),
        ("linux", {"XDG_CONFIG_HOME": ""}, "/home/me/.config/Sabaki/settings.json"),
    ],
)
def test_the_file_is_where_sabaki_keeps_it(system: str, environment: dict[str, str], expected: str) -> None:
    assert sabaki.settings_file(system, environment, Path("/home/me")) == Path(expected)


# --- The command ---


def run(*args: str, home: Path | None = None) -> subprocess.CompletedProcess[str]:
    return forks.run("sabaki", *args, env={"XDG_CONFIG_HOME": str(home)} if home else {})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    folder = tmp_path / "Sabaki"
    folder.mkdir()
    path = folder / "settings.json"
    path.write_text(json.dumps(FILE, indent=2, ensure_ascii=False), encoding="utf-8")
    path.chmod(0o640)
    return path


@pytest.mark.posix
@pytest.mark.slow
def test_install_and_uninstall_restore_the_file(file: Path, tmp_path: Path) -> None:
    before = file.read_bytes()
    dry = run("install", "--dry-run", home=tmp_path)
    assert dry.returncode == 0
    assert '+      "name": "Capture Go 10 full strength",' in dry.stdout
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == ["settings.json"]

    done = run("install", home=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    after = json.loads(file.read_text(encoding="utf-8"))
    assert len(after[sabaki.KEY]) == 1 + len(sabaki.entries(""))
    assert all(Path(engine["path"]).name == "gtp-capture" for engine in after[sabaki.KEY][1:])
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    backup = file.with_name("settings.json.before-gtp-capture")
    assert f"backup of the settings before the first change: {backup}" in done.stdout
    assert backup.read_bytes() == before
    assert sorted(path.name for path in file.parent.iterdir()) == sorted([file.name, backup.name])

    again = run("install", "--settings", str(file))
    assert "nothing to change" in again.stdout
    assert backup.read_bytes() == before
    assert run("uninstall", home=tmp_path).returncode == 0
    assert file.read_bytes() == before
    assert backup.read_bytes() == before
    assert len(list(file.parent.iterdir())) == 2  # later changes make no other backup


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b'{"a":\n 1,}', "is not valid JSON at line 2, column "),
        (b'\xef\xbb\xbf{"a": 1}', "is not valid JSON at line 1, column 1: nothing was changed"),
        (b'{"a": "\xff"}', "is not valid JSON: nothing was changed"),
        (b"[]", "does not hold settings"),
        (b'{"a": NaN}', "NaN is not a number: nothing was changed"),
        (b'{"engines.list": {}}', "engines.list is not a list"),
        (b'{"a": -1e400}', "-1e400"),
    ],
)
def test_an_invalid_settings_file_is_refused_and_unchanged(file: Path, data: bytes, words: str) -> None:
    file.write_bytes(data)
    with pytest.raises(RequestError, match=words):
        sabaki.installed(sabaki.read(file)[1], PROGRAM)
    assert file.read_bytes() == data


def test_without_a_settings_file_the_message_says_what_to_do(tmp_path: Path) -> None:
    assert "start Sabaki once" in refusal(run("install", home=tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_changed_meanwhile_is_not_written(file: Path) -> None:
    before, current = sabaki.read(file)
    file.write_text("{}")
    with pytest.raises(RequestError, match="just changed"):
        sabaki.write(file, before, current)
    assert file.read_text() == "{}"


@pytest.mark.posix
def test_a_link_stays_a_link(file: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(file)
    assert run("install", "--settings", str(link)).returncode == 0
    assert link.is_symlink()
    assert b"Capture Go" in file.read_bytes()


# --- Shipped files ---


@pytest.mark.parametrize("system", ["windows", "macos", "linux"])
def test_the_shipped_fragments_are_those_that_the_command_prints(system: str) -> None:
    printed = run("print", "--system", system).stdout
    assert (CONFIG / f"engines.{system}.json").read_text() == printed
    names = [engine["args"] for engine in json.loads(printed)[sabaki.KEY]]
    assert len(set(names)) == len(names)


def test_the_guide_lists_the_groups_of_engines() -> None:
    text = (
        (MANUAL / "sabaki.md").read_text(encoding="utf-8").partition("<!-- engine table -->\n")[2].partition("\n\n")[0]
    )
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()[2:]]
    expected = []
    for group in sabaki.GROUPS:
        steps = str(min(group.steps)) if len(group.steps) == 1 else f"{min(group.steps)} to {max(group.steps)}"
        rules = group.options.removeprefix("--rules ").strip(chr(34)) or "first-capture"
        levels = ", ".join(str(level or "`adapt`") for level in group.levels[:-1])
        expected.append([f"`{group.name} ...`", steps, f"`{rules}`", f"{levels} and 10"])
    assert cells == expected


@pytest.mark.slow
@pytest.mark.parametrize("size", [5, 9, 19])
def test_the_shipped_crosscuts_are_four_alternating_moves(size: int) -> None:
    data = (CONFIG / f"crosscut-{size}.sgf").read_bytes()
    assert data.decode() == run("crosscut", "--size", str(size)).stdout
    game = sgf.Sgf_game.from_bytes(data)
    assert game.get_size() == size
    assert not game.get_root().has_setup_stones()
    moves = [node.get_move() for node in game.get_main_sequence()[1:]]
    assert [color for color, _ in moves] == ["b", "w", "b", "w"]
    (r1, c1), (r2, c2), (r3, c3), (r4, c4) = [at for _, at in moves]
    assert (abs(r1 - r3), abs(c1 - c3), abs(r2 - r4), abs(c2 - c4)) == (1, 1, 1, 1)
    assert len({(r1, c1), (r2, c2), (r3, c3), (r4, c4)}) == 4
