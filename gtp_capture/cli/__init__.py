"""The command line."""

import sys


def main() -> None:
    """Run the console script; ^C while its modules are imported ends it as later."""
    try:
        from .app import main as run  # noqa: PLC0415
    except KeyboardInterrupt:
        sys.exit(130)
    run()
