"""Books of first capture: solved positions and openings, which `lookup` reads."""
