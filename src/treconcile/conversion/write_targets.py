"""What writes the targets of `treconcile.conversion.targets` that are neither TREC's nor texts."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import polars as pl

from treconcile.conversion.json_write import Rendered, judgments_dict, judgments_json, run_dict, run_json
from treconcile.conversion.losses import losses
from treconcile.conversion.preferences import prefs_of_judgments
from treconcile.conversion.rank_eval import RankEval, rank_eval
from treconcile.conversion.table_write import (
    beir_qrels,
    msmarco_qrels,
    msmarco_run,
    pyterrier_qrels,
    pyterrier_run,
)
from treconcile.conversion.targets import target
from treconcile.files.compression import compressed
from treconcile.files.text_files import write_all_atomic
from treconcile.formats.trec.lines import refuse_contradiction
from treconcile.formats.trec.merged import distinct
from treconcile.formats.trec.order import ranked

if TYPE_CHECKING:
    from treconcile.errors import Notice
    from treconcile.files.text_files import Source
    from treconcile.model import Judgments, Run

QRELS_WRITERS: Mapping[str, Callable[[Judgments], Rendered]] = {
    "json": lambda judgments: (judgments_json(judgments), ()),
    "tutorial": lambda judgments: (judgments_json(judgments), ()),
    "dict": lambda judgments: (judgments_dict(judgments), ()),
    "beir": beir_qrels,
    "msmarco": msmarco_qrels,
    "pyterrier": pyterrier_qrels,
    "prefs": prefs_of_judgments,
}
"""What writes judgments, by target; TREC qrels and _rank_eval requests need to be told more."""

RUN_WRITERS: Mapping[str, Callable[[Run], Rendered]] = {
    "json": lambda run: (run_json(run), ()),
    "dict": lambda run: (run_dict(run), ()),
    "msmarco": msmarco_run,
    "pyterrier": pyterrier_run,
}
"""What writes a run, by target; TREC runs, and the folders that hold one, need to be told more."""


def rendered_judgments(
    judgments: Judgments, to: str, how: RankEval | None = None, elsewhere: Sequence[str] = ()
) -> Rendered:
    """Judgments as a target has them, and what it cannot hold or its tools would misunderstand.

    Args:
        judgments: What to write.
        to: The target, none of TREC's.
        how: What a _rank_eval request says beside them, which is a target that needs it.
        elsewhere: What is lost here and stands in another file, as names in `LOSSES`.

    Raises:
        InputError: They cannot be written so.
    """
    relevant = judgments.table.filter(pl.col("grade") > 0)
    refuse_contradiction(relevant, judgments.negative, "to have no answer, but it has a relevant document")
    _, repeated = distinct(judgments.table)
    chunks, said = QRELS_WRITERS[to](judgments) if how is None else (rank_eval(judgments, how), ())
    return chunks, (*repeated, *losses(target("qrels", to), judgments, elsewhere), *said)


def rendered_run(run: Run, to: str) -> Rendered:
    """A run as a target has it, and what it cannot hold or its tools would misunderstand.

    Raises:
        InputError: It cannot be written so.
    """
    refuse_contradiction(run.table, run.empty, "to have found nothing, but it has results")
    chunks, said = RUN_WRITERS[to](run)
    return chunks, (*losses(target("run", to), run), *said)


def by_rank(run: Run) -> Run:
    """The run with the scores n … 1, which keep the order."""
    rows = ranked(run.table)
    scores = (rows.get_column("count") - rows.get_column("rank") + 1).cast(float)
    table = rows.with_columns(scores.alias("score")).select("query_id", "doc_id", "score", "rank")
    return replace(run, table=table)


@dataclass(frozen=True)
class PreparedFiles:
    """Files that belong together and can be written: what could be wrong with them has been looked for.

    Attributes:
        files: What is stored, by path.
        notices: What is worth saying.
    """

    files: tuple[tuple[Source, bytes], ...]
    notices: tuple[Notice, ...]

    def write(self, beside: Sequence[tuple[Source, bytes]] = ()) -> tuple[Notice, ...]:
        """Writes them, and the files `beside` together with them; what is worth saying.

        Raises:
            FileError: One of them cannot be written; then none is.
        """
        write_all_atomic([*self.files, *beside])
        return self.notices


def prepared_files(files: Mapping[str, Rendered]) -> PreparedFiles:
    """Files by path, each compressed by its ending; `-` is standard output."""
    stored = ((path, compressed(os.fspath(path), b"".join(chunks))) for path, (chunks, _) in files.items())
    return PreparedFiles(tuple(stored), tuple(notice for _, said in files.values() for notice in said))
