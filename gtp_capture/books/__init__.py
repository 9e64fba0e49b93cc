"""Books of first capture: `lookup` reads solved positions and openings, `writer` writes solved positions."""
