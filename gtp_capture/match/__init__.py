"""Matches between GTP engines: a referee that knows the rules, results that can be resumed, ratings."""
