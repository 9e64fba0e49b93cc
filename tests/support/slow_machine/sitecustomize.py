"""For `PYTHONPATH`: the time of engines that tests start runs ten times as fast, as if the machine were so slow.

A test that holds only on a fast machine then fails also on an idle one. The time of the tests themselves is the true
one, so that their waits do not end early. Python imports this module at the start of each process.
"""

from __future__ import annotations

import sys
import time

TIMES_AS_SLOW = 10
_monotonic, _began = time.monotonic, time.monotonic()

if "pytest" not in sys.orig_argv:
    time.monotonic = lambda: _began + TIMES_AS_SLOW * (_monotonic() - _began)
