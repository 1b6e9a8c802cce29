"""A request for the `_rank_eval` API of Elasticsearch and OpenSearch.

Source: Elasticsearch API reference, "Evaluate ranked search results".

>>> rank_eval_metric("P(rel=2)@5", 3)
{'precision': {'k': 5, 'relevant_rating_threshold': 2}}
>>> rank_eval_metric("nDCG@10", 3)
{'dcg': {'k': 10, 'normalize': True}}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from treconcile.conversion.json_write import Chunks, json_line
from treconcile.errors import FormatError, MismatchError, UsageError, shown_ids
from treconcile.files.text_files import read_text
from treconcile.formats.json.text import parse_json
from treconcile.formats.trec.merged import merged
from treconcile.measures.spec import parse_measure

if TYPE_CHECKING:
    from treconcile.model import Judgments

DEFAULT = "P@10"

_BINARY = {"P": "precision", "R": "recall", "RR": "mean_reciprocal_rank"}
_GRADED = {"nDCG": "dcg", "DCG": "dcg", "ERR": "expected_reciprocal_rank"}
_HINT = "--metric P@10, P(rel=2)@10, R@10, RR@10, nDCG@10, DCG@10 or ERR@10"
PLACE = "{{query}}"
"""What stands for the text of a query in a search request."""


def match_request(name: str) -> dict[str, object]:
    """A search request that looks the text of a query up in one field."""
    return {"query": {"match": {name: PLACE}}}


@dataclass(frozen=True)
class RankEval:
    """What a request says beside the judgments.

    Attributes:
        index: The name of the index that holds the documents.
        request: The search request of each query, in which `{{query}}` stands for its text.
        metric: The metric, as the API takes it.
    """

    index: str
    request: Mapping[str, object] = field(default_factory=lambda: match_request("text"))
    metric: Mapping[str, object] = field(
        default_factory=lambda: {"precision": {"k": 10, "relevant_rating_threshold": 1}}
    )


def rank_eval_metric(name: str, highest: int) -> dict[str, object]:
    """The metric that comes nearest to a measure; how it is computed is the search engine's own.

    Args:
        name: The measure, with a cut-off, and perhaps the least relevant grade.
        highest: The highest grade of the judgments.

    Raises:
        UsageError: The API has no such metric.
    """
    measure = parse_measure(name)
    given = dict(measure.overrides)
    binary = measure.name in _BINARY
    threshold = given.pop("rel", 1) if binary else 1
    whole = isinstance(threshold, (int, float)) and threshold == int(threshold)
    if (
        given
        or measure.parameters
        or measure.cutoff is None
        or not whole
        or not (binary or measure.name in _GRADED)
    ):
        raise UsageError(f"_rank_eval has no metric {measure}", hint=_HINT)
    if binary:
        return {_BINARY[measure.name]: {"k": measure.cutoff, "relevant_rating_threshold": threshold}}
    own: dict[str, object] = {"normalize": measure.name == "nDCG"}
    if measure.name == "ERR":
        own = {"maximum_relevance": max(highest, 1)}
    return {_GRADED[measure.name]: {"k": measure.cutoff, **own}}


def rank_eval_of(given: Mapping[str, Any], judgments: Judgments) -> RankEval:
    """What the options of a request say, for these judgments.

    Args:
        given: As `treconcile.conversion.options.RankEvalOptions`.
        judgments: What is written; their highest grade is the highest that a metric has to know of.

    Raises:
        InputError: The file of the search request cannot be read.
        UsageError: The API has no such metric.
    """
    highest = max(judgments.table.get_column("grade").to_list(), default=0)
    metric = rank_eval_metric(given.get("metric", DEFAULT), highest)
    request = given.get("request", match_request(given.get("field", "text")))
    if not isinstance(request, Mapping):
        text, file, _ = read_text(request)
        request = parse_json(text, file.name).value
        if not isinstance(request, dict):
            raise FormatError("a search request is a JSON object", where=file.name)
    return RankEval(given["index"], request, metric)


def rank_eval(judgments: Judgments, how: RankEval) -> Chunks:
    """The request, an entry of `requests` a line; a query declared to have no answer has no ratings.

    Raises:
        DuplicateError: A document has two grades for the same query and sub-topic.
        FormatError: `{{query}}` does not stand in the search request.
        MismatchError: The text of a query is not known.
    """
    if not _has_place(how.request):
        raise FormatError(
            f"{PLACE} does not stand in the search request", hint="it is the text of each query"
        )
    rows, _ = merged(judgments)
    ratings: dict[str, list[object]] = {}
    for query, document, grade in rows.iter_rows():
        rating = {"_index": how.index, "_id": document, "rating": grade}
        ratings.setdefault(query, []).append(rating)
    ratings |= {query: [] for query in judgments.negative if query not in ratings}
    missing = [query for query in ratings if query not in judgments.texts]
    if missing:
        raise MismatchError(
            f"the texts of some queries are not known: {shown_ids(missing)}",
            where=judgments.source,
            hint="--queries FILE gives the texts",
        )
    order = dict.fromkeys(query for query in (*judgments.asked, *ratings) if query in ratings)
    return _request(judgments.texts, {query: ratings[query] for query in order}, how)


def _request(texts: Mapping[str, str], ratings: Mapping[str, list[object]], how: RankEval) -> Chunks:
    before = '{"requests": [\n '
    for query, rated in ratings.items():
        entry = {"id": query, "request": _filled(how.request, texts[query]), "ratings": rated}
        yield f"{before}{json_line(entry)}".encode()
        before = ",\n "
    if not ratings:
        yield b'{"requests": ['
    yield f'\n],\n"metric": {json_line(how.metric)}}}\n'.encode()


def _has_place(value: object) -> bool:
    if isinstance(value, Mapping):
        return any(map(_has_place, value.values()))
    return (
        any(map(_has_place, value)) if isinstance(value, list) else isinstance(value, str) and PLACE in value
    )


def _filled(value: object, text: str) -> object:
    if isinstance(value, Mapping):
        return {key: _filled(inner, text) for key, inner in value.items()}
    if isinstance(value, list):
        return [_filled(inner, text) for inner in value]
    return value.replace(PLACE, text) if isinstance(value, str) else value
