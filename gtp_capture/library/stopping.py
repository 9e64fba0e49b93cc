"""Calls that end early: an event that a `with` block sets, and calls that asyncio can cancel."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

Options = ParamSpec("Options")
Value = TypeVar("Value")


class Stop(threading.Event):
    """An event that ends the calls that have it as `stop=`: when it is set, or when its `with` block is left."""

    def __enter__(self) -> Stop:
        return self

    def __exit__(self, *error: object) -> None:
        self.set()


async def to_thread(function: Callable[Options, Value], *args: Options.args, **options: Options.kwargs) -> Value:
    """Call a function of this package that takes `stop=` in a thread, and await its value.

    It is `asyncio.to_thread`, except that the call ends at once if its task is cancelled. Errors are those of the
    function. TypeError: it takes no `stop`.
    """
    if not callable(function) or not any(
        option.name == "stop" or option.kind is option.VAR_KEYWORD
        for option in inspect.signature(function).parameters.values()
    ):
        raise TypeError(f"to_thread calls a function that takes stop=, such as gc.analyse, not {function!r}")
    with Stop() as stop:
        return await asyncio.to_thread(partial(function, *args, **options, stop=stop))  # type: ignore[arg-type]
