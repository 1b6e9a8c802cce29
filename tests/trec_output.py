"""Reads what trec_eval prints, and compares scores with it to the printed digit."""

from __future__ import annotations

from collections.abc import Iterator

from treconcile.measures.spec import Measure
from treconcile.score import MeasureScores

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
MEASURES = [
    *(f"{name}@{k}" for name in ("P", "R", "AP", "nDCG") for k in CUTOFFS),
    *(f"Success@{k}" for k in (1, 5, 10)),
    *("RR", "AP", "nDCG", "Rprec", "SetP", "SetR", "SetF", "NumQ", "NumRet", "NumRel", "NumRelRet"),
]
NAMES = {
    "P": "P",
    "R": "recall",
    "RR": "recip_rank",
    "AP": "map",
    "nDCG": "ndcg",
    "Success": "success",
    "Rprec": "Rprec",
    "SetP": "set_P",
    "SetR": "set_recall",
    "SetF": "set_F",
    "NumQ": "num_q",
    "NumRet": "num_ret",
    "NumRel": "num_rel",
    "NumRelRet": "num_rel_ret",
}


def trec_name(measure: Measure) -> str:
    """The name under which trec_eval prints a measure."""
    name = NAMES[measure.name]
    if measure.cutoff is None:
        return name
    return f"{name}_cut_{measure.cutoff}" if name in ("map", "ndcg") else f"{name}_{measure.cutoff}"


def read_output(text: str) -> dict[tuple[str, str], str]:
    """Each printed value by measure and query."""
    rows = (line.split() for line in text.splitlines())
    return {(row[0], row[1]): row[2] for row in rows if len(row) == 3}


def differences(scores: MeasureScores, printed: dict[tuple[str, str], str]) -> Iterator[str]:
    """Each value that is printed otherwise, the mean among them."""
    name = trec_name(scores.measure)
    values = {} if name == "num_q" else dict(scores.values)
    for query, value in {**values, "all": scores.mean}.items():
        assert value is not None
        ours = f"{value:.0f}" if scores.measure.family.whole else f"{value:.4f}"
        if ours != printed[name, query]:
            yield f"{scores.measure} {query}: {ours}, trec_eval {printed[name, query]}"
