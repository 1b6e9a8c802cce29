"""What real tools printed for the shared fixtures, and what their profiles predict for the same input.

A set of observations is a folder with `fixture.json` and `observations.json`; the README beside them says
what the fields mean. Every observation is computed from the profile of its tool's setting, which VARIANTS
names; some tools were not given all queries, and then the prediction is not, either.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

from treconcile.align import Alignment
from treconcile.errors import TreconcileError
from treconcile.measures.spec import parse_measure
from treconcile.model import JUDGMENT_COLUMNS, RUN_COLUMNS, Judgments, Run
from treconcile.profiles import Profile, profiles
from treconcile.score import MeasureScores, score_measure
from treconcile.score.envelope import Envelope, envelope

FOLDER = Path(__file__).parents[1] / "data" / "observations"
SETS = ("A", "duplicates")
CLOSE = 1e-6
UNSPECIFIED = ("unspecified", "unspecified-reversed")

ALL, ANSWERED, COMMON = "all", "answered judgments", "common queries"
"""What a tool was given: everything, only judgments of queries with results, only queries in both."""

VARIANTS: dict[tuple[str, str], tuple[str, str]] = {
    ("trec_eval 9.0.8", r"\(no flags\)"): ("trec_eval-9", ALL),
    ("trec_eval 9.0.8", "-M {n}"): ("trec_eval-9-M", ALL),
    ("trec_eval 9.0.8", "-c -M {n}"): ("trec_eval-9-c-M", ALL),
    ("trec_eval 9.0.8", "{flags}"): ("trec_eval-9{flags}", ALL),
    ("trec_eval 10.0-rc3", r"\(no flags\)"): ("trec_eval-10", ALL),
    ("trec_eval 10.0-rc3", "-M {n}"): ("trec_eval-10-M", ALL),
    ("trec_eval 10.0-rc3", "-c -M {n}"): ("trec_eval-10-c-M", ALL),
    ("trec_eval 10.0-rc3", r"\(no flags\), judgements restricted .*"): ("trec_eval-10", ANSWERED),
    ("trec_eval 10.0-rc3", "{flags}, judgements restricted .*"): ("trec_eval-10{flags}", ANSWERED),
    ("trec_eval 10.0-rc3", "{flags}"): ("trec_eval-10{flags}", ALL),
    ("pytrec_eval-terrier", "default"): ("pytrec_eval", ALL),
    ("pytrec_eval-terrier", "judged_docs_only_flag=True"): ("pytrec_eval-judged", ALL),
    ("pytrec_eval-terrier", "relevance_level=2"): ("pytrec_eval-l2", ALL),
    ("ir_measures", "default pipeline.*"): ("ir_measures", ALL),
    ("ir_measures", "provider=cwl_eval, run given as ScoredDoc list"): ("ir_measures-cwl_eval-list", ALL),
    ("ir_measures", "provider=ranx, only queries in both .*"): ("ir_measures-ranx", COMMON),
    ("ir_measures", "provider={provider}"): ("ir_measures-{provider}", ALL),
    ("ranx", r"Run objects, default \(make_comparable=False\)"): ("ranx-strict", ALL),
    ("ranx", "Run objects, make_comparable=True.*"): ("ranx", ALL),
    ("ranx", "plain dicts"): ("ranx-dict", COMMON),
    ("rank_eval", "plain dicts"): ("rank_eval", COMMON),
    ("trectools", "trec_eval=True, data frames"): ("trectools", ALL),
    ("trectools", "trec_eval=False, data frames"): ("trectools-plain", ALL),
    ("trectools", "trec_eval=True, files"): ("trectools-files", ALL),
    ("trectools", "trec_eval=False, files"): ("trectools-plain-files", ALL),
    ("hf-evaluate trec_eval", ".*"): ("hf-evaluate", ALL),
    ("cwl-eval", "command line, EU column"): ("cwl-eval", ALL),
    ("beir", ".*"): ("beir", ALL),
    ("mteb", ".*"): ("mteb", ALL),
    ("msmarco_eval", ".*only relevant judgements in the reference file"): ("msmarco", ALL),
    ("msmarco_eval", ".*all judgements in the reference file"): ("msmarco-all-judged", ALL),
    ("sentence-transformers", "InformationRetrievalEvaluator"): ("sentence-transformers", ALL),
    ("sentence-transformers", "CrossEncoderRerankingEvaluator"): ("sentence-transformers-reranking", ALL),
    ("scikit-learn", ".*, retrieved documents only"): ("scikit-learn", ALL),
    ("scikit-learn", ".*, ignore_ties=True"): ("scikit-learn-ignore_ties", ALL),
    ("scikit-learn", ".*, raw grades"): ("scikit-learn-raw-grades", ALL),
    ("scikit-learn", r".*, retrieved \+ all judged .*"): ("scikit-learn-all-judged", ALL),
    ("torchmetrics", "default"): ("torchmetrics", ALL),
    ("torchmetrics", "adaptive_k=True"): ("torchmetrics-adaptive_k", ALL),
    ("pyspark-mllib", ".*"): ("spark", ALL),
    ("llama-index-core", ".*"): ("llamaindex", ALL),
    ("haystack-ai", ".*"): ("haystack", ALL),
    ("trulens", ".*, without scores"): ("trulens", ALL),
    ("trulens", ".*, with relevance_scores"): ("trulens-scores", ALL),
    ("lenskit", "default"): ("lenskit", ALL),
    ("lenskit", "gain='rating'"): ("lenskit-rating", ALL),
    ("rankereval", "truncated=True"): ("rankereval-truncated", ALL),
    ("opensearch-search-relevance", ".*"): ("opensearch", ALL),
    **{
        (name, ".*"): (name, ALL)
        for name in (
            *("ir-evaluation", "ir-eval-numba", "recommenders", "recbole", "phoenix", "rankereval"),
            *("cornac", "evidently", "quepid", "continuous-eval", "mlflow", "ragas", "deepeval"),
        )
    },
}
"""The profile of each tool's setting, and what it was given; the first that fits is the one."""


@dataclass(frozen=True)
class Observation:
    """What one tool reported for one measure.

    Attributes:
        folder: The set that it belongs to.
        record: The entry of `observations.json`.
    """

    folder: Path
    record: Mapping[str, Any]

    @property
    def label(self) -> str:
        """What names it: set, tool, version, setting and the tool's name of the measure."""
        keys = ("tool", "version", "variant", "native_name")
        return " | ".join([self.folder.name, *(str(self.record[key]) for key in keys)])

    @property
    def profile(self) -> tuple[Profile, str]:
        """The profile of the tool's setting, and what the tool was given."""
        tool, variant = str(self.record["tool"]), str(self.record["variant"])
        version = f"{tool} {self.record['version']}"
        for (name, pattern), (profile, given) in VARIANTS.items():
            shape = re.sub(r"\{(\w+)\}", r"(?P<\1>.+)", pattern)
            found = re.fullmatch(shape, variant)
            if name in (tool, version) and found:
                parts = {key: text.replace(" ", "") for key, text in found.groupdict().items()}
                return profiles()[profile.format(**parts)], given
        raise LookupError(self.label)

    @property
    def measure(self) -> str:
        """Which of our measures it is, by the tool's own name of it."""
        profile, _ = self.profile
        native, canonical = str(self.record["native_name"]), str(self.record["measure"])
        text = profile.ours(native) or native
        return text if "@" in text or "@" not in canonical else f"{text}@{canonical.partition('@')[2]}"

    def within(self, key: str, rounded: int | None) -> float:
        """How far a value may lie apart: half a unit of the rounding that the tool prints with.

        Where the prediction is rounded, too, a value half way may have gone up on one side only.
        """
        decimals = self.record["convention"].get(key)
        if not decimals:
            return CLOSE
        return (0.5 if rounded is None else 1.0) * 10.0 ** -int(decimals[0]) + CLOSE


@dataclass(frozen=True)
class Prediction:
    """What a profile says of a measure; nothing but an error if it refuses the data."""

    scores: MeasureScores | None
    envelope: Envelope | None
    error: str = ""

    def value(self, query: str) -> float | str | None:
        """A number, `nan`, `error`, or None where there is no value."""
        if self.scores is None or query in self.scores.failed:
            return "error"
        if query not in self.scores.values:
            return None
        value = self.scores.values[query]
        return "nan" if value is None else value

    def mean(self) -> float | str | None:
        """The same of the mean."""
        if self.scores is None:
            return "error"
        return "undefined" if self.scores.mean is None else self.scores.mean


def read(name: str | Path) -> Iterator[Observation]:
    """Every observation of a set."""
    folder = FOLDER / name
    for record in json.loads((folder / "observations.json").read_text(encoding="utf-8"))["observations"]:
        yield Observation(folder, record)


@cache
def alignment(folder: Path, given: str) -> Alignment:
    """A fixture as a tool was given it."""
    fixture = json.loads((folder / "fixture.json").read_text(encoding="utf-8"))
    qrels, run = fixture["qrels"], fixture["run"]
    if given != ALL:
        qrels = {query: docs for query, docs in qrels.items() if run.get(query)}
    if given == COMMON:
        run = {query: docs for query, docs in run.items() if docs and query in qrels}
    judged = [(query, "0", doc, grade) for query, docs in qrels.items() for doc, grade in docs.items()]
    results = [
        (query, doc, score, rank) for query, docs in run.items() for rank, (doc, score) in enumerate(docs, 1)
    ]
    return Alignment(
        Judgments(pl.DataFrame(judged, schema=JUDGMENT_COLUMNS, orient="row")),
        Run(
            pl.DataFrame(results, schema=RUN_COLUMNS, orient="row"),
            empty=tuple(query for query, docs in run.items() if not docs),
        ),
    )


def predict(observation: Observation) -> Prediction:
    """What the profile predicts for an observation."""
    profile, given = observation.profile
    data, measure = alignment(observation.folder, given), parse_measure(observation.measure)
    try:
        scores = score_measure(data, measure, profile)
    except TreconcileError as error:
        return Prediction(None, None, str(error))
    unspecified = scores.convention.ties in UNSPECIFIED
    return Prediction(scores, envelope(data, measure, scores.convention) if unspecified else None)


def disagreements(observation: Observation) -> Iterator[str]:
    """The queries whose observed value is not the predicted one, and `mean` if it is that; with both."""
    prediction, record = predict(observation), observation.record
    rounded = (
        (prediction.scores.convention.round, prediction.scores.convention.mean_round)
        if prediction.scores
        else (None, None)
    )
    for query, value in record["per_query"].items():
        wanted = _observed(value, query in record["nulls"].get("nan", ()))
        predicted = prediction.value(query)
        if not _agree(
            wanted, predicted, observation.within("rounding", rounded[0]), prediction.envelope, query
        ):
            yield f"{query}: observed {wanted}, predicted {predicted}"
    mean = record["mean"]
    if mean is not None:
        wanted = "undefined" if mean == "nan" else _observed(mean, undefined=False)
        predicted = prediction.mean()
        if isinstance(wanted, str) and wanted == "error" and predicted == "undefined":
            predicted = "error"
        if not _agree(
            wanted, predicted, observation.within("mean_rounding", rounded[1]), prediction.envelope, "mean"
        ):
            yield f"mean: observed {wanted}, predicted {predicted}"


def _observed(value: object, undefined: bool) -> float | str | None:
    if isinstance(value, str):
        return "error"
    if value is None:
        return "nan" if undefined else None
    return float(value)  # type: ignore[arg-type]


def _agree(
    wanted: float | str | None,
    predicted: float | str | None,
    within: float,
    ranges: Envelope | None,
    query: str,
) -> bool:
    if not isinstance(wanted, float) or not isinstance(predicted, float):
        return wanted == predicted
    if math.isclose(wanted, predicted, rel_tol=CLOSE, abs_tol=within):
        return True
    return ranges is not None and ranges.holds(query, wanted, within)


def counts(observation: Observation) -> tuple[int, int]:
    """How many values, and how many means, an observation has."""
    return len(observation.record["per_query"]), int(observation.record["mean"] is not None)
