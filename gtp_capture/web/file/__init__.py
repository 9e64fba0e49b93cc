"""Lessons and problems as one file that works at home: what the class page shows for each answer, recorded before."""
