"""gtp-capture play: a game in a terminal against the engine or between two people, or problems."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from ..go import sgf
from ..go.game import Game
from ..go.rules import Rules
from ..go.sgf_tree import read_tree
from ..go.vertex import BLACK, WHITE
from ..players import levels
from ..players.adapt import Profile
from ..players.player import PlayerSettings
from ..teach import say, words
from ..teach.event import RefusedError
from ..teach.puzzles import files as problem_files
from ..teach.puzzles.examiner import ProblemError
from ..teach.puzzles.problem import Problem
from ..tutor.game import GameSession
from ..tutor.problem import ProblemSession
from ..tutor.searches import Searches
from ..tutor.session import Resources
from ..tutor.setup import GameSetup, setup_of_file
from ..util.files import RequestError, read_bounded
from . import files
from . import options as shared
from .drawing import new_console
from .screen import Folder, Screen, data_folder

UNREADABLE: Final = 1
"""The exit code if a file of a folder cannot be read."""
OF_START: Final = ("size", "opening", "handicap")
"""Options that do not apply to a saved game."""
OF_GAMES: Final = (*OF_START, "level", "profile", "color", "two", "names", "warn", "seed")
"""Options that do not apply to problems."""
OF_SETUP: Final = {"two": "people", "color": "people", "names": "names", "level": "level"}
"""Options about the players, which a saved game names otherwise, and the fields of `GameSetup` that they replace."""
NOT_FOR_TWO: Final = ("level", "profile", "color")
"""Options that do not apply to a game between two people."""


def players_names(text: str, people: frozenset[int]) -> tuple[str, str]:
    """Return the names of the people with Black and White. UsageError: there are more or fewer names than people."""
    names = [name.strip() for name in re.split("[,\uff0c\u3001]", text)] if text else [""] * len(people)
    if len(names) != len(people):
        raise click.UsageError("--names: give two names with --two, as Mia,Ole, else one")
    black, white = (names.pop(0) if color in people else "" for color in (BLACK, WHITE))
    return black, white


def setup_of(values: Mapping[str, Any]) -> GameSetup:
    """Return the setup that the options describe. UsageError, RequestError: the options cannot be used."""
    people = frozenset({BLACK, WHITE} if values["two"] else {BLACK if values["color"] == "black" else WHITE})
    level, (width, height) = shared.adapted(values["level"], values["profile"]), values["size"]
    return GameSetup(
        values["rules"],
        width,
        height,
        people,
        players_names(values["names"], people),
        handicap=values["handicap"] or 0,
        crosscut=values["opening"] == "crosscut",
        level=level["level"],
        adapt="adapt" in level,
        warn=values["warn"],
    )


def is_game(file: Path, rules: Rules | None) -> bool:
    """Whether the first record of a file has moves and is no problem. ValueError: the file cannot be read.

    A record with a solution is a problem, unless it names its players.
    """
    data = read_bounded(file, sgf.MOST_BYTES)
    first = next(sgf.split(data), data)
    root = read_tree(first)
    named = root.text("PB") or root.text("PW")
    return bool(sgf.load(first, rules).moves) and (bool(named) or not any(problem_files.parse(first, rules)))


def to_go_on_with(file: Path, rules: Rules | None, screen: Screen) -> Game | None:
    """Return the game of a file, or None to set its problems; ask if it has both. RequestError: it has none of them."""
    problems: Sequence[Problem] = ()
    with suppress(ValueError):
        problems = problem_files.read(file, rules)
    try:
        if file.is_dir() or not is_game(file, rules) or (problems and screen.agrees("play.both")):
            return None
        return files.read(file, rules, resignation=True)
    except ValueError as error:
        if problems:
            return None
        raise RequestError(f"{file}: {error}") from None


def listed(numbers: Sequence[int]) -> str:
    """Return numbers as text: `1 to 96` if they are 1, 2, 3 and so on, else all of them in ascending order."""
    in_order = [*numbers] == [*range(1, len(numbers) + 1)]
    return f"1 to {len(numbers)}" if in_order else ", ".join(map(str, sorted(numbers)))


@click.command(
    help="""Play Capture Go or Go here in the terminal, against the engine or against another person; or solve problems.

    FILE is SGF: a game with moves, with which you go on, or problems, or a folder of such files. `--problem 7` without
    FILE sets one of the collection that comes with this program.
    """,
)
@click.argument("file", type=click.Path(readable=False, path_type=Path), required=False)
@click.option("--problem", type=click.IntRange(1), help="Set a problem of FILE, or of the collection of this program.")
@shared.rules_option
@click.option("--size", type=shared.SIZE, default="5", help="Board size: 7 or 9x7, from 2 to 25.")
@click.option(
    "--level",
    type=shared.LEVEL,
    default=shared.ADAPT_NAME,
    help=f"1 to 10, {', '.join(levels.words())}, a name, or adapt, which begins at {levels.FIRST} and follows results.",
)
@shared.profile_option
@click.option("--color", type=click.Choice(["black", "white"]), default="black", help="Your colour.")
@shared.opening_option
@click.option(
    "--handicap",
    type=click.IntRange(2, 9),
    help="Stones that Black plays before White begins: extra turns in capture games, star points in Go.",
)
@click.option("--two", is_flag=True, help="Two people play at one keyboard; the engine gives hints only.")
@click.option(
    "--names",
    default="",
    show_default=False,
    metavar="NAMES",
    help="Names for the saved game: Mia, or with --two Mia,Ole.",
)
@click.option("--warn", is_flag=True, help="Show moves that can be punished at once, and let you take them back.")
@shared.spoken_option
@shared.language_option
@click.option("--seed", type=click.IntRange(min=0), help="Seed of the engine's random choices.")
def play(**values: Any) -> None:
    voice, rules = words.Voice(language=values["language"]), values["rules"]
    screen = Screen(new_console(voice, spoken=values["spoken"]), voice)
    given = rules if shared.was_given("rules") else None
    file, problem = values["file"], values["problem"]
    game = None if file is None or problem is not None else to_go_on_with(file, given, screen)
    profile = None if values["profile"] is None else Profile(values["profile"])
    searches = Searches(PlayerSettings(seed=values["seed"]))
    resources = Resources(searches, Folder(), profile, voice.language)
    whole, session = True, None
    if game is None and (file is not None or problem is not None):
        shared.refuse(OF_GAMES if file is not None else (*OF_GAMES, "rules"), "with problems")
        problems, whole = files.problems_of(file, given)
        numbers = problem_files.numbers(problems)
        if (number := problem or numbers[0]) not in numbers:
            raise RequestError(f"there is no problem {number}: the problems are {listed(numbers)}")
        session = ProblemSession(problems, number, resources)
    try:
        screen.run(session or game_session(game, screen, resources))
    except ProblemError as error:
        raise RequestError(str(error)) from None
    if not whole:
        shared.exit_with(UNREADABLE)


def game_session(game: Game | None, screen: Screen, resources: Resources) -> GameSession:
    """Return a session with a new game or a game of a file. UsageError: the options do not go together."""
    if game is not None:
        shared.refuse(OF_START, "with a game that was saved")
    if click.get_current_context().params["two"]:
        shared.refuse(NOT_FOR_TWO, "with --two")
    setup = setup_of(click.get_current_context().params)
    if game is not None:
        kept = {name for option, name in OF_SETUP.items() if shared.was_given(option)}
        of_file = setup_of_file(game, setup)
        setup = replace(of_file, **{name: getattr(setup, name) for name in kept})
    elif file := Folder().cut_off() or data_folder().cut_off():
        screen.say("play.cut_off", file=file, command=Folder().command(file))
    try:
        session = GameSession(setup, resources, game)
    except RefusedError as error:
        raise click.UsageError(say.text(error.refused, words.SHORT)) from None
    resources.searches.warmup.start()
    return session
