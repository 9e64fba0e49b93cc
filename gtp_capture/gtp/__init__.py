"""The Go Text Protocol, version 2, and the commands of this engine."""
