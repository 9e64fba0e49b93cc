"""Machines with network interfaces of their own: network namespaces of Linux, joined by real links."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, Self

from .process import HANG, wait_until

TUNNEL: Final = """
import fcntl, struct, sys
tunnel = open("/dev/net/tun", "r+b", buffering=0)
fcntl.ioctl(tunnel, 0x400454CA, struct.pack("16sH22x", sys.argv[1].encode(), 0x1001))  # TUNSETIFF: IFF_TUN, IFF_NO_PI
print("open", flush=True)
sys.stdin.read()
"""
"""A program that makes a tunnel and holds it open, as that of a VPN does."""


class Machine:
    """A machine without any network at first; leaving the context ends it and its links."""

    def __enter__(self) -> Self:
        self._stack = ExitStack()
        self._pid = self._started(["unshare", *_user("--map-root-user"), "--net", "cat"]).pid
        own = Path("/proc/self/ns/net").readlink()
        wait_until(lambda: Path(f"/proc/{self._pid}/ns/net").readlink() != own)
        self.run("ip", "link", "set", "lo", "up")
        return self

    def __exit__(self, *args: object) -> None:
        self._stack.close()

    def inside(self, *command: str) -> list[str]:
        """Return the command line that runs a command on this machine."""
        return ["nsenter", "--target", str(self._pid), *_user("--user", "--preserve-credentials"), "--net", *command]

    def run(self, *command: str) -> str:
        """Run a command on this machine, and return what it prints."""
        done = subprocess.run(self.inside(*command), capture_output=True, text=True, timeout=HANG, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    @contextmanager
    def device(self, network: str, own: str, address: str) -> Iterator[Machine]:
        """Join another machine to this one, by an interface with the name `network` and two addresses with lengths."""
        with Machine() as other:
            self.run("ip", "link", "add", network, "type", "veth", "peer", "name", "net0", "netns", str(other._pid))
            for machine, name, text in ((self, network, own), (other, "net0", address)):
                at_once = ["nodad"] if ":" in text else []  # IPv6 first looks for another machine with its address
                machine.run("ip", "address", "add", text, "dev", name, *at_once)
                machine.run("ip", "link", "set", name, "up")
            yield other

    def tunnel(self, name: str, address: str) -> None:
        """Open a tunnel with an address."""
        program = self._started(self.inside(sys.executable, "-c", TUNNEL, name))
        assert program.stdout is not None
        assert program.stdout.readline() == b"open\n"
        self.run("ip", "address", "add", address, "dev", name)
        self.run("ip", "link", "set", name, "up")

    def _started(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        """Start a program that ends when its input does, as it does with this machine."""
        pipe = subprocess.PIPE
        return self._stack.enter_context(subprocess.Popen(command, stdin=pipe, stdout=pipe))


def _user(*options: str) -> Sequence[str]:
    """Return the options that a user without the rights of the superuser needs."""
    return options if os.geteuid() else ()
