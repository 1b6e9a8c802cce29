"""Make a synthetic run and qrels of any size, the same for the same arguments.

Documents are drawn per query from a common collection, so that ids look like those of a real run; scores
have four decimal places, so that most queries hold ties. By default: 6,980 queries of 1,000 results each
(7 million lines, 241 MB) and about 20,660 judgments.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import polars as pl

COLLECTION = 8_841_823


def write_case(
    folder: Path, queries: int, depth: int, seed: int = 1, *, ordered: bool = True
) -> tuple[Path, Path]:
    """Write `qrels` and `run` to a folder and return their paths; a file that is there is kept.

    Args:
        folder: Where to.
        queries: How many queries.
        depth: How many results each query has.
        seed: The seed of the random numbers.
        ordered: The lines of a query are in order of their scores; else they are shuffled.
    """
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{queries}x{depth}-{seed}{'' if ordered else '-shuffled'}"
    qrels, run = folder / f"{name}.qrels", folder / f"{name}.run"
    if qrels.exists() and run.exists():
        return qrels, run
    random = np.random.default_rng(seed)
    judged = []
    with run.open("wb") as out:
        for start in range(0, queries, 500):
            table = _block(random, start, min(500, queries - start), depth, ordered=ordered)
            table.write_csv(out, separator=" ", include_header=False, float_precision=4)
            judged.append(_judgments(random, table))
    pl.concat(judged).write_csv(qrels, separator=" ", include_header=False)
    return qrels, run


def _block(
    random: np.random.Generator, start: int, queries: int, depth: int, *, ordered: bool
) -> pl.DataFrame:
    documents = np.stack([random.choice(COLLECTION, depth, replace=False) for _ in range(queries)])
    scores = np.sort(random.gamma(2.0, 4.0, (queries, depth)).round(4), axis=1)[:, ::-1]
    if not ordered:
        scores = random.permuted(scores, axis=1)
    return pl.DataFrame(
        {
            "query": np.repeat(np.arange(start, start + queries) + 100_000, depth),
            "q0": "Q0",
            "document": documents.ravel(),
            "rank": np.tile(np.arange(1, depth + 1), queries),
            "score": scores.ravel(),
            "tag": "synthetic",
        }
    )


def write_candidate(run: Path, seed: int = 2) -> Path:
    """Write a later version of the search that made a run: scores have moved a little, and so has the order.

    Every tenth result is of another document, which the run did not have. A file that is there is kept.
    """
    path = run.with_name(f"{run.stem}-candidate-{seed}.run")
    if path.exists():
        return path
    random = np.random.default_rng(seed)
    names = ["query", "q0", "document", "rank", "score", "tag"]
    table = pl.read_csv(run, separator=" ", has_header=False, new_columns=names)
    other = pl.Series(random.random(table.height) < 1 / 10)
    score = (table["score"] * pl.Series(random.normal(1, 0.1, table.height))).round(4)
    table = table.with_columns(score.alias("score"), tag=pl.lit("candidate"))
    elsewhere = pl.when(other).then(pl.col("document") + 2 * COLLECTION).otherwise("document")
    table = table.with_columns(document=elsewhere).sort("query", -pl.col("score"), maintain_order=True)
    table = table.with_columns(rank=pl.int_range(1, pl.len() + 1).over("query"))
    table.write_csv(path, separator=" ", include_header=False, float_precision=4)
    return path


def _judgments(random: np.random.Generator, table: pl.DataFrame) -> pl.DataFrame:
    """About three judgments a query: two among its results, one elsewhere."""
    found = table.filter(
        pl.Series(random.random(table.height) < 2 / (table.height / table["query"].n_unique()))
    )
    queries = table["query"].unique(maintain_order=True)
    elsewhere = pl.DataFrame(
        {"query": queries, "document": random.integers(COLLECTION, 2 * COLLECTION, len(queries))}
    )
    pairs = pl.concat([found.select("query", "document"), elsewhere.cast({"document": pl.Int64})])
    grades = random.integers(0, 4, pairs.height)
    return pairs.select("query", pl.lit(0).alias("iteration"), "document", pl.Series("grade", grades)).sort(
        "query", maintain_order=True
    )


def main() -> None:
    """Write one case from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--queries", type=int, default=6980)
    parser.add_argument("--depth", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shuffled", action="store_true")
    parser.add_argument("--candidate-of", type=Path, metavar="RUN", help="write a later version of this run")
    chosen = parser.parse_args()
    if chosen.candidate_of is not None:
        print(write_candidate(chosen.candidate_of, chosen.seed))
        return
    for path in write_case(
        chosen.folder, chosen.queries, chosen.depth, chosen.seed, ordered=not chosen.shuffled
    ):
        print(path)


if __name__ == "__main__":
    main()
