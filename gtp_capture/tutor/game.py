"""A game of a person against the engine, or of two people at one board."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from threading import Event
from typing import Any, ClassVar, Final

from ..go import sgf
from ..go.game import Game, GameError
from ..go.opening import crosscut, spread
from ..go.position import Termination
from ..go.rules import Rules
from ..go.sgf_tree import read_tree
from ..go.vertex import BLACK, MAX_SIDE, MIN_SIDE, PASS, RESIGN, WHITE, opponent
from ..jit.warmup import State
from ..players import levels, life
from ..players.adapt import next_level
from ..players.player import Analyst
from ..teach import words
from ..teach.danger import Punishment, punishment
from ..teach.explain import Explanation, Hint, explanation
from ..teach.explain import hint as best_move
from ..teach.review.judge import Budget, review_game
from ..teach.review.reviewed import Review
from ..util.files import escaped
from ..util.limit import Deadline, Limit
from ..version import PROGRAM
from . import reading
from .reading import Wanted
from .reply import SIGNS, Question, Refused, Tone
from .session import Files, Resources, Session, Word

EASY: Final = {"easy": 1, "normal": levels.RECOMMENDED, "hard": 6}
"""Levels by the words that a child may type."""
MOST_NUMBERS: Final = 5
"""Maximum number of moves of a line that hints and explanations show on the board."""
MOST_TURNS: Final = 3
"""Maximum number of extra turns that Black gets by the custom between games."""
UNNAMED: Final = ("Black", "White", "you")
"""The names in a file for people without a name: "Black" and "White" for two people, "you" for one person."""
CUT_OFF: Final = "unfinished"
"""The beginning of the name of a file in which a game is saved when its screen is closed."""
_SIZE: Final = re.compile(r"(\d{1,2})\s*(?:x\s*(\d{1,2}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Seats:
    """The sides of a game: the people, the engine's level, and the rules and the board."""

    rules: Rules
    width: int
    height: int
    people: frozenset[int]
    """The colours that people play; the engine plays the others."""
    names: tuple[str, str] = ("", "")
    """The names of the people with Black and White; "" for none."""
    handicap: int = 0
    """Stones of Black before White's first move; 0 for none."""
    crosscut: bool = False
    """Whether the board begins with a crosscut."""
    level: int = levels.FIRST
    """The level of the engine."""
    adapt: bool = False
    """Whether the level follows the results of the person."""
    warn: bool = False
    """Whether a move that can be punished at once is shown before it is played."""

    @property
    def turns(self) -> int:
        """Extra turns of Black at the start, in a capture game."""
        return max(0, self.handicap - 1)

    def new_game(self) -> Game:
        """Return the game before its first move. Refused: the board is too small for the opening or the handicap."""
        size = f"{self.width}x{self.height}"
        if self.handicap and self.crosscut:
            raise Refused("start.both")
        if 2 * self.handicap > self.width * self.height:
            raise Refused("start.handicap", size=size, stones=self.handicap)
        game = Game(self.rules, (self.width, self.height))
        if self.crosscut:
            try:
                game.setup_points(*crosscut(self.width, self.height), BLACK)
            except GameError:
                raise Refused("start.crosscut", size=size) from None
        if self.handicap and not self.rules.is_capture_game:
            game.place_handicap(map(game.vertex, spread(self.width, self.height, self.handicap)))
        return game


class GameSession(Session):
    """A game: moves of people and of the engine, help of the engine, and the custom between games."""

    def __init__(self, seats: Seats, resources: Resources, game: Game | None = None) -> None:
        """`game`: a saved game to go on with. Refused: see `Seats.new_game`."""
        super().__init__(resources)
        if resources.files is None:
            self.words = {name: word for name, word in self.words.items() if name != "save"}
        self._sit(seats)
        self._adopt(game or seats.new_game())
        self.custom: bool | None = None
        """Whether the loser takes Black, with extra turns after a loss with Black; None if not asked yet."""
        self._preparing = False
        """Whether the person was told that the search is being compiled."""

    def _sit(self, seats: Seats) -> None:
        self.seats = seats
        self.voice = replace(self.voice, people=seats.people)

    def _adopt(self, game: Game) -> None:
        """Go on with a game; playouts estimate the status of chains that are not proven alive or dead."""
        game.find_statuses = life.statuses
        self.game = game
        self.saved = len(game.moves)
        """The number of moves of the game when it was last saved."""
        self.counted = game.is_over
        """Whether the end of this game was recorded, so that the level changes only once."""

    def state(self) -> dict[str, Any]:
        """See Session."""
        seats = self.seats
        own = {**asdict(seats), "rules": str(seats.rules), "people": sorted(seats.people), "names": [*seats.names]}
        session = {"custom": self.custom, "saved": self.saved, "counted": self.counted}
        return {"kind": "game", "seats": own, "sgf": sgf.dump(self.game).decode(), **session}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on with a state."""
        self._sit(seats_of(state))
        self._adopt(sgf.load(state["sgf"].encode(), self.seats.rules, resignation=True))
        self.custom, self.saved, self.counted = state["custom"], state["saved"], state["counted"]

    # --- Start and input ---

    @property
    def wanted(self) -> Wanted:
        """See Session."""
        sample, text = reading.example(*self.game.size), self.voice.text
        point, instruction = text("unclear.point", example=sample), text("play.help", example=sample)
        return Wanted(point, instruction, *self.game.size, sample)

    @property
    def prompt(self) -> str:
        """The colour to move; "" after the end of the game."""
        return "" if self.game.is_over else self.voice.name(self.game.to_move)

    def start(self) -> None:
        """Greet the person, and begin with the engine's move if it is its turn."""
        seats, level = self.seats, ""
        if not self.voice.two:
            level = self.voice.text("play.level", number=seats.level, name=levels.name(seats.level))
        self.tell(words.greeting(self.game, level, self.voice, SIGNS, self.wanted.sample))
        if self._adapts:
            self.say("play.adapt", level=seats.level)
        if seats.handicap and self.game.rules.is_capture_game:
            self.say("play.handicap", stones=seats.handicap)
        self._go_on()

    def resume(self) -> None:
        """Show the board, and go on."""
        self._go_on()

    # --- Moves ---

    def answer(self, point: int) -> None:
        """Play a move of the person to move; with warnings on, first show how it can be punished.

        Refused: the move is illegal.
        """
        self._must_go_on()
        game, color = self.game, int(self.game.to_move)
        reason = game.why_illegal_point(point, color)
        if reason is not None:
            raise Refused(f"illegal.{reason.name.lower()}", move=game.vertex(point))
        if not self.seats.warn or point <= 0 or self.extra_turns > 1:
            self._make(point)
            return
        asked, ladders = game.copy(), self.resources.searches.warmup.state is State.READY
        self.work(
            lambda stop: punishment(asked, point, color, ladders=ladders), lambda found: self._judged(point, found)
        )

    def _judged(self, point: int, found: Punishment | None) -> None:
        if found is None:
            self._make(point)
            return
        game, move = self.game, self.game.vertex(point)
        self.say("warning", Tone.STRONG, move=move)
        self.tell(words.warning(found, self.voice))
        after = game.copy()
        after.play_point(point)
        self._replay(after, int(found.color), found.line)
        self.ask(
            Question.YES_NO, "warning.question", lambda back: self._show() if back else self._make(point), move=move
        )

    def _make(self, point: int) -> None:
        """Play a legal move."""
        self.game.play_point(point)
        self.tell(words.taken_line(self.game, self.voice))
        self._go_on()

    def _go_on(self) -> None:
        """Ask for the engine's move if it is its turn; else show the board."""
        game = self.game
        if self.extra_turns and game.moves:
            game.set_to_move(BLACK)
        if game.is_over or game.to_move in self.seats.people:
            self._show()
            return
        asked, color, level, searches = game.copy(), int(game.to_move), self.seats.level, self.resources.searches

        def choose(stop: Event) -> int:
            with searches.player(level) as player:
                found = player.opening(asked, color)
                return (found or player.choose(asked, color, searches.limit.begin(stop))).move

        self.work(choose, self._reply_with)

    def _reply_with(self, point: int) -> None:
        """Play the engine's move. RuntimeError: it is illegal, which is a bug of the player."""
        reason = self.game.why_illegal_point(point)
        if reason is not None:
            raise RuntimeError(f"the player chose {self.game.vertex(point)}: {reason}")
        key = {PASS: "play.move.pass", RESIGN: "play.move.resign"}.get(point, "play.move")
        self.say(key, move=self.game.vertex(point))
        self._make(point)

    @property
    def extra_turns(self) -> int:
        """The extra turns that Black has left before White begins, in a capture game with handicap."""
        if self.game.is_over or not self.game.rules.is_capture_game:
            return 0
        return max(0, self.seats.handicap - len(self.game.moves))

    def _must_go_on(self) -> None:
        if self.game.is_over:
            raise Refused("play.over")

    # --- The view of the game ---

    def _show(self) -> None:
        """Show the position; after two passes count the points first, for which the search may have to be loaded."""
        game = self.game
        if not game.is_over or game.positions[-1].decided is not None:
            self._show_position()
            return
        asked = game.copy()

        def count(stop: Event) -> None:
            asked.statuses()  # the copy keeps them

        def show(_: None) -> None:
            game.take_statuses(asked)
            self._show_position()

        self.work(count, show)

    def _show_position(self) -> None:
        """Show the board, the last move, prisoners, chains in atari, and the turn or the result."""
        game, state = self.game, self.resources.searches.warmup.state
        if state is State.COMPILING and not self._preparing:
            self.say("play.preparing")
        elif state is State.READY and self._preparing:
            self.say("play.ready")
        self._preparing = state is State.COMPILING
        self.show(game, marked=True)
        if (last := game.last_move) is not None:
            self.tell(words.last_move(game, last, self.voice))
        self.tell(words.prisoner_line(game, self.voice) or "")
        outcome = game.outcome
        if outcome is None:
            self.tell(words.atari_lines(game, self.voice), Tone.STRONG)
            self.tell(words.turn_line(game.to_move, self.voice, SIGNS))
            return
        self.tell(words.count_lines(game, self.voice))
        self.tell(words.result_line(game, outcome, self.voice), Tone.STRONG)
        ends = {name: f"{word.group}.command.{name}.end" for name, word in self.words.items() if word.at_end}
        text = self.voice.text
        offers = [text("play.offer", command=name, purpose=text(key)) for name, key in ends.items()]
        self.say("play.offers", commands=offers)
        self._follow_result()

    def _replay(self, game: Game, color: int, line: Sequence[str], most: int | None = None) -> None:
        """Show the numbered moves of a line that a colour begins.

        `most`: show no more moves, and say if the game goes on after them.
        """
        points = [game.point(move) for move in line[:most]]
        self.show_line(game, color, points, marked=True)
        self.tell(words.line_of_moves(color, line[:most], self.voice))
        if most is not None:
            after = game.copy()
            for n, point in enumerate(points):
                after.play_point(point, (color, opponent(color))[n % 2])
            if after.outcome is None:
                self.say("explain.numbers.first")

    # --- Level ---

    @property
    def _adapts(self) -> bool:
        """Whether the level of the engine follows results."""
        return self.seats.adapt and not self.voice.two

    def _follow_result(self) -> None:
        """After the first end of a game, change the level if it follows results and the extra turns do not change."""
        outcome = self.game.outcome
        if outcome is None or self.counted:
            return
        self.counted = True
        won = outcome.winner in self.seats.people
        if outcome.winner is not None and self._level_follows(won):
            level = next_level(self.seats.level, won)
            if level != self.seats.level:
                self._set_level(level)
            self.record(lambda progress: progress.record(level))
        self.ended(won)

    def ended(self, won: bool) -> None:
        """Called after the first end of a game. `won`: whether a person has won."""
        return

    def _level_follows(self, won: bool) -> bool:
        """Whether the end of the game changes the level, instead of the extra turns of the custom."""
        turns = self.seats.turns
        if not self._adapts or not self.custom:
            return self._adapts
        return turns == 0 if won else turns >= self._most_turns

    def _set_level(self, level: int) -> None:
        self.seats = replace(self.seats, level=level)
        self.say("play.level.now", number=level, name=levels.name(level))

    # --- The next game ---

    def _begin_again(self) -> None:
        self._adopt(self.seats.new_game())
        self._go_on()

    def if_given_up(self, then: Callable[[], None]) -> None:
        """Call `then` if the game is over, has no unsaved move of a person, or the person agrees to give it up."""
        if self.game.is_over or not self.is_unsaved:
            then()
        else:
            self.ask(Question.YES_NO, "play.begin_again", lambda yes: then() if yes else self.say("play.same"))

    def _next_game(self) -> None:
        """Begin another game; after a capture game offer the custom once, and follow it if the person agreed."""
        outcome, seats = self.game.outcome, self.seats
        decided = outcome is not None and outcome.winner is not None
        if not decided or not self.game.rules.is_capture_game or seats.crosscut or self.custom is False:
            self._begin_again()
        elif self.custom is None:
            self.ask(Question.YES_NO, "play.custom", self._keep_custom, most=MOST_TURNS)
        else:
            self._change_sides()
            self._begin_again()

    def _keep_custom(self, yes: bool) -> None:
        self.custom = yes
        if yes and self._adapts:
            self.say("play.custom.adapt", most=self._most_turns)
        self._next_game()

    def _change_sides(self) -> None:
        """Set the sides and the extra turns of Black by the custom.

        The loser takes Black, with one more extra turn after a loss with Black. After a win with extra turns the sides
        stay, with one extra turn less.
        """
        outcome, seats = self.game.outcome, self.seats
        assert outcome is not None
        turns, people, names = seats.turns, seats.people, seats.names
        if less := outcome.winner == BLACK and turns > 0:
            turns -= 1
        elif outcome.winner == BLACK:
            people, names = frozenset(map(opponent, people)), (names[1], names[0])
        elif not self._level_follows(WHITE in people) and turns < self._most_turns:
            turns += 1
        self._sit(replace(seats, people=people, names=names, handicap=turns + 1 if turns else 0))
        self.say("play.custom.less" if less else "play.custom.loser")
        if not self.voice.two:
            self.tell(words.sides_line(self.voice, SIGNS))
        if turns:
            self.say("play.handicap", stones=turns + 1)

    @property
    def _most_turns(self) -> int:
        """The extra turns that Black may have on this board."""
        return min(MOST_TURNS, self.game.width * self.game.height // 2 - 1)

    # --- Saving and leaving ---

    @property
    def is_unsaved(self) -> bool:
        """Whether a person has moved, and the game has changed since it was saved."""
        moves = self.game.moves
        return any(move.color in self.seats.people for move in moves) and len(moves) != self.saved

    def sgf(self) -> bytes:
        """Return the game as SGF, with the names of the people and the level of the engine."""
        seats, engine = self.seats, f"{PROGRAM} level {self.seats.level}"
        unnamed = UNNAMED[:2] if self.voice.two else UNNAMED[2:] * 2
        people = (name or other for name, other in zip(seats.names, unnamed, strict=True))
        colors = zip((BLACK, WHITE), people, strict=True)
        black, white = (name if color in seats.people else engine for color, name in colors)
        game = self.game.copy()
        game.info |= {"black": black, "white": white}
        return sgf.dump(game)

    def leave(self) -> None:
        """End the session; first offer to save the game."""
        if self.is_unsaved and self.resources.files is not None:
            key = "play.finished" if self.game.is_over else "play.unfinished"
            self.ask(Question.NAME, key, self._named)
        else:
            self.over = True

    def _named(self, name: str | bool) -> None:
        if name == "":
            self._go_on()
        elif name is False:
            self.over = True
        else:
            self._save("" if name is True else name, leaving=True)

    def rescue(self, files: Files | None = None) -> str:
        """See Session."""
        files = files or self.resources.files
        if files is None or not self.is_unsaved:
            return ""
        name = files.free(CUT_OFF)
        files.write(name, self.sgf())
        return name

    def _save(self, name: str, *, leaving: bool) -> None:
        """Save the game; without a name, under the first free name. A file is replaced if the person agrees."""
        files = self.resources.files
        assert files is not None
        file = files.find(name) if name.strip() else files.free("game")
        shown = escaped(file)

        def write(agreed: bool) -> None:
            if not agreed:
                self.say("play.kept", file=shown)
                return
            files.write(file, self.sgf())
            self.saved, self.over = len(self.game.moves), leaving
            self.say("play.saved", file=shown)
            if leaving and not self.game.is_over:
                self.say("play.go_on", command=escaped(files.command(file)))

        if files.exists(file):
            self.ask(Question.YES_NO, "play.overwrite", write, file=shown)
        else:
            write(True)

    # --- Words ---

    def _search(
        self, run: Callable[[Analyst, Deadline], Any], then: Callable[[Any], object], limit: Limit | None = None
    ) -> None:
        """Run a search of a player of full strength as work. `limit`: by default the limit of a move."""
        searches = self.resources.searches

        def work(stop: Event) -> Any:
            with searches.analyst() as analyst:
                return run(analyst, (limit or searches.limit).begin(stop))

        self.work(work, then, slow=True)

    def _say_rules(self) -> None:
        game = self.game
        self.say("rules.game", Tone.STRONG, rules=game.rules, size=f"{game.width}x{game.height}")
        self.tell(words.game_goal(game.rules, self.voice))
        self.tell(words.rules_lines(game, self.seats.handicap if game.rules.is_capture_game else 0, self.voice))

    def _hint(self) -> None:
        """Say the best move of the side to move, and the reason for it."""
        self._must_go_on()
        self._check_turns()
        asked, color = self.game.copy(), int(self.game.to_move)
        self._search(lambda analyst, limit: best_move(analyst, asked, color, limit), self._say_hint)

    def _say_hint(self, found: Hint | None) -> None:
        if found is None:
            raise Refused("play.no_hint")
        self.tell(words.hint(found, self.voice), place=found.move)
        if found.wins and len(found.line) > 1:
            self.say("explain.numbers")
            self._replay(self.game, int(found.color), found.line, MOST_NUMBERS)

    def _check_turns(self) -> None:
        """Refuse help during the extra turns of a handicap: proofs are about games in which the sides take turns."""
        if turns := self.extra_turns:
            raise Refused("play.turns", count=turns)

    def _explain(self) -> None:
        """Say whether the last move of the person is a proven loss, and show the refutation.

        If people play both sides, it is the last move on the board of the side that has lost.
        """
        game = self.game
        own = [n for n, move in enumerate(game.moves, 1) if move.color in self.seats.people]
        if self.voice.two and game.outcome is not None and (winner := game.outcome.winner) is not None:
            own = [n for n in own if game.moves[n - 1].color != winner and game.moves[n - 1].point != RESIGN] or own
        if not own:
            raise Refused("play.not_played")
        self._check_turns()
        passed_out = game.outcome is not None and game.outcome.termination is Termination.TWO_PASSES
        plies = len(game.moves) if passed_out else own[-1]
        asked, other = game.copy(plies), opponent(game.moves[plies - 1].color)
        reply = next((move.point for move in game.moves[plies:] if move.color == other and move.point > 0), PASS)

        def say(found: Explanation) -> None:
            self.tell(words.statement(found, self.voice))
            if found.line:
                self.tell(words.numbers(found, asked.vertex(reply) if reply > 0 else None, self.voice))
                self._replay(asked, other, found.line, MOST_NUMBERS)
            self.tell(words.context(found, self.voice))

        self._search(lambda analyst, limit: explanation(analyst, asked, limit, reply), say)

    def _review(self) -> None:
        """Say the remarks on the moves of the game, and which mistake decided it."""
        if not self.game.moves:
            raise Refused("play.no_moves")
        asked, limit = self.game.copy(), self.resources.searches.review
        if limit.seconds is not None:
            self.say("play.review", seconds=limit.seconds)
        self._search(
            lambda analyst, deadline: review_game(analyst, asked, Budget(deadline)),
            self._say_review,
            limit,
        )

    def _say_review(self, found: Review) -> None:
        """Say all remarks; on a page only what matters to a child, with the board where the game turned."""
        if not self.voice.taps:
            self.tell(words.review_lines(found, self.voice))
            return
        turning = found.deciding
        self.tell(words.for_child(found, self.voice))
        if turning is not None and turning.advice is not None and turning.advice.move != "pass":
            before = found.game.copy(turning.number - 1)
            self.show_line(before, int(turning.color), [before.point(turning.advice.move)], marked=True)

    def _undo(self, rest: str) -> None:
        """Take back the last move of the person, or several, with all replies."""
        game = self.game
        if rest and not (rest.isascii() and rest.isdigit() and int(rest[:6]) > 0):
            raise Refused("play.undo.types")
        count, own = int(rest[:6] or 1), [n for n, move in enumerate(game.moves) if move.color in self.seats.people]
        if not own:
            raise Refused("lesson.no_undo")
        if count > len(own):
            raise Refused("play.undo.fewer", count=len(own))
        while len(game.moves) > own[-count]:
            game.undo()
        self.saved = min(self.saved, len(game.moves))
        self._show()

    def _level(self, rest: str) -> None:
        """Change the level; without a text, say it."""
        known: dict[str, Any] = {"easy": [*EASY], "most": levels.FULL, "names": self.voice.listed(levels.NAMES)}
        level = self.seats.level
        if rest:
            try:
                level = EASY.get(rest.lower()) or levels.level(rest.lower())
            except ValueError:
                raise Refused("play.level.unknown", text=reading.quoted(rest), **known) from None
        self._set_level(level)
        if not rest:
            self.say("play.level.types", **known)

    def _pass(self) -> None:
        """Pass; ask first if that loses by the rules."""
        self._must_go_on()
        game, color = self.game, int(self.game.to_move)
        if game.rules.may_pass and game.loses_without_play(color):
            winner = self.voice.person(opponent(color))
            self.ask(
                Question.YES_NO,
                "play.losing_pass",
                lambda yes: self.answer(PASS) if yes else self._show(),
                winner=winner,
            )
        else:
            self.answer(PASS)

    def _new(self, rest: str) -> None:
        """Begin another game, on a board of another size if one is given."""
        if not any(char.isdigit() for char in rest):
            self.if_given_up(self._next_game)
            return
        found = _SIZE.fullmatch(rest.lower())
        width, height = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
        if not (MIN_SIDE <= min(width, height) <= max(width, height) <= MAX_SIDE):
            raise Refused("play.new.types", least=MIN_SIDE, most=MAX_SIDE)
        seats = replace(self.seats, width=width, height=height)
        seats.new_game()

        def begin() -> None:
            self.seats = seats
            self._begin_again()

        self.if_given_up(begin)

    WORDS: ClassVar[Mapping[str, Word]] = {
        "help": Word(Session.help, "[WORD]", more=True),
        "rules": Word(lambda session, rest: session._say_rules()),
        "board": Word(lambda session, rest: session._show()),
        "hint": Word(lambda session, rest: session._hint()),
        "undo": Word(_undo, "[N]", more=True, at_end=True),
        "explain": Word(lambda session, rest: session._explain(), more=True, at_end=True),
        "review": Word(lambda session, rest: session._review(), more=True, at_end=True),
        "level": Word(_level, "[NAME]", more=True),
        "pass": Word(lambda session, rest: session._pass(), more=True),
        "resign": Word(lambda session, rest: session.answer(RESIGN), more=True),
        "new": Word(_new, "[N]", more=True, at_end=True),
        "save": Word(lambda session, rest: session._save(rest, leaving=False), "[FILE]", more=True),
        "quit": Word(lambda session, rest: session.leave(), at_end=True),
    }


def seats_of_file(game: Game, seats: Seats) -> Seats:
    """Return the seats to go on with a game of a file, which names its players.

    A name that begins with PROGRAM is the engine's, any other name a person's; without any name the seats stay.
    """
    seats = replace(seats, rules=game.rules, width=game.width, height=game.height, handicap=0, crosscut=False)
    root = read_tree(game.record or b"(;)")
    sides = {BLACK: root.text("PB"), WHITE: root.text("PW")}
    engine = [color for color, name in sides.items() if name.startswith(PROGRAM)]
    if len(engine) == 2 or not any(sides.values()):
        return seats
    black, white = ("" if color in engine or name in UNNAMED else name for color, name in sides.items())
    found = re.search(r"level (\d+)$", sides[engine[0]]) if engine else None
    level = int(found[1]) if found and 1 <= int(found[1]) <= levels.FULL else seats.level
    return replace(seats, people=frozenset(sides) - {*engine}, names=(black, white), level=level)


def seats_of(state: dict[str, Any]) -> Seats:
    """Return the seats in a state that `GameSession.state` returned."""
    own = state["seats"]
    black, white = own["names"]
    changes = {"rules": Rules.parse(own["rules"]), "people": frozenset(own["people"]), "names": (black, white)}
    return Seats(**{**own, **changes})
