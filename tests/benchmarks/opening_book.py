"""Make the opening book of a board: `python -m tests.benchmarks.opening_book FOLDER --size 9 --out 9x9.book`.

From the empty board for Black, and after every first move for White: a search finds the good plays of a position, and
games of the search against itself, from the position after each, decide which of them are in the book. Then a short
search finds the replies that the opponent may consider, and so on for some turns.

FOLDER keeps what was found, so an interrupted run goes on where it was; results of another network are refused.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple

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
"""Plays are tried in games whose win rate is at most this much below the best one."""
GOOD: Final = 4
"""Maximum number of plays that are tried in a position: the plays with the most visits."""
NEAR: Final = 0.05
"""A play is kept if its share of won games is at most this much below the share of the best play."""
REPLIES: Final = 8
"""Maximum number of replies that are followed."""
VISITED: Final = 0.01
"""Plays with a smaller part of the visits are left out."""
SHORT: Final = 20
"""Factor of the playouts of a search for good plays, compared with a short search for replies."""


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
    """Visits of the play and of all its images."""
    winrate: float
    proven: bool
    """Whether it is proven to win."""


class Job(NamedTuple):
    """A search, or games of the search against itself."""

    position: Position
    last: int
    """Index of the opponent's last play, or -1."""
    playouts: int
    """Playouts for each move."""
    games: int = 0
    """Number of games; 0 for a search."""


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
    game.setup_points(black, white, BLACK)
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


def won(job: Job) -> int:
    """Play games from a position; return how many of them the side to move wins.

    Their numbers of playouts are from 3/4 to almost 5/4 of the job's, so that the games differ.
    """
    wins = 0
    for number in range(job.games):
        position, last, own = job.position, job.last, True
        while True:
            plays = search(Job(position, last, round(job.playouts * (0.75 + number / (2 * job.games)))))
            if not plays or plays[0].proven:
                wins += own == bool(plays)
                break
            position, last = after(position, plays[0].place)
            own = not own
    return wins


def result(job: Job) -> list[Play] | int:
    """Do a job: return the plays that the search finds, or the number of games won."""
    return won(job) if job.games else search(job)


class Results:
    """The results of searches and games, in a file."""

    def __init__(self, path: Path, processes: int) -> None:
        """UsageError: the file has results of another network."""
        self._path, self._processes = path, processes
        self._found: dict[Job, Any] = {}
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
            side, cells, last, playouts, games, found = json.loads(line)
            job = Job(Position(side, cells), last, playouts, games)
            self._found[job] = found if games else [Play(*play) for play in found]

    def of(self, positions: dict[Position, int], playouts: int, title: str, games: int = 0) -> dict[Position, Any]:
        """Return what searches or games find in positions, each with the index of its last play; make the new ones."""
        jobs = [Job(position, last, playouts, games) for position, last in sorted(positions.items())]
        new = [job for job in jobs if job not in self._found]
        with self._path.open("a") as file:
            for job, found in track(run_jobs(lambda: executor(self._processes), result, new), title, len(new)):
                file.write(f"{json.dumps([*job.position, *job[1:], found])}\n")
                file.flush()
                self._found[job] = found
        return {job.position: self._found[job] for job in jobs}


def visited(plays: list[Play]) -> list[Play]:
    """Return the plays that are proven to win, or else those that a search visited more than a little."""
    whole = sum(play.visits for play in plays)
    return [play for play in plays if play.proven] or [play for play in plays if play.visits >= VISITED * whole]


def good(plays: list[Play]) -> list[Play]:
    """Return the plays with nearly the highest win rate, the most visited one first."""
    found = visited(plays)
    best = max((play.winrate for play in found), default=0.0)
    return [play for play in found if play.winrate >= best - WIDE][:GOOD]


def book(
    results: Results, start: dict[Position, int], turns: int, effort: tuple[int, int, int], color: str
) -> dict[Position, list[Play]]:
    """Return one colour's plays from these positions on, for a number of its turns.

    `effort`: the playouts of a search, the games for each play, and the playouts of their moves.
    """
    playouts, games, each = effort
    found: dict[Position, list[Play]] = {}
    for turn in range(turns):
        title = f"{color}, turn {turn + 1}"
        searched = results.of({p: last for p, last in start.items() if p not in found}, playouts, title)
        tried = [(p, play) for p, plays in searched.items() if len(good(plays)) > 1 for play in good(plays)]
        lost = results.of(dict(after(p, play.place) for p, play in tried), each, f"{title}, games", games)
        for position, plays in searched.items():
            kept = good(plays)
            if len(kept) > 1:
                losses = [lost[after(position, play.place)[0]] for play in kept]
                kept = [play for play, n in zip(kept, losses, strict=True) if n <= min(losses) + NEAR * games]
            found[position] = kept
        if turn < turns - 1:
            open_ = dict(after(p, play.place) for p in searched for play in found[p] if not play.proven)
            replies = results.of(open_, playouts // SHORT, f"{title}, replies")
            start = dict(
                after(p, reply.place)
                for p, plays in replies.items()
                for reply in visited(plays)[:REPLIES]
                if not reply.proven
            )
    return found


def lines(found: dict[Position, list[Play]]) -> Iterable[str]:
    """Yield the lines of the book; see `books.lookup`. A position without a play that may win has none."""
    for position, plays in found.items():
        words = [f"{p.place}:{WON if p.proven else min(999, max(1, round(1000 * p.winrate)))}" for p in plays]
        if words:
            yield f"{position.side}x{position.side} {position.cells} {' '.join(words)}"


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--size", type=click.IntRange(6, 19), required=True)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True)
@click.option("--turns", default=2, show_default=True, help="Of Black; White has one less.")
@click.option("--playouts", default=200_000, show_default=True, help="Of a search.")
@click.option("--games", default=12, show_default=True, help="Games to try a play.")
@click.option("--each", default=6000, show_default=True, help="Playouts of a move in the games.")
@click.option("--jobs", default=2, show_default=True, help="Processes.")
def main(folder: Path, size: int, out: Path, turns: int, playouts: int, games: int, each: int, jobs: int) -> None:
    """Search and try the openings of a board, and write its book."""
    folder.mkdir(parents=True, exist_ok=True)
    results, effort = Results(folder / f"{size}x{size}.log", jobs), (playouts, games, each)
    empty = Position(size, "." * size**2)
    firsts = dict(after(empty, place) for place in range(size**2))
    found = book(results, {empty: -1}, turns, effort, "Black") | book(results, firsts, turns - 1, effort, "White")
    written = sorted(lines(found))
    with atomic_write(out) as raw, gzip.GzipFile("", "wb", 9, raw, 0) as file:
        file.write("".join(f"{line}\n" for line in written).encode())
    click.echo(f"{out}: {len(written)} positions, {out.stat().st_size} bytes")


if __name__ == "__main__":
    main()
