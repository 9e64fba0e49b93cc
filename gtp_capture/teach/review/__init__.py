"""Reviews of games: an evaluation for each position, a grade for each move, as annotated SGF, text and a plot."""
