"""The players, and what is built on their search: analysis of moves, and life and death."""
