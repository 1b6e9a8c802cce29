"""Readers and writers: one module a format, and in `reading` the one entrance to the readers.

The entrance is imported when it is first used: what takes a large run apart needs nothing of it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treconcile.formats.named.catalogue import FORMATS, Format
    from treconcile.formats.preferences import read_preferences
    from treconcile.formats.python_values.values import to_dict
    from treconcile.formats.reading import read_judgments, read_run
    from treconcile.formats.text_reading import read_corpus, read_queries

_HOME = {
    "FORMATS": "named.catalogue",
    "Format": "named.catalogue",
    "read_corpus": "text_reading",
    "read_judgments": "reading",
    "read_preferences": "preferences",
    "read_queries": "text_reading",
    "read_run": "reading",
    "to_dict": "python_values.values",
}

__all__ = [
    "FORMATS",
    "Format",
    "read_corpus",
    "read_judgments",
    "read_preferences",
    "read_queries",
    "read_run",
    "to_dict",
]


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value
