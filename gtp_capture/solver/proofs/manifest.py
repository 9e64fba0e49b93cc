"""Proofs in parts: the manifest, a JSON object that lists them, and why the parts together are a proof.

A manifest has the `format`, the `claim`, an object as in `format` with "claim" as the last of its `inferences`, the
file of `claims`, and the `parts`: each has its `file` and its numbers of `choices`, `roots`, `proves` and `uses`. Files
are listed with their SHA-256 and lie beside the manifest. Positions are those with the winner's turn, as two
little-endian numbers of 64 bits, or of 128 bits on boards of more than 64 points: the winner's stones and the loser's.
The file of claims, gzipped, has the positions that the first part proves, then those of the second, and so on. The file
of a part, gzipped, has the bytes of a walk from each of the first `roots` positions that it proves, as in `format`,
with one more inference: instead of a play, the byte 255 says that this position, other than the root of the walk, is
among the claims ("claim").

Each part is checked alone: the walks hold, each position that the part proves was in one of them with its play, and the
number of positions that it uses, which it says are claims, is as listed. Then: each position that a part uses is proven
by some part, and so is the root of the proof, or, if the loser has the turn there, each position after a reply that the
winner cannot capture.

That is sound in any order of the parts. Let P be all positions whose play was checked in some part. After this play,
the loser can capture nothing, and after each reply the winner can capture, or the position is in P: it is in the same
part, or it is used there, and so proven in some part. No stone leaves the board before the first capture, so this
position has two stones more, and an image of it as many. By induction on the number of empty points, the winner wins
from each position in P: there is no circle, as a claim that was used for its own proof would have more stones than
itself. A root may not be claimed instead of proven, because that would add no stone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, cast

from ...util.atomic_file import atomic_write
from ...util.files import UnreadableError, escaped, open_regular, read_bounded
from .format import INFERENCES, ProofError, unique

FORMAT: Final = "gtp-capture proof in parts 1"
PART_INFERENCES: Final = (*INFERENCES, "claim")
MAX_BYTES: Final = 10_000_000
"""Bytes of a manifest."""
MAX_PARTS: Final = 20_000
"""Of a proof, so that its manifest has at most that many bytes."""
MAX_NUMBER: Final = 2**40


@dataclass(frozen=True, slots=True)
class Listed:
    """A file of the proof."""

    file: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Part(Listed):
    """A part of a proof."""

    choices: int
    roots: int
    proves: int
    uses: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """The parts of a proof."""

    claim: dict[str, Any]
    """Its values may be of any type."""
    claims: Listed
    parts: tuple[Part, ...]


def write_manifest(path: Path, manifest: Manifest) -> None:
    """Write a manifest. OSError: it cannot be written."""
    with atomic_write(path) as file:
        file.write(json.dumps({"format": FORMAT, **asdict(manifest)}, indent=1).encode() + b"\n")


def is_manifest(path: Path) -> bool:
    """Return whether a file begins like a manifest, not like a gzipped proof. UnreadableError: see `open_regular`."""
    with open_regular(path) as file:
        return file.read(1) == b"{"


def read_manifest(path: Path) -> Manifest:
    """Read a manifest. UnreadableError: not a regular file, or too large. ProofError: not a manifest."""
    try:
        found = _object(json.loads(read_bounded(path, MAX_BYTES), object_pairs_hook=unique), "format", Manifest)
        if found["format"] != FORMAT:
            raise ValueError("it is of another format")
        parts = found["parts"]
        if type(found["claim"]) is not dict or type(parts) is not list:
            raise ValueError("claim is no object, or parts no list")
        manifest = Manifest(found["claim"], _listed(found["claims"], Listed), tuple(_listed(p, Part) for p in parts))
        names = [manifest.claims.file, *(part.file for part in manifest.parts)]
        if len(set(names)) < len(names):
            raise ValueError("a file is listed twice")
        return manifest
    except UnreadableError:
        raise
    except RecursionError:
        raise ProofError(f"{path.name} is not a manifest: it is nested too deeply") from None
    except ValueError as error:
        raise ProofError(f"{path.name} is not a manifest: {escaped(str(error))}") from None


def _object(value: Any, *names: Any) -> dict[str, Any]:
    """Return a JSON object that has exactly these keys; a class stands for its fields. ValueError: it has others."""
    keys = [key for name in names for key in ([name] if isinstance(name, str) else name.__dataclass_fields__)]
    if type(value) is not dict or value.keys() != set(keys):
        raise ValueError(f"there is no object of {', '.join(keys)}")
    return value


def _listed(value: Any, kind: type[Any]) -> Any:
    """Return a Listed or a Part. ValueError: it is none, or its file would lie elsewhere."""
    entry = _object(value, kind)
    name, digest = entry.pop("file"), entry.pop("sha256")
    if type(name) is not str or type(digest) is not str:
        raise ValueError("file or sha256 is no text")
    if name in ("", ".", "..") or not name.isprintable() or "/" in name or "\\" in name:
        raise ValueError("a file is not a plain name")
    if any(type(number) is not int or not 0 <= number <= MAX_NUMBER for number in entry.values()):
        raise ValueError(f"a number of {name} is none from 0 to {MAX_NUMBER}")
    if entry and not 1 <= entry["roots"] <= entry["proves"] <= entry["choices"]:
        raise ValueError(f"the numbers of {name} do not fit together")
    return kind(name, digest, **entry)


def check_digest(path: Path, sha256: str) -> None:
    """Compare a listed file with its SHA-256. ProofError: it is another file, a link or unreadable."""
    try:
        if path.is_symlink():
            raise UnreadableError("a link")
        with open_regular(path) as file:
            digest = hashlib.file_digest(cast(Any, file), "sha256").hexdigest()
    except (UnreadableError, OSError) as error:
        raise ProofError(f"{path} cannot be read: {error}") from None
    if digest != sha256:
        raise ProofError(f"{path.name} has another SHA-256 than listed")


def listed(path: Path) -> Listed:
    """Return the entry of a file that was written. OSError: it cannot be read."""
    with path.open("rb") as file:
        return Listed(path.name, hashlib.file_digest(cast(Any, file), "sha256").hexdigest())


def position_size(points: int) -> int:
    """Return the bytes of a position in the file of claims, on a board of so many points."""
    return 16 if points <= 64 else 32


def position_bytes(positions: Iterable[tuple[int, int]], points: int) -> bytes:
    """Return positions of a board of so many points as in the file of claims."""
    size = position_size(points) // 2
    return b"".join(stones.to_bytes(size, "little") for position in positions for stones in position)
