"""Which measure a number is: the one whose values it has on lists without anything unusual."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import product

from treconcile.comparison.fingerprinting.outcome import Outcome
from treconcile.comparison.fingerprinting.predict import AT_K, UNCUT, Cutoff, Hypothesis
from treconcile.comparison.fingerprinting.probes import Probe
from treconcile.convention import DEFAULT, Convention, Value
from treconcile.measures import FAMILIES

FORMULAS = {
    "P": ("denominator",),
    "R": ("recall", "pool"),
    "RR": ("target",),
    "nDCG": ("ideal_depth", "ideal_pool", "discount"),
    "AP": ("ap", "pool"),
    "Success": (),
    "Rprec": ("pool",),
    "SetF": ("pool",),
    "F": ("denominator", "recall", "pool"),
    "DCG": ("gain", "discount"),
    "RBP": (),
    "Bpref": (),
}
"""The measures that are recognised, likeliest first, and the axes that change even their plain values."""

CONTEXTS: tuple[dict[str, Value], ...] = (
    {},
    {"rel": 0},
    {"rel": 2},
    {"rel": 3},
    {"mean": "geometric"},
    {"round": 2},
    {"round": 3},
    {"round": 4},
    {"round": 5},
)
"""What else may colour every value."""

DEPTHS = (1, 2, 3, 4, 5, 6, 8, 10, 20, 50, 100, 1000)


def identify(
    observed: Mapping[Probe, Outcome],
    *,
    mean: bool,
    alone: bool,
    takes_k: bool,
    named: str | None = None,
    cutoff: int | None = None,
) -> Hypothesis | None:
    """The likeliest measure, cut-off and formula that give all observed values.

    Args:
        observed: The outcomes of the probes of identity.
        mean: The number is a mean over queries.
        alone: One query is handed over at a time.
        takes_k: The implementation is given a k.
        named: The measure that it is named after; tried first.
        cutoff: The cut-off that its name says.
    """
    if not any(outcome.kind == "value" and outcome.value for outcome in observed.values()):
        return None
    for guess in _hypotheses(mean, takes_k, named, cutoff):
        hypothesis = replace(guess, alone=alone)
        if all(_fits(outcome, hypothesis, probe) for probe, outcome in observed.items()):
            return hypothesis
    return None


def _fits(outcome: Outcome, hypothesis: Hypothesis, probe: Probe) -> bool:
    predicted = hypothesis.predict(probe)
    return predicted is not None and outcome.agrees(predicted)


def _hypotheses(mean: bool, takes_k: bool, named: str | None, cutoff: int | None) -> Iterator[Hypothesis]:
    cutoffs = _cutoffs(takes_k, cutoff)
    for context in CONTEXTS if mean else (context for context in CONTEXTS if "mean" not in context):
        for depth, (name, convention) in product(cutoffs, _definitions(named)):
            if not _impossible(name, depth):
                yield Hypothesis(name, depth, replace_axes(convention, context), mean)


@cache
def _definitions(named: str | None) -> Sequence[tuple[str, Convention]]:
    """Measures with conventions: what it is named after, then what is defined as usual, then the rest."""
    definitions = [
        (name, convention) for name in FORMULAS if name in FAMILIES for convention in _formulas(name)
    ]
    return sorted(definitions, key=lambda pair: (pair[0] != named, len(pair[1].changed())))


def _impossible(name: str, depth: Cutoff) -> bool:
    kind = FAMILIES[name].cutoff
    uncut = depth.offset is None and depth.fixed is None
    return (kind == "none" and not uncut) or (kind == "required" and uncut)


def _cutoffs(takes_k: bool, named: int | None) -> list[Cutoff]:
    if takes_k:
        return [
            AT_K,
            Cutoff(None),
            Cutoff(-1),
            Cutoff(1),
            *(Cutoff(None, depth) for depth in (10, 100, 1000)),
        ]
    first = [Cutoff(None, named, given=False)] if named is not None else []
    other_depths = (Cutoff(None, depth, given=False) for depth in DEPTHS if depth != named)
    return [*first, UNCUT, *other_depths]


@cache
def _formulas(name: str) -> Sequence[Convention]:
    """The default, then the conventions that change one axis of the formula, then those that change more."""
    axes = FORMULAS[name]
    combined = product(*(FAMILIES[name].values_of(axis) for axis in axes))
    conventions = [DEFAULT.replace(**dict(zip(axes, values, strict=True))) for values in combined]
    return sorted(conventions, key=lambda convention: len(convention.changed()))


def replace_axes(convention: Convention, changes: Mapping[str, Value]) -> Convention:
    """The convention with some axes changed."""
    return convention.replace(**changes) if changes else convention


def at_depth(hypothesis: Hypothesis, **changes: Value) -> Hypothesis:
    """The hypothesis with some axes of its convention changed."""
    return replace(hypothesis, convention=replace_axes(hypothesis.convention, changes))
