"""Entry point of `python -m gtp_capture`."""

from .cli import main

main()
