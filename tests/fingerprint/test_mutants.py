"""Every mutant is caught and named, and nothing else is said of it."""

from functools import cache

import pytest

from fingerprint import mutants
from treconcile.comparison.fingerprinting import Fingerprint
from treconcile.comparison.fingerprinting import fingerprint as probe

REPEATED = "relevant id repeated"

MUTANTS: dict[str, tuple[str, str, str, set[str]]] = {
    "p_by_returned": ("P", "denominator", "returned", set()),
    "p_off_by_one": ("P", "cutoff", "k - 1", set()),
    "recall_capped": ("R", "recall", "min-k-relevant", set()),
    "recall_is_hit": ("R", "recall", "hit", {"pool", REPEATED}),
    "rr_of_all": ("RR", "target", "mean", set()),
    "rr_not_cut": ("RR", "cutoff", "the whole list", set()),
    "ap_capped": ("AP", "ap", "min-k-relevant", set()),
    "ap_by_returned": ("AP", "ap", "min-returned-relevant", {REPEATED}),
    "ap_by_retrieved": ("AP", "ap", "retrieved", {"pool", REPEATED}),
    "ideal_uncut": ("nDCG", "ideal_depth", "all", set()),
    "ideal_by_returned": ("nDCG", "ideal_depth", "returned", set()),
    "ideal_of_retrieved": ("nDCG", "ideal_pool", "retrieved", {REPEATED}),
    "discount_of_jarvelin": ("nDCG", "discount", "max-1-log2", set()),
    "duplicates_each": ("P R AP nDCG", "duplicates", "each", {"duplicate below k"}),
    "duplicates_once": ("P R AP nDCG", "duplicates", "once", {"duplicate below k"}),
    "duplicates_first": ("P R RR AP nDCG", "duplicates", "first", {"duplicate below k"}),
    "duplicates_last": ("P R RR AP nDCG", "duplicates", "last", {"duplicate below k"}),
    "any_k": ("P R RR AP nDCG", "k < 1", "error (ZeroDivisionError) at 0; ", set()),
    "no_relevant_fails": (
        "P R RR AP nDCG",
        "no_relevant",
        "error (ZeroDivisionError)",
        {"no_relevant_empty"},
    ),
    "no_relevant_is_one": ("P R RR AP nDCG", "no_relevant", "one", {"no_relevant_empty"}),
    "no_relevant_is_nan": ("P R RR AP nDCG", "no_relevant", "nan", {"no_relevant_empty", "NaN"}),
    "no_relevant_is_none": ("P R RR AP nDCG", "no_relevant", "skip", {"no_relevant_empty", "None"}),
    "empty_is_nan": ("P R RR AP nDCG", "empty", "nan", {"no_relevant_empty", "NaN"}),
    "counts_each_relevant": ("R AP", REPEATED, "counted each time", set()),
    "rounded": ("P R RR AP nDCG", "round", "2", set()),
    "changes_its_mind": ("P", "stability", "unstable", set()),
    "relevant_from_2": ("P", "rel", "2", set()),
    "gain_exponential": ("nDCG", "gain", "exponential", set()),
    "gain_binary": ("nDCG", "gain", "binary", {"rel"}),
    "negative_signed": ("nDCG", "negative_grade", "signed", set()),
    "negative_relevant": ("P", "negative_grade", "relevant", set()),
    "dcg_exponential": ("DCG", "gain", "exponential", set()),
    "dcg_binary": ("DCG", "gain", "binary", {"rel"}),
    "dcg_square": ("DCG", "gain", "square", {"values above 1", "k < 1"}),
    "dcg_natural": ("DCG", "discount", "ln", {"values above 1", "k < 1"}),
    "dcg_base_10": ("DCG", "discount", "log10", {"values above 1", "k < 1"}),
    "dcg_by_rank": ("DCG", "discount", "rank", {"values above 1"}),
    "dcg_undiscounted": ("DCG", "discount", "none", {"values above 1"}),
    "dcg_of_jarvelin": ("DCG", "discount", "max-1-log2", {"values above 1"}),
    "condensed": ("P nDCG", "unjudged", "removed", {"negative_grade"}),
    "ties_ascending": ("P RR", "ties", "docid-asc", set()),
    "ties_as_they_come": ("P RR", "ties", "input", set()),
    "ties_backwards": ("P RR", "ties", "input-reversed", set()),
    "in_input_order": ("P RR", "order", "input", {"ties", "score_precision"}),
    "in_single_precision": ("P RR", "score_precision", "float32", set()),
    "missing_skipped": ("P RR", "missing", "skip", set()),
    "extra_is_zero": ("P RR", "extra", "zero", set()),
    "extra_fails": ("P RR", "extra", "error (KeyError)", set()),
    "mean_is_geometric": ("P RR", "mean", "geometric", {"k < 1"}),
    "without_itself": ("P RR", "self_match", "drop", set()),
    "only_positive_scores": ("P RR", "scores", "positive", set()),
}
"""Each mutant: the measures and the axis that it changes, the value it has to be named, and the axes that
follow from that one (what cannot be seen any more, or comes with it)."""

CORRECT = {
    "per_query": "correct",
    "graded": "graded_correct",
    "cumulated": "cumulated_correct",
    "whole": "whole_correct",
}


@cache
def fingerprint_of(name: str) -> Fingerprint:
    return probe(getattr(mutants, name))


def said_by(name: str) -> dict[tuple[str, str], str]:
    """What is said of each axis and measure."""
    return {
        (each.axis, measure.partition("@")[0]): each.value
        for each in fingerprint_of(name).findings
        for measure in each.measures
    }


def correct_of(name: str) -> str:
    return CORRECT[getattr(mutants, name).__qualname__.partition(".")[0]]


QUICK = {
    "p_by_returned",
    "p_off_by_one",
    "recall_capped",
    "rr_of_all",
    "ap_by_retrieved",
    "ideal_by_returned",
    "duplicates_once",
    "no_relevant_is_nan",
    "rounded",
    "gain_exponential",
    "dcg_exponential",
    "dcg_natural",
    "ties_ascending",
    "in_single_precision",
    "mean_is_geometric",
}
"""One of each kind; the others are slow together."""

EACH = pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in MUTANTS]
)


@EACH
def test_a_mutant_is_caught_and_named(name: str) -> None:
    measures, axis, value, _ = MUTANTS[name]
    said = said_by(name)
    for measure in measures.split():
        assert said[axis, measure].startswith(value), said
        assert said[axis, measure] != said_by(correct_of(name)).get((axis, measure))


@EACH
def test_nothing_else_is_said_of_a_mutant(name: str) -> None:
    _, axis, _, consequences = MUTANTS[name]
    said, usual = said_by(name), said_by(correct_of(name))
    other = {
        key: (usual.get(key), said.get(key)) for key in {*said, *usual} if said.get(key) != usual.get(key)
    }
    assert {key for key in other if key[0] not in {axis, *consequences}} == set(), other


def test_there_are_enough_mutants() -> None:
    kept = {name for name, each in vars(mutants).items() if getattr(each, "__name__", "") == "evaluate"}
    assert kept - set(CORRECT.values()) == set(MUTANTS)
    assert len(MUTANTS) >= 20


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "correct",
            {
                "cutoff": "k",
                "duplicates": "error (ValueError): a duplicate anywhere",
                "denominator": "k",
                "recall": "relevant",
                "target": "first",
                "ap": "relevant",
                "ideal_depth": "k",
                "ideal_pool": "judged",
                "discount": "log2",
                "pool": "judged",
                "empty": "zero",
                "no_relevant": "zero",
                "round": "none",
                "k < 1": "error (ValueError)",
            },
        ),
        (
            "graded_correct",
            {
                "rel": "1",
                "gain": "linear",
                "negative_grade": "zero",
                "unjudged": "nonrelevant",
                "duplicates": "each",
            },
        ),
        (
            "whole_correct",
            {
                "order": "score",
                "ties": "docid-desc",
                "score_precision": "float64",
                "missing": "zero",
                "extra": "ignore",
                "mean": "arithmetic",
                "self_match": "keep",
                "scores": "any",
            },
        ),
    ],
)
def test_a_correct_implementation_is_read_right(name: str, expected: dict[str, str]) -> None:
    found = fingerprint_of(name)
    assert {axis: found[axis] for axis in expected} == expected
