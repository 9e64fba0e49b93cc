"""Data sets: positions of a task with the values of all actions, as a file of NumPy."""

from __future__ import annotations

import os
import threading
from typing import Any, Final

from ..util import arguments
from ..util.atomic_file import atomic_write
from ..version import PROGRAM, __version__
from .agents import values_of
from .tasks import Task, task_of

MOST: Final = 1_000_000
"""Positions of a data set."""
CARD: Final = """\
{name}: {count} positions of {rules} on {width}x{height} with the exact value of every action.

Source: made by {program} {version}, {command}. The same version, task, number and seed give the same file.
Positions: games of {least} to {most} random legal plays{start}, none of them over; no two are images of one another.
Values: by exhaustive proof (df-pn, or a search of all plays), of both sides' best play; no estimate.
Arrays: boards int8 (positions, height, width): 0 empty, 1 black, 2 white, row 0 is the top. to_move int8: 1 black, 2
white. prisoners int8 (positions, 2): of Black and of White. values int8 (positions, points + 1): for the colour to
move, 1 wins, -1 loses, 0 is illegal; actions are the points, row by row from the top left, then the pass. {plies}
Licence: {licence}
"""
LICENCE: Final = "CC0 1.0: the positions and values are facts, and may be used without a condition."


def write_data(
    path: str | os.PathLike[str],
    task: Task | str,
    *,
    count: int = 1000,
    seed: int = 1,
    stop: threading.Event | None = None,
) -> str:
    """Write `count` positions of a task with the values of all actions into a file that `numpy.load` reads.

    The same seed gives the same file. Return the card, which is the array `card` of the file: a text that describes the
    arrays, with source and licence. On a small board some positions may be equal to openings of the task.
    ValueError: no such task, one without values, a number out of range, or fewer positions on the board. TypeError:
    another kind of value. OSError: the file cannot be written. CancelledError: `stop` was set; no file is written.
    """
    import numpy as np

    where, file = task_of(task), arguments.path("path", path)
    if not where.exact:
        raise ValueError(f"{where.name} has games alone, and no values")
    number, chance = arguments.whole("count", count, 1, MOST), arguments.whole("seed", seed, 0)
    games = where.positions(number, f"data {chance}")
    values, plies = values_of(games, where.lengths, stop or threading.Event())
    boards = np.stack([game.board_array() for game in games])
    to_move = np.array([int(game.to_move) for game in games], np.int8)
    prisoners = np.array([game.positions[-1].prisoners for game in games], np.int8)
    arrays: dict[str, Any] = {"boards": boards, "to_move": to_move, "prisoners": prisoners, "values": values}
    if plies is not None:
        arrays["plies"] = plies
    card = _card(where, number, chance)
    with atomic_write(file) as out:
        np.savez_compressed(out, **arrays, card=np.array(card))
    return card


def _card(task: Task, count: int, seed: int) -> str:
    width, height = task.size
    return CARD.format(
        name=task.name, count=count, rules=task.rules, width=width, height=height, program=PROGRAM,
        version=__version__, least=task.plies[0], most=task.plies[1],
        command=f"yardstick --task {task.name} --write FILE.npz --positions {count} --seed {seed}",
        start=" after the crosscut in the centre" if task.crosscut else " from the empty board",
        plies="plies int16, of the same shape: moves to the end under best play, the action included." * task.lengths,
        licence=LICENCE,
    )  # fmt: skip
