"""gtp-capture doctor: what this installation is made of and whether it works; to read, and to send with a report."""

from __future__ import annotations

import contextlib
import importlib.metadata
import os
import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
import psutil

from ..frontends import sabaki
from ..jit import cache, warmup
from ..players.player import all_cores
from ..util.files import RequestError
from ..util.memory import MEBIBYTE
from ..util.network import PORT, is_free, lan_addresses, url
from ..version import __version__

REPORT: Final = (
    "To report a problem, send all of the above, what you did, and what the frontend's console shows. With "
    "--log FILE among its arguments the engine writes the whole session to a file: send that too."
)
LOADS: Final = "they load"
FIREWALLS: Final = {
    "darwin": "allow incoming connections of Python when macOS asks, or in System Settings, Network, Firewall",
    "win32": "allow Python in private networks when Windows asks, or in Windows Security, Firewall",
}
"""How to let other devices in, by system."""
OF_LINUX: Final = f"if a firewall runs, open the port: sudo ufw allow {PORT}/tcp, or firewall-cmd --add-port={PORT}/tcp"


@click.command(
    help="Print what this installation uses and what is wrong with it; exit code 1 if something is.",
)
def doctor() -> None:
    wrong = []
    for part in (_program(), _machine(), _code(), _sabaki(), _network()):
        for line, is_wrong in part:
            click.echo(line)
            wrong += [line] if is_wrong else []
    click.echo(f"\n{REPORT}")
    if wrong:
        raise click.exceptions.Exit(1)


Lines = Iterator[tuple[str, bool]]
"""Lines to print, each with whether something is wrong."""


def _program() -> Lines:
    versions = [
        f"{name} {importlib.metadata.version(name)}" for name in ("numba", "llvmlite", "numpy", "click", "rich")
    ]
    yield f"gtp-capture {__version__}, Python {platform.python_version()}, {', '.join(versions)}", False
    yield f"program: {cache.PACKAGE}, run by {sys.executable}", False


def _machine() -> Lines:
    yield f"system: {platform.platform()}", False
    yield f"threads: {all_cores()}; memory: {psutil.virtual_memory().total // MEBIBYTE:,} MiB", False


def _code() -> Lines:
    from ..jit import numba_parts  # imports Numba

    state, wrong = LOADS, False
    try:
        with cache.load_only():
            warmup.load(warmup.EVERYTHING)
    except cache.NotCompiledError:
        state = "not compiled yet: the first use does that, or gtp-capture warmup"
    except Exception as error:  # this command has to report any damage of the installation
        state, wrong = f"they do not load: {error}", True
    yield f"processor: {numba_parts.processor()}", False
    made = numba_parts.label()
    label = ", ".join(f"{name} {value}" for name, value in made.items())
    yield f"machine code of the installation: {f'for {label}' if made else 'none'}", False
    if reason := numba_parts.why_unused():
        yield f"  not used: {reason}", False
    folder = cache.user_folder()
    if folder is None or cache.writable_folder() is None:
        yield cache.no_cache(), state != LOADS  # without a cache, each start would compile again
    else:
        yield f"cache folder: {folder} ({_size(folder) / MEBIBYTE:.1f} MiB)", False
    yield f"search and solver: {state}", wrong


def _size(folder: Path) -> int:
    """Return the size of the files of a folder (bytes)."""
    sizes = []
    for path in folder.iterdir():
        with contextlib.suppress(OSError):
            sizes.append(path.stat().st_size)
    return sum(sizes)


def _sabaki() -> Lines:
    try:
        path = sabaki.settings_file(sys.platform, os.environ, Path.home())
        programs = sabaki.programs(sabaki.read(path)[1])
    except RuntimeError:
        yield "Sabaki: not looked for, as this user has no home directory", False
        return
    except RequestError as error:
        yield f"Sabaki: {error}", False
        return
    yield f"Sabaki: {sum(programs.values())} engines of ours in {path}", False
    for program in programs:
        if not os.access(program, os.X_OK):
            yield f"  there is no program {program}: gtp-capture sabaki install mends that", True


def _network() -> Lines:
    """Yield whether other devices can open a class on this machine. The effect of a firewall is not visible here."""
    addresses = lan_addresses()
    if not addresses:
        yield "class: this machine is in no network that other devices could use", False
        return
    state = "free" if is_free(PORT) else "in use: give another one with --port"
    yield f"class: gtp-capture class --lan; the port {PORT} is {state}", False
    for address in addresses:
        yield f"  in the network {address.network}: {url(address.text, PORT)}", False
    yield f"  if devices cannot open it, {FIREWALLS.get(sys.platform, OF_LINUX)}", False
