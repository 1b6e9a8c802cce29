"""What readers hand on: values with their places, and the faults that were met on the way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from treconcile.errors import InputError, shown_id
from treconcile.formats.json.text import Path, line_of

OnError = Literal["stop", "skip"]

Take = Callable[[bytes, Sequence[bytes] | None], Sequence[str] | None]
"""Takes records before they are parsed, and gives their queries; None if they have to be read in general.

They are the members of a list or of an object as they stand in the text, or lines, also given one by one."""


@dataclass
class Chunk:
    """Some values of one file.

    Attributes:
        source: The file's path, for messages.
        stem: The file's name without endings.
        values: The values, in the order of the file.
        lines: The line of each value, where it has one of its own.
        text: The text of the whole file, in which the line of a part can be found.
        split: A list among the values stands for its members.
        records: The values are records already.
        keys: The key of each value, where they stood in an object.
        path: The path to the values in the text, where it is plain.
        members: The values are the members of what stands at the path.
        memory: It is a Python value, in which the place of a part is told by its subscripts.
    """

    source: str
    stem: str
    values: list[object]
    lines: Sequence[int] | None = None
    text: bytes | None = None
    split: bool = False
    records: bool = False
    keys: Sequence[object] | None = None
    path: Path | None = None
    members: bool = False
    memory: bool = False

    def where(self, at: int, inner: Path = ()) -> str:
        """The place of a value, or of a part of it, as `path:line` where that can be found."""
        if self.lines is not None:
            return f"{self.source}:{self.lines[at]}"
        if self.path is None or (self.text is None and not self.memory):
            return self.source
        step = (self.keys[at] if self.keys is not None else at,) if self.members else ()
        path = (*self.path, *step, *inner)
        if self.text is None:
            named = (shown_id(each) if isinstance(each, str) else each for each in path)
            return self.source + "".join(f"[{each!r}]" for each in named)
        return f"{self.source}:{line_of(self.text.decode('utf-8', 'replace'), path)}"


@dataclass
class Faults:
    """The errors of single records: the first one stops, or all are kept for a list.

    Attributes:
        policy: `stop` or `skip`.
        found: The errors so far.
    """

    policy: OnError = "stop"
    found: list[InputError] = field(default_factory=list)

    def add(self, error: InputError) -> None:
        """Takes note of an error.

        Raises:
            InputError: The error itself, if the first one stops.
        """
        if self.policy == "stop":
            raise error
        self.found.append(error)

    def in_order(self) -> tuple[InputError, ...]:
        """The errors in the order of the input."""
        return tuple(sorted(self.found, key=_place))


def _place(error: InputError) -> tuple[str, int]:
    path, _, line = (error.where or "").rpartition(":")
    return path, int(line) if line.isdecimal() else 0
