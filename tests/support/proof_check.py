"""The command check-proof as the tests call it."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from gtp_capture.cli.check_proof import check_proof


def checked(path: Path, *options: str, longest: int = 500) -> tuple[bool, str]:
    """Return whether the proof holds, and the only line of output, which has fewer than `longest` characters."""
    done = CliRunner().invoke(check_proof, [str(path), *options])
    assert done.exception is None or isinstance(done.exception, SystemExit), repr(done.exception)
    assert done.exit_code in (0, 2)
    (line,) = done.output.splitlines()
    assert len(line) < longest
    assert line.startswith("the proof holds: " if done.exit_code == 0 else "Error: ")
    return done.exit_code == 0, line
