"""Compare the analysis with every position of the books, for both colours: `python -m tests.benchmarks.books`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import click

from gtp_capture import BLACK, WHITE, Game
from gtp_capture.books import lookup
from gtp_capture.go import board as bd
from gtp_capture.go.vertex import opponent
from gtp_capture.jit.warmup import loaded
from gtp_capture.players.analysis import move_analyses, proven
from gtp_capture.players.mcts import MctsPlayer
from gtp_capture.players.player import PlayerSettings
from gtp_capture.util.limit import Limit


def positions(path: Path, every: int = 1) -> Iterator[tuple[Game, int, bool]]:
    """Yield the positions of a book with either colour to move: the game, the colour, and whether it wins."""
    for text, wins, _play, _plies in map(lookup.parse, lookup.lines_of(path.read_bytes())[::every]):
        size, cells = text.split()
        width, height = (int(side) for side in size.split("x"))
        for color in (BLACK, WHITE):
            game = Game("first-capture", (width, height))
            stones: dict[int, list[int]] = {BLACK: [], WHITE: []}
            for point, cell in zip(bd.points(game.board), cells, strict=True):
                if cell != ".":
                    stones[color if cell == "X" else opponent(color)].append(point)
            game.setup_points(stones[BLACK], stones[WHITE], color)
            yield game, color, wins


@click.command()
@click.option("--every", default=1, show_default=True, help="Take one position in so many.")
def main(every: int) -> None:
    """Analyse the positions of the books with one playout each, and count the contradictions."""
    player = MctsPlayer(PlayerSettings(seed=1, threads=1, memory=64 * 2**20), loaded())
    for path in sorted(Path(str(lookup.__file__)).parent.glob("solved/*.book")):
        began, looked, wrong = time.monotonic(), 0, 0
        for game, color, wins in positions(path, every):
            player.choose(game, color, Limit(playouts=1).begin())
            found = move_analyses(player, game, color)
            expected = {"win"} if wins else {"loss"}
            shown = {found[0].proof} if wins else {i.proof for i in found}
            looked += 1
            wrong += proven(player, game, color) is not wins or shown != expected
        click.echo(f"{path.name}: {looked} positions, {wrong} contradictions, {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
