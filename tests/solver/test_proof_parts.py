"""Proofs in parts: those that the solver writes hold, and no forged or damaged one proves a false claim."""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from gtp_capture import Game
from gtp_capture.cli.solve import solve, write_proof
from gtp_capture.solver.proofs.keyset import CHOICE_BYTES
from gtp_capture.solver.solver import Solver
from gtp_capture.util.memory import MEBIBYTE

from ..support.brute_force import random_games
from ..support.cluster import Cluster
from ..support.forks import run
from ..support.process import ENGINE, make_pipe
from ..support.proof_check import checked
from ..support.proof_oracle import count_file, count_parts


def written(game: Game, path: Path, most: int | None = None) -> int:
    """Write the proof of a position, in parts of at most `most` choices if given; return its winner."""
    solver = Solver(game.width, game.height, 64 * MEBIBYTE)
    winner = solver.solve(game.board, game.to_move).winner
    assert winner is not None
    write_proof(solver, game, winner, path, most, quiet=True)
    return winner


def counts(line: str) -> tuple[int, ...]:
    """Return choices, replies and captures of a line of output."""
    found = re.search(r"; (\d+) choices?, (\d+) repl(?:y|ies), (\d+) captures?", line)
    assert found
    return tuple(int(number) for number in found.groups())


def parts_of(path: Path) -> list[dict[str, Any]]:
    parts: list[dict[str, Any]] = json.loads(path.read_bytes())["parts"]
    return parts


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "most"), [((3, 3), 1), ((3, 3), 5), ((4, 3), 7), ((4, 4), 20), ((4, 4), 200), ((4, 5), 300)], ids=str
)
def test_a_proof_in_parts_holds_and_its_counts_are_right(size: tuple[int, int], most: int, tmp_path: Path) -> None:
    game = Game("first-capture", size)
    written(game, tmp_path / "parts", most)
    written(game, tmp_path / "whole")
    holds, line = checked(tmp_path / "parts")
    assert holds, line
    assert counts(line) == count_parts(tmp_path / "parts")
    parts = parts_of(tmp_path / "parts")
    assert len(parts) > 1
    assert f", {len(parts)} parts, " in line
    assert max(part["choices"] for part in parts) <= most
    holds, line = checked(tmp_path / "whole")
    assert holds
    assert counts(line) == count_file(tmp_path / "whole")


@pytest.mark.slow
def test_random_positions_hold_in_parts_with_either_side_to_move(tmp_path: Path) -> None:
    rng, seen = random.Random(5), set()
    for game, color in random_games(rng, 16, 4, 3):
        winner = written(game, tmp_path / "parts", rng.choice((1, 2, 5)))
        written(game, tmp_path / "whole")
        for path, count in ((tmp_path / "parts", count_parts), (tmp_path / "whole", count_file)):
            holds, line = checked(path)
            assert holds, line
            assert counts(line) == count(path)
        seen.add((winner == color, min(3, len(parts_of(tmp_path / "parts")))))
    assert {(True, 0), (True, 1), (True, 3), (False, 3)} <= seen


@pytest.fixture(scope="module")
def proof(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the manifest of a proof of 4x4 in parts."""
    path = tmp_path_factory.mktemp("parts") / "proof"
    written(Game("first-capture", 4), path, 60)
    assert len(parts_of(path)) > 4
    return path


def copied(proof: Path, folder: Path) -> Path:
    """Return a copy of the proof in a folder."""
    shutil.copytree(proof.parent, folder, dirs_exist_ok=True)
    return folder / proof.name


def change(path: Path, edit: Callable[[dict[str, Any]], object]) -> None:
    """Change a manifest."""
    manifest = json.loads(path.read_bytes())
    edit(manifest)
    path.write_text(json.dumps(manifest))


def sign(path: Path) -> None:
    """Enter the digests of the files as they are now."""

    def edit(manifest: dict[str, Any]) -> None:
        for entry in (manifest["claims"], *manifest["parts"]):
            entry["sha256"] = hashlib.sha256((path.parent / entry["file"]).read_bytes()).hexdigest()

    change(path, edit)


def swapped(manifest: dict[str, Any]) -> None:
    parts = manifest["parts"]
    parts[0]["file"], parts[1]["file"] = parts[1]["file"], parts[0]["file"]


CHANGES: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "a missing part": (lambda m: m["parts"].pop(), "not as many positions"),
    "no parts": (lambda m: m.update(parts=[]), "not as many positions"),
    "swapped files": (swapped, "another SHA-256"),
    "swapped parts": (lambda m: m["parts"].reverse(), ""),
    "another digest": (lambda m: m["parts"][2].update(sha256="0" * 64), "another SHA-256"),
    "claims with another digest": (lambda m: m["claims"].update(sha256=""), "another SHA-256"),
    "a part twice": (lambda m: m["parts"].append(m["parts"][0]), "listed twice"),
    "a file in another folder": (lambda m: m["parts"][0].update(file="../proof.1"), "not a plain name"),
    "an absolute path": (lambda m: m["parts"][0].update(file="/dev/zero"), "not a plain name"),
    "a folder": (lambda m: m["parts"][0].update(file=".."), "not a plain name"),
    "a name with NUL": (lambda m: m["claims"].update(file="a\0b"), "not a plain name"),
    "a name of many letters": (lambda m: m["claims"].update(file="a" * 9_000), "aaa"),
    "no such file": (lambda m: m["parts"][0].update(file="proof.99"), "No such file"),
    "huge counts": (lambda m: m["parts"][0].update(choices=10**30), "a number of proof.1"),
    "many claims": (lambda m: m["parts"][0].update(proves=2**39, choices=2**40), "room for"),
    "a negative count": (lambda m: m["parts"][0].update(roots=-1), "a number of proof.1"),
    "a count that is true": (lambda m: m["parts"][0].update(roots=True), "a number of proof.1"),
    "a count as text": (lambda m: m["parts"][0].update(uses="1"), "a number of proof.1"),
    "no roots": (lambda m: m["parts"][0].update(roots=0), "do not fit together"),
    "more roots": (lambda m: m["parts"][1].update(roots=m["parts"][1]["proves"] + 1), "do not fit together"),
    "other uses": (lambda m: m["parts"][0].update(uses=0), "not as many as listed"),
    "fewer choices": (lambda m: m["parts"][0].update(choices=59), "not as many as listed"),
    "another board": (lambda m: m["claim"].update(width=5), ""),
    "a larger board": (lambda m: m["claim"].update(width=9, height=9), "not as many positions"),
    "a board that is too large": (lambda m: m["claim"].update(width=12, height=12), "128 points"),
    "another winner": (lambda m: m["claim"].update(winner="black"), ""),
    "a stone": (lambda m: m["claim"].update(black=["A1", "B2"], to_move="white"), "proven by no part"),
    "a choice of the loser before": (lambda m: m["claim"].update(to_move="white"), ""),
    "inferences of one file": (lambda m: m["claim"]["inferences"].pop(), "inferences are not"),
    "another field": (lambda m: m["claim"].update(komi=7), "claim is not an object"),
    "another key": (lambda m: m.update(more=1), "there is no object of"),
    "another format": (lambda m: m.update(format="gtp-capture proof in parts 2"), "another format"),
    "parts as an object": (lambda m: m.update(parts={}), "parts no list"),
    "parts as numbers": (lambda m: m.update(parts=[1]), "there is no object of"),
    "a claim as a list": (lambda m: m.update(claim=[]), "claim is no object"),
}


@pytest.mark.parametrize(("edit", "said"), CHANGES.values(), ids=CHANGES.keys())
def test_a_changed_manifest_gives_one_line(
    edit: Callable[[dict[str, Any]], object], said: str, proof: Path, tmp_path: Path
) -> None:
    path = copied(proof, tmp_path)
    change(path, edit)
    holds, line = checked(path)
    assert not holds
    assert ("the proof was not checked: " if said == "room for" else "the proof fails: ") in line
    assert said in line


@pytest.mark.posix
def test_parts_that_are_links_or_pipes_are_refused(proof: Path, tmp_path: Path) -> None:
    path = copied(proof, tmp_path)
    part = tmp_path / "proof.2"
    part.unlink()
    part.symlink_to(proof.parent / "proof.2")
    assert "proof.2 cannot be read: a link" in checked(path)[1]
    part.unlink()
    make_pipe(part)
    assert "proof.2 cannot be read: not a regular file" in checked(path)[1]
    part.unlink()
    part.mkdir()
    assert "Is a directory" in checked(path)[1]


def test_no_part_is_missing_and_no_claim_left_unproven(proof: Path, tmp_path: Path) -> None:
    """A manifest without one part, whose claims file and digests fit, is refused for each part."""
    records = gzip.decompress((proof.parent / "proof.claims").read_bytes())
    start = 0
    for i, part in enumerate(parts_of(proof)):
        path = copied(proof, tmp_path / str(i))
        end = start + 16 * part["proves"]
        (path.parent / "proof.claims").write_bytes(gzip.compress(records[:start] + records[end:]))
        change(path, lambda m, i=i: m["parts"].pop(i))  # type: ignore[misc]
        sign(path)
        holds, line = checked(path)
        assert not holds
        assert "proven by no part" in line
        start = end


def test_a_part_that_does_not_prove_a_claim_of_others_fails(tmp_path: Path) -> None:
    """A claim is moved from the part that proves it to the part before."""
    path = tmp_path / "proof"
    written(Game("first-capture", (4, 5)), path, 300)
    records = gzip.decompress((tmp_path / "proof.claims").read_bytes())
    start = 0
    for i, part in enumerate(parts_of(path)):
        if i > 0 and part["proves"] > part["roots"]:
            break
        start += 16 * part["proves"]
    else:
        raise AssertionError("no part proves another position than its roots")
    end = start + 16 * part["proves"]
    moved = records[:start] + records[end - 16 : end] + records[start : end - 16] + records[end:]
    (tmp_path / "proof.claims").write_bytes(gzip.compress(moved))

    def edit(manifest: dict[str, Any]) -> None:
        manifest["parts"][i - 1]["proves"] += 1
        manifest["parts"][i]["proves"] -= 1

    change(path, edit)
    sign(path)
    holds, line = checked(path)
    assert not holds
    assert f"proof.{i}: it does not prove 1 of its claims" in line


def forged(folder: Path, size: int, parts: list[tuple[list[tuple[int, int]], int, bytes, int, int]]) -> Path:
    """Write a proof that Black wins on an empty board: for each part its claims, roots, bytes, choices and uses."""
    names = [f"part.{i}" for i in range(len(parts))]
    for name, (_, _, content, _, _) in zip(names, parts, strict=True):
        (folder / name).write_bytes(gzip.compress(content))
    claims = b"".join(bits.to_bytes(8, "little") for part in parts for position in part[0] for bits in position)
    (folder / "claims").write_bytes(gzip.compress(claims))
    claim = {
        "width": size, "height": size, "rules": "first-capture", "black": [], "white": [], "to_move": "black",
        "winner": "black", "inferences": ["capture", "transposition", "symmetry", "claim"],
    }  # fmt: skip
    entries = [
        {"file": name, "sha256": "", "choices": choices, "roots": roots, "proves": len(proven), "uses": uses}
        for name, (proven, roots, _, choices, uses) in zip(names, parts, strict=True)
    ]
    manifest = {
        "format": "gtp-capture proof in parts 1", "claim": claim, "claims": {"file": "claims", "sha256": ""},
        "parts": entries,
    }  # fmt: skip
    (folder / "manifest").write_text(json.dumps(manifest))
    sign(folder / "manifest")
    return folder / "manifest"


EMPTY = (0, 0)


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        pytest.param([([EMPTY], 1, b"\xff", 1, 1)], "no legal play", id="a root that claims itself"),
        pytest.param(
            [([EMPTY], 1, b"\xff", 1, 1), ([EMPTY], 1, b"\xff", 1, 1)], "no legal play", id="two roots in a circle"
        ),
        pytest.param([([EMPTY], 1, b"\x00\xff", 1, 1)], "proven by no part", id="claims of no part"),
        pytest.param([([(1, 1)], 1, b"\x00", 1, 0)], "no position of this board", id="two stones on a point"),
        pytest.param([([(1 << 40, 0)], 1, b"\x00", 1, 0)], "no position of this board", id="a stone off the board"),
    ],
)
def test_a_circle_of_claims_proves_nothing(
    parts: list[tuple[list[tuple[int, int]], int, bytes, int, int]], said: str, tmp_path: Path
) -> None:
    """White wins on the empty 2x2 board."""
    holds, line = checked(forged(tmp_path, 2, parts))
    assert not holds
    assert said in line


@pytest.mark.slow
@given(st.data())
@settings(max_examples=40)
def test_changed_and_signed_files_prove_no_false_claim(
    proof: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """After a change inside the files, a proof holds only if the oracle accepts it too."""
    path = copied(proof, tmp_path_factory.getbasetemp() / "signed")
    name = data.draw(st.sampled_from(["proof.claims", *(part["file"] for part in parts_of(proof))]))
    content = bytearray(gzip.decompress((proof.parent / name).read_bytes()))
    for _ in range(data.draw(st.integers(1, 2))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place] = data.draw(st.one_of(st.integers(0, 16), st.just(255)))
    if data.draw(st.booleans()):
        del content[data.draw(st.integers(0, len(content))) :]
    (path.parent / name).write_bytes(gzip.compress(bytes(content), 1))
    sign(path)
    holds, line = checked(path)
    if holds:
        assert counts(line) == count_parts(path)


@pytest.mark.slow
@given(st.data())
@settings(max_examples=40)
def test_changed_bytes_of_any_file_give_one_line(
    proof: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = copied(proof, tmp_path_factory.getbasetemp() / "damaged")
    changed = path.parent / data.draw(st.sampled_from(sorted(p.name for p in proof.parent.iterdir())))
    content = bytearray(changed.read_bytes())
    content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    changed.write_bytes(content)
    holds, line = checked(path)
    if holds:
        assert content == (proof.parent / changed.name).read_bytes() or changed.name == "proof"
        assert "4x4, black to move: white wins" in line


@pytest.mark.slow
def test_several_processes_check_the_same(proof: Path, tmp_path: Path) -> None:
    one, two = run("check-proof", str(proof)), run("check-proof", str(proof), "--jobs", "2")
    assert counts(one.stdout) == counts(two.stdout)
    path = copied(proof, tmp_path)
    (tmp_path / "proof.3").write_bytes(b"")
    bad = run("check-proof", str(path), "--jobs", "2")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr.splitlines() == ["gtp-capture: the proof fails: proof.3: proof.3 has another SHA-256 than listed"]


def test_a_cluster_checks_the_same(proof: Path, cluster: Cluster) -> None:
    done = subprocess.run(
        [*ENGINE, "check-proof", str(proof), "--scheduler", cluster.address],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert counts(done.stdout) == counts(checked(proof)[1])


@pytest.mark.slow
def test_solve_writes_a_proof_in_parts(tmp_path: Path) -> None:
    path = tmp_path / "proof"
    done = CliRunner().invoke(solve, ["--size", "4x5", "--proof", str(path), "--part-choices", "1000"])
    assert done.exit_code == 0, done.output
    parts, choices = parts_of(path), sum(part["choices"] for part in parts_of(path))
    size = sum(file.stat().st_size for file in tmp_path.iterdir())
    assert done.output.splitlines()[-1] == (
        f"{path}: {choices} choices in {len(parts)} parts, {size} bytes; 0 nodes were searched again"
    )
    assert counts(checked(path)[1])[0] == choices
    alone = CliRunner().invoke(solve, ["--size", "3", "--part-choices", "1000"])
    assert (alone.exit_code, "--part-choices would have no effect without --proof" in alone.output) == (2, True)


def test_options_for_parts_are_refused_for_one_file(tmp_path: Path) -> None:
    written(Game("first-capture", 3), tmp_path / "whole")
    assert "--jobs and --scheduler are for" in checked(tmp_path / "whole", "--jobs", "2")[1]


@pytest.mark.slow
def test_parts_need_less_memory_than_the_whole(tmp_path: Path) -> None:
    game = Game("first-capture", (5, 6))
    solver = Solver(5, 6, 256 * MEBIBYTE)
    winner = solver.solve(game.board, game.to_move).winner
    assert winner is not None
    write_proof(solver, game, winner, tmp_path / "whole", None, quiet=True)
    write_proof(solver, game, winner, tmp_path / "parts", MEBIBYTE // CHOICE_BYTES, quiet=True)
    holds, line = checked(tmp_path / "whole", "--memory", "1")
    assert not holds
    assert "the proof was not checked: more positions than --memory has room for" in line
    assert checked(tmp_path / "whole", "--memory", "8")[0]
    holds, line = checked(tmp_path / "parts", "--memory", "1")
    assert holds, line
    assert counts(line)[0] < 1.5 * counts(checked(tmp_path / "whole")[1])[0]
