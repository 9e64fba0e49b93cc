"""Solve boards that were not solved before, and check the proofs: `python -m tests.benchmarks.results --folder FOLDER`.

Each result is a line of FOLDER/results.jsonl, with a proof and a book of the winner's first turns beside it. A board
that has a line is not solved again; the search of another goes on from its log, FOLDER/NAME.log with `-` for spaces.
The command ends with the table of solver.md. The hash of a proof in parts is that of its manifest, which has the hashes
of the parts; its bytes are those of all files.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from gtp_capture.go.game import Game, showboard
from gtp_capture.go.opening import crosscut
from gtp_capture.go.vertex import BLACK, COLOR_NAMES

PART_CHOICES: Final = 20_000_000


class Start(NamedTuple):
    """A position to solve."""

    size: str
    plays: str = ""
    """From the empty board on; or `crosscut`, with the lower left of its points if it is not in the centre, and with
    `swapped` if the other side has that point."""
    large: bool = False
    """Whether its proof is written in parts."""


CROSSCUTS: Final = {
    "7x7": ",swapped",
    "7x8": ",C3,C3 swapped",
    "8x8": ",C3,C3 swapped,C4",
    "8x9": ",C3,C3 swapped,C4,C4 swapped,D3",
    "9x9": ",swapped,C3,C3 swapped,C4,C4 swapped",
    "10x10": ",C3,C3 swapped,C4,C4 swapped,C5,D4,D4 swapped,D5",
}
"""All that differ up to symmetry, in the centre first, except those on the second line or nearer to the edge: from
these Black, to move, wins by a ladder."""
LARGE: Final = {("8x9", "crosscut"), ("9x9", "crosscut"), ("9x9", "crosscut swapped"), ("10x10", "crosscut")}
"""Crosscuts whose proofs are written in parts."""
TRIED_FIRST: Final = {"8x9 crosscut": "F6", "9x9 crosscut": "G6"}
"""First plays for which searches of their own found the least to prove, see solver.md."""

BOARDS: Final = {
    "6x6": Start("6x6"),
    **{f"6x6 after {play}": Start("6x6", play) for play in ("A1", "B1", "C1", "B2", "C2", "C3")},
    **{size: Start(size) for size in ("4x9", "3x12")},
    **{size: Start(size, large=True) for size in ("5x8", "4x10", "6x7")},
    **{
        f"{size} {plays}": Start(size, plays, large=(size, plays) in LARGE)
        for size, names in CROSSCUTS.items()
        for plays in (f"crosscut {name}".strip() for name in names.split(","))
    },
}


def game_of(start: Start) -> Game:
    """Return the position."""
    width, height = map(int, start.size.split("x"))
    game, words = Game("first-capture", (width, height)), start.plays.split()
    if "crosscut" not in words:
        for vertex in words:
            game.play(vertex)
        return game
    black, white = crosscut(width, height)
    shift = sum(game.point(word) - black[0] for word in words if word not in ("crosscut", "swapped"))
    own, opp = ([p + shift for p in side] for side in (black, white))
    game.setup_points(opp if "swapped" in words else own, own if "swapped" in words else opp, BLACK)
    return game


def run(*arguments: str) -> str:
    """Run the program; return its output. ClickException: it failed or was stopped."""
    done = subprocess.run([sys.executable, "-m", "gtp_capture", *arguments], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise click.ClickException(f"{arguments[0]} ended with {done.returncode}; this command goes on from its log")
    return done.stdout


def solve(name: str, folder: Path, memory: int, threads: int) -> dict[str, Any]:
    """Solve a board, write its proof and check it; return the result."""
    game, large = game_of(BOARDS[name]), BOARDS[name].large
    board, proof, book = (folder / f"{name.replace(' ', '-')}.{kind}" for kind in ("board", "proof", "book"))
    board.write_text(showboard(game))
    options = ["--to-move", COLOR_NAMES[game.to_move], "--memory", str(memory), "--threads", str(threads)]
    options += ["--checkpoint", str(board.with_suffix(".log")), "--proof", str(proof)]
    options += ["--part-choices", str(PART_CHOICES)] if large else []
    options += ["--try-first", TRIED_FIRST[name]] if name in TRIED_FIRST else []
    found = json.loads(run("solve", str(board), *options, "--json").splitlines()[0])
    options = ["--jobs", str(threads)] if large else []
    checked = run("check-proof", str(proof), "--memory", str(memory), "--write-book", str(book), *options)
    kept = {key: found[key] for key in ("winner", "line", "nodes", "seconds")}
    return {
        "board": name, **kept, "bytes": sum(file.stat().st_size for file in folder.glob(f"{proof.name}*")),
        "sha256": hashlib.sha256(proof.read_bytes()).hexdigest(), "checked": checked.splitlines()[0],
    }  # fmt: skip


@click.command()
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option("--memory", default=8192, show_default=True, help="MiB of the table.")
@click.option("--threads", default=2, show_default=True)
@click.option("--only", type=click.Choice(list(BOARDS)), multiple=True, help="Solve only these boards.")
def main(folder: Path, memory: int, threads: int, only: tuple[str, ...]) -> None:
    """Solve the boards that have no result yet, and print the table."""
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "results.jsonl"
    results = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    for name in only or BOARDS:
        if all(result["board"] != name for result in results):
            results.append(solve(name, folder, memory, threads))
            with log.open("a") as file:
                file.write(json.dumps(results[-1]) + "\n")
            click.echo(results[-1], err=True)
    click.echo(f"| board | winner | first play | nodes | seconds | proof | bytes | SHA-256 |\n{'|---' * 8}|")
    for result in results:
        checked = result["checked"].partition("; ")[2]
        play = "".join(result["line"][:1])
        cells = (result["board"], result["winner"], play, f"{result['nodes']:,}", f"{result['seconds']:.0f}", checked)
        click.echo(f"| {' | '.join(cells)} | {result['bytes']:,} | {result['sha256']} |")


if __name__ == "__main__":
    main()
