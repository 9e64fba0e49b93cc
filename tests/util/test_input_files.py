"""Files that loadsgf and solve read: bounded, regular, valid text; otherwise an error of one line names the file."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtp_capture import Rules
from gtp_capture.go import sgf, sgf_tree
from gtp_capture.util.files import UnreadableError, escaped, read_bounded, write_whole

from ..support.forks import refusal, run, script
from ..support.process import ENGINE, HANG, file_size_limit, make_pipe


def content(data: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(data)


MAKERS: dict[str, tuple[Callable[[Path], object], str]] = {
    "too large": (content(b"(;GM[1]SZ[9]" + b";B[aa]" * 8_500_000 + b")"), "larger than 10,000,000 bytes"),
    "moves": (content(b"(;GM[1]SZ[9]RU[japanese]" + b";B[];W[]" * 300_000 + b")"), "more than 10,000 nodes"),
    "values": (content(b"(;GM[1]SZ[19]AB" + b"[aa:ss]" * 1_000_000 + b")"), "more than 100,000 values"),
    "deep": (content(b"(;GM[1]SZ[9]" + b"(" * 4_000_000 + b")" * 4_000_000), "more than 10,000 nodes"),
    "deep nodes": (content(b"(;GM[1]SZ[9]" + b"(;B[]" * 1_000_000 + b")" * 1_000_001), "more than 10,000 nodes"),
    "a pipe": (make_pipe, "not a regular file"),
    "a device": (lambda path: path.symlink_to("/dev/zero"), "not a regular file"),
    "a terminal": (lambda path: path.symlink_to("/dev/tty"), "not a regular file"),
    "a folder": (Path.mkdir, "Is a directory"),
    "missing": (lambda path: None, "No such file or directory"),
    "a circle": (lambda path: path.symlink_to(path), "Too many levels of symbolic links"),
}
NAMES = ["game.sgf", "a space, 'quotes' and \N{SNOWMAN}.sgf", "n" * 255]


@pytest.mark.posix
@pytest.mark.slow
@pytest.mark.parametrize(("make", "said"), MAKERS.values(), ids=MAKERS.keys())
def test_loadsgf_refuses_in_one_line_that_names_the_file(
    make: Callable[[Path], object], said: str, tmp_path: Path
) -> None:
    path = tmp_path / "game.sgf"
    make(path)
    done = script(
        f"boardsize 5\nplay b C3\n1 loadsgf {path}\n2 play w C3\nplay w F1\nplay w D4\n", "--player", "random"
    )
    assert done.stdout.startswith(b"= \n\n= \n\n?1 cannot load file\n\n?2 illegal move\n\n? ")
    assert done.stdout.endswith(b"\n\n= \n\n")  # the game is unchanged
    line = done.stderr.decode().splitlines()[0]
    assert line.startswith(f"{path}: ")
    assert said in line
    assert "Errno" not in line


@pytest.mark.posix
@pytest.mark.parametrize("redirection", ["</dev/zero", "<&-", "</dev/null"])
def test_solve_bounds_what_it_reads_from_stdin(redirection: str) -> None:
    command = ["/bin/sh", "-c", f'exec "$@" {redirection}', "sh", *ENGINE, "solve", "-"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG, check=False)
    assert refusal(done).startswith("gtp-capture: stdin: ")


@pytest.mark.parametrize("name", NAMES, ids=lambda name: name[:8])
def test_a_file_of_any_name_is_read(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(b"(;GM[1]SZ[3];B[bb])")
    assert read_bounded(path, 100) == path.read_bytes()
    done = script(f"loadsgf {path}\nlist_stones b\n", "--player", "random")
    assert done.stdout == b"= \n\n= B2\n\n"


def test_loadsgf_tells_on_stderr_what_is_unusual_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_bytes("(;SZ[5]RU[Unheard of]PB[許]PW[周俊勳];B[ab];W[aa];B[ba];W[cc]".encode("big5"))
    done = script(f"loadsgf {path}\nlist_stones w\nprintsgf\n", "--player", "random")
    assert done.stderr.decode().splitlines()[:2] == [
        f"{path}: the last ) is missing: the game may be cut off",
        f"{path}: RU[Unheard of] is not known: first-capture is used, under which the game ends at move 3 of 4; "
        "others: --rules capture-5, or --rules japanese for Go",
    ]
    assert done.stdout.startswith(b"= \n\n= C3\n\n= (;")
    assert "PB[許]PW[周俊勳]".encode() in done.stdout


def test_control_characters_of_a_name_stay_out_of_the_message(tmp_path: Path) -> None:
    line = refusal(run("solve", str(tmp_path / "a\nb\x1b[31m")))
    assert "\x1b" not in line
    assert r"a\nb\x1b[31m" in line


@contextlib.contextmanager
def without_privileges() -> Iterator[None]:
    """Run as an unprivileged user where the tests run as the superuser."""
    if sys.platform == "win32":
        raise NotImplementedError
    superuser = os.geteuid() == 0
    if superuser:
        os.seteuid(65534)
    try:
        yield
    finally:
        if superuser:
            os.seteuid(0)


@pytest.mark.posix
def test_a_file_without_permission_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_bytes(b"(;SZ[3])")
    path.chmod(0)
    with without_privileges(), pytest.raises(UnreadableError, match="Permission denied"):
        read_bounded(path, 100)


def test_exactly_the_limit_is_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * 100)
    assert read_bounded(path, 100) == b"x" * 100
    with pytest.raises(UnreadableError, match="larger than 99 bytes"):
        read_bounded(path, 99)


@pytest.mark.posix
def test_a_write_that_does_not_fit_fails_for_its_own_reason(tmp_path: Path) -> None:
    with (tmp_path / "file").open("wb") as file:
        write_whole(file.fileno(), b"12345")
        with file_size_limit(8), pytest.raises(OSError, match="File too large"):
            write_whole(file.fileno(), b"67890")


@given(st.text())
def test_escaped_text_is_one_short_line(text: str) -> None:
    shown = escaped(text)
    assert shown.isprintable()
    assert len(shown) <= 300
    assert shown == text or not text.isprintable() or len(text) > 300


@pytest.mark.parametrize(
    "name",
    ["zlib", "rot13", "bz2", "hex", "base64", "uu", "undefined", "utf-16", "utf-32", "nonsense", "a\0b", "9" * 5000],
)
def test_a_charset_that_is_unknown_or_not_a_superset_of_ascii_is_left_as_it_is(name: str) -> None:
    data = b"(;SZ[3]CA[%s]RU[capture-2]PL[W]C[\xc8\xe2\xe0\xed \xbd\xa4];B[aa])" % name.encode()
    assert len(sgf.load(data, Rules.parse("first-capture")).moves) == 1
    tree = sgf_tree.read_tree(data)
    assert tree.properties["CA"] == [name.encode()]
    assert b"C[\xc8\xe2\xe0\xed \xbd\xa4]" in sgf_tree.dump_trees([tree])


@pytest.mark.slow
def test_a_main_line_with_the_maximum_of_nodes_is_read() -> None:
    line = b";B[];W[]" * ((sgf_tree.MOST_MAIN_NODES - 2) // 2)
    game = sgf.load(b"(;GM[1]SZ[9]RU[japanese]" + line + b"(;C[end])(;C[other]))", Rules.parse("japanese"))
    assert len(game.moves) == sgf_tree.MOST_MAIN_NODES - 2


def test_variations_after_the_main_line_do_not_count_as_nodes() -> None:
    data = b"(;GM[1]SZ[9](;B[aa];W[bb])" + b"(;B[cc](;W[dd])(;W[ee]))" * 10_000 + b")"
    assert len(sgf.load(data, Rules.parse("first-capture")).moves) == 2


PIECES = st.sampled_from(
    [b"(", b")", b";", b"(;", b"[", b"]", b"\\", b"SZ", b"[5]", b"[5:4]", b"[-1]", b"[99]", b"CA[utf-7]", b"CA[idna]",
     b"B[aa]", b"W[bb]", b"W[]", b"B[tt]", b"b[a]", b"AB[aa][bb:cc]", b"AW[dd]", b"AE[aa:ss]", b"PL[W]", b"PL[x]",
     b"KM[6.5]", b"KM[inf]", b"HA[2]", b"RU[japanese]", b"RU[capture-2 ko=simple]", b"RU[]", b"C[\xff]", b"\0"]
)  # fmt: skip


@given(st.one_of(st.binary(max_size=300), st.lists(PIECES, max_size=30).map(b"".join)))
def test_any_bytes_are_a_game_or_an_sgf_error(data: bytes) -> None:
    for text in (data, b"(;SZ[5]" + data + b")"):
        try:
            game = sgf.load(text, Rules.parse("first-capture"))
        except sgf.SgfError:
            continue
        assert 2 <= game.width <= 25
