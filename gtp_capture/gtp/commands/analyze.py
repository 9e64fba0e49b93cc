"""Analysis while the search runs: the commands of Sabaki, Leela Zero, KataGo and CGOS."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ...go.game import Game
from ...go.vertex import COLOR_NAMES, PASS, parse_color, point_at
from ...players.analysis import Insight, insights, ownership, study
from ...players.player import MctsPlayer, Player
from ...util.limit import Limit
from ..engine import Engine
from ..protocol import Entry, GtpError, Table
from .arguments import color, integer, vertex

PROVEN: Final = {1: "win", -1: "loss"}
INTERVAL: Final = 0.5
"""Seconds between two reports where none were asked for."""
SHORTEST: Final = 0.02
SHARES: Final = 10_000
"""What `lz-analyze` counts win rates in."""


@dataclass(slots=True)
class Request:
    """What an analysis command asks for."""

    color: int
    interval: float = INTERVAL
    most: int = 1_000
    least: int = 0
    """Moves that are told even if they have few visits."""
    ownership: bool = False
    root: bool = False
    """Whether the position as a whole is summed up."""
    line_visits: bool = False
    only: frozenset[int] | None = None
    """The moves that are looked at; None for all."""


def parse(engine: Engine, args: Sequence[str]) -> Request:
    """`[color] [centiseconds] [key value ...]`, as all of these commands take it. GtpError: anything else."""
    words = list(args)
    request = Request(engine.game.to_move)
    allowed: frozenset[int] | None = None
    avoided: frozenset[int] = frozenset()
    if words and words[0].lower() in ("b", "w", *COLOR_NAMES.values()):
        request.color = parse_color(words.pop(0))
    if words and words[0].isascii() and words[0].isdigit():
        request.interval = integer(words.pop(0)) / 100
    while words:
        key = words.pop(0)
        if key in ("allow", "avoid") and len(words) >= 3:
            who, points, until, *words = words
            moves = frozenset(vertex(engine, text) for text in points.split(","))
            integer(until, least=1)  # the first move is what we restrict, whatever comes after it
            if color(who) == request.color:
                allowed, avoided = (moves, avoided) if key == "allow" else (allowed, avoided | moves)
        elif not words:
            raise GtpError("syntax error")
        else:
            value = words.pop(0)
            if key == "interval":
                request.interval = integer(value) / 100
            elif key == "maxmoves":
                request.most = integer(value, least=1)
            elif key == "minmoves":
                request.least = integer(value)
            elif key == "ownership":
                request.ownership = value.lower() == "true"
            elif key == "rootInfo":
                request.root = value.lower() == "true"
            elif key == "pvVisits":
                request.line_visits = value.lower() == "true"
            # Whatever else comes is asked for by clients that do without.
    request.interval = max(SHORTEST, request.interval)
    if allowed is not None or avoided:
        possible = frozenset([PASS, *engine.game.legal_plays(request.color)])
        request.only = (possible if allowed is None else possible & allowed) - avoided
    return request


Format = Callable[[Insight, int, str, str], str]


def lz_info(insight: Insight, order: int, move: str, line: str) -> str:
    """A move as Leela Zero writes it: rates as whole numbers up to 10,000."""
    rates = [round(SHARES * rate) for rate in (insight.winrate, insight.prior, insight.bound)]
    return _info(insight, order, move, line, *(str(rate) for rate in rates))


def kata_info(insight: Insight, order: int, move: str, line: str) -> str:
    """A move as KataGo writes it: rates with a point, up to 1."""
    return _info(insight, order, move, line, *(f"{r:.6f}" for r in (insight.winrate, insight.prior, insight.bound)))


def _info(insight: Insight, order: int, move: str, line: str, winrate: str, prior: str, bound: str) -> str:
    proven = f" proven {PROVEN[insight.proven]}" if insight.proven else ""
    return (
        f"info move {move} visits {insight.visits} winrate {winrate} prior {prior} lcb {bound} order {order}"
        f"{proven} pv {line}"
    )


def seen(engine: Engine, player: Player, request: Request, played: int | None = None) -> list[Insight]:
    """What a player's search has found of what was asked for.

    Where every move is lost, the one that the player chose (`played`) is the first.
    """
    if not isinstance(player, MctsPlayer):
        return []
    found = insights(player, engine.game, request.color, request.only, request.least)
    if found and found[0].proven < 0:
        found.sort(key=lambda insight: insight.move != played)
    return found[: request.most]


def report(engine: Engine, player: Player, request: Request, format_: Format, played: int | None = None) -> str:
    """One line with every move, or nothing while there is nothing to tell; `played` as in `seen`."""
    vertex_ = engine.game.vertex
    infos, found = [], seen(engine, player, request, played)
    for order, insight in enumerate(found):
        line = " ".join(vertex_(p) for p in insight.line)
        if request.line_visits:
            line += " pvVisits " + " ".join(str(visits) for visits in insight.line_visits)
        infos.append(format_(insight, order, vertex_(insight.move), line))
    if infos and request.root and format_ is kata_info:
        infos.append(f"rootInfo visits {sum(i.visits for i in found)} winrate {found[0].winrate:.6f}")
    if infos and request.ownership and format_ is kata_info:
        owned = ownership(engine.game, request.color)
        rows = [points(engine.game, row) for row in range(engine.game.height, 0, -1)] if owned else []
        infos += ["ownership " + " ".join(f"{owned[p]:.3f}" for row in rows for p in row)] if rows else []
    return " ".join(infos)


def points(game: Game, row: int) -> list[int]:
    """The points of a row, from the left; the lowest row is 1."""
    return [point_at(column, row - 1, game.width) for column in range(game.width)]


def analysis(format_: Format) -> Callable[[Engine, Sequence[str]], Iterator[str]]:
    """The command that thinks about the position and reports, until the client sends something else."""

    def run(engine: Engine, args: Sequence[str]) -> Iterator[str]:
        request = parse(engine, args)
        limit = Limit(None, None, engine.stop, only=request.only)
        analyst = engine.analyst

        def lines() -> Iterator[str]:
            before = ""
            work = engine.while_working(lambda: study(analyst, engine.game, request.color, limit), request.interval)
            for _ in work:
                line = report(engine, analyst, request, format_)
                if line and line != before:
                    yield line
                before = line

        return lines()

    return run


def limit_of(engine: Engine, request: Request) -> Limit:
    """What the clock and the request leave for a move. GtpError: no move at all."""
    if request.only is not None and not request.only:
        raise GtpError("no move is left")
    return replace(engine.limit(request.color), only=request.only)


def genmove_analysis(format_: Format) -> Callable[[Engine, Sequence[str]], Iterator[str]]:
    """genmove with reports while the player thinks, and the move at the end."""

    def run(engine: Engine, args: Sequence[str]) -> Iterator[str]:
        request = parse(engine, args)
        limit = limit_of(engine, request)

        def lines() -> Iterator[str]:
            work = engine.while_working(lambda: engine.choose(request.color, limit), request.interval)
            last = ""
            while True:
                try:
                    next(work)
                except StopIteration as done:
                    decision = done.value
                    break
                last = report(engine, engine.player, request, format_)
                if last:
                    yield last
            final = report(engine, engine.player, request, format_, decision.move)
            if final and final != last:
                yield final
            yield f"play {engine.commit(request.color, decision, limit)}"

        return lines()

    return run


def cgos_genmove_analyze(engine: Engine, args: Sequence[str]) -> Iterator[str]:
    """genmove with one line of JSON for those who watch the game, then the move."""
    request = parse(engine, args)
    limit = limit_of(engine, request)

    def lines() -> Iterator[str]:
        decision = engine.choose(request.color, limit)
        vertex_ = engine.game.vertex
        found = seen(engine, engine.player, request, decision.move)
        moves = [
            {
                "move": vertex_(i.move),
                "winrate": round(i.winrate, 4),
                "prior": round(i.prior, 4),
                "visits": i.visits,
                "pv": " ".join(vertex_(p) for p in i.line),
                **({"proven": PROVEN[i.proven]} if i.proven else {}),
            }
            for i in found
        ]
        thought: dict[str, object] = {"visits": decision.playouts, "moves": moves}
        if decision.winrate is not None:
            thought["winrate"] = round(decision.winrate, 4)
        if decision.note:
            thought["comment"] = decision.note
        yield json.dumps(thought)
        yield f"play {engine.commit(request.color, decision, limit)}"

    return lines()


MANY: Final = 1_000

TABLE: Final[Table[Engine]] = {
    "analyze": Entry(analysis(lz_info), 0, MANY, yields=True),
    "lz-analyze": Entry(analysis(lz_info), 0, MANY, yields=True),
    "kata-analyze": Entry(analysis(kata_info), 0, MANY, yields=True),
    "cgos-genmove_analyze": Entry(cgos_genmove_analyze, 1, MANY),
}
GENMOVE_TABLE: Final[Table[Engine]] = {
    "genmove_analyze": Entry(genmove_analysis(lz_info), 0, MANY),
    "lz-genmove_analyze": Entry(genmove_analysis(lz_info), 0, MANY),
    "kata-genmove_analyze": Entry(genmove_analysis(kata_info), 0, MANY),
}
"""Listed on request only: Sabaki would take any of these instead of genmove, and report failures worse."""
