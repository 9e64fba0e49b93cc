"""Compilation of kernels: it changes nothing for other code, and depends on no private part of Numba."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from gtp_capture.jit import numba_parts


def test_negative_indices_of_other_code_work_as_always() -> None:

    def element(array: Any, index: int) -> Any:
        return array[index]

    inside, after = numba.njit(element), numba.njit(element)
    with numba_parts.plain_indices():
        assert inside(np.arange(5), 3) == 3
    assert after(np.arange(5), -2) == 3


BROKEN = {
    "a class is gone": "del caching.InTreeCacheLocator",
    "a function has another parameter": (
        "old = arrayobj.fix_integer_index\n"
        "arrayobj.fix_integer_index = lambda context, builder, idxty, idx, size, boundscheck=None: "
        "old(context, builder, idxty, idx, size)"
    ),
}
KERNEL = """
import sys
from numba.core import caching
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
