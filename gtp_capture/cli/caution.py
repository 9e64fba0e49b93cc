"""Warnings of `play --warn`: the punishment of a move is shown before the move is played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..go.vertex import opponent
from ..go.words import counted
from ..jit.warmup import State
from ..teach.danger import Punishment, punishment
from . import wording

if TYPE_CHECKING:
    from .table import TerminalGame


def is_taken_back(table: TerminalGame, point: int, color: int) -> bool:
    """Show how a move can be punished at once, if it can, and return whether the person takes it back."""
    if point <= 0 or table.extra_turns > 1:
        return False
    game = table.engine.game
    with table.working():
        found = punishment(game, point, color, ladders=table.engine.warmup.state is State.READY)
    if found is None:
        return False
    table.say(f"Wait! Look at {game.vertex(point)}.", style="bold")
    table.say(_what_happens(found, opponent(color), table.speaker))
    after = game.copy()
    after.play(point, color)
    table.replay(after, opponent(color), found.line)
    return table.agrees(f"Do you want to take {game.vertex(point)} back?", otherwise=False)


def _what_happens(found: Punishment, winner: int, speaker: wording.Speaker) -> str:
    """Return how the other side punishes a move."""
    who = speaker.subject(winner)
    if not found.captured:
        chases = "can chase your stones: every move is atari," if len(found.line) > 1 else "can give atari at once,"
        return f"{who} {chases} and no answer saves them all."
    wins = f", and {'win' if who == 'I' else 'wins'} the game" if found.wins else ""
    return f"{who} can take {counted(found.captured, 'stone')} at once{wins}."
