"""Counting of a position: area, territory, and unconditionally alive stones (Benson's algorithm)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from . import board as bd
from .board import Board
from .rules import Rules, Scoring
from .vertex import BLACK, EMPTY, WHITE, opponent


class Status(StrEnum):
    """The status of a chain at the end of the game."""

    ALIVE = "alive"
    DEAD = "dead"
    SEKI = "seki"


Statuses = Mapping[int, Status]
"""The status of every chain, by its lowest point."""


@dataclass(frozen=True, slots=True)
class Count:
    """Points of each colour on the board."""

    black: int
    white: int

    @property
    def lead(self) -> int:
        """Black's points minus White's."""
        return self.black - self.white


def regions(b: Board, open_to: Iterable[int]) -> list[set[int]]:
    """Return the connected regions of points whose colour is in `open_to`."""
    wanted = frozenset(open_to)
    color = b.color
    rest = {p for p in bd.points(b) if color[p] in wanted}
    components = []
    while rest:
        region, frontier = set(), [rest.pop()]
        while frontier:
            p = frontier.pop()
            region.add(p)
            reached = [q for q in bd.neighbors(b, p) if q in rest]
            rest.difference_update(reached)
            frontier += reached
        components.append(region)
    return components


def owner(b: Board, region: set[int]) -> int:
    """Return the colour of all stones next to an empty region, or EMPTY if both colours or none touch it."""
    color = b.color
    touching = {int(color[q]) for p in region for q in bd.neighbors(b, p)} - {EMPTY}
    return touching.pop() if len(touching) == 1 else EMPTY


def territory(b: Board, seki: Collection[int] = ()) -> Count:
    """Count regions of empty points that touch only one colour and no stone of `seki`; all stones count as alive."""
    count = {BLACK: 0, WHITE: 0, EMPTY: 0}
    for region in regions(b, [EMPTY]):
        if not any(q in seki for p in region for q in bd.neighbors(b, p)):
            count[owner(b, region)] += len(region)
    return Count(count[BLACK], count[WHITE])


def area(b: Board, seki: Collection[int] = ()) -> Count:
    """Count stones and points of territory; all stones count as alive."""
    empty = territory(b, seki)
    colors = bd.colors(b)
    return Count(empty.black + colors.count(BLACK), empty.white + colors.count(WHITE))


def unconditional(b: Board, color: int) -> set[int]:
    """Return the stones of a colour that cannot be captured even if it always passes, and the points they enclose.

    Benson (1976): a chain is alive if it has two vital regions; a region is vital to a chain if each of its empty
    points is a liberty of the chain. Other chains, and regions next to them, are removed until nothing changes.
    """
    colors = b.color
    chains = {p: set(bd.liberties(b, p)) for p in bd.chains(b, color)}
    stone_chain = {stone: p for p in chains for stone in bd.stones(b, p)}
    enclosed = []
    for region in regions(b, [EMPTY, opponent(color)]):
        around = {stone_chain[q] for p in region for q in bd.neighbors(b, p) if q in stone_chain}
        empties = {p for p in region if colors[p] == EMPTY}
        enclosed.append((region, around, {c for c in around if empties <= chains[c]}))
    alive = set(chains)
    while True:
        vital = Counter(c for _, _, served in enclosed for c in served & alive)
        staying = {c for c, count in vital.items() if count >= 2}
        enclosed = [entry for entry in enclosed if entry[1] <= staying]
        if staying == alive:
            break
        alive = staying
    living = {stone for stone, c in stone_chain.items() if c in alive}
    # A region is enclosed if no opposing chain can live in it: each empty point is a liberty of one alive chain.
    for region, around, served in enclosed:
        if around and served:
            living |= region
    return living


def proven(b: Board) -> dict[int, Status]:
    """Return the status of the chains that are unconditionally alive or dead; other chains are left out."""
    enclosed = {BLACK: unconditional(b, BLACK), WHITE: unconditional(b, WHITE)}
    statuses = {}
    for p in bd.chains(b):
        color = int(b.color[p])
        if p in enclosed[color]:
            statuses[p] = Status.ALIVE
        elif p in enclosed[opponent(color)]:
            statuses[p] = Status.DEAD
    return statuses


def all_proven(b: Board) -> Statuses | None:
    """Return the status of every chain, or None if `proven` leaves one out."""
    statuses = proven(b)
    return statuses if len(statuses) == len(bd.chains(b)) else None


def cleared(b: Board, statuses: Statuses) -> Board:
    """Return the board without its dead stones, which become prisoners."""
    result = b.copy()
    for p, status in statuses.items():
        if status is Status.DEAD:
            result.prisoners[opponent(int(b.color[p]))] += bd.remove(result, int(result.root[p]))
    return result


def stones_in_seki(b: Board, statuses: Statuses) -> frozenset[int]:
    """Return all stones of the chains in seki."""
    return frozenset(q for p, status in statuses.items() if status is Status.SEKI for q in bd.stones(b, p))


def lead(b: Board, statuses: Statuses, rules: Rules) -> int:
    """Return Black's lead in points under rules that score, without dead stones; under territory, with prisoners."""
    board = cleared(b, statuses)
    seki = () if rules.seki_points else stones_in_seki(b, statuses)
    if rules.scoring is Scoring.AREA:
        return area(board, seki).lead
    return territory(board, seki).lead + int(board.prisoners[BLACK]) - int(board.prisoners[WHITE])


def compensation(rules: Rules, handicap: int, black_passed_last: bool) -> int:
    """Return the points that Black gains besides count and komi where a pass costs a stone; else 0.

    Under area scoring White gets a point for each handicap stone but one. Under territory scoring White must make the
    last pass, and owes a stone if Black has made it.
    """
    if rules.scoring is Scoring.AREA:
        return -max(0, handicap - 1) if rules.pays_for_handicap else 0
    return rules.pass_stones if black_passed_last else 0


def result(lead: float) -> str:
    """Return a lead in points, positive for Black, in GTP's form: `B+3.5`, `W+2`, `0`."""
    digits = f"{abs(lead):.3f}".rstrip("0").rstrip(".")
    return "0" if digits == "0" else f"{'B' if lead > 0 else 'W'}+{digits}"
