"""What judgments or a run belong to: the documents, the queries, and what they say of the ids.

A file of queries says which were asked, which a TREC run cannot say of those that found nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import polars as pl

from treconcile.errors import MismatchError, Notice, counted, shown_id, shown_ids
from treconcile.model import Corpus, Judgments, Queries, Run

Unknown = Literal["error", "warn"]
"""What happens if a file names a document or query that is not known."""


@dataclass(frozen=True)
class Collection:
    """The files that judgments or a run belong to, as far as they are given."""

    corpus: Corpus | None = None
    queries: Queries | None = None
    judgments: Judgments | None = None

    @property
    def hashes(self) -> dict[str, str]:
        """The SHA-256 of each file, by the key that it has in a sidecar."""
        files = {"corpus": self.corpus, "judgments": self.judgments, "queries": self.queries}
        return {key: file.content for key, file in files.items() if file and file.content}

    @property
    def notices(self) -> list[Notice]:
        """What the readers of the files want said."""
        files = (self.corpus, self.queries, self.judgments)
        return [notice for file in files if file for notice in file.notices]

    def unknown(self, table: Judgments | Run, policy: Unknown) -> list[Notice]:
        """A notice for the documents, and one for the queries, that the collection does not have.

        Raises:
            MismatchError: There are some, and the policy makes that an error.
        """
        notices = [*self._documents(table), *self._queries(table)]
        if policy == "error" and notices:
            raise MismatchError(
                "; ".join(notice.message for notice in notices),
                where=table.source,
                hint=f"{notices[0].hint}; --unknown warn converts all the same",
            )
        return notices

    def _documents(self, table: Judgments | Run) -> list[Notice]:
        if self.corpus is None:
            return []
        ids = table.table.get_column("doc_id").unique(maintain_order=True).to_list()
        found = [each for each in ids if each not in self.corpus.texts]
        what = counted(len(found), "document is", "documents are")
        message = f"{what} not in the corpus"
        return _unknown("unknown-document", found, message, self.corpus.texts, table.source)

    def _queries(self, table: Judgments | Run) -> list[Notice]:
        if self.queries is None:
            return []
        apart = table.empty if isinstance(table, Run) else table.negative
        found = [each for each in dict.fromkeys((*table.queries, *apart)) if each not in self.queries.texts]
        what = counted(len(found), "query is", "queries are")
        message = f"{what} not among the queries"
        return _unknown("unknown-query", found, message, self.queries.texts, table.source)


def _unknown(
    code: str, found: Sequence[str], what: str, known: Mapping[str, str], where: str | None
) -> list[Notice]:
    if not found:
        return []
    hint = f"the ids there are such as {shown_id(next(iter(known)))}"
    return [Notice(code, f"{what}: {shown_ids(found)}", where, hint)]


def run_asked(run: Run, queries: Queries | None) -> Run:
    """The run with the queries that were asked and have no result; those of a sidecar stay."""
    if queries is None:
        return run
    answered = set(run.queries)
    asked = (query for query in (*queries.texts, *run.empty) if query not in answered)
    return replace(run, empty=tuple(dict.fromkeys(asked)))


def without_failed(run: Run, failed: Sequence[str]) -> Run:
    """The run without the queries whose request failed among those that found nothing."""
    if not failed:
        return run
    return replace(run, empty=tuple(query for query in run.empty if query not in set(failed)))


def judgments_asked(judgments: Judgments, queries: Queries | None) -> Judgments:
    """The judgments with the queries that were asked, and their texts."""
    if queries is None:
        return judgments
    asked = dict.fromkeys((*judgments.asked, *judgments.queries, *queries.texts))
    return replace(judgments, asked=tuple(asked), texts={**queries.texts, **judgments.texts})


def refuse_deeper(run: Run, k: int | None) -> None:
    """Check that no query has more results than were asked for.

    Raises:
        MismatchError: One has.
    """
    if k is None:
        return
    counts = run.table.group_by("query_id", maintain_order=True).len("count")
    deeper = counts.filter(pl.col("count") > k)
    for query, count in deeper.head(1).iter_rows():
        who = counted(deeper.height, "query has", "queries have")
        raise MismatchError(
            f"{who} more than {k} results ({shown_id(query)}: {count})",
            where=run.source,
            hint="-k records how many results were asked for; it cuts nothing",
        )
