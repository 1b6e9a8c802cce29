"""Find the value of each axis from the answers: the one whose predictions all agree with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from treconcile.comparison.fingerprinting.battery import UNREACHABLE
from treconcile.comparison.fingerprinting.candidates import candidates_of, values_here, why_not
from treconcile.comparison.fingerprinting.findings import Finding, Shown, Undetermined, shown_by
from treconcile.comparison.fingerprinting.identify import FORMULAS, at_depth
from treconcile.comparison.fingerprinting.outcome import Outcome
from treconcile.comparison.fingerprinting.predict import Hypothesis
from treconcile.comparison.fingerprinting.probes import Probe
from treconcile.convention import Value, value_text, values_of
from treconcile.measures import FAMILIES
from treconcile.profiles import Profile

GROUPS: tuple[tuple[str, ...], ...] = (
    ("gain", "rel"),
    ("FORMULA",),
    ("order",),
    ("ties",),
    ("score_precision",),
    ("scores",),
    ("self_match",),
    ("unjudged",),
    ("negative_grade",),
    ("duplicates", "denominator"),
    ("short_list", "none_found"),
    ("empty",),
    ("no_relevant", "no_relevant_empty"),
    ("missing",),
    ("extra",),
    ("mean",),
)
"""The axes that are determined together, in this order: later groups build on the earlier."""


@dataclass(frozen=True)
class Inferred:
    """The measure, cut-off and convention of one number, with the axes that were determined or were not."""

    hypothesis: Hypothesis
    findings: tuple[Finding, ...]
    undetermined: tuple[Undetermined, ...]


class Inference:
    """Goes through the groups of axes for one number.

    Args:
        start: The measure as it was identified.
        observed: The outcomes of all probes that could be asked.
        features: What the call can hand over.
        reference: The profile of trec_eval, for comparison.
    """

    def __init__(
        self,
        start: Hypothesis,
        observed: Mapping[Probe, Outcome],
        features: frozenset[str],
        reference: Profile,
    ) -> None:
        self._now, self._observed, self._features = start, observed, features
        cutoff = start.cutoff.at(3)
        self._reference = reference.for_measure(start.measure, cutoff)
        self._reads = FAMILIES[start.measure].reads
        self._findings: list[Finding] = []
        self._open: list[Undetermined] = []

    def run(self) -> Inferred:
        """Determine every axis that the measure reads."""
        seen: set[str] = set()
        for group in GROUPS:
            names = FORMULAS[self._now.measure] if group == ("FORMULA",) else group
            axes = tuple(axis for axis in names if axis in self._reads and axis not in seen)
            axes = tuple(axis for axis in axes if axis != "denominator" or "duplicates" in names)
            seen |= set(axes)
            if axes:
                self._determine(axes)
        for axis in sorted(self._reads - seen - {"round", "mean_round"}):
            self._leave(axis, UNREACHABLE.get(axis, "no probe is for it"))
        return Inferred(self._now, tuple(self._findings), tuple(self._open))

    def _determine(self, axes: tuple[str, ...]) -> None:
        probes = [
            probe
            for probe, outcome in self._observed.items()
            if set(probe.axes) & set(axes) and probe.needs <= self._features and outcome.kind != "unasked"
        ]
        reachable = tuple(axis for axis in axes if any(axis in probe.axes for probe in probes))
        if axes == ("mean",) and not self._now.mean:
            reachable, probes = (), []
        for axis in axes:
            if axis not in reachable:
                self._leave(axis, why_not(axis, self._features))
        if not reachable:
            return
        candidates = candidates_of(self._now, reachable, self._features)
        matches = self._matching(candidates, probes)
        if not matches:
            # If only some probes failed, the others may tell the values apart.
            answered = [probe for probe in probes if not self._observed[probe].failed]
            matches = self._matching(candidates, answered)
            matches = [] if len(matches) == len(candidates) else matches
        if matches:
            self._settle(reachable, candidates, matches, probes)
        elif "ties" in reachable and (value := self._unstable_order(probes)):
            self._accept("ties", value, (), probes, candidates)
        else:
            self._give_up(reachable, probes)

    def _matching(self, candidates: Sequence[Hypothesis], probes: Sequence[Probe]) -> list[Hypothesis]:
        return [
            candidate for candidate in candidates if all(self._agrees(candidate, probe) for probe in probes)
        ]

    def _agrees(self, hypothesis: Hypothesis, probe: Probe) -> bool:
        if any(getattr(hypothesis.convention, axis) in probe.exempt for axis in probe.axes):
            return True
        predicted = hypothesis.predict(probe)
        return predicted is not None and self._observed[probe].agrees(predicted)

    def _settle(
        self,
        axes: Sequence[str],
        candidates: Sequence[Hypothesis],
        matches: Sequence[Hypothesis],
        probes: Sequence[Probe],
    ) -> None:
        best = matches[0]
        for axis in axes:
            value = getattr(best.convention, axis)
            same = [match for match in matches if _same_but(match, best, axis)]
            also = [
                getattr(match.convention, axis) for match in same if getattr(match.convention, axis) != value
            ]
            if len(also) + 1 == len(values_here(self._now, axis, self._features)) > 1:
                self._leave(axis, "every value of it gives the same numbers here")
                continue
            of_axis = [candidate for candidate in candidates if _same_but(candidate, best, axis)]
            self._accept(axis, value, also, [probe for probe in probes if axis in probe.axes], of_axis)
        self._now = best

    def _accept(
        self,
        axis: str,
        value: Value,
        also: Sequence[Value],
        probes: Sequence[Probe],
        candidates: Sequence[Hypothesis],
    ) -> None:
        theirs = getattr(self._reference, axis)
        contrasts = sorted(
            (
                candidate
                for candidate in candidates
                if getattr(candidate.convention, axis) not in (value, *also)
            ),
            key=lambda candidate: getattr(candidate.convention, axis) != theirs,
        )
        if str(value).startswith(("error", "fail")):
            probes = sorted(probes, key=lambda probe: not self._observed[probe].failed)
        shown = self._evidence(axis, probes, contrasts)
        text = value_text(value)
        if text.startswith(("error", "fail")) and shown is not None and shown.observed.detail:
            text = f"{text} ({shown.observed.detail})"
        self._findings.append(
            Finding(
                axis=axis,
                value=text,
                also=() if text.startswith("as-") else tuple(map(value_text, also)),
                convention=value,
                shown=shown,
                trec_eval=value_text(theirs),
            )
        )
        self._now = at_depth(self._now, **{axis: value})

    def _evidence(self, axis: str, probes: Sequence[Probe], contrasts: Sequence[Hypothesis]) -> Shown | None:
        """The first probe on which another value would have given something else."""
        for contrast in contrasts:
            for probe in probes:
                predicted = contrast.predict(probe)
                observed = self._observed[probe]
                if predicted is not None and not observed.agrees(predicted):
                    return shown_by(
                        probe, observed, (value_text(getattr(contrast.convention, axis)), predicted)
                    )
        return self._shown(probes[0]) if probes else None

    def _shown(self, probe: Probe, otherwise: tuple[str, Outcome] | None = None) -> Shown:
        return shown_by(probe, self._observed[probe], otherwise, whole="run" in self._features)

    def _unstable_order(self, probes: Sequence[Probe]) -> str | None:
        """An order that nobody can predict, if all values are within what the order of ties can give."""
        known = {str(value) for value in values_of("ties")}
        bounds = [at_depth(self._now, ties=end) for end in ("worst", "best")]
        if "unspecified" not in known or not all(self._within(bounds, probe) for probe in probes):
            return None
        small = [probe for probe in probes if len(probe.focus.ranked or ()) < 10]
        reverse = at_depth(self._now, ties="input-reversed")
        backwards = "unspecified-reversed" in known and all(self._agrees(reverse, probe) for probe in small)
        return "unspecified-reversed" if backwards else "unspecified"

    def _within(self, bounds: Sequence[Hypothesis], probe: Probe) -> bool:
        low, high = (bound.predict(probe) for bound in bounds)
        observed = self._observed[probe]
        if low is None or high is None or observed.kind != "value":
            return False
        slack = 1e-6 if observed.digits is None else 10.0**-observed.digits
        return low.value - slack <= observed.value <= high.value + slack

    def _give_up(self, axes: Sequence[str], probes: Sequence[Probe]) -> None:
        """Report what was observed on axes of which no value agrees with it."""
        for axis in axes:
            probes_of_axis = [probe for probe in probes if axis in probe.axes]
            theirs = getattr(self._reference, axis)
            expected = at_depth(self._now, **{axis: theirs})
            odd = [probe for probe in probes_of_axis if not self._agrees(self._now, probe)] or probes_of_axis
            probe, outcome = odd[0], self._observed[odd[0]]
            predicted = expected.predict(probe)
            shown = self._shown(probe, None if predicted is None else (value_text(theirs), predicted))
            if all(self._agrees(self._now, probe) for probe in probes_of_axis):
                self._leave(axis, "its probes agree with more than one value")
                continue
            value = str(outcome) if outcome.kind != "value" else f"none that is known: {outcome}"
            self._findings.append(Finding(axis, value, shown=shown, trec_eval=value_text(theirs)))

    def _leave(self, axis: str, reason: str) -> None:
        self._open.append(Undetermined(axis, (), reason))


def _same_but(one: Hypothesis, other: Hypothesis, axis: str) -> bool:
    return set(one.convention.diff(other.convention)) <= {axis}
