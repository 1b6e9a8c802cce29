"""Whether an input fits one variant of a preset, and how well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from treconcile.errors import InputError
from treconcile.formats.json.cells import CellError, ids_of, numbers_of
from treconcile.formats.systems.mapping.chunks import Chunk, Faults
from treconcile.formats.systems.mapping.composed import is_whole
from treconcile.formats.systems.mapping.hits import Hits, hits_of, is_failed
from treconcile.formats.systems.mapping.key_values import TABLES
from treconcile.formats.systems.mapping.matches import Fit, Match, composed_variant, noted
from treconcile.formats.systems.mapping.names import RESULTS
from treconcile.formats.systems.mapping.paths import steps_of
from treconcile.formats.systems.mapping.presets import Variant
from treconcile.formats.systems.mapping.records import records_of
from treconcile.formats.systems.mapping.sight import LOOKED_AT, Fields, Sight, parsed_cell
from treconcile.formats.systems.mapping.wrappings import Wrapped

_HITS = 100
"""How many hits of an answer are looked at: a form does not change on the way."""


def matches_of(sight: Sight, variant: Variant, most: int = LOOKED_AT) -> list[Match]:
    """Every way in which the beginning of an input fits a variant; `most` answers are looked at."""
    if is_whole(variant.fields):
        match = _whole(sight, variant)
        return [match] if match else []
    found: list[Match] = []
    for fields, way in sight.answers(variant.mapping.folder, most):
        match = _match(variant, fields, way)
        if match is not None:
            found.append(match)
    return found


def _keys(variant: Variant, *levels: str) -> int:
    return sum(variant.recognition.count(level) for level in levels)


def _whole(sight: Sight, variant: Variant) -> Match | None:
    chunks = sight.chunks(variant.mapping)
    if not chunks:
        return None
    documents = [value for chunk in chunks for value in chunk.values[:LOOKED_AT] if not chunk.records]
    try:
        if not variant.recognition.fits("document", documents):
            return None
        hits: list[Sequence[object]] = []
        fit = _records_fit(chunks, variant, hits)
    except (InputError, CellError):
        return None
    found = _keys(variant, "document", "record", "hit")
    return None if fit == "no" else Match(noted(variant, hits, variant.mapping), fit, found, 0)


def _match(variant: Variant, fields: Fields, way: Wrapped) -> Match | None:
    wrapping, mapping = way.wrapping, variant.mapping
    if wrapping.sides and not (_is_list_of_hits(variant) and mapping.texts["hits"] in ("@", "@value")):
        return None
    texts = fields.get("reader") in TABLES
    if not _may_fit(variant, way):
        return None
    if mapping.kind in ("queries", "corpus"):
        return _texts_match(variant, fields, way)
    if variant.generic and not _may_be_own(variant, way):
        return None
    try:
        keys, hits = 0, list[Sequence[object]]()
        if mapping.flat or wrapping.rows:
            fit = _rows_fit(variant, way, texts)
            hits.append(way.nodes)
            level = "record" if mapping.flat else "hit"
            keys = _keys(variant, level)
        elif wrapping.bare:
            fit, keys = _bare_fit(variant, way.nodes, hits), _keys(variant, "hit")
        elif wrapping.first and not mapping.zip_hits:
            return None
        else:
            answers = [at for at, node in enumerate(way.nodes) if node is not None]
            nodes = [way.nodes[at] for at in answers]
            if variant.lenient:
                shape = all(isinstance(each, (dict, list)) for each in nodes) and bool(nodes)
                fits = shape and variant.recognition.fits("record", nodes)
                made = composed_variant(variant, fields, wrapping)
                return Match(made, "possible", 0, wrapping.size) if fits else None
            chunk = Chunk("", "", nodes, records=True, keys=way.keys and [way.keys[at] for at in answers])
            fit, keys = _records_fit([chunk], variant, hits), _keys(variant, "record", "hit")
    except (InputError, CellError):
        return None
    if fit == "possible":
        # What is asked of hits has not been seen.
        keys = _keys(variant, "record")
        if not variant.generic and wrapping.named and not variant.recognition.is_telling("record", RESULTS):
            return None
    if fit == "no" or (fit == "possible" and variant.generic and wrapping.records not in (None, "[@]")):
        return None
    return Match(noted(composed_variant(variant, fields, wrapping), hits, mapping), fit, keys, wrapping.size)


def _may_fit(variant: Variant, way: Wrapped) -> bool:
    """A quick look at the keys of the first answer, and of its first hit."""
    wrapping, recognition = way.wrapping, variant.recognition
    nodes = [each for each in way.nodes if each not in (None, [], {})]
    if wrapping.rows or variant.mapping.flat:
        level = "record" if variant.mapping.flat else "hit"
        return bool(nodes) and recognition.may_fit(level, nodes[0])
    if not nodes:
        return True
    node = nodes[0]
    if wrapping.bare:
        return isinstance(node, list) and recognition.may_fit("hit", node[0])
    if variant.mapping.texts.get("hits") in ("@", "@value") and not variant.mapping.zip_hits:
        if variant.mapping.hits_as == "list":
            return isinstance(node, list) and recognition.may_fit("hit", node[0])
        return isinstance(node, dict) or variant.lenient
    # Of a failed request there may be something else.
    return any(recognition.may_fit("record", each) for each in nodes)


def _may_be_own(variant: Variant, way: Wrapped) -> bool:
    """Whether a general form may be meant: what nobody would write around one, a system did."""
    wrapping = way.wrapping
    if variant.mapping.flat or wrapping.rows:
        return True
    if variant.fields.get("keyed") and (not wrapping.by_id or wrapping.inner is not None):
        return False
    if variant.lenient and wrapping.records not in (None, "[@]", "queries"):
        return False
    if variant.lenient and not variant.fields.get("keyed") and wrapping.inner is None:
        return variant.mapping.texts.get("hits") not in ("@", "@value")
    if variant.lenient and wrapping.inner not in (None, *RESULTS[:3]):
        return False
    if wrapping.inner is not None and wrapping.inner not in RESULTS:
        return False
    if wrapping.inner is None and wrapping.records in (None, "[@]") and not wrapping.by_id:
        # Lists of hits with scores, whose queries have to be given.
        return wrapping.named or "qid" in variant.fields or _have_scores(variant, way.nodes)
    return (wrapping.named or "qid" in variant.fields) and (
        wrapping.alone or (wrapping.records is None and wrapping.inner is None)
    )


def _have_scores(variant: Variant, answers: Sequence[object]) -> bool:
    """Whether the hits of lists have scores: records without one are not hits."""
    hits = [hit for answer in answers if isinstance(answer, list) for hit in answer[:_HITS]]
    score = variant.mapping.score
    return bool(hits) and score is not None and all(value is not None for value in score.each(hits))


def _texts_match(variant: Variant, fields: Fields, way: Wrapped) -> Match | None:
    wrapping, nodes = way.wrapping, list(way.nodes)
    if wrapping.inner or wrapping.bare or wrapping.first or wrapping.rows or wrapping.records == "[@]":
        return None
    keyed = any("@key" in str(variant.fields.get(key, "")) for key in ("qid", "docid"))
    if keyed != wrapping.by_id or not variant.recognition.fits("record", nodes):
        return None
    return Match(
        composed_variant(variant, fields, wrapping), "shown", _keys(variant, "record"), wrapping.size
    )


def _rows_fit(variant: Variant, way: Wrapped, texts: bool) -> Fit:
    wrapping, mapping = way.wrapping, variant.mapping
    if wrapping.inner or wrapping.bare or wrapping.first or (mapping.flat and wrapping.rows):
        return "no"
    nodes = [node for node in way.nodes if isinstance(node, dict)]
    if not nodes or len(nodes) < len(way.nodes):
        return "no"
    if mapping.flat:
        return "shown" if variant.recognition.fits("record", nodes, _cell if texts else None) else "no"
    scored = steps_of(mapping.score)
    if variant.native or (scored and not isinstance(scored[0], int) and scored[0] not in nodes[0]):
        return "no"
    if not _is_list_of_hits(variant) or not (variant.generic or variant.recognition.is_telling("hit")):
        return "no"
    if not variant.recognition.fits("hit", nodes, _cell if texts else None):
        return "no"
    ids_of(mapping.docid.each(nodes))
    return "shown"


_cell = parsed_cell


def _is_list_of_hits(variant: Variant) -> bool:
    """Whether nothing but its list of hits makes up an answer."""
    mapping, path = variant.mapping, variant.mapping.texts.get("hits")
    arranged = mapping.zip_hits or mapping.candidates or mapping.hits_as != "list" or mapping.single
    return path is not None and not arranged and not set(variant.recognition.paths("record")) - {path}


def _bare_fit(variant: Variant, nodes: Sequence[object], seen: list[Sequence[object]]) -> Fit:
    mapping, recognition = variant.mapping, variant.recognition
    if mapping.texts.get("hits") in ("@", "@value") or not _is_list_of_hits(variant):
        return "no"
    if not recognition.is_telling("hit"):
        return "no"
    shown = False
    for node in nodes:
        if node is None:
            continue
        if not isinstance(node, list):
            return "no"
        shown = shown or bool(node)
        if not recognition.fits("hit", node):
            return "no"
        ids_of(mapping.docid.each(node))
        seen.append(node[:_HITS])
    return "shown" if shown else "no"


def _records_fit(chunks: list[Chunk], variant: Variant, seen: list[Sequence[object]]) -> Fit:
    mapping = variant.mapping
    looked_at = present = failed = 0
    shown = "hit" not in variant.recognition.levels
    for chunk in records_of(chunks, mapping, Faults()):
        for at in range(min(len(chunk.values), LOOKED_AT - looked_at)):
            hits = _hits(chunk, at, variant)
            if hits is None:
                failed += variant.recognition.fits("record", chunk.values[at : at + 1])
                continue
            looked_at += 1
            present += not hits.absent
            shown = shown or bool(hits.nodes)
            if chunk.values[at] in ([], {}) and mapping.texts.get("hits") in ("@", "@value"):
                continue
            if not variant.recognition.fits("record", chunk.values[at : at + 1]):
                return "no"
            if not variant.recognition.fits("hit", hits.nodes[:_HITS]):
                return "no"
            if hits.nodes:
                seen.append(hits.nodes[:_HITS])
        if looked_at >= LOOKED_AT:
            break
    if not looked_at and failed and not variant.generic:
        return "possible"  # every request failed, each with an answer of this form
    # A record may lack its list of hits, but records of which none has one show nothing.
    if not present or not (
        seen or shown or variant.generic or mapping.texts.get("hits") not in ("@", "@value")
    ):
        return "no"
    told = seen or mapping.flat or ("hit" not in variant.recognition.levels and not variant.native)
    return "shown" if shown and told else "possible"


def _hits(chunk: Chunk, at: int, variant: Variant) -> Hits | None:
    """The hits of a record, whose ids and scores have to be some; None if its request failed."""
    # Which of several lists counts is asked when it is read.
    mapping = replace(variant.mapping, single=None) if variant.mapping.single else variant.mapping
    if mapping.flat:
        return Hits("", [chunk.values[at]], None, chunk, at)
    hits = hits_of(chunk, at, 0, mapping)
    if is_failed(chunk, at, mapping, absent=hits.absent):
        return None
    nodes, keys = hits.nodes[:_HITS], hits.keys and hits.keys[:_HITS]
    ids_of(mapping.docid.each(nodes, keys, chunk.stem))
    if mapping.score is not None:
        numbers_of(mapping.score.each(nodes, keys, chunk.stem))
    return hits
