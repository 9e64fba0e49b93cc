"""Themes of problems, each a precise test of the solution.

In the tests, the winner is the side to move, and the target is the set of stones that the winner's last play captures.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import pairwise
from typing import Final

from ...go import board as bd
from ...go.board import Board
from ...go.vertex import EMPTY, opponent
from ...judgement.life import is_caught
from .problem import Start, boards_along


class SolvedLine:
    """The boards of a solution, and the facts that the themes are made of."""

    def __init__(self, start: Start, line: tuple[int, ...]) -> None:
        self.line, self.winner = line, start.to_move
        self.loser = opponent(start.to_move)
        boards = [board for board, _ in boards_along(start, line)]
        self.before = boards[:-1:2]
        """The board before each play of the winner."""
        self.after = boards[1::2]
        """The board after each play of the winner."""
        self.plays = line[::2]
        self.replies = line[1::2]

    @cached_property
    def target(self) -> frozenset[int]:
        """The stones that the last play captures."""
        last, end = self.before[-1], self.after[-1]
        return frozenset(p for p in bd.points(last) if last.color[p] == self.loser and end.color[p] == EMPTY)

    @cached_property
    def target_chains(self) -> list[int]:
        """One stone of each chain of the first position that has stones of the target."""
        board = self.before[0]
        return [p for p in bd.chains(board) if board.color[p] == self.loser and self.target & {*bd.stones(board, p)}]

    @cached_property
    def attacks(self) -> list[list[int]]:
        """For each play of the winner but the last, one stone of each opposing chain that is in atari after it."""
        return [bd.chains_in_atari(board, self.loser) for board in self.after[:-1]]

    @cached_property
    def saved(self) -> list[int]:
        """One stone of each chain of the winner that is in atari, and that the first play gives two liberties."""
        return [p for p in bd.chains_in_atari(self.before[0], self.winner) if not bd.in_atari(self.after[0], p)]


def is_capture(solved: SolvedLine) -> bool:
    """Test for a plain capture: the first play captures and wins."""
    return len(solved.plays) == 1


def is_save(solved: SolvedLine) -> bool:
    """Test for a plain save: a chain of the winner is in atari, and the first play gives it two liberties or more."""
    return bool(solved.saved) and not _captures(solved, 0)


def is_double_atari(solved: SolvedLine) -> bool:
    """Test for a double atari: the first play touches two or more chains that are in atari after it.

    None of them was in atari before.
    """
    before = solved.before[0]
    return sum(not bd.in_atari(before, q) for q in bd.attacked(before, solved.plays[0], solved.winner)) >= 2


def is_ladder(solved: SolvedLine) -> bool:
    """Test for a ladder: three plays or more, each but the last an atari on a chain that the reply extends.

    The last play captures that chain.
    """
    if len(solved.plays) < 3 or any(len(chains) != 1 for chains in solved.attacks):
        return False
    chains = [chain for (chain,) in solved.attacks]
    turns = [*zip(solved.before[1:], chains, solved.replies, strict=True)]
    joined = all(reply in bd.stones(board, chain) for board, chain, reply in turns)
    same = all(chain in bd.stones(board, later) for (_, chain, _), (board, later, _) in pairwise(turns))
    return joined and same and chains[-1] in solved.target


def is_squeeze(solved: SolvedLine) -> bool:
    """Test for a squeeze: the winner lets a stone be captured and captures the stones that took it.

    Alternatively, three plays or more, each on a liberty of the same chain of the target, which had three liberties or
    more. The winner captures nothing before.
    """
    if _captures_early(solved):
        return False
    lost = [int(board.prisoners[solved.loser]) for board in solved.before]
    if lost[-1] > 0:
        taken = {reply for n, reply in enumerate(solved.replies) if lost[n + 1] > lost[n]}
        return bool(taken & solved.target)
    return len(solved.plays) >= 3 and any(
        len(bd.liberties(solved.before[0], chain)) >= 3
        and all(play in bd.liberties(board, chain) for board, play in zip(solved.before, solved.plays, strict=True))
        for chain in solved.target_chains
    )


def is_net(solved: SolvedLine) -> bool:
    """Test for a net: the first play neither touches the one chain of the target nor leaves anything in atari.

    The chain had two liberties, and still has both. It is extended and captured all the same; reading shows that no
    reply saves it.
    """
    before, after, play = solved.before[0], solved.after[0], solved.plays[0]
    if len(solved.target_chains) != 1 or len(solved.plays) < 2 or solved.attacks[0]:
        return False
    chain = solved.target_chains[0]
    touches = play in bd.liberties(before, chain)
    extended = len(bd.stones(solved.before[-1], chain)) > len(bd.stones(before, chain))
    return not touches and len(bd.liberties(after, chain)) == 2 and extended and is_caught(after, chain)


def is_cut(solved: SolvedLine) -> bool:
    """Test for a cut: the first play is next to two chains that a reply there would have joined.

    One of them is captured at the end, and no stone is captured before.
    """
    board, play = solved.before[0], solved.plays[0]
    around = {int(board.root[q]) for q in bd.neighbors(board, play) if board.color[q] == solved.loser}
    if len(around) < 2 or _captures_early(solved):
        return False
    return any(int(board.root[chain]) in around for chain in solved.target_chains)


def is_race(solved: SolvedLine) -> bool:
    """Test for a race of safe moves: no play but the last attacks, saves or captures, and the loser runs out of plays.

    Before its last reply, which may attack, the loser has no play that captures or keeps two liberties.
    """
    quiet = not any(solved.attacks) and not any(
        bd.chains_in_atari(board, solved.winner) for board in solved.before[:-1]
    )
    if len(solved.plays) < 2 or not quiet:
        return False
    return not any(_is_safe(solved.after[-2], p, solved.loser) for p in bd.points(solved.after[-2]))


def _is_safe(board: Board, play: int, color: int) -> bool:
    if board.color[play] != EMPTY or not bd.is_legal(board, play, color, False):
        return False
    after = board.copy()
    return bd.play(after, play, color) > 0 or not bd.in_atari(after, play)


def _captures(solved: SolvedLine, number: int) -> int:
    """Return the stones that a play of the winner captures."""
    return int(solved.after[number].prisoners[solved.winner]) - int(solved.before[number].prisoners[solved.winner])


def _captures_early(solved: SolvedLine) -> bool:
    """Whether a play of the winner before the last one captures."""
    return any(_captures(solved, number) for number in range(len(solved.plays) - 1))


THEMES: Final[dict[str, Callable[[SolvedLine], bool]]] = {
    "capture": is_capture,
    "save": is_save,
    "double atari": is_double_atari,
    "ladder": is_ladder,
    "race of safe moves": is_race,
    "squeeze": is_squeeze,
    "net": is_net,
    "cut": is_cut,
}
"""The tests by theme; the first that fits names the theme of a problem."""
PLAIN: Final = ("capture", "save")
"""Themes that a problem may have in the first grade only."""


def theme_of(start: Start, line: tuple[int, ...]) -> str:
    """Return the theme of a solution; "" if none fits."""
    solved = SolvedLine(start, line)
    return next((name for name, fits in THEMES.items() if fits(solved)), "")
