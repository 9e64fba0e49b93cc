"""gtp-capture play: a game in a terminal against the engine or between two people, or problems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from ..go import sgf
from ..go.game import Game
from ..go.rules import Rules
from ..go.sgf_tree import read_tree
from ..go.vertex import BLACK, WHITE
from ..players.adapt import Profile
from ..players.levels import FIRST
from ..players.player import PlayerSettings
from ..teach import words
from ..teach.puzzles import files as problem_files
from ..teach.puzzles.examiner import ExaminerError
from ..teach.puzzles.problem import Problem
from ..tutor.game import GameSession, Seats, seats_of_file
from ..tutor.problem import ProblemSession
from ..tutor.reply import Refused
from ..tutor.searches import Searches
from ..tutor.session import Resources
from ..util.files import read_bounded
from . import files
from .drawing import new_console
from .options import (
    ADAPT_NAME,
    LEVEL,
    SIZE,
    Unusable,
    adapted,
    opening_option,
    profile_option,
    refuse,
    rules_option,
    spoken_option,
    was_given,
)
from .screen import Folder, Screen

UNREADABLE: Final = 1
"""Exit code if a file of a folder was left out."""
OF_START: Final = ("size", "opening", "handicap")
"""Options that do not apply to a game that was saved."""
OF_GAMES: Final = (*OF_START, "level", "profile", "color", "two", "names", "warn", "seed")
"""Options that do not apply to problems."""
NOT_FOR_TWO: Final = ("level", "profile", "color")
"""Options that do not apply to a game between two people."""


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """The options of the command."""

    file: Path | None
    problem: int | None
    rules: Rules
    size: tuple[int, int]
    level: int
    profile: Path | None
    color: str
    opening: str
    handicap: int | None
    two: bool
    names: str
    warn: bool
    spoken: bool
    seed: int | None

    def seats(self) -> Seats:
        """Return who plays, and under which rules. ProfileError: the profile cannot be used."""
        width, height = self.size
        people = frozenset({BLACK, WHITE} if self.two else {BLACK if self.color == "black" else WHITE})
        level = adapted(self.level, self.profile)
        return Seats(
            self.rules,
            width,
            height,
            people,
            self._names(),
            handicap=self.handicap or 0,
            crosscut=self.opening == "crosscut",
            level=level["level"],
            adapt=level.get("adapt", False),
            warn=self.warn,
        )

    def _names(self) -> tuple[str, str]:
        """Return the names of the people, Black first. UsageError: not as many as people."""
        found = [name.strip() for name in self.names.split(",")] if self.names else []
        if len(found) not in (0, 2 if self.two else 1) or not all(found):
            raise click.UsageError("--names: give two names with --two, as Mia,Ole, else one")
        if not found:
            return "", ""
        return (found[0], found[-1]) if self.two or self.color == "black" else ("", found[0])


class SavedGame(NamedTuple):
    """A game of a file, to go on with."""

    game: Game
    black: str
    """The name of the player with Black; "" for none."""
    white: str


def saved_game(file: Path, rules: Rules | None) -> SavedGame | None:
    """Return the first game of a file; None if it has no moves or is a problem, or if there is a folder of that name.

    A record with a solution is a problem, unless it names its players. ValueError: it cannot be read.
    """
    if file.is_dir():
        return None
    data = read_bounded(file, sgf.MOST_BYTES)
    first = next(sgf.split(data), data)
    game, root = sgf.load(first, rules, resignation=True), read_tree(first)
    names = root.text("PB"), root.text("PW")
    is_problem = not any(names) and any(problem_files.parse(first, rules))
    return SavedGame(game, *names) if game.moves and not is_problem else None


def to_go_on_with(file: Path, rules: Rules | None, screen: Screen) -> SavedGame | None:
    """Return the game of a file, or None for its problems; ask if it has both. Unusable: it has neither."""
    try:
        problems: Sequence[Problem] = problem_files.read(file, rules)
    except ValueError:
        problems = ()
    try:
        found = saved_game(file, rules)
    except ValueError as error:
        if not problems:
            raise Unusable(f"{file}: {error}") from None
        return None
    return None if found is not None and problems and screen.agrees("play.both") else found


@click.command()
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--problem", type=click.IntRange(1), help="Set a problem of FILE, or of the collection of this program.")
@rules_option
@click.option("--size", type=SIZE, default="5", show_default=True, help="Board size: 7 or 9x7, from 2 to 25.")
@click.option(
    "--level",
    type=LEVEL,
    default=ADAPT_NAME,
    show_default=True,
    help=f"1 to 10, a name, or adapt, which begins at level {FIRST} and follows your results.",
)
@profile_option
@click.option("--color", type=click.Choice(["black", "white"]), default="black", show_default=True, help="Your colour.")
@opening_option
@click.option(
    "--handicap",
    type=click.IntRange(2, 9),
    help="Stones that Black plays before White begins: extra turns in capture games, star points in Go.",
)
@click.option("--two", is_flag=True, help="Two people play at one keyboard; the engine gives hints only.")
@click.option("--names", default="", metavar="NAMES", help="Names for the saved game: Mia, or with --two Mia,Ole.")
@click.option("--warn", is_flag=True, help="Show moves that can be punished at once, and let you take them back.")
@spoken_option
@click.option("--seed", type=click.IntRange(min=0), help="Seed of the engine's random choices.")
@click.pass_context
def play(context: click.Context, /, **values: Any) -> None:
    """Play Capture Go or Go here in the terminal, against the engine or against another person; or solve problems.

    FILE is SGF: a game with moves, with which you go on, or problems, or a folder of such files. `--problem 7` without
    FILE sets one of the collection that comes with this program.
    """
    chosen = PlayOptions(**values)
    screen, rules = Screen(new_console(spoken=chosen.spoken)), chosen.rules if was_given(context, "rules") else None
    found = None
    if chosen.file is not None and chosen.problem is None:
        found = to_go_on_with(chosen.file, rules, screen)
    problems: list[Problem] = []
    whole = True
    if found is None and (chosen.file is not None or chosen.problem is not None):
        refuse(context, OF_GAMES if chosen.file is not None else (*OF_GAMES, "rules"), "with problems")
        problems, whole = files.problems_of(chosen.file, rules)
    if found is not None:
        refuse(context, OF_START, "with a game that was saved")
    if chosen.two:
        refuse(context, NOT_FOR_TWO, "with --two")
    profile = None if chosen.profile is None else Profile(chosen.profile)
    searches = Searches(PlayerSettings(seed=chosen.seed))
    resources = Resources(searches, Folder(), profile)
    try:
        if problems:
            screen.run(problem_session(problems, chosen.problem or 1, resources))
        else:
            session = game_session(context, chosen, found, resources)
            if found is None and (file := Folder().cut_off()):
                screen.say("play.cut_off", file=file, command=Folder().command(file))
            searches.load()
            screen.run(session)
    except ExaminerError as error:
        raise Unusable(str(error)) from None
    finally:
        searches.stop()
    if not whole:
        context.exit(UNREADABLE)


def problem_session(problems: Sequence[Problem], number: int, resources: Resources) -> ProblemSession:
    """Return a session that begins with a problem. Unusable: there is none of that number."""
    if number > len(problems):
        raise Unusable(f"there is no problem {number}: the problems are 1 to {len(problems)}")
    return ProblemSession(problems, number, resources)


def game_session(
    context: click.Context, chosen: PlayOptions, found: SavedGame | None, resources: Resources
) -> GameSession:
    """Return a session with a new game, or with one of a file. UsageError: it cannot start like this."""
    try:
        seats = chosen.seats()
        if found is None:
            return GameSession(seats, resources)
        own = seats_of_file(found.game, found.black, found.white, seats)
        if was_given(context, "two") or was_given(context, "color"):
            own = replace(own, people=seats.people)
        if was_given(context, "names"):
            own = replace(own, names=seats.names)
        return GameSession(
            replace(own, level=seats.level) if was_given(context, "level") else own, resources, found.game
        )
    except Refused as refused:
        raise click.UsageError(words.SHORT.text(refused.key, **refused.fields)) from None
