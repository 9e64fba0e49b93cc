"""Functions of packages above the caller's: what a value or a game shows of itself is made there.

The sentence of a hint is made where all sentences are, above the hint, and dead stones are found by search, above the
rules. So such a method finds its function by name when it is called; `tests/test_architecture.py` lists all of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

PACKAGE = __name__.partition(".")[0]


def above(name: str, *args: Any, **options: Any) -> Any:
    """Call a function of this package by its path, for example `above("teach.words.hint", hint)`."""
    module, _, function = name.rpartition(".")
    return getattr(import_module(f"{PACKAGE}.{module}"), function)(*args, **options)
