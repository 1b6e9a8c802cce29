"""Counts of queries, returned documents and relevant documents, summed over the queries."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from treconcile.measures.family import CREDIT, QUERIES, ROWS, Family

CHECKED = frozenset({"duplicates"})
"""The axis that every measure reads, because it can refuse the run."""


NumQ = Family(
    name="NumQ",
    title="Number of queries",
    formula="the queries that enter the score",
    range="0 and up",
    cutoff="none",
    better="neither",
    source="trec_eval num_q",
    reads=CHECKED | QUERIES,
    kernel=lambda view: np.ones(view.size),
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
    source="trec_eval num_ret",
    reads=ROWS | QUERIES,  # the order matters where a list is cut and then condensed
    kernel=lambda view: view.returned.astype(np.float64),
    aliases=("num_ret",),
    aggregate="sum",
    whole=True,
)

NumRel = replace(
    NumRet,
    name="NumRel",
    title="Number of relevant documents",
    formula="the documents judged relevant",
    cutoff="none",
    source="trec_eval num_rel",
    reads=CHECKED | frozenset({"rel", "negative_grade"}) | QUERIES,
    kernel=lambda view: view.relevant_judged.astype(np.float64),
    aliases=("num_rel",),
)

NumRelRet = replace(
    NumRet,
    name="NumRelRet",
    title="Number of relevant documents returned",
    formula="the documents in the first k that were judged relevant",
    better="higher",
    source="trec_eval num_rel_ret; ir_measures NumRet(rel=1); ranx hits, which is averaged",
    reads=ROWS | CREDIT | QUERIES,
    kernel=lambda view: view.count_within(view.relevant),
    aliases=("num_rel_ret",),
)
