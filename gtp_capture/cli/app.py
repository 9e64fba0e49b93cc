"""gtp-capture: the options, the sub-commands, and a GTP session on stdin and stdout without a sub-command."""

from __future__ import annotations

import errno
import importlib
import io
import os
import re
import sys
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, NoReturn

import click

from ..go.clock import OVERHEAD
from ..go.opening import crosscut
from ..go.rules import Rules
from ..gtp.options import Options
from ..gtp.serve import serve
from ..players.levels import FULL, NAMES, words
from ..players.player import MOST_THREADS, all_cores
from ..players.registry import DEFAULT_PLAYER, PLAYERS
from ..util.files import RequestError, escaped, tell, warn
from ..util.memory import SHORTAGE, is_shortage
from ..version import __version__
from . import options as shared

COMMANDS: Final = (
    *("bench", "check-proof", "class", "course", "doctor", "help", "homework", "levels"),
    *("match", "play", "puzzles", "review", "sabaki", "show", "solve", "warmup", "yardstick"),
)
"""The names of the sub-commands.

The module and the function of each have the same name, with `_` for `-`, or the name in MODULES.
"""
MODULES: Final = {"class": "classroom"}
"""Modules of commands whose name is a keyword of Python."""
ON_A_TERMINAL: Final = (
    "gtp-capture: this is GTP, for programs such as Sabaki ('quit' ends it). To play a game: gtp-capture play"
)

SIZES: Final = {"COLUMNS": 10, "LINES": 2}
"""The smallest size of a terminal (characters), by the variable of the environment that tells it."""
OF_MCTS: Final = ("level", "profile", "ponder", "no_opening_book", "gogui_gfx")
"""Options that have no effect with other players than mcts."""


WHOLE: Final = 1000
"""More characters than the first sentence of the help of a command has."""


class Commands(click.Group):
    """Imports a sub-command only when it runs: a GTP session starts faster without them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all sub-commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the sub-command of a name; None for an unknown name."""
        if cmd_name not in COMMANDS:
            return None
        name = MODULES.get(cmd_name, cmd_name.replace("-", "_"))
        command: click.Command = getattr(importlib.import_module(f"{__package__}.{name}"), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """See click. UsageError: there is no such command; the message names similar ones."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            near = " or ".join(get_close_matches(name.lower(), COMMANDS, 2)) or "--help"
            raise click.UsageError(f"there is no command '{escaped(name)}'; try {near}", ctx)
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands first, each with its first sentence, then the options of a session."""
        with formatter.section("Commands"):
            commands = [command for name in COMMANDS if (command := self.get_command(ctx, name)) is not None]
            formatter.write_dl([(str(command.name), command.get_short_help_str(WHOLE)) for command in commands])
        with formatter.section("Options of the engine, without a command"):
            options = [record for option in self.get_params(ctx) if (record := option.get_help_record(ctx)) is not None]
            formatter.write_dl(options)


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
    help="""An engine for Capture Go and its family, for GTP (Go Text Protocol) frontends.

    Without a command it runs a GTP session for a frontend (Sabaki, GoGui) on stdin and stdout.
    """,
)
@shared.rules_option
@click.option("--size", type=shared.SIZE, default="9", help="Board size at the start: 9 or 9x7, from 2 to 25.")
@shared.komi_option
@shared.opening_option
@click.option(
    "--player",
    type=shared.PLAYER,
    default=DEFAULT_PLAYER,
    help=f"The player that chooses the moves: {', '.join(PLAYERS)}, or one of another installed package.",
)
@click.option(
    "--level",
    type=shared.LEVEL,
    default=str(FULL),
    help=f"Strength of mcts: 1 to {FULL}, {', '.join([*words(), *NAMES])}, or adapt, which follows your results.",
)
@shared.profile_option
@click.option(
    "--time-per-move",
    type=click.FloatRange(min=0, min_open=True),
    callback=shared.finite,
    help="Maximum seconds for a move; default 1, with a clock of the frontend 10 (above 81 points 30).",
)
@click.option(
    "--move-overhead",
    type=click.FloatRange(min=0),
    callback=shared.finite,
    default=OVERHEAD,
    help="Seconds reserved from each time limit, at most a fifth of it.",
)
@click.option(
    "--playouts",
    type=click.IntRange(min=1),
    help="Maximum playouts for a move; the default time limit then does not apply.",
)
@click.option(
    "--threads",
    type=click.IntRange(1, MOST_THREADS),
    default=all_cores(),
    show_default="all cores",
    help="Threads of mcts.",
)
@click.option(
    "--memory",
    type=click.IntRange(16, 1_000_000),
    default=512,
    help="Maximum MiB for the tree and the solver's table of mcts.",
)
@click.option("--ponder", is_flag=True, help="Search during the opponent's turn (level 10 of mcts).")
@click.option("--seed", type=click.IntRange(min=0), help="Seed of the random choices.")
@click.option("--no-opening-book", is_flag=True, help="Search from the first move on (7x7 to 9x9, level 10 of mcts).")
@click.option("--strict", is_flag=True, help="Refuse moves after the end of a capture game.")
@click.option("--genmove-analyze", is_flag=True, help="List the genmove_analyze commands; Sabaki then uses them.")
@click.option("--gogui-rules", is_flag=True, help="Give GoGui the rules of the game (square boards only).")
@click.option("--gogui-gfx", is_flag=True, help="Draw on GoGui's board during the search.")
@click.option(
    "--rules-from-gui",
    is_flag=True,
    help="In a capture game, answer a frontend that sends rules of Go with success, and keep the rules; without this "
    "option the answer is an error.",
)
@click.option("--log", type=shared.OUTPUT, help="Append all commands and responses to a file.")
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context, /, log: Path | None, **options: Any) -> None:
    if context.invoked_subcommand is None:
        if options["player"] != DEFAULT_PLAYER:
            shared.refuse(OF_MCTS, f"with --player {options['player']}")
        if all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr)):
            tell(ON_A_TERMINAL)
        run_session(session_options(options), log)
    else:
        name = context.invoked_subcommand
        shared.refuse([*context.params], f"before {name}: the options of {name} come after it")


def run_session(options: Options, log: Path | None) -> NoReturn:
    """Serve one client, then end this process without waiting for its threads.

    UsageError: the log cannot be written. BotError: the player does not start.
    """
    # Numba imports SciPy if it finds it, for functions that no kernel uses. The import takes 14 MiB, and it never ends
    # if there is no memory for the work space of SciPy's OpenBLAS.
    sys.modules["scipy"] = None  # type: ignore[assignment]
    try:
        code = serve(options, log)
    except OSError as error:
        raise click.UsageError(f"cannot write the log {log}: {error.strerror or error}") from None
    # The reader thread may wait for input for ever, and an import may be half done: do not wait for either.
    os._exit(code)


def session_options(values: Mapping[str, Any]) -> Options:
    """Make the options of a session from the values of the command line. UsageError: they contradict each other."""
    rest = dict(values)
    rules: Rules = rest.pop("rules")
    width, height = rest.pop("size")
    opening_is_crosscut = rest.pop("opening") == "crosscut"
    if rest["gogui_rules"] and width != height:
        raise click.UsageError("GoGui has square boards only: --gogui-rules needs one number as --size")
    try:
        if opening_is_crosscut:
            crosscut(width, height)
        level = shared.adapted(rest.pop("level"), rest.pop("profile"))
        return Options(rules, width, height, crosscut=opening_is_crosscut, **level, **rest)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def accept_all_text() -> None:
    """Read and print any text: characters that the terminal's encoding lacks become escapes."""
    for stream, errors in ((sys.stdin, "surrogateescape"), (sys.stdout, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def forget_odd_sizes() -> None:
    """Remove sizes of a terminal from the environment that none has: Rich would print into a width of 0 characters.

    The size that the terminal itself tells then counts, or else the usual one.
    """
    for name, least in SIZES.items():
        size = os.environ.get(name, "")
        if not (re.fullmatch(r"[0-9]{1,4}", size) and int(size) >= least):
            os.environ.pop(name, None)


def main() -> None:
    """Run the console script. An error is one line on stderr and an exit code, never a traceback."""
    accept_all_text()
    forget_odd_sizes()
    try:
        code = cli.main(prog_name="gtp-capture", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.ClickException as error:
        tell(shared.error_line(error))
        code = error.exit_code
    except RequestError as error:
        warn(str(error))
        code = 2
    except (click.Abort, KeyboardInterrupt):
        code = 130
    except Exception as error:
        if is_shortage(error):
            code = 2
            warn(SHORTAGE)
        elif isinstance(error, OSError):
            code = 1
            if error.errno != errno.EPIPE:  # a program that reads the output may stop early
                place = error.filename or "the output cannot be written"
                warn(f"{place}: {error.strerror or error}")
            _discard(1)
        else:
            raise
    _finish_stderr()
    sys.exit(code or 0)


def _finish_stderr() -> None:
    """Write the rest of stderr, or discard it if that is not possible."""
    try:
        if sys.stderr is not None:
            sys.stderr.flush()
    except OSError:
        _discard(2)


def _discard(descriptor: int) -> None:
    """Let what Python writes to a full or closed stream when it exits go nowhere; it would change the exit code."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
