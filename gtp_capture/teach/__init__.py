"""What is said to people: explanations of moves, warnings, reviews of games, and problems."""
