"""What else is asked of a comparison: verdicts by group of queries, and results by field or by word."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from treconcile.comparison.groups import group_queries
from treconcile.comparison.versions.by_group import compare_groups, count_by_field, count_by_words
from treconcile.errors import UsageError

if TYPE_CHECKING:
    from treconcile.comparison.groups import Fields, ResultCounts
    from treconcile.comparison.versions.changes import Changes
    from treconcile.convention import Convention

# What reads forms of other systems takes long to load, and is loaded where fields and texts are asked for.


@dataclass(frozen=True)
class CloserLook:
    """What else is asked of a comparison.

    Attributes:
        queries: The queries: a path or Python values.
        group: The field of the queries that makes groups.
        corpus: The documents: a path or Python values.
        by: The field of the documents that results are counted by.
        by_words: Count results by the words of the query that stand in the document, too.

    Raises:
        UsageError: Something is asked of what is not given, or nothing of what is.
    """

    queries: object = None
    group: str | None = None
    corpus: object = None
    by: str | None = None
    by_words: bool = False

    def __post_init__(self) -> None:
        for option, asked, given, other in (
            ("--group", self.group is not None, self.queries, "--queries"),
            ("--by", self.by is not None, self.corpus, "--corpus"),
            ("--by-words", self.by_words, self.queries, "--queries"),
            ("--by-words", self.by_words, self.corpus, "--corpus"),
        ):
            if asked and given is None:
                raise UsageError(f"{option} needs {other}", hint=f"add {other} FILE, or leave {option} out")
        for option, given, lacking in (
            ("--queries", self.queries, "--group" if self.group is None else ""),
            ("--corpus", self.corpus, "--by" if self.by is None else ""),
        ):
            if given is not None and lacking and not self.by_words:
                hint = f"add {lacking} FIELD, or leave {option} out"
                raise UsageError(f"nothing is asked of {option}", hint=hint)

    def added_to(self, changes: Changes, convention: Convention) -> Changes:
        """The comparison with all that was asked.

        Args:
            changes: The comparison.
            convention: What relevant means.

        Raises:
            InputError: Queries or documents cannot be read, or have no such field.
            UsageError: The test knows no groups, or a version has no ranking.
        """
        groups = changes.groups
        if self.group is not None:
            known = dict.fromkeys(each.query for each in changes.queries)
            fields = _fields(self.queries, "queries", self.group)
            groups = compare_groups(changes, group_queries(known, fields, self.group))
        return replace(changes, groups=groups, counts=tuple(self._counts(changes, convention)))

    def _counts(self, changes: Changes, convention: Convention) -> Iterator[ResultCounts]:
        if self.by is not None:
            fields = _fields(self.corpus, "corpus", self.by)
            yield count_by_field(changes, self.by, fields, convention)
        if self.by_words:
            from treconcile.formats import read_corpus, read_queries

            queries, documents = read_queries(self.queries), read_corpus(self.corpus)
            yield count_by_words(changes, queries.texts, documents.texts, convention)


def _fields(given: object, kind: str, name: str) -> Fields:
    """The values of a field of queries or documents."""
    from treconcile.formats.systems.mapping.read_fields import fields_in
    from treconcile.formats.systems.mapping.readers import PythonValue

    source = os.fspath(given) if isinstance(given, str | os.PathLike) else PythonValue(given, kind)
    return fields_in(source, kind, name)
