"""The players, and what is built on their search: analysis, hints, explanations, life and death."""
