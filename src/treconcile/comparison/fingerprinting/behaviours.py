"""Behaviour that no axis of a convention covers: odd cut-offs, repeated ids, values above 1, instability."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

from treconcile.comparison.fingerprinting.answers import Answer, Part
from treconcile.comparison.fingerprinting.findings import Finding, Shown, shown_by
from treconcile.comparison.fingerprinting.forms import Form
from treconcile.comparison.fingerprinting.infer import Inferred
from treconcile.comparison.fingerprinting.outcome import Outcome
from treconcile.comparison.fingerprinting.predict import AT_K, UNCUT, Cutoff, Hypothesis
from treconcile.comparison.fingerprinting.probes import Probe, Style, Written

PLAIN = Written("an odd question", "behaviour", "A B", "A x y z", 4)
SHALLOW = replace(PLAIN, k=2)
ODD_CUTOFFS: dict[str, tuple[Any, ...]] = {"k < 1": (0, -1), "k not whole": (2.5,)}
REPEATED, BELOW = "relevant id repeated", "duplicate below k"
TREC_EVAL = {
    "k < 1": "error",
    "k not whole": "reads the whole part",
    REPEATED: "error",
    "values above 1": "none",
    "stability": "stable",
}


@dataclass(frozen=True)
class Odd:
    """A question outside the battery: what it is about, in words, and how it is handed over."""

    axis: str
    words: str
    form: Form
    request: dict[str, Any]


def odd_questions(form: Form, style: Style) -> list[Odd]:
    """The odd questions that can be asked in a form."""
    probe, shallow = PLAIN.probe(style), SHALLOW.probe(style)
    request = probe.to_request()
    odd = []
    if form.takes_k:
        for axis, values in ODD_CUTOFFS.items():
            words = str(shallow).rpartition(" at k = ")[0]
            odd += [Odd(axis, f"{words} at k = {k}", form, {**request, "k": k}) for k in values]
    if any(slot.role == "relevant" and slot.shape in ("set", "list") for slot in form.slots):
        listed = Form(
            tuple(replace(slot, shape="list") if slot.role == "relevant" else slot for slot in form.slots)
        )
        again = deepcopy(request)
        again["queries"][0]["again"] = ["A"]
        words = str(probe).replace("{A, B}", "[A, B, A]")
        odd.append(Odd(REPEATED, words, listed, again))
    return odd


def odd_findings(
    odd: Sequence[Odd], answers: Sequence[Answer], part: Part, hypothesis: Hypothesis
) -> Iterator[Finding]:
    """What the answers to the odd questions show about one number."""
    by_axis: dict[str, list[tuple[Odd, Outcome]]] = {}
    for question, answer in zip(odd, answers, strict=True):
        by_axis.setdefault(question.axis, []).append((question, answer.of(part)))
    for axis, came in by_axis.items():
        question, outcome = came[0]
        value = _repeated(outcome, hypothesis) if axis == REPEATED else _cutoffs(axis, came, hypothesis)
        shown = Shown(question.words, outcome, None, question.request)
        yield Finding(axis, value, shown=shown, trec_eval=TREC_EVAL[axis])


def _cutoffs(axis: str, came: Sequence[tuple[Odd, Outcome]], hypothesis: Hypothesis) -> str:
    texts = {str(question.request["k"]): str(outcome) for question, outcome in came}
    if axis == "k not whole":
        outcome = came[0][1]
        for k in (2, 3):
            predicted = hypothesis.predict(replace(SHALLOW, k=k).probe())
            if predicted is not None and outcome.agrees(predicted):
                return f"as k = {k}"
    if len(set(texts.values())) == 1:
        return next(iter(texts.values()))
    return "; ".join(f"{outcome} at {k}" for k, outcome in texts.items())


def _repeated(outcome: Outcome, hypothesis: Hypothesis) -> str:
    once = hypothesis.predict(PLAIN.probe())
    more = hypothesis.predict(replace(PLAIN, relevant="A B C").probe())
    if once is None or more is None:
        return str(outcome)
    if outcome.agrees(once):
        return "no effect" if once == more else "counted once"
    return "counted each time" if outcome.agrees(more) else str(outcome)


def duplicates_scope(inferred: Inferred, observed: Mapping[Probe, Outcome], *, whole: bool) -> Inferred:
    """Add to an error on duplicates whether a duplicate below the cut-off raises it, too."""
    below = [probe for probe in observed if "duplicates" in probe.axes and "error" in probe.exempt]
    failed = {observed[probe].kind == "error" for probe in below}
    refused = [
        finding
        for finding in inferred.findings
        if finding.axis == "duplicates" and finding.convention == "error"
    ]
    if len(failed) != 1 or not refused:
        return inferred
    where = "a duplicate anywhere" if failed == {True} else "a duplicate in the first k only"
    findings = tuple(
        replace(finding, value=f"{finding.value}: {where}") if finding in refused else finding
        for finding in inferred.findings
    )
    shown = shown_by(below[-1], observed[below[-1]], whole=whole)
    value = str(shown.observed) if failed == {True} else "not looked at"
    return replace(inferred, findings=(*findings, Finding(BELOW, value, shown=shown, trec_eval="error")))


def cutoff_finding(hypothesis: Hypothesis, observed: Mapping[Probe, Outcome]) -> Finding:
    """How deep it looks, with the probe that shows it."""
    shown = None
    for other in (UNCUT, AT_K, Cutoff(1)):
        contrast = replace(hypothesis, cutoff=other)
        for probe, outcome in observed.items():
            predicted = contrast.predict(probe) if "cutoff" in probe.axes else None
            if predicted is not None and not outcome.agrees(predicted):
                shown = shown or shown_by(probe, outcome, (str(other), predicted))
    theirs = "the whole list" if hypothesis.measure in ("RR", "AP") else "k"
    return Finding("cutoff", str(hypothesis.cutoff), shown=shown, trec_eval=theirs)


def rounding(hypothesis: Hypothesis, observed: Mapping[Probe, Outcome]) -> Finding:
    """The digits that are given, with a probe whose value has more."""
    places = hypothesis.convention.round
    exact = replace(hypothesis, convention=hypothesis.convention.replace(round=None))
    shown = None
    for probe, outcome in observed.items():
        predicted = exact.predict(probe)
        if places is not None and predicted is not None and not outcome.agrees(predicted):
            shown = shown or shown_by(probe, outcome, ("none", predicted))
    digits = {outcome.digits for outcome in observed.values() if outcome.kind == "value"} - {None}
    value = "none" if places is None else str(places)
    if digits:
        value += f" ({max(digits, key=lambda places: places or 0)} places are printed)"
    return Finding("round", value, convention=places, shown=shown, trec_eval="none (4 places are printed)")


def unusual(part: Part, asked: Sequence[tuple[str, dict[str, Any], Answer]]) -> Iterator[Finding]:
    """Values that a measure should not have, anywhere in the battery."""
    groups: dict[str, list[Shown]] = {}
    for words, request, answer in asked:
        outcome = answer.of(part)
        kind = "values above 1" if outcome.kind == "value" and outcome.value > 1 + 1e-9 else outcome.kind
        groups.setdefault(kind, []).append(Shown(words, outcome, None, request))
    names = {"values above 1": "values above 1", "nan": "NaN", "none": "None", "other": "not a number"}
    for kind, axis in names.items():
        if kind in groups:
            count = len(groups[kind])
            value = f"for {count} of the probes" if count > 1 else "for one of the probes"
            yield Finding(axis, value, shown=groups[kind][0], trec_eval="never")
    for kind in ("hang", "crash"):
        if kind in groups:
            value = f"for {len(groups[kind])} of the probes"
            yield Finding(kind, value, shown=groups[kind][0], trec_eval="never")


def unstable(
    part: Part, asked: Sequence[tuple[str, dict[str, Any], Answer]], again: Sequence[Sequence[Answer]]
) -> Iterator[Finding]:
    """The first probe that got another answer when it was asked again."""
    for (words, request, answer), repeats in zip(asked, again, strict=True):
        first = answer.of(part)
        for repeat in repeats:
            second = repeat.of(part)
            if "unasked" not in (first.kind, second.kind) and not _same(first, second):
                shown = Shown(words, first, ("a second call", second), request)
                yield Finding("stability", "unstable: an answer changed", shown=shown, trec_eval="stable")
                return


def _same(one: Outcome, other: Outcome) -> bool:
    if one.kind != "value" or other.kind != "value":
        return (one.kind, one.detail) == (other.kind, other.detail)
    return abs(one.value - other.value) <= 1e-9
