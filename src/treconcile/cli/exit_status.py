"""The exit statuses that no error has by itself."""

INTERRUPTED = 130
INTERNAL = 70
"""A fault of treconcile's own."""
