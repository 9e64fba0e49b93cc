"""A game of a person against the engine, or of two people at one board."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from threading import Event
from typing import Any, ClassVar, Final

from ..go import sgf
from ..go.game import Game
from ..go.picture import taken
from ..go.position import Termination
from ..go.vertex import BLACK, MAX_SIDE, MIN_SIDE, PASS, RESIGN, WHITE, opponent
from ..jit.warmup import State
from ..players import computer, levels
from ..players.computer import MOST_TURNS, Custom, most_turns
from ..players.player import Analyst
from ..teach import event as ev
from ..teach.danger import punishment
from ..teach.event import Asked, Line, Noted, Notice, Question, Refusal, RefusedError, Want, Wanted, illegal
from ..teach.explain import Explanation, Hint, explanation
from ..teach.explain import hint as best_move
from ..teach.review.judge import Budget, review_game
from ..util.fields import Fields
from ..util.files import escaped
from ..util.limit import Deadline, Limit
from . import reading
from .session import Files, Pace, Resources, Session, SessionCommand, Work
from .setup import GameSetup, setup_of

MOST_NUMBERS: Final = 5
"""Maximum number of moves of a line that hints and explanations show on the board."""
SAME: Final = "same"
"""What may follow `new`: the same game again."""
CHANGED: Final = "changed"
"""What may follow `new`: the game with the sides and the extra turns of `GameSession.next_setup`."""
CUT_OFF: Final = "unfinished"
"""The beginning of the name of a file in which a game is saved when its screen is closed."""
_SIZE: Final = re.compile(r"(\d{1,2})\s*(?:x\s*(\d{1,2}))?", re.ASCII)


class GameSession(Session):
    """A game: moves of people and of the engine, help of the engine, and the custom between games."""

    def __init__(self, setup: GameSetup, resources: Resources, game: Game | None = None) -> None:
        """`game`: a saved game to go on with. RefusedError: see `GameSetup.new_game`."""
        super().__init__(resources)
        if resources.files is None:
            self.commands = {name: command for name, command in self.commands.items() if name != "save"}
        self.setup: GameSetup = setup
        self._adopt(game or setup.new_game())
        self.custom: bool | None = None
        """Whether the loser takes Black, with extra turns after a loss with Black; None if not asked yet."""
        self._preparing = False
        """Whether the person was told that the search is being compiled."""

    @property
    def people(self) -> frozenset[int]:  # type: ignore[override]
        """See Session."""
        return self.setup.people

    @property
    def between_people(self) -> bool:
        """Whether people play both colours."""
        return len(self.people) > 1

    def _adopt(self, game: Game) -> None:
        """Go on with a game; playouts estimate the status of chains that are not proven alive or dead."""
        self.game = computer.prepare(game)
        self.saved = len(game.moves)
        """The number of moves of the game when it was last saved."""
        self.counted = game.is_over
        """Whether the end of this game was recorded, so that the level changes only once."""
        self.level = self.setup.level
        """The level of the engine in this game, also when its end has changed the level of the next one."""
        self.helped: set[int] = set()
        """The colours that had help in this game: a hint, an explanation before the end, or a move taken back."""

    def state(self) -> dict[str, Any]:
        """See Session."""
        setup = self.setup
        own = {name: getattr(setup, name) for name in setup.__slots__}
        own |= {"rules": str(setup.rules), "people": sorted(setup.people), "names": [*setup.names]}
        session: dict[str, Any] = {"custom": self.custom, "saved": self.saved, "counted": self.counted}
        session["helped"] = sorted(self.helped)
        return {"kind": "game", "seats": own, "sgf": setup.sgf(self.game).decode(), **session}

    def restore(self, state: Fields) -> None:
        """Go on with a state. FieldError: it is damaged."""
        self.setup = setup_of(state)
        try:
            game = sgf.load(state.text("sgf", sgf.MOST_BYTES).encode(), self.setup.rules, resignation=True)
        except sgf.SgfError as error:
            raise state.error(f"is no such game: {error}", "sgf") from None
        if game.size != (self.setup.width, self.setup.height):
            raise state.error("has another board", "sgf")
        self._adopt(game)
        self.custom = None if state.is_null("custom") else state.flag("custom")
        self.saved, self.counted = state.whole("saved"), state.flag("counted")
        self.helped = {*state.wholes("helped", BLACK, WHITE)}

    # --- Start and input ---

    @property
    def wanted(self) -> Wanted:
        """See Session."""
        return Wanted(Want.MOVE, *self.game.size, reading.example(*self.game.size))

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.game.is_over

    @property
    def to_move(self) -> int:
        """See Session."""
        return int(self.game.to_move)

    def start(self) -> None:
        """Greet the person, and begin with the engine's move if it is its turn."""
        game, level, sample = self.game.copy(), self.setup.level, self.wanted.sample
        self.report(ev.GameBegan(game=game, level=level, adapts=self._adapts, stones=self._stones, sample=sample))
        self._go_on()

    def actions(self, colors: Collection[int]) -> dict[str, Refusal | None]:
        """See Session. If another person plays too, undo is for the own last move, and help for after the game."""
        game, over, alone = self.game, self.game.outcome is not None, {*colors} == self.people
        turn, last = not over and int(game.to_move) in colors, game.last_move
        played = any(int(move.color) in colors for move in game.moves)
        waiting = Refusal.OVER if over else None if turn else Refusal.NOT_NOW
        own_last = not over and last is not None and int(last.color) in colors
        actions = {
            "hint": Refusal.EXTRA_TURNS if turn and self.extra_turns else waiting,
            "undo": None if (played if alone else own_last) else Refusal.NO_UNDO,
            "explain": Refusal.NOT_PLAYED if not played else None if over or alone else Refusal.NOT_NOW,
        }
        if game.rules.may_pass:
            actions["pass"] = waiting
        if over:
            actions["review"] = actions[f"new {SAME}"] = None
            if self.next_setup is not None:
                actions[f"new {CHANGED}"] = None
        else:
            actions["new"] = None if alone else Refusal.NOT_NOW
        if not over and int(game.to_move) not in self.people and self._work is None:
            actions["next"] = None  # to a move of the engine that was cut off
        return actions

    def resume(self) -> None:
        """Show the board, and go on."""
        self._go_on()

    # --- Moves ---

    def answer(self, point: int) -> None:
        """Play a move of the person to move; with warnings on, first show how it can be punished.

        RefusedError: the move is illegal.
        """
        self._must_go_on()
        game, color = self.game, int(self.game.to_move)
        reason = game.why_illegal_point(point, color)
        if reason is not None:
            raise illegal(reason, game.vertex(point))
        if not self.setup.warn or point <= 0 or self.extra_turns > 1:
            self._make(point)
            return
        asked, ladders = game.copy(), self.resources.searches.warmup.state is State.READY
        work = Work(lambda stop: punishment(asked, point, color, ladders=ladders))
        self.work(work, lambda threat: self._judged(point, threat))

    def _judged(self, point: int, threat: Hint | None) -> None:
        if threat is None:
            self._make(point)
            return
        move, after = self.game.vertex(point), self.game.copy()
        after.play_point(point)
        line = Line(game=after, color=int(threat.color), moves=threat.line)
        self.report(ev.Warned(move, threat, line))
        asked = Asked(Question.TAKE_BACK, {"move": move})
        self.ask(asked, lambda back: self._show() if back else self._make(point))

    def _make(self, point: int) -> None:
        """Play a legal move."""
        game, color = self.game, int(self.game.to_move)
        game.play_point(point)
        stones = taken(game.positions[-2:])
        captured, owner = tuple(map(game.vertex, stones)), next(iter(stones.values()), 0)
        self.report(ev.Played(color=color, move=game.vertex(point), captured=captured, owner=owner))
        self._go_on()

    def _go_on(self) -> None:
        """Ask for the engine's move if it is its turn; else show the board."""
        game = self.game
        if self.extra_turns and game.moves:
            game.set_to_move(BLACK)
        if game.is_over or int(game.to_move) in self.setup.people:
            self._show()
            return
        asked, color, level, searches = game.copy(), int(game.to_move), self.setup.level, self.resources.searches

        def choose(stop: Event) -> int:
            with searches.player(level) as player:
                return computer.reply(player, asked, color, searches.limit.begin(stop)).move

        self.work(Work(choose), self._make)

    @property
    def _stones(self) -> int:
        """The stones that Black plays before White begins, in a capture game with handicap; else 0."""
        return self.setup.handicap if self.game.rules.is_capture_game else 0

    @property
    def extra_turns(self) -> int:
        """The extra turns that Black has left before White begins, in a capture game with handicap."""
        return 0 if self.game.is_over else max(0, self._stones - len(self.game.moves))

    def _must_go_on(self) -> None:
        if self.game.is_over:
            raise RefusedError(Refusal.OVER)

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

        self.work(Work(count), show)

    def _show_position(self) -> None:
        """Show the board, the last move, prisoners, chains in atari, and the turn or the result."""
        game, state = self.game.copy(), self.resources.searches.warmup.state
        if state is State.COMPILING and not self._preparing:
            self.report(Noted(Notice.PREPARING))
        elif state is State.READY and self._preparing:
            self.report(Noted(Notice.READY))
        self._preparing = state is State.COMPILING
        self.report(ev.Standing(game))
        if game.moves and (turns := self.extra_turns):
            self.report(ev.TurnsLeft(turns))
        if game.is_over:
            offered = tuple(name for name, command in self.commands.items() if command.at_end)
            self.report(ev.Ended(game, offered))
            self._follow_result()

    def _first_moves(self, game: Game, color: int, moves: Sequence[str]) -> Line:
        """Return the first moves of a line that a colour begins."""
        shown, after = tuple(moves[:MOST_NUMBERS]), game.copy()
        for n, move in enumerate(shown):
            after.play_point(game.point(move), (color, opponent(color))[n % 2])
        return Line(game=game.copy(), color=color, moves=shown, goes_on=after.outcome is None)

    # --- Level ---

    @property
    def _adapts(self) -> bool:
        """Whether the level of the engine follows results."""
        return self.setup.adapt and not self.between_people

    def _follow_result(self) -> None:
        """After the first end of a game, change the level if it follows results and the extra turns do not change.

        A win with help changes no level.
        """
        outcome = self.game.outcome
        if outcome is None or self.counted:
            return
        self.counted = True
        won = outcome.winner is not None and int(outcome.winner) in self.setup.people
        level = computer.level_after(self.setup.level, outcome, {BLACK, WHITE} - self.setup.people)
        if level is not None and self._level_follows(won) and not (won and self.helped):
            if level != self.setup.level:
                self._set_level(level)
            self.record(lambda progress: progress.record(level))
        self.ended(won)

    def ended(self, won: bool) -> None:
        """Called after the first end of a game. `won`: whether a person has won."""
        return

    def _level_follows(self, won: bool) -> bool:
        """Whether the end of the game changes the level, instead of the extra turns of the custom."""
        return self._custom.changes_level(person_won=won) if self.custom else self._adapts

    @property
    def _custom(self) -> Custom:
        """The custom after this game."""
        return Custom(self.setup.turns, most_turns(self.game), self._adapts)

    def _set_level(self, level: int) -> None:
        self.setup = replace(self.setup, level=level)
        self.report(ev.LevelChanged(level))

    # --- The next game ---

    def _begin_again(self) -> None:
        self._adopt(self.setup.new_game())
        self._go_on()

    def if_given_up(self, then: Callable[[], None]) -> None:
        """Call `then` if the game is over, has no unsaved move of a person, or the person agrees to give it up."""
        if self.game.is_over or not self.is_unsaved:
            then()
        else:
            self.ask(Asked(Question.END_GAME), lambda yes: then() if yes else self.report(Noted(Notice.GAME_KEPT)))

    def _next_game(self) -> None:
        """Begin another game; after a capture game offer the custom once, and follow it if the person agreed."""
        changed = self._changed()
        if changed is None or self.custom is False:
            self._begin_again()
        elif self.custom is None:
            self.ask(Asked(Question.CUSTOM, {"most": MOST_TURNS}), self._keep_custom)
        else:
            self._begin_changed(changed)

    def _keep_custom(self, yes: bool) -> None:
        self.custom = yes
        if yes and self._adapts:
            self.report(Noted(Notice.CUSTOM_ADAPTS, {"most": most_turns(self.game)}))
        self._next_game()

    def _changed(self) -> GameSetup | None:
        """Return the setup of the next game by the custom: the loser has Black, and more or less help.

        None if the game has no winner, is no capture game, or did not begin with an empty board.
        """
        setup, custom, outcome = self.setup, self._custom, self.game.outcome
        winner = None if outcome is None else outcome.winner
        if winner is None or not self.game.rules.is_capture_game or setup.crosscut:
            return None
        people, names = setup.people, setup.names
        if custom.changes_sides(winner):
            people, names = frozenset(map(opponent, people)), (names[1], names[0])
        turns = custom.next_turns(winner, person_won=int(winner) in setup.people)
        return replace(setup, people=people, names=names, handicap=turns + 1 if turns else 0)

    @property
    def next_setup(self) -> GameSetup | None:
        """The setup of the next game by the custom; None if it is the same, or if the game has none."""
        changed = self._changed()
        return changed if changed != self.setup else None

    def _begin_changed(self, changed: GameSetup) -> None:
        """Begin a game with the sides and the extra turns of Black that the custom gives."""
        self.report(ev.SidesChanged(less=changed.turns < self.setup.turns, stones=changed.handicap))
        self.setup = changed
        self._begin_again()

    # --- Saving and leaving ---

    @property
    def is_unsaved(self) -> bool:
        """Whether a person has moved, and the game has changed since it was saved."""
        moves = self.game.moves
        return any(int(move.color) in self.setup.people for move in moves) and len(moves) != self.saved

    def leave(self) -> None:
        """End the session; first offer to save the game."""
        if self.is_unsaved and self.resources.files is not None:
            question = Question.SAVE_FINISHED if self.game.is_over else Question.SAVE_UNFINISHED
            self.ask(Asked(question), self._named)
        else:
            self.over = True

    def _named(self, name: str | bool | None) -> None:
        if name is None:
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
        files.write(name, self.setup.sgf(self.game))
        return name

    def _save(self, name: str, *, leaving: bool) -> None:
        """Save the game; without a name, under the first free name. A file is replaced if the person agrees."""
        files = self.resources.files
        assert files is not None
        file = files.find(name) if name.strip() else files.free("game")
        shown = escaped(file)

        def write(agreed: bool) -> None:
            if not agreed:
                self.report(Noted(Notice.FILE_KEPT, {"file": shown}))
                return
            files.write(file, self.setup.sgf(self.game))
            self.saved, self.over = len(self.game.moves), leaving
            self.report(Noted(Notice.SAVED, {"file": shown}))
            if leaving and not self.game.is_over:
                self.report(Noted(Notice.COMMAND_OFFERED, {"command": escaped(files.command(file))}))

        if files.exists(file):
            self.ask(Asked(Question.OVERWRITE, {"file": shown}), write)
        else:
            write(True)

    # --- Commands ---

    def _search(
        self, run: Callable[[Analyst, Deadline], Any], then: Callable[[Any], object], limit: Limit | None = None
    ) -> None:
        """Run a search of a player of full strength as work. `limit`: by default the limit of a move."""
        searches = self.resources.searches

        def work(stop: Event) -> Any:
            with searches.analyst() as analyst:
                return run(analyst, (limit or searches.limit).begin(stop))

        self.work(Work(work, Pace.SHORT if limit is None else Pace.LONG), then)

    def _explain_rules(self) -> None:
        self.report(ev.RulesExplained(self.game.copy(), self._stones))

    def _hint(self) -> None:
        """Say the best move of the side to move, and the reason for it."""
        self._must_go_on()
        self._check_turns()
        asked, color = self.game.copy(), int(self.game.to_move)
        self._search(lambda analyst, limit: best_move(analyst, asked, color, limit), self._hinted)

    def _hinted(self, advice: Hint | None) -> None:
        if advice is None:
            raise RefusedError(Refusal.NO_HINT)
        self.helped.add(int(advice.color))
        has_line = advice.wins and len(advice.line) > 1
        line = self._first_moves(self.game, int(advice.color), advice.line) if has_line else None
        self.report(ev.Hinted(advice, line))

    def _check_turns(self) -> None:
        """Refuse help during the extra turns of a handicap: proofs are about games in which the sides take turns."""
        if turns := self.extra_turns:
            raise RefusedError(Refusal.EXTRA_TURNS, count=turns)

    def _explain(self) -> None:
        """Say whether the last move of the person is a proven loss, and show the refutation.

        If people play both sides, it is the last move on the board of the side that has lost.
        """
        game = self.game
        own = [n for n, move in enumerate(game.moves, 1) if int(move.color) in self.setup.people]
        if self.between_people and game.outcome is not None and (winner := game.outcome.winner) is not None:
            own = [n for n in own if game.moves[n - 1].color != winner and game.moves[n - 1].point != RESIGN] or own
        if not own:
            raise RefusedError(Refusal.NOT_PLAYED)
        self._check_turns()
        passed_out = game.outcome is not None and game.outcome.termination is Termination.TWO_PASSES
        plies = len(game.moves) if passed_out else own[-1]
        asked, other = game.copy(plies), opponent(int(game.moves[plies - 1].color))
        reply = next((move.point for move in game.moves[plies:] if int(move.color) == other and move.point > 0), PASS)

        def explained(facts: Explanation) -> None:
            line = self._first_moves(asked, other, facts.line) if facts.line else None
            if not game.is_over:
                self.helped.add(opponent(other))
            self.report(ev.Explained(facts, line, asked.vertex(reply) if reply > 0 else None))

        self._search(lambda analyst, limit: explanation(analyst, asked, limit, reply), explained)

    def _review(self) -> None:
        """Report the remarks on the moves of the game, and which mistake decided it."""
        if not self.game.moves:
            raise RefusedError(Refusal.NO_MOVES)
        asked, limit = self.game.copy(), self.resources.searches.review
        if limit.seconds is not None:
            self.report(ev.ReviewBegan(limit.seconds))
        self._search(
            lambda analyst, deadline: review_game(analyst, asked, Budget(deadline)),
            lambda review: self.report(ev.Reviewed(review)),
            limit,
        )

    def _undo(self, rest: str) -> None:
        """Take back the last move of the person, or several, with all replies."""
        game = self.game
        rest = rest.translate(reading.NARROW).strip()
        if rest and not (rest.isascii() and rest.isdigit() and int(rest[:6]) > 0):
            raise RefusedError(Refusal.UNDO_UNCLEAR)
        count = int(rest[:6] or 1)
        own = [n for n, move in enumerate(game.moves) if int(move.color) in self.setup.people]
        if not own:
            raise RefusedError(Refusal.NO_UNDO)
        if count > len(own):
            raise RefusedError(Refusal.UNDO_FEWER, count=len(own))
        color = int(game.moves[own[-count]].color)
        self.helped.add(color)
        while len(game.moves) > own[-count]:
            game.undo()
        self.saved = min(self.saved, len(game.moves))
        self.report(ev.MoveTakenBack(color, self.setup.names[color - 1] if self.between_people else ""))
        self._show()

    def _level(self, rest: str) -> None:
        """Change the level; without a text, say it."""
        level = self.setup.level
        if rest:
            try:
                word = reading.full_name(rest, levels.WORDS, self.resources.language)
                level = levels.level(word or rest.translate(reading.NARROW).lower())
            except ValueError:
                raise RefusedError(Refusal.LEVEL_UNKNOWN, text=reading.shortened(rest)) from None
        self._set_level(level)
        self.level = level
        if not rest:
            self.report(ev.LevelsListed())

    def _pass(self) -> None:
        """Pass; ask first if that loses by the rules."""
        self._must_go_on()
        game, color = self.game, int(self.game.to_move)
        if game.rules.may_pass and game.loses_without_play(color):
            asked = Asked(Question.LOSING_PASS, {"winner": opponent(color)})
            self.ask(asked, lambda yes: self.answer(PASS) if yes else self._show())
        else:
            self.answer(PASS)

    def _new(self, rest: str) -> None:
        """Begin another game: the same or the changed one, or on a board of another size, if that is given."""
        if rest == SAME:
            self.custom = None
            self.if_given_up(self._begin_again)
            return
        if rest == CHANGED and (changed := self.next_setup) is not None:
            self.custom = True
            self._begin_changed(changed)
            return
        if not any(char.isdigit() for char in rest):
            self.if_given_up(self._next_game)
            return
        size = _SIZE.fullmatch(rest.translate(reading.NARROW).strip().lower())
        width, height = (int(size[1]), int(size[2] or size[1])) if size else (0, 0)
        if not (MIN_SIDE <= min(width, height) <= max(width, height) <= MAX_SIDE):
            raise RefusedError(Refusal.SIZE_UNCLEAR, least=MIN_SIDE, most=MAX_SIDE)
        setup = replace(self.setup, width=width, height=height)
        setup.new_game()

        def begin() -> None:
            self.setup = setup
            self._begin_again()

        self.if_given_up(begin)

    COMMANDS: ClassVar[Mapping[str, SessionCommand]] = {
        "help": SessionCommand(Session.help, "[WORD]"),
        "rules": SessionCommand(lambda session, rest: session._explain_rules()),
        "board": SessionCommand(lambda session, rest: session._show()),
        "hint": SessionCommand(lambda session, rest: session._hint()),
        "undo": SessionCommand(_undo, "[N]", at_end=True),
        "explain": SessionCommand(lambda session, rest: session._explain(), at_end=True),
        "review": SessionCommand(lambda session, rest: session._review(), at_end=True),
        "level": SessionCommand(_level, "[NAME]"),
        "pass": SessionCommand(lambda session, rest: session._pass()),
        "resign": SessionCommand(lambda session, rest: session.answer(RESIGN)),
        "new": SessionCommand(_new, "[N]", at_end=True),
        "save": SessionCommand(lambda session, rest: session._save(rest, leaving=False), "[FILE]"),
        "quit": SessionCommand(lambda session, rest: session.leave(), at_end=True),
    }
