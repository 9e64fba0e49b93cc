"""Pictures of a game in GoGui's graphics language: lines of a drawing command and its points.

These are GoGui's heat map (`winrates`: influence and labels), proven moves, ladders and so on; `commands/gogui.py`
names the command of each. Sabaki draws its own heat map from the lines of `analyze`: see `commands/analyze.py`. The
numbers of both come from `players/analysis.py`.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Final

from ..go import board as bd
from ..go.game import Game
from ..go.vertex import BLACK, EMPTY, WHITE, format_line, opponent
from ..players.analysis import AnalysedMove
from ..players.lines import Unread, ladder, unread
from ..teach import words
from ..teach.explain import Explanation, Hint
from ..teach.reasons import safe_points

VARIATION = 12
"""Maximum number of moves of a line that are drawn."""
UNREAD: Final = {
    Unread.SEVERAL: "not read: one capture does not win here",
    Unread.ATARI: "not read: a chain is in atari",
}
"""Why no ladder is drawn."""
LONGEST_TEXT = 60
"""The most characters of a TEXT; GoGui cuts off a longer one."""


def winrates(game: Game, moves: list[AnalysedMove]) -> list[str]:
    """Draw the win rate of each move in per cent, and as a colour from blue (loses) to red (wins)."""
    plays = [i for i in moves if i.move != "pass"]
    if plays and all(i.proof == "loss" for i in plays):  # a 0 on every point would show nothing
        return [text("every move loses", f"I would play {plays[0].move}")]
    influence = " ".join(f"{i.move} {2 * i.winrate - 1:.2f}" for i in plays)
    labels = " ".join(f"{i.move} {i.winrate:.0%}".rstrip("%") for i in plays)
    return _lines(("INFLUENCE", influence), ("LABEL", labels))


def visits(game: Game, moves: list[AnalysedMove]) -> list[str]:
    """Draw the visits of each move, in thousands or millions if there are many."""
    labels = [f"{i.move} {_short(i.visits)}" for i in moves if i.move != "pass"]
    return _lines(("LABEL", " ".join(labels)))


def proven(game: Game, moves: list[AnalysedMove], plies: Mapping[int, int]) -> list[str]:
    """Draw proven wins green and proven losses red, with the plies to the end if computed."""
    lines = []
    for name, proof, letter in (("green", "win", "W"), ("red", "loss", "L")):
        plays = [i.move for i in moves if i.proof == proof and i.move != "pass"]
        labels = " ".join(f"{play} {letter}{plies.get(game.point(play), '')}" for play in plays)
        lines += _lines((f"COLOR {name}", " ".join(plays)), ("LABEL", labels))
    return lines or [text("nothing is proven")]


def variation(game: Game, color: int, line: tuple[int, ...] | list[int]) -> list[str]:
    """Draw the numbered moves of a line that `color` begins."""
    plays = itertools.takewhile(lambda p: p > 0, line[:VARIATION])
    return _lines(("VAR", format_line(color, map(game.vertex, plays))))


def best_line(game: Game, color: int, moves: list[AnalysedMove]) -> list[str]:
    """Draw the principal variation."""
    return variation(game, color, [game.point(vertex) for vertex in moves[0].line]) if moves else []


def hinted(game: Game, color: int, hint: Hint) -> list[str]:
    """Draw a recommended move, with marks on the chains of its reason, and the reason as text."""
    marked = [game.vertex(q) for stone in hint.stones for q in bd.stones(game.board, game.point(stone))]
    play = variation(game, color, [game.point(hint.move)])
    return [*play, *_lines(("MARK", " ".join(marked))), text(words.hint(hint))]


def explained(game: Game, explanation: Explanation) -> list[str]:
    """Draw the line that refutes the last move; the verdict as text, with a better move if there is room."""
    refuting = opponent(int(game.moves[-1].color))
    line = [game.point(move) for move in explanation.line]
    return [*variation(game, refuting, line), text(words.statement(explanation), words.context(explanation))]


def text(*sentences: str) -> str:
    """Return a TEXT with as many of the sentences as fit. A first sentence that is too long ends with an ellipsis."""
    shown, *more = filter(None, sentences)
    if len(shown) > LONGEST_TEXT:
        shown = shown[: LONGEST_TEXT - 3].rpartition(" ")[0] + "..."
    for sentence in more:
        if len(shown) + 2 + len(sentence) > LONGEST_TEXT:
            break
        shown = f"{shown}. {sentence}"
    return f"TEXT {shown}"


def liberties(game: Game) -> list[str]:
    """Draw the number of liberties on every stone."""
    board = game.board
    counts = {p: len(bd.liberties(board, p)) for p in bd.chains(board)}
    labels = [f"{game.vertex(stone)} {count}" for p, count in counts.items() for stone in bd.stones(board, p)]
    return _lines(("LABEL", " ".join(labels)))


def ataris(game: Game) -> list[str]:
    """Mark the chains in atari, and draw squares on their last liberties."""
    board = game.board
    chains = [p for c in (BLACK, WHITE) for p in game.atari(c)]
    stones = " ".join(game.vertex(s) for p in chains for s in bd.stones(board, p))
    last = sorted({bd.last_liberty(board, p) for p in chains})
    return _lines(("MARK", stones), ("SQUARE", " ".join(game.vertex(p) for p in last)))


def ladders(game: Game) -> list[str]:
    """Draw the winning ladder of the colour to move, else the one that its opponent threatens."""
    color = game.to_move
    if (reason := unread(game)) is not None:
        return [text(UNREAD[reason])]
    ladder_line = ladder(game, int(color))
    if ladder_line:
        return [*variation(game, int(color), ladder_line), text(f"a ladder of {len(ladder_line)} moves")]
    threat = ladder(game, opponent(int(color)))
    return [*variation(game, opponent(int(color)), threat), text("a threat" if threat else "no ladder found")]


def safe(game: Game) -> list[str]:
    """Draw the safe points of Black only (blue), White only (yellow) and both (green), with their numbers."""
    black, white = set(safe_points(game, BLACK)), set(safe_points(game, WHITE))
    parts = [("blue", black - white), ("yellow", white - black), ("green", black & white)]
    colors = [(f"COLOR {name}", " ".join(game.vertex(p) for p in sorted(points))) for name, points in parts]
    return [*_lines(*colors), text(f"safe points: Black {len(black)}, White {len(white)}")]


def thinking(game: Game, color: int, moves: list[AnalysedMove]) -> list[str]:
    """Draw win rates and principal variation during a search."""
    if not moves:
        return []
    said = f"{moves[0].winrate:.0%}, {sum(i.visits for i in moves)} visits"
    return [*winrates(game, moves), *best_line(game, color, moves), text(said)]


def rows(game: Game) -> str:
    """Format the board for GoGui's ruler: X, O and a full stop, the top row first."""
    signs = {EMPTY: ".", BLACK: "X", WHITE: "O"}
    cells = [signs[int(game.board.color[p])] for p in bd.points(game.board)]
    width = game.width
    return "\n".join(" ".join(cells[row * width : (row + 1) * width]) for row in reversed(range(game.height)))


def _lines(*parts: tuple[str, str]) -> list[str]:
    return [f"{command} {points}" for command, points in parts if points]


def _short(count: int) -> str:
    return str(count) if count < 1000 else f"{count / 1000:.0f}k" if count < 1_000_000 else f"{count / 1e6:.0f}M"
