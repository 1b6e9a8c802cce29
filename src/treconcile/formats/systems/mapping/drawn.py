"""A mapping drawn up from names that are known, for tables and records that no preset describes.

Names of columns and keys say what they hold: `question_id`, `docno`, `relevance`. Where each part of a row or
record has exactly one such name, it is read so, and that is said; where a name is missing, or two may be
meant, nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, cast

from treconcile.errors import FormatError, UsageError, did_you_mean, shown
from treconcile.formats.systems.mapping.columns import is_number, roles, unread_records
from treconcile.formats.systems.mapping.document import MappingText
from treconcile.formats.systems.mapping.language import mapping_of
from treconcile.formats.systems.mapping.names import DOCUMENT_IDS, GRADES, OWN_IDS, RECORD_IDS, either, quoted
from treconcile.formats.systems.mapping.presets import DRAWN, Variant
from treconcile.formats.systems.mapping.readers import shown_source
from treconcile.formats.systems.mapping.rules import recognition_of
from treconcile.formats.systems.mapping.sight import Sight, sight_of

if TYPE_CHECKING:
    from treconcile.files.limits import Limits
    from treconcile.formats.systems.mapping.readers import Source

PARTS = ("qid", "docid", "score", "rank", "rel", "run", "text")
"""What `--columns` says of names."""

Record = Mapping[str, object]
_DOCUMENT = either((*OWN_IDS, *(name for name in DOCUMENT_IDS if name not in OWN_IDS)))
_GRADE = f"not_null({', '.join(map(quoted, GRADES))}) || `1`"


def parsed_columns(written: str) -> dict[str, str]:
    """The names of `qid=topic,docid=docno,score=sim`.

    Raises:
        UsageError: It is not of this form, or a part is not known.
    """
    found: dict[str, str] = {}
    for each in written.split(","):
        part, equals, name = (text.strip() for text in each.partition("="))
        if not equals or not name or part in found:
            raise UsageError(
                f"{each.strip()!r} does not say which column is what",
                hint="write it as in --columns qid=topic,docid=docno,score=similarity",
            )
        if part not in PARTS:
            hint = did_you_mean(part, PARTS, "the parts are " + ", ".join(PARTS))
            raise UsageError(f"a table has no part {part!r}", hint=hint)
        found[part] = name
    return found


def drawn(
    source: Source, kind: str, limits: Limits, columns: Mapping[str, str] | None = None
) -> Variant | None:
    """The mapping of an input whose names are known; None if they are not, or leave something open.

    Args:
        source: The input.
        kind: `run`, `qrels`, `queries` or `corpus`.
        limits: What is believed of the input.
        columns: The names that a user gives to parts.
    """
    for fields, records in _records(sight_of(source, limits)):
        found = _mapping(kind, records, columns or {})
        if found is not None:
            text = MappingText({"kind": kind, **fields, **found}, DRAWN, {})
            return Variant(DRAWN, mapping_of(text), recognition_of(text), "", native=True, fields=text.fields)
    return None


def unread(
    source: Source, kind: str, limits: Limits, columns: Mapping[str, str] | None = None
) -> FormatError | None:
    """What names leave open in an input, with a draft of its mapping; None if it has no rows or records.

    Args:
        source: The input.
        kind: `run`, `qrels`, `queries` or `corpus`.
        limits: What is believed of the input.
        columns: The names that a user gave to parts.
    """
    for fields, records in _records(sight_of(source, limits)):
        names = list(dict.fromkeys(name for record in records for name in record))
        strange = [name for name in (columns or {}).values() if name not in names]
        what = "columns" if "reader" in fields else "keys"
        if not columns and not any(roles(names, kind).values()):
            return None
        if strange:
            hint = did_you_mean(strange[0], names, f"its {what} are {', '.join(map(shown, names[:8]))}")
            return FormatError(
                f"there is no {what[:-1]} {shown(strange[0])}", where=shown_source(source), hint=hint
            )
        return unread_records(names, records, fields, kind, shown_source(source), what)
    return None


def _records(sight: Sight) -> Iterator[tuple[dict[str, object], list[Record]]]:
    """The rows or records that an input may have, with the keys that say where they are."""
    for fields, documents in sight.readings():
        values = documents
        if len(values) == 1 and isinstance(values[0], list):
            values = values[0]
        if len(values) == 1 and isinstance(values[0], dict):
            lists = {key: each for key, each in values[0].items() if _are_objects(each)}
            if len(lists) == 1:
                (key, inner) = next(iter(lists.items()))
                yield {**fields, "records": quoted(key)}, cast("list[Record]", inner)
        if _are_objects(values):
            yield dict(fields), cast("list[Record]", values)
        return


def _are_objects(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)


def _mapping(kind: str, records: Sequence[Record], given: Mapping[str, str]) -> dict[str, object] | None:
    names = list(dict.fromkeys(name for record in records for name in record))
    found = roles(names, kind)
    for part, name in given.items():
        found[part] = [name] if name in names else []
    whole = {
        part: each
        for part, each in found.items()
        if all(name in record for name in each for record in records)
    }
    if kind in ("queries", "corpus"):
        return _texts(whole, kind)
    if len(whole.get("qid", ())) != 1:
        ids = [name for name in names if name in RECORD_IDS]
        if kind != "qrels" or len(ids) != 1 or not whole.get("relevant"):
            return None
        whole["qid"] = ids
    query = {"qid": quoted(whole["qid"][0])}
    if kind == "qrels" and len(whole.get("relevant", ())) == 1:
        hits = _relevant(whole["relevant"][0], records)
        return None if hits is None else {**query, **hits}
    if len(whole.get("docid", ())) != 1 or not _are_scalars(records, whole["docid"][0]):
        return None
    if "docid" not in given and _are_positions([record[whole["docid"][0]] for record in records]):
        return None
    rows = {**query, "flat": True, "docid": quoted(whole["docid"][0])}
    return _judged(rows, whole, records) if kind == "qrels" else _scored(rows, whole, records)


def _texts(whole: Mapping[str, list[str]], kind: str) -> dict[str, object] | None:
    ids = whole.get("qid" if kind == "queries" else "docid") or whole.get("id") or []
    texts = whole.get("query" if kind == "queries" else "text") or []
    if len(ids) != 1 or len(texts) != 1:
        return None
    key = "qid" if kind == "queries" else "docid"
    return {key: quoted(ids[0]), "text": quoted(texts[0])}


def _relevant(name: str, records: Sequence[Record]) -> dict[str, object] | None:
    """Where the relevant documents of a record stand: one id, a list of ids, or of objects with an id."""
    values = [record[name] for record in records]
    if all(map(_is_id, values)):
        return {"flat": True, "docid": quoted(name), "rel": "`1`"}
    if not all(isinstance(each, list) for each in values):
        return None
    members = [member for each in values if isinstance(each, list) for member in each]
    if all(map(_is_id, members)):
        return {"hits": quoted(name), "docid": "@value", "rel": "`1`"}
    if members and all(isinstance(each, dict) for each in members):
        return {"hits": quoted(name), "docid": _DOCUMENT, "rel": _GRADE}
    return None


def _are_scalars(records: Sequence[Record], name: str) -> bool:
    return all(_is_id(record[name]) for record in records)


def _are_positions(values: Sequence[object]) -> bool:
    """Whether ids may be places in an index: whole numbers from 0."""
    texts = {str(value) for value in values}
    return "0" in texts and all(text.isdecimal() for text in texts)


def _is_id(value: object) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def _judged(
    rows: dict[str, object], whole: Mapping[str, list[str]], records: Sequence[Record]
) -> dict[str, object] | None:
    grades = whole.get("rel", [])
    if len(grades) != 1 or not all(is_number(record[grades[0]]) for record in records):
        return None
    return {**rows, "rel": quoted(grades[0])}


def _scored(
    rows: dict[str, object], whole: Mapping[str, list[str]], records: Sequence[Record]
) -> dict[str, object] | None:
    scores, ranks = whole.get("score", []), whole.get("rank", [])
    if any(not is_number(record[name]) for name in (*scores, *ranks) for record in records):
        return None
    if len(ranks) == 1 and all(_agree(rows, ranks[0], score, records) for score in scores):
        return {**rows, "rank": quoted(ranks[0])}
    if len(scores) == 1 and not ranks:
        return {**rows, "score": quoted(scores[0]), "order": "ask"}
    return None


def _agree(rows: dict[str, object], rank: str, score: str, records: Sequence[Record]) -> bool:
    """Whether scores never rise, or never fall, along the ranks of a query: then both rank alike."""
    by_query: dict[object, list[tuple[float, float]]] = {}
    for record in records:
        query = next(value for name, value in record.items() if quoted(name) == rows["qid"])
        by_query.setdefault(query, []).append((float(str(record[rank])), float(str(record[score]))))
    ordered = [[score for _, score in sorted(pairs)] for pairs in by_query.values()]
    steps = [after - before for scores in ordered for before, after in pairwise(scores)]
    return all(step <= 0 for step in steps) or all(step >= 0 for step in steps)
