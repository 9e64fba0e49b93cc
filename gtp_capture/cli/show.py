"""gtp-capture show: a position as a picture, with the win rate of each move on request."""

from __future__ import annotations

import io
import signal
from collections.abc import Mapping
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Final

import click

from ..go.board import points
from ..go.game import Game
from ..go.picture import Circle, Grid, Heat, Marked, Picture, picture, svg
from ..go.rules import Rules
from ..go.vertex import EMPTY
from ..jit.warmup import loaded
from ..players.analysis import move_analyses, study
from ..players.mcts import MctsPlayer
from ..players.player import PlayerSettings, all_cores
from ..teach.words import Voice
from ..util.extras import how_to_install
from ..util.figures import use_fonts
from ..util.files import RequestError
from ..util.limit import Limit
from ..util.signals import on_signals
from . import drawing
from .files import check_outputs, name_of, read, tell_written, write
from .options import OUTPUT, file_rules_option, finite, language_option, refuse, spoken_option
from .progress import waiting

if TYPE_CHECKING:
    from matplotlib.figure import Figure


SUFFIXES: Final = (".svg", ".png")
SHARPNESS: Final = 3
"""Pixels of a PNG file for each pixel of the picture."""
DPI: Final = 100


@click.command(
    help="""Draw a position of an SGF file or a diagram, in the terminal or as a picture.

    FILE is SGF (its first game), or a diagram: rows of X, O and dots, the top one first. `-` is stdin.
    """,
)
@click.argument("file", type=click.Path(allow_dash=True, readable=False, path_type=Path))
@click.option("-o", "--output", type=OUTPUT, help="Write a picture, .svg or .png, instead.")
@click.option("--heat", is_flag=True, help="Show the win rate of each move; + and - are proven wins and losses.")
@click.option("--move", "plies", type=click.IntRange(min=0), help="Show the board after this move; 0 is the start.")
@file_rules_option
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True, max=86400),
    callback=finite,
    default=5.0,
    help="Time for --heat.",
)
@spoken_option
@language_option
def show(
    file: Path,
    output: Path | None,
    heat: bool,
    plies: int | None,
    rules: Rules | None,
    seconds: float,
    spoken: bool,
    language: str,
) -> None:
    refuse(("spoken",) if heat else ("seconds",), "with --heat" if heat else "without --heat")
    if output is not None:
        refuse(("spoken",), "with -o")
        _check_picture(output)
        check_outputs([output], [file])
    try:
        game = read(file, rules, plies)
    except ValueError as error:
        raise RequestError(f"{name_of(file)}: {error}") from None
    if heat and game.outcome is not None:
        raise RequestError("the game is over: there is no move for --heat")
    stop, voice = Event(), Voice(language=language)
    rates = win_rates(game, Limit(seconds), all_cores(), stop) if heat else None
    if output is None:
        print_board(game, rates, voice, spoken=spoken)
    else:
        write_picture(game, rates, output, voice)
        tell_written("board", output)
    if stop.is_set():
        raise click.Abort


def _check_picture(path: Path) -> None:
    """Check that a picture with this suffix can be drawn. RequestError: it cannot."""
    if path.suffix.lower() not in SUFFIXES:
        raise RequestError(f"{path}: its name must end in {' or '.join(SUFFIXES)}")
    if path.suffix.lower() == ".png":
        _figure(1, 1)


def win_rates(game: Game, limit: Limit, threads: int, stop: Event) -> dict[int, Heat]:
    """Return the win rates and proofs of the moves, by solver and search. ^C ends the search early."""
    color = int(game.to_move)
    with waiting("trying the moves" if limit.seconds is None else f"trying the moves, {limit.seconds:g} s"):
        player = MctsPlayer(PlayerSettings(1, threads=threads), loaded())
        with on_signals(stop.set, signal.SIGINT):
            study(player, game, color, limit.begin(stop))
        return {game.point(m.move): Heat(m.winrate, m.proof) for m in move_analyses(player, game, color)}


def captions(game: Game, heat: Mapping[int, Heat] | None, voice: Voice) -> tuple[str, ...]:
    """Return the lines that explain a heat map; no line for a board alone."""
    if heat is None:
        return ()
    rates = voice.text("heat.rates", mover=voice.name(int(game.to_move)))
    return (rates, voice.text("heat.proven")) if any(move.proof for move in heat.values()) else (rates,)


def print_board(game: Game, heat: Mapping[int, Heat] | None, voice: Voice, *, spoken: bool) -> None:
    """Draw the board in the terminal, or write it as sentences."""
    console = drawing.new_console(voice, spoken=spoken)
    drawing.show(console, game, heat=heat)
    for line in captions(game, heat, voice):
        console.print(line)
    if heat is not None and any(game.board.color[p] == EMPTY and p not in heat for p in points(game.board)):
        console.print(voice.text("heat.none", sign=drawing.signs_for(console.encoding)[EMPTY]))


def write_picture(game: Game, heat: Mapping[int, Heat] | None, path: Path, voice: Voice) -> None:
    """Write a picture of the board. RequestError: the file cannot be written."""
    drawn = picture(game.board, Marked(game.last_move), heat, captions(game, heat, voice))
    write(path, svg(drawn).encode() + b"\n" if path.suffix.lower() == ".svg" else _png(drawn))


def _figure(width: float, height: float) -> Figure:
    """Return a new figure. RequestError: matplotlib is not installed."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise RequestError(f"a PNG file needs one more package, .svg does not: {how_to_install('plot')}") from None
    return Figure(figsize=(width / DPI, height / DPI), dpi=DPI * SHARPNESS)


def _png(drawn: Picture) -> bytes:
    """Return a picture as PNG, drawn by matplotlib."""
    figure = _figure(drawn.width, drawn.height)
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, drawn.width), ylim=(drawn.height, 0))
    axes.set_axis_off()
    figure.set_facecolor(drawn.ground)
    points = 72 / DPI  # matplotlib measures text and lines in points
    for order, shape in enumerate(drawn.shapes):
        if isinstance(shape, Grid):
            starts, ends = [line[::2] for line in shape.lines], [line[1::2] for line in shape.lines]
            for xs, ys in zip(starts, ends, strict=True):
                axes.plot(xs, ys, color=shape.color, linewidth=shape.width * points, zorder=order)
        elif isinstance(shape, Circle):
            from matplotlib.patches import Circle as Patch

            style = {"facecolor": shape.fill, "edgecolor": shape.stroke, "linewidth": shape.width * points}
            axes.add_patch(Patch((shape.x, shape.y), shape.radius, zorder=order, **style))
        else:
            x, align = (shape.x, "center") if shape.x else (shape.size, "left")
            weight = "bold" if shape.bold else "normal"
            size, text = shape.size * points, shape.text
            axes.text(x, shape.y, text, fontsize=size, color=shape.color, ha=align, weight=weight, zorder=order)
    use_fonts(figure)
    data = io.BytesIO()
    figure.savefig(data, format="png")
    return data.getvalue()
