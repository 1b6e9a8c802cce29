"""A slow and obvious scorer, the test's stand-ins for measures, and random data with every trap in it."""

from __future__ import annotations

import math
import os
import random
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from treconcile.convention import Convention
from treconcile.model import JUDGMENT_COLUMNS, RUN_COLUMNS, Judgments, Run
from treconcile.tools.protocol import ToolResult

COUNTS = ("NumQ", "NumRet", "NumRel", "NumRelRet")


@dataclass(frozen=True)
class Measure:
    name: str
    cutoff: int | None = None
    overrides: tuple[tuple[str, object], ...] = ()
    parameters: dict[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        given = ",".join(f"{name}={value}" for name, value in [*self.overrides, *self.parameters.items()])
        at = "" if self.cutoff is None else f"@{self.cutoff}"
        return f"{self.name}({given}){at}" if given else f"{self.name}{at}"


def judgments(rows: list[tuple[str, str, int]]) -> Judgments:
    full = [(query, "0", document, grade) for query, document, grade in rows]
    return Judgments(pl.DataFrame(full, schema=JUDGMENT_COLUMNS, orient="row"))


def run(rows: list[tuple[str, str, float]], empty: tuple[str, ...] = ()) -> Run:
    ranks: dict[str, int] = {}
    full = []
    for query, document, score in rows:
        ranks[query] = ranks.get(query, 0) + 1
        full.append((query, document, score, ranks[query]))
    return Run(pl.DataFrame(full, schema=RUN_COLUMNS, orient="row"), empty=empty)


def random_data(seed: int, longest: int = 12) -> tuple[Judgments, Run]:
    """Ties, float32-equal scores, short lists, missing, extra and unanswerable queries, odd grades."""
    rng = random.Random(seed)
    documents = [f"d{number}" for number in range(2 * longest)]
    judged, found = [], []
    for query in map(str, range(1, 13)):
        pool = rng.sample(documents, rng.randint(2, longest))
        grades = [0, 0, 1, 1, 2, 3, -1] if query != "3" else [0]
        judged += [(query, document, rng.choice(grades)) for document in pool]
        if query != "4":
            listed = rng.sample(documents, rng.randint(1, longest))
            near = [rng.choice([1.0, 0.5, 0.25, 0.25 + 1e-9, -2.0]) for _ in listed]
            found += [(query, document, score) for document, score in zip(listed, near, strict=True)]
    # A query with nothing relevant found, one that is perfect, and one that nobody judged.
    judged += [("13", "d1", 1), ("14", "d1", 2)]
    found += [("13", "d2", 1.0), ("14", "d1", 1.0), ("15", "d1", 1.0)]
    return judgments(judged), run(found)


def score(
    measure: Measure, judged: Judgments, found: Run, convention: Convention
) -> tuple[dict[str, float], float | None]:
    """Each judged query's value, and the mean or sum over those that enter it."""
    convention = convention.replace(**dict(measure.overrides))  # type: ignore[arg-type]
    values = {}
    for query in judged.queries:
        grades = dict(judged.table.filter(query_id=query).select("doc_id", "grade").iter_rows())
        listed = list(found.table.filter(query_id=query).select("doc_id", "score").iter_rows())
        if not listed and convention.missing == "skip":
            continue
        if not listed and convention.missing == "always-zero":
            values[query] = 0.0
            continue
        relevant = any(grade >= convention.rel for grade in grades.values())
        if not relevant and convention.no_relevant == "nan":
            values[query] = math.nan
            continue
        values[query] = _value(measure, grades, _ordered(listed, grades, convention), convention)
    total = sum(values.values())
    if measure.name in COUNTS:
        return values, total
    return values, total / len(values) if values else None


def _ordered(listed: list[tuple[str, float]], grades: dict[str, int], convention: Convention) -> list[str]:
    def key(pair: tuple[str, float]) -> float:
        return float(np.float32(pair[1])) if convention.score_precision == "float32" else pair[1]

    if convention.ties == "input-reversed":
        listed = listed[::-1]
    elif convention.ties in ("docid-asc", "docid-desc"):
        listed = sorted(listed, reverse=convention.ties == "docid-desc")
    order = [document for document, _ in sorted(listed, key=lambda pair: -key(pair))]
    if convention.unjudged == "removed":
        order = [document for document in order if grades.get(document, -1) >= 0]
    return order[: convention.depth]


def _value(measure: Measure, grades: dict[str, int], order: list[str], convention: Convention) -> float:
    k = measure.cutoff or max(len(order), len(grades))
    hits = [grades.get(document, -1) >= convention.rel for document in order]
    relevant = sum(grade >= convention.rel for grade in grades.values())
    top = hits[:k]
    match measure.name:
        case "P":
            return sum(top) / k
        case "R":
            return sum(top) / relevant if relevant else 0.0
        case "Success":
            return float(any(top))
        case "RR":
            return 1 / (top.index(True) + 1) if any(top) else 0.0
        case "Rprec":
            return sum(hits[:relevant]) / relevant if relevant else 0.0
        case "Judged":
            known = [document in grades for document in order[:k]]
            return sum(known) / len(known) if known else 0.0
        case "AP":
            parts = [sum(top[: at + 1]) / (at + 1) for at, hit in enumerate(top) if hit]
            by = sum(top) if convention.ap == "retrieved" else relevant
            return sum(parts) / by if by else 0.0
        case "nDCG":
            ideal = _dcg(sorted(grades.values(), reverse=True)[:k], convention)
            return (
                _dcg([grades.get(document, 0) for document in order[:k]], convention) / ideal
                if ideal
                else 0.0
            )
        case "DCG":
            return _dcg([grades.get(document, 0) for document in order[:k]], convention)
        case "SetP" | "SetR" | "SetF":
            p = sum(hits) / len(hits) if hits else 0.0
            r = sum(hits) / relevant if relevant else 0.0
            x = float(measure.parameters.get("beta", 1.0))  # type: ignore[arg-type]
            f = (x + 1) * p * r / (x * p + r) if p + r else 0.0
            return {"SetP": p, "SetR": r, "SetF": f}[measure.name]
        case "NumQ":
            return 1.0
        case "NumRet":
            return float(len(order))
        case "NumRel":
            return float(relevant)
        case "NumRelRet":
            return float(sum(hits))
    raise AssertionError(measure.name)


def _dcg(grades: list[int], convention: Convention) -> float:
    gains = [max(grade, 0) if convention.gain == "linear" else 2 ** max(grade, 0) - 1 for grade in grades]
    return sum(gain / math.log2(at + 2) for at, gain in enumerate(gains))


def problem(name: str) -> tuple[Judgments, Run]:
    """A case of `tests/data/problems`, read without any of the code under test."""
    folder = Path(__file__).parents[1] / "data" / "problems" / name
    if not folder.is_dir():
        folder = Path(os.environ.get("TRECONCILE_TEST_DATA", "/nowhere")) / "problems" / name
    if not folder.is_dir():
        pytest.skip(f"the case {name} is not here")
    qrels = [line.split() for line in (folder / "qrels.txt").read_text().splitlines()]
    file = folder / "run.txt"
    lines = [
        line.split() for line in (file if file.exists() else folder / "run_b.txt").read_text().splitlines()
    ]
    return (
        judgments([(query, document, int(grade)) for query, _, document, grade in qrels]),
        run([(query, document, float(score)) for query, _, document, _, score, _ in lines]),
    )


MEASURES = [
    Measure("P", 3),
    Measure("P", 20),
    Measure("R", 3),
    Measure("RR"),
    Measure("RR", 3),
    Measure("AP"),
    Measure("AP", 2),
    Measure("nDCG"),
    Measure("nDCG", 3),
    Measure("nDCG", 3, (("gain", "exponential"),)),
    Measure("nDCG", None, (("gain", "exponential"),)),
    Measure("DCG"),
    Measure("DCG", 3),
    Measure("DCG", 3, (("gain", "exponential"),)),
    Measure("Success", 2),
    Measure("Rprec"),
    Measure("Judged", 3),
    Measure("Judged"),
    Measure("SetP"),
    Measure("SetR"),
    Measure("SetF"),
    Measure("SetF", None, (), {"beta": 2.0}),
    *[Measure(name) for name in COUNTS],
    Measure("P", 3, (("rel", 2),)),
    Measure("RR", 3, (("rel", 2),)),
    Measure("AP", None, (("rel", 2),)),
    Measure("NumRel", None, (("rel", 2),)),
    Measure("P", 3, (("unjudged", "removed"),)),
    Measure("RR", None, (("unjudged", "removed"),)),
    Measure("nDCG", 3, (("unjudged", "removed"),)),
]
"""Every measure once, with and without a cut-off, and each choice that some tool offers."""


def disagreements(result: ToolResult, judged: Judgments, found: Run) -> list[object]:
    """Where a tool's values are not those of the convention that its adapter declares."""
    measure = next(each for each in MEASURES if str(each) == result.measure)
    values, mean = score(measure, judged, found, Convention(**result.conventions))  # type: ignore[arg-type]
    near = 1e-9 if result.digits is None else 0.5 * 10**-result.digits + 1e-9
    wrong: list[object] = [
        (query, value, values.get(query))
        for query, value in result.values.items()
        # Not a number is what the notes of the result are about.
        if value is not None and abs(value - values.get(query, math.inf)) > near
    ]
    if None not in result.values.values() and abs((result.mean or 0.0) - (mean or 0.0)) > near:
        wrong.append(("mean", result.mean, mean))
    return wrong
