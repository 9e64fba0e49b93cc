"""The opening book: good plays of first capture on boards that are not solved."""
