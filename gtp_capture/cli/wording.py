"""Sentences of a game in the terminal, in words for a child: goal, rules, turns, prisoners, refusals and the result."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from ..go import board as bd
from ..go.game import Game
from ..go.position import Move, Outcome, Termination
from ..go.rules import Ko, Rules, Scoring
from ..go.vertex import BLACK, PASS, RESIGN, WHITE, opponent
from ..go.words import TITLES, counted
from ..teach.explain import Better
from .orders import example

NAMED: Final = 3
"""Chains of one colour that are named at most."""


@dataclass(frozen=True, slots=True)
class Speaker:
    """Words for the two sides: `you` and `I`, or their colours if the engine plays neither side."""

    people: Collection[int]
    """The colours that people play."""

    @property
    def two(self) -> bool:
        """Whether people play both colours."""
        return len(self.people) > 1

    def subject(self, color: int) -> str:
        """Return "You", "I", "Black" or "White"."""
        return TITLES[color] if self.two else "You" if color in self.people else "I"

    def object(self, color: int) -> str:
        """Return "you", "me", "Black" or "White"."""
        return TITLES[color] if self.two else "you" if color in self.people else "me"

    def possessive(self, color: int) -> str:
        """Return "your", "my", "Black's" or "White's"."""
        return f"{TITLES[color]}'s" if self.two else "your" if color in self.people else "my"

    def does(self, color: int, verb: str) -> str:
        """Return "You win", "I win" or "Black wins" for the verb "win"."""
        if not self.two:
            return f"{self.subject(color)} {verb}"
        third = {"have": "has"}.get(verb, verb + ("es" if verb.endswith("s") else "s"))
        return f"{self.subject(color)} {third}"

    def inside(self, color: int) -> str:
        """Return the subject as it stands inside a sentence."""
        return "you" if self.subject(color) == "You" else self.subject(color)


def last_move(game: Game, move: Move) -> str:
    """Return "Black C3", "Black passed" or "Black resigned"."""
    return f"{TITLES[move.color]} {({PASS: 'passed', RESIGN: 'resigned'}).get(move.point) or game.vertex(move.point)}"


def sentence(text: str) -> str:
    """Return a text with a capital letter in front, and a full stop at the end unless it has a mark there."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?', '!')) else '.'}"


def plain(text: str) -> str:
    """Return a text of `teach.explain` in words for a child."""
    text = re.sub(r"\b(black|white)\b", lambda found: found[1].capitalize(), text)
    text = text.replace("1 ply", "1 move").replace("plies", "moves")
    return text.replace("no forced loss found", "I found no sure way to punish it")


def context(found: Better | str) -> str:
    """Return the context of an explanation as a sentence for a child."""
    if isinstance(found, str):
        return sentence(found)
    if not found.wins:
        return f"I found no sure way to punish {found.vertex}."
    move = f"{'For example, ' * found.several}{found.vertex} was a winning move"
    if found.mistake is None:
        return f"{move}."
    vertex, number = found.mistake
    return f"The losing move was {vertex}, move {number}. {move} there."


def punishment(color: int, reply: str | None, played: bool, speaker: Speaker) -> str:
    """Return what leads to the picture of a punishment by a colour; `reply`: the vertex that it has played, if any."""
    if reply is None:
        return "Look at the numbers:"
    who = speaker.subject(color)
    if played:
        return f"{who} played {reply}. Look at the numbers:"
    return f"{who} played {reply}. Look at the numbers for another way, which wins:"


def goal(rules: Rules, two: bool) -> str:
    """Return one sentence with the goal of the game."""
    than = "the other player does" if two else "I do"
    if rules.captures == 1:
        return f"The goal: take a stone before {than}, by filling all the free points next to it."
    if rules.captures is not None:
        return f"The goal: take {rules.captures} stones before {than}. Fill all the free points next to them."
    if rules.is_scored and rules.scoring is Scoring.AREA:
        return f"The goal: own more of the board than {than}, with stones and the points that they fence in."
    if rules.is_scored:
        return f"The goal: fence in more free points than {than}."
    return f"The goal: still have a move when {'the other player' if two else 'my side'} has none."


def rules_lines(game: Game, turns: int) -> Iterator[str]:
    """Yield the rules of a game as short sentences; `turns`: those that its handicap gives the first player, or 0."""
    rules = game.rules
    begins = TITLES[game.positions[0].to_move]
    first = f", with {turns} turns in a row" if turns else ""
    yield f"{begins} begins{first}. Then the two sides take turns, one stone at a time."
    yield "The free points next to a stone are its liberties. Stones of one colour side by side share them."
    yield "Stones without a liberty are taken off the board: they are prisoners."
    if rules.captures is not None:
        yield f"The first to take {'a stone' if rules.captures == 1 else counted(rules.captures, 'stone')} wins."
    if rules.suicide:
        yield "A stone may be put where it has no liberty: then its own side's stones there become prisoners."
    else:
        yield "A stone may not be put where it has no liberty, unless it takes something."
    if rules.ko is Ko.SIMPLE:
        yield "After one stone is taken, it may not be taken back at once: this is ko."
    elif rules.ko is not Ko.NONE:
        yield "A move may not make a board that was there before: this is ko."
    yield from _passing(rules)
    if rules.is_scored:
        scored = "Stones and fenced-in points" if rules.scoring is Scoring.AREA else "Fenced-in points and prisoners"
        yield f"Two passes in a row end the game. {scored} count." + (
            f" White gets {game.komi:g} points more." if game.komi else ""
        )


def _passing(rules: Rules) -> Iterator[str]:
    if not rules.may_pass:
        yield "There is no passing: a side without a move loses."
    elif rules.pass_stones:
        loses = " That loses the game." if rules.won_by(1) else ""
        yield f"A pass gives the other side a stone as a prisoner.{loses}"
    else:
        yield "You may pass."


def refusal(game: Game, point: int, color: int, reason: str) -> str:
    """Return why a move is illegal, for a reason of `Game.why_illegal`."""
    vertex = game.vertex(point)
    if point == PASS:
        return "There is no passing in this game. You can resign instead."
    if point > 0 and reason.startswith("the point is not empty"):
        return f"There is a stone on {vertex} already. Choose a free point."
    if reason == "suicide":
        return f"A stone on {vertex} would have no liberty, so you may not play there now. Choose another point."
    if reason == "ko":
        return f"This is ko: you may not take back on {vertex} at once. Play somewhere else first."
    if reason.startswith("superko"):
        return f"{vertex} would make a board that was there before. That is not allowed. Choose another point."
    return f"{TITLES[color]} cannot play {vertex}: {reason}."


def atari_lines(game: Game, speaker: Speaker) -> Iterator[str]:
    """Yield a line for each chain in atari, up to NAMED of each colour."""
    for color in (BLACK, WHITE):
        chains = game.atari(color)
        for p in chains[:NAMED]:
            count = len(bd.stones(game.board, p))
            chain = "stone" if count == 1 else counted(count, "stone")
            whose = sentence(speaker.possessive(color))[:-1]
            yield f"Atari! {whose} {chain} at {game.vertex(p)} {'has' if count == 1 else 'have'} one liberty left."
        if len(chains) > NAMED:
            more = len(chains) - NAMED
            yield f"{more} more of {TITLES[color]} {'is' if more == 1 else 'are'} in atari."


def prisoner_line(game: Game, speaker: Speaker) -> str | None:
    """Return the prisoners of both sides; None if they do not matter, or the first one wins."""
    rules = game.rules
    if not (rules.captures or rules.scoring is Scoring.TERRITORY) or rules.won_by(1):
        return None
    goal = f" of {rules.captures}" if rules.captures else ""
    first = BLACK if speaker.two or BLACK in speaker.people else WHITE
    counts = [f"{speaker.does(c, 'have')} {game.prisoners(c)}{goal}" for c in (first, opponent(first))]
    return f"Prisoners: {counts[0]}, {counts[1]}.".replace(": You", ": you")


def result_line(game: Game, outcome: Outcome, speaker: Speaker) -> str:
    """Return who has won, and why."""
    if outcome.winner is None:
        return "Game over: it is a draw." if game.score() == 0 else "Game over: there is no winner."
    winner, loser = int(outcome.winner), opponent(outcome.winner)
    won = f"Game over: {speaker.inside(winner)}{speaker.does(winner, 'win').removeprefix(speaker.subject(winner))}"
    match outcome.termination:
        case Termination.CAPTURE:
            return f"{won}! {speaker.does(winner, 'have')} taken {counted(game.prisoners(winner), 'stone')}."
        case Termination.NO_LEGAL_PLAY:
            return f"{won}: {speaker.inside(loser)} cannot play anywhere."
        case Termination.HANDED_OVER:
            return f"{won}: the pass gave {speaker.object(winner)} a stone."
        case Termination.RESIGNATION:
            return f"{won}: {speaker.inside(loser)} resigned."
    lead = abs(game.score() or 0)
    return f"{won} by {lead:g} {'point' if lead == 1 else 'points'}."


def line_of_moves(game: Game, color: int, line: Iterable[int], speaker: Speaker) -> str:
    """Return alternating moves that begin with a colour, as "1: I play B4, 2: you play C4"."""
    colors = (color, opponent(color))
    parts = []
    for n, point in enumerate(line):
        mover = colors[n % 2]
        verb = "pass" if point == PASS else "play"
        vertex = "" if point in (PASS, RESIGN) else f" {game.vertex(point)}"
        does = speaker.does(mover, verb)
        parts.append(f"{n + 1}: {does[:1].lower() + does[1:] if does.startswith('You') else does}{vertex}")
    return ", ".join(parts)


def greeting(game: Game, level: str, speaker: Speaker, signs: Mapping[int, str]) -> Iterator[str]:
    """Yield the first lines of a session: the game, the sides, the goal, and what to type."""
    against = f", {level}" if level else ", two people"
    yield f"{game.rules} on {game.width}x{game.height}{against}."
    if not speaker.two:
        mine = next(iter(speaker.people))
        yield f"You are {sided(mine, signs)}. I am {sided(opponent(mine), signs)}."
    yield goal(game.rules, speaker.two)
    yield f"Type a point, for example {example(game.width, game.height)}, or help."


def sided(color: int, signs: Mapping[int, str]) -> str:
    """Return a colour with its stone: "Black (X)"."""
    return f"{TITLES[color]} ({signs[color]})"


def turn_line(color: int, speaker: Speaker, signs: Mapping[int, str]) -> str:
    """Return whose turn it is; a diagram that is read again takes the side to move from it."""
    return f"{'' if speaker.two else 'Your turn: '}{sided(color, signs)} to play."
