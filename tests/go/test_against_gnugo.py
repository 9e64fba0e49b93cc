"""Random games compared with GNU Go over GTP: stones, prisoners and legal plays.

GNU Go forbids suicide and has the simple ko rule, as our `japanese` does. It chooses no moves here.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from gtp_capture import Game, Rules
from gtp_capture.go.board import points
from gtp_capture.go.vertex import BLACK, COLOR_NAMES, COLUMNS, EMPTY, PASS, WHITE
from tests.support.process import GtpProcess
from tests.support.random_games import random_play

PASSES = 0.03
TWICE = 0.05
"""Probability that a colour moves twice running."""
LOOKED_AT = 2.0
"""Comparisons of stones and legality per game of as many moves as the board has points."""


@dataclass
class Questions:
    """Commands for GNU Go, and the answers that follow from our game."""

    lines: list[str] = field(default_factory=list)
    wanted: list[frozenset[str]] = field(default_factory=list)
    """The words of the answer, in any order."""

    def ask(self, line: str, *words: object) -> None:
        self.lines.append(line)
        self.wanted.append(frozenset(str(word) for word in words))

    def prisoners(self, game: Game) -> None:
        for color, name in COLOR_NAMES.items():
            self.ask(f"captures {name}", game.prisoners(color))

    def position(self, game: Game) -> None:
        """Compare all stones and the legality of each empty point for either colour."""
        empty = [p for p in points(game.board) if game.board.color[p] == EMPTY]
        for color, name in COLOR_NAMES.items():
            stones = [game.vertex(p) for p in points(game.board) if game.board.color[p] == color]
            self.ask(f"list_stones {name}", *stones)
            for p in empty:
                self.ask(f"is_legal {name} {game.vertex(p)}", int(game.is_legal_point(p, color)))


def random_game(side: int, chance: random.Random, questions: Questions) -> None:
    game = Game(Rules.parse("japanese"), side)
    questions.ask(f"boardsize {side}")
    questions.ask("clear_board")
    color = BLACK
    for _ in range(3 * side * side // 2):
        point = PASS if chance.random() < PASSES else random_play(game, color, chance)
        before = game.prisoners(BLACK), game.prisoners(WHITE)
        ko_before = game.board.ko
        game.play_point(point, color)
        questions.ask(f"play {COLOR_NAMES[color]} {game.vertex(point)}")
        if before != (game.prisoners(BLACK), game.prisoners(WHITE)):
            questions.prisoners(game)
        # Errors are most likely with a ko and the move after it.
        if (game.board.ko and not ko_before) or chance.random() < LOOKED_AT / side**2:
            questions.position(game)
        color = color if chance.random() < TWICE else 3 - color
    questions.position(game)
    questions.prisoners(game)


@pytest.fixture(scope="module")
def referee(gnugo: str) -> Iterator[GtpProcess]:
    with GtpProcess([gnugo, "--mode", "gtp"]) as process:
        yield process


@pytest.mark.slow
@pytest.mark.parametrize(("side", "games"), [(5, 80), (7, 40), (9, 15), (13, 3), (19, 1)])
def test_random_games_agree_with_gnugo(referee: GtpProcess, side: int, games: int) -> None:
    chance = random.Random(side)
    for _ in range(games):
        questions = Questions()
        random_game(side, chance, questions)
        answers = referee.send_all(questions.lines)
        for index, (line, wanted, answer) in enumerate(zip(questions.lines, questions.wanted, answers, strict=True)):
            if not answer.ok or frozenset(answer.text.split()) != wanted:
                played = [text for text in questions.lines[: index + 1] if not text.startswith("is_legal")]
                pytest.fail(f"{line}: GNU Go says {answer}, we say {set(wanted)}\n" + "\n".join(played))


@pytest.mark.parametrize("side", [9, 13, 19])
def test_the_columns_of_showboard_stand_where_those_of_gnugo_do(referee: GtpProcess, side: int) -> None:
    game = Game(Rules.parse("japanese"), side)
    referee.ask(f"boardsize {side}")
    referee.ask("clear_board")
    for move in ("A1", f"C{side}", f"{COLUMNS[side - 1]}9", "C3", "D4"):
        referee.ask(f"play {game.to_move} {move}")
        game.play(move)
    # GNU Go marks star points, we mark the last stone. Prisoners stand beside the board. The first line is stripped.
    texts = str(game).replace("(", " ").replace(")", " "), referee.ask("showboard").replace("+", ".")
    ours, theirs = ([line[: 2 * side + 6].rstrip() for line in text.splitlines()[1:]] for text in texts)
    assert ours == theirs
