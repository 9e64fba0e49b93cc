"""The last passes of ordinary Go, judged by GNU Go: `python -m tests.benchmarks.closing --games 60`.

Players of several levels play games under `chinese`. Positions are collected in which `closing_move` would pass, also
after a pass of the opponent. From there GNU Go plays for both colours: after the pass, with a play of its own instead
of the pass, and after the play of `unsettled_play` if there is one. A pass loses points if the result is at least two
points worse than expected, and this can be avoided if it is not with GNU Go's own play.
"""

from __future__ import annotations

import random
import shutil
import sys
from collections import Counter
from collections.abc import Iterator

import click

from gtp_capture import BLACK, Game
from gtp_capture.go.vertex import COLOR_NAMES, PASS, opponent
from gtp_capture.jit.warmup import loaded
from gtp_capture.players import life
from gtp_capture.players.endgame import GameEnd, closing_move
from gtp_capture.players.player import PlayerSettings
from gtp_capture.players.registry import PLAYERS
from gtp_capture.players.settling import unsettled_play
from gtp_capture.util.limit import Limit

from ..support.process import GtpProcess

MOST_MOVES = 80
"""Moves that GNU Go plays on."""
LEAST_CHANGE = 2.0


def ends(size: int, seed: int, playouts: int) -> Iterator[tuple[Game, GameEnd]]:
    """Yield the positions of one game in which the colour to move would pass, each also with a pass before it."""
    chance = random.Random(seed)
    game = Game("chinese", size, komi=chance.choice([0.5, 7.5]))
    game.find_statuses = life.statuses
    players = [
        PLAYERS["mcts"](PlayerSettings(seed=seed + i, level=chance.choice([3, 6, 8, 10])), loaded()) for i in (0, 1)
    ]
    while not game.is_over and len(game.moves) < 2 * size * size:
        last = game.last_move
        after_pass = game.copy()
        after_pass.play_point(PASS)
        for position in [game] if last is not None and last.point == PASS else [game, after_pass]:
            closing = closing_move(position, position.to_move)
            if closing is not None and closing.move == PASS:
                yield position.copy(), closing
        game.play_point(players[len(game.moves) % 2].choose(game, game.to_move, Limit(playouts=playouts).begin()).move)


def played_on(other: GtpProcess, game: Game, color: int) -> float:
    """Return Black's lead without komi after GNU Go has played on, with a colour to move first."""
    stones = [p for p in range(len(game.board.color)) if game.board.color[p] in COLOR_NAMES]
    other.send_all(["clear_board", "komi 0"])
    for p in stones:
        other.ask(f"play {COLOR_NAMES[int(game.board.color[p])]} {game.vertex(p)}")
    passes = moves = 0
    while passes < 2 and moves < MOST_MOVES:
        passes = passes + 1 if other.ask(f"genmove {COLOR_NAMES[color]}").lower() == "pass" else 0
        color, moves = opponent(color), moves + 1
    count = other.ask("final_score")
    return float(count[2:] if count[0] in "BW" else 0) * (-1 if count[0] == "W" else 1)


@click.command()
@click.option("--games", default=60, show_default=True)
@click.option("--size", default=9, show_default=True)
@click.option("--playouts", default=400, show_default=True, help="Per move of the players.")
@click.option("--level", default=10, show_default=True, help="GNU Go's level.")
@click.option("--seed", default=1, show_default=True)
@click.option("--show", is_flag=True, help="Print the positions in which no play was found.")
def main(games: int, size: int, playouts: int, level: int, seed: int, show: bool) -> None:
    """Play games and print the counts."""
    program = shutil.which("gnugo") or "/usr/games/gnugo"
    options = ["--mode", "gtp", "--level", str(level), "--chinese-rules", "--never-resign", "--seed", "1"]
    seen: set[tuple[bytes, int]] = set()
    counts: Counter[str] = Counter()
    with GtpProcess([program, *options]) as other:
        other.ask(f"boardsize {size}")
        for index in range(games):
            for game, closing in ends(size, seed + 2 * index, playouts):
                color = game.to_move
                key = game.positions[-1].colors, int(color)
                if key in seen:
                    continue
                seen.add(key)
                sign, expected = (1 if color == BLACK else -1), (game.score() or 0.0) + game.komi
                lost = sign * (expected - played_on(other, game, opponent(color))) >= LEAST_CHANGE
                avoidable = lost and sign * (expected - played_on(other, game, color)) < LEAST_CHANGE
                counts["positions"] += 1
                counts["lost"] += lost
                counts["avoidable"] += avoidable
                play = unsettled_play(game, color, closing, Limit().begin(), seed)
                if play is None:
                    if avoidable and show:
                        print(f"\n{game}", file=sys.stderr)
                    continue
                game.play_point(play)
                change = sign * (played_on(other, game, opponent(color)) - expected)
                counts["found"] += avoidable
                counts["kept"] += avoidable and change > -LEAST_CHANGE
                counts["gained"] += not lost and change >= LEAST_CHANGE
                counts["needless"] += not lost and change < LEAST_CHANGE
                counts["harmful"] += not lost and change <= -LEAST_CHANGE
            print(f"\r{index + 1} games, {counts['positions']} positions", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    c = counts
    print(f"{c['positions']} positions: a pass loses points in {c['lost']}, which can be avoided in {c['avoidable']}.")
    print(f"In {c['found']} of these a play is found, which keeps the points in {c['kept']}; in {c['gained']} others")
    print(f"it gains points. In {c['needless']} it is needless, and loses points in {c['harmful']}")


if __name__ == "__main__":
    main()
