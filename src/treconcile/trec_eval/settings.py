"""trec_eval's flags for the whole evaluation, and the convention that they mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from treconcile.profiles import known_profile

if TYPE_CHECKING:
    from treconcile.convention import Convention

VERSIONS = (9, 10)
Form = Literal["qrels", "qrels_jg", "prefs"]


@dataclass(frozen=True)
class Settings:
    """The flags.

    Attributes:
        version: The version of trec_eval: 9 or 10.
        complete: `-c`: judged queries that are not in the run count, too.
        level: `-l`: the lowest grade that counts as relevant.
        depth: `-M`: the number of results of each query that count; None: all.
        judged_only: `-J`: unjudged documents are removed first.
        collection: `-N`: the number of documents in the collection, for `utility`.
        form: The judgments: `qrels`, `qrels_jg` (by several judgment groups) or `prefs` (preferences).
    """

    version: int = 10
    complete: bool = False
    level: int = 1
    depth: int | None = None
    judged_only: bool = False
    collection: int = 0
    form: Form = "qrels"

    def convention(self) -> Convention:
        """The convention: that of a profile, `missing:skip` without `-c`, and what the flags change.

        Tied documents are ordered by id, ascending for preferences and descending otherwise. Version 10
        rounds recall in its new way only in the measures of qrels.
        """
        base = known_profile(f"trec_eval-{self.version}").convention
        preferences = self.form == "prefs"
        return base.replace(
            ties="docid-asc" if preferences else "docid-desc",
            missing="zero" if self.complete else "skip",
            empty="zero",
            rel=self.level,
            depth=self.depth,
            recall_count="nearest" if self.version > 9 and self.form == "qrels" else "up",
            unjudged="removed" if self.judged_only and not preferences else "nonrelevant",
        )
