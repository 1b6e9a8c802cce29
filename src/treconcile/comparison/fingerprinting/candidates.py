"""Which values of an axis can be told apart from outside, and why others cannot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from treconcile.comparison.fingerprinting.battery import UNREACHABLE, WHOLE
from treconcile.comparison.fingerprinting.identify import at_depth
from treconcile.comparison.fingerprinting.predict import Hypothesis
from treconcile.convention import Value
from treconcile.measures import FAMILIES

NUMBERS: dict[str, tuple[Value, ...]] = {"rel": (1, 2, 3, 0)}
"""The values tried of an axis that is a number."""

NEEDS = {
    ("duplicates", "max"): {"scores", "repeats"},
    ("order", "rank"): {"ranks"},
    ("target", "best-grade"): {"grades"},
    ("denominator", "judged"): {"grades"},
    ("denominator", "distinct"): {"repeats"},
}
"""What a call has to hand over to tell a value from the others."""

DERIVED = {
    "as-missing",
    "always-zero",
    "as-none-found",
    "unspecified",
    "unspecified-reversed",
    "retrieved-epsilon",
}
"""Values that always give the same numbers as another value, or that stand for a range of orders."""

FOR_GAIN = {("negative_grade", "signed"), ("duplicates", "pairwise")}
"""Values that only measures with a gain tell from others."""

FOR_IDEAL = {("duplicates", "each-in-ideal")}
"""Values that only measures with an ideal ranking tell from others."""

LACKS = {
    "scores": "no scores are handed over, only a list in its order",
    "ranks": "no rank column is handed over",
    "grades": "ids are handed over, not grades",
    "repeats": "a dictionary or array cannot hold a document twice",
    "empty": "an empty result cannot be handed over",
    "ids": "no query ids are handed over",
    "run": "one query is handed over at a time",
}
"""Why a probe cannot be asked, by what it needs."""


def candidates_of(hypothesis: Hypothesis, axes: Sequence[str], features: frozenset[str]) -> list[Hypothesis]:
    """The hypothesis as it is, then with one of the axes changed, then with more.

    Args:
        hypothesis: What is known so far.
        axes: The axes to be determined.
        features: What the call can hand over.
    """
    current = hypothesis.convention
    choices = [values_here(hypothesis, axis, features) for axis in axes]
    combinations = [dict(zip(axes, values, strict=True)) for values in product(*choices)]
    combinations.sort(
        key=lambda changes: sum(getattr(current, axis) != value for axis, value in changes.items())
    )
    return [at_depth(hypothesis, **changes) for changes in combinations if not _contradictory(changes)]


def values_here(hypothesis: Hypothesis, axis: str, features: frozenset[str]) -> list[Value]:
    """The values of an axis that differ in the numbers of this measure when called this way."""
    family = FAMILIES[hypothesis.measure]
    values: Sequence[Value] = NUMBERS.get(axis) or family.values_of(axis)
    refused = DERIVED | _refused(hypothesis, axis, values, alone="run" not in features)
    graded = "gain" in family.reads and hypothesis.convention.gain != "binary"
    if graded and axis == "negative_grade":
        refused.add("relevant")
    distinct = [
        value
        for value in values
        if value not in refused
        and NEEDS.get((axis, str(value)), set()) <= features
        and (graded or (axis, str(value)) not in FOR_GAIN)
        and ((graded and "ideal_pool" in family.reads) or (axis, str(value)) not in FOR_IDEAL)
    ]
    return distinct or list(values)


def _refused(hypothesis: Hypothesis, axis: str, values: Sequence[Value], *, alone: bool) -> set[str]:
    refused: set[str] = set()
    if ("error" if alone else "skip" if "skip" in values else "ignore") in values:
        refused.add("fail")  # the same from outside
    if axis == "extra":
        refused.add("as-no-relevant")
    cutoff = hypothesis.cutoff
    if cutoff.offset is None and cutoff.fixed is None:
        refused |= {"min-k-relevant", "fail-if-short"} | ({"fail"} if axis == "short_list" else set())
    if hypothesis.convention.empty in ("error", "fail"):
        refused.add("one-if-empty")
    return refused


def why_not(axis: str, features: frozenset[str]) -> str:
    """Why no probe of an axis can be asked."""
    if axis == "mean" and "run" in features:
        return "it gives a number for each query and no mean"
    tagged = [set(probe.needs.split()) for probe in WHOLE if axis in probe.axes.split()]
    lacking = min((sorted(needs - features) for needs in tagged), key=len, default=None)
    if lacking is None:
        return UNREACHABLE.get(axis, "no probe is for it")
    return LACKS[lacking[0]] if lacking else "it was not asked"


def _contradictory(changes: Mapping[str, Value]) -> bool:
    """Whether one of the values leaves another without a meaning."""
    refused = changes.get("duplicates") == "error" and changes.get("denominator") == "distinct"
    empty = changes.get("no_relevant") == "one-if-empty" and changes.get("no_relevant_empty") not in (
        None,
        "as-no-relevant",
    )
    return refused or empty
