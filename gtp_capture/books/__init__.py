"""Opening books of small boards: `lookup` probes them and describes their format, `writer` makes them."""
