"""Gathering texts by id, from whatever format: each id once, its place kept for messages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from treconcile.errors import DuplicateError, Notice, shown

Place = Callable[[], str]
"""A place that is found only when a message needs it."""


@dataclass
class Texts:
    """Texts by id, in input order.

    Attributes:
        what: `document` or `query`, for messages.
        repeats: Whether the same id with the same text may stand twice (with a notice).
        texts: What was gathered.
    """

    what: str
    repeats: bool
    texts: dict[str, str] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    repeated: list[str] = field(default_factory=list)

    def add(self, key: str, text: str, where: Place, place: Place) -> None:
        """Adds one text.

        Args:
            key: The id.
            text: The text.
            where: The full place, `path:line`.
            place: The place within the same input, `line 3`.

        Raises:
            DuplicateError: The id has been added before, with another text or where no repeat is allowed.
        """
        if key not in self.texts:
            self.texts[key] = text
            self.places[key] = place
            return
        same = self.texts[key] == text
        if self.repeats and same:
            self.repeated.append(where())
            return
        raise DuplicateError(
            f"{self.what} {shown(key)} {'stands twice' if same else 'stands twice, with different texts'};"
            f" first at {self.places[key]()}",
            where=where(),
            hint=f"give each {self.what} an id of its own",
        )

    def notices(self) -> tuple[Notice, ...]:
        """A notice if an id was repeated with the same text."""
        if not self.repeated:
            return ()
        message = f"a {self.what} stands twice with the same text ({len(self.repeated)} times)"
        return (Notice(f"repeated-{self.what}", message, self.repeated[0]),)
