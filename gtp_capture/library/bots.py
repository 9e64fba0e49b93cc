"""Bots and engines: serve a bot by GTP, ask a GTP engine for moves, and let a bot take part in a match."""

from __future__ import annotations

import copy
import io
import math
import os
import queue
import random
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from itertools import takewhile
from typing import IO, Any, BinaryIO, Final, cast

from ..go.game import Game
from ..go.position import Move
from ..go.rules import DEFAULT, Rules
from ..go.vertex import BLACK, COLOR_LETTERS, RESIGN, WHITE, Color, ColorLike, format_vertex
from ..gtp.commands import registry
from ..gtp.engine import Engine
from ..gtp.options import Options
from ..gtp.protocol import GtpError, GtpQuit, parse
from ..gtp.serve import INTERRUPTED, serve_streams
from ..gtp.serve import serve as serve_session
from ..match.games import SEED, Connect
from ..match.process import SHOWN, EngineClient, EngineFault, Fault, Response, joined
from ..match.referee import Conditions, legal_point, new_game, send_if_known
from ..players.analysis import AnalysedMove
from ..players.bot import Bot, BotError, check_bot
from ..util import arguments
from ..util.limit import Deadline
from .engine import Player
from .results import Analysis, check_limit, side_of

PATIENCE: Final = 60.0
"""Seconds to wait for an answer, in addition to the time for a move."""
BETWEEN: Final = 0.05
"""Seconds between two looks at `stop`, and between two attempts of `close` to end an engine that is starting."""
NO_CLOCK: Final = "time_settings 0 1 0"
ANALYSES: Final = ("kata-analyze", "lz-analyze")
"""The commands of an analysis, the better one first."""
ANALYSIS_SECONDS: Final = 1.0
"""Time of an analysis if nothing else is given."""
REPORTS: Final = 4
"""Reports in the time of an analysis; the last one counts."""
MOST_INTERVAL: Final = 100
"""Most hundredths of a second between two reports."""
VERTEX: Final = re.compile(r"[A-HJ-Za-hj-z][1-9][0-9]?")


def serve(
    bot: Bot,
    *,
    rules: Rules | str = DEFAULT,
    size: int | tuple[int, int] = 9,
    komi: float | None = None,
    seconds: float | None = None,
    log: str | os.PathLike[str] | None = None,
    stdin: IO[str] | IO[bytes] | None = None,
    stdout: IO[str] | IO[bytes] | None = None,
) -> None:
    """Serve a bot on stdin and stdout as a complete GTP engine, until `quit` or the end of the input.

    `stdin` and `stdout`: two other open files, such as `io.StringIO("genmove b")` in a test of the bot; then no signal
    is handled, and what the bot prints goes where it always goes.

    The session has rules, clock, undo, SGF, showboard, the end of the game, and the commands of GoGui and Sabaki;
    hints, explanations and proofs come from this package. The session starts with `rules`, `size` and `komi`, which a
    frontend may change. `seconds`: maximum time for a move; by default the clock decides, without a clock 1 second.
    `log`: a file to append the conversation to. The output of the bot goes to stderr. If the bot raises an error, or
    returns anything but a legal move, the answer is a GTP error that says so, and the game is unchanged.
    TypeError: not a bot, or another wrong argument. ValueError: a time that is not finite, or not more than 0.
    RulesError, GameError: as for `Game`. OSError: the log. KeyboardInterrupt: ^C.
    """
    check_bot(bot)
    if seconds is not None:
        arguments.seconds("seconds", seconds, above=True)
    path = arguments.path("log", log)
    game = Game(rules, size, komi=komi)
    options = Options(
        game.rules, game.width, game.height, komi=komi, bot=bot, time_per_move=seconds, playouts=_playouts(bot)
    )
    if stdin is not None or stdout is not None:
        for name, stream, method in (("stdin", stdin, "readline"), ("stdout", stdout, "write")):
            if not hasattr(stream, method):
                raise TypeError(f"{name} is an open file, not {stream!r}")
        serve_streams(options, cast(BinaryIO, _Input(stdin)), partial(_write, stdout), path)
    elif serve_session(options, path) == INTERRUPTED:
        raise KeyboardInterrupt


def _playouts(bot: Bot) -> int | None:
    """Return the fixed work of a player of this package, which replaces the time of a move without a clock."""
    return bot.playouts if isinstance(bot, Player) else None


class _Input:
    """An open file, of text or bytes, as lines of bytes."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def readline(self, size: int = -1) -> bytes:
        """Read a line, or a part of it."""
        line: str | bytes = self._stream.readline(size)
        return line.encode(errors="replace") if isinstance(line, str) else line


def _write(stream: Any, data: bytes) -> None:
    """Write to an open file, of text or bytes. OSError: it is closed."""
    try:
        stream.write(data.decode() if isinstance(stream, io.TextIOBase) else data)
        stream.flush()
    except ValueError as error:
        raise OSError(str(error)) from None


class GtpEngine:
    """Any GTP program, in a process of its own, which starts at its first use; leaving a `with` block ends it.

    Errors are `EngineFault`: its `fault` is the kind (`Fault`), its text one line, which ends with the last lines of
    the engine's stderr (`stderr`). An engine that refuses a command or makes an illegal move runs on. After any other
    fault, after `stop` and after ^C it is ended, as what it still answers belongs to no command; the next use starts it
    again. A pickle has the command alone. Source: the GTP 2 draft.
    """

    def __init__(self, command: str | Sequence[str], *, patience: float = PATIENCE) -> None:
        """`command`: as in a shell, or a list of its words; `patience`: seconds to wait beyond the time of a move.

        TypeError: the command is neither text nor a list of texts, or the patience no number. ValueError: it is not
        finite, or less than 0.
        """
        self.command: Final = _command(command)
        """The command as text."""
        self.patience = arguments.seconds("patience", patience)
        self._client = EngineClient(self.command)
        self._lock = threading.RLock()
        self._start: tuple[object, ...] = ()
        """The start of the game that the engine has: rules, size, komi, handicap and stones; () if it is not known."""
        self._moves: list[Move] = []
        self._clock = NO_CLOCK

    def __enter__(self) -> GtpEngine:
        with self._using():
            return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[object, ...]:
        return partial(GtpEngine, self.command, patience=self.patience), ()

    def __repr__(self) -> str:
        return f"<GtpEngine {self.command!r}>"

    @property
    def name(self) -> str:
        """The name that the engine reports. EngineFault: it does not start."""
        with self._using() as client:
            return client.name

    @property
    def version(self) -> str:
        """The version that the engine reports, or "". EngineFault: it does not start."""
        with self._using() as client:
            return client.version

    @property
    def commands(self) -> frozenset[str]:
        """The commands that the engine lists. EngineFault: it does not start."""
        with self._using() as client:
            return client.commands

    def send(self, command: str, *, seconds: float | None = None, stop: threading.Event | None = None) -> str:
        """Send a command, and return the text of its answer, without `=`, within `seconds` (default: `patience`).

        Once `stop` is set, the engine is ended by force, and that is an EngineFault.
        EngineFault: a failure (`Fault.REFUSAL`), no answer in time, not GTP, or the engine has ended.
        TypeError: not text, or no number. ValueError: several lines, an empty one, or a time that is not finite.
        """
        if not isinstance(command, str):
            raise TypeError(f"a command is text such as 'list_commands', not {command!r}")
        if "\n" in command or "\r" in command:
            raise ValueError("a command is one line")
        if not command.partition("#")[0].strip():
            raise ValueError("a command is not empty: engines do not answer empty lines and comments")
        allowed = self.patience if seconds is None else arguments.seconds("seconds", seconds)
        with self._using(stop) as client:
            self._start = ()  # the command may have changed the game
            return client.ask(command, allowed)

    def choose(
        self,
        game: Game,
        limit: Deadline | None = None,
        *,
        color: ColorLike | None = None,
        seconds: float | None = None,
        stop: threading.Event | None = None,
    ) -> str:
        """Set the game up, set the time for the move, and return the engine's move for a colour (default: to move).

        The game is not changed. The move is a vertex, "pass" or "resign". Without a time the engine uses its own.
        Rules of a capture game are sent to engines that know `capture-rules`; others play by their own rules.
        `stop`: as for `send`.
        EngineFault: an illegal move (`Fault.ILLEGAL`), or as for `send`. GameError: the game is over.
        TypeError: not a limit or a number. ValueError: a time that is not finite.
        """
        seconds, side = _seconds(limit, seconds), side_of(game, color)
        with self._using(stop) as client:
            self._set_up(client, game)
            clock = NO_CLOCK if seconds is None else f"time_settings 0 {seconds:g} 1"
            if clock != self._clock:
                send_if_known(client, clock, self.patience)
                self._clock = clock
            start, self._start = self._start, ()
            answer = client.ask(f"genmove {COLOR_LETTERS[side].lower()}", self.patience + (seconds or 0.0))
            point = legal_point(game, side, answer)
            if point != RESIGN:
                self._start = start
                self._moves.append(Move(Color(side), point, game.width))
            return game.vertex(point)

    def analyse(
        self,
        game: Game,
        limit: Deadline | None = None,
        *,
        color: ColorLike | None = None,
        seconds: float | None = None,
        stop: threading.Event | None = None,
    ) -> Analysis:
        """Set the game up, and return what the engine has found about its moves for a colour (default: to move).

        The engine needs the command `kata-analyze` or `lz-analyze`, as KataGo, Leela Zero and this program have them;
        its last report counts, in its order. `seconds`: time of the search (default: that of `limit`, else 1 second),
        and at least until its first report; when `stop` is set, it ends at once with what was found. A coroutine:
        `gc.to_thread(engine.analyse, game)`.
        EngineFault: no such command, or a report that cannot be read (`Fault.GARBAGE`), or as for `send`. Other errors
        as for `choose`.
        """
        given, side, ends = _seconds(limit, seconds), side_of(game, color), Deadline(stop=stop).stop
        time = ANALYSIS_SECONDS if given is None else given
        with self._using() as client:
            known = next((name for name in ANALYSES if name in client.commands), None)
            if known is None:
                raise EngineFault(Fault.REFUSAL, f"it has no command {' or '.join(ANALYSES)}")
            self._set_up(client, game)
            interval = max(1, min(MOST_INTERVAL, round(100 * time / REPORTS)))
            command = f"{known} {COLOR_LETTERS[side].lower()} {interval}"
            response = client.watch(command, time, limit.stop if limit is not None else ends, self.patience)
            if not response.ok:
                raise EngineFault(Fault.REFUSAL, f"{command!r} was answered '? {response.text[:SHOWN]}'")
            return _analysis(game, side, response.text)

    analyze = analyse

    def close(self) -> None:
        """End the engine: `quit`, then by force, with all that it has started.

        If another thread waits for an answer, it is ended by force at once, and that thread gets an EngineFault.
        """
        while not self._lock.acquire(timeout=0.0 if self._client.running else BETWEEN):
            self._client.kill()
        try:
            self._client.close()
            self._start = ()
        finally:
            self._lock.release()

    @contextmanager
    def _using(self, stop: threading.Event | None = None) -> Iterator[EngineClient]:
        """Start the engine if needed, and end it after an error that leaves its next answer unknown.

        Faults get the last lines of its stderr.
        """
        with self._lock, nullcontext() if stop is None else self._ended_by(stop):
            usable = False
            try:
                if not self._client.running:
                    self._start, self._clock = (), NO_CLOCK
                    self._client.start(self.patience)
                usable = True
                yield self._client
            except BaseException as error:
                if not (usable and isinstance(error, EngineFault) and error.fault in (Fault.REFUSAL, Fault.ILLEGAL)):
                    self._client.close(0.0)
                if isinstance(error, EngineFault):
                    raise EngineFault(error.fault, str(error), tuple(self._client.stderr)) from None
                raise

    @contextmanager
    def _ended_by(self, stop: threading.Event) -> Iterator[None]:
        """End the engine by force once an event is set, during a block."""
        Deadline(stop=stop)  # checks that it is one
        over = threading.Event()

        def watch() -> None:
            while not over.wait(BETWEEN):
                if stop.is_set():
                    self._client.kill()
                    return

        thread = threading.Thread(target=watch, name="stop", daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()
            if stop.is_set():  # also if the answer came first, and the engine was ended after it
                self._client.close(0.0)

    def _set_up(self, client: EngineClient, game: Game) -> None:
        """Send the moves that the engine lacks, after a new start unless it has the beginning of this game."""
        first = game.positions[0]
        start = (str(game.rules), game.width, game.height, game.komi, game.handicap, first.colors)
        if start != self._start or self._moves != game.moves[: len(self._moves)]:
            self._start, self._moves = (), []
            new_game(client, Conditions(game.rules, game.width, game.height, game.komi, patience=self.patience))
            stones = {
                side: [format_vertex(p, game.width) for p, color in enumerate(first.colors) if color == side]
                for side in (BLACK, WHITE)
            }
            self._place(client, stones, game.handicap)
        for move in game.moves[len(self._moves) :]:
            client.ask(f"play {COLOR_LETTERS[int(move.color)].lower()} {move.vertex}", self.patience)
        self._start, self._moves = start, game.moves

    def _place(self, client: EngineClient, stones: dict[int, list[str]], handicap: int) -> None:
        """Put the stones of the first position on the board."""
        pairs = [(COLOR_LETTERS[side].lower(), vertex) for side, vertices in stones.items() for vertex in vertices]
        if handicap and "set_free_handicap" in client.commands:
            client.ask(f"set_free_handicap {' '.join(stones[BLACK])}", self.patience)
        elif pairs and "gogui-setup" in client.commands:
            client.ask(f"gogui-setup {' '.join(word for pair in pairs for word in pair)}", self.patience)
        else:
            for letter, vertex in pairs:
                client.ask(f"play {letter} {vertex}", self.patience)


def _seconds(limit: Deadline | None, seconds: float | None) -> float | None:
    """Return the seconds that are given, or else left in a limit; None: no time. Errors: see `choose`."""
    check_limit(limit)
    if seconds is not None:
        return arguments.seconds("seconds", seconds)
    left = math.inf if limit is None else limit.left()
    return left if math.isfinite(left) else None


def _command(command: object) -> str:
    """Return a command as text. TypeError: neither text nor a list of texts."""
    if isinstance(command, str):
        return command
    words = [word for word in command if isinstance(word, str)] if isinstance(command, Sequence) else []
    if not words or len(words) < len(cast(Sequence[object], command)):
        raise TypeError(f"a command is text such as 'gnugo --mode gtp', or a list of its words, not {command!r}")
    return joined(words)


def _analysis(game: Game, side: int, text: str) -> Analysis:
    """Return the last report of `lz-analyze` or `kata-analyze`. EngineFault: it cannot be read."""
    reports = [line for line in text.splitlines() if line.startswith("info ")]
    moves: list[AnalysedMove] = []
    try:
        for part in re.split(r"(?:^|\s)info\s+", reports[-1])[1:] if reports else ():
            moves.append(_analysed(game, part))
        checked = Analysis.of(game, moves, color=side)
    except (LookupError, ValueError) as error:
        raise EngineFault(Fault.GARBAGE, f"it reported {reports[-1][:SHOWN]!r}: {error}") from None
    return replace(checked, moves=tuple(moves))  # in the order of the engine


def _analysed(game: Game, text: str) -> AnalysedMove:
    """Return a move of a report: pairs of a key and a value, then the line. LookupError, ValueError: not one."""
    facts, _, rest = text.partition(" pv ")
    words = facts.split()
    values = dict(zip(words[::2], words[1::2], strict=False))
    line = [*takewhile(lambda word: word.lower() == "pass" or VERTEX.fullmatch(word), rest.split())]
    rate, prior = (_rate(values.get(key, "0")) for key in ("winrate", "prior"))
    proof = {"win": "win", "loss": "loss"}.get(values.get("proven", ""))
    move, *following = (game.vertex(game.point(vertex)) for vertex in [values["move"], *line[1:]])
    return AnalysedMove(move, rate, int(values["visits"]), prior, cast(Any, proof), (move, *following))


def _rate(text: str) -> float:
    """Return a rate of 0 to 1: Leela Zero writes whole numbers up to 10,000, KataGo fractions."""
    return float(text) if "." in text or "e" in text.lower() else int(text) / 10_000


class BotClient(EngineClient):
    """A bot of this process, as an engine of a match: the commands of its session run in threads."""

    def __init__(self, bot: Bot, rules: Rules, command: str) -> None:
        """`command`: the command of the bot in the results."""
        super().__init__(command)
        self._bot, self._rules = bot, rules
        self._engine: Engine | None = None

    @property
    def running(self) -> bool:
        """See EngineClient."""
        return self._engine is not None

    def start(self, seconds: float) -> None:
        """See EngineClient."""
        if self._engine is None:
            self.stderr.clear()
            engine = Engine(Options(self._rules, bot=self._bot, playouts=_playouts(self._bot)), self._keep)
            try:
                engine.player.load()
            except BotError as error:
                raise EngineFault(Fault.CRASH, str(error)) from None
            self._engine, self._registry = engine, registry(engine.options, engine.player)
            self.name, self.version = engine.name, engine.player.version
            self.commands = frozenset(self._registry.names())
            self.warmed_up = False  # its first move may load more

    def _keep(self, text: str) -> None:
        self.stderr.extend(text.splitlines())

    def send(self, command: str, seconds: float) -> Response:
        """See EngineClient."""
        engine = self._engine
        if engine is None:
            raise EngineFault(Fault.CRASH, "it is not running")
        answers: queue.SimpleQueue[Response | EngineFault] = queue.SimpleQueue()
        # A daemon thread, so that the program can end while a bot does not return.
        threading.Thread(target=lambda: answers.put(self._answer(engine, command)), daemon=True).start()
        try:
            answer = answers.get(timeout=seconds)
        except queue.Empty:
            engine.stop.set()
            raise EngineFault(Fault.SILENCE, f"no answer to {command!r} in {seconds:g} s") from None
        if isinstance(answer, EngineFault):
            raise answer
        return answer

    def _answer(self, engine: Engine, line: str) -> Response | EngineFault:
        command = parse(line.encode())
        assert command is not None
        try:
            return Response(True, str(self._registry.run(engine, command)))
        except GtpQuit:
            return Response(True, "")
        except GtpError as error:
            return Response(False, str(error))
        except Exception as error:
            return EngineFault(Fault.CRASH, f"{type(error).__name__}: {error} (asked: {line!r})")

    def close(self, seconds: float = 0.0) -> bool:
        """See EngineClient."""
        self.kill()
        if isinstance(self._bot, Player):
            self._bot.close()
        return True

    def kill(self) -> None:
        """See EngineClient."""
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.stop.set()


def entrant(player: Bot | GtpEngine | str, rules: Rules, jobs: int) -> tuple[str, Connect]:
    """Return the command of a player and the function that makes its client; bots are copied for `jobs` above 1.

    TypeError: neither a bot nor a command, or a bot that cannot be copied.
    """
    if isinstance(player, GtpEngine):
        return player.command, EngineClient
    if isinstance(player, str):
        return player, EngineClient
    check_bot(player)
    kind = type(player)
    command = f"{kind.__module__}.{kind.__qualname__}"
    if isinstance(player, Player):  # a player with a seed begins each game anew, in whatever order they are played
        settings = player._arguments() | {"seed": None if player.seed is None else f"{player.seed}-{SEED}"}
        options = (f"--{name} {value}" for name, value in settings.items() if value is not None)
        return " ".join([command, *options]), partial(_player_client, player, rules)
    if jobs > 1:
        _copied(player)
    return command, partial(_bot_client, player, rules, jobs > 1)


def _player_client(player: Player, rules: Rules, command: str) -> EngineClient:
    """Return the client of a copy of a player, with the seed that its command has for the game."""
    settings = player._arguments()
    if player.seed is not None:
        seed = command.partition("--seed ")[2].partition(" ")[0]
        settings["seed"] = random.Random(seed).getrandbits(62)
    return BotClient(Player(**settings), rules, command)


def _bot_client(bot: Bot, rules: Rules, copies: bool, command: str) -> EngineClient:
    """Return the client of a bot, or of a copy of it."""
    return BotClient(_copied(bot) if copies else bot, rules, command)


def _copied(bot: Bot) -> Bot:
    """Return a deep copy. TypeError: there is none."""
    try:
        return copy.deepcopy(bot)
    except Exception as error:
        raise TypeError(f"with jobs above 1 each game has a copy of the bot, and {bot!r} has none: {error}") from None
