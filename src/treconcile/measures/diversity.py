"""Measures over the sub-topics of a query: diversity, and novelty, where repetition counts less."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from treconcile.errors import UsageError
from treconcile.measures.family import AVERAGE, CREDIT, FINDING, ROWS, Family, ParameterInfo, View, divided
from treconcile.measures.subtopics import Diversity

if TYPE_CHECKING:
    from collections.abc import Callable

    from treconcile.arrays import Floats, Integers


NOVELTY = ParameterInfo(0.5, "what a sub-topic loses each time a document on it was seen", high=1.0)
PATIENCE = ParameterInfo(0.5, "the probability to go on to the next document", high=1.0)
READS = ROWS | CREDIT | AVERAGE | FINDING
NOTHING = "no document is relevant to a sub-topic: 0, see no_relevant"
NDEVAL = "ndeval.c of the TREC Web tracks; ir_measures"


def _log2(rank: Integers) -> Floats:
    discount: Floats = 1.0 / np.log2(rank + 1.0)
    return discount


def _reciprocal(rank: Integers) -> Floats:
    return 1.0 / rank.astype(np.float64)


def _share_of_best(view: View, name: str, weight: Callable[[Integers], Floats]) -> Floats:
    """The novelty, divided by that of a ranking in which each document is on every sub-topic."""
    if view.cutoff is None:
        raise UsageError(f"{name} without a cut-off has nothing to divide by", hint=f"write {name}@20")
    subtopics, alpha = Diversity(view, name), view.number("alpha")
    ranks = np.arange(1, view.cutoff + 1)
    best = ((1.0 - alpha) ** (ranks - 1.0) * weight(ranks)).sum()
    return divided(subtopics.novelty(subtopics.hits, weight, alpha), subtopics.topics * best)


def _share_of_ideal(view: View, name: str, weight: Callable[[Integers], Floats]) -> Floats:
    """The novelty, divided by that of the ideal ranking of the judged documents."""
    subtopics, alpha = Diversity(view, name), view.number("alpha")
    return divided(
        subtopics.novelty(subtopics.hits, weight, alpha),
        subtopics.novelty(subtopics.ideal(alpha), weight, alpha),
    )


def _patient(view: View) -> Callable[[Integers], Floats]:
    beta = view.number("beta")
    return lambda rank: np.power(beta, rank - 1.0)


def _nrbp(view: View) -> Floats:
    subtopics, alpha = Diversity(view, "NRBP"), view.number("alpha")
    share = 1.0 - (1.0 - alpha) * view.number("beta")
    return divided(share * subtopics.novelty(subtopics.hits, _patient(view), alpha), subtopics.topics)


def _subtopic_recall(view: View) -> Floats:
    subtopics = Diversity(view, "StRecall")
    return divided(
        subtopics.hits.total((subtopics.hits.nth == 1).astype(np.float64), view.size), subtopics.topics
    )


def _precision_ia(view: View) -> Floats:
    subtopics = Diversity(view, "P_IA")
    near = view.returned if view.cutoff is None else np.full(view.size, view.cutoff)
    return divided(
        subtopics.hits.total(np.ones(len(subtopics.hits.rank)), view.size), near * subtopics.topics
    )


def _average_precision_ia(view: View) -> Floats:
    subtopics = Diversity(view, "AP_IA")
    key, counts = np.unique(np.stack([subtopics.query, subtopics.topic]), axis=1, return_counts=True)
    width = int(subtopics.topic.max(initial=0)) + 1
    at = np.searchsorted(key[0] * width + key[1], subtopics.hits.query * width + subtopics.hits.topic)
    value = subtopics.hits.nth / subtopics.hits.rank / counts[at] if len(at) else np.zeros(0)
    return divided(subtopics.hits.total(value, view.size), subtopics.topics)


alpha_DCG = Family(  # noqa: N816 - the names in the field
    name="alpha_DCG",
    title="Alpha discounted cumulative gain",
    formula="sum over the first k of gain / log2(rank + 1), / that of a ranking that finds every sub-topic"
    " with each document; a document gains (1 - alpha)^n for each of its sub-topics, where n documents"
    " on it stand above",
    source=f"Clarke et al., Novelty and diversity in information retrieval evaluation, SIGIR 2008; {NDEVAL}",
    reads=READS,
    kernel=lambda view: _share_of_best(view, "alpha_DCG", _log2),
    undefined=NOTHING,
    aliases=("α_DCG",),
    parameters={"alpha": NOVELTY},
)

alpha_nDCG = Family(  # noqa: N816
    name="alpha_nDCG",
    title="Alpha normalised discounted cumulative gain",
    formula="as alpha_DCG, / that of the ideal ranking, which always takes the document that gains most"
    " (of equal ones that with the greatest id)",
    range="0 to about 1: the ideal ranking is found step by step and may not be the very best",
    source=f"Clarke et al., Novelty and diversity in information retrieval evaluation, SIGIR 2008; {NDEVAL}",
    reads=READS,
    kernel=lambda view: _share_of_ideal(view, "alpha_nDCG", _log2),
    undefined=NOTHING,
    aliases=("α_nDCG",),
    parameters={"alpha": NOVELTY},
)

ERR_IA = Family(
    name="ERR_IA",
    title="Intent-aware expected reciprocal rank",
    formula="as alpha_DCG with 1 / rank in place of 1 / log2(rank + 1)",
    source=f"Chapelle et al., Intent-based diversification of web search results, Inf. Retrieval 14, 2011;"
    f" {NDEVAL}",
    reads=READS,
    kernel=lambda view: _share_of_best(view, "ERR_IA", _reciprocal),
    undefined=f"{NOTHING} (ndeval does not normalise ERR_IA@1 and alpha_DCG@1; here they are)",
    parameters={"alpha": NOVELTY},
)

nERR_IA = Family(  # noqa: N816 - the name in the field
    name="nERR_IA",
    title="Normalised intent-aware expected reciprocal rank",
    formula="as alpha_nDCG with 1 / rank in place of 1 / log2(rank + 1)",
    range="0 to about 1",
    source=f"Chapelle et al., Information Retrieval 14, 2011; {NDEVAL}",
    reads=READS,
    kernel=lambda view: _share_of_ideal(view, "nERR_IA", _reciprocal),
    undefined=NOTHING,
    parameters={"alpha": NOVELTY},
)

NRBP = Family(
    name="NRBP",
    title="Novelty- and rank-biased precision",
    formula="(1 - (1 - alpha) × beta) / sub-topics × sum of beta^(rank - 1) × the gain of alpha_DCG",
    cutoff="none",
    source=f"Clarke, Kolla and Vechtomova, An effectiveness measure for ambiguous and underspecified queries,"
    f" ICTIR 2009; {NDEVAL}",
    reads=READS,
    kernel=_nrbp,
    undefined=NOTHING,
    parameters={"alpha": NOVELTY, "beta": PATIENCE},
)

nNRBP = replace(  # noqa: N816
    NRBP,
    name="nNRBP",
    title="Normalised novelty- and rank-biased precision",
    formula="NRBP / NRBP of the ideal ranking of alpha_nDCG",
    range="0 to about 1",
    kernel=lambda view: _share_of_ideal(view, "nNRBP", _patient(view)),
)

StRecall = Family(
    name="StRecall",
    title="Sub-topic recall",
    formula="sub-topics with a relevant document in the first k / sub-topics with a relevant document",
    source=f"Zhai, Cohen and Lafferty, Beyond independent relevance, SIGIR 2003; {NDEVAL} (strec)",
    reads=READS,
    kernel=_subtopic_recall,
    undefined=NOTHING,
    aliases=("strec", "SRecall"),
)

P_IA = replace(
    StRecall,
    name="P_IA",
    title="Intent-aware precision",
    formula="mean over the sub-topics of the precision in the first k, without k in all returned",
    source=f"Agrawal et al., Diversifying search results, WSDM 2009; {NDEVAL}",
    kernel=_precision_ia,
    aliases=(),
)

AP_IA = replace(
    StRecall,
    name="AP_IA",
    title="Intent-aware average precision",
    formula="mean over the sub-topics of the average precision of the documents relevant to it",
    cutoff="none",
    source=f"Agrawal et al., Diversifying search results, WSDM 2009; {NDEVAL}",
    kernel=_average_precision_ia,
    aliases=("MAP_IA",),
)
