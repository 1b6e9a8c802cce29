"""What is said of an input that is in no known form: what was seen of it, and what leads on."""

from __future__ import annotations

from treconcile.errors import EmptyError, FormatError, InputError, shown
from treconcile.files.limits import DEFAULT_LIMITS
from treconcile.formats.json.cells import kind_of
from treconcile.formats.named.catalogue import FORMATS
from treconcile.formats.systems.mapping.choose import recognised
from treconcile.formats.systems.mapping.drawn import unread
from treconcile.formats.systems.mapping.readers import PythonValue, Source

_KINDS = {"qrels": "judgments", "run": "a run", "queries": "queries", "corpus": "documents"}
_SHOWN = 5


def no_known_form(source: Source, kind: str, value: object, where: str) -> InputError:
    """The error of a value in which nothing was recognised.

    Args:
        source: The input.
        kind: `run`, `qrels`, `queries` or `corpus`.
        value: What is in it.
        where: Its place.
    """
    if value in ([], {}) or (isinstance(value, dict) and list(value.values()) == [[]]):
        what = "documents" if kind == "corpus" else "queries"
        return EmptyError(f"there are no {what} in it", where=where)
    by_names = unread(source, kind, DEFAULT_LIMITS)
    if by_names is not None and not _exchanged(source, kind):
        return by_names
    accepted = "; ".join(_examples(kind))
    others = "" if isinstance(source, PythonValue) or kind in ("queries", "corpus") else _OTHERS
    hint = _exchanged(source, kind) or f"accepted: {accepted}{others}"
    return FormatError(f"no known form of {_KINDS[kind]}: it is {outline(value)}", where=where, hint=hint)


_OTHERS = "; `treconcile list formats` has those of systems, and convert --map FILE reads one of your own"


def _examples(kind: str) -> list[str]:
    return [each.example for each in FORMATS if each.kind == kind and each.name.startswith("json-")]


def _exchanged(source: Source, wanted: str) -> str | None:
    """A hint if judgments and a run seem to have been exchanged."""
    other = {"qrels": "run", "run": "qrels"}.get(wanted)
    if other is None or not recognised(source, other):
        return None
    return f"this looks like {_KINDS[other]}: the order is QRELS RUN"


def outline(value: object) -> str:
    """A value's shape and its keys, never its texts."""
    if isinstance(value, dict):
        return f"an object with {_keys(value)}"
    if isinstance(value, list) and value:
        first = f"an object with {_keys(value[0])}" if isinstance(value[0], dict) else kind_of(value[0])
        return f"a list, {len(value)} long, that begins with {first}"
    return "an empty list" if isinstance(value, list) else kind_of(value)


def _keys(value: dict[str, object]) -> str:
    if not value:
        return "no keys"
    named = ", ".join(shown(str(key)) for key in list(value)[:_SHOWN])
    return f"the keys {named}{', …' if len(value) > _SHOWN else ''}"
