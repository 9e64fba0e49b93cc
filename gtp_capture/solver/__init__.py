"""The exact solver of capture games on small boards.

Where to look:
- `result`: the result of the solver, and the positions that it supports; without Numba.
- `solver`: `Solver`, the class to use; `dfpn`: the search; `choice`: pn and dn; `task`: its records.
- `static`: static evaluation, with `ladder` and `lead`; `table`: the transposition table; `memory`: the data of a
  thread; `bitboard`: sets of points, Zobrist keys; `width`: the kernels for a board; `wide`: those for more than 64
  points.
- `exhaustive`: the solver of games of several prisoners.
- `checkpoint`: the table in a file; `confirm`: verifies a winner.
- `search`: a search by several processes; `trunk`: its first plies; `job`: the work of one process, with its `journal`
  for the others; `log`: all results, so that a run can go on.
- `proofs`: proof files (`format`), their `writer` and `checker`; in parts: `manifest`.
"""
