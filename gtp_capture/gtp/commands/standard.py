"""The commands of the GTP 2 draft, in the order of the draft, and GNU Go's commands about the game.

`rectangular_boardsize` stands beside `boardsize`, whose handler it shares.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ...go import board as bd
from ...go.game import GameError
from ...go.game import showboard as diagram
from ...go.opening import fixed_handicap, spread
from ...go.rules import Rules
from ...go.scoring import Status
from ...go.vertex import RESIGN
from ...util.atomic_file import atomic_write
from ...util.files import UnreadableError, escaped, read_bounded
from ...version import __version__
from ..engine import Engine
from ..protocol import Entry, GtpError, GtpQuit, Table, refusing
from .arguments import Args, color, integer, number, point, vertex


def protocol_version(engine: Engine, args: Args) -> str:
    """The version of GTP."""
    return "2"


def name(engine: Engine, args: Args) -> str:
    """The name of the engine; with a level below full strength, the level too, so that frontends record it."""
    return engine.name


def version(engine: Engine, args: Args) -> str:
    """The version of the engine."""
    return engine.player.version or __version__


def known_command(engine: Engine, args: Args) -> str:
    """Whether a command is listed; never fails."""
    return "true" if args and args[0] in engine.command_names() else "false"


def list_commands(engine: Engine, args: Args) -> str:
    """All commands, one a line."""
    return "\n".join(engine.command_names())


def quit_(engine: Engine, args: Args) -> str:
    """End the session."""
    raise GtpQuit


def boardsize(engine: Engine, args: Args) -> None:
    """Start a new game on a square board, or one of width and height."""
    width = integer(args[0], least=-(10**9))
    height = integer(args[-1], least=-(10**9))
    if engine.options.gogui_rules and width != height:
        raise GtpError("unacceptable size")  # GoGui has square boards only
    with refusing(GameError, reason="unacceptable size"):
        engine.resize(width, height)


def clear_board(engine: Engine, args: Args) -> None:
    """Start a new game on the same board; komi and time settings stay."""
    engine.new_game()


def komi(engine: Engine, args: Args) -> None:
    """Set komi, which has no effect under rules without a score."""
    engine.komi = number(args[0])
    engine.game.set_komi(engine.komi)


def _handicap(engine: Engine, points: Sequence[int]) -> str:
    if engine.game.moves or bd.chains(engine.game.board):
        raise GtpError("board not empty")
    vertices = [engine.game.vertex(p) for p in points]
    engine.game.place_handicap(vertices)
    return " ".join(vertices)


def fixed_handicap_(engine: Engine, args: Args) -> str:
    """Place handicap stones on the fixed points."""
    game = engine.game
    with refusing(GameError, reason="invalid number of stones"):
        points = fixed_handicap(game.width, game.height, integer(args[0], least=-(10**9)))
    return _handicap(engine, points)


def place_free_handicap(engine: Engine, args: Args) -> str:
    """Place handicap stones on the fixed points, and any further ones far from all others."""
    game = engine.game
    stones = integer(args[0], least=-(10**9))
    if not 2 <= stones < game.width * game.height:
        raise GtpError("invalid number of stones")
    return _handicap(engine, spread(game.width, game.height, stones))


def set_free_handicap(engine: Engine, args: Args) -> None:
    """Place handicap stones on the client's points."""
    with refusing(GtpError, reason="bad vertex list"):
        points = [point(engine, text) for text in args]
    if not 2 <= len(points) < engine.game.width * engine.game.height or len(set(points)) < len(points):
        raise GtpError("bad vertex list")
    _handicap(engine, points)


def play(engine: Engine, args: Args) -> None:
    """Play a move of either colour."""
    engine.play(color(args[0]), vertex(engine, args[1]))


def genmove(engine: Engine, args: Args) -> str:
    """Choose and play a move of either colour."""
    return engine.genmove(color(args[0]))


def reg_genmove(engine: Engine, args: Args) -> str:
    """Choose a move of either colour without playing it."""
    c = color(args[0])
    return engine.game.vertex(engine.decide(c, engine.deadline(c)).move)


def undo(engine: Engine, args: Args) -> None:
    """Take the last move back."""
    engine.undo()


def time_settings(engine: Engine, args: Args) -> None:
    """Set main time, byo-yomi time, byo-yomi stones."""
    engine.clock.set_time(number(args[0], 0), number(args[1], 0), integer(args[2]))


def time_left(engine: Engine, args: Args) -> None:
    """Set a colour's remaining time, and the stones to play in it (0: main time)."""
    engine.clock.set_left(color(args[0]), number(args[1]), integer(args[2]))


def final_score(engine: Engine, args: Args) -> str:
    """The score; B+1 or W+1 once a capture game is won."""
    score = engine.score()
    if score is None:
        raise GtpError("cannot score")
    return score


def final_status_list(engine: Engine, args: Args) -> str:
    """The stones of a status, a line for each chain; all are alive under rules without dead stones."""
    if args[0] not in tuple(Status):
        raise GtpError("syntax error")
    statuses = engine.game.statuses()
    if statuses is None:
        raise GtpError("cannot score")
    game = engine.game
    chains = [bd.stones(game.board, p) for p, status in statuses.items() if status == args[0]]
    return "\n".join(" ".join(game.vertex(p) for p in chain) for chain in chains)


def loadsgf(engine: Engine, args: Args) -> None:
    """Load a game from SGF, up to the position before a move number if one is given."""
    from ...go import sgf  # imported here, because sgfmill slows the start
    from ...go.sgf_tree import read_main_line

    *before_last, last = args
    numbered = bool(before_last) and last.isascii() and last.isdigit()
    path = Path(" ".join(before_last if numbered else args))
    before = integer(last, least=1) if numbered else None
    notices: list[str] = []
    try:
        game = sgf.load(
            read_bounded(path, sgf.MOST_BYTES),
            before_move=before,
            session_rules=engine.options.rules,
            notice=notices.append,
        )
        engine.require_rules(game.rules)
        if engine.options.gogui_rules and game.width != game.height:
            raise GtpError("GoGui has square boards only")
    except (UnreadableError, sgf.SgfError, GtpError) as error:
        notices.append(str(error))
        raise GtpError("cannot load file") from None
    else:
        name = read_main_line(game.record or b"")[0].text("RU")
        named = Rules.of_file(name)
        if not notices and named is not None and not (named == game.rules == engine.options.rules):
            notices.append(f"RU[{name}]: {game.rules} is used")
    finally:
        for line in notices:
            engine.notify(escaped(f"{path}: {line}"))
    if game.explicit_komi is None:
        game.set_komi(engine.komi)
    engine.adopt(game)


def get_komi(engine: Engine, args: Args) -> str:
    """The komi, with a decimal point."""
    return str(float(engine.game.komi))


def get_handicap(engine: Engine, args: Args) -> str:
    """The number of handicap stones."""
    return str(engine.game.handicap)


def query_boardsize(engine: Engine, args: Args) -> str:
    """The points a side; width and height of a board that is not square."""
    width, height = engine.game.width, engine.game.height
    return str(width) if width == height else f"{width} {height}"


def captures(engine: Engine, args: Args) -> str:
    """The prisoners of a colour."""
    return str(engine.game.prisoners(color(args[0])))


def move_history(engine: Engine, args: Args) -> str:
    """All moves, the last one first: a colour and a vertex in each line."""
    moves = [move for move in reversed(engine.game.moves) if move.point != RESIGN]
    return "\n".join(f"{move.color} {move.vertex.upper()}" for move in moves)


def last_move(engine: Engine, args: Args) -> str:
    """The last move: a colour and a vertex."""
    last = move_history(engine, args).partition("\n")[0]
    if not last:
        raise GtpError("no previous move known")
    return last


def printsgf(engine: Engine, args: Args) -> str:
    """Write the game as SGF to the response or a file."""
    from ...go import sgf

    data = sgf.dump(engine.game)
    if not args:
        return "\n".join(line for line in data.decode(errors="replace").splitlines() if line.strip())
    path = Path(" ".join(args))
    try:
        with atomic_write(path) as file:
            file.write(data)
    except (OSError, ValueError) as error:
        engine.notify(escaped(f"{path}: {getattr(error, 'strerror', None) or error}"))
        raise GtpError("cannot write file") from None
    return ""


def showboard(engine: Engine, args: Args) -> str:
    """The board as a diagram."""
    return "\n" + diagram(engine.game)


TABLE: Final[Table[Engine]] = {
    "protocol_version": Entry(protocol_version),
    "name": Entry(name),
    "version": Entry(version),
    "known_command": Entry(known_command, 0, 1_000_000),
    "list_commands": Entry(list_commands),
    "quit": Entry(quit_, ends=True),
    "boardsize": Entry(boardsize, 1, 2),
    "rectangular_boardsize": Entry(boardsize, 2, 2),
    "clear_board": Entry(clear_board),
    "komi": Entry(komi, 1, 1),
    "fixed_handicap": Entry(fixed_handicap_, 1, 1),
    "place_free_handicap": Entry(place_free_handicap, 1, 1),
    "set_free_handicap": Entry(set_free_handicap, 0, 1_000_000),
    "play": Entry(play, 2, 2),
    "genmove": Entry(genmove, 1, 1),
    "undo": Entry(undo),
    "time_settings": Entry(time_settings, 3, 3),
    "time_left": Entry(time_left, 3, 3),
    "final_score": Entry(final_score),
    "final_status_list": Entry(final_status_list, 1, 1),
    "loadsgf": Entry(loadsgf, 1, 1_000),
    "printsgf": Entry(printsgf, 0, 1_000),
    "reg_genmove": Entry(reg_genmove, 1, 1),
    "showboard": Entry(showboard),
    "get_komi": Entry(get_komi),
    "get_handicap": Entry(get_handicap),
    "query_boardsize": Entry(query_boardsize),
    "captures": Entry(captures, 1, 1),
    "last_move": Entry(last_move),
    "move_history": Entry(move_history),
}
