"""The search for a line of a book, against a search through all lines."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gtp_capture.books.lookup import find_line

WORDS = st.text("ab", max_size=4).map(str.encode)


@given(st.lists(WORDS), WORDS)
def test_a_line_is_found_by_its_beginning(words: list[bytes], prefix: bytes) -> None:
    lines = sorted(words)
    expected = next((line for line in lines if line.startswith(prefix)), None)
    assert find_line(b"".join(line + b"\n" for line in lines), prefix) == expected
