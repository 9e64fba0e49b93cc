"""Hints, explanations, analyses and solutions are true in all capture games, compared with a search by definition.

Random games under random rules on tiny boards, with captures, passes and moves out of turn.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import pytest

from gtp_capture import Game, Ko, Passing, Rules, Scoring
from gtp_capture.go.vertex import COLOR_LETTERS, format_line, opponent
from gtp_capture.gtp.commands import registry
from gtp_capture.gtp.engine import Engine
from gtp_capture.gtp.options import Options
from gtp_capture.gtp.protocol import parse
from gtp_capture.jit.warmup import loaded
from gtp_capture.library.engine import analysis_of
from gtp_capture.players.lines import ladder
from gtp_capture.players.mcts import MctsPlayer
from gtp_capture.players.player import PlayerSettings
from gtp_capture.solver.exhaustive import ExhaustiveSolver
from gtp_capture.solver.result import Solution, unsupported, unsupported_multi_capture
from gtp_capture.teach.explain import explanation, hint, winning_hint
from gtp_capture.util.limit import Limit

from ..support.family import BLACK, NONE, WHITE, Family, State
from ..support.truth import ByDefinition, UndecidedError, false_explanation, false_hint, false_line, false_move, takes

STATEMENTS: Final = {(2, 2): 2500, (2, 3): 4500, (3, 2): 4500, (3, 3): 4500, (4, 3): 2200, (3, 4): 2200}
"""The statements checked on each board; in CI a part of them."""
POSITIONS: Final = 3
"""Positions under one set of rules."""
PLAYOUTS: Final = 150
NODES: Final = 20_000
"""Positions that the search by definition may take for one answer."""
VERTEX: Final = r"\b[A-Z]\d+\b"
INFO: Final = (
    rf"info move (\S+) visits \d+ winrate (\S+) .*? order \d+(?: proven (win|loss))? pv ((?:(?:{VERTEX}|pass) ?)+)"
)
"""A move of a report, its win rate, its proof and its line."""
EXAMPLES: Final = 8
"""False statements shown."""


class Statement(NamedTuple):
    """A checked statement."""

    kind: str
    text: str
    false: str | None
    """What is false; None if it is true."""


class Claim(NamedTuple):
    """What an analysis or a command says about a move."""

    text: str
    line: tuple[str, ...]
    """The move, and what may follow."""
    winrate: float | None
    """0 to 1, as written; None if there is none."""
    proof: str | None
    """"win" or "loss", if it is marked as proven."""


def random_rules(rng: random.Random) -> Rules:
    """Return rules of a capture game; some count points after two passes."""
    passing = rng.choice(list(Passing))
    scored = passing is not Passing.FORBIDDEN and rng.random() < 0.15
    return Rules(
        captures=rng.choice((1, 2, 2, 3, 3, 4, 5)),
        suicide=rng.random() < 0.4,
        ko=rng.choice(list(Ko)),
        passing=passing,
        scoring=rng.choice((Scoring.AREA, Scoring.TERRITORY)) if scored else Scoring.NONE,
    )


def random_line(family: Family, rng: random.Random) -> tuple[list[tuple[int, str]], State]:
    """Return the moves of a random game up to some point, and the state there; few games are over there."""
    out_of_turn = rng.choice((0.0, 0.0, 0.15))
    line, states, weights = list[tuple[int, str]](), list[State](), list[float]()
    state, color = family.start(), BLACK
    while len(line) < 4 * family.width * family.height:
        color = 3 - color if rng.random() < out_of_turn else color
        moves = list(family.moves(state, color))
        if not moves:
            break
        plays = [move for move in moves if move[0] is not None] or moves
        captures = [move for move in plays if sum(move[1].held) > sum(state.held)] or plays
        point, state = rng.choice(rng.choices((moves, plays, captures), (1, 6, 3))[0])
        line.append((color, family.vertex(point)))
        color = 3 - color
        over = family.winner(state, color)
        states.append(state)
        weights.append((len(line) if over is None else 2 if over != NONE else 0) * richness(family, state, color))
        if over is not None:
            break
    if not any(weights):
        return random_line(family, rng)
    number = rng.choices(range(len(line)), weights)[0]
    return line[: number + 1], states[number]


def richness(family: Family, state: State, color: int) -> int:
    """How often to choose a state: often if the next capture wins for both, or if a play would repeat a position."""
    short = family.captures > 1 and state.held == (family.captures - 1,) * 2
    free = state._replace(repeats=frozenset())
    forbidden = len(list(family.moves(free, color))) > len(list(family.moves(state, color)))
    return 60 if short and forbidden else 6 if short else 4 if forbidden else 1


def statements(game: Game, oracle: ByDefinition, asked: int) -> Iterator[Statement]:
    """Check all that is said about a position: the moves of a colour, the last move, and the solution."""
    player = MctsPlayer(PlayerSettings(seed=1, threads=1, memory=16 * 2**20), loaded())
    yield from about("explanation", lambda: about_last_move(player, game, oracle))
    position = game.copy()
    position.set_to_move(asked)
    if game.outcome is not None or position.outcome is not None:
        return
    yield from about("hint", lambda: about_best_move(player, game, position, oracle))
    analysed = [Claim(str(move), move.line, move.winrate, move.proof) for move in analysis_of(player, game, asked)]
    for kind, claims in (("analysis", analysed), ("GTP", written_moves(player, position))):
        for claim in claims:
            yield from about(kind, lambda claim=claim: about_claim(position, claim, oracle))  # type: ignore[misc]
    yield from about("solution", lambda: about_solution(player, position, oracle))


def about(kind: str, test: Callable[[], tuple[str, str | None] | None]) -> Iterator[Statement]:
    """Yield the statement of a test, if there is one and the search by definition decides it."""
    try:
        statement = test()
    except UndecidedError:
        return
    except ValueError as error:
        statement = "", f"{type(error).__name__}: {error}"
    if statement is not None:
        yield Statement(kind, *statement)


def about_last_move(player: MctsPlayer, game: Game, oracle: ByDefinition) -> tuple[str, str | None]:
    explained = explanation(player, game, Limit(playouts=PLAYOUTS).begin())
    return str(explained), false_explanation(game, explained, oracle)


def about_best_move(
    player: MctsPlayer, game: Game, position: Game, oracle: ByDefinition
) -> tuple[str, str | None] | None:
    """Check the hint for the colour to move in `position`, which may be to move out of turn in the game."""
    advice = hint(player, game, int(position.to_move), Limit(playouts=PLAYOUTS).begin())
    if advice is None:
        return None
    return str(advice), false_hint(position, advice, oracle)


def about_claim(position: Game, claim: Claim, oracle: ByDefinition) -> tuple[str, str | None]:
    return claim.text, false_move(position, claim.line, claim.winrate, claim.proof, oracle)


def written_moves(player: MctsPlayer, position: Game) -> Iterator[Claim]:
    """Yield what the commands of GUIs write about the moves of a position; a player has searched it."""
    options = Options(position.rules, position.width, position.height, playouts=PLAYOUTS, no_opening_book=True)
    engine = Engine(options, lambda line: None)
    engine.player, engine.game = player, position.copy()
    shown = {name: "".join(answer(engine, f"capture-gfx-{name}")) for name in ("proven", "winrate", "pv")}
    proofs = {
        vertex: proof
        for color, proof in (("green", "win"), ("red", "loss"))
        for points in re.findall(rf"COLOR {color} (.*)", shown["proven"])
        for vertex in points.split()
    }
    for vertex, rate in re.findall(rf"({VERTEX}) (\d+)(?!\S)", shown["winrate"].partition("LABEL")[2]):
        yield Claim(f"label {rate}", (vertex,), int(rate) / 100, proofs.get(vertex))
    variation = re.findall(VERTEX, shown["pv"])
    if variation:
        yield Claim(shown["pv"], tuple(variation), None, proofs.get(variation[0]))
    for command, whole in (("lz", 10_000), ("kata", 1)):
        engine.game = position.copy()
        reports = [line for line in answer(engine, f"{command}-genmove_analyze") if line.startswith("info")]
        for vertex, rate, proof, line in re.findall(INFO, reports[-1]) if reports else ():
            assert line.split()[0] == vertex
            yield Claim(f"{command} {rate} {proof} {line}", tuple(line.split()), float(rate) / whole, proof or None)


def answer(engine: Engine, command: str) -> list[str]:
    """The lines of a command's answer."""
    parsed = parse(command.encode())
    assert parsed is not None
    said = registry(engine.options, engine.player).run(engine, parsed)
    return [said] if isinstance(said, str) else list(said)


def about_solution(player: MctsPlayer, position: Game, oracle: ByDefinition) -> tuple[str, str | None] | None:
    color, rules, solution = int(position.to_move), position.rules, Solution(None)
    if unsupported(rules, position.board) is None:
        solution = player.perfect_play.solve(position, color, Limit().begin())
    elif unsupported_multi_capture(rules, position.board) is None:
        solver = ExhaustiveSolver(rules, position.width, position.height, 2**24)
        solution = solver.solve(position.board, color, Limit().begin())
    if solution.winner is None:
        return None
    line = format_line(color, map(position.vertex, solution.line))
    text = f"{COLOR_LETTERS[solution.winner]} wins in {solution.plies}: {line}"
    if not oracle.wins(position, color, solution.winner):
        return text, "it does not"
    if solution.plies is not None and not takes(position, color, solution.winner, solution.plies, oracle):
        return text, "the plies are wrong"
    return text, false_line(position, map(position.vertex, solution.line), solution.winner, oracle)


def written(game: Game, asked: int) -> str:
    """The rules, the size and the moves of a game, to play it again."""
    line = " ".join(f"{COLOR_LETTERS[int(move.color)]} {game.vertex(move.point)}" for move in game.moves)
    return f"{game.rules}, {game.width}x{game.height}, {line}, {COLOR_LETTERS[asked]} to move"


@pytest.mark.slow
@pytest.mark.parametrize("share", [5, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize(("width", "height"), STATEMENTS)
def test_every_statement_about_a_capture_game_is_true(width: int, height: int, share: int) -> None:
    rng, oracle = random.Random(f"{width}x{height} {share}"), ByDefinition(NODES)
    checked, false = 0, list[str]()
    while checked < STATEMENTS[width, height] // share:
        rules = random_rules(rng)
        for _ in range(POSITIONS):
            game = Game(rules, (width, height))
            line, state = random_line(oracle.family(game), rng)
            for color, vertex in line:
                game.play(vertex, color)
            asked = int(game.to_move) if rng.random() < 0.85 else opponent(int(game.to_move))
            assert_same_game(game, oracle.family(game), state)
            for statement in statements(game, oracle, asked):
                checked += 1
                if statement.false is not None:
                    false.append(f"{written(game, asked)}: {statement}")
    shortest = sorted(false, key=len)[:EXAMPLES]
    assert not false, "\n".join([f"{len(false)} of {checked} false", *shortest])


# Moves of a game whose next move is atari and wins: the rules, the size, the moves, and the true plies from there on.
ENDS_SOONER = [
    ("first-capture", (4, 4), "B D4, B C3, B C2, B A1, B C1, B B1, W B4, B D3, W A2, B D1, W A3, B B3, W A4", "B2", 1),
    ("capture-1 ko=simple", (3, 2), "B A2, W B1, B C2", "B2", 1),
    ("capture-2", (5, 2), "B A2, W B2, B E1, W A1, B D2, W D1, B C1, W A2", "B1", 1),
    ("capture-3 suicide=legal passing=stone", (4, 3), "B pass, W B2, B D2, W D3, B C1, W B3, B B1, W D1, B C3, W A1, "
     "B A3, W A2", "C2", 2),
    ("capture-2 suicide=legal", (4, 3), "B A2, W B3, B C2, W B2, B C3, W D1, B D2, W A1, B C1, W A3", "B1", 2),
    ("capture-5 suicide=legal ko=situational", (2, 3), "B B1, B A2, W A3, B A1, W B2, B B3, W A2, W B3, B A1, B B1",
     "B2", None),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "size", "moves", "atari", "plies"), ENDS_SOONER)
def test_an_atari_after_which_the_game_ends_sooner_is_not_said_to_take_three_moves(
    rules: str, size: tuple[int, int], moves: str, atari: str, plies: int | None
) -> None:
    """No legal move is left, each is a suicide, or superko forbids the capture."""
    game, oracle = Game(rules, size), ByDefinition(NODES)
    for move in moves.split(", "):
        game.play(move[2:], move[0])
    advice = winning_hint(game, int(game.to_move), game.point(atari))
    assert advice.plies is None
    trial, color = game.copy(), int(game.to_move)
    trial.play(atari)
    lengths = [n for n in (1, 2, 3) if oracle.within(trial, opponent(color), color, n - 1)]
    assert lengths[:1] == ([] if plies is None else [plies])


@pytest.mark.slow
def test_the_length_of_an_atari_that_wins_is_exact() -> None:
    rng, oracle, checked = random.Random(1), ByDefinition(3000), 0
    while checked < 60:
        width, height = rng.choice(((3, 3), (4, 3), (3, 4), (3, 2), (5, 2)))
        game = Game(random_rules(rng), (width, height))
        line, _ = random_line(oracle.family(game), rng)
        for color, vertex in line:
            game.play(vertex, color)
        chase = [] if game.is_over else ladder(game, int(game.to_move))
        if len(chase) == 1:
            advice = winning_hint(game, int(game.to_move), chase[0])
            assert advice.plies in (None, 3)
            assert false_hint(game, advice, oracle) is None, game
            checked += 1


def assert_same_game(game: Game, family: Family, state: State) -> None:
    """Compare the legal moves and the result of a game with the definition."""
    decided = game.positions[-1].decided
    assert family.winner(state, int(game.to_move)) == (
        None if decided is None or decided.winner is None else int(decided.winner)
    ), game
    for color in (BLACK, WHITE):
        legal = {family.vertex(point) for point, _ in family.moves(state, color)}
        assert decided is not None or legal == set(game.legal_moves(color)), game


def plain(family: Family, state: State, color: int, winner: int, known: dict[tuple[State, int, int], bool]) -> bool:
    """Whether `winner` can force a win with a colour to move, by trying everything with the whole past."""
    ended = family.winner(state, color)
    if ended is not None:
        return ended == winner
    key = state, color, winner
    if key not in known:
        results = (plain(family, after, 3 - color, winner, known) for _, after in family.moves(state, color))
        known[key] = any(results) if color == winner else all(results)
    return known[key]


@pytest.mark.parametrize("ko", list(Ko))
@pytest.mark.parametrize("passing", list(Passing))
@pytest.mark.parametrize("suicide", [False, True])
def test_positions_that_cannot_return_do_not_matter(ko: Ko, passing: Passing, suicide: bool) -> None:
    """The search by definition leaves them out of the past that it remembers."""
    rng = random.Random(f"{ko} {passing} {suicide}")
    for captures in (1, 2, 3):
        family = Family(2, 2, captures, suicide=suicide, ko=str(ko), passing=str(passing))
        known: dict[tuple[State, int, int], bool] = {}
        for _ in range(20):
            _, state = random_line(family, rng)
            for color in (BLACK, WHITE):
                for winner in (BLACK, WHITE):
                    assert family.wins(state, color, winner) == plain(family, state, color, winner, known), state


@pytest.mark.parametrize(("width", "height", "winner"), [(2, 2, WHITE), (3, 3, BLACK), (4, 3, BLACK)])
def test_the_search_by_definition_finds_the_published_winner_of_first_capture(
    width: int, height: int, winner: int
) -> None:
    family = Family(width, height, 1, suicide=False, ko="none", passing="stone")
    assert family.wins(family.start(), BLACK, winner)
