"""The players, and the features built on their search: analysis, hints, explanations, life and death."""
