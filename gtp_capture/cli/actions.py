"""The commands of a game in the terminal: what each does, and its help. A new command is one more entry of ACTIONS."""

from __future__ import annotations

from typing import Final

import click

from ..go.position import Termination
from ..go.vertex import PASS, RESIGN, opponent
from ..go.words import counted
from ..players import levels
from ..teach import explain
from ..teach.review import report
from ..util.limit import Limit
from . import orders, wording
from .options import SizeType
from .table import Action, TerminalGame


def help_(table: TerminalGame, rest: str) -> None:
    """Print the commands, or all about one of them."""
    game = table.engine.game
    if not rest:
        sample = orders.example(game.width, game.height)
        table.say(f"Type a point, for example {sample}, to put a stone there. Or one of these:")
        for word, action in ACTIONS.items():
            table.say(f"  {f'{word} {action.usage}':<14} {action.summary}")
        return
    name = orders.full_name(rest.split()[0], ACTIONS)
    if name is None:
        raise ValueError(f"There is no command {orders.quoted(rest)}. Type help to see them all")
    action = ACTIONS[name]
    usage = f"{name} {action.usage}".strip()
    table.say(f"{usage}: {action.summary}.{' ' * bool(action.more)}{action.more}")


def board(table: TerminalGame, rest: str) -> None:
    """Print the board again."""
    table.show()


def rules(table: TerminalGame, rest: str) -> None:
    """Print the rules of this game."""
    game = table.engine.game
    table.say(f"The game is {game.rules} on {game.width}x{game.height}.", style="bold")
    turns = table.seats.handicap if game.rules.is_capture_game else 0
    for line in [wording.goal(game.rules, table.speaker.two), *wording.rules_lines(game, turns)]:
        table.say(line)


def hint(table: TerminalGame, rest: str) -> None:
    """Print the best move of the side to move, and the reason for it."""
    table.must_go_on()
    _check_turns(table)
    engine = table.engine
    with table.working():
        found = explain.hint(engine.analyst, engine.game, int(engine.game.to_move), engine.analysis_limit())
    if found is None:
        raise ValueError("There is no move to show")
    table.say(f"{engine.game.vertex(found.move)} {wording.plain(found.reason)}.")


def _check_turns(table: TerminalGame) -> None:
    """Raise ValueError during the extra turns of a handicap: proofs are about games in which the sides take turns."""
    if turns := table.extra_turns:
        again = "once" if turns == 1 else f"{turns} times"
        raise ValueError(f"I can help when White has begun. Now Black plays {again} more, wherever you like")


def explain_(table: TerminalGame, rest: str) -> None:
    """Print whether the last move of the person is a proven loss, and the refutation on the board."""
    engine, game = table.engine, table.engine.game
    own = [n for n, move in enumerate(game.moves, 1) if move.color in table.seats.people]
    if not own:
        raise ValueError("You have not played yet")
    _check_turns(table)
    passed_out = game.outcome is not None and game.outcome.termination is Termination.TWO_PASSES
    plies = len(game.moves) if passed_out else own[-1]
    with table.working():
        asked = game.copy(plies)
        other = opponent(game.moves[plies - 1].color)
        reply = next((move.point for move in game.moves[plies:] if move.color == other and move.point > 0), PASS)
        found = explain.explanation(engine.analyst, asked, engine.analysis_limit(), reply)
    table.say(wording.sentence(wording.plain(found.verdict)))
    if found.line:
        answer = game.vertex(reply) if reply > 0 else None
        table.say(wording.punishment(other, answer, found.played, table.speaker))
        table.replay(asked, other, found.line)
    if found.context:
        table.say(wording.context(found.context))


def review(table: TerminalGame, rest: str) -> None:
    """Print what is to be said about each move of the game, and which mistake decided it."""
    engine = table.engine
    if not engine.game.moves:
        raise ValueError("There is no move to look at")
    table.say(f"I look at all moves. This takes {report.DEFAULT_SECONDS:g} seconds at most.")
    with table.working():
        for line in report.lines(engine.analyst, engine.game, Limit(report.DEFAULT_SECONDS, stop=engine.stop)):
            table.say(line)


def undo(table: TerminalGame, rest: str) -> None:
    """Take back the last move of the person and the replies, or several."""
    game, people = table.engine.game, table.seats.people
    if rest and not (rest.isascii() and rest.isdigit() and int(rest[:6]) > 0):
        raise ValueError("Type undo, or undo and a number, for example undo 2")
    count, own = int(rest[:6] or 1), [n for n, move in enumerate(game.moves) if move.color in people]
    if not own:
        raise ValueError("There is no move of yours to take back")
    if count > len(own):
        raise ValueError(
            f"There {'is' if len(own) == 1 else 'are'} only {counted(len(own), 'move')} of yours to take back"
        )
    while len(game.moves) > own[-count]:
        game.undo()
    table.saved_moves = min(table.saved_moves, len(game.moves))
    table.show()


def level(table: TerminalGame, rest: str) -> None:
    """Change the level, or print it."""
    most, names = len(levels.NAMES), ", ".join(levels.NAMES)
    if rest:
        try:
            number = levels.level(rest.lower())
        except ValueError:
            raise ValueError(f"There is no level {orders.quoted(rest)}. Type 1 to {most}, or {names}") from None
        table.engine.change(level=number)
    chosen = table.engine.options.level
    table.say(f"Level {chosen}: {levels.name(chosen)}.")
    if not rest:
        table.say(f"Type level and a number from 1 (easy) to {most} (hard), or a name: {names}.")


def save(table: TerminalGame, rest: str) -> None:
    """Save the game as SGF."""
    table.save(rest)


def pass_(table: TerminalGame, rest: str) -> None:
    """Pass; ask first if that loses by the rules."""
    table.must_go_on()
    game = table.engine.game
    color = int(game.to_move)
    if game.rules.may_pass and game.loses_without_play(color):
        winner = table.speaker.object(opponent(color))
        wins = table.speaker.does(opponent(color), "win")
        if not table.agrees(f"A pass gives {winner} a stone, and {wins}. Pass all the same?", otherwise=True):
            return
    table.play(PASS)


def resign(table: TerminalGame, rest: str) -> None:
    """Give up."""
    table.play(RESIGN)


def new(table: TerminalGame, rest: str) -> None:
    """Start another game, on a board of another size if one is given."""
    if any(char.isdigit() for char in rest):
        size(table, rest)
        return
    if _may_begin_again(table):
        table.set_up()
        table.answer_and_show()


def size(table: TerminalGame, rest: str) -> None:
    """Start another game on a board of another size."""
    game = table.engine.game
    if not rest:
        raise ValueError(f"This board is {game.width}x{game.height}. Type size and a number from 2 to 25")
    try:
        wanted = SizeType().convert(rest.lower().replace(" ", ""), None, None)
    except click.BadParameter:
        raise ValueError("Type size and a number from 2 to 25, for example size 5, or size 9x7") from None
    table.check_size(*wanted)
    if _may_begin_again(table):
        table.set_up(size=wanted)
        table.answer_and_show()


def _may_begin_again(table: TerminalGame) -> bool:
    """Whether the game has ended, has not begun, or the person gives it up."""
    if table.engine.game.outcome is not None or not table.is_unsaved:
        return True
    return table.agrees("This game is not over. Do you want to end it and begin another?", otherwise=True)


def quit_(table: TerminalGame, rest: str) -> None:
    """Leave."""
    table.leave()


ACTIONS: Final[dict[str, Action]] = {
    "help": Action(help_, "[WORD]", "what you can type", "Type help and one of the words, for example help undo."),
    "rules": Action(rules, "", "the rules of this game"),
    "board": Action(board, "", "show the board again"),
    "hint": Action(hint, "", "the best move that I find, and why"),
    "undo": Action(
        undo, "[N]", "take your last move back", "With a number it takes back more, for example undo 2.", "go back"
    ),
    "explain": Action(
        explain_, "", "does your last move lose, and how", "I show it with numbers on the board.", "what happened"
    ),
    "review": Action(
        review,
        "",
        "go through all moves of the game",
        "I say which moves lost, and what was better.",
        at_end="go through all moves",
    ),
    "level": Action(level, "[NAME]", "see or change how well I play", "Type a number from 1 to 10, or a name."),
    "pass": Action(pass_, "", "play no stone this time", "In some games a pass gives the other side a stone."),
    "resign": Action(resign, "", "give up this game", "You can still take that back with undo."),
    "new": Action(new, "", "another game", at_end="another game"),
    "size": Action(size, "N", "another game on a board of N by N points", "N is 2 to 25; 9x7 is possible too."),
    "save": Action(
        save, "[FILE]", "keep the game in a file", "Without a name I choose one. Sabaki and GoGui can open the file."
    ),
    "quit": Action(quit_, "", "leave", at_end="leave"),
}
"""The commands in the order of `help`. A person may also type the beginning of a word."""
