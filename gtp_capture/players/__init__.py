"""The players, and what is built on their search: the analysis of moves."""
