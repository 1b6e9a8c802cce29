"""The hits of a query: found in its record, and the place of each for messages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from treconcile.errors import FormatError, InputError, MismatchError, shown
from treconcile.formats.json.cells import CellError, kind_of
from treconcile.formats.systems.mapping.chunks import Chunk, Faults
from treconcile.formats.systems.mapping.paths import steps_of
from treconcile.formats.systems.mapping.records import side_by_side

if TYPE_CHECKING:
    from treconcile.formats.systems.mapping.language import Mapping


@dataclass
class Hits:
    """Some hits of one query.

    Attributes:
        query: The query's id.
        nodes: The hits.
        keys: The key of each, where they stand in an object.
        chunk: The records they come from.
        at: The record, or in flat inputs the first of them.
        number: The number of the record in the input, from 1.
        absent: There is no list of hits at all.
    """

    query: str
    nodes: Sequence[object]
    keys: Sequence[object] | None
    chunk: Chunk
    at: int
    number: int = 0
    absent: bool = False

    def drop(self, at: int) -> None:
        """Takes a row of a flat input out."""
        self.nodes = [node for row, node in enumerate(self.nodes) if row != at]
        self.chunk.values = list(self.nodes)
        if self.chunk.lines is not None:
            self.chunk.lines = [line for row, line in enumerate(self.chunk.lines) if row != at]


def hits_of(chunk: Chunk, at: int, number: int, mapping: Mapping) -> Hits:
    """The hits of a record, whose query is not known yet.

    Raises:
        FormatError: They do not have the shape that the mapping says.
    """
    node = chunk.values[at]
    found = mapping.hits.get(node, key_at(chunk, at), chunk.stem) if mapping.hits else node
    if mapping.zip_hits:
        absent = all(column.get(found) is None for column in mapping.zip_hits.values())
        nodes: Sequence[object] = () if absent else side_by_side(found, mapping.zip_hits, "zip_hits")
        return Hits("", nodes, None, chunk, at, number, absent)
    if found is None:
        return Hits("", (), None, chunk, at, number, absent=True)
    _check_single(node, key_at(chunk, at), chunk.stem, mapping)
    nodes, keys = _listed(found, mapping)
    if mapping.hits_within is not None:
        nodes = _leaves(nodes, mapping.hits_within)
    if mapping.candidates and nodes:
        nodes = _chosen(nodes, node, mapping)
    return Hits("", nodes, keys, chunk, at, number)


def _check_single(node: object, key: object, file: str, mapping: Mapping) -> None:
    members = mapping.single.get(node, key, file) if mapping.single else None
    if isinstance(members, dict) and len(members) > 1:
        name = mapping.texts.get("single", "the object")
        named = ", ".join(map(shown, members))
        raise FormatError(
            f"{name} holds {len(members)} lists ({named}), and which of them counts is not said",
            hint=f"copy the mapping, and write hits with the name of the one that counts: {name}.NAME",
        )


def _leaves(nodes: Sequence[object], key: str) -> list[object]:
    """The hits that stand by themselves; if there is none, those within groups, in the order of these."""
    alone = [node for node in nodes if not (isinstance(node, dict) and key in node)]
    return alone or list(_within(nodes, key))


def _within(nodes: Sequence[object], key: str) -> Iterator[object]:
    for node in nodes:
        inner = node.get(key) if isinstance(node, dict) and key in node else None
        if isinstance(inner, list):
            yield from _within(inner, key)
        elif inner is None and not (isinstance(node, dict) and key in node):
            yield node


def key_at(chunk: Chunk, at: int) -> object:
    """The key of a record, where it stands in an object."""
    return None if chunk.keys is None else chunk.keys[at]


def _listed(found: object, mapping: Mapping) -> tuple[Sequence[object], Sequence[object] | None]:
    if mapping.hits_as == "any":
        return _any_hits(found, mapping), list(found) if isinstance(found, dict) else None
    wanted = list if mapping.hits_as == "list" else dict
    if found in ([], {}):
        # What writes an empty list need not know that it would be an object.
        return (), None
    if not isinstance(found, wanted):
        name = mapping.texts.get("hits", "the record")
        what = "a list" if wanted is list else "an object"
        raise FormatError(
            f"hits: {name} has to be {what}, not {kind_of(found)}", hint=_shape_hint(found, mapping)
        )
    if isinstance(found, list):
        return found, None
    if mapping.hits_as == "dict":
        return list(found.values()), list(found)
    pairs = [
        (each, key)
        for key, members in found.items()
        for each in (members if isinstance(members, list) else [members])
    ]
    return [each for each, _ in pairs], [key for _, key in pairs]


def _any_hits(found: object, mapping: Mapping) -> list[object]:
    """Hits of whatever form as objects with an id, and a number if they have one."""
    number = "score" if mapping.kind == "run" else "grade"
    if isinstance(found, dict):
        return [{"id": key, number: value} for key, value in found.items()]
    if not isinstance(found, list):
        what = "results" if mapping.kind == "run" else "documents"
        raise FormatError(
            f"the {what} of a query have to be a list or an object, not {kind_of(found)}",
            hint="for a query that found nothing write an empty list" if found is None else None,
        )
    return [_any_hit(at, each, number) for at, each in enumerate(found)]


def _any_hit(at: int, hit: object, number: str) -> object:
    if isinstance(hit, dict):
        return hit
    if not isinstance(hit, list) or number != "score":
        return {"id": hit} if number == "score" else {"id": hit, number: 1}
    if len(hit) != 2:
        raise CellError(at, FormatError(f"a result has to be [id, score], not {len(hit)} values"))
    return {"id": hit[0], number: hit[1]}


def _chosen(hits: Sequence[object], node: object, mapping: Mapping) -> list[object]:
    """The hits, each with that member of the record's list which it stands for."""
    members = mapping.candidates["list"].get(node)
    if not isinstance(members, list):
        what = f"candidates: the list has to be a list, not {kind_of(members)}"
        raise FormatError(what, hint="it is what the hits of this record were chosen from")
    found: list[object] = []
    for number, hit in enumerate(hits, start=1):
        at = mapping.candidates["at"].get(hit)
        if not isinstance(at, int) or isinstance(at, bool):
            raise FormatError(
                f"hit {number}, candidates: a position has to be a whole number, not {kind_of(at)}"
            )
        if not 0 <= at < len(members):
            raise MismatchError(
                f"hit {number}, candidates: there is no position {at} among {len(members)}, counted from 0"
            )
        found.append({**(hit if isinstance(hit, dict) else {}), "candidate": members[at]})
    return found


def _shape_hint(found: object, mapping: Mapping) -> str | None:
    if isinstance(found, dict) and mapping.hits_as == "list":
        return "hits_as: dict takes the values of an object"
    return "hits_as is for objects only" if isinstance(found, list) else None


def is_failed(chunk: Chunk, at: int, mapping: Mapping, *, absent: bool) -> bool:
    """Whether a record is the answer to a request that failed.

    The mapping may say how such a one looks. Of others, one without hits counts that holds an error, or
    a status of 400 or more, as servers send them.
    """
    node = chunk.values[at]
    if mapping.failed is not None and mapping.failed.get(node, key_at(chunk, at), chunk.stem):
        return True
    if not absent or not isinstance(node, dict):
        return False
    if node.get("error") or node.get("errors"):
        return True
    codes = (node.get(name) for name in ("status", "status_code", "statusCode", "code"))
    return any(isinstance(code, int) and code >= 400 for code in codes)


def is_partial(chunk: Chunk, at: int, mapping: Mapping, hits: Hits) -> bool:
    """Whether a response is not complete: the system says so, or found something and gives nothing."""
    node, key = chunk.values[at], key_at(chunk, at)
    if mapping.partial is not None and mapping.partial.get(node, key, chunk.stem):
        return True
    total = mapping.total.get(node, key, chunk.stem) if mapping.total is not None else None
    return isinstance(total, int) and total > 0 and not hits.nodes


def add_each(
    hits: Hits,
    add: Callable[[Hits], None],
    faults: Faults,
    mapping: Mapping,
    field: Callable[[], str],
) -> None:
    """Add a query's hits; a table's query is tried again without a row that is wrong.

    Args:
        hits: The hits of one query.
        add: Adds them, or raises.
        faults: Takes note of what was wrong.
        mapping: The mapping that is read by.
        field: The field that was being read when an error arose.

    Raises:
        InputError: The first error, if that stops.
    """
    while True:
        try:
            add(hits)
        except (InputError, CellError) as error:
            faults.add(located(error, hits, mapping, field()))
            if isinstance(error, CellError) and mapping.flat and len(hits.nodes) > 1:
                hits.drop(error.at)
                continue
        return


def located(error: InputError | CellError, hits: Hits, mapping: Mapping, field: str) -> InputError:
    """An error with its place: the line where it can be found, the record, the hit and the field."""
    found = error.error if isinstance(error, CellError) else error
    at = error.at if isinstance(error, CellError) else None
    row = hits.at + at if mapping.flat and at is not None else hits.at
    steps = steps_of(mapping.hits)
    inner = () if mapping.flat or steps is None or at is None else (*steps, _step(hits, at))
    found.where = found.where or hits.chunk.where(row, inner)
    parts = []
    if hits.chunk.lines is None:
        parts.append(f"record {hits.number + row - hits.at}")
    if at is not None and not mapping.flat:
        parts.append(f"hit {at + 1}")
    if at is not None:
        parts.append(f"{field} ({mapping.texts[field]})" if field in mapping.texts else field)
    found.message = f"{', '.join(parts)}: {found.message}" if parts else found.message
    return found


def place_of(hits: Hits, at: int, mapping: Mapping) -> str:
    """The place of a hit."""
    steps = steps_of(mapping.hits)
    if mapping.flat:
        return hits.chunk.where(hits.at + at)
    return hits.chunk.where(hits.at, () if steps is None else (*steps, _step(hits, at)))


def _step(hits: Hits, at: int) -> str | int:
    return hits.keys[at] if hits.keys is not None else at  # type: ignore[return-value]
