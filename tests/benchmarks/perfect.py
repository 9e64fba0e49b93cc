"""Count how often engines won games that perfect play wins: `python -m tests.benchmarks.perfect levels5.dat`.

The file is a results file of `gtp-capture match` with openings whose winner the solver finds.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from pathlib import Path

import click

from gtp_capture.go.game import Game
from gtp_capture.go.vertex import BLACK, WHITE
from gtp_capture.match.openings import solved_winner
from gtp_capture.match.rows import Row


@cache
def winner(rules: str, size: int, plays: tuple[str, ...]) -> int | None:
    """Return the colour that wins after these plays, each with its colour: `bC3`."""
    game = Game(rules, size)
    for play in plays:
        game.play(play[1:], {"b": BLACK, "w": WHITE}[play[0]])
    return solved_winner(game)


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def main(file: Path) -> None:
    """Print a line for each engine."""
    lines = file.read_text().splitlines()
    properties = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# ") and ": " in line)
    # For each engine: the games that it could win by perfect play, and the others, each as won and played.
    could: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    could_not: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    for row in (Row.parse(line) for line in lines if not line.startswith("#")):
        best = winner(properties["Rules"], int(properties["Size"]), tuple(row.moves.split()[: row.opening]))
        for color, name in ((BLACK, row.black), (WHITE, row.white)):
            if best is not None:
                tally = (could if best == color else could_not)[name]
                tally[0] += row.winner == name
                tally[1] += 1
    for name in could:
        won, played = could[name]
        stolen, others = could_not[name]
        click.echo(f"{name}: won {won} of {played} that perfect play wins, {stolen} of {others} others")


if __name__ == "__main__":
    main()
