"""From an implementation to its fingerprint."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from treconcile.comparison.fingerprinting.answers import Part
from treconcile.comparison.fingerprinting.behaviours import (
    BELOW,
    cutoff_finding,
    duplicates_scope,
    odd_findings,
    rounding,
    unstable,
    unusual,
)
from treconcile.comparison.fingerprinting.findings import Finding, Undetermined
from treconcile.comparison.fingerprinting.infer import Inference, Inferred
from treconcile.comparison.fingerprinting.nearest import Known, likenesses
from treconcile.comparison.fingerprinting.outcome import Outcome
from treconcile.comparison.fingerprinting.predict import Hypothesis
from treconcile.comparison.fingerprinting.probes import Probe
from treconcile.comparison.fingerprinting.result import Fingerprint, Number
from treconcile.comparison.fingerprinting.snippet import snippet
from treconcile.comparison.fingerprinting.study import (
    SECONDS,
    Answers,
    Recognised,
    make_subject,
    question,
    recognise,
)
from treconcile.comparison.fingerprinting.subject import Subject
from treconcile.convention import axes, value_text
from treconcile.measures.spec import parse_measure
from treconcile.profiles import Profile, profiles
from treconcile.users.observed import named_function

REFERENCE = "trec_eval-10-c"


@dataclass(frozen=True)
class Studied:
    """A number by its place and label, and what was found out about it."""

    part: Part
    label: str
    inferred: Inferred | None
    findings: tuple[Finding, ...]
    observed: Mapping[Probe, Outcome]


def fingerprint(
    function: str | Callable[..., object] | None = None,
    *,
    command: str | None = None,
    call: str | None = None,
    returns: str | None = None,
    seconds: float = SECONDS,
) -> Fingerprint:
    """Find out which convention an implementation follows, by calling it on tiny rankings.

    Args:
        function: A function, or its name: `package.module:function` or `path/to/file.py:function`.
        command: A command line with `{qrels}` and `{run}` instead, and perhaps `{k}`; it prints a name and a
            number a line, as trec_eval does.
        call: How the function is called, as `f(gold, ranked, k)`, if its parameters do not say it.
        returns: What the function returns, as `P,R,RR`, if it cannot be recognised.
        seconds: How long one call may take.

    Raises:
        UsageError: There is no such function, or it is not clear how to call it.
        ToolError: It cannot be imported, or gives no number in any way it was called.
    """
    names = None if returns is None else _names(returns)
    with make_subject(function, command, call, seconds) as subject:
        known = recognise(subject, names)
        answers = question(subject, known)
        studied = [
            _study(subject, known, answers, part, hypothesis) for part, hypothesis in known.parts.items()
        ]
    return _put_together(subject, known, answers, studied, command)


def _names(returns: str) -> list[str]:
    names = [name for name in re.split(r"[,\s]+(?![^(]*\))", returns.strip()) if name]
    for name in names:
        if name != "-":
            parse_measure(name)
    return names


def _study(
    subject: Subject, known: Recognised, answers: Answers, part: Part, start: Hypothesis | None
) -> Studied:
    asked = answers.asked()
    extra = [*unusual(part, asked), *unstable(part, asked, answers.again)]
    if start is None:
        return Studied(part, str(part) or "the number", None, tuple(extra), {})
    observed = answers.observed(start.cutoff.fixed, part)
    reference = profiles().get(REFERENCE) or Profile()
    inferred = Inference(start, observed, subject.features(known.form), reference).run()
    inferred = duplicates_scope(inferred, observed, whole="run" in subject.features(known.form))
    findings = [cutoff_finding(inferred.hypothesis, observed), *inferred.findings]
    findings.append(rounding(inferred.hypothesis, observed))
    findings += odd_findings(answers.odd, answers.of_odd, part, inferred.hypothesis)
    return Studied(part, _label(start), inferred, (*findings, *extra), observed)


def _label(hypothesis: Hypothesis) -> str:
    cutoff = hypothesis.cutoff
    if cutoff.offset is not None:
        return f"{hypothesis.measure}@{str(cutoff).replace(' ', '')}"
    return hypothesis.measure if cutoff.fixed is None else f"{hypothesis.measure}@{cutoff.fixed}"


def _put_together(
    subject: Subject, known: Recognised, answers: Answers, studied: Sequence[Studied], command: str | None
) -> Fingerprint:
    merged = _merged(studied)
    equal, nearest = likenesses(
        [
            Known(number.inferred.hypothesis, number.findings, number.observed)
            for number in studied
            if number.inferred
        ]
    )
    pinned = [(finding.about(number.label), number.part) for number in studied for finding in number.findings]
    texts = {answer.text for _, _, answer in answers.asked() if answer.text}
    return Fingerprint(
        subject=subject.name,
        called=f"f({known.form})" if known.form is not None else subject.name,
        probes=len(answers.asked()),
        numbers=tuple(map(_number, studied)),
        findings=tuple(finding for finding, _ in merged),
        undetermined=tuple(_open(studied)),
        equal=equal,
        nearest=nearest,
        pytest=snippet(subject.name, known.form, command, pinned),
        notes=(f"{subject.name}: {subject.alone}",) if subject.alone else (),
        said=tuple(sorted(texts)),
    )


def _merged(studied: Sequence[Studied]) -> list[tuple[Finding, Part]]:
    """The findings of all numbers, those that agree as one, axes in the order of a convention."""
    merged: dict[tuple[str, str, tuple[str, ...]], tuple[Finding, Part]] = {}
    for number in studied:
        for finding in number.findings:
            key = (finding.axis, finding.value, finding.also)
            before, part = merged.get(key, (finding, number.part))
            if before.shown is None and finding.shown is not None:
                before, part = replace(before, shown=finding.shown), number.part
            merged[key] = (before.about(number.label), part)
    order = ["cutoff", *axes()]
    order.insert(order.index("duplicates") + 1, BELOW)
    return sorted(
        merged.values(), key=lambda pair: order.index(pair[0].axis) if pair[0].axis in order else len(order)
    )


def _open(studied: Sequence[Studied]) -> Iterator[Undetermined]:
    merged: dict[tuple[str, str], Undetermined] = {}
    for number in studied:
        for left in number.inferred.undetermined if number.inferred else ():
            key = (left.axis, left.reason)
            before = merged.get(key, left)
            merged[key] = replace(before, measures=tuple(dict.fromkeys((*before.measures, number.label))))
    yield from merged.values()


def _number(studied: Studied) -> Number:
    name, inferred = str(studied.part), studied.inferred
    if inferred is None:
        return Number(name, None, remark="its values are those of no measure that is known")
    hypothesis = inferred.hypothesis
    determined = {finding.axis for finding in studied.findings if finding.convention is not None}
    named = named_function(studied.part.name) if studied.part.name else None
    wrong = named is not None and named.name != hypothesis.measure
    return Number(
        name=name,
        measure=studied.label,
        cutoff=str(hypothesis.cutoff),
        convention=hypothesis.convention,
        signature=" ".join(
            f"{axis}:{value_text(getattr(hypothesis.convention, axis))}"
            for axis in axes()
            if axis in determined
        ),
        remark=f"it is named after {named}, and has the values of {studied.label}" if wrong else "",
    )
