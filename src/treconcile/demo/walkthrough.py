"""The example from end to end: search, score by hand, write TREC files, cross-check, and what goes wrong."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import treconcile as tc
from treconcile.demo import DOCUMENTS, QRELS
from treconcile.demo.metrics import evaluate
from treconcile.demo.search import search
from treconcile.rendering.crosscheck import crosscheck_text

if TYPE_CHECKING:
    from treconcile.convention import Value

K = 3
MEASURES = ("P@3", "R@3", "RR@3")
MINE = "treconcile.demo.metrics:evaluate"
SEARCH = "treconcile.demo.search:search"
COMMAND = "treconcile demo"


def walkthrough(keep: Path | None = None, *, terminal: bool = False) -> Iterator[str]:
    """The parts of what `treconcile demo` prints.

    Args:
        keep: A directory that every file of the example is written to; a temporary one if not given.
        terminal: Draw tables with lines and styles.
    """
    documents = json.loads(DOCUMENTS.read_text(encoding="utf-8"))
    queries = json.loads(QRELS.read_text(encoding="utf-8"))
    results = {query["id"]: search(query["query"], documents, K) for query in queries}
    yield "".join(f"{line}\n" for line in _scored_by_hand(queries, results))
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        yield from _with_tools(keep, documents, queries, results, terminal=terminal)
        yield f"\nThe files of this example are in {keep}\n"
        return
    with tempfile.TemporaryDirectory() as scratch:
        yield from _with_tools(Path(scratch), documents, queries, results, terminal=terminal)


def _scored_by_hand(
    queries: list[dict[str, object]], results: Mapping[str, list[tuple[str, int]]]
) -> Iterator[str]:
    """The example's own numbers, from the example's own code."""
    values = []
    for query in queries:
        ranked = [document for document, _ in results[str(query["id"])]]
        try:
            value = evaluate(ranked, query["relevant"], K)  # type: ignore[arg-type]
        except ValueError:
            yield f"{query['id']}: top3=[{','.join(ranked)}] no_relevant_documents"
            continue
        values.append(value)
        top = ",".join(ranked) or "-"
        yield f"{query['id']}: top3={top} P@3={value[0]:.3f} R@3={value[1]:.3f} RR@3={value[2]:.3f}"
    precision, recall, rank = (sum(column) / len(values) for column in zip(*values, strict=True))
    yield f"macro({len(values)}): P@3={precision:.3f} R@3={recall:.3f} MRR@3={rank:.3f}"


NEXT = """
Next, with judgments and results of your own, as TREC files or JSON:
  treconcile eval JUDGMENTS RESULTS -m P@3 -m R@3 -m RR@3
  treconcile crosscheck JUDGMENTS RESULTS -m P@3 --mine your_module:your_function
The tutorial, docs/tutorial.md, begins with three records that you type yourself.
"""


def _with_tools(
    folder: Path,
    documents: list[dict[str, str]],
    queries: list[dict[str, object]],
    results: Mapping[str, list[tuple[str, int]]],
    *,
    terminal: bool,
) -> Iterator[str]:
    files = write_example(folder, documents, queries, results)
    qrels, run = tc.read_qrels(files["qrels"]), tc.read_run(files["run"])
    yield "\nThe same numbers from reference tools, which read qrels/example.qrels and runs/example.run"
    yield f"\n(mine is the example's own function, {MINE}):\n\n"
    check = tc.crosscheck(qrels, run, MEASURES, mine=MINE, against=["ir_measures", "pytrec_eval"])
    yield crosscheck_text(check, digits=3, terminal=terminal)
    yield "\nWhat goes wrong when a definition differs:\n"
    for paragraph in (
        _short_lists(qrels, run),
        _empty_results(qrels, run),
        _no_relevant(files["dummy"], run),
        _ties(qrels, files["scores"]),
    ):
        yield f"\n{paragraph}"
    yield NEXT


def write_example(
    folder: Path,
    documents: list[dict[str, str]],
    queries: list[dict[str, object]],
    results: Mapping[str, list[tuple[str, int]]],
) -> dict[str, Path]:
    """Write every file of the example below a folder, and name those that are read again."""
    for name in ("qrels", "runs"):
        (folder / name).mkdir(exist_ok=True)
    (folder / "documents.json").write_bytes(DOCUMENTS.read_bytes())
    (folder / "qrels.json").write_bytes(QRELS.read_bytes())
    judgments, corpus = tc.read_qrels(folder / "qrels.json"), tc.read_corpus(folder / "documents.json")
    content = str(judgments.content)
    hashes = {"corpus": str(corpus.content), "judgments": content, "queries": content}
    files = {
        "qrels": folder / "qrels" / "example.qrels",
        "dummy": folder / "qrels" / "example.dummy.qrels",
        "run": folder / "runs" / "example.run",
        "scores": folder / "runs" / "example.scores.run",
    }
    write_judgments = partial(tc.write_qrels, judgments, hashes=hashes, command=COMMAND, origin="qrels.json")
    write_judgments(files["qrels"])
    write_judgments(files["dummy"], no_relevant="dummy")
    scored = tc.read_run({query: dict(results) for query, results in results.items()})
    write = partial(tc.write_run, scored, tag="example", k=K, hashes=hashes, command=COMMAND, origin=SEARCH)
    write(files["run"], score="rank")
    write(files["scores"], score="source")
    return files


def _short_lists(qrels: tc.Judgments, run: tc.Run) -> str:
    by_returned = _means(qrels, run, ["P@3"], denominator="returned")
    return (
        f"The short list. Dividing by the number returned, not by k, gives P@3 = {by_returned}:\n"
        "  q01 returned one document, and it is relevant: 1/1, not 1/3. q05 returned nothing and is 0.\n"
    )


def _empty_results(qrels: tc.Judgments, run: tc.Run) -> str:
    answered = _means(qrels, run, MEASURES, missing="skip", empty="skip")
    return (
        "The empty result. A run file cannot hold q05, which found nothing, so a tool that averages only\n"
        f"  over the queries in the run reports {answered} (P@3 / R@3 / RR@3):\n"
        "  for P@3 the four answered queries have 1/3 each, which makes (4 × 1/3) / 4, not (4 × 1/3) / 5.\n"
    )


def _no_relevant(dummy: Path, run: tc.Run) -> str:
    from treconcile.formats import read_judgments

    pulled = _means(read_judgments(dummy, meta=False), run, MEASURES)
    return (
        "The query without relevant documents. A dummy judged line for q06, so that it is not lost, makes\n"
        f"  it a query like any other that counts 0, and the means become {pulled}:\n"
        "  for P@3 that is (4 × 1/3) / 6, not (4 × 1/3) / 5.\n"
    )


def _ties(qrels: tc.Judgments, scores: Path) -> str:
    run = tc.read_run(scores)
    rows = [row for row in run.table.iter_rows(named=True) if row["query_id"] == "q02"]
    by_file = [row["doc_id"] for row in rows]
    rows.sort(key=lambda row: (row["score"], row["doc_id"]), reverse=True)
    by_trec = [row["doc_id"] for row in rows]
    ranges = [tc.evaluate(qrels, run, MEASURES, f"ties={order}") for order in ("worst", "best")]
    same = all(
        worst.mean == best.mean for worst, best in zip(*(scores.measures for scores in ranges), strict=True)
    )
    effect = "It changes no value here, since d04 is first either way." if same else "That changes values."
    return (
        f"Ties. In q02 d05 and d06 have equal scores. The search returned {', '.join(by_file)}; trec_eval\n"
        "  does not read the rank column and puts equal scores in order of the document id, descending:\n"
        f"  {', '.join(by_trec)}. {effect}\n"
    )


def _means(qrels: tc.Judgments, run: tc.Run, measures: list[str] | tuple[str, ...], **axes: Value) -> str:
    scores = tc.evaluate(qrels, run, measures, tc.Convention(**axes))  # type: ignore[arg-type]
    means = [score.mean for score in scores.measures]
    return " / ".join("undefined" if mean is None else f"{mean:.3f}" for mean in means)
