"""Compiled code: declaration of kernels, their data, the cache of machine code, and the warm-up of a session."""
