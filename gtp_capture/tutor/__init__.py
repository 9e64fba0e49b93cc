"""Sessions of a person without a screen: a game, problems, and the lessons of the course."""
