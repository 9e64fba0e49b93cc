"""Random games compared with Sabaki's board (npm @sabaki/go-board), on square and other boards."""

from __future__ import annotations

import json
import random
import subprocess
from typing import Any

import pytest

from gtp_capture import Game, Rules
from gtp_capture.go.board import colors
from gtp_capture.go.vertex import BLACK, EMPTY, PASS, WHITE, point_at

from ..support.paths import TESTS
from ..support.random_games import random_play

SCRIPT = TESTS / "node" / "go_board.mjs"
SIGNS = {BLACK: 1, WHITE: -1}
SYMBOLS = bytes.maketrans(bytes([EMPTY, BLACK, WHITE]), b".XO")
TWICE = 0.05
"""Probability that a colour moves twice running."""
LOOKED_AT = 1.0
"""Comparisons of every point per game of as many moves as the board has points."""

RULES = {
    "japanese": Rules.parse("japanese"),
    "japanese, suicide legal": Rules.parse("japanese").override(suicide=True),
    "capture-20": Rules.parse("capture-20"),
    "first-capture": Rules.parse("first-capture"),
}


def rows(game: Game) -> list[str]:
    """The board as text, the top row first."""
    cells = colors(game.board).translate(SYMBOLS).decode()
    starts = [point_at(0, row, game.width) for row in reversed(range(game.height))]
    return [cells[start : start + game.width] for start in starts]


def forbidden(game: Game, color: int) -> list[str]:
    """The empty points where a colour may not play."""
    free = [int(p) for p in game.board.empty[: game.board.empties]]
    return sorted(game.vertex(p) for p in free if not game.is_legal_point(p, color))


def random_game(game: Game, chance: random.Random) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A game for the script, and our state after each move. It continues after its end."""
    moves, looks, wanted = [], [], []
    size = game.width * game.height
    color = BLACK
    for index in range(3 * size // 2):
        if (point := random_play(game, color, chance)) == PASS:
            break
        game.play_point(point, color)
        moves.append([SIGNS[color], game.vertex(point)])
        # That board always has a ko rule, and does not support legal suicide.
        if str(game.rules) == "japanese" and chance.random() < LOOKED_AT / size:
            looks.append(index)
        wanted.append(
            {
                "rows": rows(game),
                "captures": [game.prisoners(BLACK), game.prisoners(WHITE)],
                "valid": True,
                "forbidden": [forbidden(game, BLACK), forbidden(game, WHITE)] if looks[-1:] == [index] else None,
            }
        )
        color = color if chance.random() < TWICE else 3 - color
    return {"width": game.width, "height": game.height, "moves": moves, "looks": looks}, wanted


def on_go_board(node: str, games: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The state after each move of the games by Sabaki's board."""
    run = subprocess.run(
        [node, str(SCRIPT)],
        input="".join(json.dumps(game) + "\n" for game in games),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    for answer in answers:
        if answer["forbidden"] is not None:
            answer["forbidden"] = [sorted(points) for points in answer["forbidden"]]
    return answers


SIZES = [(5, 5, 12), (7, 5, 6), (5, 7, 6), (3, 4, 6), (2, 9, 3), (9, 2, 3), (9, 9, 1), (13, 6, 1)]


@pytest.mark.parametrize("rules", RULES)
def test_random_games_agree_with_sabakis_board(node: str, rules: str) -> None:
    """152 games in all."""
    chance = random.Random(rules)
    games: list[dict[str, Any]] = []
    wanted: list[dict[str, Any]] = []
    for width, height, count in SIZES:
        for _ in range(count):
            game, stands = random_game(Game(RULES[rules], (width, height)), chance)
            games.append(game)
            wanted += stands
    answers = on_go_board(node, games)
    assert len(answers) == len(wanted)
    moves = [(game, index) for game in games for index in range(len(game["moves"]))]
    for (game, index), answer, ours in zip(moves, answers, wanted, strict=True):
        assert answer == ours, f"{game['width']}x{game['height']} after {game['moves'][: index + 1]}"


def test_the_widest_board_agrees(node: str) -> None:
    """25 columns, the last of which is Z in both."""
    game, wanted = random_game(Game(RULES["japanese"], (25, 3)), random.Random(1))
    assert any(vertex[0] == "Z" for _, vertex in game["moves"])
    assert on_go_board(node, [game]) == wanted
