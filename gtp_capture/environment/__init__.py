"""Games as environments for reinforcement learning: many boards at once, and what other libraries need.

`BatchEnv` needs no other package. The adapters are loaded on first use: `GoEnv`, `env` and `raw_env` for PettingZoo and
the environment "CaptureGo-v1" of Gymnasium need the extra `rl`; the game "python_capture_go" of OpenSpiel needs the
extra `openspiel` and `import gtp_capture.environment.openspiel`.

>>> import gtp_capture as gc
>>> from gtp_capture.environment import BatchEnv, random_agent
>>> env, agent = BatchEnv(64, "first-capture", 5, seed=1), random_agent(1)
>>> now = env.reset()
>>> now = env.step(agent(now.observations, now.legal))
>>> now.observations.shape, now.legal.shape, len(env.game(0).moves)
((64, 10, 5, 5), (64, 26), 1)
"""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from ..playout.planes import PLANES, RESIGN, WAIT
from .batch import Agent, Batch, BatchEnv, observe, random_agent

if TYPE_CHECKING:
    from .pettingzoo import GoEnv, env, raw_env

__all__ = [
    "PLANES",
    "RESIGN",
    "WAIT",
    "Agent",
    "Batch",
    "BatchEnv",
    "GoEnv",
    "env",
    "observe",
    "random_agent",
    "raw_env",
]

GYMNASIUM: Final = "CaptureGo-v1"

with suppress(ImportError):  # without the extra there is nothing to register
    from gymnasium import register

    register(
        GYMNASIUM,
        entry_point=f"{__name__}.gymnasium:CaptureGoEnv",
        vector_entry_point=f"{__name__}.gymnasium:CaptureGoVectorEnv",
    )


if not TYPE_CHECKING:  # type checkers know the names above, and no others

    def __getattr__(name: str) -> Any:
        """Load an adapter on first use (PEP 562). ImportError: its extra is missing; the message says how to get it."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(f"{__name__}.pettingzoo"), name)
        return value
