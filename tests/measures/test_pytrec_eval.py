"""The measures that trec_eval has, against pytrec_eval on random input."""

from __future__ import annotations

import math
import random

import pytest
import pytrec_eval

from draws import draw_data
from oracle import Data
from treconcile.score import evaluate

SHARED = {
    "P@1": "P_1",
    "P@3": "P_3",
    "R@3": "recall_3",
    "RR": "recip_rank",
    "AP": "map",
    "AP@3": "map_cut_3",
    "nDCG": "ndcg",
    "nDCG@3": "ndcg_cut_3",
    "Success@1": "success_1",
    "Rprec": "Rprec",
    "SetP": "set_P",
    "SetP(relative=True)": "set_relative_P",
    "SetR": "set_recall",
    "SetF": "set_F",
    "NumQ": "num_q",
    "NumRet": "num_ret",
    "NumRel": "num_rel",
    "NumRelRet": "num_rel_ret",
    "Bpref": "bpref",
    "infAP": "infAP",
    "IPrec@0.0": "iprec_at_recall_0.00",
    "IPrec@0.35": "iprec_at_recall_0.35",
    "IPrec@0.8": "iprec_at_recall_0.80",
    "IPrecAvg": "11pt_avg",
    "RprecMult@0.5": "Rprec_mult_0.50",
    "RprecMult@1.7": "Rprec_mult_1.70",
    "RelP@3": "relative_P_3",
    "SetAP": "set_map",
    "SetRelP": "set_relative_P",
    "Utility": "utility",
    "nDCGrel": "ndcg_rel",
    "Rndcg": "Rndcg",
    "G": "G",
    "binG": "binG",
    "NumNonrelJudgedRet": "num_nonrel_judged_ret",
}
NAMES = (
    "P.1,3 recall.3 recip_rank map map_cut.3 ndcg ndcg_cut.3 success.1 Rprec set_P set_relative_P set_recall"
    " set_F num_q num_ret num_rel num_rel_ret bpref infAP iprec_at_recall.0,0.35,0.8 11pt_avg"
    " Rprec_mult.0.5,1.7 relative_P.3 set_map utility ndcg_rel Rndcg G binG num_nonrel_judged_ret"
)


def survivable(data: Data) -> Data:
    """The data without queries that have negative grades only: pytrec_eval may crash on them."""
    kept = {query for query, _, _, grade in data.judged if grade >= 0}
    return Data([row for row in data.judged if row[0] in kept], data.results)


def theirs(data: Data, level: int, *, condensed: bool) -> dict[str, dict[str, float]]:
    """What pytrec_eval says, query by query."""
    qrel: dict[str, dict[str, int]] = {}
    for query, _, doc, grade in data.judged:
        known = qrel.setdefault(query, {})
        known[doc] = max(grade, known.get(doc, grade))
    run: dict[str, dict[str, float]] = {}
    for query, doc, score, _ in data.results:
        run.setdefault(query, {})[doc] = score
    return pytrec_eval.RelevanceEvaluator(qrel, set(NAMES.split()), level, condensed).evaluate(run)


@pytest.mark.parametrize("condensed", [False, True], ids=["all", "judged-only"])
@pytest.mark.parametrize("level", [1, 2])
def test_shared_measures_equal_pytrec_eval(level: int, condensed: bool) -> None:
    """Every value equals pytrec_eval's, whatever ties, grades and missing or extra queries there are."""
    compared = 0
    for seed in range(60):
        data = survivable(draw_data(random.Random(seed), most=9))
        asked = {row[0] for row in data.results} & {row[0] for row in data.judged}
        if not asked:
            continue
        unjudged = "removed" if condensed else "nonrelevant"
        expected = theirs(data, level, condensed=condensed)
        scores = evaluate(
            data.judgments(), data.run(), list(SHARED), f"pytrec_eval+rel:{level}+unjudged:{unjudged}"
        )
        for one in scores.measures:
            name = SHARED[str(one.measure)]
            assert set(one.values) == set(expected) == asked
            for query, value in one.values.items():
                if math.isnan(expected[query][name]):  # 0/0 where no result is left
                    assert condensed
                    assert value == 0
                    continue
                assert value == pytest.approx(expected[query][name], abs=1e-9), (seed, query, name)
                compared += 1
    assert compared > 1000
