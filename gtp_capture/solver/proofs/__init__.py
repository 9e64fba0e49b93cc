"""Proof files: their `format`, the `writer`, which uses the solver, and the independent `checker`."""
