"""Matches between GTP engines: processes, a referee for our rules, resumable results, ratings."""
