"""Settings files of graphical frontends."""
