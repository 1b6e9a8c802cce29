"""The mapping of an input in which the answers that another mapping describes are wrapped.

A wrapping puts its own steps before the expressions of an answer.
"""

from __future__ import annotations

import re

from treconcile.formats.systems.mapping.names import (
    QUERY_IDS,
    RECORD_IDS,
    RESULTS,
    either,
    quoted,
)
from treconcile.formats.systems.mapping.wrappings import Fields, Wrapping

_WHOLE = ("records", "zip", "explode", "where", "regex")
_RECORD_KEYS = ("failed", "partial", "total", "query", "reason", "where", "single")
_LISTED_KEYS = ("key_values", "parse_json", "unflatten")
_HIT_KEYS = (
    *("kind", "docid", "own", "score", "rel", "rank", "order", "docid_lookup", "docid_regex", "dedupe"),
    *("rel_map", "on_empty_docid", "skip_docids", "on_null_score", "on_nonfinite", "drop_score_le"),
)


def prefixed(expression: str, path: str) -> str:
    """An expression seen from further out, where a path leads to what it was seen from."""
    text = expression.strip()
    if text in ("@", "@value"):
        return path
    if text.startswith(("@key", "@file")):
        return text
    if text.startswith(("@value.", "@.")):
        return f"{path}.{text.partition('.')[2]}"
    choices = text.split("||")
    if len(choices) > 1 and _is_plain(text):
        return " || ".join(prefixed(each, path) for each in choices)
    called = re.fullmatch(r"not_null\(([^()]*)\)", text)
    if called and _is_plain(text):
        return f"not_null({', '.join(prefixed(each, path) for each in called[1].split(','))})"
    if re.match(r'[A-Za-z_"]', text) and _is_path(text):
        return f"{path}.{text}"
    if text.startswith("[") and _is_path(text):
        return path + text
    return f"{path} | {text}" if not re.match(r"[`!(]|.*\|\||.*&&", text) else f"{path} | ({text})"


def _is_plain(text: str) -> bool:
    return not re.search(r"[`'?|&(){}!]", re.sub(r"\|\||not_null\(|\)$", "", text))


def _is_path(text: str) -> bool:
    return re.fullmatch(r'(?:\.?(?:\w+|"[^"]*")|\[-?\d*\])+', text) is not None


def is_whole(fields: Fields) -> bool:
    """Whether a mapping describes a whole file and not an answer: then nothing is around it."""
    return any(key in fields for key in _WHOLE) or "reader" in fields or "records_as" in fields


def composed(fields: Fields, wrapping: Wrapping) -> dict[str, object]:
    """The mapping of an input in which the answers that a mapping describes are wrapped.

    Args:
        fields: The keys and values of an answer's mapping.
        wrapping: What is around the answers.
    """
    if is_whole(fields):
        return dict(fields)
    if wrapping.rows and not fields.get("flat"):
        made = {key: value for key, value in fields.items() if key in (*_HIT_KEYS, "name")} | {"flat": True}
    else:
        made = _within(fields, wrapping)
    _name_queries(made, fields, wrapping)
    if wrapping.columns:
        made["zip"] = dict(wrapping.columns)
    if wrapping.records is not None:
        made["records"] = wrapping.records
    if wrapping.by_id:
        made["records_as"] = "dict"
    return made


def _within(fields: Fields, wrapping: Wrapping) -> dict[str, object]:
    made = dict(fields)
    path = wrapping.inner
    if wrapping.bare:
        made["hits"] = "@"
    if wrapping.sides:
        made["zip_hits"] = dict(wrapping.sides)
    if wrapping.first:
        columns = made["zip_hits"]
        assert isinstance(columns, dict)
        made["zip_hits"] = {name: f"{each} | [1] == `null` && [0]" for name, each in columns.items()}
    if path is None:
        return made
    for key in _RECORD_KEYS:
        if key in made:
            made[key] = prefixed(str(made[key]), path)
    for key in _LISTED_KEYS:
        if key in made:
            given = made[key]
            made[key] = [
                prefixed(str(each), path) for each in (given if isinstance(given, list) else [given])
            ]
    for key in ("split",):
        if isinstance(made.get(key), dict):
            made[key] = {prefixed(name, path): mark for name, mark in made[key].items()}  # type: ignore[attr-defined]
    if isinstance(made.get("candidates"), dict):
        candidates: dict[str, str] = made["candidates"]  # type: ignore[assignment]
        made["candidates"] = {**candidates, "list": prefixed(candidates["list"], path)}
    made["hits"] = prefixed(str(made["hits"]), path) if "hits" in made else path
    if fields.get("native") and path in RESULTS[:3]:
        # In a form of the package's own, each record may have its own of these names.
        made["hits"] = f"not_null({', '.join(dict.fromkeys((path, *RESULTS[:3])))})"
    error = f"error || {path}.error"
    made["failed"] = (
        f"{made['failed']} || {error}"
        if _is_path(str(made.get("failed", "-")))
        else made.get("failed", error)
    )
    return made


def _name_queries(made: dict[str, object], fields: Fields, wrapping: Wrapping) -> None:
    if fields["kind"] in ("queries", "corpus"):
        return
    if wrapping.by_id and not (wrapping.rows or fields.get("flat")):
        made.pop("qid", None)
    elif wrapping.rows or fields.get("flat"):
        made.setdefault("qid", either(QUERY_IDS))
    elif wrapping.inner is not None:
        own = f" || {prefixed(str(fields['qid']), wrapping.inner)}" if "qid" in fields else ""
        made["qid"] = either((*QUERY_IDS, *RECORD_IDS)) + own
    else:
        made.setdefault("qid", either(QUERY_IDS))
    if fields.get("native") and (wrapping.inner is not None or "qid" in fields):
        made["query"] = "not_null(text, query)"
    if wrapping.query and "query" not in made:
        made["query"] = quoted(wrapping.query)
