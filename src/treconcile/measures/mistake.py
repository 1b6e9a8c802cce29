"""What is wrong with the name of a measure, shown at its place."""

from __future__ import annotations

from treconcile.errors import UsageError


def mistake(text: str, position: int, message: str, hint: str | None = None) -> UsageError:
    """An error that shows the text with a caret under the place."""
    shown = text.replace("\n", " ").replace("\t", " ")
    begin = max(0, position - 60)
    excerpt, caret = shown[begin : begin + 100], " " * (position - begin) + "^"
    return UsageError(f"{message}\n    {excerpt}\n    {caret}", hint=hint)
