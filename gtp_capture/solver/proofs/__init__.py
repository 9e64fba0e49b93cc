"""Proof files: their `format`, the `writer`, which uses the solver, and the independent `checker`.

A large proof may be in parts: `manifest` is their format, `parts` and `parts_checker` write and check them.
"""
