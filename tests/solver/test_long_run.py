"""A long search from its beginning to its book, on a small scale: stops, a log, a proof in parts, its check, a book."""

from __future__ import annotations

import gzip
import random
from contextlib import closing
from pathlib import Path

import pytest

from gtp_capture.books import lookup
from gtp_capture.books.writer import lines_of_proof, write_book
from gtp_capture.cli.check_proof import check_parts
from gtp_capture.cli.solve import write_proof
from gtp_capture.go import board as bd
from gtp_capture.go.game import Game
from gtp_capture.go.opening import crosscut
from gtp_capture.go.symmetry import symmetries
from gtp_capture.go.vertex import BLACK, WHITE, opponent
from gtp_capture.jit.warmup import Warmup
from gtp_capture.players.mcts import MctsPlayer
from gtp_capture.players.player import PlayerSettings
from gtp_capture.solver.checkpoint import Checkpoint
from gtp_capture.solver.result import UNKNOWN, WIN
from gtp_capture.solver.solver import Solver
from gtp_capture.solver.table import ENTRY_BYTES, new_table
from gtp_capture.util.limit import Limit

PLAYS = "H5 B1 D8"
"""After the 9x9 crosscut; White, to move, loses."""
NODES = 52_000
"""Of a search with a large table, rounded up."""
PIECE = 10_000
"""Nodes of the first piece; each has twice those before it, as pieces that are short against the whole keep nothing."""
TURNS = 3


def image(game: Game, symmetry: tuple[int, ...], winner: int) -> Game:
    """Return the image of a position that Black wins, with another colour as the winner."""
    points = bd.points(game.board)
    colors = [int(game.board.color[points[i]]) for i in symmetry]
    own, opp = ([p for p, color in zip(points, colors, strict=True) if color == side] for side in (BLACK, WHITE))
    found = Game(game.rules, game.width)
    found.setup_points(own if winner == BLACK else opp, opp if winner == BLACK else own, opponent(winner))
    return found


@pytest.mark.slow
def test_a_search_in_pieces_with_a_small_table_ends_with_a_book(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game("first-capture", 9)
    game.setup_points(*crosscut(9, 9), BLACK)
    for play in PLAYS.split():
        game.play(play)
    result, pieces = UNKNOWN, 0
    while result == UNKNOWN:
        solver = Solver(9, 9, table=new_table(NODES * ENTRY_BYTES // 30))
        with closing(Checkpoint(solver, tmp_path / "log", {}, (solver.stones(game.board), game.to_move))):
            result = solver.value(game.board, game.to_move, Limit(nodes=PIECE * 2**pieces).begin())
        pieces += 1
    assert pieces > 2
    winner = int(game.to_move) if result == WIN else opponent(game.to_move)
    assert winner == BLACK
    write_proof(solver, game, winner, tmp_path / "proof", 5_000, quiet=True)
    checked = check_parts(tmp_path / "proof", 2**27, None, TURNS)
    assert (checked.winner, checked.parts > 2) == (winner, True)
    list(write_book(tmp_path / "9x9.book", lines_of_proof(checked.kept, 9, 9, winner)))
    book = gzip.decompress((tmp_path / "9x9.book").read_bytes())
    monkeypatch.setattr(lookup, "book_text", {"solved/9x9": book}.__getitem__)
    player, rng = MctsPlayer(PlayerSettings(seed=1), Warmup(print)), random.Random(1)
    for symmetry in symmetries(9, 9):
        for side in (BLACK, WHITE):
            start = image(game, symmetry, side)
            for _turn in range(TURNS):
                start.play_point(rng.choice(start.legal_plays()))
                if start.atari(opponent(side)):
                    break
                found = player.perfect_play.decide(start, side, Limit(playouts=1).begin(), start.legal_plays())
                assert found is not None
                assert found.winner == side
                start.play_point(found.line[0])
                known = player.perfect_play.known(start, opponent(side))
                assert known is not None
                assert known.winner == side
