"""Make the opening book of a board: `python -m tests.benchmarks.opening_book FOLDER --size 9 --out 9x9.book`.

From the empty board for Black, and after every first move for White: a long search finds the good plays of a position,
a short one the replies to each that the opponent may consider, and so on for some turns. Then a play is worth what the
worst reply leaves of it, and the best plays of each position are written.

FOLDER keeps what the searches found, so an interrupted run goes on where it was; searches of another network are
refused.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

import click
from rich.progress import track

import gtp_capture.network
from gtp_capture.books.lookup import WON, canonical
from gtp_capture.go import board as bd
from gtp_capture.go.game import Game
from gtp_capture.go.vertex import BLACK
from gtp_capture.jit.records import Turn, rules_record
from gtp_capture.network.network import CAPTURE_FILE
from gtp_capture.search.mcts import ROOT, Tree
from gtp_capture.util.atomic_file import atomic_write
from gtp_capture.util.executor import executor, run_jobs
from gtp_capture.util.limit import Limit

MEMORY: Final = 512 * 2**20
WIDE: Final = 0.02
"""Plays are followed whose win rate is at most this much below the best one."""
GOOD: Final = 2
"""The most plays that are followed in a position."""
MARGIN: Final = 0.01
"""In the book are plays that are worth at most so much less than the best one."""
REPLIES: Final = 8
"""Replies that are followed, at most."""
VISITED: Final = 0.01
"""Plays with a smaller part of the visits are left out."""
SHORT: Final = 20
"""The long searches have so many times the playouts of the short ones."""


class Position(NamedTuple):
    """A position in its canonical form."""

    side: int
    cells: str
    """The points from A1 row by row, X the side to move."""


class Play(NamedTuple):
    """A play that a search visited, or one that is proven to win."""

    place: int
    """Index of the point."""
    visits: int
    """Of all its images."""
    winrate: float
    proven: bool
    """Whether it is proven to win."""


class Job(NamedTuple):
    """A search."""

    position: Position
    last: int
    """Index of the opponent's last play, or -1."""
    playouts: int


class Choice(NamedTuple):
    """A good play, and the positions after the replies to it; none if it is proven to win, or in the last turn."""

    play: Play
    leaves: list[Position]


def after(position: Position, place: int) -> tuple[Position, int]:
    """Return the position after a play that does not capture, and the index of the play there."""
    cells = "".join({"X": "O", "O": "X"}.get(c, c) for c in position.cells)
    text, symmetries = canonical(f"{cells[:place]}O{cells[place + 1 :]}", position.side, position.side)
    return Position(position.side, text.split()[1]), symmetries[0].index(place)


def search(job: Job) -> list[Play]:
    """Search a position; return its plays, best first, without those proven to lose: none if it is lost.

    Of plays that are images of one another, the first one stands for all.
    """
    position = job.position
    game = Game("first-capture", position.side)
    points = bd.points(game.board)
    black, white = ([p for p, c in zip(points, position.cells, strict=True) if c == mark] for mark in "XO")
    game.setup(black, white, BLACK)
    tree = Tree(MEMORY, 1, 1)
    turn = Turn(game.board, rules_record(game.rules, 0.0), BLACK, points[job.last] if job.last >= 0 else 0)
    tree.search(ROOT, turn, set(points), Limit(playouts=job.playouts).begin())
    found: dict[Position, Play] = {}
    for c in tree.candidates(ROOT):
        if c.proven >= 0:
            play = Play(points.index(c.move), c.visits, c.winrate, c.proven > 0)
            image = after(position, play.place)[0]
            known = found.setdefault(image, play)
            if known is not play:
                found[image] = known._replace(visits=known.visits + play.visits)
    return sorted(found.values(), key=lambda play: (play.proven, play.visits), reverse=True)


class Searches:
    """The searches done, in a file."""

    def __init__(self, path: Path, processes: int) -> None:
        """UsageError: the file is of another network."""
        self._path, self._processes = path, processes
        self._found: dict[Job, list[Play]] = {}
        weights = Path(gtp_capture.network.__file__).parent / CAPTURE_FILE
        network = hashlib.sha256(weights.read_bytes()).hexdigest()
        lines = path.read_text().split("\n") if path.exists() else [""]
        if len(lines) == 1:
            path.write_text(f"{network}\n")
        elif lines[0] != network:
            raise click.UsageError(f"{path} is of another network")
        else:
            path.write_text("\n".join([*lines[:-1], ""]))  # without a last line that was not finished
        for line in lines[1:-1]:
            side, cells, last, playouts, plays = json.loads(line)
            self._found[Job(Position(side, cells), last, playouts)] = [Play(*play) for play in plays]

    def of(self, positions: dict[Position, int], playouts: int, title: str) -> dict[Position, list[Play]]:
        """Return the plays of these positions, each with the index of its last play; search those that are new."""
        jobs = [Job(position, last, playouts) for position, last in sorted(positions.items())]
        new = [job for job in jobs if job not in self._found]
        with self._path.open("a") as file:
            for job, plays in track(run_jobs(lambda: executor(self._processes), search, new), title, len(new)):
                file.write(f"{json.dumps([*job.position, job.last, job.playouts, plays])}\n")
                file.flush()
                self._found[job] = plays
        return {job.position: self._found[job] for job in jobs}


def visited(plays: list[Play]) -> list[Play]:
    """Return the plays that are proven to win, or else those that a search visited more than a little."""
    whole = sum(play.visits for play in plays)
    return [play for play in plays if play.proven] or [play for play in plays if play.visits >= VISITED * whole]


def good(plays: list[Play]) -> list[Play]:
    """Return the plays with nearly the highest win rate, best first."""
    found = sorted(visited(plays), key=lambda play: -play.winrate)
    return [play for play in found if play.winrate >= found[0].winrate - WIDE][:GOOD]


def grow(
    searches: Searches, start: dict[Position, int], turns: int, playouts: int, color: str
) -> dict[Position, list[Choice]]:
    """Search for one colour from these positions on, for so many of its turns; return its good plays in each."""
    found: dict[Position, list[Choice]] = {}
    for turn in range(turns):
        title = f"{color}, turn {turn + 1}"
        long = searches.of({p: last for p, last in start.items() if p not in found}, playouts, title)
        open_ = [(p, play) for p, plays in long.items() for play in good(plays) if not play.proven]
        following = dict(after(p, play.place) for p, play in open_) if turn < turns - 1 else {}
        short = searches.of(following, playouts // SHORT, f"{title}, replies") if following else {}
        start = {}
        for position, plays in long.items():
            found[position] = []
            for play in good(plays):
                image = after(position, play.place)[0]
                replies = visited(short[image]) if image in short and not play.proven else []
                leaves = dict(after(image, reply.place) for reply in replies[:REPLIES] if not reply.proven)
                if image in short and not short[image]:  # every reply loses
                    play = play._replace(winrate=1.0, proven=True)
                elif any(reply.proven for reply in replies):
                    play, leaves = play._replace(winrate=0.0), {}
                found[position].append(Choice(play, list(leaves)))
                start.update(leaves)
    return found


def worth(found: dict[Position, list[Choice]], choice: Choice) -> float:
    """Return the win rate of a play: what the worst reply leaves, or what its search said if none was searched."""
    if choice.play.proven:
        return 1.0
    rates = [max((worth(found, c) for c in found[leaf]), default=0.0) for leaf in choice.leaves if leaf in found]
    return min(rates, default=choice.play.winrate)


def lines(found: dict[Position, list[Choice]]) -> Iterable[str]:
    """Yield the lines of the book; see `books.lookup`. A position without a play that may win has none."""
    for position, choices in found.items():
        values = sorted(((worth(found, c), c.play) for c in choices), reverse=True)
        kept = [(value, play) for value, play in values if value >= values[0][0] - MARGIN and value > 0]
        words = [f"{p.place}:{WON if p.proven else min(999, max(1, round(1000 * value)))}" for value, p in kept]
        if words:
            yield f"{position.side}x{position.side} {position.cells} {' '.join(words)}"


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--size", type=click.IntRange(6, 19), required=True)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True)
@click.option("--turns", default=3, show_default=True, help="Of Black; White has one less.")
@click.option("--playouts", default=400_000, show_default=True, help="For each position.")
@click.option("--jobs", default=2, show_default=True, help="Processes.")
def main(folder: Path, size: int, out: Path, turns: int, playouts: int, jobs: int) -> None:
    """Search the openings of a board, and write its book."""
    folder.mkdir(parents=True, exist_ok=True)
    searches = Searches(folder / f"{size}x{size}.log", jobs)
    empty = Position(size, "." * size**2)
    firsts = dict(after(empty, place) for place in range(size**2))
    found = grow(searches, {empty: -1}, turns, playouts, "Black") | grow(searches, firsts, turns - 1, playouts, "White")
    written = sorted(lines(found))
    with atomic_write(out) as raw, gzip.GzipFile("", "wb", 9, raw, 0) as file:
        file.write("".join(f"{line}\n" for line in written).encode())
    click.echo(f"{out}: {len(written)} positions, {out.stat().st_size} bytes")


if __name__ == "__main__":
    main()
