"""The sides of a game: people, level, rules and board; made from options, from a saved state, or from a file."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from ..go import sgf
from ..go.game import Game, GameError
from ..go.opening import crosscut, spread
from ..go.rules import Rules, RulesError
from ..go.sgf_tree import read_tree
from ..go.vertex import BLACK, MAX_SIDE, MIN_SIDE, WHITE
from ..players import levels
from ..teach.event import Refusal, RefusedError
from ..util.fields import Fields
from ..version import PROGRAM

UNNAMED: Final = ("Black", "White", "you")
"""The names in a file for people without a name: "Black" and "White" for two people, "you" for one person."""
LONGEST: Final = 10_000
"""The maximum number of characters of a name, and of rules, in a saved state."""


@dataclass(frozen=True, slots=True)
class GameSetup:
    """The sides of a game: the people, the engine's level, and the rules and the board."""

    rules: Rules
    width: int
    height: int
    people: frozenset[int]
    """The colours that people play; the engine plays the others."""
    names: tuple[str, str] = ("", "")
    """The names of the people with Black and White; "" for none."""
    handicap: int = 0
    """Stones of Black before White's first move; 0 for none."""
    crosscut: bool = False
    """Whether the board begins with a crosscut."""
    level: int = levels.FIRST
    """The level of the engine."""
    adapt: bool = False
    """Whether the level follows the results of the person."""
    warn: bool = False
    """Whether a move that can be punished at once is shown before it is played."""

    @property
    def person_has_black(self) -> bool:
        """Whether a person plays Black."""
        return BLACK in self.people

    @property
    def turns(self) -> int:
        """Extra turns of Black at the start, in a capture game."""
        return max(0, self.handicap - 1)

    def sgf(self, game: Game) -> bytes:
        """Return a game of these sides as SGF, with the names of the people and the level of the engine."""
        engine, unnamed = f"{PROGRAM} level {self.level}", UNNAMED[:2] if len(self.people) > 1 else UNNAMED[2:] * 2
        people = (name or other for name, other in zip(self.names, unnamed, strict=True))
        colors = zip((BLACK, WHITE), people, strict=True)
        black, white = (name if color in self.people else engine for color, name in colors)
        named = game.copy()
        named.info |= {"black": black, "white": white}
        return sgf.dump(named)

    def new_game(self) -> Game:
        """Return the game before its first move. RefusedError: the board is too small for its start."""
        size = self.width, self.height
        if self.handicap and self.crosscut:
            raise RefusedError(Refusal.START_BOTH)
        if 2 * self.handicap > self.width * self.height:
            raise RefusedError(Refusal.START_HANDICAP, size=size, stones=self.handicap)
        game = Game(self.rules, size)
        if self.crosscut:
            try:
                game.setup_points(*crosscut(self.width, self.height), BLACK)
            except GameError:
                raise RefusedError(Refusal.START_CROSSCUT, size=size) from None
        if self.handicap and not self.rules.is_capture_game:
            game.place_handicap(map(game.vertex, spread(self.width, self.height, self.handicap)))
        return game


def setup_of_file(game: Game, setup: GameSetup) -> GameSetup:
    """Return the setup for going on with a game of a file, which names its players.

    A name that begins with PROGRAM is the engine's, any other name a person's; without any name the setup stays.
    """
    setup = replace(setup, rules=game.rules, width=game.width, height=game.height, handicap=0, crosscut=False)
    root = read_tree(game.record or b"(;)")
    sides = {BLACK: root.text("PB"), WHITE: root.text("PW")}
    engine = [color for color, name in sides.items() if name.startswith(PROGRAM)]
    if len(engine) == 2 or not any(sides.values()):
        return setup
    black, white = ("" if color in engine or name in UNNAMED else name for color, name in sides.items())
    match = re.search(r"level (\d+)$", sides[engine[0]]) if engine else None
    level = int(match[1]) if match and 1 <= int(match[1]) <= levels.FULL else setup.level
    return replace(setup, people=frozenset(sides) - {*engine}, names=(black, white), level=level)


def setup_of(state: Fields) -> GameSetup:
    """Return the setup in a state that `GameSession.state` returned. FieldError: it is damaged."""
    own = state.fields("seats")
    names, width, height = own.texts("names", LONGEST), *(own.whole(n, MIN_SIDE, MAX_SIDE) for n in ("width", "height"))
    if len(names) != 2:
        raise own.error("are not two", "names")
    try:
        rules = Rules.parse(own.text("rules", LONGEST))
    except RulesError:
        raise own.error("are no rules", "rules") from None
    return GameSetup(
        rules,
        width,
        height,
        frozenset(own.wholes("people", BLACK, WHITE)),
        (names[0], names[1]),
        handicap=own.whole("handicap", 0, width * height // 2),
        crosscut=own.flag("crosscut"),
        level=own.whole("level", levels.FIRST, levels.FULL),
        adapt=own.flag("adapt"),
        warn=own.flag("warn"),
    )
