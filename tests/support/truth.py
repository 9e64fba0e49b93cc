"""Checks of explanations and hints: each statement is compared with the exact solver.

`false_explanation` and `false_hint` parse a sentence and return what is false in it. The patterns cover every sentence
about an unfinished game, so a new sentence without a check fails too.
"""

from __future__ import annotations

import random
import re
from functools import cache

from gtp_capture import BLACK, Game
from gtp_capture.go import board as bd
from gtp_capture.go.vertex import COLOR_LETTERS, opponent
from gtp_capture.solver.result import Solution
from gtp_capture.solver.solver import Solver
from gtp_capture.util.limit import Limit

from .diagrams import moves

LOSES = re.compile(
    r"(?P<vertex>[A-HJ-Z]\d+) loses(?: in (?P<plies>\d+) pl(?:y|ies))?: (?P<line>(?:[BW] [A-HJ-Z]\d+ ?)*)"
    r"(?:\((?P<end>capture|no legal play)\))?\. (?P<rest>.*)"
)
BETTER = re.compile(r"(?P<several>For example, )?(?P<vertex>[A-HJ-Z]\d+) wins")
MISTAKE = re.compile(
    r"The losing move was (?P<vertex>[A-HJ-Z]\d+), move (?P<number>\d+): "
    r"(?P<several>for example, )?(?P<better>\S+) wins there"
)
LOST = ("The position was lost before", "The position was lost from the start")
LONGEST = re.compile(r"loses, but lasts longest: (?P<plies>\d+) pl(?:y|ies)")
CAUGHT = re.compile(r"puts (\S+) and (\S+) in atari: one of them is lost|puts (\S+) in atari, and nothing saves it")
LADDER, RACE = "starts a ladder: every answer is forced", "wins the race of safe moves"
WINNING = re.compile(
    rf"(?:captures|saves|takes) .* and wins(?: by force)?|{CAUGHT.pattern}|{LADDER}|{RACE}|wins by force"
)
SAVED, FREED = re.compile(r"saves (\S+)"), re.compile(r"takes (\S+) out of atari")
OPEN = re.compile(r"puts \S+ in atari|has a win rate of \d+% in the search|looks best at first sight")


@cache
def _solver(width: int, height: int) -> Solver:
    return Solver(width, height, 64 * 2**20)


def truth(game: Game, color: int, *, length: bool = False) -> Solution:
    """Return the exact result with a colour to move."""
    return _solver(game.width, game.height).solve(game.board, color, Limit(), length=length)


def wins_with(game: Game, color: int, vertex: str) -> bool:
    """Whether a play of a colour wins."""
    after = game.copy()
    after.play(vertex, color)
    if after.outcome is not None:
        return after.outcome.winner == color
    return truth(after, opponent(color)).winner == color


def random_game(width: int, height: int, plies: int, rng: random.Random) -> Game:
    """Return an unfinished game of `plies` random plays."""
    while True:
        game = Game("first-capture", width, height)
        while game.outcome is None and len(game.moves) < plies:
            game.play(rng.choice(game.legal_plays()))
        if game.outcome is None:
            return game


def false_explanation(game: Game, text: str) -> str | None:
    """Return what is false in a sentence of `explain` about the last move; None if it is true."""
    last, winner = game.moves[-1], game.to_move
    vertex = game.vertex(last.point)
    if text == f"{vertex}: no forced loss found":
        return None
    if text == f"{vertex} wins":
        return None if truth(game, winner).winner == last.color else "the last move does not win"
    found = LOSES.fullmatch(text)
    if found is None or found["vertex"] != vertex:
        return "a sentence that cannot be checked"
    if truth(game, winner).winner != winner:
        return "the last move does not lose"
    return _false_line(game, found) or _false_context(game, found["rest"])


def _false_line(game: Game, found: re.Match[str]) -> str | None:
    winner, line = game.to_move, list(moves(found["line"]))
    trial = game.copy()
    exact = truth(game, winner, length=True).plies
    if found["plies"] is not None and int(found["plies"]) != exact:
        return f"it takes {exact} plies"
    if found["end"] is not None and len(line) != exact:
        return f"the line is not best play: it takes {len(line)} plies, best play {exact}"
    for number, (color, vertex) in enumerate(line):
        if color != (winner if number % 2 == 0 else opponent(winner)):
            return "the colours of the line do not alternate"
        if color == winner and not wins_with(trial, color, vertex):
            return f"{COLOR_LETTERS[color]} {vertex} does not win"
        if color != winner and found["end"] is None and _replies(trial) > 1:
            return f"{COLOR_LETTERS[color]} {vertex} is not forced"
        trial.play(vertex, color)
    over = None if trial.outcome is None else str(trial.outcome.termination)
    return None if over == found["end"] else f"the line ends with {over}"


def _replies(game: Game) -> int:
    """Count the plays of the side to move that leave none of its chains in atari."""
    color, count = game.to_move, 0
    for play in game.legal_plays():
        after = game.copy()
        after.play(play, color)
        count += not after.atari(color)
    return count


def _false_context(game: Game, text: str) -> str | None:
    mover, number = game.moves[-1].color, len(game.moves) - 1
    before = game.copy(number)
    winner = truth(before, mover).winner
    if better := BETTER.fullmatch(text):
        if better["several"] and _wins(before, mover) < 2:
            return "no other move wins"
        return None if wins_with(before, mover, better["vertex"]) else f"{better['vertex']} does not win"
    if text.startswith("No refutation of "):
        return None
    if winner == mover:
        return f"{text!r}, but the position before the move was won"
    if text in LOST:
        early = game.copy(0 if mover == BLACK else 1)
        start = text == LOST[0] or truth(early, mover).winner != mover
        return None if start else "the game was not lost from the start"
    mistake = MISTAKE.fullmatch(text)
    if mistake is None:
        return "a context that cannot be checked"
    at = int(mistake["number"]) - 1
    early = game.copy(at)
    if game.moves[at] != (mover, game.point(mistake["vertex"])) or not wins_with(early, mover, mistake["better"]):
        return f"move {at + 1} was another one, or {mistake['better']} does not win there"
    if mistake["several"] and _wins(early, mover) < 2:
        return f"no other move than {mistake['better']} wins there"
    later = range(at + 2, number + 1, 2)
    turned = [n for n in later if truth(game.copy(n), mover).winner == mover]
    return f"the position was won again before move {turned[-1] + 1}" if turned else None


def _wins(game: Game, color: int) -> int:
    """Count the winning plays of a colour."""
    return sum(wins_with(game, color, game.vertex(play)) for play in game.legal_plays(color))


def false_hint(game: Game, move: int, reason: str) -> str | None:
    """Return what is false in a hint for the side to move; None if it is true."""
    color, vertex = game.to_move, game.vertex(move)
    exact = truth(game, color, length=True)
    if reason.startswith("loses"):
        if exact.winner == color:
            return "the position is won"
        longest = LONGEST.fullmatch(reason)
        if longest is None:
            return None if reason == "loses, as every move does" else "a hint that cannot be checked"
        after = game.copy()
        after.play(vertex, color)
        rest = 0 if after.outcome is not None else truth(after, opponent(color), length=True).plies
        best = exact.plies
        return None if rest == int(longest["plies"]) - 1 and best == rest + 1 else f"{vertex}: {rest} + 1, best {best}"
    after = game.copy()
    after.play(vertex, color)
    if WINNING.fullmatch(reason):
        if not wins_with(game, color, vertex):
            return f"{vertex} does not win"
        if false := _false_reason(after, reason, exact.line):
            return false
        reason = reason.removesuffix(" and wins by force")
    if saved := SAVED.fullmatch(reason):
        chain = game.point(saved[1])
        lost = chain not in game.atari(color) or truth(after, opponent(color)).winner == opponent(color)
        return f"{saved[1]} is not saved" if lost else None
    if freed := FREED.fullmatch(reason):
        chain = game.point(freed[1])
        freed_now = chain in game.atari(color) and not bd.in_atari(after.board, chain)
        return None if freed_now else f"{freed[1]} is not taken out of atari"
    known = OPEN.fullmatch(reason) or WINNING.fullmatch(reason) or reason.startswith("captures")
    return None if known else "a hint that cannot be checked"


def _false_reason(after: Game, reason: str, line: tuple[int, ...]) -> str | None:
    """Return what is false in the reason of a winning move, which was made; `line`: best play from before it."""
    loser = after.to_move
    if (caught := CAUGHT.fullmatch(reason)) is not None:
        named = {after.point(vertex) for vertex in caught.groups() if vertex is not None}
        return "a reply saves them" if any(not _is_taken(after, play, named) for play in after.legal_plays()) else None
    if reason == LADDER:
        return None if after.atari(loser) and _replies(after) == 1 else "the answer is not forced"
    if reason == RACE:
        after.undo()
        for play in line[:-2]:
            if after.atari(loser) or after.atari(opponent(loser)):
                return "there is an attack"
            after.play(play)
        return None if _replies(after) == 0 else "the loser has a safe play left"
    return None


def _is_taken(game: Game, play: int, named: set[int]) -> bool:
    """Whether after a reply one of these stones can be captured; a reply that captures wins."""
    after = game.copy()
    after.play(play)
    chains = {after.board.root[p] for p in after.atari(game.to_move)}
    return after.outcome is None and any(after.board.root[p] in chains for p in named)
