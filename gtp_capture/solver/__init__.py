"""The exact solver of capture games on small boards.

Where to look:
- `result`: the result of the solver, and the positions that it supports; without Numba.
- `solver`: `Solver`, the class to use; `dfpn`: the search, pn and dn; `task`: its records.
- `static`: static evaluation and ladders; `table`: the transposition table; `bitboard`: sets of points, Zobrist keys.
- `exhaustive`: the solver of games of several prisoners.
- `checkpoint`: the table in a file; `confirm`: verifies a winner; `distributed`: first moves in several processes.
- `proofs`: proof files (`format`), their `writer` and `checker`; in parts: `manifest`.
- `book`: opening books (`lookup`, `writer`).
"""
