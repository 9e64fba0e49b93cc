"""Compilation of kernels: once, without a change for other code, and with every version of Numba."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from numba.core import codegen

from gtp_capture.jit import cache, numba_parts
from gtp_capture.jit.kernel import inner


def test_negative_indices_of_other_code_work_as_always() -> None:

    def element(array: Any, index: int) -> Any:
        return array[index]

    inside, after = numba.njit(element), numba.njit(element)
    with numba_parts.for_kernels():
        assert inside(np.arange(5), 3) == 3
    assert after(np.arange(5), -2) == 3


@inner
def half(number: int) -> int:
    if number % 2:
        raise ValueError("odd")  # without values: an exception with some would count references
    return number // 2


def quarter(number: int) -> int:
    return half(half(number))


def test_only_a_kernel_gets_machine_code_and_not_the_functions_that_it_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    emitted: list[str] = []
    finalize = codegen.JITCodeLibrary._finalize_specific

    def recorded(library: Any) -> None:
        emitted.append(library.name)
        finalize(library)

    monkeypatch.setattr(codegen.JITCodeLibrary, "_finalize_specific", recorded)
    monkeypatch.setattr(cache, "folders", list)
    monkeypatch.setattr(cache, "writable_folder", lambda: None)
    kernel = numba_parts.compiled(quarter, numba.int64, (numba.int64,))
    assert emitted == ["quarter"]
    assert kernel(12) == 3
    with pytest.raises(ValueError, match=r"^odd$"):
        kernel(6)
    other = numba.njit(lambda number: half(number) + 1)  # a program may compile the same function
    assert other(10) == 6


BROKEN = {
    "a class is gone": "del caching.InTreeCacheLocator",
    "a function has another parameter": (
        "old = arrayobj.fix_integer_index\n"
        "arrayobj.fix_integer_index = lambda context, builder, idxty, idx, size, boundscheck=None: "
        "old(context, builder, idxty, idx, size)"
    ),
    "a method has another parameter": (
        "old = codegen.JITCPUCodegen.create_library\n"
        "codegen.JITCPUCodegen.create_library = lambda self, name, flags=None: old(self, name)"
    ),
}
KERNEL = """
import sys
from numba.core import caching, codegen
from numba.np import arrayobj
{broken}
sys.path.insert(0, {folder!r})
import twice
print(twice.twice(21), twice.below(5))
"""
TWICE = """
from numba import int64
from gtp_capture.jit.kernel import kernel

@kernel(int64, returns=int64)
def twice(number):
    return 2 * number

@kernel(int64, returns=int64)
def below(number):
    return 0 if number == 0 else 1 + below(number - 1)
"""


@pytest.mark.slow
@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_kernels_work_with_a_numba_whose_private_parts_changed(broken: str, tmp_path: Path) -> None:
    (tmp_path / "twice.py").write_text(TWICE)
    for _ in range(2):  # compiled, then from Numba's cache
        code = KERNEL.format(broken=broken, folder=str(tmp_path))
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout == "42 5\n"
        assert len(done.stderr.splitlines()) == 1
        assert "has changed" in done.stderr
