"""Judgments or preferences, joined with a run that is named by its path."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from treconcile.model import Judgments
from treconcile.score import aligned, refuse_disjoint_ids
from treconcile.trec_eval.kernels import Kernels
from treconcile.trec_eval.run_file import read_trec_eval_run

if TYPE_CHECKING:
    from treconcile.align import Alignment
    from treconcile.files.text_files import Source
    from treconcile.model import Preferences, Run
    from treconcile.trec_eval.settings import Settings


def joined_kernels(judged: Judgments | Preferences, path: Source, settings: Settings) -> tuple[Kernels, Run]:
    """The kernels that compute the measures of a run, and the run.

    Args:
        judged: The judgments, or the preferences if these are judged.
        path: The path of the run, or `-`.
        settings: The flags; they state the form of the judgments.

    Raises:
        InputError: The run cannot be read, or has no query in common with the judgments.
    """
    if not isinstance(judged, Judgments):
        from treconcile.trec_eval.preferences import PreferenceKernels, valued_documents

        alignment = _alignment(valued_documents(judged), path, settings)
        return PreferenceKernels(judged, alignment, settings), alignment.run
    if settings.form == "qrels_jg":
        from treconcile.align import Alignment
        from treconcile.trec_eval.kernels import GroupKernels

        whole = Alignment(judged, read_trec_eval_run(path))  # not in pieces: each group is joined with it
        refuse_disjoint_ids(judged, whole.run, whole)
        return GroupKernels(whole, settings), whole.run
    alignment = _alignment(judged, path, settings)
    return Kernels(alignment, settings), alignment.run


def _alignment(judgments: Judgments, path: Source, settings: Settings) -> Alignment:
    alignment = aligned(
        judgments,
        path,
        [settings.convention()],
        partial(read_trec_eval_run, path),
        meta=False,
        hashed=False,
    )
    refuse_disjoint_ids(judgments, alignment.run, alignment)
    return alignment
