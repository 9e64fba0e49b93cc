"""The command gtp-capture review and the GTP command capture-review."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from gtp_capture import Game
from gtp_capture.go import sgf
from gtp_capture.go.sgf_tree import read_tree
from gtp_capture.util import figures

from ..support.forks import refusal, run
from ..support.person import Terminal
from ..support.process import ENGINE, GtpProcess

GAME = b"(;SZ[5];B[ae];W[cc];B[ea])"
SHORT = ("--seconds-per-move", "1")


def review(*args: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return run("review", *map(str, args), env=environment)


def write(path: Path, data: bytes = GAME) -> Path:
    path.write_bytes(data)
    return path


@pytest.mark.slow
def test_files_and_collections_become_one_collection_in_their_order(tmp_path: Path) -> None:
    first = write(tmp_path / "a.sgf", GAME + b"(;SZ[3:2];B[aa])")
    second = write(tmp_path / "b.sgf", b"(;SZ[4]RU[capture-2]C[mine](;B[aa];W[bb])(;B[dd]))")
    out = tmp_path / "out.sgf"
    done = review(first, second, "-o", out, *SHORT)
    assert (done.returncode, done.stderr) == (0, "")
    trees = [read_tree(data) for data in sgf.split(out.read_bytes())]
    assert [tree.text("SZ") for tree in trees] == ["5", "3:2", "4"]
    assert trees[0].children[0].text("BM") == "2"
    comment = "mine\n\nReview: Rules: Whoever takes 2 stones first wins.\nAll 2 moves judged."
    assert trees[2].text("C").startswith(comment)
    assert trees[2].children[1].text("B") == "dd"
    judged = "All 3 moves judged. Deciding mistake: move 1, Black A1."
    line = f"{first}, game 1: Rules: Whoever takes a stone first wins. {judged}"
    assert done.stdout.splitlines()[0] == line
    assert len(done.stdout.splitlines()) == 3


@pytest.mark.slow
def test_a_review_for_a_child_names_each_chance_that_was_missed(tmp_path: Path) -> None:
    """Black wins all the time, so no move turns the game."""
    file = write(tmp_path / "a.sgf", b"(;SZ[5];B[bc];W[cc];B[dc];W[ae];B[cb];W[ee];B[ea];W[ed];B[aa])")
    done = review(file, "-o", tmp_path / "out.sgf", "--for-child", "--seconds-per-move", "60")
    assert done.stdout == (
        f"{file}: White missed a rescue at moves 6, 8: C2 takes White's chain at C3 out of atari. "
        "Black missed a capture at moves 7, 9: C2 takes a stone and wins.\n"
    )
    lost = write(tmp_path / "b.sgf", b"(;SZ[5];B[ad];W[ae];B[ea];W[eb];B[cc];W[da])")
    done = review(lost, "-o", tmp_path / "out.sgf", "--for-child", "--seconds-per-move", "60")
    assert (
        "Move 5 decided the game: Black C3. Next time try B1 there. B1 takes a stone and wins. "
        "Black missed a capture at move 3: B1 takes a stone and wins.\n"
    ) in done.stdout


@pytest.mark.slow
def test_a_resignation_is_known_from_the_result_of_the_file(tmp_path: Path) -> None:
    # Black has C3 on an empty 5x5 board, which wins (the book of solved boards).
    lost = write(tmp_path / "lost.sgf", b"(;SZ[5]RE[B+R];B[cc])")
    won = write(tmp_path / "won.sgf", b"(;SZ[5]RE[W+Resign];B[cc])")
    done = review(lost, won, "-o", tmp_path / "out.sgf", "--jobs", "2", "--seconds-per-move", "60")
    assert done.returncode == 0
    first, second = done.stdout.splitlines()
    assert "resigned" not in first
    assert second.endswith("Deciding mistake: Black resigned in a position that Black wins by force.")


@pytest.mark.slow
def test_jobs_give_the_same_proven_marks(tmp_path: Path) -> None:
    file = write(tmp_path / "a.sgf", 2 * GAME)
    for jobs in ("1", "2"):
        done = review(file, "-o", tmp_path / f"{jobs}.sgf", "--jobs", jobs, "--seconds-per-move", "60")
        assert done.returncode == 0, done.stderr
    one, two = (marks((tmp_path / f"{jobs}.sgf").read_bytes()) for jobs in ("1", "2"))
    assert one == two
    assert any("BM" in node for game in one for node in game)


def marks(data: bytes) -> list[list[dict[str, str]]]:
    """The marks of each move of each game; variations, which may differ, are left out."""
    games = []
    for tree in map(read_tree, sgf.split(data)):
        nodes, node = [], tree
        while node.children:
            node = node.children[0]
            nodes.append({name: node.text(name) for name in ("SBKV", "GB", "GW", "TE", "BM", "HO") if node.text(name)})
        games.append(nodes)
    return games


@pytest.mark.posix
@pytest.mark.slow
def test_a_game_is_judged_up_to_a_move_that_cannot_be_played_and_stays_as_it_was(tmp_path: Path) -> None:
    file = write(tmp_path / "a.sgf", GAME + b"(;SZ[5]C[x];B[aa];W[aa])(;SZ[5]C[y];B[zz];W[aa])(;SZ[5];B[ae];W[resign])")
    done = review(file, "-o", tmp_path / "out.sgf", *SHORT, "--jobs", "2")
    assert done.returncode == 1
    first, second, third = done.stderr.splitlines()
    assert re.fullmatch(f"gtp-capture: {file}, game 2: move 2: white A5: .*; the game is reviewed up to there", first)
    assert second.endswith("game 3: move 1: B[zz] is not a point of the 5x5 board; this game is not reviewed")
    assert third.endswith("game 4: move 2: W[resign] is not a point of the 5x5 board; the game is reviewed up to there")
    cause = "Judged up to move 1, because of move 2: white A5: "
    assert f"game 2: Rules: Whoever takes a stone first wins. {cause}" in done.stdout
    reviewed, cut, left, odd = (read_tree(data) for data in sgf.split((tmp_path / "out.sgf").read_bytes()))
    assert "Review:" in reviewed.text("C")
    assert cut.text("C").startswith("x\n\nReview: Rules: Whoever takes a stone first wins.\nJudged up to move 1")
    assert (left.text("C"), len(list(left.main_line()))) == ("y", 3)
    assert [node.text("B") + node.text("W") for node in odd.main_line()] == ["", "ae", "resign"]


@pytest.mark.slow
def test_files_that_cannot_be_read_are_named_and_the_others_are_reviewed(tmp_path: Path) -> None:
    good, text, bracket = write(tmp_path / "a.sgf"), write(tmp_path / "b.sgf", b"text"), tmp_path / "c.sgf"
    write(bracket, b"(;SZ[5];B[aa]C[see [1] here];W[bb])")
    done = review(tmp_path / "none.sgf", text, good, bracket, "-o", tmp_path / "out.sgf", *SHORT)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        f"gtp-capture: {tmp_path / 'none.sgf'}: No such file or directory; this game is not reviewed",
        f"gtp-capture: {text}: no SGF data found; this game is not reviewed",
        f"gtp-capture: {bracket}: after move 1: here] is outside of a value; "
        "a ] inside a text has a backslash before it; this game is not reviewed",
    ]
    assert done.stdout.startswith(f"{good}: Rules: Whoever takes a stone first wins. All 3 moves judged.")
    assert len(list(sgf.split((tmp_path / "out.sgf").read_bytes()))) == 1
    done = review(tmp_path / "none.sgf", text)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 2)


@pytest.mark.slow
def test_without_a_file_for_it_the_review_is_printed(tmp_path: Path) -> None:
    files = [write(tmp_path / "a.sgf"), write(tmp_path / "b.sgf", b"(;SZ[5]RU[capture-2];B[ae])")]
    done = review(*files, *SHORT)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[:3] == [str(files[0]), "Rules: Whoever takes a stone first wins.", lines[2]]
    assert lines[2].startswith("1 B A1: A1 turns a win into a loss. C3 wins.")
    assert lines[lines.index("") + 1 :][:2] == [str(files[1]), "Rules: Whoever takes 2 stones first wins."]
    child = review(files[0], "--for-child", *SHORT)
    assert child.stdout.startswith(f"{files[0]}\nMove 1 decided the game: Black A1.")


@pytest.mark.slow
def test_names_of_a_file_in_another_charset_survive_a_review(tmp_path: Path) -> None:
    text = "马晓春九段"
    chinese = write(tmp_path / "a.sgf", f"(;SZ[5]PB[{text}]PW[許];B[ae]C[{text}];W[cc])".encode("gbk"))
    russian = write(tmp_path / "b.sgf", b"(;SZ[5]PB[\xc8\xe2\xe0\xed\xee\xe2];B[ae];W[cc])")
    assert review(chinese, russian, "-o", tmp_path / "out.sgf", *SHORT).returncode == 0
    first, second = sgf.split((tmp_path / "out.sgf").read_bytes())
    assert f"PB[{text}]".encode() in first
    assert read_tree(first).children[0].text("C").startswith(f"{text}\n\nReview: ")
    assert "PB[Иванов]".encode() in second
    assert "Review: " in read_tree(second).text("C")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("data", "options", "words"),
    [
        (None, (), "No such file"),
        (b"text", (), "no SGF data found"),
        (b"(;SZ[5];B[zz];W[aa])", (), "move 1: B[zz] is not a point of the 5x5 board"),
        (b"(;SZ[99])", (), "a board has 2 to 25 points a side"),
        (GAME, ("--seconds-per-move", "0"), "0"),
        (GAME, ("--seconds-per-move", "nan"), "finite"),
        (GAME, ("--jobs", "0"), "jobs"),
        (GAME, ("--plot", "a.mp3"), "its name must end in one of"),
        (GAME, ("--plot", "nowhere/a.svg"), "cannot be written"),
        (GAME, ("-o", "nowhere/a.sgf"), "cannot be written: there is no folder nowhere"),
        (GAME, ("-o", "."), "is a directory"),
        (21 * GAME, ("--plot", "a.svg"), "at most 20 games"),
    ],
)
def test_what_cannot_be_reviewed_is_refused_before_any_work(
    data: bytes | None, options: tuple[str, ...], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if data is not None:
        write(tmp_path / "a.sgf", data)
    assert words in refusal(review("a.sgf", "-o", "out.sgf", *options))
    assert not (tmp_path / "out.sgf").exists()


@pytest.mark.slow
def test_a_plot_shows_each_game(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    file = write(tmp_path / "a$b$.sgf", 2 * GAME)
    done = review(file, "-o", tmp_path / "out.sgf", "--plot", tmp_path / "a.svg", *SHORT)
    assert done.returncode == 0, done.stderr
    picture = (tmp_path / "a.svg").read_text()
    assert picture.count("deciding: move 1, Black") == 2
    assert "a$b$.sgf, game 2" in picture


@pytest.mark.slow
@pytest.mark.parametrize("text", ["Win rate", "Weiß größer", "黒の勝率", "黑棋胜率", "\U000f0000"])
def test_the_text_of_a_plot_has_the_font_with_most_of_its_characters(text: str, tmp_path: Path) -> None:
    manager = pytest.importorskip("matplotlib.font_manager")
    figure = figures.new_figure(1)
    label = figure.text(0, 0, text)
    figures.save(figure, tmp_path / "a.png")  # a warning about missing characters would be an error here
    used = manager.findfont(label.get_fontproperties())
    fonts = [font.fname for font in manager.fontManager.ttflist if "Last Resort" not in font.name]
    had = {Path(font): len({*map(ord, text)} & {*manager.get_font(font).get_charmap()}) for font in fonts}
    assert had[Path(used)] == max(had.values())


def test_a_plot_without_matplotlib_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "matplotlib.py").write_text("raise ImportError")
    file = write(tmp_path / "a.sgf")
    done = review(file, "-o", tmp_path / "out.sgf", "--plot", tmp_path / "a.svg", PYTHONPATH=str(tmp_path))
    assert "pip install '.[plot]'" in refusal(done)
    assert not (tmp_path / "out.sgf").exists()


@pytest.mark.posix
@pytest.mark.slow
def test_a_stopped_review_writes_what_is_judged(tmp_path: Path) -> None:
    game = Game("first-capture", 19)
    for point in game.legal_plays()[:60:2]:
        game.play_point(point)
    file = write(tmp_path / "a.sgf", GAME + sgf.dump(game))
    options = ("-o", str(tmp_path / "out.sgf"), "--seconds-per-move", "100")
    terminal = Terminal("review", str(file), *options, columns=500)
    terminal.expect(r"positions[^/]* 4/35")  # the first game is judged
    os.kill(terminal.program.pid, signal.SIGINT)
    terminal.expect(r"gtp-capture: stopped: \d+ of 33 moves judged, written to \S+out\.sgf")
    assert terminal.end() == 130
    trees = [read_tree(data) for data in sgf.split((tmp_path / "out.sgf").read_bytes())]
    assert [len(list(tree.main_line())) for tree in trees] == [4, 31]
    assert trees[0].children[0].text("BM") == "2"


@pytest.mark.slow
def test_a_session_reviews_its_game_in_lines() -> None:
    with GtpProcess([*ENGINE, "--size", "5", "--threads", "1"]) as engine:
        for move in ("b A1", "w C3", "b E5"):
            engine.ask(f"play {move}")
        lines = engine.ask("capture-review 10").splitlines()
        assert lines[0].startswith("1 B A1: A1 turns a win into a loss. C3 wins.")
        assert lines[1:3] == ["All 3 moves judged.", "Deciding mistake: move 1, Black A1."]
        assert engine.ask("showboard").count("X") == 3  # two stones, and the one of the prisoners' line
