"""A run that single and double precision order differently at every usual cut-off.

`python tests/cases/single_precision.py DIR` writes it as TREC files; what trec_eval 9.0.8 and 10.0 print
(`trec_eval -q -m all_trec DIR/qrels DIR/run`, the lines of the measures below) is committed beside this file.
"""

from __future__ import annotations

import sys
from pathlib import Path

from oracle import Data

CUTOFFS = (1, 5, 10, 15, 20, 30, 100, 200, 500, 1000)
QUERIES = {"301": 1, "302": 2, "303": 3}
"""Query and the grade of its relevant documents."""


def straddling() -> Data:
    """At each cut-off k the documents at ranks k and k + 1 differ by less than single precision shows.

    The one at rank k is relevant and has the lesser id, so that a tie puts it behind the other.
    """
    judged, results = [], []
    for query, grade in QUERIES.items():
        for place in range(1, 1101):
            behind = place - 1 in CUTOFFS
            doc = f"{'b' if behind else 'a'}{place:04}"
            results.append(
                (query, doc, 1.0 - (place - 1) * 1e-4 - 1e-9 if behind else 1.0 - place * 1e-4, place)
            )
            if place in CUTOFFS or (place % 97 == int(query) % 97 and not behind):
                judged.append((query, "0", doc, grade))
    return Data(judged, results)


def write(folder: Path) -> None:
    """The data as TREC files."""
    data = straddling()
    qrels = "".join(f"{query} {subtopic} {doc} {grade}\n" for query, subtopic, doc, grade in data.judged)
    run = "".join(f"{query} Q0 {doc} {rank} {score!r} t\n" for query, doc, score, rank in data.results)
    (folder / "qrels").write_text(qrels, encoding="utf-8")
    (folder / "run").write_text(run, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
