"""The board as text."""

from __future__ import annotations

from .game import Game
from .vertex import BLACK, COLOR_NAMES, COLUMNS, EMPTY, PASS, RESIGN, WHITE, point_at
from .words import counted

SYMBOLS = {EMPTY: ".", BLACK: "X", WHITE: "O"}


def showboard(game: Game) -> str:
    """Return the board with coordinates, the last stone in brackets; at the right rules, prisoners, komi and turn."""
    last = game.last_move.point if game.last_move is not None else PASS
    letters = "    " + " ".join(COLUMNS[: game.width])
    rows = [letters]
    notes = _notes(game)
    for row in range(game.height - 1, -1, -1):
        cells = ""
        for column in range(game.width):
            p = point_at(column, row, game.width)
            cells += (
                ("(" if p == last > 0 else " ") + SYMBOLS[int(game.board.color[p])] + (")" if p == last > 0 else "")
            )
        # A bracket replaces the space after it.
        rows.append(
            f" {row + 1:2}"
            + cells.replace(") ", ")").ljust(2 * game.width)
            + f" {row + 1:<2}  {notes.pop(0) if notes else ''}"
        )
    rows.append(letters)
    rows += ["   " + note for note in notes]
    return "\n".join(line.rstrip() for line in rows)


def _notes(game: Game) -> list[str]:
    outcome = game.outcome
    notes = [
        f"{game.rules}",
        f"Black (X) holds {counted(game.prisoners(BLACK), 'prisoner')}",
        f"White (O) holds {counted(game.prisoners(WHITE), 'prisoner')}",
    ]
    if game.komi:
        notes.append(f"komi {game.komi:g}")
    if game.last_move is not None and game.last_move.point in (PASS, RESIGN):
        notes.append(f"{COLOR_NAMES[game.last_move.color]}: {game.vertex(game.last_move.point)}")
    if outcome is None:
        notes.append(f"{COLOR_NAMES[game.to_move]} to play")
    elif outcome.winner is None:
        notes.append(f"game over: {outcome.termination}")
    else:
        notes.append(f"{COLOR_NAMES[outcome.winner]} won: {outcome.termination}")
    return notes
