"""Every format that can be read, in one explicit table, for lists and documentation."""

from __future__ import annotations

from dataclasses import dataclass

from treconcile.formats.json_forms import JSON_FORMS


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

_KINDS = ("qrels", "run", "queries", "corpus")

FORMATS: tuple[Format, ...] = tuple(
    sorted(
        (
            *_TREC_FORMATS,
            *(Format(f"json-{form.name}", form.kind, form.description, form.example) for form in JSON_FORMS),
        ),
        key=lambda known: _KINDS.index(known.kind),
    )
)
"""All formats, by kind."""

DATA_SETS = Format(
    "ir_datasets:ID",
    ", ".join(_KINDS),
    "A test collection of ir_datasets by its id, in place of a file; pip install 'treconcile[ir-datasets]'.",
    "ir_datasets:vaswani",
)
"""What stands in place of a file, so that no file is ever taken for it."""
