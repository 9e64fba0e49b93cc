"""What is dead, what is settled, and how a finished game ends."""
