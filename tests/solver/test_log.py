"""The log of a search: all cuts and changed bits of a file, other positions, and a second run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtp_capture.solver.log import FORMAT, Log, LogError

from ..support.process import file_size_limit

ABOUT = {"width": 3, "height": 3, "to_move": "black"}
RECORDS = st.lists(
    st.dictionaries(st.sampled_from(["job", "pn", "text"]), st.integers() | st.text(max_size=5), max_size=3), max_size=6
)


def write(path: Path, records: list[dict[str, Any]]) -> bytes:
    """Append records to a log, and return the file."""
    with closing(Log(path, ABOUT)) as log:
        list(log.records())
        log.begin()
        for record in records:
            log.append(record)
    return path.read_bytes()


def read(path: Path) -> list[dict[str, Any]]:
    with closing(Log(path, ABOUT)) as log:
        return list(log.records())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for all examples of a property."""
    return tmp_path_factory.mktemp("log")


@pytest.fixture(scope="module", autouse=True)
def unsynced() -> Iterator[None]:
    """Do not wait for the disk at the end of each of the many logs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.fsync", lambda file: None)
        yield


def fresh(folder: Path) -> Path:
    path = folder / "log"
    path.unlink(missing_ok=True)
    return path


@given(RECORDS, RECORDS)
def test_records_are_read_as_written_also_by_a_second_run(
    folder: Path, first: list[dict[str, Any]], second: list[dict[str, Any]]
) -> None:
    path = fresh(folder)
    write(path, first)
    write(path, second)
    assert read(path) == first + second
    assert path.read_bytes().count(b"\n") == 1 + len(first) + len(second)


@given(RECORDS, st.data())
def test_a_file_cut_anywhere_has_its_whole_records_and_can_be_continued(
    folder: Path, records: list[dict[str, Any]], data: st.DataObject
) -> None:
    path = fresh(folder)
    content = write(path, records)
    cut = data.draw(st.integers(0, len(content)))
    path.write_bytes(content[:cut])
    whole = max(0, content[:cut].count(b"\n") - 1)
    assert read(path) == records[:whole]
    assert path.read_bytes() == content[:cut]  # reading changes nothing
    assert write(path, records[whole:]) == content


@given(RECORDS.filter(bool), st.data())
def test_a_changed_bit_is_found_and_the_file_stays_as_it_is(
    folder: Path, records: list[dict[str, Any]], data: st.DataObject
) -> None:
    path = fresh(folder)
    content = bytearray(write(path, records))
    at = data.draw(st.integers(0, len(content) - 1))
    content[at] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(content)
    with pytest.raises(LogError, match=r"is damaged|is not a log"):
        read(path)
    assert path.read_bytes() == content


@given(st.lists(st.integers(0, 2**30), min_size=2, max_size=6, unique=True), st.data())
def test_lines_that_are_missing_moved_or_repeated_are_found(
    folder: Path, numbers: list[int], data: st.DataObject
) -> None:
    path = fresh(folder)
    lines = write(path, [{"job": number} for number in numbers]).splitlines(keepends=True)
    at, to = data.draw(st.tuples(st.integers(1, len(lines) - 2), st.integers(1, len(lines) - 1)))
    changed = data.draw(st.sampled_from([lines[:at] + lines[at + 1 :], lines[: to + 1] + lines[to:]]))
    path.write_bytes(b"".join(changed))
    with pytest.raises(LogError, match="is damaged"):
        read(path)


def test_the_log_of_another_position_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log"
    content = write(path, [{"job": 1}])
    with closing(Log(path, {**ABOUT, "to_move": "white"})) as log, pytest.raises(LogError) as error:
        list(log.records())
    assert str(error.value) == f"{path} is the log of another position: to_move is black, not white"
    assert path.read_bytes() == content
    assert FORMAT.encode() in content


def test_a_second_run_on_the_same_log_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with closing(Log(path, ABOUT)) as log:
        log.begin()
        with pytest.raises(LogError, match="is in use by another run"):
            Log(path, ABOUT)
    Log(path, ABOUT).close()


@pytest.mark.posix
def test_a_record_that_does_not_fit_leaves_whole_records_and_the_reason(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with closing(Log(path, ABOUT)) as log:
        log.begin()
        log.append({"job": 1})
        with file_size_limit(path.stat().st_size + 5), pytest.raises(LogError, match="log: File too large"):
            log.append({"job": 2})
        log.append({"job": 3})
    assert read(path) == [{"job": 1}, {"job": 3}]
