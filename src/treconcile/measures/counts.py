"""Counts: of queries, documents returned, documents relevant. They are summed, not averaged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from treconcile.measures.family import CREDIT, QUERIES, ROWS, Family, View

if TYPE_CHECKING:
    from treconcile.align import Floats

CHECKED = frozenset({"duplicates"})
"""The axis read by every measure, for it can refuse the run."""


def _queries(view: View) -> Floats:
    return np.ones(view.size)


def _returned(view: View) -> Floats:
    return view.returned.astype(np.float64)


def _relevant(view: View) -> Floats:
    return view.relevant_judged.astype(np.float64)


def _relevant_returned(view: View) -> Floats:
    return view.found(view.relevant)


NumQ = Family(
    name="NumQ",
    title="Number of queries",
    formula="the queries that enter the score",
    range="0 and up",
    better="neither",
    cutoff="none",
    source="trec_eval num_q",
    reads=CHECKED | QUERIES,
    kernel=_queries,
    aliases=("num_q",),
    aggregate="sum",
    whole=True,
    nothing=lambda _: 1.0,
)

NumRet = Family(
    name="NumRet",
    title="Number of documents returned",
    formula="the documents returned, at most k",
    range="0 and up",
    better="neither",
    cutoff="optional",
    source="trec_eval num_ret",
    reads=ROWS | QUERIES,  # the order matters where a list is cut and then condensed
    kernel=_returned,
    aliases=("num_ret",),
    aggregate="sum",
    whole=True,
)

NumRel = Family(
    name="NumRel",
    title="Number of relevant documents",
    formula="the documents judged relevant",
    range="0 and up",
    better="neither",
    cutoff="none",
    source="trec_eval num_rel",
    reads=CHECKED | frozenset({"rel", "negative_grade"}) | QUERIES,
    kernel=_relevant,
    aliases=("num_rel",),
    aggregate="sum",
    whole=True,
)

NumRelRet = Family(
    name="NumRelRet",
    title="Number of relevant documents returned",
    formula="the documents in the first k that were judged relevant",
    range="0 and up",
    cutoff="optional",
    source="trec_eval num_rel_ret; ir_measures NumRet(rel=1); ranx hits, which is averaged",
    reads=ROWS | CREDIT | QUERIES,
    kernel=_relevant_returned,
    aliases=("num_rel_ret",),
    aggregate="sum",
    whole=True,
)
