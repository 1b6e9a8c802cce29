"""What trec_eval, as a program or in pytrec_eval, can be asked for a measure, and by which name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from treconcile.convention import Changes
from treconcile.tools.protocol import Plan, ToolResult
from treconcile.tools.question import RANKED, Question, question_of

if TYPE_CHECKING:
    from treconcile.tools.question import MeasureLike

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


def trec_plans(
    known: ToolResult, measure: MeasureLike, *, single: bool, missing: str, note: str = ""
) -> list[Plan]:
    """The measure as trec_eval has it, on a run cut to k where it has no cut-off of its own there.

    Args:
        known: A result that names tool, version and measure.
        measure: The measure.
        single: The tool keeps scores in single precision.
        missing: How the tool counts a query that the run lacks.
        note: What to add where a cut is mentioned; `{k}` stands for the rank.
    """
    question = question_of(measure)
    if question is None or not trec_name(question):
        return []
    k = cut_to(question)
    conventions = Changes()
    if single and question.name in RANKED:
        conventions["score_precision"] = "float32"
    if missing != "zero":
        conventions["missing"] = missing
    via = None if k is None else f"{trec_name(question)} on the first {k}" + note.format(k=k)
    return [Plan(replace(known, via=via, conventions=conventions), question, (question.setting, k))]
