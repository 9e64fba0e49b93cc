"""gtp-capture warmup: compile the search now rather than at the first move."""

from __future__ import annotations

from contextlib import nullcontext

import click

from ..jit import cache
from ..jit import warmup as jit
from ..util.files import tell
from .progress import waiting


@click.command(
    help="Compile the search for this machine, if the installation has not done so.",
)
@click.option("--quiet", is_flag=True, help="Print nothing.")
def warmup(quiet: bool) -> None:
    try:
        with cache.load_only():
            jit.load(jit.EVERYTHING)
    except cache.NotCompiledError:
        if not quiet:
            tell("compiling, once per machine ...")
        with nullcontext() if quiet else waiting(f"about {jit.COMPILE_SECONDS:.0f} seconds"):
            _compile()
    if not quiet:
        tell(f"ready: {' '.join(map(str, sorted(cache.loaded_from)))}")


def _compile() -> None:
    if cache.writable_folder() is None:
        raise click.ClickException(cache.no_cache())
    for modules in (jit.SEARCH, jit.EVERYTHING[len(jit.SEARCH) :]):
        for child in jit.compile_aside(modules):
            child.wait()
    jit.load(jit.EVERYTHING)  # if a child process has failed, this compiles here or raises the error
