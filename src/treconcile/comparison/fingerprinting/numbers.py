"""The numbers among the answers, and what each of them is recognised as."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from treconcile.comparison.fingerprinting.answers import CUTOFF, Answer, Part
from treconcile.comparison.fingerprinting.battery import IDENTITY
from treconcile.comparison.fingerprinting.forms import Form
from treconcile.comparison.fingerprinting.identify import identify
from treconcile.comparison.fingerprinting.outcome import Outcome
from treconcile.comparison.fingerprinting.predict import Hypothesis
from treconcile.comparison.fingerprinting.probes import Probe
from treconcile.comparison.fingerprinting.subject import Subject
from treconcile.errors import UsageError
from treconcile.measures.spec import Measure
from treconcile.users.observed import named_function, named_measure

MOST_PARTS = 8


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
