"""Records of one shape, decoded straight into the parts of them that a plain mapping needs.

Most of a response is of no interest, and a parser that knows the shape can pass over it. The shape is taken
from one record; it says of every object which keys it has, all of them and no others. So the keys of a text
can be counted in advance, and one that stands twice shows: there are more colons behind quotation marks
than there should be. Whatever does not have the shape, or is odd in any way, is left to the general parser.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from operator import attrgetter, itemgetter
from types import GenericAlias
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from treconcile.formats.systems.mapping.bulk import number_of
from treconcile.formats.systems.mapping.paths import Either, KeyName, Path, Present, steps_of
from treconcile.formats.systems.mapping.unfold import is_folded

if TYPE_CHECKING:
    from treconcile.formats.systems.mapping import language
    from treconcile.formats.systems.mapping.paths import Expression

Steps = tuple[str, ...]

_QUOTE, _COLON, _SPACE = ord('"'), ord(":"), ord(" ")
_NAMELESS = "member"
_PATH = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*", re.ASCII)


class NoShapeError(Exception):
    """A record has no shape that can be told in advance."""


Columns = tuple[list[object], list[object] | None]
"""The ids of hits, and their scores or grades if these count."""

_NUMBER: Any = int | float


@dataclass(frozen=True)
class Hits:
    """How the hits of a record are written.

    Attributes:
        kind: The type of all of them together.
        keys: How many keys one of them has.
        columns: The parts of the hits of several records.
    """

    kind: Any
    keys: int
    columns: Callable[[Sequence[Any]], Columns]


@dataclass(frozen=True)
class Shape:
    """What is where in the records of one shape.

    Attributes:
        record: The type of a record.
        query: Its query's id, unless records stand under it.
        hits: Its hits.
        filled: There has to be a hit: the mapping looks elsewhere if there is none.
        columns: The parts of the hits of several records.
        record_keys: How many keys a record has outside its hits, with the one under which it stands.
        hit_keys: How many keys a hit has.
        signs: What has to be in every record as it is in the first: signs of a failure are not like it.
    """

    record: Any
    query: Callable[[object], str]
    hits: Callable[[object], Any]
    filled: bool
    columns: Callable[[Sequence[Any]], Columns]
    record_keys: int
    hit_keys: int
    signs: tuple[Callable[[object], Any], ...] = ()

    def keys(self, lists: Sequence[Sequence[object]]) -> int:
        """How many keys there are in records with these hits, if each stands once."""
        return len(lists) * self.record_keys + sum(map(len, lists)) * self.hit_keys


def may_have_shape(mapping: language.Mapping) -> bool:
    """Whether the records of a mapping stand in the file as they are, each with its hits in one place."""
    rearranged = (
        *(mapping.zip, mapping.explode, mapping.where, mapping.flat, mapping.zip_hits, mapping.candidates),
        *(mapping.single, is_folded(mapping)),
    )
    keyed = mapping.hits_as == "dict" and isinstance(mapping.docid, KeyName)
    listed = mapping.hits is not None and (mapping.hits_as == "list" or keyed)
    return listed and not any(rearranged) and (mapping.records_as == "list" or mapping.qid is None)


def shape_of(sample: object, mapping: language.Mapping) -> Shape:
    """The shape of records like this one.

    Raises:
        NoShapeError: There is none, or the mapping needs more than a few parts of it.
    """
    if not (_is_never(mapping.query, sample) and _is_never(mapping.reason, sample)):
        raise NoShapeError
    signs, keyed = _signs(sample, mapping), mapping.records_as == "dict"
    query, hits = () if keyed else _steps(mapping.qid, sample), _steps(mapping.hits, sample)
    if query == hits and not keyed:
        raise NoShapeError
    found = _hits(reduce(lambda node, step: node[step], hits, sample), mapping)  # type: ignore[index]
    parts = {**dict.fromkeys(signs, msgspec.Raw), **({} if keyed else {query: str}), hits: found.kind}
    record, record_keys = _typed(sample, (), parts)
    return Shape(
        record,
        _getter(sample, query),
        _getter(sample, hits),
        isinstance(mapping.hits, Either) or mapping.total is not None,
        found.columns,
        record_keys + keyed,
        found.keys,
        tuple(_getter(sample, steps) for steps in signs),
    )


def _signs(sample: object, mapping: language.Mapping) -> list[Steps]:
    """Where it stands whether a response failed or is partial, in records of which the first is neither."""
    found: list[Steps] = []
    for key in ("failed", "partial"):
        expression = getattr(mapping, key)
        if _is_never(expression, sample):
            continue
        if key not in mapping.texts or expression.get(sample):
            raise NoShapeError
        for text in _PATH.findall(mapping.texts[key]):
            steps = tuple(text.split("."))
            if _leads(Path(steps), sample):
                if isinstance(reduce(lambda node, step: node[step], steps, sample), (dict, list)):  # type: ignore[index]
                    raise NoShapeError
                found.append(steps)
    return found


def _hits(found: object, mapping: language.Mapping) -> Hits:
    """How hits like these are written, of which there has to be one."""
    number = number_of(mapping)
    docid = mapping.docid.steps if isinstance(mapping.docid, Path) else None
    at = None if number is None else steps_of(number)
    if isinstance(found, dict):
        if not found or mapping.hits_as != "dict" or at != ():
            raise NoShapeError
        return Hits(dict[str, _NUMBER], 1, _of_objects)
    first = found[0] if isinstance(found, list) and found and mapping.hits_as == "list" else None
    if isinstance(first, dict) and mapping.hits_within not in first:
        return _of_hit(first, mapping.docid, number)
    if isinstance(first, str) and docid == () and number is None:
        return Hits(list[str], 0, lambda lists: (list(chain.from_iterable(lists)), None))
    if isinstance(first, list) and (docid, at) == ((0,), (1,)):
        return Hits(list[tuple[str, _NUMBER]], 0, _parts(itemgetter(0), itemgetter(1)))
    if isinstance(first, list) and (docid, at) == ((1,), (0,)):
        return Hits(list[tuple[_NUMBER, str]], 0, _parts(itemgetter(1), itemgetter(0)))
    raise NoShapeError


def _of_hit(first: dict[str, object], docid: Expression, number: Expression | None) -> Hits:
    at = _steps(docid, first)
    leaves: dict[Steps, Any] = {at: str}
    numbered = None if number is None else _steps(number, first)
    if numbered is not None:
        leaves[numbered] = _NUMBER
    hit, keys = _typed(first, (), leaves)
    if numbered == at:
        raise NoShapeError
    getters = (_getter(first, steps) for steps in (at, numbered) if steps is not None)
    return Hits(GenericAlias(list, (hit,)), keys, _parts(*getters))


def _parts(
    docid: Callable[[Any], object], number: Callable[[Any], object] | None = None
) -> Callable[[Sequence[Any]], Columns]:
    def parts(lists: Sequence[Any]) -> Columns:
        hits = list(chain.from_iterable(lists))
        return list(map(docid, hits)), None if number is None else list(map(number, hits))

    return parts


def _of_objects(found: Sequence[Any]) -> Columns:
    return list(chain.from_iterable(found)), list(chain.from_iterable(map(dict.values, found)))


def _steps(expression: Expression | None, sample: object) -> Steps:
    """The keys by which an expression finds its value in records like this one."""
    choices = expression.choices if isinstance(expression, (Either, Present)) else (expression,)
    for choice in choices:
        if not isinstance(choice, Path):
            break
        if _leads(choice, sample):
            return tuple(map(str, choice.steps))
    raise NoShapeError


def _leads(path: Path, node: object) -> bool:
    for step in path.steps:
        if isinstance(step, int):
            raise NoShapeError
        if not isinstance(node, dict) or step not in node:
            return False
        node = node[step]
    return True


def _is_never(expression: Expression | None, sample: object) -> bool:
    """Whether an expression finds nothing in records like this one."""
    choices = expression.choices if isinstance(expression, (Either, Present)) else (expression,)
    return all(each is None or (isinstance(each, Path) and not _leads(each, sample)) for each in choices)


def _typed(node: object, at: Steps, leaves: Mapping[Steps, Any]) -> tuple[Any, int]:
    """The type of a value, and how many keys stand in it beside those of its leaves."""
    if at in leaves:
        return leaves[at], 0
    if isinstance(node, list) and any(isinstance(each, (dict, list)) for each in node):
        raise NoShapeError
    if not isinstance(node, dict):
        return msgspec.Raw, 0
    members = [_typed(value, (*at, key), leaves) for key, value in node.items()]
    names = [f"{_NAMELESS}{number}" for number in range(len(members))]
    try:
        kind = msgspec.defstruct(
            "Members",
            [(name, each) for name, (each, _) in zip(names, members, strict=True)],
            rename=dict(zip(names, node, strict=True)),
            forbid_unknown_fields=True,
            gc=False,
        )
    except (ValueError, TypeError):
        # Not every key can be the name of a field.
        raise NoShapeError from None
    return kind, len(members) + sum(keys for _, keys in members)


def _getter(node: object, steps: Steps) -> Callable[[object], Any]:
    names = []
    for step in steps:
        if not isinstance(node, dict):
            raise NoShapeError
        names.append(f"{_NAMELESS}{list(node).index(step)}")
        node = node[step]
    return attrgetter(".".join(names)) if names else _itself


def _itself(node: object) -> object:
    return node


def count_keys(text: bytes) -> int | None:
    """How many keys a text has that is JSON; None if that cannot be told from its bytes."""
    # Behind a backslash, what looks like the end of a key may be in a string.
    if b"\\" in text and b'\\":' in text:
        return None
    letters = np.frombuffer(text, np.uint8)
    colons = letters[1:] == _COLON
    ends = colons & (letters[:-1] == _QUOTE)
    keys = int(np.count_nonzero(ends))
    if keys < np.count_nonzero(colons) and (letters[np.flatnonzero(colons & ~ends)] <= _SPACE).any():
        return None
    return keys
