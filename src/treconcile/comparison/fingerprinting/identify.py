"""Which measure each number is: the one whose values it has on lists without anything unusual."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import product

from treconcile.comparison.fingerprinting.answers import CUTOFF, Answer, Part
from treconcile.comparison.fingerprinting.battery import IDENTITY
from treconcile.comparison.fingerprinting.forms import Form
from treconcile.comparison.fingerprinting.outcome import Outcome
from treconcile.comparison.fingerprinting.predict import AT_K, UNCUT, Cutoff, Hypothesis
from treconcile.comparison.fingerprinting.probes import Probe
from treconcile.comparison.fingerprinting.subject import Subject
from treconcile.convention import DEFAULT, Convention, Value
from treconcile.errors import UsageError
from treconcile.measures import FAMILIES
from treconcile.measures.spec import Measure
from treconcile.users.observed import named_function, named_measure

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

MOST_PARTS = 8
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


def numbers_among(
    subject: Subject,
    form: Form | None,
    probes: Sequence[Probe],
    answers: Sequence[Answer],
    returns: Sequence[str] | None,
) -> dict[Part, Hypothesis | None]:
    """The numbers among the answers, each with what it is recognised as."""
    parts = [
        part
        for part, outcome in next((answer.numbers for answer in answers if answer.numbers), {}).items()
        if outcome.kind in ("value", "nan", "none")
    ]
    if not parts:
        return {}
    named, whole = _named(parts, returns), "run" in subject.features(form)
    known: dict[Part, Hypothesis | None] = {}
    for part, measure in _chosen(named).items():
        observed = {probe: answer.of(part) for probe, answer in zip(probes, answers, strict=True)}
        known[part] = identify(
            _usable(observed),
            mean=whole and not part.per_query,
            alone=not whole,
            takes_k=subject.takes_k(form),
            named=measure.name if measure else None,
            cutoff=measure.cutoff if measure else None,
        )
    return known


def _usable(observed: Mapping[Probe, Outcome]) -> dict[Probe, Outcome]:
    """The outcomes without failures, if enough are left."""
    answered = {probe: outcome for probe, outcome in observed.items() if not outcome.failed}
    return answered if len(answered) >= len(IDENTITY) else dict(observed)


def _named(parts: Sequence[Part], returns: Sequence[str] | None) -> dict[Part, Measure | None]:
    if returns is None:
        return {part: named_function(part.name.replace(CUTOFF, "k")) if part.name else None for part in parts}
    if len(returns) != len(parts):
        raise UsageError(
            f"{len(parts)} numbers are returned, and --returns names {len(returns)}",
            hint="name each of them, and write - for one to be left out",
        )
    pairs = zip(parts, returns, strict=True)
    return {part: named_measure(name) for part, name in pairs if name != "-"}


def _chosen(named: Mapping[Part, Measure | None]) -> dict[Part, Measure | None]:
    """All numbers, or of very many the first of each measure that is known by its name."""
    if len(named) <= MOST_PARTS:
        return dict(named)
    first: dict[str, Part] = {}
    for part, measure in named.items():
        if measure is not None:
            first.setdefault(f"{measure.name}{measure.cutoff is None}", part)
    return {part: named[part] for part in first.values()} or dict(list(named.items())[:MOST_PARTS])
