"""The packages that single tasks need, as the extras of pyproject.toml name them."""

from __future__ import annotations


def how_to_install(extra: str) -> str:
    """Return the commands that install an extra. The program is on no registry, so its folder is needed."""
    return f"in the folder of the program, pip install '.[{extra}]', or uv tool install --force '.[{extra}]'"
