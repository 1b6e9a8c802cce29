"""The measures of trec_eval: their names, parameters and output, and our measure for each.

They are in the order in which trec_eval computes and prints them, whatever the order of `-m`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from treconcile.trec_eval import parameters as read

if TYPE_CHECKING:
    from collections.abc import Callable

    from treconcile.trec_eval.parameters import Numbers, Pairs
    from treconcile.trec_eval.settings import Form

RANKS = (5.0, 10.0, 15.0, 20.0, 30.0, 100.0, 200.0, 500.0, 1000.0)
RECALLS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
PREFERENCE_COUNTS = ("prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret")
PREFERENCE_SHARES = (
    *("prefs_simp", "prefs_pair", "prefs_avgjg", "prefs_avgjg_Rnonrel"),
    *("prefs_simp_ret", "prefs_pair_ret", "prefs_avgjg_ret", "prefs_avgjg_Rnonrel_ret"),
    *("prefs_simp_imp", "prefs_pair_imp", "prefs_avgjg_imp"),
)
MULTIPLES = (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0)


class Names(Enum):
    """How parameters enter the printed names."""

    NONE = "the name alone"
    RANK = "a line a cut-off: P_5"
    FRACTION = "a line a cut-off: iprec_at_recall_0.10"
    TEXT = "one line with the parameters as they were given: utility_2,-1,0,0"


class Summary(Enum):
    """What the line over all queries says."""

    MEAN = "the mean"
    SUM = "the sum"
    GEOMETRIC = "the geometric mean; there is no line of a single query"
    QUERIES = "the number of queries; there is no line of a single query"
    TAG = "the tag of the run; there is no line of a single query"
    ABSENT = "there is no such line"


@dataclass(frozen=True)
class TrecMeasure:
    """A measure of trec_eval.

    Attributes:
        name: The name that `-m` takes.
        measure: The name of our measure.
        names: How parameters enter the printed names.
        read: Reads the numbers after the dot; None if it takes none.
        default: Its parameters if none are given.
        read_pairs: Reads the pairs after the dot, as `1=3`; None if it takes none.
        summary: What the line over all queries says.
        whole: Values are printed as whole numbers.
        since: The first version that has it.
        sets: Parameters of our measure with other defaults in trec_eval.
        form: The form of judgments that it needs; None: any.
    """

    name: str
    measure: str
    names: Names = Names.NONE
    read: Callable[[str, str], Numbers] | None = None
    default: Numbers = ()
    read_pairs: Callable[[str, str], Pairs] | None = None
    summary: Summary = Summary.MEAN
    whole: bool = False
    since: int = 9
    sets: tuple[tuple[str, float | bool], ...] = ()
    form: Form | None = "qrels"


def _count(name: str, measure: str, summary: Summary = Summary.SUM) -> TrecMeasure:
    return TrecMeasure(name, measure, summary=summary, whole=True)


def _cut(name: str, measure: str, default: Numbers = RANKS, since: int = 9) -> TrecMeasure:
    return TrecMeasure(name, measure, Names.RANK, read.read_ranks, default, since=since)


def _fractions(name: str, measure: str, default: Numbers) -> TrecMeasure:
    return TrecMeasure(name, measure, Names.FRACTION, read.read_fractions, default)


def _gains(name: str, measure: str, since: int = 9) -> TrecMeasure:
    return TrecMeasure(name, measure, Names.TEXT, read_pairs=read.read_gains, since=since)


def _persistence(name: str, measure: str, **sets: float | bool) -> TrecMeasure:
    pairs = read.read_persistence
    return TrecMeasure(name, measure, Names.TEXT, read_pairs=pairs, since=10, sets=tuple(sets.items()))


def _preferences(name: str) -> TrecMeasure:
    return TrecMeasure(name, "", form="prefs")


def _preference_count(name: str) -> TrecMeasure:
    return TrecMeasure(name, "", summary=Summary.SUM, whole=True, form="prefs")


TREC_MEASURES: dict[str, TrecMeasure] = {
    measure.name: measure
    for measure in (
        TrecMeasure("runid", "", summary=Summary.TAG, form=None),
        TrecMeasure("num_q", "NumQ", summary=Summary.QUERIES, whole=True, form=None),
        _count("num_ret", "NumRet"),
        _count("num_rel", "NumRel"),
        _count("num_rel_ret", "NumRelRet"),
        TrecMeasure("map", "AP"),
        TrecMeasure("gm_map", "AP", summary=Summary.GEOMETRIC),
        TrecMeasure("Rprec", "Rprec"),
        TrecMeasure("bpref", "Bpref"),
        TrecMeasure("recip_rank", "RR"),
        _fractions("iprec_at_recall", "IPrec", RECALLS),
        _cut("P", "P"),
        TrecMeasure("relstring", "", Names.TEXT, read.read_numbers, default=(10.0,), summary=Summary.ABSENT),
        _cut("recall", "R"),
        TrecMeasure("infAP", "infAP"),
        TrecMeasure("gm_bpref", "Bpref", summary=Summary.GEOMETRIC),
        _fractions("Rprec_mult", "RprecMult", MULTIPLES),
        TrecMeasure("utility", "Utility", Names.TEXT, read.read_four, (1.0, -1.0, 0.0, 0.0)),
        TrecMeasure("11pt_avg", "IPrecAvg", Names.TEXT, read.read_rising, RECALLS),
        TrecMeasure("binG", "binG"),
        _gains("G", "G"),
        _gains("dcg", "DCG", since=10),
        _gains("ideal_dcg", "idealDCG", since=10),
        _gains("ndcg", "nDCG"),
        _gains("ndcg_rel", "nDCGrel"),
        _gains("Rndcg", "Rndcg"),
        _cut("ndcg_cut", "nDCG"),
        _cut("map_cut", "AP"),
        _cut("relative_P", "RelP"),
        _cut("success", "Success", (1.0, 5.0, 10.0)),
        TrecMeasure("set_P", "SetP"),
        TrecMeasure("set_relative_P", "SetRelP"),
        TrecMeasure("set_recall", "SetR"),
        TrecMeasure("set_map", "SetAP"),
        TrecMeasure("set_F", "SetF", Names.TEXT, read.read_numbers, (1.0,)),
        _count("num_nonrel_judged_ret", "NumNonrelJudgedRet"),
        *map(_preference_count, PREFERENCE_COUNTS),
        *map(_preferences, PREFERENCE_SHARES),
        TrecMeasure("map_avgjg", "AP", form="qrels_jg"),
        TrecMeasure("P_avgjg", "P", Names.RANK, read.read_ranks, RANKS, form="qrels_jg"),
        TrecMeasure(
            "Rprec_mult_avgjg", "RprecMult", Names.FRACTION, read.read_fractions, MULTIPLES, form="qrels_jg"
        ),
        TrecMeasure("yaap", "yaap"),
        _persistence("rbp", "RBP", p=0.9, graded=True),
        _persistence("rbp_resid", "RBPresid", p=0.9),
        _cut("unj", "unj", (5.0, 10.0, 20.0), since=10),
    )
}
"""Every measure, by name."""

COUNTS = ("runid", "num_q", "num_ret", "num_rel", "num_rel_ret")
NOT_IN_ALL = ("dcg", "ideal_dcg", "yaap")
NICKNAMES: dict[str, tuple[str, ...]] = {
    "official": (*COUNTS, "map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P"),
    "set": (*COUNTS, "utility", "set_P", "set_recall", "set_relative_P", "set_map", "set_F"),
    "all_trec": tuple(
        name
        for name, measure in TREC_MEASURES.items()
        if measure.form in ("qrels", None) and name not in NOT_IN_ALL
    ),
    "all_prefs": ("runid", "num_q", *PREFERENCE_COUNTS, *PREFERENCE_SHARES),
    "prefs": ("runid", "num_q", *PREFERENCE_COUNTS, "prefs_simp", "prefs_pair", "prefs_avgjg"),
    "qrels_jg": ("runid", "num_q", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg"),
}
"""The names for several measures at once."""

FORMATS: dict[str, Form] = {
    "qrels": "qrels",
    "qrels_jg": "qrels_jg",
    "prefs": "prefs",
    "qrels_prefs": "prefs",
}
"""The values of `-R`, and the form of the judgments in each."""


def of_version(version: int) -> tuple[TrecMeasure, ...]:
    """The measures that a version has, in its order."""
    return tuple(measure for measure in TREC_MEASURES.values() if measure.since <= version)
