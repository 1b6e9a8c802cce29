"""What a project says for all of its commands: `treconcile.toml`, or `[tool.treconcile]` of pyproject."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from treconcile.errors import FormatError, did_you_mean

OWN, SHARED = "treconcile.toml", "pyproject.toml"
KEYS = ("gates", "snapshots")


@dataclass(frozen=True)
class Project:
    """The settings of a project.

    Attributes:
        gates: Gates that hold for every comparison, as written.
        snapshots: The folder of the accepted snapshots; None if nobody said.
        source: The file they stand in; empty without any.
    """

    gates: tuple[str, ...] = ()
    snapshots: Path | None = None
    source: str = ""


def read_project(folder: Path | None = None) -> Project:
    """The settings of the project that a folder (the current one) is part of; the nearest file counts.

    Raises:
        FormatError: The file is not TOML, or has a key or a value that is not known.
    """
    start = (folder or Path.cwd()).resolve()
    for place in (start, *start.parents):
        for name in (OWN, SHARED):
            found = _table(place / name, own=name == OWN)
            if found is not None:
                return _project(found, place / name)
    return Project()


def _table(path: Path, *, own: bool) -> Mapping[str, Any] | None:
    import tomllib

    if not path.is_file():
        return None
    text = path.read_text(encoding="utf-8", errors="replace")
    if not own and "treconcile" not in text:
        return None
    try:
        value = tomllib.loads(text)
    except ValueError as error:
        raise FormatError(f"this is not TOML: {error}", where=str(path)) from error
    table = value if own else value.get("tool", {}).get("treconcile")
    return table if table is None or isinstance(table, dict) else {}


def _project(table: Mapping[str, Any], path: Path) -> Project:
    for key in table:
        if key not in KEYS:
            hint = did_you_mean(key, KEYS, "its keys are " + ", ".join(KEYS))
            raise FormatError(f"there is no setting {key!r}", where=str(path), hint=hint)
    gates, snapshots = table.get("gates", []), table.get("snapshots")
    if not isinstance(gates, list) or not all(isinstance(each, str) for each in gates):
        raise FormatError("gates is a list of texts", where=str(path), hint='gates = ["lost_queries > 0"]')
    if snapshots is not None and not isinstance(snapshots, str):
        hint = 'snapshots = "baselines"'
        raise FormatError("snapshots is the path of a folder", where=str(path), hint=hint)
    place = None if snapshots is None else Path(os.path.relpath(path.parent / snapshots))
    return Project(tuple(gates), place, str(path))
