"""Compiled code: how kernels are declared, where their machine code is kept, and how it is brought up."""
