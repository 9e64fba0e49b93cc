"""The format of a proof file: a line of JSON with the claim, then a byte for each choice of the winner, all gzipped.

The claim has `width`, `height`, `rules`, `black` and `white` (vertices of stones), `to_move`, `winner` and
`inferences`.
The bytes are in the order of a depth-first walk through the proof tree, in which the winner's and the loser's turns
alternate:

    winner's turn: if the winner can capture, the branch ends without a byte ("capture"). It also ends without a byte if
    the same position ("transposition"), or its image under a symmetry of the board ("symmetry"), was reached before
    with the winner's turn. Otherwise the next byte is the play, `row * width + column` from A1.
    loser's turn: every legal play is tried, from A1 row by row. If there is none, the game is over.

The format is the same for all boards of up to 128 points.

Stones are only added, so positions form a DAG and a proof cannot be circular.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeAlias, cast

from ...util.atomic_file import atomic_write
from ...util.files import open_regular

INFERENCES: Final = ("capture", "transposition", "symmetry")
CHUNK: Final = 1 << 20
"""Bytes read or written at a time."""
LEVEL: Final = 6
"""Level of gzip's compression."""
LINE: Final = 100_000
"""Maximum bytes of the first line."""
FIELDS: Final = {
    "width": int, "height": int, "rules": str, "black": list, "white": list, "to_move": str, "winner": str,
    "inferences": list,
}  # fmt: skip
"""The fields of a claim, with their types."""

DAMAGE: Final = (OSError, EOFError, ValueError, zlib.error)
"""Errors that reading a damaged file raises."""
Chunks: TypeAlias = Generator[bytes, None, None]


class ProofError(ValueError):
    """The proof fails or cannot be read; the message gives the reason."""


@contextmanager
def create_proof(path: Path, claim: dict[str, Any]) -> Iterator[BinaryIO]:
    """Create a proof file with its claim, to write the choices to. OSError: it cannot be written."""
    with atomic_write(path) as raw, gzip.GzipFile("", "wb", LEVEL, raw, 0) as file:
        file.write(json.dumps(claim).encode() + b"\n")
        yield cast(BinaryIO, file)


def read_proof(path: Path) -> tuple[dict[str, Any], Chunks]:
    """Return the claim of a proof file, whose values may be of any type, and its choices in chunks, to be closed.

    UnreadableError: not a regular file, or it cannot be opened. ProofError: not a proof file; reading the chunks may
    raise it too.
    """
    with open_regular(path) as raw, gzip.GzipFile(fileobj=raw, mode="rb") as file:
        try:
            line = file.readline(LINE)
            if not line:
                raise ValueError("it is empty")
            if not line.startswith(b"{"):
                raise ValueError("it has no claim")
            claim = json.loads(line, object_pairs_hook=unique)
            if not isinstance(claim, dict) or claim.keys() != FIELDS.keys():
                raise ValueError(f"its first line is not an object of {', '.join(FIELDS)}")
        except RecursionError:
            raise _not_whole(path, "its claim is nested too deeply") from None
        except DAMAGE as error:
            raise _not_whole(path, error) from None
    return claim, _choices(path)  # opened again there, so that no file stays open if the claim is refused


def _choices(path: Path) -> Chunks:
    """Yield the choices of a proof file in chunks."""
    with open_regular(path) as raw, gzip.GzipFile(fileobj=raw, mode="rb") as file:
        try:
            file.readline(LINE)
            while chunk := file.read(CHUNK):
                yield chunk
        except DAMAGE as error:
            raise _not_whole(path, error) from None


def _not_whole(path: Path, error: Exception | str) -> ProofError:
    if isinstance(error, EOFError):
        reason = "its end is missing"
    elif isinstance(error, OSError) and error.strerror:
        reason = error.strerror
    elif isinstance(error, (OSError, zlib.error, json.JSONDecodeError, UnicodeDecodeError)):
        reason = "its bytes are not those of a proof"
    else:
        reason = str(error)
    return ProofError(f"{path.name} is not a whole proof file: {reason}")


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object. ValueError: a key occurs twice, so that programs would read different values."""
    claim = dict(pairs)
    if len(claim) < len(pairs):
        raise ValueError("a key occurs twice")
    return claim
