"""The battery: our own scoring of each probe separates the values that it claims to separate."""

from itertools import combinations

import pytest

from treconcile.comparison.fingerprinting.battery import IDENTITY, LADDERS, UNREACHABLE, WHOLE
from treconcile.comparison.fingerprinting.candidates import values_here
from treconcile.comparison.fingerprinting.identify import FORMULAS, at_depth, identify
from treconcile.comparison.fingerprinting.outcome import Outcome
from treconcile.comparison.fingerprinting.predict import AT_K, UNCUT, Cutoff, Hypothesis
from treconcile.comparison.fingerprinting.probes import STYLES, Probe
from treconcile.convention import axes
from treconcile.measures import FAMILIES

ALONE = frozenset({"scores", "ranks", "grades", "repeats", "empty"})
WITH_RUN = ALONE | {"ids", "run"}

ALWAYS = {("no_relevant_empty", "as-no-relevant", "zero")}

SAME = {
    "P": ALWAYS | {("duplicates", "once", "set"), ("mean", "arithmetic", "micro")},
    "R": ALWAYS | {("duplicates", "once", "set")},
    "RR": ALWAYS
    | {("duplicates", one, other) for one, other in (("each", "once"), ("each", "set"), ("once", "set"))},
    "AP": ALWAYS,
    "DCG": ALWAYS
    | {
        ("duplicates", "each", "set"),
        ("gain", "linear", "linear-relevant"),
        ("gain", "exponential", "exponential-relevant"),
    },
    "nDCG": ALWAYS
    | {
        ("duplicates", "each", "set"),
        ("gain", "linear", "linear-relevant"),
        ("gain", "exponential", "exponential-relevant"),
    },
}
"""Values that are the same for a measure, by what they mean."""

BASE = {"denominator": {"duplicates": "each"}}
"""What has to hold for an axis to show."""

REACHED = [
    (measure, axis)
    for measure in ("P", "R", "RR", "AP", "nDCG", "DCG")
    for axis in axes()
    if axis in FAMILIES[measure].reads and axis not in (*UNREACHABLE, "rel")
]


def separated(hypothesis: Hypothesis, axis: str, depth: int | None) -> set[tuple[str, str]]:
    """The pairs of values of an axis that no probe of the axis tells apart."""
    probes = [each.probe(cutoff=depth) for each in WHOLE if axis in each.axes.split()]
    given = {
        value: [predicted(at_depth(hypothesis, **{axis: value}), probe, value) for probe in probes]
        for value in values_here(hypothesis, axis, WITH_RUN)
    }
    return {
        (str(one), str(other))
        for one, other in combinations(given, 2)
        if all(
            first is None or second is None or first == second
            for first, second in zip(given[one], given[other], strict=True)
        )
    }


def predicted(hypothesis: Hypothesis, probe: Probe, value: object) -> str | None:
    if value in probe.exempt:
        return None
    return str(hypothesis.predict(probe))


@pytest.mark.parametrize(("measure", "axis"), REACHED)
def test_the_values_of_an_axis_are_told_apart(measure: str, axis: str) -> None:
    hypothesis = at_depth(Hypothesis(measure, mean=axis == "mean"), **BASE.get(axis, {}))
    alike = {(axis, *pair) for pair in separated(hypothesis, axis, None)}
    assert alike <= SAME[measure], "tell them apart by a probe in comparison/fingerprinting/probes.py"


@pytest.mark.parametrize("depth", [5, 10])
@pytest.mark.parametrize(("measure", "axis"), REACHED)
def test_they_are_told_apart_at_a_fixed_cutoff(measure: str, axis: str, depth: int) -> None:
    start = Hypothesis(measure, Cutoff(None, depth, given=False), mean=axis == "mean")
    hypothesis = at_depth(start, **BASE.get(axis, {}))
    alike = {(axis, *pair) for pair in separated(hypothesis, axis, depth)}
    assert alike <= SAME[measure], "tell them apart by a probe in comparison/fingerprinting/probes.py"


def test_every_axis_has_a_probe_or_a_reason() -> None:
    read = {axis for name in FORMULAS for axis in FAMILIES[name].reads}
    probed = {axis for each in WHOLE for axis in each.axes.split()}
    assert read - probed - set(UNREACHABLE) == set()
    assert probed & set(UNREACHABLE) == set()


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("cutoff", [AT_K, UNCUT, Cutoff(None, 5, given=False)])
@pytest.mark.parametrize("measure", ["P", "R", "RR", "AP", "nDCG", "DCG", "Success"])
def test_a_measure_is_recognised_by_its_values(measure: str, cutoff: Cutoff, style: object) -> None:
    hypothesis = Hypothesis(measure, cutoff)
    if measure == "P" and cutoff == UNCUT:
        hypothesis = at_depth(hypothesis, denominator="returned")
    observed: dict[Probe, Outcome] = {}
    for each in (*IDENTITY, *LADDERS):
        probe = each.probe(style)  # type: ignore[arg-type]
        outcome = hypothesis.predict(probe)
        assert outcome is not None
        observed[probe] = outcome
    found = identify(observed, mean=False, alone=False, takes_k=cutoff.given)
    assert found == hypothesis


def test_a_probe_prints_as_it_is() -> None:
    short = next(each for each in WHOLE if each.name == "one result, relevant")
    assert str(short.probe()) == "{A} against [A] at k = 2"
