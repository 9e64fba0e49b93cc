"""Proof files: their `format`, the `writer`, which uses the solver, and the independent `checker`.

A large proof may be in parts: `manifest` is their format, `parts` and `parts_checker` write and check them. For boards
of more than 64 points `writer_wide` and `checker_wide` compile the same code for 128-bit numbers.
"""
