"""Actions: the numbers of moves, points row by row from the top left and then the pass, as in `Game.legal_mask`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..go.vertex import action_of, action_point, format_vertex, parse_vertex
from ..util.arguments import whole


def action_points(size: tuple[int, int]) -> npt.NDArray[np.int64]:
    """Return the point of each action on a board of (width, height)."""
    width, height = size
    return np.array([action_point(action, width, height) for action in range(width * height + 1)], np.int64)


class Vertices:
    """The actions of an environment by their vertices."""

    size: tuple[int, int]
    """Width and height of the boards."""

    def action(self, vertex: str) -> int:
        """Return the action of a vertex such as "C3", or of "pass".

        TypeError: not text. ValueError: not a vertex of this board.
        """
        if not isinstance(vertex, str):
            raise TypeError(f"a vertex such as 'C3' is needed, not {vertex!r}")
        return action_of(parse_vertex(vertex, *self.size), *self.size)

    def vertex(self, action: int) -> str:
        """Return the vertex of an action, or "pass". TypeError: not a whole number. ValueError: not an action."""
        width, height = self.size
        return format_vertex(action_point(whole("action", action, 0, width * height), width, height), width)
