"""The exact solver of capture games on small boards.

Where to look:
- `result`: the result of the solver, and the positions that it supports; without Numba.
- `exact`: the interface of both solvers; `choice`: `solver_for`, which chooses one.
- `solver`: `Solver`, for games that the next capture wins; `dfpn`: the search, pn and dn; `task`: the data of its
  threads.
- `static`: static evaluation, with `ladder`; `table`: the transposition table; `bitboard`: sets of points, Zobrist
  keys; `dfpn_large`: the kernel for boards of more than 64 points.
- `exhaustive`: `ExhaustiveSolver`, for games of several prisoners.
- `log`: the file from which a later run goes on; `collection`: several positions, each an independent task.
- `proofs`: proof files (`format`), their `writer` and `checker`.
"""
