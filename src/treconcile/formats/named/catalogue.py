"""Every format that can be read, in one explicit table, for lists and documentation."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Format:
    """A format, as a list of formats shows it.

    Attributes:
        name: Its name, unique within its kind.
        kind: What it holds: `qrels`, `run`, `queries` or `corpus`.
        description: What it is, in one sentence.
        example: A snippet that is a whole input of this format.
    """

    name: str
    kind: str
    description: str
    example: str


_TREC_FORMATS = (
    Format("trec", "qrels", "TREC qrels: query, iteration, document, grade.", "q01 0 d01 1"),
    Format(
        "prefs",
        "qrels",
        "Preferences (trec_eval -R prefs): query, judgment group, sub-group, document, value. Without --from "
        "only if they can be nothing else: a value is no whole number.",
        "q01 anna first d01 2.5",
    ),
    Format("trec", "run", "A TREC run: query, Q0, document, rank, score, tag.", "q01 Q0 d01 1 12.5 mine"),
    Format(
        "trec",
        "queries",
        "TREC topics: the number and title of each <top>, with or without closing tags.",
        "<top><num>Number: 301<title>reset a password</top>",
    ),
    Format("tsv", "queries", "A line a query: id, tab, text.", "q01\treset a password"),
    Format(
        "trectext",
        "corpus",
        "TREC text: <DOC>, <DOCNO> and the text.",
        "<DOC><DOCNO>d01</DOCNO> Press the link on the sign-in page. </DOC>",
    ),
    Format("tsv", "corpus", "A line a document: id, tab, text.", "d01\tPress the link on the sign-in page."),
)

_JSON_FORMATS = (
    Format(
        "json-records",
        "qrels",
        "A record a query: its relevant ids (or {id: grade}; none: no answer), its text and the reason.",
        '[{"id": "q01", "query": "reset a password", "relevant": ["d01"], "why": "says how"}]',
    ),
    Format("json-lists", "qrels", "The relevant ids of each query.", '{"q01": ["d01", "d02"], "q02": []}'),
    Format(
        "json-dict",
        "qrels",
        "The grade of each document, as pytrec_eval and ranx take it.",
        '{"q01": {"d01": 2, "d02": 0}}',
    ),
    Format(
        "json-records",
        "run",
        "A record a query, with its results in order: ids, or ids and scores.",
        '[{"query_id": "q01", "results": [{"id": "d01", "score": 12.5}]}]',
    ),
    Format(
        "json-lists", "run", "The ids found for each query, best first.", '{"q01": ["d01", "d02"], "q02": []}'
    ),
    Format(
        "json-dict",
        "run",
        "The score of each document found, as pytrec_eval and ranx take it.",
        '{"q01": {"d01": 12.5, "d02": 9.25}}',
    ),
    Format(
        "json-records",
        "queries",
        "A record a query, with its text; judgments that carry the texts will do.",
        '[{"id": "q01", "query": "reset a password"}]',
    ),
    Format("json-dict", "queries", "The text of each query.", '{"q01": "reset a password"}'),
    Format(
        "json-records",
        "corpus",
        "A record a document, with its text and perhaps a title; in lines it is BEIR's or Anserini's corpus.",
        '[{"id": "d01", "text": "Press the link on the sign-in page."}]',
    ),
    Format(
        "json-dict", "corpus", "The text of each document.", '{"d01": "Press the link on the sign-in page."}'
    ),
)

_KINDS = ("qrels", "run", "queries", "corpus")

FORMATS: tuple[Format, ...] = tuple(
    sorted((*_TREC_FORMATS, *_JSON_FORMATS), key=lambda known: _KINDS.index(known.kind))
)
"""All formats, by kind."""

DATA_SETS = Format(
    "ir_datasets:ID",
    ", ".join(_KINDS),
    "A test collection of ir_datasets by its id, in place of a file; pip install 'treconcile[ir-datasets]'.",
    "ir_datasets:vaswani",
)
"""What stands in place of a file, so that no file is ever taken for it."""
