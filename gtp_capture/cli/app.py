"""gtp-capture: the options, and GTP on stdin and stdout where no sub-command is named."""

from __future__ import annotations

import importlib
import io
import os
import sys
from pathlib import Path
from typing import Any, Final

import click

from ..go.opening import crosscut
from ..go.rules import DEFAULT as DEFAULT_RULES
from ..go.rules import PRESETS, Ko, Passing, Rules, Scoring
from ..gtp.clock import OVERHEAD
from ..gtp.options import Options
from ..players.levels import NAMES
from ..players.registry import DEFAULT_PLAYER, PLAYERS
from ..version import __version__
from .session import serve
from .types import CapturesType, LevelType, RulesType, SizeType, finite

COMMANDS: Final = ("bench", "check-proof", "match", "play", "sabaki", "solve", "warmup")
"""Each is a function of this name, `_` for `-`, in a module of this name."""


class Commands(click.Group):
    """Imports a command when it is asked for: a session needs none, and a frontend waits for its first answer."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name."""
        if cmd_name not in COMMANDS:
            return None
        name = cmd_name.replace("-", "_")
        command: click.Command = getattr(importlib.import_module(f"{__package__}.{name}"), name)
        return command


@click.group(cls=Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--rules", type=RulesType(), default=DEFAULT_RULES, show_default=True, help=f"{', '.join(PRESETS)}, or capture-N."
)
@click.option("--captures", type=CapturesType(), help="Prisoners that win, or none.")
@click.option("--suicide", type=click.Choice(["legal", "illegal"]), help="Whether self-capture is a play.")
@click.option("--ko", type=click.Choice([k.value for k in Ko]), help="Which repetition is forbidden.")
@click.option("--passing", type=click.Choice([p.value for p in Passing]), help="What a pass costs.")
@click.option("--scoring", type=click.Choice([s.value for s in Scoring]), help="How two passes are decided.")
@click.option(
    "--size", type=SizeType(), default="9", show_default=True, help="Board at the start: 9 or 9x7, from 2 to 25."
)
@click.option(
    "--komi", type=float, callback=finite, help="Points for White; default: what the rules give for the board."
)
@click.option(
    "--opening",
    type=click.Choice(["empty", "crosscut"]),
    default="empty",
    show_default=True,
    help="How every game starts.",
)
@click.option(
    "--player", type=click.Choice(list(PLAYERS)), default=DEFAULT_PLAYER, show_default=True, help="Who thinks."
)
@click.option(
    "--level",
    type=LevelType(),
    default="10",
    show_default=True,
    help=f"Strength of mcts: 1 to 10, or {', '.join(NAMES)}.",
)
@click.option(
    "--time-per-move",
    type=click.FloatRange(min=0, min_open=True),
    callback=finite,
    help="Seconds at most; default 1 where the frontend sets no time.",
)
@click.option(
    "--move-overhead",
    type=click.FloatRange(min=0),
    callback=finite,
    default=OVERHEAD,
    show_default=True,
    help="Seconds kept back of every time limit, at most a fifth of it.",
)
@click.option(
    "--playouts", type=click.IntRange(min=1), help="Playouts at most per move; alone, it lifts the default time."
)
@click.option(
    "--threads",
    type=click.IntRange(1, 256),
    default=os.cpu_count() or 1,
    show_default="all cores",
    help="Threads of mcts.",
)
@click.option(
    "--memory",
    type=click.IntRange(16, 1_000_000),
    default=512,
    show_default=True,
    help="MiB for the tree of mcts, at most.",
)
@click.option("--ponder", is_flag=True, help="Think on while the opponent does (level 10 of mcts).")
@click.option("--seed", type=click.IntRange(min=0), help="Makes random choices repeatable.")
@click.option("--strict", is_flag=True, help="Refuse plays after the end of a capture game.")
@click.option("--genmove-analyze", is_flag=True, help="List the genmove_analyze commands, which Sabaki then uses.")
@click.option("--gogui-rules", is_flag=True, help="Tell GoGui the rules of the game, as its ruler (square boards).")
@click.option("--gogui-gfx", is_flag=True, help="Draw on GoGui's board while the engine thinks.")
@click.option("--rules-from-gui", is_flag=True, help="Say yes to clients that send rules of Go; the game stays.")
@click.option("--log", type=click.Path(dir_okay=False, path_type=Path), help="Append the whole conversation to a file.")
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context, /, rules: Rules, size: tuple[int, int], log: Path | None, **options: Any) -> None:
    """An engine for Capture Go and its family that speaks GTP, the Go Text Protocol.

    Without a command it serves a frontend (Sabaki, GoGui) on stdin and stdout.
    """
    if context.invoked_subcommand is None:
        serve(session_options(rules, size, **options), log)


def session_options(
    rules: Rules,
    size: tuple[int, int],
    captures: int | None,
    suicide: str | None,
    ko: str | None,
    passing: str | None,
    scoring: str | None,
    opening: str,
    **rest: Any,
) -> Options:
    """The options of a session. UsageError: values that do not go together."""
    changes: dict[str, Any] = {"ko": ko, "passing": passing, "scoring": scoring}
    changes = {name: value for name, value in changes.items() if value is not None}
    if captures is not None:
        changes["captures"] = captures or None
    if suicide is not None:
        changes["suicide"] = suicide == "legal"
    width, height = size
    if rest["gogui_rules"] and width != height:
        raise click.UsageError("GoGui has square boards only: --gogui-rules needs one number as --size")
    try:
        rules = rules.override(**changes)
        if opening == "crosscut":
            crosscut(width, height)
        return Options(rules, width, height, crosscut=opening == "crosscut", **rest)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def accept_all_text() -> None:
    """Let every command print and read any text, whatever the encoding of the terminal: the rest becomes escapes."""
    for stream, errors in ((sys.stdin, "surrogateescape"), (sys.stdout, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def main() -> None:
    """The console script: a wrong option is one line on stderr and exit code 2, never a traceback."""
    accept_all_text()
    try:
        code = cli.main(prog_name="gtp-capture", standalone_mode=False)
    except click.ClickException as error:
        print(f"gtp-capture: {error.format_message()}", file=sys.stderr)
        code = error.exit_code
    except click.Abort:
        code = 130
    sys.exit(code or 0)
