"""The name and the version of the program."""

from typing import Final

PROGRAM: Final = "gtp-capture"
"""The name in GTP, in saved games and on the console."""
__version__: Final = "1.0.0"
"""The version of the package, also in its metadata."""
