"""What trec_eval's flags say about the whole evaluation, and the convention that they stand for."""

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
        version: The version of trec_eval whose output is wanted: 9 or 10.
        complete: `-c`: judged queries that are not in the run count, too.
        level: `-l`: the lowest grade that counts as relevant.
        depth: `-M`: only so many results of each query are looked at; None: all.
        judged_only: `-J`: documents that nobody judged are taken out first.
        collection: `-N`: the number of documents in the collection, for `utility`.
        form: What is judged: `qrels`, `qrels_jg` (by several judgment groups) or `prefs` (preferences).
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

        Tied documents stand in the order of their ids where preferences are judged, and in the reverse order
        else. Version 10 has its new rounding of recall in the measures of qrels only.
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
