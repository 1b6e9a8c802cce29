"""Profiles against the tools themselves, on random fixtures that no observation holds."""

from __future__ import annotations

import importlib
import random

import polars as pl
import pytest

from profiles.live_tools import TOOLS, Lists, Live, Qrels, Value, shown
from treconcile.align import Alignment
from treconcile.measures.spec import parse_measure
from treconcile.model import JUDGMENT_COLUMNS, RUN_COLUMNS, Judgments, Run
from treconcile.profiles import profiles
from treconcile.score import MeasureScores, score_measure
from treconcile.score.envelope import envelope

BATCH = 20
"""So many fixtures are given to a tool at once, their queries told apart by a prefix."""

CLOSE = 1e-6
DOCUMENTS = [f"d{number}" for number in range(12)]


def draw(
    rng: random.Random, prefix: str
) -> tuple[dict[str, dict[str, int]], dict[str, list[tuple[str, float]]]]:
    """Judgments and lists: ties, short and long lists, queries missing, empty, extra, barren."""
    qrels = {
        f"{prefix}q{number}": {
            doc: rng.choice((0, 0, 1, 1, 2, 3)) for doc in rng.sample(DOCUMENTS, rng.randint(1, 7))
        }
        for number in range(1, 4)
    }
    run: dict[str, list[tuple[str, float]]] = {}
    for query in (f"{prefix}q{number}" for number in range(1, 5)):
        if rng.random() < 0.85:
            docs = rng.sample(DOCUMENTS, rng.choice((0, 1, 2, 3, 4, 5, 6, 8)))
            run[query] = [(doc, rng.choice((3.0, 2.0, 2.0, 1.5, 1.0, 0.5))) for doc in docs]
    return qrels, run


def batch(rng: random.Random, tool: Live) -> tuple[Qrels, Lists]:
    """Several fixtures as one; only the queries that both have, with results, where the tool needs that."""
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, list[tuple[str, float]]] = {}
    for number in range(BATCH):
        judged, lists = draw(rng, f"f{number}")
        qrels, run = qrels | judged, run | lists
    if not tool.common:
        return qrels, run
    kept = {query: docs for query, docs in run.items() if docs and query in qrels}
    return {query: docs for query, docs in qrels.items() if query in kept}, kept


def aligned(qrels: Qrels, run: Lists) -> Alignment:
    """The same as the library holds it."""
    judged = [(query, "0", doc, grade) for query, docs in qrels.items() for doc, grade in docs.items()]
    rows = [
        (query, doc, score, rank) for query, docs in run.items() for rank, (doc, score) in enumerate(docs, 1)
    ]
    return Alignment(
        Judgments(pl.DataFrame(judged, schema=JUDGMENT_COLUMNS, orient="row")),
        Run(
            pl.DataFrame(rows, schema=RUN_COLUMNS, orient="row"),
            empty=tuple(query for query, docs in run.items() if not docs),
        ),
    )


def predicted(scores: MeasureScores, query: str) -> Value | None:
    """A number, `nan`, `error`, or None where there is no value."""
    if query in scores.failed:
        return "error"
    value = scores.values.get(query)
    return "nan" if value is None and query in scores.values else value


def agree(wanted: Value | None, made: Value | None) -> bool:
    """Whether two values are the same."""
    if isinstance(wanted, float) and isinstance(made, float):
        return abs(wanted - made) <= CLOSE
    return wanted == made


def installed(tool: Live) -> None:
    """Skip the test where the tool is not installed."""
    for module in tool.modules:
        try:
            importlib.import_module(module)
        except ImportError:
            pytest.skip(f"{module} is not installed")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.profile)
def test_the_tool_does_what_its_profile_says(tool: Live) -> None:
    """Every value of every query, over many random fixtures."""
    installed(tool)
    rng = random.Random(tool.profile)
    for _ in range(tool.fixtures // BATCH):
        qrels, run = batch(rng, tool)
        check(tool, qrels, run)


def check(tool: Live, qrels: Qrels, run: Lists) -> None:
    """Hold every value that the tool gives against its profile's."""
    alignment = aligned(qrels, run)
    queries = (*qrels, *(query for query in run if query not in qrels))
    for name, values in tool.call(qrels, run).items():
        measure = parse_measure(name)
        scores = score_measure(alignment, measure, profiles()[tool.profile])
        unspecified = scores.convention.ties.startswith("unspecified")
        ranges = envelope(alignment, measure, scores.convention) if unspecified else None
        for query in queries:
            wanted, made = shown(values.get(query)), predicted(scores, query)
            if ranges is not None and isinstance(wanted, float) and ranges.holds(query, wanted, CLOSE):
                continue
            data = f"{qrels.get(query)}\n{run.get(query)}"
            assert agree(wanted, made), f"{name} of {query}: {wanted}, predicted {made}\n{data}"
