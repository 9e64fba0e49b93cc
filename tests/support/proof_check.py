"""The command check-proof as the tests call it."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from gtp_capture.cli.check_proof import check_proof
from gtp_capture.util.files import RequestError


def checked(path: Path, *options: str, longest: int = 500) -> tuple[bool, str]:
    """Return whether the proof holds, and the only line of output, which has fewer than `longest` characters."""
    done = CliRunner().invoke(check_proof, [str(path), *options])
    fails = isinstance(done.exception, RequestError)
    assert fails or done.exit_code == 0, repr(done.exception)
    (line,) = (str(done.exception) if fails else done.output).splitlines()
    assert len(line) < longest
    assert fails or line.startswith("the proof holds: ")
    return not fails, line
