"""A snapshot: all of a scored run that a later comparison needs, in one JSON file with a line a query."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import UnsetType

from treconcile._version import __version__
from treconcile.comparison.versions.redacted import redacted_system
from treconcile.comparison.versions.snapshot_form import KIND, SCHEMA, read_stored
from treconcile.comparison.versions.system import Ranking, System
from treconcile.conversion.summary import portable
from treconcile.errors import FileError, UsageError, is_redacting
from treconcile.files.compression import DAMAGED, unpacked
from treconcile.files.text_files import STANDARD, write_atomic
from treconcile.measures.spec import Measure, parse_measure

if TYPE_CHECKING:
    from treconcile.comparison.versions.snapshot_form import StoredQuery, StoredSnapshot
    from treconcile.files.text_files import Source

_BEGINNING = 4096
_MARK = re.compile(rb'"kind"\s*:\s*"snapshot"')


def is_snapshot(source: object) -> bool:
    """Whether a source is the path of a snapshot, as its first bytes say."""
    if not isinstance(source, str | os.PathLike) or os.fspath(source) == STANDARD:
        return False
    path = Path(source)
    if not path.is_file():
        return False
    try:
        with path.open("rb") as stored, unpacked(str(path), path.suffix.lower(), stored) as file:
            return _MARK.search(file.read(_BEGINNING)) is not None
    except (*DAMAGED, FileError):  # whoever reads it says what is wrong
        return False


def write_snapshot(path: Source, system: System, command: Sequence[str]) -> None:
    """Write a snapshot; the same system gives the same bytes.

    Args:
        path: Where to; compressed by its ending, `-` is standard output.
        system: A run that was scored.
        command: The command line that made it.

    Raises:
        FileError: It cannot be written.
    """
    if is_redacting():
        system = redacted_system(system)
    write_atomic(path, [snapshot_text(system, command).encode("utf-8", "backslashreplace")])


def snapshot_text(system: System, command: Sequence[str]) -> str:
    """The JSON of a snapshot."""
    import polars

    ranking = system.ranking
    head = {
        "schema": SCHEMA,
        "kind": KIND,
        "tool": f"treconcile {__version__}",
        "versions": {"numpy": np.__version__, "polars": polars.__version__},
        "command": list(command),
        "run": portable(system.source),
        "k": system.k,
        "depth": ranking.depth if ranking else None,
        "hashes": dict(system.hashes),
        "redacted": system.redacted,
        "judged_seen": sorted(ranking.judged_seen) if ranking else [],
        "measures": [_measure_entry(system, measure) for measure in system.values],
    }
    lines = ",\n".join(f"    {_line(each)}" for each in _query_entries(system))
    text = json.dumps(head, ensure_ascii=False, indent=2).removesuffix("\n}")
    return f'{text},\n  "queries": [\n{lines}\n  ]\n}}\n'


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _measure_entry(system: System, measure: Measure) -> dict[str, Any]:
    return {
        "measure": str(measure),
        "aggregate": system.aggregates.get(measure, "mean"),
        "mean": system.mean(measure),
        "convention": system.conventions.get(measure, ""),
        "signature": system.signature.get(measure, ""),
        "excluded": dict(system.excluded.get(measure, {})),
    }


def _query_entries(system: System) -> Iterator[dict[str, Any]]:
    ranking = system.ranking
    known = ranking.queries if ranking else ()
    queries = dict.fromkeys((*known, *(query for values in system.values.values() for query in values)))
    negative = set(ranking.negative) if ranking else set()
    for query in queries:
        entry: dict[str, Any] = {
            "query_id": query,
            "values": {str(each): values[query] for each, values in system.values.items() if query in values},
        }
        if ranking is not None:
            on_judged = ranking.judged_only.items()
            entry |= {
                "judged_only": {str(each): values[query] for each, values in on_judged if query in values},
                "first_relevant": ranking.rank_of_first(query),
                "negative": query in negative,
                "judged": query in known,
                "results": [
                    [each.document, each.grade, _writable(each.score)] for each in ranking.results(query)
                ],
            }
        yield entry


def read_snapshot(path: Source, name: str, measures: Sequence[Measure] | None = None) -> System:
    """A system from its snapshot.

    Args:
        path: The file.
        name: What it is called.
        measures: The measures that are wanted; all that it has, if not given.

    Raises:
        InputError: It is not a snapshot of this form.
        UsageError: It lacks a measure: a snapshot is never scored again.
    """
    return _system(read_stored(path), name, os.fspath(path), measures)


def _system(stored: StoredSnapshot, name: str, source: str, measures: Sequence[Measure] | None) -> System:
    entries = {parse_measure(each.measure): each for each in stored.measures}
    wanted = list(entries) if measures is None else list(measures)
    for measure in wanted:
        if measure not in entries:
            known = ", ".join(map(str, entries))
            raise UsageError(
                f"the snapshot has no values of {measure}, and it is never scored again",
                where=source,
                hint=f"it has {known}; score the run itself, or save another snapshot of it",
            )
    return System(
        name=name,
        source=source,
        values={each: _values(stored.queries, "values", entries[each].measure) for each in wanted},
        conventions={each: entries[each].convention for each in wanted},
        aggregates={each: entries[each].aggregate for each in wanted if entries[each].aggregate != "mean"},
        means={each: mean for each in wanted if not isinstance(mean := entries[each].mean, UnsetType)},
        excluded={each: entries[each].excluded for each in wanted},
        ranking=None if stored.depth is None else _ranking(stored, stored.depth, wanted),
        hashes=stored.hashes,
        k=stored.k,
        signature={each: entries[each].signature for each in wanted},
        redacted=stored.redacted,
    )


def _values(queries: Sequence[StoredQuery], key: str, name: str) -> dict[str, float | None]:
    found = ((each.query_id, getattr(each, key)) for each in queries)
    return {query: values[name] for query, values in found if name in values}


def _ranking(stored: StoredSnapshot, depth: int, measures: Sequence[Measure]) -> Ranking:
    entries = [each for each in stored.queries if each.judged]
    lengths = [len(each.results) for each in entries]
    results = [result for each in entries for result in each.results]
    return Ranking(
        depth=depth,
        queries=[each.query_id for each in entries],
        negative=[each.query_id for each in entries if each.negative],
        query=np.repeat(np.arange(len(entries)), lengths),
        documents=[document for document, _, _ in results],
        grade=np.array([np.nan if grade is None else grade for _, grade, _ in results], dtype=np.float64),
        score=np.array([np.nan if score is None else float(score) for _, _, score in results]),
        first_relevant=np.array([each.first_relevant or 0 for each in entries], dtype=np.int64),
        judged_only={each: _values(entries, "judged_only", str(each)) for each in measures},
        judged_seen=frozenset(stored.judged_seen),
    )


def _writable(score: float | None) -> float | str | None:
    """A score as JSON can hold it."""
    return str(score) if score is not None and math.isinf(score) else score
