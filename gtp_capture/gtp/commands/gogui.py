"""GoGui's commands: its extensions of GTP, pictures, dialog and ruler, and small ones that scripts use too.

PICTURES names the command of each picture; `pictures.py` draws them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ...go import board as bd
from ...go.game import Game, GameError
from ...go.opening import crosscut
from ...go.vertex import BLACK, WHITE
from ...players.analysis import AnalysedMove, move_analyses, study
from ...teach.explain import explanation, hint
from ...util.limit import Limit
from .. import parameters, pictures
from ..engine import Engine
from ..protocol import Entry, GtpError, Table, refusing
from .arguments import Args, color, integer, point, vertex
from .capture import OVER, no_hint
from .standard import version

MANY: Final = 1_000_000
PICTURE_SECONDS: Final = 1.0
"""Seconds to search for a picture of a position that was not searched yet."""


def interrupt(engine: Engine, args: Args) -> None:
    """Do nothing: the command's presence tells GoGui that `# interrupt` is supported."""


def title(engine: Engine, args: Args) -> str:
    """The title of GoGui's window."""
    return f"Capture Go, {engine.game.rules}"


def gg_undo(engine: Engine, args: Args) -> None:
    """Take back a number of moves (default 1); an error if the game has fewer."""
    count = integer(args[0], least=1) if args else 1
    if count > len(engine.game.moves):
        raise GtpError("cannot undo")
    for _ in range(count):
        engine.undo()


def _pairs(engine: Engine, args: Args) -> list[tuple[int, str]]:
    if len(args) % 2:
        raise GtpError("syntax error")
    return [(color(c), text) for c, text in zip(args[::2], args[1::2], strict=True)]


def play_sequence(engine: Engine, args: Args) -> None:
    """Play several moves, all or none."""
    moves, trial = [(c, vertex(engine, text)) for c, text in _pairs(engine, args)], engine.game.copy()
    for c, p in moves:
        engine.play_in(trial, c, p)
    for c, p in moves:
        engine.play(c, p)


def setup(engine: Engine, args: Args) -> None:
    """Set up stones before the first move; they replace an opening that the options set."""
    game = engine.game
    stones = [(c, point(engine, text)) for c, text in _pairs(engine, args)]
    if game.moves or (bd.chains(game.board) and not _is_opening(engine)):
        raise GtpError("board not empty")
    black, white = ([p for c, p in stones if c == side] for side in (BLACK, WHITE))
    with refusing(GameError):
        game.setup_points(black, white, game.to_move)


def _is_opening(engine: Engine) -> bool:
    """Whether the board has the stones of the opening of the options, and no others."""
    board = engine.game.board
    stones = [bd.stones_of(board, c) for c in (BLACK, WHITE)]
    try:
        return engine.options.crosscut and stones == [sorted(s) for s in crosscut(int(board.width), int(board.height))]
    except GameError:
        return False  # too small a board


def setup_player(engine: Engine, args: Args) -> None:
    """Set the colour to move, also during a game: all moves stay and can be undone."""
    engine.game.set_to_move(color(args[0]))


def is_legal(engine: Engine, args: Args) -> str:
    """1 if a move is legal, else 0."""
    point = vertex(engine, args[1])
    return str(int(engine.game.is_legal_point(point, color(args[0])) and not engine.is_ended(engine.game, point)))


def all_legal(engine: Engine, args: Args) -> str:
    """The legal plays of a colour."""
    game, side = engine.game, color(args[0])
    return " ".join(game.vertex(p) for p in game.legal_plays(side) if not engine.is_ended(game, p))


def list_stones(engine: Engine, args: Args) -> str:
    """The stones of a colour."""
    return " ".join(map(engine.game.vertex, bd.stones_of(engine.game.board, color(args[0]))))


def final_status(engine: Engine, args: Args) -> str:
    """The status of a stone: alive, dead or seki."""
    p = point(engine, args[0])
    if engine.game.board.color[p] not in (BLACK, WHITE):
        raise GtpError("no stone there")
    statuses = engine.game.statuses()
    if statuses is None:
        raise GtpError("cannot score")
    return statuses[min(bd.stones(engine.game.board, p))]


# --- Pictures ---


def analysed(engine: Engine) -> list[AnalysedMove]:
    """Return the analysis of the position. A position that was not searched yet is searched for a short time."""
    game, analyst = engine.game, engine.analyst
    moves = move_analyses(analyst, game, int(game.to_move))
    if not moves and game.outcome is None:
        limit = Limit(PICTURE_SECONDS, playouts=engine.options.playouts)
        study(analyst, game, int(game.to_move), limit.begin(engine.stop))
        moves = move_analyses(analyst, game, int(game.to_move))
    return moves


def _while_playing(draw: Callable[[Engine, Args], str]) -> Callable[[Engine, Args], str]:
    """Return a command that draws what concerns the next move, which there is none after the end."""
    return lambda engine, args: draw(engine, args) if engine.game.outcome is None else pictures.text(OVER)


def _of_search(draw: Callable[[Game, list[AnalysedMove]], list[str]]) -> Callable[[Engine, Args], str]:
    return _while_playing(lambda engine, args: "\n".join(draw(engine.game, analysed(engine))))


def _of_board(draw: Callable[[Game], list[str]]) -> Callable[[Engine, Args], str]:
    return lambda engine, args: "\n".join(draw(engine.game))


def _proven(engine: Engine, args: Args) -> str:
    """Draw the proven moves, with the plies to the end if they are found within PICTURE_SECONDS."""
    moves, game = analysed(engine), engine.game
    plays = [game.point(i.move) for i in moves if i.proof and i.move != "pass"]
    plies = engine.analyst.perfect_play.plies(game, int(game.to_move), plays, Limit(PICTURE_SECONDS).begin(engine.stop))
    return "\n".join(pictures.proven(game, moves, plies))


def _hint(engine: Engine, args: Args) -> str:
    """Draw the best move of the colour to move."""
    game = engine.game
    hinted = hint(engine.analyst, game, int(game.to_move), engine.analysis_deadline())
    if hinted is None:
        return pictures.text(no_hint(game))
    return "\n".join(pictures.hinted(game, int(game.to_move), hinted))


def _explain(engine: Engine, args: Args) -> str:
    """Draw how the last move is punished."""
    if engine.game.last_move is None:
        return pictures.text("no move to explain")
    explained = explanation(engine.analyst, engine.game, engine.analysis_deadline())
    return "\n".join(pictures.explained(engine.game, explained))


PICTURES: Final[dict[str, tuple[str, Callable[[Engine, Args], str]]]] = {
    "capture-gfx-hint": ("Hint on the Board", _hint),
    "capture-gfx-explain": ("Last Move on the Board", _explain),
    "capture-gfx-winrate": ("Win Rate", _of_search(pictures.winrates)),
    "capture-gfx-visits": ("Visits", _of_search(pictures.visits)),
    "capture-gfx-proven": ("Proven Moves", _while_playing(_proven)),
    "capture-gfx-pv": (
        "Principal Variation",
        _of_search(lambda game, moves: pictures.best_line(game, int(game.to_move), moves)),
    ),
    "capture-gfx-liberties": ("Liberties", _of_board(pictures.liberties)),
    "capture-gfx-atari": ("Chains in Atari", _of_board(pictures.ataris)),
    "capture-gfx-ladders": ("Ladders", _while_playing(_of_board(pictures.ladders))),
    "capture-gfx-safe": ("Safe Points", _of_board(pictures.safe)),
}

OTHERS: Final = (
    "hstring/Hint/capture-hint",
    "hstring/Explain Last Move/capture-explain",
    "hstring/Review Game/capture-review",
    "hstring/Result/capture-outcome",
    "hstring/Rules/capture-rules",
    "hstring/List Atari/capture-atari",
    "plist/Legal Plays/all_legal %c",
    "plist/Stones/list_stones %c",
    "string/Is Legal/is_legal %c %p",
    "string/Final Score/final_score",
    "string/Final Status/final_status %p",
    "string/CPU Time/cputime",
    "none/Setup Player/gogui-setup_player %c",
    "param/Options/capture-param",
)


def analyze_commands(engine: Engine, args: Args) -> str:
    """The entries of GoGui's analyze window."""
    return "\n".join([*(f"gfx/{label}/{name}" for name, (label, _) in PICTURES.items()), *OTHERS])


# --- The dialog ---


def param(engine: Engine, args: Args) -> str:
    """List all options of the dialog with their values, or set one."""
    if not args:
        return "\n".join(parameters.lines(engine.options))
    with refusing(ValueError):
        engine.change(**parameters.change(engine.options, args[0], " ".join(args[1:])))
    return ""


# --- A ruler ---


def game_id(engine: Engine, args: Args) -> str:
    """The name of the game in one word; "Go", GoGui's own name, for games without a winning capture."""
    rules = engine.game.rules
    return str(rules).replace(" ", "_") if rules.is_capture_game else "Go"


def legal_moves(engine: Engine, args: Args) -> str:
    """The legal moves of the colour to move; empty once the game is over."""
    return " ".join(engine.game.legal_moves())


RULES_TABLE: Final[Table[Engine]] = {
    "gogui-rules_game_id": Entry(game_id),
    "gogui-rules_board": Entry(lambda engine, args: pictures.rows(engine.game)),
    "gogui-rules_board_size": Entry(lambda engine, args: str(engine.game.width)),
    "gogui-rules_legal_moves": Entry(legal_moves),
    "gogui-rules_side_to_move": Entry(lambda engine, args: engine.game.to_move),
    "gogui-rules_captured_count": Entry(
        lambda engine, args: f"{engine.game.prisoners(BLACK)} {engine.game.prisoners(WHITE)}"
    ),
    "gogui-rules_final_result": Entry(lambda engine, args: engine.result_line()),
    "gogui-rules_board_gfx": Entry(_of_board(pictures.ataris)),
}
"""Opt-in: if they are listed, GoGui uses the engine as its ruler too, and starts it several times."""
OF_RULERS: Final = frozenset(
    ("name", "version", "protocol_version", "list_commands", "known_command", "gogui-interrupt", "gogui-version")
) | {"quit", "clear_board", "play", *RULES_TABLE}
"""What GoGui sends to a ruler, and what it sends to every program when it starts it; all else comes for a player."""

TABLE: Final[Table[Engine]] = {
    "gogui-interrupt": Entry(interrupt),
    "gogui-title": Entry(title),
    "gogui-version": Entry(version, 0, 1),
    "gogui-play_sequence": Entry(play_sequence, 0, MANY),
    "gogui-setup": Entry(setup, 0, MANY),
    "gogui-setup_player": Entry(setup_player, 1, 1),
    "gogui-analyze_commands": Entry(analyze_commands),
    "gg-undo": Entry(gg_undo, 0, 1),
    "is_legal": Entry(is_legal, 2, 2),
    "all_legal": Entry(all_legal, 1, 1),
    "list_stones": Entry(list_stones, 1, 1),
    "final_status": Entry(final_status, 1, 1),
    "capture-param": Entry(param, 0, 100),
    **{name: Entry(draw) for name, (_, draw) in PICTURES.items()},
}
