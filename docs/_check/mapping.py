"""The reference of the mapping language, made from its definition."""

from __future__ import annotations

import re
from collections.abc import Mapping as MappingType
from dataclasses import MISSING, fields
from typing import get_type_hints

from _check.generated import table
from treconcile.formats.systems.mapping import language
from treconcile.formats.systems.mapping.key_values import VALUES
from treconcile.formats.systems.mapping.paths import Constant, Expression
from treconcile.rendering.presets import RULES

GROUPS = {
    "The input": (
        "kind", "reader", "header", "skip", "comment", "delimiter", "regex", "folder", "name",
    ),
    "Records": (
        "records", "records_as", "zip", "explode", "flat", "where", "parse_json", "split", "key_values",
        "unflatten", "failed", "partial", "total",
    ),
    "Queries": ("qid", "query", "qids_file", "reason", "text"),
    "Hits": ("hits", "hits_as", "hits_within", "single", "zip_hits", "candidates", "on_absent_hits"),
    "Documents": (
        "docid", "own", "docid_lookup", "docids_file", "docid_regex", "on_empty_docid", "skip_docids",
        "dedupe", "heading",
    ),
    "Scores of a run": (
        "score", "order", "rank", "on_null_score", "on_nonfinite", "drop_score_le", "scores_file",
    ),
    "Grades of judgments": ("rel", "rel_map"),
}  # fmt: skip
"""The keys, by what they are about."""

NOTES = {
    "title": "what the format is",
    "source": "where it is documented",
    "note": "what else one has to know",
    "why_refused": "what looks almost like it, and why that is refused",
    "near_miss": "an input that looks almost like it",
    "sample": "a small input",
    "file": "the name of an input",
    "expected": "the name of what becomes of it",
    "recognise": "by what an input is told from others: see above",
    "generic": "`true`: a form that no system has alone; it counts only where nothing else fits",
    "keyed": "`true`: only as the values of an object by the query's id",
    "lenient": "`true`: counts only where no other form does, to say what is wrong",
    "native": "`true`: a form of the package's own, of which nothing has to be said",
    "trec": "`true`: a TREC file, which has a reader of its own",
    "auto": "`false`: never taken for this unless it is asked for by name",
}
"""The keys that say something about a mapping."""

_HELD: tuple[tuple[object, str], ...] = (
    (Expression, "an expression"),
    (bool, "`true` or `false`"),
    (int, "a whole number"),
    (float, "a number"),
    (str, "text"),
    (re.Pattern[str], "a regular expression with a group"),
    (frozenset[str], "a list of texts"),
    (tuple[str, ...], "text, or a list of texts"),
    (tuple[Expression, ...], "an expression, or a list"),
    (tuple[tuple[Expression, str], ...], "an object: a mark for each path"),
    (MappingType[str, Expression], "an object: an expression for each name"),
    (MappingType[str, int], "an object: a whole number for each label"),
)
_PARTS = {"explode": "an object with `parent` and `child`", "candidates": "an object with `list` and `at`"}


def keys() -> str:
    """A table for each group of keys.

    Raises:
        ValueError: A key is in no group, or in none any more.
    """
    listed = [key for group in GROUPS.values() for key in group]
    if sorted(listed) != sorted(language.KEYS):
        raise ValueError(f"the groups lack or have too much: {set(listed) ^ set(language.KEYS)}")
    meanings = _meanings()
    parts = []
    for title, group in GROUPS.items():
        rows = [(f"`{key}`", _held(key), _default(key), meanings[key]) for key in group]
        parts.append(f"### {title}\n\n" + table(("key", "holds", "default", "meaning"), rows))
    return "\n\n".join(parts)


def rules() -> str:
    """What each rule says of a value."""
    rows = [(f"`{rule}`", said) for rule, (said, _) in RULES.items()]
    rows += [
        ("`list[text]`", "a list of texts; likewise with every other rule"),
        ("`object[number]`", "an object whose values are numbers"),
        ("`=RETRIEVER`", "that text and no other"),
        ("`text|whole`", "one of several"),
    ]
    return table(("rule", "the value is"), rows)


def notes() -> str:
    """The keys that say nothing about the conversion.

    Raises:
        ValueError: One is not described.
    """
    if set(NOTES) != set(language.NOTES):
        raise ValueError(f"not described, or no key: {set(NOTES) ^ set(language.NOTES)}")
    return table(("key", "what it says"), [(f"`{key}`", said) for key, said in NOTES.items()])


def _meanings() -> dict[str, str]:
    found = re.findall(
        r"^ {8}(\w+): (.*?)(?=\n {8}\w|\n\s*\Z)", str(language.Mapping.__doc__), re.MULTILINE | re.DOTALL
    )
    return {key: re.sub(r"\s+", " ", text) for key, text in found}


def _held(key: str) -> str:
    known = VALUES[key]
    if isinstance(known, tuple):
        return " ".join(f"`{each}`" for each in known)
    if key == "rel":
        return "an expression, or a whole number"
    hint = get_type_hints(language.Mapping)[key]
    return _PARTS.get(key) or next(said for kind, said in _HELD if hint in (kind, _or_none(kind)))


def _or_none(kind: object) -> object:
    return kind | None  # type: ignore[operator]


def _default(key: str) -> str:
    field = next(each for each in fields(language.Mapping) if each.name == key)
    value = field.default_factory() if field.default_factory is not MISSING else field.default
    if value is MISSING:
        return "has to be there"
    if isinstance(value, Constant):
        value = value.value
    if value is None or value in ({}, (), frozenset()):
        return ""
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"
