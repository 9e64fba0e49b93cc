"""Go against GNU Go under `chinese`: the results, and whether the engine ends its games correctly.

    python -m tests.benchmarks.ordinary --games 200 --level 1 --playouts 100

Colours alternate; each pair of games starts from an opening of four random plays. Also counted: games in which both
engines agree about dead stones, passes of ours after which GNU Go's count still changed (too early), and plays of ours
that fill an own eye.
"""

from __future__ import annotations

import random
import shutil
import sys
from dataclasses import dataclass

import click

from gtp_capture import BLACK, Game
from gtp_capture.go import board as bd
from gtp_capture.go.game import showboard
from gtp_capture.go.scoring import Status
from gtp_capture.go.vertex import COLOR_NAMES, PASS, RESIGN, WHITE
from gtp_capture.jit.warmup import loaded
from gtp_capture.match.ratings import wilson
from gtp_capture.players import life
from gtp_capture.players.player import Player, PlayerSettings
from gtp_capture.players.registry import PLAYERS
from gtp_capture.util.limit import Limit

from ..support.process import GtpProcess

MOST_MOVES = 300
PLIES = 4


@dataclass(frozen=True)
class Played:
    """The observations of one game."""

    won: bool
    finished: bool
    """Whether it ended by two passes."""
    agreed: bool
    """Whether both engines list the same dead stones."""
    same_score: bool
    early: bool
    eyes_filled: int


def opening(size: int, seed: int) -> Game:
    """Return a game after a few random plays with no chain in atari."""
    chance = random.Random(seed)
    while True:
        game = Game("chinese", size)
        game.find_statuses = life.statuses
        for _ in range(PLIES):
            game.play_point(chance.choice(game.legal_plays()))
        if not game.atari(BLACK) and not game.atari(WHITE):
            return game


def play(player: Player, other: GtpProcess, size: int, ours: int, seed: int, limit: Limit) -> Played:
    """Play one game to its end."""
    game = opening(size, seed)
    other.send_all([f"boardsize {size}", "clear_board", f"komi {game.komi}"])
    for made in game.moves:
        other.ask(f"play {made.color} {made.vertex}")
    first_pass, eyes, resigned = None, 0, None
    while game.outcome is None and len(game.moves) < MOST_MOVES:
        color = game.to_move
        if color == ours:
            move = player.choose(game, color, limit.begin()).move
            eyes += move > 0 and bd.is_eye(game.board, move, color)
            if move == PASS and first_pass is None:
                first_pass = other.ask("final_score")
            other.ask(f"play {COLOR_NAMES[color]} {game.vertex(move)}")
        else:
            answer = other.ask(f"genmove {COLOR_NAMES[color]}")
            if answer.lower() == "resign":
                resigned = color
                break
            move = game.point(answer)
        assert move != RESIGN
        if color != ours and not game.is_legal_point(move, color):  # GNU Go repeats positions
            resigned = color
            break
        game.play_point(move, color)
    if resigned is not None or game.outcome is None:
        return Played(resigned is not None, False, True, True, False, eyes)
    theirs = {game.point(v) for v in other.ask("final_status_list dead").split()}
    dead = {
        q for p, status in (game.statuses() or {}).items() if status is Status.DEAD for q in bd.stones(game.board, p)
    }
    count = other.ask("final_score")
    lead = float(count[2:] if count != "0" else 0) * (1 if count[0] == "B" else -1)
    agreed = dead == theirs
    if not agreed:
        print(f"seed {seed}: dead here {sorted(map(game.vertex, dead - theirs))}", end=" ", file=sys.stderr)
        print(f"dead there {sorted(map(game.vertex, theirs - dead))}", file=sys.stderr)
        print(showboard(game), file=sys.stderr)
    won = (lead > 0) == (ours == BLACK)
    return Played(won, True, agreed, game.score() == lead, first_pass not in (None, count), eyes)


@click.command()
@click.option("--games", default=200, show_default=True)
@click.option("--size", default=9, show_default=True)
@click.option("--level", default=1, show_default=True, help="GNU Go's level.")
@click.option("--playouts", type=int, help="Per move of our player.")
@click.option("--seconds", type=float, help="Per move of our player.")
@click.option("--seed", default=1, show_default=True)
def main(games: int, size: int, level: int, playouts: int | None, seconds: float | None, seed: int) -> None:
    """Play games and print the counts."""
    program = shutil.which("gnugo") or "/usr/games/gnugo"
    player = PLAYERS["mcts"](PlayerSettings(seed=seed, threads=1), loaded())
    limit = Limit(seconds, playouts if playouts or seconds else 100)
    played = []
    with GtpProcess([program, "--mode", "gtp", "--level", str(level), "--chinese-rules", "--seed", str(seed)]) as other:
        for index in range(games):
            ours = BLACK if index % 2 == 0 else WHITE
            played.append(play(player, other, size, ours, seed + index // 2, limit))
            print(f"\r{index + 1} games", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    finished = [p for p in played if p.finished]
    won = sum(p.won for p in played)
    low, high = wilson(won / games, games)
    print(f"won {won} of {games} [{100 * low:.1f}, {100 * high:.1f}] %, {len(finished)} finished by two passes")
    print(f"of these, the same dead stones in {sum(p.agreed for p in finished)}", end=", ")
    print(f"the same score in {sum(p.same_score for p in finished)}")
    print(f"passed too early in {sum(p.early for p in finished)}, eyes filled: {sum(p.eyes_filled for p in played)}")


if __name__ == "__main__":
    main()
