"""Help for people: explanations of moves, warnings, reviews of games, problems, and the sentences about them."""
