"""Analysis commands of Sabaki, Leela Zero, KataGo and CGOS, which report while the search runs.

Sabaki's heat map: Sabaki sends `analyze` and draws visits and win rate of each `info move ...` that `report` writes.
The numbers come from `move_analyses` in `players/analysis.py`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, wait
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from ...go.vertex import COLOR_NAMES, PASS, parse_color
from ...players.analysis import AnalysedMove, decided_analysis, move_analyses, ownership, study
from ...players.bot import BotError, BotPlayer
from ...players.player import Analyst, Decision
from ...util.limit import Deadline, Limit
from ..engine import Engine
from ..protocol import Entry, GtpError, Table, refusing
from .arguments import Args, color, integer, vertex

INTERVAL: Final = 0.5
"""Default seconds between two reports."""
SHORTEST: Final = 0.02
"""Minimum seconds between two reports."""
KEYS: Final = "allow, avoid, interval, maxmoves, minmoves, ownership, pvVisits and rootInfo"
SHARES: Final = 10_000
"""`lz-analyze` writes a rate of 1 as this whole number."""


@dataclass(slots=True)
class Request:
    """The arguments of an analysis command."""

    color: int
    interval: float = INTERVAL
    """Seconds between two reports."""
    most: int = 1_000
    """Maximum number of moves to report."""
    least: int = 0
    """Number of moves to report even if they have few visits."""
    ownership: bool = False
    root: bool = False
    """Whether to add KataGo's rootInfo."""
    line_visits: bool = False
    only: frozenset[int] | None = None
    """The moves to search; None for all."""


class Dialect(NamedTuple):
    """How a family of clients writes an analysis."""

    rate: Callable[[float], str]
    """Formats a rate of 0 to 1."""
    extended: bool
    """Whether it has rootInfo and ownership."""


LZ: Final = Dialect(lambda rate: str(round(SHARES * rate)), extended=False)
KATA: Final = Dialect(lambda rate: f"{rate:.6f}", extended=True)


def parse(engine: Engine, args: Args) -> Request:
    """Parse `[color] [centiseconds] [key value ...]`, the arguments of all analysis commands."""
    rest = list(args)
    request = Request(int(engine.game.to_move))
    allowed: frozenset[int] | None = None
    avoided: frozenset[int] = frozenset()
    if rest and rest[0].lower() in ("b", "w", *COLOR_NAMES.values()):
        request.color = int(parse_color(rest.pop(0)))
    if rest and rest[0].isascii() and rest[0].isdigit():
        request.interval = integer(rest.pop(0)) / 100
    while rest:
        key = rest.pop(0)
        if key in ("allow", "avoid") and len(rest) >= 3:
            side, points, until, *rest = rest
            moves = frozenset(vertex(engine, text) for text in points.split(","))
            integer(until, least=1)  # only the first move is restricted, whatever its value
            if color(side) == request.color:
                allowed, avoided = (moves, avoided) if key == "allow" else (allowed, avoided | moves)
        elif not rest:
            raise GtpError("syntax error")
        else:
            _set(request, key, rest.pop(0))
    request.interval = max(SHORTEST, request.interval)
    if allowed is not None or avoided:
        possible = frozenset([PASS, *engine.game.legal_plays(request.color)])
        request.only = (possible if allowed is None else possible & allowed) - avoided
    return request


def _set(request: Request, key: str, value: str) -> None:
    """Apply a key with its value. Raise GtpError for an unknown key: by this error LizGoban tests what an engine can.

    No unknown key has to be ignored: by their sources, Sabaki, LizGoban, q5Go, Lizzie, LizzieYzy, Ogatak, katago-server
    and the client of CGOS send none in every line. KaTrain and gtp2ogs send no analysis command.
    """
    match key:
        case "interval":
            request.interval = integer(value) / 100
        case "maxmoves":
            request.most = integer(value, least=1)
        case "minmoves":
            request.least = integer(value)
        case "ownership":
            request.ownership = _truth(value)
        case "rootInfo":
            request.root = _truth(value)
        case "pvVisits":
            request.line_visits = _truth(value)
        case _:
            raise GtpError(f"syntax error: the keys are {KEYS}")


def _truth(value: str) -> bool:
    if value.lower() not in ("true", "false"):
        raise GtpError("syntax error")
    return value.lower() == "true"


def analysed(
    engine: Engine, analyst: Analyst | BotPlayer | None, request: Request, played: int | None = None
) -> list[AnalysedMove]:
    """Return the requested moves, best first; none if the player cannot analyse.

    If every move is lost, the chosen one (`played`) comes first.
    """
    if analyst is None:
        return []
    if isinstance(analyst, BotPlayer):
        return analyst.analyses(engine.game, request.color, request.only)[: request.most]
    moves = move_analyses(analyst, engine.game, request.color, request.only, request.least)
    if played is not None and moves and moves[0].proof == "loss":
        moves.sort(key=lambda analysis: analysis.move != engine.game.vertex(played))
    return moves[: request.most]


def info(analysis: AnalysedMove, order: int, dialect: Dialect, line_visits: bool) -> str:
    """Format one move: `info move D4 visits 120 winrate 0.53 ... pv D4 C3`."""
    winrate, prior, bound = (dialect.rate(rate) for rate in (analysis.winrate, analysis.prior, analysis.bound))
    proven = f" proven {analysis.proof}" if analysis.proof else ""
    visits = f" pvVisits {' '.join(str(v) for v in analysis.line_visits)}" if line_visits else ""
    return (
        f"info move {analysis.move} visits {analysis.visits} winrate {winrate} prior {prior} lcb {bound} "
        f"order {order}{proven} pv {' '.join(analysis.line)}{visits}"
    )


def report(engine: Engine, request: Request, dialect: Dialect, moves: list[AnalysedMove]) -> str:
    """Format the analysis of all moves as one line; "" without an analysis."""
    game = engine.game
    parts = [info(analysis, order, dialect, request.line_visits) for order, analysis in enumerate(moves)]
    if moves and dialect.extended and request.root:
        parts.append(f"rootInfo visits {sum(a.visits for a in moves)} winrate {moves[0].winrate:.6f}")
    if moves and dialect.extended and request.ownership:
        owned = ownership(game, request.color)
        from_top = sorted(owned, key=lambda p: (-(p // (game.width + 1)), p))  # row by row
        parts += ["ownership " + " ".join(f"{owned[p]:.3f}" for p in from_top)] if owned else []
    return " ".join(parts)


def analysis(dialect: Dialect) -> Callable[[Engine, Args], Iterator[str]]:
    """Return the command that searches and reports until the client sends the next line.

    A decided game is reported once: Sabaki's graph would end in a dash without a report.
    """

    def run(engine: Engine, args: Args) -> Iterator[str]:
        request = parse(engine, args)
        deadline = Limit(only=request.only).begin(engine.stop)
        own = engine.player
        analyst = own if isinstance(own, BotPlayer) else engine.analyst

        def search() -> None:
            if not isinstance(analyst, BotPlayer):
                study(analyst, engine.game, request.color, deadline)
                return
            with refusing(BotError):
                analyst.study(engine.game, request.color, deadline)

        def lines() -> Iterator[str]:
            over = decided_analysis(engine.game, request.color)
            if over is not None:
                yield report(engine, request, dialect, [over])
                engine.stop.wait()
                return
            before = ""
            with engine.working(search) as job:
                for _ in due(job, request.interval):
                    line = report(engine, request, dialect, analysed(engine, analyst, request))
                    if line and line != before:
                        yield line
                    before = line
            job.result()

        return lines()

    return run


def due(job: Future[Any], interval: float) -> Iterator[None]:
    """Yield after each interval (s) until the job is done. The caller's own time is part of the interval."""
    following = time.monotonic() + interval
    while wait([job], max(0.0, following - time.monotonic())).not_done:
        yield
        following = max(following + interval, time.monotonic())


Search = Callable[[Engine, Request, Deadline], Generator[str, None, Decision]]
"""Yields reports while it searches, and returns the move."""


def genmove(search: Search) -> Callable[[Engine, Args], Iterator[str]]:
    """Return the command that chooses and plays a move, with the reports of a search."""

    def run(engine: Engine, args: Args) -> Iterator[str]:
        request = parse(engine, args)
        if request.only is not None and not request.only:
            raise GtpError("no move is left")
        deadline = engine.deadline(request.color).limited(only=request.only)

        def lines() -> Iterator[str]:
            decision = yield from search(engine, request, deadline)
            yield f"play {engine.commit(request.color, decision, deadline)}"

        return lines()

    return run


def reporting(dialect: Dialect) -> Search:
    """Return a search that reports at each interval, also if nothing has changed.

    A move of the opening book, which is not searched, has no report.
    """

    def search(engine: Engine, request: Request, deadline: Deadline) -> Generator[str, None, Decision]:
        opening = engine.opening(request.color, deadline)
        if opening is not None:
            return opening
        analyst, last = engine.player.as_analyst(), ""
        with engine.working(lambda: engine.choose(request.color, deadline)) as job:
            for _ in due(job, request.interval):
                last = report(engine, request, dialect, analysed(engine, analyst, request))
                if last:
                    yield last
        decision = job.result()
        final = report(engine, request, dialect, analysed(engine, analyst, request, decision.move))
        if final and final != last:
            yield final
        return decision

    return search


def for_spectators(engine: Engine, request: Request, deadline: Deadline) -> Generator[str, None, Decision]:
    """Search, and yield a line of JSON for the spectators of the server CGOS."""
    opening = engine.opening(request.color, deadline)
    decision = opening or engine.choose(request.color, deadline)
    analyses = [] if opening else analysed(engine, engine.player.as_analyst(), request, decision.move)
    moves = [
        {
            "move": a.move,
            "winrate": round(a.winrate, 4),
            "prior": round(a.prior, 4),
            "visits": a.visits,
            "pv": " ".join(a.line),
            **({"proven": a.proof} if a.proof else {}),
        }
        for a in analyses
    ]
    data: dict[str, object] = {"visits": decision.playouts, "moves": moves}
    if decision.winrate is not None:
        data["winrate"] = round(decision.winrate, 4)
    if decision.note:
        data["comment"] = decision.note
    yield json.dumps(data)
    return decision


MANY: Final = 1_000

TABLE: Final[Table[Engine]] = {
    "analyze": Entry(analysis(LZ), 0, MANY, yields=True),
    "lz-analyze": Entry(analysis(LZ), 0, MANY, yields=True),
    "kata-analyze": Entry(analysis(KATA), 0, MANY, yields=True),
    "cgos-genmove_analyze": Entry(genmove(for_spectators), 1, MANY),
}
GENMOVE_TABLE: Final[Table[Engine]] = {
    "genmove_analyze": Entry(genmove(reporting(LZ)), 0, MANY),
    "lz-genmove_analyze": Entry(genmove(reporting(LZ)), 0, MANY),
    "kata-genmove_analyze": Entry(genmove(reporting(KATA)), 0, MANY),
}
"""Always executed, because q5Go sends them to every engine that knows kata-analyze. Listed only on request, because
Sabaki prefers them to genmove if they are listed, and shows their errors less clearly."""
