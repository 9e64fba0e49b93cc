"""A small neural network that estimates the win rate of a position and of its plays."""
