"""Profiles against the tools themselves, on random fixtures that no observation holds."""

from __future__ import annotations

import importlib
import random

import polars as pl
import pytest

from profiles.live_tools import TOOLS, Live, Lists, Qrels, Value, shown
from treconcile.align import Alignment
from treconcile.measures.spec import parse_measure
from treconcile.model import JUDGMENT_COLUMNS, RUN_COLUMNS, Judgments, Run
from treconcile.profiles import profiles
from treconcile.score import MeasureScores, score_measure
from treconcile.score.envelope import envelope

FIXTURES = 200
CLOSE = 1e-6
DOCUMENTS = [f"d{number}" for number in range(12)]


def draw(rng: random.Random) -> tuple[dict[str, dict[str, int]], dict[str, list[tuple[str, float]]]]:
    """Judgments and lists: ties, lists short and long, queries missing, empty, extra, without relevant ones."""
    qrels = {
        f"q{number}": {doc: rng.choice((0, 0, 1, 1, 2, 3)) for doc in rng.sample(DOCUMENTS, rng.randint(1, 7))}
        for number in range(1, 4)
    }
    run: dict[str, list[tuple[str, float]]] = {}
    for query in ("q1", "q2", "q3", "q4"):
        if rng.random() < 0.85:
            docs = rng.sample(DOCUMENTS, rng.choice((0, 1, 2, 3, 4, 5, 6, 8)))
            run[query] = [(doc, rng.choice((3.0, 2.0, 2.0, 1.5, 1.0, 0.5))) for doc in docs]
    return qrels, run


def both(qrels: Qrels, run: Lists) -> tuple[Qrels, Lists]:
    """Only the queries that both have, with results."""
    kept = {query: docs for query, docs in run.items() if docs and query in qrels}
    return {query: docs for query, docs in qrels.items() if query in kept}, kept


def aligned(qrels: Qrels, run: Lists) -> Alignment:
    """The same as the library holds it."""
    judged = [(query, "0", doc, grade) for query, docs in qrels.items() for doc, grade in docs.items()]
    rows = [
        (query, doc, score, rank)
        for query, docs in run.items()
        for rank, (doc, score) in enumerate(docs, 1)
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
    profile = profiles()[tool.profile]
    rng = random.Random(tool.profile)
    checked = 0
    for number in range(FIXTURES):
        qrels, run = draw(rng)
        qrels, run = both(qrels, run) if tool.common else (qrels, run)
        if not run or not qrels:
            continue
        alignment = aligned(qrels, run)
        for name, values in tool.call(qrels, run).items():
            measure = parse_measure(name)
            scores = score_measure(alignment, measure, profile)
            ranges = None
            for query in (*qrels, *(each for each in run if each not in qrels)):
                wanted, made = shown(values.get(query)), predicted(scores, query)
                checked += 1
                if agree(wanted, made):
                    continue
                if scores.convention.ties.startswith("unspecified") and isinstance(wanted, float):
                    ranges = ranges or envelope(alignment, measure, scores.convention)
                    if ranges.holds(query, wanted, CLOSE):
                        continue
                message = f"{name} of {query} in fixture {number}: {wanted}, predicted {made}"
                raise AssertionError(f"{message}\n{qrels.get(query)}\n{run.get(query)}")
    assert checked > FIXTURES
