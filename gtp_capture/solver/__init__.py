"""The exact solver of capture games on small boards.

Where to look:
- `result`: the result of the solver, and the positions that it supports; without Numba.
- `solver`: `Solver`, the class to use; `dfpn`: the search, pn and dn; `task`: the data of its threads.
- `static`: static evaluation, with `ladder`; `table`: the transposition table; `bitboard`: sets of points, Zobrist
  keys; `wide`: the kernels for boards of more than 64 points.
- `exhaustive`: the solver of games of several prisoners.
- `checkpoint`: the table in a file; `confirm`: verifies a winner.
- `search`: a search by several processes; `trunk`: its first plies; `job`: the work of one process, with its `journal`
  for the others; `log`: all results, so that a run can go on.
- `proofs`: proof files (`format`), their `writer` and `checker`; in parts: `manifest`.
"""
