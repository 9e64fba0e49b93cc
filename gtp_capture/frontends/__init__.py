"""Settings of the programs that show a board."""
