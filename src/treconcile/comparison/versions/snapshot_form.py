"""The form of a snapshot: the keys of its JSON, with their types, and what is said of a file without them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TypeAlias

import msgspec

from treconcile.errors import DuplicateError, FormatError, NumberError, UsageError, shown
from treconcile.files.text_files import read_text
from treconcile.formats.json.text import JsonDocument, Path, parse_json
from treconcile.measures.spec import parse_measure

if TYPE_CHECKING:
    from treconcile.files.text_files import Source

KIND, SCHEMA = "snapshot", 1
MADE_BY = ("tool", "versions", "command", "run")
"""The keys that say how a snapshot was made, and nothing of what it holds."""

Count = Annotated[int, msgspec.Meta(ge=1, le=1 << 62)]
Result: TypeAlias = tuple[str, float | None, float | str | None]
"""A document, its grade (None: nobody judged it) and its score, of which `inf` and `-inf` are texts."""


class StoredMeasure(msgspec.Struct, frozen=True):
    """What a snapshot says of a measure."""

    measure: str
    convention: str
    aggregate: str = "mean"
    mean: float | msgspec.UnsetType | None = msgspec.UNSET
    signature: str = ""
    excluded: dict[str, str] = {}


class StoredQuery(msgspec.Struct, frozen=True):
    """What a snapshot says of a query."""

    query_id: str
    values: dict[str, float | None]
    judged_only: dict[str, float | None] = {}
    first_relevant: Count | None = None
    negative: bool = False
    judged: bool = False
    results: list[Result] = []


class StoredSnapshot(msgspec.Struct, frozen=True):
    """A snapshot as it stands in its file; keys that a later version adds are not looked at."""

    schema: int
    kind: str
    tool: str
    command: list[str]
    run: str
    k: Count | None
    depth: Count | None
    hashes: dict[str, str]
    measures: list[StoredMeasure]
    queries: list[StoredQuery]
    versions: dict[str, str] = {}
    redacted: str = ""
    judged_seen: list[str] = []


def read_stored(path: Source) -> StoredSnapshot:
    """A snapshot from its file, checked.

    Raises:
        FormatError: It is not JSON, no snapshot, one of a later form, or a key is missing or of another type.
        DuplicateError: A query or a measure stands twice.
        NumberError: A value is not finite.
        FileError: It cannot be read.
    """
    text, file, _ = read_text(path)
    document = parse_json(text, file.name)
    value = document.value
    if not isinstance(value, dict) or value.get("kind") != KIND:
        _no_snapshot(document, value)
    if value.get("schema") != SCHEMA:
        _other_form(document, value)
    try:
        stored = msgspec.convert(value, StoredSnapshot)
    except (msgspec.ValidationError, OverflowError) as error:
        _misshapen(document, str(error))
    _check(document, stored)
    return stored


def contents(stored: StoredSnapshot) -> dict[str, Any]:
    """What a snapshot holds, without what says how it was made: equal for snapshots of equal results."""
    held = {key: value for key, value in msgspec.to_builtins(stored).items() if key not in MADE_BY}
    for entry in held["measures"]:
        entry["signature"] = entry["signature"].rpartition(" | treconcile:")[0]
    return held


def _no_snapshot(document: JsonDocument, value: object) -> NoReturn:
    of_eval = isinstance(value, dict) and "runs" in value
    hint = "treconcile eval QRELS RUN --save FILE writes one"
    raise FormatError(
        "this is not a snapshot" + (", but what eval --format json prints" if of_eval else ""),
        where=document.where(),
        hint=hint,
    )


def _other_form(document: JsonDocument, value: Mapping[str, object]) -> NoReturn:
    schema = value.get("schema")
    if type(schema) is not int or schema < SCHEMA:
        where = document.where(("schema",) if "schema" in value else ())
        raise FormatError(f"schema has to be {SCHEMA}", where=where, hint="save the snapshot again")
    tool = value.get("tool")
    wrote = f", which {shown(tool, 40)} wrote" if isinstance(tool, str) else ""
    raise FormatError(
        f"this is a snapshot of schema {schema}{wrote}; this version reads schema {SCHEMA}",
        where=document.where(("schema",)),
        hint="upgrade treconcile, or save the snapshot again with this version",
    )


def _misshapen(document: JsonDocument, message: str) -> NoReturn:
    what, _, place = message.partition(" - at `$")
    path = tuple(_steps(place.rstrip("`")))
    said = what[:1].lower() + what[1:].replace("`", "")
    keys = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")
    raise FormatError(
        f"the snapshot is damaged: {said}" + (f" in {keys}" if keys else ""),
        where=document.where(path),
        hint="save it again, rather than change it by hand",
    )


def _steps(place: str) -> Iterator[str | int]:
    """The keys and indices in `.measures[0].measure`; what stands under an id is not looked for further."""
    for key, index in re.findall(r"\.(\w+)|\[([^\]]*)\]", place):
        if not key and not index.isdecimal():
            return
        yield key or int(index)


def _check(document: JsonDocument, stored: StoredSnapshot) -> None:
    names = []
    for number, entry in enumerate(stored.measures):
        path: Path = ("measures", number, "measure")
        try:
            names.append(str(parse_measure(entry.measure)))
        except UsageError as error:
            message = f"the snapshot has a measure that this version does not know: {error.message}"
            raise FormatError(message, where=document.where(path), hint=error.hint) from None
    _refuse_repeated(document, "measures", names)
    _refuse_repeated(document, "queries", [each.query_id for each in stored.queries])
    for number, query in enumerate(stored.queries):
        scores = (score for _, _, score in query.results if not isinstance(score, str))
        grades = (grade for _, grade, _ in query.results)
        for value in (*query.values.values(), *query.judged_only.values(), *grades, *scores):
            if value is not None and not math.isfinite(value):
                raise NumberError("a value is not finite", where=document.where(("queries", number)))
        if len(query.results) > (stored.depth or 0):
            message = "there are more results of a query than depth says"
            raise FormatError(message, where=document.where(("queries", number)))


def _refuse_repeated(document: JsonDocument, key: str, names: list[str]) -> None:
    seen: set[str] = set()
    for number, name in enumerate(names):
        if name in seen:
            raise DuplicateError(f"{shown(name)} stands twice in {key}", where=document.where((key, number)))
        seen.add(name)
