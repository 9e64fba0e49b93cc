"""Compilation of kernels changes nothing for other code that Numba compiles in the same process."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from gtp_capture.jit import kernel


def test_negative_indices_of_other_code_work_as_always() -> None:

    def element(array: Any, index: int) -> Any:
        return array[index]

    inside, after = numba.njit(element), numba.njit(element)
    with kernel._plain_indices():
        assert inside(np.arange(5), 3) == 3
    assert after(np.arange(5), -2) == 3
