"""Files and output of the commands: no input is written over, no option is ignored, no error is a traceback."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from gtp_capture.teach.puzzles import files

from ..support.forks import refusal, run
from ..support.process import ENGINE, HANG, started

GAME = "(;GM[1]SZ[3]AB[bb];W[aa])"
FULL = Path("/dev/full")
NO_PROOF = "its bytes are not those of a proof"


@pytest.fixture(scope="module")
def proof(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The content of a proof file."""
    folder = tmp_path_factory.mktemp("proof")
    assert run("solve", "--size", "3", "--proof", "a.proof", folder=folder).returncode == 0
    return (folder / "a.proof").read_bytes()


@pytest.fixture(scope="module")
def problems() -> bytes:
    """A file with two problems."""
    return files.dump(files.shipped()[:2])


@pytest.fixture
def folder(tmp_path: Path, proof: bytes, problems: bytes) -> Path:
    (tmp_path / "game.sgf").write_text(GAME)
    (tmp_path / "hard.sgf").hardlink_to(tmp_path / "game.sgf")
    (tmp_path / "set").mkdir()
    (tmp_path / "set/one.SGF").write_bytes(problems)
    (tmp_path / "a.proof").write_bytes(proof)
    return tmp_path


@pytest.mark.posix
@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        "solve game.sgf --proof game.sgf",
        "solve game.sgf --proof link.sgf",
        "solve game.sgf --checkpoint game.sgf",
        "solve --size 3 --proof new --checkpoint new",
        "puzzles --from set -o set/one.SGF",
        "puzzles --from set --sheet set/one.SGF",
        "review game.sgf -o link.sgf",
        "review game.sgf -o hard.sgf",
        "show game.sgf -o ./game.sgf",
    ],
)
def test_no_input_is_written_over(command: str, folder: Path) -> None:
    for name in ("game.svg", "link.sgf"):
        (folder / name).symlink_to("game.sgf")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    arguments = ["show", "game.sgf", "-o", "game.svg"] if command.startswith("show") else command.split()
    words = "is there twice" if "new" in command else "is an input"
    assert words in refusal(run(*arguments, folder=folder))
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("--rules capture-2 solve --size 3", "--rules would have no effect before solve"),
        ("--level 3 --size 5 play", "--size and --level would have no effect before play"),
        ("--level 3 --player random", "--level would have no effect with --player random"),
        (
            "--ponder --no-opening-book --player shape",
            "--ponder and --no-opening-book would have no effect with --player",
        ),
        ("solve game.sgf --opening crosscut", "--opening would have no effect with a file"),
        ("puzzles --from set --games 5 --jobs 2 -o new.sgf", "--games and --jobs would have no effect with --from"),
        ("puzzles --from set --per-page 12 -o new.sgf", "--per-page would have no effect without --sheet"),
        ("show game.sgf --seconds 2", "--seconds would have no effect without --heat"),
        (
            "solve --size 3 --proof p --scheduler tcp://127.0.0.1:9",
            "--proof would have no effect with several positions",
        ),
        ("match --openings set --opening random-3", "--opening would have no effect with --openings"),
    ],
)
def test_an_option_without_effect_is_refused(command: str, words: str, folder: Path) -> None:
    assert words in refusal(run(*command.split(), folder=folder))
    assert not any((folder / name).exists() for name in ("book", "new.sgf"))


@pytest.mark.parametrize("command", ["review game.sgf -o out/", "solve --size 3 --proof out/", "show game.sgf -o out/"])
def test_an_output_with_the_name_of_a_folder_is_refused(command: str, folder: Path) -> None:
    line = refusal(run(*command.split(), folder=folder))
    assert line.endswith("out/ is the name of a folder: give that of a file")
    assert not (folder / "out").exists()


def test_names_of_sgf_files_may_be_in_upper_case(folder: Path) -> None:
    assert run("puzzles", "--from", "set", "-o", "new.sgf", folder=folder).returncode == 0
    assert len(files.read(folder / "new.sgf")) == 2


@pytest.mark.slow
def test_no_proof_is_written_of_a_position_that_is_not_solved(folder: Path) -> None:
    done = run("solve", "--size", "8", "--time", "0.01", "--proof", "b.proof", folder=folder)
    assert (done.returncode, done.stdout.splitlines()[0]) == (1, "not solved yet")
    assert done.stderr == "gtp-capture: b.proof was not written: the position is not solved\n"
    assert not (folder / "b.proof").exists()


@pytest.mark.posix
@pytest.mark.slow
@pytest.mark.parametrize("command", ["levels", "--version", "solve --size 3 --proof b.proof", "show game.sgf"])
def test_a_full_disk_for_the_output_is_one_line(command: str, folder: Path) -> None:
    with FULL.open("w") as full:
        done = subprocess.run(
            [*ENGINE, *command.split()], stdout=full, stderr=subprocess.PIPE, text=True, check=False, cwd=folder
        )
    said = "gtp-capture: the output cannot be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (1, said)
    if "--proof" in command:
        assert run("check-proof", "b.proof", folder=folder).returncode == 0


def test_a_reader_that_stops_early_gets_no_message(folder: Path) -> None:
    with started([*ENGINE, "levels"]) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == ""
        assert process.wait(HANG) == 1


@pytest.mark.parametrize(
    ("command", "line"),
    [
        (["doctor", "\x1b[31mx\ny"], r"gtp-capture: Got unexpected extra argument (\x1b[31mx\ny)"),
        (["--\x1b[31mx\ny"], r"--\x1b[31mx\ny: no such option"),
        (["--log", "none\x1b[31m/a"], r"gtp-capture: cannot write the log none\x1b[31m/a: No such file or directory"),
        (["\x1b[31mred"], r"gtp-capture: there is no command '\x1b[31mred'; try --help"),
        (["puzzles", "--from", "", "-o", "x.sgf"], "gtp-capture: --from needs the name of a file, or of a collection"),
        (["solve", "game.sgf", "over.sgf"], "gtp-capture: over.sgf: the game is over"),
        (["check-proof", "game.sgf"], f"gtp-capture: the proof fails: game.sgf is not a whole proof file: {NO_PROOF}"),
    ],
)  # fmt: skip
def test_what_is_refused_is_one_line_without_control_characters(command: list[str], line: str, folder: Path) -> None:
    (folder / "over.sgf").write_text("(;GM[1]SZ[3]AB[ab]AW[aa];B[ba])")
    assert refusal(run(*command, folder=folder)) == line


@pytest.mark.posix
def test_a_title_that_is_not_text_is_written_all_the_same(folder: Path) -> None:
    done = run("puzzles", "--from", "set", "--title", "a\udcff", "--sheet", "x.html", folder=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert "<h1>a?</h1>" in (folder / "x.html").read_text()


@pytest.mark.posix
@pytest.mark.slow
def test_errors_without_a_stderr_go_nowhere_else_and_leave_the_results(folder: Path) -> None:
    def said(redirected: str, *command: str) -> subprocess.CompletedProcess[str]:
        shell = ["/bin/sh", "-c", f'exec "$@" {redirected}', "sh", *ENGINE, *command]
        return subprocess.run(shell, capture_output=True, text=True, cwd=folder, timeout=HANG, check=False)

    assert (said("2>&-", "--level", "77").stdout, said("2>&-", "warmup").stdout) == ("", "")
    (folder / "cut.sgf").write_text(GAME[:-1])
    whole = run("show", "game.sgf", folder=folder).stdout
    for redirected in ("2>&-", f"2>{FULL}"):
        done = said(redirected, "show", "cut.sgf")
        assert (done.returncode, done.stdout) == (0, whole)
    done = said(f">{FULL}", "--size", "5")
    assert (done.returncode, done.stderr) == (0, "")  # nothing was to be written
    shell = ["/bin/sh", "-c", f'echo name | "$@" >{FULL}', "sh", *ENGINE]
    done = subprocess.run(shell, capture_output=True, text=True, timeout=HANG, check=False)
    assert (done.returncode, done.stderr) == (1, "gtp-capture: the output cannot be written: No space left on device\n")
