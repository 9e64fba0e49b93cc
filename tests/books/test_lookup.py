"""The search for a line of a book, against a search through all lines; what is not a whole book."""

from __future__ import annotations

import gzip
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtp_capture.books.lookup import find_line, lines_of

WORDS = st.text("ab", max_size=4).map(str.encode)


@given(st.lists(WORDS), WORDS)
def test_a_line_is_found_by_its_beginning(words: list[bytes], prefix: bytes) -> None:
    lines = sorted(words)
    expected = next((line for line in lines if line.startswith(prefix)), None)
    assert find_line(b"".join(line + b"\n" for line in lines), prefix) == expected


def test_a_book_is_read_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gtp_capture.books.lookup.MOST_TEXT", 10)
    assert lines_of(gzip.compress(b"2x2 ....\n\n")) == ["2x2 ....", ""]
    with pytest.raises(ValueError, match="more than 10 bytes"):
        lines_of(gzip.compress(b"2x2 ....\n\n\n"))


@pytest.mark.parametrize("damage", [lambda data: data[:-1], lambda data: data + b"more"], ids=["cut", "more"])
def test_a_damaged_book_is_refused(damage: Callable[[bytes], bytes]) -> None:
    with pytest.raises(ValueError, match="not a book"):
        lines_of(damage(gzip.compress(b"2x2 .... + 0 -\n")))
