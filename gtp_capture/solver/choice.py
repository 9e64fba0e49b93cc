"""The numbers of a node from those of its children, and the child to search next; compiled.

The dn of a node is a damped sum: the greatest pn of a child, and a part of the others. A plain sum counts work that
children share several times, as plays in another order lead to the same positions.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..jit.kernel import inner
from .table import INFINITE


class Choice(NamedTuple):
    """A node's numbers and the child to search next."""

    pn: Any
    dn: Any
    child: Any
    second: Any
    """The least dn of the other children."""
    pn_sum: Any
    """The sum of the children's pn, which may exceed INFINITE."""
    pn_most: Any
    """The greatest pn of the other children."""


@inner
def damped_sum(total: Any, most: Any, damping: float) -> Any:
    """Return the dn of a node whose children's pn have this sum and this greatest one: most + damping * the others."""
    return min(np.int64(most + damping * (total - most)), INFINITE - 1)


@inner
def share(dn: Any, others: Any, most: Any, damping: float) -> Any:
    """Return the least pn of a child with which `damped_sum` reaches `dn`; `others` and `most` are of its siblings."""
    alone = dn - damping * others
    return alone if alone > most else (dn - most) / damping + most - others


@inner
def choose_child(frame: Any, depth: int, task: Any, paths: Any) -> Choice:
    """Compute a node's pn and dn from its children, and choose the child with the least dn.

    The dn of a child that another thread is searching counts a little more (virtual dn), so that the threads stay on
    the most promising path and part where other children are about as good. It stays below the threshold of the node if
    dn does: a child that has reached the threshold returns at once, and to choose it would be an endless loop.
    """
    pn, second, child, pn_sum = INFINITE, INFINITE, 0, 0
    least = INFINITE
    first_most, second_most = 0, 0  # of the children's pn
    thread, threads, children = task.thread, paths.shape[0], frame.children
    for i in range(children):
        pn_sum += frame.pn[i]
        second_most = max(second_most, min(first_most, frame.pn[i]))
        first_most = max(first_most, frame.pn[i])
        dn = frame.dn[i]
        pn = min(pn, dn)
        if threads > 1 and dn < INFINITE:
            for t in range(threads):
                if t != thread and paths[t, depth + 1] == np.int64(frame.child_low[i]):
                    dn = min(dn + dn // 32 + 1, max(dn, frame.pn_threshold - 1))
        if dn < least:
            second = least
            least, child = dn, i
        elif dn < second:
            second = dn
    node_dn = INFINITE if pn == 0 else 0 if pn == INFINITE else damped_sum(pn_sum, first_most, task.damping)
    return Choice(pn, node_dn, child, second, pn_sum, second_most if frame.pn[child] == first_most else first_most)
