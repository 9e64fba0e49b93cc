"""Pictures of a game in GoGui's graphics language: a list of lines, each a command and the points it draws on."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

from ..go import board as bd
from ..go.game import Game
from ..go.vertex import BLACK, EMPTY, WHITE, format_line, opponent
from ..players.analysis import Insight
from ..players.explain import ladder, safe_points

VARIATION = 12
"""Moves of a line that still can be read on a board."""


def winrates(game: Game, found: list[Insight]) -> list[str]:
    """The win rate of each move in per cent, and its colour: blue loses, red wins."""
    plays = [i for i in found if i.move > 0]
    influence = " ".join(f"{game.vertex(i.move)} {2 * i.winrate - 1:.2f}" for i in plays)
    labels = " ".join(f"{game.vertex(i.move)} {i.winrate:.0%}".rstrip("%") for i in plays)
    return _lines(("INFLUENCE", influence), ("LABEL", labels))


def visits(game: Game, found: list[Insight]) -> list[str]:
    """How often each move was tried, in full or in thousands."""
    labels = [f"{game.vertex(i.move)} {_short(i.visits)}" for i in found if i.move > 0]
    return _lines(("LABEL", " ".join(labels)))


def proven(game: Game, found: list[Insight], plies: Mapping[int, int]) -> list[str]:
    """Moves that win by force green and those that lose by force red, with the plies to the end where computed."""
    sides = [("green", 1, "W"), ("red", -1, "L")]
    lines = []
    for name, side, letter in sides:
        moves = [i for i in found if i.proven == side and i.move > 0]
        lines += _lines(
            (f"COLOR {name}", " ".join(game.vertex(i.move) for i in moves)),
            ("LABEL", " ".join(f"{game.vertex(i.move)} {letter}{plies.get(i.move, '')}" for i in moves)),
        )
    return lines or ["TEXT nothing is proven"]


def variation(game: Game, color: int, line: tuple[int, ...] | list[int]) -> list[str]:
    """A line of moves with their numbers, the colour beginning."""
    plays = itertools.takewhile(lambda p: p > 0, line[:VARIATION])
    return _lines(("VAR", format_line(color, plays, game.width)))


def best_line(game: Game, color: int, found: list[Insight]) -> list[str]:
    """The principal variation."""
    return variation(game, color, found[0].line) if found else []


def liberties(game: Game) -> list[str]:
    """The number of liberties on every stone."""
    board = game.board
    counts = {p: len(bd.liberties(board, p)) for p in bd.chains(board)}
    labels = [f"{game.vertex(stone)} {count}" for p, count in counts.items() for stone in bd.stones(board, p)]
    return _lines(("LABEL", " ".join(labels)))


def ataris(game: Game) -> list[str]:
    """Stones of chains in atari marked, their last liberties in a square."""
    board = game.board
    chains = [p for c in (BLACK, WHITE) for p in game.atari(c)]
    stones = " ".join(game.vertex(s) for p in chains for s in bd.stones(board, p))
    last = sorted({bd.last_liberty(board, p) for p in chains})
    return _lines(("MARK", stones), ("SQUARE", " ".join(game.vertex(p) for p in last)))


def ladders(game: Game) -> list[str]:
    """The win by continuous atari of the colour to move, else the one that its opponent threatens."""
    color = game.to_move
    found = ladder(game, color)
    if found:
        return [*variation(game, color, found), f"TEXT a ladder of {len(found)} moves"]
    threat = ladder(game, opponent(color))
    return [*variation(game, opponent(color), threat), "TEXT a threat"] if threat else ["TEXT no ladder"]


def safe(game: Game) -> list[str]:
    """Where Black only (blue), White only (yellow) and both (green) may play safely, with the counts."""
    black, white = set(safe_points(game, BLACK)), set(safe_points(game, WHITE))
    parts = [("blue", black - white), ("yellow", white - black), ("green", black & white)]
    colors = [(f"COLOR {name}", " ".join(game.vertex(p) for p in sorted(points))) for name, points in parts]
    return [*_lines(*colors), f"TEXT safe plays: Black {len(black)}, White {len(white)}"]


def thinking(game: Game, color: int, found: list[Insight]) -> list[str]:
    """What stands on the board while the engine thinks."""
    if not found:
        return []
    text = f"TEXT {found[0].winrate:.0%}, {sum(i.visits for i in found)} visits"
    return [*winrates(game, found), *best_line(game, color, found), text]


def rows(game: Game) -> str:
    """The board as GoGui's ruler asks for it: X, O and a full stop, the top row first."""
    signs = {EMPTY: ".", BLACK: "X", WHITE: "O"}
    cells = [signs[int(game.board.color[p])] for p in bd.points(game.board)]
    width = game.width
    return "\n".join(" ".join(cells[row * width : (row + 1) * width]) for row in reversed(range(game.height)))


def _lines(*parts: tuple[str, str]) -> list[str]:
    return [f"{command} {points}" for command, points in parts if points]


def _short(count: int) -> str:
    return str(count) if count < 1000 else f"{count / 1000:.0f}k" if count < 1_000_000 else f"{count / 1e6:.0f}M"
