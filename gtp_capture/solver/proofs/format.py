"""What a proof file is: one line of JSON that says what is proven, then one byte for each of the winner's choices.

All compressed with gzip. The line: `width`, `height`, `rules`, `black` and `white` (vertices that have a stone),
`to_move`, `winner` and `inferences`. The bytes are in the order in which whoever reads the proof needs them:

    winner's turn: if a capture is there, it is taken and nothing is written ("capture"). If the position, or an image
    of it under the board's symmetries, had its turn before, its choice is known ("transposition", "symmetry"). Else
    the next byte is the play: `row * width + column`, counted from A1. Then it is the loser's turn.
    loser's turn: every legal play is tried, from A1 row by row. Without one the game is over.

As stones are only added, nothing is ever proven by itself.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

from ...util.atomic_file import atomic_write
from ...util.files import open_regular

INFERENCES: Final = ("capture", "transposition", "symmetry")
CHUNK: Final = 1 << 20
LINE: Final = 100_000
"""Bytes of the first line at most."""
KEYS: Final = ("width", "height", "rules", "black", "white", "to_move", "winner", "inferences")

DAMAGE: Final = (OSError, EOFError, ValueError, zlib.error)
"""What reading a damaged file raises."""


class ProofError(ValueError):
    """This is no proof; the message says why."""


class ProofRoomError(ProofError):
    """The proof has more positions than there is memory for; it may well hold."""


@contextmanager
def create(path: Path, claim: dict[str, Any]) -> Iterator[BinaryIO]:
    """A new proof file, its first line written; the bytes follow. OSError: it cannot be written."""
    with atomic_write(path) as raw, gzip.GzipFile("", "wb", 6, raw, 0) as file:
        file.write(json.dumps(claim).encode() + b"\n")
        yield cast(BinaryIO, file)


def read(path: Path) -> tuple[dict[str, Any], Iterator[bytes]]:
    """The claim and the bytes of a proof file; the values of the claim are of any type.

    UnreadableError: no regular file, or it cannot be opened. ProofError: no proof file, also while bytes are read.
    """

    def guard(error: BaseException) -> ProofError:
        return ProofError(f"{path.name} is not a whole proof file: {error}")

    def chunks() -> Iterator[bytes]:
        # Opened anew, so that a claim that is refused leaves no file open.
        with open_regular(path) as raw, gzip.GzipFile(fileobj=raw, mode="rb") as file:
            try:
                file.readline(LINE)
                while chunk := file.read(CHUNK):
                    yield chunk
            except DAMAGE as error:
                raise guard(error) from None

    with open_regular(path) as raw, gzip.GzipFile(fileobj=raw, mode="rb") as file:
        try:
            claim = json.loads(file.readline(LINE), object_pairs_hook=_unique)
            if not isinstance(claim, dict) or claim.keys() != set(KEYS):
                raise ValueError(f"its first line is no object of {', '.join(KEYS)}")
        except (*DAMAGE, RecursionError) as error:
            raise guard(error) from None
    return claim, chunks()


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object. ValueError: a key twice, which programs read differently."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found
