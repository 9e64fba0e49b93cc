"""The commands of a game in the terminal: what each does, and its help. A new command is one more entry of ACTIONS."""

from __future__ import annotations

from typing import Final

import click

from ..go.position import Termination
from ..go.vertex import PASS, RESIGN, opponent
from ..go.words import counted
from ..players import levels
from ..teach import explain, words
from ..teach.review.judge import SECONDS, Budget, review_game
from ..util.limit import Limit
from . import orders
from .options import SizeType
from .table import Action, TerminalGame


def help_(table: TerminalGame, rest: str) -> None:
    """Print the commands, or all about one of them."""
    game = table.engine.game
    if not rest:
        sample = orders.example(game.width, game.height)
        table.tell("play.help", example=sample)
        for word, action in ACTIONS.items():
            table.say(f"  {f'{word} {action.usage}':<14} {table.voice.text(f'play.command.{word}')}")
        return
    name = orders.full_name(rest.split()[0], ACTIONS)
    if name is None:
        raise ValueError(f"There is no command {orders.quoted(rest)}. Type help to see them all")
    key = f"play.command.{name}"
    more = table.voice.text(f"{key}.more") if f"{key}.more" in words.table else ""
    usage, summary = f"{name} {ACTIONS[name].usage}".strip(), table.voice.text(key)
    table.tell("play.help.more" if more else "play.help.command", usage=usage, summary=summary, more=more)


def board(table: TerminalGame, rest: str) -> None:
    """Print the board again."""
    table.show()


def rules(table: TerminalGame, rest: str) -> None:
    """Print the rules of this game."""
    game = table.engine.game
    table.tell("rules.game", style="bold", rules=game.rules, size=f"{game.width}x{game.height}")
    turns = table.seats.handicap if game.rules.is_capture_game else 0
    for line in [words.game_goal(game.rules, table.voice), *words.rules_lines(game, turns)]:
        table.say(line)


def hint(table: TerminalGame, rest: str) -> None:
    """Print the best move of the side to move, and the reason for it."""
    table.must_go_on()
    _check_turns(table)
    engine = table.engine
    with table.working():
        found = explain.hint(engine.analyst, engine.game, int(engine.game.to_move), engine.analysis_deadline())
    if found is None:
        raise ValueError("There is no move to show")
    table.say(words.hint(found, table.voice))


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
        found = explain.explanation(engine.analyst, asked, engine.analysis_deadline(), reply)
    table.say(words.statement(found, table.voice))
    if found.line:
        table.say(words.numbers(found, game.vertex(reply) if reply > 0 else None, table.voice))
        table.replay(asked, other, found.line)
    if context := words.context(found, table.voice):
        table.say(context)


def review(table: TerminalGame, rest: str) -> None:
    """Print what is to be said about each move of the game, and which mistake decided it."""
    engine = table.engine
    if not engine.game.moves:
        raise ValueError("There is no move to look at")
    table.tell("play.review", seconds=SECONDS)
    with table.working():
        found = review_game(engine.analyst, engine.game, Budget(Limit(SECONDS).begin(engine.stop)))
    for line in words.review_lines(found, table.voice):
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
    table.tell("play.level.now", number=chosen, name=levels.name(chosen))
    if not rest:
        table.tell("play.level.types", most=most, names=names)


def save(table: TerminalGame, rest: str) -> None:
    """Save the game as SGF."""
    table.save(rest)


def pass_(table: TerminalGame, rest: str) -> None:
    """Pass; ask first if that loses by the rules."""
    table.must_go_on()
    game = table.engine.game
    color = int(game.to_move)
    if game.rules.may_pass and game.loses_without_play(color):
        winner = table.voice.person(opponent(color))
        if not table.agrees(table.voice.text("play.losing_pass", winner=winner), otherwise=True):
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
    return table.agrees(table.voice.text("play.begin_again"), otherwise=True)


def quit_(table: TerminalGame, rest: str) -> None:
    """Leave."""
    table.leave()


ACTIONS: Final[dict[str, Action]] = {
    "help": Action(help_, "[WORD]"),
    "rules": Action(rules, ""),
    "board": Action(board, ""),
    "hint": Action(hint, ""),
    "undo": Action(undo, "[N]", at_end=True),
    "explain": Action(explain_, "", at_end=True),
    "review": Action(review, "", at_end=True),
    "level": Action(level, "[NAME]"),
    "pass": Action(pass_, ""),
    "resign": Action(resign, ""),
    "new": Action(new, "", at_end=True),
    "size": Action(size, "N"),
    "save": Action(save, "[FILE]"),
    "quit": Action(quit_, "", at_end=True),
}
"""The commands in the order of `help`. A person may also type the beginning of a word."""
