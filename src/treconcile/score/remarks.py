"""Remarks on the data of a score: what changes a number without being wrong."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from treconcile.convention import Convention
from treconcile.errors import Notice, counted, shown_id, shown_ids
from treconcile.score import why_apart

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from treconcile.align import Alignment, Ranked
    from treconcile.arrays import Integers
    from treconcile.model import Corpus, Judgments, Run

DEEP = 1000  # the depth that TREC asks for, and at which several tools cut silently
FEW = 0.5  # a run that covers a smaller part of the judged queries may belong to another split


def remarks(alignment: Alignment, convention: Convention) -> tuple[Notice, ...]:
    """All remarks on a run and its judgments under a convention."""
    judgments, run = alignment.judgments, alignment.run
    ranked = alignment.rank(convention)
    return (
        *judgments.notices,
        *run.notices,
        *_of_judgments(judgments, len(alignment.universe.pairs.documents)),
        *_of_coverage(ranked, alignment),
        *_of_overlap(ranked, alignment),
        *_of_ranks(alignment, convention),
        *_of_ties(alignment, ranked, convention),
        *_of_self_matches(alignment),
        *_of_depth(ranked, run),
        *_of_encoding(judgments, run),
    )


def unknown_documents(corpus: Corpus, judgments: Judgments, run: Run | None = None) -> tuple[Notice, ...]:
    """A notice each for judgments and run if they name documents that the corpus does not have."""
    notices = []
    named: list[Judgments | Run] = [judgments, run] if run else [judgments]
    for data in named:
        documents = data.table.get_column("doc_id").unique(maintain_order=True)
        unknown = [document for document in documents if document not in corpus.texts]
        if unknown:
            count = counted(len(unknown), "document is", "documents are")
            message = f"{count} not in the corpus: {shown_ids(unknown)}"
            notices.append(Notice("unknown-document", message, where=data.source))
    return tuple(notices)


def _of_judgments(judgments: Judgments, pairs: int) -> Iterator[Notice]:
    grades = judgments.grades
    further = len(grades) - pairs
    if further:
        count = counted(further, "judgment is", "judgments are")
        yield Notice(
            "sub-topics",
            f"{count} of further sub-topics of the same document; these measures know no sub-topics and take "
            "the highest grade",
            where=judgments.source,
            level="note",
        )
    parts = grades[grades != np.floor(grades)]
    if len(parts):
        yield Notice(
            "fractional-grades",
            f"{counted(len(parts), 'grade is a fraction', 'grades are fractions')} ({parts[0]:g}): a gain for"
            " measures that take gains, such as nDCG; for the others a document is relevant from the"
            " threshold rel up",
            where=judgments.source,
            level="note",
        )
    below = int((grades < 0).sum())
    if below:
        yield Notice(
            "negative-grades",
            f"{counted(below, 'negative grade counts', 'negative grades count')} as not relevant with gain 0;"
            " unjudged:removed (judged_only=True) takes such documents out like unjudged ones",
            where=judgments.source,
            level="note",
        )


def _of_coverage(ranked: Ranked, alignment: Alignment) -> Iterator[Notice]:
    run = alignment.run
    judged = ~ranked.negative
    asked, total = int((ranked.asked & judged).sum()), int(judged.sum())
    if not alignment.facts.rows:
        if all(notice.code != "empty-run" for notice in run.notices):
            yield Notice("empty-run", "the run has no results", where=run.source)
    elif asked < FEW * total:
        yield Notice(
            "coverage",
            f"the run covers {asked} of {total} judged queries ({asked / total:.0%})",
            where=run.source,
            hint="are these the qrels of another split?",
        )


def _of_overlap(ranked: Ranked, alignment: Alignment) -> Iterator[Notice]:
    returned = int(ranked.listed.sum())
    if returned and not len(ranked.query):
        yield Notice(
            "no-judged-document",
            f"none of the {returned} results is a judged document",
            where=alignment.run.source,
            hint=_why_none_is_judged(alignment.judgments, alignment.facts.documents),
        )


def _why_none_is_judged(judgments: Judgments, documents: Sequence[str]) -> str:
    second_column = set(judgments.table.get_column("subtopic").unique())
    common = sum(document in second_column for document in documents)
    if common:
        return (
            f"{common} of {len(documents)} documents of the run stand in the second column of the judgments"
        )
    judged = judgments.table.get_column("doc_id").unique().to_list()
    return (
        _chunks(documents)
        or why_apart(judged, documents)
        or "are the document ids of run and qrels of the same kind?"
    )


def _chunks(ids: Sequence[str]) -> str | None:
    """A hint if the run's document ids look like parts of documents."""
    for mark in ("#", "::", "_chunk", "-chunk"):
        if all(re.fullmatch(rf".+{re.escape(mark)}[_-]?\d+", document) for document in ids):
            return f"the run's ids look like <document>{mark}<number>: are chunks scored against documents?"
    return None


def _of_ranks(alignment: Alignment, convention: Convention) -> Iterator[Notice]:
    """A warning where the rank column and the scores of a run order its results differently."""
    facts = alignment.facts
    if convention.order != "score" or not alignment.run.ranked or not facts.contrary:
        return
    if facts.reversed == facts.comparable:
        message = (
            "in every query the scores rise while the ranks rise, so that the score puts the last rank "
            "first; are they distances?"
        )
        turn = "; treconcile convert run --lower-is-better turns the scores"
    else:
        queries = counted(facts.contrary, "query the ranks contradict", "queries the ranks contradict")
        message = f"in {queries} the scores ({shown_id(facts.example)}); the scores count, as in trec_eval"
        turn = ""
    hint = f"-C order=rank counts the ranks{turn}"
    yield Notice("scores-against-ranks", message, where=alignment.run.source, hint=hint)


def _of_ties(alignment: Alignment, ranked: Ranked, convention: Convention) -> Iterator[Notice]:
    if convention.order != "score":
        return
    tied = (ranked.tie_size > 1) & (ranked.grade >= convention.rel)
    if tied.any():
        queries = np.flatnonzero(ranked.count(tied))
        largest = int(np.argmax(np.where(tied, ranked.tie_size, 0)))
        example = shown_id(ranked.queries[ranked.query[largest]])
        yield Notice(
            "ties",
            f"{counted(len(queries), 'query has', 'queries have')} a relevant document among equal scores "
            f"({example}: {ranked.tie_size[largest]} documents tied), "
            f"which are put in order by ties:{convention.ties}",
            where=alignment.run.source,
            hint="-C ties=best and -C ties=worst show how much that can matter",
            level="note",
        )
    yield from _of_single_precision(alignment, ranked, convention)


def _of_single_precision(alignment: Alignment, ranked: Ranked, convention: Convention) -> Iterator[Notice]:
    if convention.score_precision != "float64" or not alignment.facts.rounded:
        return
    collapsed = _differing_ties(ranked, alignment.rank(convention.replace(score_precision="float32")))
    if len(collapsed):
        count = counted(len(collapsed), "query has", "queries have")
        yield Notice(
            "single-precision",
            f"{count} judged documents with scores that differ in double precision but are equal in single "
            f"precision, in which trec_eval 9, pytrec_eval and ir_measures compare them "
            f"({shown_id(ranked.queries[collapsed[0]])})",
            where=alignment.run.source,
            hint="-C score_precision=float32 shows what they report",
            level="note",
        )


def _differing_ties(first: Ranked, second: Ranked) -> Integers:
    """The queries in which a judged document has different numbers of ties in the two rankings."""
    if len(first.query) == len(second.query):
        return np.flatnonzero(first.count(first.tie_size != second.tie_size))
    size = len(first.queries)
    counts = [np.bincount(ranked.query, minlength=size) for ranked in (first, second)]
    return np.flatnonzero(counts[0] != counts[1])


def _of_self_matches(alignment: Alignment) -> Iterator[Notice]:
    judgments, facts = alignment.judgments, alignment.facts
    # If queries and documents are numbered alike, a few ids are equal by chance.
    many = facts.self_matches and facts.self_matches >= FEW * facts.queries
    if many and not judgments.of_themselves:
        yield Notice(
            "self-matches",
            f"{facts.self_matches} of {counted(facts.queries, 'query', 'queries')} retrieve the document with"
            " their own id, which is not judged",
            where=alignment.run.source,
            hint="-C self_match=drop takes these results out",
        )


def _of_depth(ranked: Ranked, run: Run) -> Iterator[Notice]:
    deep = np.flatnonzero(ranked.listed > DEEP)
    if len(deep):
        yield Notice(
            "deep-results",
            f"{counted(len(deep), 'query has', 'queries have')} more than {DEEP} results "
            f"({shown_id(ranked.queries[deep[0]])}: {ranked.listed[deep[0]]}); all are scored",
            where=run.source,
            hint=f"-C depth={DEEP} looks at the first {DEEP} only, as some tools do silently",
            level="note",
        )


def _of_encoding(judgments: Judgments, run: Run) -> Iterator[Notice]:
    if judgments.id_encoding != run.id_encoding:
        encoded, plain = ("qrels", "run") if judgments.id_encoding != "none" else ("run", "qrels")
        yield Notice(
            "id-encoding",
            f"the ids of the {encoded} are percent-encoded and those of the {plain} are not",
            where=run.source,
            hint="convert both with the same --id-encoding",
        )
