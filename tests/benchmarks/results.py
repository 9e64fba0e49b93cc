"""Solve boards that were not solved before, and check the proofs: `python -m tests.benchmarks.results --folder FOLDER`.

Each result is a line of FOLDER/results.jsonl and a proof beside it. A board that has a line is not solved again; the
search of another goes on from its log. The command ends with the table of solver.md. The hash of a proof in parts is
that of its manifest, which has the hashes of the parts; its bytes are those of all files.
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
    """From the empty board on, or `crosscut`."""
    large: bool = False
    """Whether its proof is written in parts."""


BOARDS: Final = {
    "6x6": Start("6x6"),
    **{f"6x6 after {play}": Start("6x6", play) for play in ("A1", "B1", "C1", "B2", "C2", "C3")},
    **{size: Start(size) for size in ("4x9", "3x12")},
    **{size: Start(size, large=True) for size in ("5x8", "4x10", "6x7")},
    "8x8 crosscut": Start("8x8", "crosscut"),
}


def run(*arguments: str) -> str:
    """Run the program; return its output. ClickException: it failed or was stopped."""
    done = subprocess.run([sys.executable, "-m", "gtp_capture", *arguments], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise click.ClickException(f"{arguments[0]} ended with {done.returncode}; this command goes on from its log")
    return done.stdout


def solve(name: str, folder: Path, memory: int, threads: int) -> dict[str, Any]:
    """Solve a board, write its proof and check it; return the result."""
    size, plays, large = BOARDS[name]
    width, height = map(int, size.split("x"))
    game = Game("first-capture", (width, height))
    if plays == "crosscut":
        game.setup(*crosscut(width, height), BLACK)
    else:
        for vertex in plays.split():
            game.play(game.point(vertex))
    board, proof = (folder / f"{name.replace(' ', '-')}.{kind}" for kind in ("board", "proof"))
    board.write_text(showboard(game))
    options = ["--to-move", COLOR_NAMES[game.to_move], "--memory", str(memory), "--threads", str(threads)]
    options += ["--checkpoint", str(board.with_suffix(".log")), "--proof", str(proof)]
    options += ["--part-choices", str(PART_CHOICES)] if large else []
    found = json.loads(run("solve", str(board), *options, "--json").splitlines()[0])
    checked = run("check-proof", str(proof), "--memory", str(memory)).strip()
    kept = {key: found[key] for key in ("winner", "nodes", "seconds")}
    return {
        "board": name, **kept, "bytes": sum(file.stat().st_size for file in folder.glob(f"{proof.name}*")),
        "sha256": hashlib.sha256(proof.read_bytes()).hexdigest(), "checked": checked,
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
    click.echo("| board | winner | nodes | seconds | proof | bytes | SHA-256 |\n|---|---|---|---|---|---|---|")
    for result in results:
        checked = result["checked"].partition("; ")[2]
        cells = (result["board"], result["winner"], f"{result['nodes']:,}", f"{result['seconds']:.0f}", checked)
        click.echo(f"| {' | '.join(cells)} | {result['bytes']:,} | {result['sha256']} |")


if __name__ == "__main__":
    main()
