"""The names that trec_eval, and pytrec_eval after it, give to measures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treconcile.convention import Changes
from treconcile.tools.question import RANKED

if TYPE_CHECKING:
    from treconcile.tools.question import Question

NAMES: dict[tuple[str, bool], str] = {
    ("P", True): "P.{k}",
    ("R", True): "recall.{k}",
    ("RR", False): "recip_rank",
    ("AP", False): "map",
    ("AP", True): "map_cut.{k}",
    ("nDCG", False): "ndcg",
    ("nDCG", True): "ndcg_cut.{k}",
    ("Success", True): "success.{k}",
    ("Rprec", False): "Rprec",
    ("SetP", False): "set_P",
    ("SetR", False): "set_recall",
    ("SetF", False): "set_F",
    ("NumQ", False): "num_q",
    ("NumRet", False): "num_ret",
    ("NumRel", False): "num_rel",
    ("NumRelRet", False): "num_rel_ret",
}
"""The name to ask for, by measure and whether it has a cut-off."""

UNCUT = {name: NAMES[name, False] for name in ("RR", "SetP", "SetR", "SetF", "NumRet", "NumRelRet")}
"""The measures without a cut-off of their own: what a run cut to k is asked for instead."""


def trec_name(question: Question) -> str | None:
    """The name to ask for, or None if trec_eval has no such measure, cut or not."""
    if question.exponential or (question.name == "NumRel" and question.rel != 1):
        return None  # num_rel counts the grades from 1 up whatever level is set
    template = NAMES.get(question.form)
    if template is None:
        # Cutting comes before removing unjudged documents in the tool and after it in the measure.
        template = None if question.condensed or question.cutoff is None else UNCUT.get(question.name)
    if template is None:
        return None
    name = template.format(k=question.cutoff)
    return f"{name}.{question.beta:g}" if question.name == "SetF" and question.beta != 1 else name


def cut_to(question: Question) -> int | None:
    """The rank to cut the run at before asking, or None where the measure has its own cut-off."""
    return question.cutoff if question.form not in NAMES else None


def trec_conventions(question: Question, *, single: bool, missing: str) -> Changes:
    """How this family differs from the default convention: by the precision of scores and the missing."""
    changes = Changes()
    if single and question.name in RANKED:
        changes["score_precision"] = "float32"
    if missing != "zero":
        changes["missing"] = missing
    return changes
