"""The settings of a project: `treconcile.toml`, or the table `[tool.treconcile]` of `pyproject.toml`.

The first folder from the working directory upwards that has either is the project's. Only the keys in
`SETTINGS` are known; any other is an error, so that a misspelt gate never goes unchecked.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from treconcile.errors import FileError, FormatError, MismatchError, did_you_mean, shown
from treconcile.files.text_files import decode_text, read_file, without_bom

if TYPE_CHECKING:
    from collections.abc import Mapping

OWN, SHARED = "treconcile.toml", "pyproject.toml"
TABLE = ("tool", "treconcile")
MOST_BYTES = 1 << 20
"""Settings are a page of text; what is larger is none."""


_IGNORED: ContextVar[bool] = ContextVar("_IGNORED", default=False)


@contextmanager
def ignoring_settings(ignored: bool) -> Iterator[None]:
    """While this lasts, no project has any settings, if so wanted."""
    token = _IGNORED.set(ignored)
    try:
        yield
    finally:
        _IGNORED.reset(token)


@dataclass(frozen=True)
class Setting:
    """A key that may be set.

    Attributes:
        kind: What its value is: `text` or `texts` (a list of them).
        about: What it says, in a sentence.
        example: A value, as TOML.
    """

    kind: str
    about: str
    example: str


SETTINGS: dict[str, Setting] = {
    "gates": Setting(
        "texts",
        "What makes `eval` and `compare` fail, as `--fail-if` does; `eval` leaves out what needs a baseline.",
        '["P@3 < 0.25", "lost_queries > 0"]',
    ),
    "snapshots": Setting(
        "text",
        "The folder of the accepted snapshots, seen from the folder of this file; `bless` writes to it.",
        '"baselines"',
    ),
}
"""Every key that is known, in the order of the reference."""

KINDS = {"text": "a text", "texts": "a list of texts"}


@dataclass(frozen=True)
class Project:
    """What a project has set.

    Attributes:
        source: The file that says so; None if there is none.
        gates: Expressions as `--fail-if` takes them.
        snapshots: The folder of accepted snapshots; None if it is not set.
    """

    source: Path | None = None
    gates: tuple[str, ...] = ()
    snapshots: Path | None = None

    @property
    def name(self) -> str:
        """The file as messages show it."""
        return "" if self.source is None else _shown(self.source)


def read_project(start: Path | None = None) -> Project:
    """The settings in force in a folder.

    Args:
        start: The folder; the working directory if not given.

    Raises:
        FileError: A file of settings cannot be read.
        FormatError: It is not TOML, has an unknown key, or a value of another kind.
        MismatchError: A folder has settings in both files.
    """
    if _IGNORED.get():
        return Project()
    first = Path.cwd() if start is None else start.resolve()
    for folder in (first, *first.parents):
        found = [each for name in (OWN, SHARED) if (each := _read(folder / name)) is not None]
        if len(found) == 2:
            raise MismatchError(
                f"the folder has settings in {SHARED}, too",
                where=_shown(folder / OWN),
                hint="keep one of the two",
            )
        if found:
            return found[0]
    return Project()


def _read(path: Path) -> Project | None:
    """The settings in a file; None if it does not exist, or is a pyproject.toml without any."""
    own = path.name == OWN
    if not os.path.isfile(path):  # noqa: PTH113 - Path.is_file raises where a folder may not be entered
        if own and os.path.lexists(path):  # or gates would go unchecked in silence
            raise FileError("this is no file", where=_shown(path), hint="--no-config leaves settings unread")
        return None
    if own and path.stat().st_size > MOST_BYTES:
        raise FileError(f"settings of more than {MOST_BYTES >> 20} MiB are not read", where=_shown(path))
    data = read_file(_shown(path)).data
    if not own and b"treconcile" not in data:
        return None
    import tomllib

    text = decode_text(_shown(path), without_bom(_shown(path), data)[0])
    try:
        values = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        _not_toml(path, error)
    for key in () if own else TABLE:
        inner = values.get(key)
        if inner is None:
            return None
        if not isinstance(inner, dict):
            raise FormatError(f"{'.'.join(TABLE)} has to be a table", where=_shown(path))
        values = inner
    return _checked(path, values, text)


def _not_toml(path: Path, error: Exception) -> NoReturn:
    line = re.search(r"at line (\d+)", str(error))
    where = _shown(path) + (f":{line[1]}" if line else "")
    raise FormatError("this is not TOML", where=where, hint='for example: snapshots = "baselines"') from None


def _checked(path: Path, values: Mapping[str, object], text: str) -> Project:
    for key, value in values.items():
        where = f"{_shown(path)}:{_line_of(key, text)}"
        if key not in SETTINGS:
            hint = did_you_mean(key, SETTINGS, "the keys are " + ", ".join(SETTINGS))
            raise FormatError(f"there is no setting {shown(key)}", where=where, hint=hint)
        setting = SETTINGS[key]
        if not _fits(setting.kind, value):
            hint = f"for example: {key} = {setting.example}"
            raise FormatError(f"{key} has to be {KINDS[setting.kind]}", where=where, hint=hint)
    gates, folder = values.get("gates", ()), values.get("snapshots")
    return Project(
        source=path,
        gates=tuple(map(str, gates)) if isinstance(gates, list) else (),
        snapshots=None if folder is None else Path(_shown(path.parent / str(folder))),
    )


def _fits(kind: str, value: object) -> bool:
    if kind == "texts":
        return isinstance(value, list) and all(_fits("text", each) for each in value)
    return isinstance(value, str) and bool(value.strip()) and "\0" not in value


def _line_of(key: str, text: str) -> int:
    """The line that a key is set on; the first if it is set in a way that is not looked for."""
    found = re.search(rf"""^[ \t]*["']?{re.escape(key)}["']?[ \t]*=""", text, re.MULTILINE)
    return text.count("\n", 0, found.start()) + 1 if found else 1


def _shown(path: Path) -> str:
    """A path as messages show it: seen from the working directory, if it is in it or above it."""
    return os.path.relpath(path)
