"""Terms of the game, each with a small board that shows it. Their texts are in `sentences.txt`, under `term.`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from ..go.diagram import parse
from ..go.game import Game
from ..go.vertex import BLACK, EMPTY, numbered

LETTERS: Final = "abcdefgh"


class Term(NamedTuple):
    """A board with letters on free points, or with numbered moves that Black begins."""

    rows: str
    """Rows of X, O and dots, the top row first."""
    letters: str = ""
    """Vertices that get the letters a, b, c and so on."""
    line: str = ""
    """Vertices of alternating moves."""

    def game(self) -> Game:
        """Return the position, with Black to move, under the rules of first capture."""
        return parse(self.rows.replace(" ", "\n")).game(None)

    def numbers(self) -> dict[int, tuple[int | str, int]]:
        """Return the letters and numbers that are drawn on the points, as `picture` takes them."""
        game = self.game()
        letters = zip(map(game.point, self.letters.split()), LETTERS, strict=False)
        marks: dict[int, tuple[int | str, int]] = {point: (letter, EMPTY) for point, letter in letters}
        return marks | numbered(BLACK, map(game.point, self.line.split()))


_DOUBLE: Final = Term("..... .X.X. XO.OX ..... .....", line="C3")
TERMS: Final[Mapping[str, Term]] = {
    "liberties": Term("..... ..... .XX.. ..O.. .....", "B2 A3 D3 B4 C4"),
    "chain": Term("..... ...X. .XX.. .X... ....."),
    "atari": Term("..... ..X.. .XO.. ..X.. .....", "D3"),
    "capture": Term("..... ..X.. .XO.. ..X.. .....", line="D3"),
    "double": _DOUBLE,
    "ladder": Term("..... .X... ..OX. ..X.. .....", line="B3 C4 D4 C5 B5"),
    "net": Term("..... .X... .XO.. ..XX. .....", line="D4"),
    "cut": Term("..... ..O.. .X.X. ..O.. .....", line="C3"),
    "safe": Term(".X.O. XXOO. .XXO. XXXOO .XX.O", "A1 A3 A5 C5 D1 E4"),
    "ko": Term("..... ..XO. .XO.O ..XO. .....", line="D3"),
    "eyes": Term("..... ..... OOOOO XXXXO .X.XO", "A1 C1"),
    "force": _DOUBLE,
}
"""The terms that `help` explains."""
