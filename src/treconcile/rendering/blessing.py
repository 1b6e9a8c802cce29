"""What accepting a snapshot changes, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treconcile.rendering.compare import report_changes

if TYPE_CHECKING:
    from treconcile.comparison.versions.blessing import Blessing


def report_blessing(blessing: Blessing, *, terminal: bool = False) -> str:
    """The difference to the accepted snapshot, or that there is none."""
    if blessing.is_new:
        return f"{blessing.target}: new, there was no accepted snapshot\n"
    if blessing.same:
        return f"{blessing.target}: unchanged\n"
    if blessing.changes is None:
        return f"{blessing.target}: changes, and has no measure in common with the accepted snapshot\n"
    return f"{blessing.target}: changes\n\n{report_changes(blessing.changes, 'table', terminal=terminal)}"
