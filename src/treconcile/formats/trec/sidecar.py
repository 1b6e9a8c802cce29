"""The sidecar: a small JSON beside a TREC file that says what the file cannot.

`x.run.meta.json` beside `x.run`, `x.qrels.meta.json` beside `x.qrels`: the queries that were asked, those
that found nothing, those declared to have no answer, why a query was judged as it was, and where the file
came from. It holds no time and no machine, so the same input gives the same bytes.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from treconcile._version import __version__
from treconcile.errors import FormatError, Notice, did_you_mean
from treconcile.files.text_files import STANDARD, read_file, read_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from treconcile.files.text_files import Source

Kind = Literal["run", "qrels"]

ENDING = ".meta.json"
SCHEMA = 1

DUMMY_RESULT = "__no_result__"
"""The document that stands in a run for a query that found nothing."""

DUMMY_RELEVANT = "__no_relevant__"
"""The document that stands in qrels, with grade 0, for a query declared to have no answer."""

_HASHES = ("file", "corpus", "judgments", "queries")
_ENCODINGS = ("none", "percent")


@dataclass(frozen=True)
class Sidecar:
    """What stands in the file, key for key.

    Attributes:
        kind: "run" or "qrels".
        queries: Every query that was asked, in input order.
        empty: Queries of a run that found nothing.
        negative: Queries of judgments that are declared to have no answer.
        reasons: Why a query was judged as it was.
        partial: Queries of a run whose response was not complete; written only if there are any.
        k: How many results were asked for.
        scored: False if the scores of a run were derived from the order.
        id_encoding: "percent" if the ids in the file, and here, are percent-encoded, else "none".
        hashes: SHA-256 (hexadecimal) of the file as stored, and of the corpus, judgments and queries.
        tool: What wrote it, with its version.
        command: How it was called.
        source: What it was made from.
        schema: The version of this form.
    """

    kind: Kind
    queries: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()
    negative: tuple[str, ...] = ()
    reasons: Mapping[str, str] = field(default_factory=dict)
    partial: tuple[str, ...] = ()
    k: int | None = None
    scored: bool = True
    id_encoding: str = "none"
    hashes: Mapping[str, str] = field(default_factory=dict)
    tool: str = f"treconcile {__version__}"
    command: str | tuple[str, ...] | None = None
    source: str | None = None
    schema: int = SCHEMA

    def to_bytes(self) -> bytes:
        """The sidecar as JSON: `schema`, then the fields in their order, without those of the other kind."""
        keys = [
            "schema",
            *(each.name for each in fields(self) if each.name not in {"schema", *_foreign(self.kind)}),
        ]
        values = {key: getattr(self, key) for key in keys if key != "partial" or self.partial}
        values["hashes"] = {key: self.hashes[key] for key in _HASHES if key in self.hashes}
        # A lone surrogate, which UTF-8 cannot hold, becomes the escape that JSON has for it.
        return (json.dumps(values, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "backslashreplace")

    def with_hashes(self, hashes: Mapping[str, str]) -> Sidecar:
        """The same sidecar with other hashes."""
        return replace(self, hashes=hashes)


def sidecar_path(path: Source) -> Path:
    """Where the sidecar of a file stands; also that of a compressed file has its whole name."""
    return Path(os.fspath(path) + ENDING)


def read_sidecar(
    path: Source, kind: Kind | None = None, digest: str | None = None
) -> tuple[Sidecar | None, tuple[Notice, ...]]:
    """The sidecar of a file, if it has one that describes it as it is now.

    Args:
        path: The file described; standard input has no sidecar.
        kind: What the file is; None accepts either.
        digest: SHA-256 of the file as stored, where it is known already.

    Returns:
        The sidecar, or None if there is none or it describes other bytes; then a warning says so.

    Raises:
        FormatError: It is not a sidecar, or one of the other kind.
        FileError: It cannot be opened or is not text.
    """
    beside = sidecar_path(path)
    if os.fspath(path) == STANDARD or not beside.exists():
        return None, ()
    sidecar = parse_sidecar(read_text(beside)[0], str(beside))
    if kind and sidecar.kind != kind:
        raise FormatError(
            f"this is the sidecar of a {sidecar.kind} file, not of a {kind} file", where=str(beside)
        )
    if sidecar.hashes.get("file") not in (None, digest or read_file(path).digest):
        message = "the sidecar is ignored: it describes other content than the file has now"
        hint = "write the file again, or remove the sidecar"
        return None, (Notice("sidecar-ignored", message, where=str(beside), hint=hint),)
    return sidecar, ()


def parse_sidecar(text: str, where: str) -> Sidecar:
    """A sidecar from its JSON.

    Raises:
        FormatError: It is not JSON, has an unknown key, lacks one it needs, or a value has the wrong type.
    """
    try:
        value = json.loads(text, object_pairs_hook=partial(_object, where))
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        raise FormatError("the sidecar is not JSON", where=f"{where}:{line}") from error
    if not isinstance(value, dict):
        raise FormatError("the sidecar is not a JSON object", where=where)
    for key in ("schema", "kind"):
        if key not in value:
            raise FormatError(f"the sidecar lacks {key!r}", where=where)
    for key, each in value.items():
        _check(key, each, where)
    checked: dict[str, Any] = {key: _frozen(each) for key, each in value.items()}
    return Sidecar(**checked)


def _object(where: str, pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in value if names.count(name) > 1)
        raise FormatError(f"the sidecar has {twice!r} twice", where=where)
    return value


def _foreign(kind: Kind) -> tuple[str, ...]:
    return ("negative", "reasons") if kind == "run" else ("empty", "partial", "k", "scored")


def _check(key: str, value: object, where: str) -> None:
    known = [each.name for each in fields(Sidecar)]
    if key not in known:
        raise FormatError(
            f"the sidecar has an unknown key {key!r}",
            where=where,
            hint=did_you_mean(key, known, "its keys are " + ", ".join(known)),
        )
    if key == "schema" and type(value) is int and value != SCHEMA:
        raise FormatError(f"the sidecar has schema {value!r}, not {SCHEMA}", where=where)
    if not _fits(key, value):
        raise FormatError(f"the sidecar's {key!r} is not {_MEANT[key]}", where=where)


def _fits(key: str, value: object) -> bool:
    match key:
        case "kind":
            return value in ("run", "qrels")
        case "queries" | "empty" | "partial" | "negative":
            return _is_texts(value) and len(set(cast("list[str]", value))) == len(cast("list[str]", value))
        case "reasons":
            return _is_text_map(value)
        case "hashes":
            return _is_text_map(value) and set(cast("dict[str, str]", value)) <= set(_HASHES)
        case "k":
            return value is None or (type(value) is int and value > 0)
        case "scored":
            return isinstance(value, bool)
        case "id_encoding":
            return value in _ENCODINGS
        case "command":
            return value is None or isinstance(value, str) or _is_texts(value)
        case "source":
            return value is None or isinstance(value, str)
        case _:
            return type(value) is int if key == "schema" else isinstance(value, str)


_MEANT = {
    "schema": "a whole number",
    "kind": '"run" or "qrels"',
    "queries": "a list of different query ids",
    "empty": "a list of different query ids",
    "partial": "a list of different query ids",
    "negative": "a list of different query ids",
    "reasons": "an object of texts",
    "hashes": "an object with some of " + ", ".join(_HASHES),
    "k": "a whole number from 1 up",
    "scored": "true or false",
    "id_encoding": '"none" or "percent"',
    "command": "a text or a list of texts",
    "source": "a text",
    "tool": "a text",
}


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _is_text_map(value: object) -> bool:
    return isinstance(value, dict) and _is_texts(list(value.values()))


def _frozen(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value
