"""A table that no preset reads: which of its columns are understood, and a mapping drawn up from them.

Nothing is read by it: whoever saves the draft and gives it to `--map` has chosen.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress

from treconcile.errors import FormatError, shown
from treconcile.formats.systems.mapping.names import COLUMN_NAMES, quoted

MARKS = (",", ";", "\t", "|")
"""What separates the columns of a table, apart from white space."""

ASKED = "?"
"""What a draft has where nothing is known; no expression, so that an uncompleted draft is refused."""

_SHOWN, _MOST_LABELS = 8, 20
_WANTED = {
    "run": ("qid", "docid"),
    "qrels": ("qid", "docid", "rel"),
    "queries": ("qid", "text"),
    "corpus": ("docid", "text"),
}
KINDS = {"qrels": "judgments", "run": "a run", "queries": "queries", "corpus": "documents"}
_TITLES = {
    "qid": "the query's id",
    "docid": "the document's id",
    "rel": "the grade",
    "score": "a score or rank",
    "text": "the text",
}
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)


def normal(name: str) -> str:
    """A column's name without what people write differently: case, `-`, `_`, dots, spaces."""
    return re.sub(r"[-_.\s]", "", name).casefold()


def roles(columns: Sequence[str], kind: str) -> dict[str, list[str]]:
    """What each part of a row may be called in a table: of every part the columns whose names are known."""
    names = {part: {normal(name) for name in known} for part, known in COLUMN_NAMES.items()}
    found = {part: [each for each in columns if normal(each) in names[part]] for part in names}
    for part in ("query", "text"):  # the first that is known says it best: text before title
        known = [normal(each) for each in COLUMN_NAMES[part]]
        found[part] = sorted(found[part], key=lambda each: known.index(normal(each)))[:1]
    if kind == "qrels":
        found["rel"] = found["rel"] or [each for each in columns if normal(each) == "score"]
    return found


def is_number(cell: object) -> bool:
    """Whether a cell is a finite number, or the text of one."""
    if isinstance(cell, str):
        return _NUMBER.fullmatch(cell.strip()) is not None
    return isinstance(cell, (int, float)) and not isinstance(cell, bool) and math.isfinite(cell)


def unread_table(text: str, mark: str, kind: str, where: str | None) -> FormatError:
    """The error of a table that is in no known form: its columns, what is understood, and a draft.

    Args:
        text: How it begins: the header and some rows.
        mark: What separates the columns.
        kind: `run` or `qrels`.
        where: Its place.
    """
    header, *rows = _rows(text, mark)
    columns = [each.strip() for each in header]
    twice = next((each for each in columns if columns.count(each) > 1), None)
    if twice is not None:
        hint = f"the column {shown(twice)} stands twice: give one of them another name"
        return FormatError(
            f"no known form of a table: its columns are {_named(columns)}", where=where, hint=hint
        )
    reader = {"reader": "csv"} if mark == "," else {"reader": "csv", "delimiter": mark}
    records = [dict(zip(columns, row, strict=False)) for row in rows]
    return unread_records(columns, records, {**reader, "header": True}, kind, where, "columns")


def unread_records(
    names: Sequence[str],
    records: Sequence[Mapping[str, object]],
    reader: Mapping[str, object],
    kind: str,
    where: str | None,
    what: str = "keys",
) -> FormatError:
    """The error of rows or records whose names leave something open: what is understood, and a draft.

    Args:
        names: The names of their columns or keys.
        records: The first of them.
        reader: The keys of a mapping that say how they are read.
        kind: `run`, `qrels`, `queries` or `corpus`.
        where: Their place.
        what: What the names are of.
    """
    form = "a table" if what == "columns" else KINDS[kind]
    message = f"no known form of {form}: its {what} are {_named(names)}"
    found = roles(names, kind)
    draft = {"kind": kind, **reader, **_draft(found, kind, records)}
    if kind == "qrels" and len(found["rel"]) == 1:
        draft |= _words(records, found["rel"][0])
    said = "; ".join(filter(None, (_understood(found, kind), _open(found, kind, draft))))
    line = json.dumps(draft, ensure_ascii=False)
    return FormatError(
        message, where=where, hint=f"{said}; save this as map.json and add --map map.json: {line}"
    )


def _named(names: Sequence[str]) -> str:
    return ", ".join(map(shown, names[:_SHOWN])) + (", …" if len(names) > _SHOWN else "")


def _rows(text: str, mark: str) -> list[list[str]]:
    """The header and the rows after it, as far as they can be read."""
    rows: list[list[str]] = []
    with suppress(csv.Error):
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=mark):
            if row:
                rows.append(row)
    return rows or [text.partition("\n")[0].split(mark)]


def _draft(
    found: dict[str, list[str]], kind: str, records: Sequence[Mapping[str, object]]
) -> dict[str, object]:
    if kind in ("queries", "corpus"):
        key = _WANTED[kind][0]
        text = "query" if kind == "queries" else "text"
        return {key: _one(found[key] or found["id"]), "text": _one(found[text])}
    if kind == "qrels" and len(found["relevant"]) == 1 and not found["docid"]:
        name = found["relevant"][0]
        ids = found["qid"] or found["id"]
        asked = {"qid": _one(ids)} if ids or not found["query"] else {"query": quoted(found["query"][0])}
        lists = any(isinstance(record.get(name), list) for record in records)
        where = {"hits": quoted(name), "docid": "@value"} if lists else {"flat": True, "docid": quoted(name)}
        return {**asked, **where, "rel": "`1`"}
    draft: dict[str, object] = {"flat": True, **{part: _one(found[part]) for part in _WANTED[kind]}}
    if kind == "run":
        if found["score"] and not found["rank"]:
            draft |= {"score": _one(found["score"]), "order": "ask"}
        else:
            # With both, which one ranks is for its user to say: scores may be distances.
            draft["rank"] = ASKED if found["score"] else _one(found["rank"])
    return draft


def _one(names: list[str]) -> str:
    return quoted(names[0]) if len(names) == 1 else ASKED


def _words(records: Sequence[Mapping[str, object]], column: str) -> dict[str, object]:
    """The grades to be filled in, where labels are words."""
    cells = dict.fromkeys(str(record[column]).strip() for record in records if record.get(column) is not None)
    words = [each for each in cells if each and not is_number(each)]
    return {"rel_map": dict.fromkeys(words, ASKED)} if 0 < len(words) <= _MOST_LABELS else {}


def _parts(kind: str, found: Mapping[str, list[str]]) -> tuple[str, ...]:
    """The parts of which something is to be said."""
    if kind == "run":
        return (*_WANTED[kind], "score", "rank")
    if kind == "qrels" and found["relevant"] and not found["docid"]:
        return ("qid", "query", "relevant")
    return (*_WANTED[kind], "query") if kind == "queries" else _WANTED[kind]


def _understood(found: dict[str, list[str]], kind: str) -> str:
    parts = _parts(kind, found)
    known = [f"{part} {shown(found[part][0])}" for part in parts if len(found[part]) == 1]
    return f"understood: {', '.join(known)}" if known else "none of these names is known"


def _open(found: dict[str, list[str]], kind: str, draft: Mapping[str, object]) -> str:
    """What is missing, and what has to be chosen."""
    if "query" in draft:
        return "the queries have no id: --queries FILE tells it by their text, --make-qids FILE numbers them"
    wanted = [part for part in _WANTED[kind] if part in draft]
    said = [f"missing: {_TITLES[part]}" for part in wanted if draft[part] == ASKED and not found.get(part)]
    if kind == "run" and not (found["score"] or found["rank"]):
        said.append(f"missing: {_TITLES['score']}")
    for part in _parts(kind, found):
        if len(found[part]) > 1:
            said.append(f"{part} may be {' or '.join(map(shown, found[part]))}")
    if kind == "run" and found["score"] and found["rank"]:
        said.append(
            f"write the column after rank, or score and order (asc or desc) instead of it, for {ASKED}"
        )
    elif "rel_map" in draft:
        said.append(f"labels are words: write the grade of each for {ASKED}")
    elif ASKED in draft.values():
        said.append(f"write the name for {ASKED}")
    return "; ".join(said)
