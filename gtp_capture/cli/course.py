"""gtp-capture course: lessons from the first capture to Go, in the terminal, as SGF, as a booklet, and for teachers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console

from ..go import sgf
from ..go.game import Game
from ..go.rules import DEFAULT
from ..go.words import counted
from ..players.adapt import Profile
from ..teach import words
from ..teach.course import lessons
from ..teach.course.booklet import booklet
from ..teach.course.lessons import Goal, Page, Question
from ..teach.puzzles.problem import Problem, Start
from ..teach.puzzles.tutor import Clue, FileTutor
from ..util.atomic_file import atomic_write
from ..util.files import escaped
from . import drawing, orders
from .files import check_new_folder, check_outputs
from .lesson import Command, Lesson, show_help
from .options import OutputPath, refuse, spoken_option


class PlayCard(Lesson):
    """A problem of the course that is answered by plays."""

    def __init__(self, text: str, problem: Problem, console: Console) -> None:
        self.text = text
        super().__init__([problem], 1, console)

    @property
    def game(self) -> Game:
        """The position."""
        return self.tutor.game

    @property
    def solved(self) -> bool:
        """Whether nothing is left to do here."""
        return self.tutor.solved

    @property
    def wanted(self) -> str:
        """The first sentence of the help: what to type."""
        return words.SHORT.text("lesson.help", example=self.sample)

    def introduce(self) -> None:
        """Print the task and the board."""
        self._clues = self.tutor.clues()
        self.say(self.text)
        self.show()
        self.tell("lesson.type", example=self.sample)

    def read(self, line: str) -> int | orders.Command:
        """Return the answer or the command that a line means. UnclearError: it has no single meaning."""
        order = orders.read(line, COMMANDS, *self.game.size, self.sample)
        return order.point if isinstance(order, orders.Play) else order

    def ending(self, moves: tuple[int, ...]) -> str:
        """See Lesson; the file says it."""
        return next((line.comment for line in self.tutor.problem.variations if line.moves == moves), "")

    def onwards(self) -> str:
        """See Lesson."""
        return "course.go_on"

    def _tutor(self, number: int) -> FileTutor:
        """See Lesson."""
        return FileTutor(self.problems[number - 1])


class ReadCard:
    """A page, or a problem that is answered by a point or a number."""

    def __init__(self, content: Page | Question, text: str, console: Console) -> None:
        self.content, self.text, self.console = content, text, console
        self.game = content.game
        self.solved = isinstance(content, Page)
        """Whether nothing is left to do here."""

    @property
    def wanted(self) -> str:
        """See PlayCard."""
        return self._text("course.help.page", "course.help.number", "lesson.help")

    def introduce(self) -> None:
        """Print the text and the board, and what to type."""
        self._clues = iter(()) if isinstance(self.content, Page) else self.content.clues()
        self.console.print(self.text)
        self.show()
        self.console.print(self._advice)

    def read(self, line: str) -> int | orders.Command:
        """See PlayCard."""
        if isinstance(self.content, Page):
            return orders.read_command(line, COMMANDS, self._advice)
        if self.content.count is not None:
            return orders.read_number(line, COMMANDS, self._advice)
        order = orders.read(line, COMMANDS, *self.game.size, self._sample)
        return order.point if isinstance(order, orders.Play) else order

    def show(self) -> None:
        """Print the board; of a page with its letters, and again after its moves if they capture."""
        if isinstance(self.content, Question):
            drawing.show(self.console, self.game, bare=True)
            return
        drawing.show(self.console, self.content.start, numbers=self.content.numbers or None, bare=True)
        if self.content.captures:
            self._tell("course.after")
            drawing.show(self.console, self.game, bare=True)

    def answer(self, answer: int) -> None:
        """Check a point or a number."""
        if isinstance(self.content, Question) and self.content.is_right(answer):
            self.solved = True
            self._tell("course.right", "bold green")
            self.solution()
        else:
            self._tell("course.wrong")

    def hint(self) -> None:
        """Print the next hint."""
        if isinstance(self.content, Page):
            self._tell("course.go_on")
            return
        found = next(self._clues, Clue("none"))
        start = Start.of(self.game.board, int(self.game.to_move), self.game.rules)
        self.console.print(words.clue(found, start, words.SHORT))

    def solution(self) -> None:
        """Show the answer, with letters on its points."""
        if not isinstance(self.content, Question):
            self._tell("course.go_on")
            return
        drawing.show(self.console, self.game, numbers=self.content.numbers, bare=True)
        self.console.print(words.answer(self.content.count, map(self.game.vertex, self.content.points), words.SHORT))
        self._tell("course.go_on" if self.solved else "lesson.another")

    undo, again = show, introduce  # there is nothing to take back

    @property
    def _advice(self) -> str:
        """What to type, with the words that help."""
        return self._text("course.go_on", "course.type.number", "course.type.point")

    @property
    def _sample(self) -> str:
        """A point as an example of what to type, not an answer."""
        return orders.example(*self.game.size, () if isinstance(self.content, Page) else self.content.points)

    def _text(self, page: str, number: str, point: str) -> str:
        """Return one of three sentences: for a page, or for a problem that is answered by a number or a point."""
        task = self.content
        key = page if isinstance(task, Page) else point if task.count is None else number
        return words.SHORT.text(key, example=self._sample)

    def _tell(self, key: str, style: str = "", **fields: object) -> None:
        self.console.print(words.SHORT.text(key, **fields), style=style or None)


class Session:
    """A lesson in the terminal: its pages, its problems, and the game at its end."""

    def __init__(self, lesson: lessons.Lesson, profile: Profile | None, console: Console) -> None:
        self.lesson, self.profile, self.console = lesson, profile, console
        self.at = 0
        """The card that is shown: a page, or after the last page a problem."""
        self.last = len(lesson.pages) + len(lesson.exercises) - 1
        """The last card."""
        self.leaving = False

    def run(self) -> None:
        """Show the cards until the user leaves."""
        self.tell("course.title", "bold", number=self.lesson.number, title=self.lesson.title)
        self._show()
        while not self.leaving:
            try:
                line = orders.read_line(self.console, "> ").strip()
            except (EOFError, KeyboardInterrupt):
                self.console.print()
                return
            self._execute(line)

    def go_to(self, card: int) -> None:
        """Show another card; after the last one the game of the lesson, which ends the session."""
        if card <= self.last:
            self.at = max(0, card)
            self._show()
            return
        self.leaving = True
        if self.card.solved:
            self.tell("course.done", "bold green", number=self.lesson.number)
        goal = self.lesson.goal
        self.console.print(goal.text)
        self.tell("course.game", command=command_of(goal))

    def problem(self, text: str) -> None:
        """Show a problem by its number."""
        count = len(self.lesson.exercises)
        number = orders.number(text) or 0
        if 1 <= number <= count:
            self.go_to(len(self.lesson.pages) + number - 1)
        else:
            self.tell("course.no_problem", count=count)

    def help(self, rest: str) -> None:
        """Print what can be typed, or what a word of the game means."""
        show_help(self.console, rest, COMMANDS, self.card.game, self.card.wanted)

    def leave(self) -> None:
        """End the session."""
        self.leaving = True

    def tell(self, key: str, style: str = "", **fields: object) -> None:
        """Print a sentence of the table of sentences."""
        self.console.print(words.SHORT.text(key, **fields), style=style or None)

    def _execute(self, line: str) -> None:
        self._answer(line)
        if self.profile is not None and self.card.solved and self.at == self.last:
            self.profile.finish(self.lesson.number)  # at once: the user may leave without another line

    def _answer(self, line: str) -> None:
        if not line and self.card.solved:
            self.go_to(self.at + 1)
        elif not line:
            self.tell("course.unsolved")
        else:
            try:
                order = self.card.read(line)
                if isinstance(order, orders.Command):
                    COMMANDS[order.name].run(self, order.rest)
                else:
                    self.card.answer(order)
            except ValueError as error:
                self.console.print(words.sentence(str(error)), style="yellow")

    def _show(self) -> None:
        pages, exercises = self.lesson.pages, self.lesson.exercises
        self.card: PlayCard | ReadCard
        if self.at < len(pages):
            page = pages[self.at]
            self.tell("course.page", "bold", number=self.at + 1, count=len(pages), title=page.title)
            self.card = ReadCard(page, page.text, self.console)
        else:
            number = self.at - len(pages)
            text, task = exercises[number]
            self.tell("course.problem", "bold", number=number + 1, count=len(exercises))
            if isinstance(task, Question):
                self.card = ReadCard(task, text, self.console)
            else:
                self.card = PlayCard(text, task, self.console)
        self.card.introduce()


COMMANDS: Final[dict[str, Command]] = {
    "hint": Command(lambda session, rest: session.card.hint()),
    "solution": Command(lambda session, rest: session.card.solution()),
    "undo": Command(lambda session, rest: session.card.undo()),
    "again": Command(lambda session, rest: session.card.again()),
    "next": Command(lambda session, rest: session.go_to(session.at + 1), of="course"),
    "back": Command(lambda session, rest: session.go_to(session.at - 1), of="course"),
    "problem": Command(lambda session, rest: session.problem(rest), "N"),
    "board": Command(lambda session, rest: session.card.show()),
    "help": Command(lambda session, rest: session.help(rest), "[WORD]"),
    "quit": Command(lambda session, rest: session.leave()),
}


def command_of(goal: Goal) -> str:
    """Return the command that begins the game of a lesson."""
    name = f'"{goal.rules}"' if " " in str(goal.rules) else str(goal.rules)
    rules = "" if name == DEFAULT else f" --rules {name}"
    handicap = f" --handicap {goal.handicap}" if goal.handicap else ""
    return f"gtp-capture play{rules} --size {goal.size} --level {goal.level}{handicap}"


def overview(done: list[int]) -> None:
    """Print the lessons that there are."""
    for number in lessons.numbers():
        key = "course.lesson.done" if number in done else "course.lesson"
        click.echo(words.SHORT.text(key, number=number, title=lessons.title(number)))
    click.echo(words.SHORT.text("course.list"))


@dataclass(frozen=True, slots=True)
class CourseOptions:
    """The options of the command."""

    number: int | None
    path: Path | None
    output: Path | None
    sheet: Path | None
    advice: bool
    spoken: bool

    @property
    def writes(self) -> bool:
        """Whether something is written, in place of a lesson in the terminal."""
        return self.output is not None or self.sheet is not None or self.advice


def write_files(numbers: list[int], folder: Path) -> None:
    """Write each lesson as a file, and as a folder with a file for each page and problem. OSError: not possible."""
    for number in numbers:
        data = lessons.source(number)
        parts = {folder / f"lesson-{number}.sgf": data}
        parts |= {folder / f"lesson-{number}" / f"{n:02}.sgf": part for n, part in enumerate(sgf.split(data), 1)}
        for path, content in parts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            with atomic_write(path) as file:
                file.write(content)


def write(numbers: list[int], options: CourseOptions) -> None:
    """Write lessons as SGF and as a booklet, and print the advice for teachers, as far as is wanted."""
    output, sheet = options.output, options.sheet
    check_outputs([sheet])
    check_new_folder(output)
    if output is not None:
        write_files(numbers, output)
    if sheet is not None:
        with atomic_write(sheet) as file:
            file.write(booklet([lessons.lesson(n) for n in numbers]).encode())
    if paths := [escaped(str(made)) for made in (output, sheet) if made is not None]:
        click.echo(f"{counted(len(numbers), 'lesson')} written to {' and '.join(paths)}")
    if options.advice:
        click.echo("\n\n".join(_advice(lessons.lesson(n)) for n in numbers))


@click.command()
@click.argument("number", type=click.IntRange(1), required=False)
@click.option("--profile", "path", type=OutputPath(), help="File that remembers the lessons that are done.")
@click.option("-o", "--output", type=click.Path(file_okay=False, path_type=Path), help="Write SGF into this folder.")
@click.option("--sheet", type=OutputPath(), help="HTML file to print: a booklet.")
@click.option("--advice", is_flag=True, help="Show the advice for teachers.")
@spoken_option
@click.pass_context
def course(context: click.Context, /, **values: Any) -> None:
    """Lessons from the first capture to Go: pages to read, problems with proven answers, and a game.

    NUMBER is a lesson. Without it the lessons are listed; -o, --sheet and --advice take all of them.
    """
    options, there = CourseOptions(**values), lessons.numbers()
    number = options.number
    if number is not None and number not in there:
        raise click.UsageError(f"there is no lesson {number}: the lessons are 1 to {there[-1]}")
    if options.writes:
        refuse(context, ("path", "spoken"), "without a lesson in the terminal")
        write(there if number is None else [number], options)
        return
    profile = None if options.path is None else Profile(options.path)
    done = [] if profile is None else profile.lessons()
    if number is None:
        refuse(context, ("spoken",), "without a lesson")
        overview(done)
    else:
        Session(lessons.lesson(number), profile, drawing.new_console(spoken=options.spoken)).run()


def _advice(lesson: lessons.Lesson) -> str:
    return f"{words.SHORT.text('course.title', number=lesson.number, title=lesson.title)}\n\n{lesson.advice}"
