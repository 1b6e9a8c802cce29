"""Tables of the names that other tools have for our measures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from treconcile.compat.pytrec_eval import supported_measures
from treconcile.measures import FAMILIES
from treconcile.trec_eval import NICKNAMES, TREC_MEASURES, TrecMeasure
from treconcile.trec_eval.measures import Names
from treconcile.trec_eval.request import columns_of

Row = tuple[str, ...]
RANX = {
    "P": "precision@k",
    "R": "recall@k",
    "RR": "mrr@k",
    "AP": "map@k",
    "nDCG": "ndcg@k, ndcg_burges@k",
    "Success": "hit_rate@k",
    "Rprec": "r-precision",
    "Bpref": "bpref",
    "F": "f1@k",
    "NumRelRet": "hits@k (averaged)",
    "RBP": "rbp.95",
}


def trec_measures() -> tuple[Row, list[Row]]:
    """trec_eval's measures: name, ours, parameters, what is printed over all queries."""
    columns = ("-m", "our measure", "default parameters", "over all queries", "in")
    return columns, [
        (f"`{name}`", _ours(each), _default(each), each.summary.value, ", ".join(_where(each)))
        for name, each in TREC_MEASURES.items()
    ]


def names_elsewhere() -> tuple[Row, list[Row]]:
    """Our measures with the names of trec_eval, pytrec_eval, ir_measures and ranx."""
    columns = ("ours", "trec_eval", "pytrec_eval", "ranx")
    return columns, list(_elsewhere())


def _elsewhere() -> Iterator[Row]:
    for family in FAMILIES:
        trec = [
            name for name, each in TREC_MEASURES.items() if each.measure == family and each.form != "qrels_jg"
        ]
        if trec or family in RANX:
            known = [name for name in trec if name in supported_measures]
            ranx = f"`{RANX[family]}`" if family in RANX else ""
            yield f"`{family}`", _codes(trec), _codes(known), ranx


def _codes(names: list[str]) -> str:
    return " ".join(f"`{name}`" for name in names)


def _ours(each: TrecMeasure) -> str:
    if each.form == "qrels_jg":
        return f"the mean over groups of {_ours(replace(each, form='qrels'))}"
    sets = ", ".join(f"{name}={value}" for name, value in each.sets)
    name = f"{each.measure}({sets})" if sets else each.measure
    mark = {Names.RANK: "@k", Names.FRACTION: "@x"}.get(each.names, "")
    return f"`{name}{mark}`" if name else ""


def _default(each: TrecMeasure) -> str:
    values = [f"{value:g}" for value in each.default]
    if each.names in (Names.RANK, Names.FRACTION):
        values = [column.name.rpartition("_")[2] for column in columns_of(each)]
    return f"`{','.join(values)}`" if values else ""


def _where(each: TrecMeasure) -> list[str]:
    names = [name for name, listed in NICKNAMES.items() if each.name in listed]
    return [*names, *(["version 10 only"] if each.since == 10 else [])]
