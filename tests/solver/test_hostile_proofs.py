"""check-proof with damaged and forged files: one line and exit code 2, and no false claim is accepted."""

from __future__ import annotations

import gzip
import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from gtp_capture import Game
from gtp_capture.cli.solve import solve
from gtp_capture.go.vertex import BLACK, column_row, parse_vertex
from gtp_capture.solver.proofs.checker import Checker
from gtp_capture.solver.proofs.format import FIELDS, INFERENCES, ProofError
from gtp_capture.solver.proofs.keyset import WORD_POINTS
from gtp_capture.solver.proofs.rules import POINTS

from ..support import proof_check
from ..support.brute_force import wins
from ..support.proof_oracle import count_file

MOST = 12
"""Points of the largest board on which minimax over sets of points ends soon for every position."""


@pytest.fixture(scope="module")
def proof(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return a proof, decompressed: 3x3 with a stone of each colour."""
    folder = tmp_path_factory.mktemp("proof")
    (folder / "diagram").write_text("...\n.X.\n..O\n")
    done = CliRunner().invoke(solve, [str(folder / "diagram"), "--proof", str(folder / "proof")])
    assert done.exit_code == 0, done.output
    return gzip.decompress((folder / "proof").read_bytes())


def checked(path: Path) -> tuple[bool, str]:
    """Return whether the proof holds, and the only line of output."""
    return proof_check.checked(path, "--memory", "64", longest=400)


def write(path: Path, claim: bytes, choices: bytes) -> Path:
    path.write_bytes(gzip.compress(claim + b"\n" + choices, 1))
    return path


@cache
def truth(width: int, height: int, black: tuple[str, ...], white: tuple[str, ...], to_move: str) -> str:
    """Return the winner by minimax over sets of points, which shares no code with solver and checker."""
    points = ([parse_vertex(vertex, width, height) for vertex in stones] for stones in (black, white))
    sets = [frozenset(column_row(point, width) for point in stones) for stones in points]
    own, opp = sets if to_move == "black" else sets[::-1]
    return to_move if wins(own, opp, width, height) else ("white" if to_move == "black" else "black")


def is_true(claim: dict[str, Any], path: Path) -> bool:
    """Whether a claim is true: by minimax; on larger boards, where that may take days, because its proof holds."""
    if claim["width"] * claim["height"] > MOST:
        return len(count_file(path)) > 0  # or it raises an error
    stones = [tuple(sorted(v.upper() for v in claim[color])) for color in ("black", "white")]
    winner: str = claim["winner"]
    return truth(claim["width"], claim["height"], stones[0], stones[1], claim["to_move"]) == winner


JSON = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-5, 30), st.integers(), st.floats(), st.text(max_size=5),
        st.sampled_from(["black", "white", "A1", "C3", "pass", "3", 3, 2, 10**400, "first-capture", "capture-1"]),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=3), inner, max_size=2)),
    max_leaves=6,
)  # fmt: skip
VERTICES = st.lists(st.sampled_from(["A1", "B1", "C1", "A2", "B2", "c3", "C3", "D4", "Z9", "pass", ""]), max_size=4)


@pytest.mark.slow
@given(st.data())
@settings(max_examples=80)
def test_changed_fields_give_no_traceback_and_no_false_claim(
    proof: bytes, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    line, _, choices = proof.partition(b"\n")
    claim = json.loads(line)
    names = data.draw(st.lists(st.sampled_from([*FIELDS, "more"]), min_size=1, max_size=2))
    for name in names:
        claim[name] = data.draw(st.one_of(JSON, VERTICES, st.sampled_from(["black", "white"]), st.integers(2, 4)))
    try:
        text = json.dumps(claim).encode()
    except ValueError:  # an integer with more digits than Python writes
        return
    if data.draw(st.booleans()):
        choices = bytes(random.Random(data.draw(st.integers(0, 9))).randrange(9) for _ in range(len(choices)))
    path = write(tmp_path_factory.getbasetemp() / "changed", text, choices)
    if checked(path)[0]:
        assert "more" not in claim
        assert type(claim["width"]) is type(claim["height"]) is int
        assert claim["inferences"] == list(INFERENCES)
        assert is_true(claim, path)


DEEP = b"[" * 90_000
CLAIMS = {
    "nested lists": DEEP,
    "nested lists in a field": b'{"width": ' + DEEP,
    "an infinite width": ("width", "Infinity"),
    "a width with a fraction": ("width", "3.7"),
    "a width that is true": ("width", "true"),
    "a width of too many digits": ("width", "3" + "0" * 50_000),
    "a negative width": ("width", "-3"),
    "rules of many letters": ("rules", '"' + "x" * 50_000 + '"'),
    "rules as a list": ("rules", "[]"),
    "another rule": ("rules", '"capture-2"'),
    "stones as text": ("black", '"B2"'),
    "a stone off the board": ("black", '["B2", "D4"]'),
    "a stone that passes": ("black", '["pass"]'),
    "a stone twice": ("black", '["B2", "b2"]'),
    "a stone on a stone": ("black", '["B2", "C1"]'),
    "no winner": ("winner", "null"),
    "another winner": ("winner", '"nobody"'),
    "a colour that is a number": ("to_move", "1"),
    "other inferences": ("inferences", '["capture"]'),
    "unknown inferences": ("inferences", '["capture", "transposition", "symmetry", "magic"]'),
    "a key twice": ("winner", '"white", "winner": "black"'),
    "another key": ("winner", '"black", "komi": 7'),
    "a list": b"[]",
    "text": b'"width height rules black white to_move winner inferences"',
    "nothing": b"",
    "no UTF-8": b"\xff\xfe\xff",
    "a long line": b" " * 200_000 + b"{}",
}


@pytest.mark.parametrize("change", CLAIMS.values(), ids=CLAIMS.keys())
def test_an_invalid_claim_gives_one_line(change: bytes | tuple[str, str], proof: bytes, tmp_path: Path) -> None:
    line, _, choices = proof.partition(b"\n")
    if isinstance(change, tuple):
        name, value = change
        claim = json.loads(line)
        claim[name] = "the value"
        line = json.dumps(claim).replace('"the value"', value).encode()
    else:
        line = change
    holds, said = checked(write(tmp_path / "proof", line, choices))
    assert not holds
    assert "the proof fails: " in said


def test_a_board_too_large_for_exact_keys_is_refused() -> None:
    game = Game("first-capture", (12, 11))
    with pytest.raises(ProofError, match="128 points"):
        list(Checker(game.board, BLACK, 2**20).verify(BLACK, iter([b"\0"])))
    game = Game("first-capture", 8)
    with pytest.raises(ProofError, match="missing"):
        list(Checker(game.board, BLACK, 2**26).verify(BLACK, iter([b"\0"])))
    assert 3**WORD_POINTS < 2**64 > 3 ** (64 - WORD_POINTS)
    assert 3 ** (2 * WORD_POINTS) < 2**128 > 3 ** (POINTS - 2 * WORD_POINTS)
