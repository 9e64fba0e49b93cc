"""The player `uct`: plain UCT with uniform playouts, the baseline of strength measurements."""

from __future__ import annotations

from typing import Any

from ..go.game import Game
from ..go.words import counted
from ..util.limit import Deadline, run_in_slices
from .endgame import area_komi, passes_before, without_early_pass
from .player import Decision
from .search_player import SearchPlayer


class UctPlayer(SearchPlayer):
    """Plays the most visited move of a UCT search; a new tree for each move."""

    _worker: Any = None
    """Work board and random number generator of the compiled search."""

    def search(self, game: Game, color: int, moves: list[int], deadline: Deadline) -> Decision:
        """See SearchPlayer."""
        from ..jit.records import Turn, rules_record
        from ..search import uct
        from ..search.parameters import measured_rate

        if self._worker is None:
            self._worker = uct.new_worker(self.seed)
        nodes, used = uct.new_tree(moves), 1 + len(moves)
        turn = Turn(game.board, rules_record(game.rules, area_komi(game)), color, passes=passes_before(game))

        def run(count: int) -> int:
            nonlocal used
            used = uct.search(nodes, used, turn, self._worker, count)
            return count

        playouts = run_in_slices(run, deadline)
        chosen = without_early_pass(game, color, moves)
        best = max(
            (node for node in nodes[1 : 1 + len(moves)] if node.move in chosen), key=lambda node: int(node.visits)
        )
        winrate = measured_rate(float(best.wins), int(best.visits))
        return Decision(int(best.move), f"{winrate:.0%}, {counted(playouts, 'playout')}", playouts, winrate)
