"""Whether a JSON value is in one of our own forms throughout, so that no other system's can be meant.

The readers of our own forms take what they know and pass over the rest. That would read
`{"value": [{"id": …}]}`, the answer of a search service to one query, as the results of a query called
`value`. So a value with anything in it that our own forms do not name is compared with the forms of other
systems first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice

from treconcile.formats.json_cells import DOC_KEYS, QUERY_KEYS, TEXT_KEYS
from treconcile.formats.json_judgments import GRADE_KEYS, REASON_KEYS
from treconcile.formats.json_records import rows_of
from treconcile.formats.json_run import RESULT_KEYS

_LOOKED_AT = 100
"""How many records, and how many entries of each, are looked at: a form does not change on the way."""

CONTAINERS = frozenset(
    (
        "value",
        "values",
        "result",
        "results",
        "hits",
        "matches",
        "documents",
        "docs",
        "document",
        "items",
        "data",
        "points",
        "objects",
        "response",
        "responses",
        "records",
        "rows",
        "nodes",
        "contexts",
        "references",
        "passages",
        "ids",
        "scores",
        "distances",
        "retrieved",
        "sources",
        "citations",
        "list",
    )
)
"""Names that responses give to their parts, and nobody to a query."""


def is_plain_run(value: object) -> bool:
    """Whether a value is a run in one of our own forms and nothing else."""
    return _is_plain(value, _is_plain_results, (*QUERY_KEYS, *TEXT_KEYS), RESULT_KEYS)


def is_plain_judgments(value: object) -> bool:
    """Whether a value is judgments in one of our own forms and nothing else."""
    return _is_plain(value, _is_plain_judged, (*QUERY_KEYS, *TEXT_KEYS, *REASON_KEYS), ("relevant",))


def is_one_response(value: object) -> bool:
    """Whether what would be ids of queries are names that the parts of a response have."""
    return isinstance(value, dict) and bool(value) and CONTAINERS.issuperset(value)


def _is_plain(
    value: object, entry: Callable[[object], bool], about: tuple[str, ...], contents: tuple[str, ...]
) -> bool:
    rows, path = rows_of(value, QUERY_KEYS)
    if rows is None:
        entries = value.values() if isinstance(value, dict) else ()
        return bool(entries) and not is_one_response(value) and all(map(entry, islice(entries, _LOOKED_AT)))
    alone = not path or not isinstance(value, dict) or len(value) == 1
    return alone and all(_is_plain_record(row, entry, about, contents) for row in rows[:_LOOKED_AT])


def _is_plain_record(
    row: object, entry: Callable[[object], bool], about: tuple[str, ...], contents: tuple[str, ...]
) -> bool:
    if not isinstance(row, dict) or not {*about, *contents}.issuperset(row):
        return False
    found = [row[key] for key in contents if key in row]
    return len(found) == 1 and entry(found[0])


def _is_plain_results(value: object) -> bool:
    return _is_plain_entry(value, ("score",), pairs=True)


def _is_plain_judged(value: object) -> bool:
    return _is_plain_entry(value, GRADE_KEYS, pairs=False)


def _is_plain_entry(value: object, numbers: tuple[str, ...], *, pairs: bool) -> bool:
    if isinstance(value, dict):
        return all(map(_is_number, islice(value.values(), _LOOKED_AT)))
    members = value[:_LOOKED_AT] if isinstance(value, list) else (None,)
    return all(_is_plain_member(member, numbers, pairs=pairs) for member in members)


def _is_plain_member(member: object, numbers: tuple[str, ...], *, pairs: bool) -> bool:
    if isinstance(member, dict):
        ids = [key for key in member if key in DOC_KEYS]
        others: Iterable[str] = (key for key in member if key not in DOC_KEYS)
        return len(ids) == 1 and all(key in numbers and _is_number(member[key]) for key in others)
    if isinstance(member, list):
        return pairs and len(member) == 2 and _is_id(member[0]) and _is_number(member[1])
    return _is_id(member)


def _is_id(value: object) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))
