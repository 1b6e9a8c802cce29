"""What `treconcile convert` can write: an explicit table, from which help, lists and documentation are made.

It is data only and imports nothing heavy, since `--help` shows it. What writes them stands in
`treconcile.conversion.write_targets` and the writers of `treconcile.formats`, under the same names.
"""

from __future__ import annotations

from dataclasses import dataclass

from treconcile.errors import UsageError, did_you_mean

KINDS = ("qrels", "run", "corpus", "queries")
"""What a file can hold."""

LOSSES = {
    "subtopics": "sub-topics and iterations, so that a document keeps its highest grade",
    "below-zero": "judgments with grades below 0",
    "unjudged": "queries of which no judgment is known",
    "negative": "queries declared to have no answer",
    "texts": "the texts of the queries",
    "reasons": "why a query was judged as it was",
    "empty": "queries that found nothing",
    "scores": "the scores, of which the ranks keep the order",
    "ties": "the order of equal scores",
    "derived": "that the scores were made from the order",
    "tag": "the name of the run",
    "k": "how many results were asked for",
    "judged-negative": "that a query with judged documents is declared to have no answer",
    "lines": "line breaks and tabs in a text, which become spaces, and white space around it",
    "space": "white space around a text",
}
"""What a format may be unable to hold, by name."""


@dataclass(frozen=True)
class Target:
    """A format that is written.

    Attributes:
        name: Its name, unique within its kind.
        kind: What it holds, one of `KINDS`.
        title: What it is and which tools take it, in one sentence.
        read_as: The name under which `--from` reads it.
        loses: What it cannot hold, as names in `LOSSES`.
        options: The options of `convert` that have a meaning for it and not for every target.
        also: Other names that are understood.
        member: Its place in the folder of a data set, where it belongs to one.
        folder: It is a folder, and never a single file.
    """

    name: str
    kind: str
    title: str
    read_as: str
    loses: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    member: str = ""
    folder: bool = False

    @property
    def trec(self) -> bool:
        """Whether it is a TREC file of columns, beside which a sidecar says what it cannot."""
        return self.read_as == "trec" and self.kind in ("qrels", "run")


_RUN_FILE = ("score", "empty_results", "tag", "k", "id_encoding")
_FLAT = ("subtopics", "unjudged", "negative", "texts", "reasons")
_RANK_EVAL = ("index", "field", "request", "metric")

TARGETS = (
    Target(
        "trec",
        "qrels",
        "TREC qrels; what they cannot say stands in the .meta.json beside them",
        "trec",
        options=("no_relevant", "id_encoding"),
    ),
    Target(
        "json",
        "qrels",
        "a record a query: its relevant ids or grades, its text, and the reason",
        "json-records",
        ("subtopics", "unjudged", "judged-negative"),
        also=("json-records",),
    ),
    Target(
        "tutorial",
        "qrels",
        "the same as json, the form of the tutorial",
        "tutorial",
        ("subtopics", "unjudged", "judged-negative"),
    ),
    Target(
        "dict",
        "qrels",
        "{query: {document: grade}}, as ranx, pytrec_eval and ir_measures take it",
        "dict.qrels",
        ("subtopics", "unjudged", "judged-negative", "texts", "reasons"),
        also=("json-dict", "ranx", "pytrec_eval", "ir_measures"),
    ),
    Target(
        "beir",
        "qrels",
        "BEIR's qrels/test.tsv, or its whole folder with --corpus and --queries",
        "beir",
        _FLAT,
        member="qrels/test.tsv",
    ),
    Target(
        "msmarco",
        "qrels",
        "MS MARCO's qrels: query, 0, passage and grade, with tabs between them",
        "msmarco.qrels",
        _FLAT,
    ),
    Target(
        "pyterrier", "qrels", "a CSV of PyTerrier's columns qid, docno and label", "pyterrier.qrels", _FLAT
    ),
    Target(
        "prefs",
        "qrels",
        "trec_eval's preferences: query, judgment group (the iteration), sub-group, document and value",
        "prefs",
        ("below-zero", "unjudged", "negative", "texts", "reasons"),
    ),
    Target(
        "rank-eval",
        "qrels",
        "a request for _rank_eval of Elasticsearch and OpenSearch",
        "elasticsearch.rank_eval",
        ("subtopics", "unjudged", "judged-negative", "reasons"),
        options=_RANK_EVAL,
        also=("elasticsearch", "opensearch", "elasticsearch.rank_eval"),
    ),
    Target(
        "trec",
        "run",
        "a TREC run; what it cannot say stands in the .meta.json beside it",
        "trec",
        options=_RUN_FILE,
    ),
    Target(
        "json",
        "run",
        "a record a query, with its results in order, and their scores if it has any",
        "json-records",
        ("tag", "k"),
        also=("json-records", "results"),
    ),
    Target(
        "dict",
        "run",
        "{query: {document: score}}, as ranx, pytrec_eval and ir_measures take it",
        "dict.run",
        ("ties", "derived", "tag", "k"),
        options=("score",),
        also=("json-dict", "ranx", "pytrec_eval", "ir_measures"),
    ),
    Target(
        "msmarco",
        "run",
        "MS MARCO's run: query, passage and rank, with tabs between them",
        "msmarco.run",
        ("empty", "scores", "tag", "k"),
    ),
    Target(
        "pyterrier",
        "run",
        "a CSV of PyTerrier's columns qid, docno, score and rank (from 0)",
        "pyterrier.results",
        ("empty", "derived", "tag", "k"),
        options=("score",),
    ),
    Target(
        "tira",
        "run",
        "a folder for TIRA: run.txt, and ir-metadata.yml with what is known of the run",
        "trec",
        options=_RUN_FILE,
        member="run.txt",
        folder=True,
    ),
    Target("trectext", "corpus", "TREC text: <DOC>, <DOCNO> and the text", "trectext", ("space",)),
    Target("jsonl", "corpus", 'a line a document: {"id", "text"}', "json-records"),
    Target("json", "corpus", "a list of the same records", "json-records", also=("json-records",)),
    Target("tsv", "corpus", "a line a document: id, tab, text", "tsv", ("lines",), also=("msmarco",)),
    Target(
        "anserini", "corpus", 'Anserini\'s JSON Lines: {"id", "contents"}', "json-records", also=("pyserini",)
    ),
    Target(
        "beir",
        "corpus",
        'BEIR\'s corpus.jsonl: {"_id", "title", "text"}, the title empty',
        "json-records",
        member="corpus.jsonl",
    ),
    Target("trec", "queries", "TREC topics: the number and title of each <top>", "trec", ("space",)),
    Target("tsv", "queries", "a line a query: id, tab, text", "tsv", ("lines",), also=("msmarco",)),
    Target("jsonl", "queries", 'a line a query: {"id", "query"}', "json-records"),
    Target("json", "queries", "a list of the same records", "json-records", also=("json-records",)),
    Target(
        "anserini", "queries", "the same as tsv, Anserini's TSV topics", "tsv", ("lines",), also=("pyserini",)
    ),
    Target(
        "beir", "queries", 'BEIR\'s queries.jsonl: {"_id", "text"}', "json-records", member="queries.jsonl"
    ),
)
"""All targets by kind; the first of a kind is its default."""

CHOSEN = frozenset(option for each in TARGETS for option in each.options)
"""The options that have a meaning for some targets only."""


def targets_of(kind: str) -> tuple[Target, ...]:
    """The targets of a kind, its default first."""
    return tuple(each for each in TARGETS if each.kind == kind)


def target(kind: str, name: str | None) -> Target:
    """The target of that name, or without a name the kind's default.

    Raises:
        UsageError: That kind cannot be written in it.
    """
    known = targets_of(kind)
    if name is None:
        return known[0]
    for each in known:
        if name == each.name or name in each.also:
            return each
    others = [each.kind for each in TARGETS if each.name == name and each.kind != kind]
    names = [each.name for each in known]
    listed = f"{kind} can be written as {', '.join(names)}"
    hint = f"{name} is for {', '.join(others)}; {listed}" if others else did_you_mean(name, names, listed)
    raise UsageError(f"{kind} cannot be written as {name!r}", hint=hint)


def to_help() -> str:
    """What the option `--to` says of itself."""
    kinds = "; ".join(f"{kind}: {', '.join(each.name for each in targets_of(kind))}" for kind in KINDS)
    return f"The format to write. {kinds}. The first is the default; list targets says what each is."
