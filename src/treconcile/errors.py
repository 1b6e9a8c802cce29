"""What can go wrong, and what is worth saying though nothing went wrong.

    TreconcileError
    ├── UsageError            exit 2: an option, measure, axis, format or name that is not known
    ├── InputError            exit 3: a file or table that cannot be used as it is
    │   ├── FileError             it cannot be opened, or is not text
    │   ├── FormatError           a line or a JSON value has the wrong shape
    │   ├── NumberError           a score, rank or grade is not the number it has to be
    │   ├── IdError               an id is empty, or cannot stand in the file to be written
    │   ├── DuplicateError        a document, judgment, key or query stands twice
    │   ├── EmptyError            nothing in it to work with
    │   └── MismatchError         two inputs do not belong together
    └── ToolError             exit 4: a reference tool or a user's function failed or is missing

Every error has a stable `code`, the place (`where`, as `path:line`) and a `hint` where one is known.
"""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence


class TreconcileError(Exception):
    """The root of every error that treconcile raises on purpose.

    Args:
        message: What is wrong, in one line.
        where: The place, as `path:line` or `path`.
        hint: What to do about it.

    Attributes:
        notices: What was to be said until then, without which the error may be hard to understand.
    """

    code: ClassVar[str] = "error"
    exit_status: ClassVar[int] = 3
    notices: tuple[Notice, ...] = ()

    def __init__(self, message: str, *, where: str | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


class UsageError(TreconcileError):
    """Something asked for by name or option is not known or does not fit."""

    code = "usage"
    exit_status = 2


class InputError(TreconcileError):
    """An input cannot be used as it is."""

    code = "input"


class FileError(InputError):
    """A file cannot be opened, or is not the text it should be."""

    code = "file"


class FormatError(InputError):
    """A line has the wrong number of fields, or a JSON value the wrong shape."""

    code = "format"


class NumberError(InputError):
    """A score, rank or grade is not the number it has to be."""

    code = "number"


class IdError(InputError):
    """An id is empty, of the wrong type, or cannot stand in a TREC file."""

    code = "id"


class DuplicateError(InputError):
    """A document, judgment, key or query stands twice where once is meant."""

    code = "duplicate"


class EmptyError(InputError):
    """A file holds nothing to work with."""

    code = "empty"


class MismatchError(InputError):
    """Two inputs do not belong together."""

    code = "mismatch"


class ToolError(TreconcileError):
    """A reference tool or a user's own function failed, or is not installed."""

    code = "tool"
    exit_status = 4


@dataclass(frozen=True)
class Notice:
    """Something a reader or a score wants said, though it went on.

    Attributes:
        code: A stable name of the kind of notice, such as `bom-removed`.
        message: One line of plain English.
        where: `path` or `path:line`.
        hint: What to do about it, if anything.
        level: `note` (harmless) or `warning` (a number may not be what you think).
        neutral: A warning of something else than numbers: names that are lost, what a tool will not take.
    """

    code: str
    message: str
    where: str | None = None
    hint: str | None = None
    level: str = "warning"
    neutral: bool = False

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


def refuse_warnings(notices: Iterable[Notice], excused: Collection[str] = ()) -> None:
    """Check strictly that nothing was read or written otherwise than one may think.

    Args:
        notices: All that is to be said.
        excused: The codes of warnings that are none here.

    Raises:
        InputError: There is a warning for which some number can differ; the error is the first of them, and
            has all other notices with it.
    """
    notices = tuple(notices)
    for notice in notices:
        if notice.level == "warning" and not notice.neutral and notice.code not in excused:
            hint = f"{notice.hint}; " if notice.hint else ""
            error = InputError(
                notice.message, where=notice.where, hint=f"{hint}without --strict this is a warning"
            )
            error.notices = tuple(other for other in notices if other != notice)
            raise error


def counted(number: int, one: str, many: str) -> str:
    """A number with its noun."""
    return f"{number} {one if number == 1 else many}"


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name closest to a misspelt one, whatever its case, or None."""
    by_fold = {candidate.casefold(): candidate for candidate in known}
    found = get_close_matches(name.casefold(), by_fold, n=1, cutoff=0.5)
    return by_fold[found[0]] if found else None


def did_you_mean(name: str, known: Iterable[str], otherwise: str) -> str:
    """A hint that offers the closest known name, or else says where the names are listed."""
    guess = nearest(name, known)
    return f"did you mean {guess!r}?" if guess else otherwise


SHOWN_DIGITS = 16
"""Of a hash; so many that two ids of a large collection do not share them."""

_HASH = re.compile(rf"id:[0-9a-f]{{{SHOWN_DIGITS}}}")
"""What already stands for an id, as in a snapshot that was saved so."""

_KEY: ContextVar[bytes | None] = ContextVar("key of redaction", default=None)
"""What ids are hashed with; None shows them."""


@contextmanager
def redacting(on: bool = True, key: bytes | None = None) -> Iterator[None]:
    """Within it, a keyed hash (HMAC-SHA-256) stands for each id wherever one is shown, in data too.

    Ids are short, and a hash without a key is undone by trying them all.

    Args:
        on: Whether.
        key: The key: with the same one an id has the same hash, so that outputs of several calls can be put
            together. Drawn at random if not given.
    """
    token = _KEY.set((key or os.urandom(32)) if on else None)
    try:
        yield
    finally:
        _KEY.reset(token)


def is_redacting() -> bool:
    """Whether messages have to do without ids: other people's texts, which may hold some, included."""
    return _KEY.get() is not None


def shown_id(text: str) -> str:
    """The id of a query or document as it may be shown, in a message or as a part of the data.

    Example:
        >>> with redacting(key=b"a key that nobody knows"):
        ...     shown_id("q01")
        'id:5d22c7b43a44871d'
    """
    key = _KEY.get()
    if key is None or _HASH.fullmatch(text):
        return text
    import hmac  # which takes long to load

    return f"id:{hmac.digest(key, text.encode('utf-8', 'surrogatepass'), 'sha256').hex()[:SHOWN_DIGITS]}"


def shown_ids(ids: Sequence[str], most: int = 5) -> str:
    """The first ids of several as a message may show them, and how many more there are."""
    more = f" and {len(ids) - most} more" if len(ids) > most else ""
    return ", ".join(map(shown_id, ids[:most])) + more


def shown(text: str, limit: int = 20) -> str:
    """An id or a malformed value as an error may show it: quoted, at most `limit` characters of it."""
    text = shown_id(text)
    return repr(text if len(text) <= limit else text[:limit] + "…")
