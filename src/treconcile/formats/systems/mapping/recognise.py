"""Which mapping an input fits, told by its structure and never by its name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Literal

from treconcile.errors import FormatError, InputError
from treconcile.files.byte_source import opened
from treconcile.files.inputs import InputSet, opened_input
from treconcile.files.limits import DEFAULT_LIMITS, MEGA, Limits
from treconcile.files.text_files import name_of
from treconcile.formats.systems.mapping.cells import CellError, ids_of, numbers_of
from treconcile.formats.systems.mapping.chunks import Chunk, Faults
from treconcile.formats.systems.mapping.hits import Hits, hits_of, is_failed
from treconcile.formats.systems.mapping.json_values import is_value
from treconcile.formats.systems.mapping.key_values import TABLES
from treconcile.formats.systems.mapping.language import Mapping
from treconcile.formats.systems.mapping.paths import steps_of
from treconcile.formats.systems.mapping.presets import Variant
from treconcile.formats.systems.mapping.readers import PARQUET, Reading, chunks_of, kinds_of, takes_parquet
from treconcile.formats.systems.mapping.records import records_of

_LOOKED_AT = 20
_START = MEGA
_GLANCE = Limits(value=8 * MEGA, whole=8 * MEGA, total=32 * MEGA)
_JSON = ("json", "jsonl", "json-dir")
_MAGIC = {"parquet": PARQUET, "npy": b"\x93NUMPY"}


@dataclass
class _Sight:
    """The beginning of an input, read once for each way of reading."""

    source: str
    limits: Limits
    start: bytes | None = None
    large: bool = False
    seen: dict[tuple[object, ...], list[Chunk] | None] = field(default_factory=dict)

    def chunks(self, mapping: Mapping) -> list[Chunk] | None:
        """The first documents, as the mapping's reader gives them; None if it cannot read them."""
        key = self._key(mapping)
        if key not in self.seen:
            self.seen[key] = None
            if self.large and not self._may_stream(mapping):
                return None
            with (
                suppress(InputError, UnicodeDecodeError),
                opened_input(self.source, kinds_of(mapping.reader), mapping.folder) as inputs,
            ):
                if _may_be(inputs, mapping, self.limits):
                    self.seen[key] = list(_first(chunks_of(inputs, mapping, Reading(self.limits))))
        return self.seen[key]

    def _may_stream(self, mapping: Mapping) -> bool:
        """Whether the records of a large file, by whose path it is read, seem to be in it."""
        steps = steps_of(mapping.records)
        first = str(steps[0]).encode() if steps else b""
        return steps is not None and (self.start is None or b'"' + first in self.start)

    def _key(self, mapping: Mapping) -> tuple[object, ...]:
        if mapping.reader in _JSON:
            way = ("json", mapping.reader == "jsonl", mapping.folder)
            # A file too large to be parsed as a whole is read by way of the mapping's records.
            return (*way, mapping.texts.get("records"), mapping.records_as) if self.large else way
        return (
            mapping.reader,
            mapping.folder,
            mapping.header,
            mapping.skip,
            mapping.comment,
            mapping.delimiter,
            mapping.regex,
        )


def _may_be(inputs: InputSet, mapping: Mapping, limits: Limits) -> bool:
    """Whether the first bytes are those of the reader's kind of file."""
    with opened(inputs.files[0], limits) as reader:
        start = reader.read(4096)
    if start.startswith(PARQUET):
        return takes_parquet(mapping)
    if mapping.reader in _MAGIC:
        return start.startswith(_MAGIC[mapping.reader])
    return (start.lstrip()[:1] in (b"{", b"[")) == (mapping.reader not in TABLES)


def _first(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    count = 0
    for chunk in chunks:
        yield chunk
        count += len(chunk.values)
        if count >= _LOOKED_AT:
            return


def fitting(source: str, variants: Iterable[Variant], limits: Limits = DEFAULT_LIMITS) -> list[Variant]:
    """The variants that the beginning of an input fits; of each preset the first."""
    sight = _sight(source, limits)
    found: dict[str, Variant] = {}
    shown: set[str] = set()
    for variant in variants:
        if variant.preset in shown or not variant.recognition.levels:
            continue
        fit = _fit(sight, variant)
        if fit == "shown":
            found[variant.preset] = variant
            shown.add(variant.preset)
        elif fit == "possible":
            found.setdefault(variant.preset, variant)
    # Lists of hits that are all empty fit a format no matter what its hits look like.
    return [variant for name, variant in found.items() if name in shown or not shown]


def the_one(source: str, found: list[Variant]) -> Variant | None:
    """The only variant that fits; None if there is none.

    Raises:
        FormatError: Several fit.
    """
    if len(found) > 1:
        names = [variant.label for variant in found]
        raise FormatError(
            f"it could be {' or '.join(names)}",
            where=name_of(source),
            hint=f"say which: {' or '.join(f'--from {name}' for name in names)}",
        )
    return found[0] if found else None


def _sight(source: str, limits: Limits) -> _Sight:
    """A look at an input: whether it is one large file of JSON, and how that begins."""
    # What cannot be read in pieces is not read at all only to be recognised.
    bounded = replace(limits, whole=limits.value)
    with suppress(InputError), opened_input(source, kinds_of("json")) as inputs:
        if inputs.folder:
            return _Sight(source, bounded)
        with opened(inputs.files[0], limits) as reader:
            start = reader.read(_START)
            large = start.lstrip()[:1] in (b"{", b"[") and len(reader.read(limits.value)) == limits.value
        lines = large and b"\n" in start and is_value(start.partition(b"\n")[0])
        if large and not lines:
            # Whatever a format has to be recognised by stands at the beginning.
            return _Sight(source, _GLANCE, start, large=True)
    return _Sight(source, bounded)


Fit = Literal["no", "possible", "shown"]
"""Whether an input fits: by its hits as well (`shown`), or it has none that could show otherwise."""


def _fit(sight: _Sight, variant: Variant) -> Fit:
    chunks = sight.chunks(variant.mapping)
    if not chunks:
        return "no"
    documents = [value for chunk in chunks for value in chunk.values[:_LOOKED_AT] if not chunk.records]
    if not documents and set(variant.recognition.levels) <= {"document"}:
        return "no"
    try:
        return _records_fit(chunks, variant) if variant.recognition.fits("document", documents) else "no"
    except (InputError, CellError):
        return "no"


def _records_fit(chunks: list[Chunk], variant: Variant) -> Fit:
    mapping = variant.mapping
    looked_at = present = 0
    shown = "hit" not in variant.recognition.levels
    for chunk in records_of(chunks, mapping, Faults()):
        for at in range(min(len(chunk.values), _LOOKED_AT - looked_at)):
            hits = _hits(chunk, at, mapping)
            if hits is None:
                continue
            looked_at += 1
            present += not hits.absent
            shown = shown or bool(hits.nodes)
            if not variant.recognition.fits("record", chunk.values[at : at + 1]):
                return "no"
            if not variant.recognition.fits("hit", hits.nodes):
                return "no"
        if looked_at >= _LOOKED_AT:
            break
    # A record may lack its list of hits, but records of which none has one show nothing.
    if not present:
        return "no"
    return "shown" if shown else "possible"


def _hits(chunk: Chunk, at: int, mapping: Mapping) -> Hits | None:
    """The hits of a record, whose ids and scores have to be some; None if its request failed."""
    if mapping.flat:
        return Hits("", [chunk.values[at]], None, chunk, at)
    hits = hits_of(chunk, at, 0, mapping)
    if is_failed(chunk, at, mapping, absent=hits.absent):
        return None
    ids_of(mapping.docid.each(hits.nodes, hits.keys, chunk.stem))
    if mapping.score is not None:
        numbers_of(mapping.score.each(hits.nodes, hits.keys, chunk.stem))
    return hits
