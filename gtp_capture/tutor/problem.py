"""Problems in the terminal: the engine judges each answer, resists a right one and refutes a wrong one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from rich.console import Console

from ..go.game import Game
from ..go.vertex import format_line, numbered, opponent
from ..teach import words
from ..teach.puzzles.problem import Problem
from ..teach.puzzles.tutor import Answer, Clue, Tutor, TutorError
from ..teach.terms import TERMS
from . import drawing, orders
from .options import Unusable
from .orders import read_line


class Lesson:
    """Sets the problems of a collection, one after the other."""

    def __init__(self, problems: Sequence[Problem], number: int, console: Console) -> None:
        """`number`: the first problem, from 1. Unusable: there is none of that number, or it cannot be judged."""
        self.console, self.problems, self.number = console, problems, number
        self.leaving = False
        self._clues: Iterator[Clue] = iter(())
        try:
            self.tutor = self._tutor(number)
        except ValueError as error:
            raise Unusable(str(error)) from None

    @property
    def sample(self) -> str:
        """A point as an example of what to type, not an answer."""
        return orders.example(*self.tutor.game.size, self.tutor.named)

    def run(self) -> None:
        """Set problems until the user leaves."""
        self.introduce()
        while not self.leaving and (line := self.read_line()) is not None:
            if line:
                self.execute(line)

    def read_line(self) -> str | None:
        """Return the next line of the user; None at the end of the input or at ^C."""
        try:
            return read_line(self.console, "> ").strip()
        except (EOFError, KeyboardInterrupt):
            self.console.print()
            return None

    def execute(self, line: str) -> None:
        """Execute a command, or judge an answer; print a sentence if that is not possible."""
        game = self.tutor.game
        try:
            order = orders.read(line, COMMANDS, game.width, game.height, self.sample)
            if isinstance(order, orders.Play):
                self.answer(order.point)
            else:
                COMMANDS[order.name].run(self, order.rest)
        except ValueError as error:
            self.say(words.sentence(str(error)), "yellow")

    def help(self, rest: str = "") -> None:
        """Print the commands, or what a word of the game means."""
        wanted = words.SHORT.text("lesson.help", example=self.sample)
        show_help(self.console, rest, COMMANDS, self.tutor.game, wanted)

    def leave(self) -> None:
        """End the lesson."""
        self.leaving = True

    def introduce(self) -> None:
        """Print the task and the board."""
        self._clues = self.tutor.clues()
        start = self.tutor.problem.start
        goal = words.goal(start)
        self.tell("lesson.introduction", "bold", number=self.number, count=len(self.problems), goal=goal)
        self.tell("lesson.type", example=self.sample)
        self.show()

    def answer(self, play: int) -> None:
        """Check a play, and show what follows from it. ValueError: it is illegal."""
        if self.tutor.solved:
            self.tell("lesson.over")
            return
        game = self.tutor.game
        reason = game.why_illegal_point(play, self.tutor.winner)
        if reason is not None:
            raise ValueError(words.refusal(game, play, reason))
        before = game.copy()
        answer = self.tutor.answer(play)
        if answer.right:
            self._right(answer)
        elif answer.right is None:
            self.tell("lesson.not_at_once", move=before.vertex(play))
        else:
            self._wrong(before, play, answer)

    def hint(self) -> None:
        """Print the next hint."""
        if self.tutor.solved:
            self.tell("lesson.over")
            return
        found = next(self._clues, None)
        self.say(words.SHORT.text("clue.none") if found is None else words.clue(found, self.tutor.problem.start))

    def solution(self) -> None:
        """Show the rest of the solution; the position stays."""
        rest = self.tutor.solution()
        if not rest:
            self.tell("lesson.over")
            return
        self.tell("lesson.solution", "bold", line=format_line(self.tutor.winner, rest, self.tutor.game.width))
        self._show_line(self.tutor.game, rest)

    def undo(self) -> None:
        """Take back the last right play and the reply."""
        if not self.tutor.undo():
            self.tell("lesson.no_undo", "yellow")
            return
        self._clues = self.tutor.clues()
        self.show()

    def again(self) -> None:
        """Start the problem again."""
        self.tutor.again()
        self.introduce()

    def go_on(self) -> None:
        """Set the next problem that can be judged, and name those that are left out."""
        for number in range(self.number + 1, len(self.problems) + 1):
            try:
                self.go_to(number)
            except TutorError as error:
                self.say(words.sentence(str(error)))
            else:
                return
        self.tell("lesson.last")

    def go_to(self, number: int) -> None:
        """Set another problem. TutorError: it cannot be judged, or there is none of that number."""
        self.tutor = self._tutor(number)
        self.number = number
        self.introduce()

    def show(self) -> None:
        """Print the board and the side to move."""
        drawing.show(self.console, self.tutor.game, bare=True)
        if not self.tutor.solved:
            signs = drawing.signs_for(self.console.encoding)
            color = words.name(self.tutor.winner)
            self.tell("lesson.side", color=color, sign=signs[self.tutor.winner])

    def ending(self, moves: tuple[int, ...]) -> str:
        """Return a sentence about the end of a line of the problem; "" if nothing is known about it."""
        start = self.tutor.problem.start
        return words.end(start, moves, refuted=len(moves) % 2 == 0)  # a wrong answer with the reply of the solver

    def say(self, text: str, style: str = "") -> None:
        """Print a line."""
        self.console.print(text, style=style or None, highlight=False, markup=False)

    def tell(self, key: str, style: str = "", **fields: object) -> None:
        """Print a sentence of the table of sentences."""
        self.say(words.SHORT.text(key, **fields), style)

    def onwards(self) -> str:
        """Return the key of the sentence that says how to go on after a problem; "" if it is the last one."""
        return "lesson.another" if self.number < len(self.problems) else ""

    def _right(self, answer: Answer) -> None:
        self._clues = self.tutor.clues()
        if self.tutor.solved:
            moves = tuple(move.point for move in self.tutor.game.moves)
            self.tell("lesson.solved", "bold green", end=self.ending(moves))
            drawing.show(self.console, self.tutor.game, bare=True)
            if key := self.onwards():
                self.tell(key)
            return
        loser, reply = words.name(opponent(self.tutor.winner)), self.tutor.game.vertex(answer.reply[0])
        self.tell("lesson.right", "bold green", loser=loser, reply=reply)
        self.show()

    def _wrong(self, before: Game, play: int, answer: Answer) -> None:
        """Show the refutation on the board; the position stays as it was."""
        line = format_line(self.tutor.winner, (play, *answer.reply), before.width)
        played = tuple(move.point for move in before.moves)
        end = self.ending((*played, play, *answer.reply))
        self.tell("lesson.wrong" if end else "lesson.wrong.open", "bold red", line=line, end=end)
        self._show_line(before, (play, *answer.reply))
        self.tell("lesson.taken_back")
        self.show()

    def _show_line(self, game: Game, moves: tuple[int, ...]) -> None:
        """Print the board with numbered moves."""
        drawing.show(self.console, game, numbers=numbered(self.tutor.winner, moves), bare=True)
        if again := words.again(moves):
            self.say(again)

    def _tutor(self, number: int) -> Tutor:
        """Return a tutor for a problem. TutorError: there is none of that number, or it cannot be judged."""
        if not 1 <= number <= len(self.problems):
            named = f"there is no problem {number}" if number else "type problem and a number"
            raise TutorError(f"{named}: the problems are 1 to {len(self.problems)}")
        try:
            return Tutor(self.problems[number - 1])
        except TutorError as error:
            raise TutorError(f"problem {number} cannot be judged: {error}") from None


class Command(NamedTuple):
    """A command: its function gets the session and the text after the command. Its help is in `teach.strings`."""

    run: Callable[[Any, str], None]
    usage: str = ""
    """What to type after the command."""
    of: str = "lesson"
    """Where in the table of sentences its help is."""


def show_help(console: Console, rest: str, commands: Mapping[str, Command], game: Game, wanted: str) -> None:
    """Print what can be typed, or what a word of the game means; `wanted`: the first sentence about what to type.

    UnclearError: the word begins several words.
    """
    if term := orders.full_name(rest.split()[0], TERMS) if rest else None:
        drawing.show_term(console, term, game.rules)
        return
    console.print(wanted)
    for name, command in commands.items():
        text = words.SHORT.text(f"{command.of}.command.{name}")
        console.print(f"  {f'{name} {command.usage}':<11} {text}")
    console.print(words.SHORT.text("term.words", words=", ".join(TERMS)))


COMMANDS: Final[dict[str, Command]] = {
    "hint": Command(lambda lesson, rest: lesson.hint()),
    "solution": Command(lambda lesson, rest: lesson.solution()),
    "undo": Command(lambda lesson, rest: lesson.undo()),
    "again": Command(lambda lesson, rest: lesson.again()),
    "next": Command(lambda lesson, rest: lesson.go_on()),
    "problem": Command(lambda lesson, rest: lesson.go_to(orders.number(rest) or 0), "N"),
    "board": Command(lambda lesson, rest: lesson.show()),
    "help": Command(lambda lesson, rest: lesson.help(rest), "[WORD]"),
    "quit": Command(lambda lesson, rest: lesson.leave()),
}
