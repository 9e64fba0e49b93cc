"""The Go Text Protocol, version 2: its form, and the commands of this engine."""
