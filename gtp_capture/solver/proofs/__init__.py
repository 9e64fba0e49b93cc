"""Proof files: their `format`, the `writer`, which uses the solver, and the independent `checker`.

For boards of more than 64 points `writer_wide` and `checker_wide` compile the same code for 128-bit numbers.
"""
