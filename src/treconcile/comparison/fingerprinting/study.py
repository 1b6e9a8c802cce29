"""Ask an implementation: first to recognise its numbers, then the whole battery, then all of it again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treconcile.comparison.fingerprinting.answers import Answer, Part, read_answer
from treconcile.comparison.fingerprinting.battery import IDENTITY, LADDERS, WHOLE
from treconcile.comparison.fingerprinting.behaviours import Odd, odd_questions
from treconcile.comparison.fingerprinting.forms import Form
from treconcile.comparison.fingerprinting.identify import numbers_among
from treconcile.comparison.fingerprinting.outcome import Outcome
from treconcile.comparison.fingerprinting.predict import Hypothesis
from treconcile.comparison.fingerprinting.probes import STYLES, Probe, Style
from treconcile.comparison.fingerprinting.subject import FunctionSubject, ProgramSubject, Subject
from treconcile.comparison.fingerprinting.worker import UserError
from treconcile.errors import ToolError, UsageError

SECONDS = 10.0
MOST_TRIED = 10


@dataclass(frozen=True)
class Recognised:
    """The form in which the subject is called (None for a program), the style of data, and its numbers."""

    form: Form | None
    style: Style
    parts: Mapping[Part, Hypothesis | None]


@dataclass(frozen=True)
class Answers:
    """The questions and their answers; `probes` by cut-off, `again` in the order of `asked`."""

    probes: Mapping[int | None, Sequence[Probe]]
    of_probe: Mapping[Probe, Answer]
    odd: Sequence[Odd]
    of_odd: Sequence[Answer]
    again: Sequence[Sequence[Answer]]

    def observed(self, depth: int | None, part: Part) -> dict[Probe, Outcome]:
        """The commonest outcome of one number for each probe of a cut-off."""
        probes_at_depth = set(self.probes.get(depth, ()))
        answered = zip(self.of_probe.items(), self.again, strict=False)
        return {
            probe: _most([answer.of(part), *(repeat.of(part) for repeat in again)])
            for (probe, answer), again in answered
            if probe in probes_at_depth
        }

    def asked(self) -> list[tuple[str, dict[str, Any], Answer]]:
        """Every question in words and as it was handed over, with its answer."""
        battery = [(str(probe), probe.to_request(), answer) for probe, answer in self.of_probe.items()]
        odd = [
            (question.words, question.request, answer)
            for question, answer in zip(self.odd, self.of_odd, strict=True)
        ]
        return battery + odd


def _most(outcomes: Sequence[Outcome]) -> Outcome:
    outcomes = [outcome for outcome in outcomes if outcome.kind != "unasked"] or outcomes
    texts = [repr(outcome) for outcome in outcomes]
    return outcomes[max(range(len(texts)), key=lambda at: (texts.count(texts[at]), -at))]


def make_subject(
    function: str | Callable[..., object] | None, command: str | None, call: str | None, seconds: float
) -> Subject:
    """What is to be asked.

    Raises:
        UsageError: Neither a function nor a command is given, or both are.
    """
    if (function is None) == (command is None):
        raise UsageError(
            "give a function or a command, not both" if command else "give a function or a command",
            hint='package.module:function, or --command "… {qrels} {run}"',
        )
    if command is not None:
        return ProgramSubject(command, seconds)
    return FunctionSubject(function or "", call, seconds)


def recognise(subject: Subject, returns: Sequence[str] | None) -> Recognised:
    """Find the form and the style in which the subject gives numbers of measures that are known.

    Raises:
        ToolError: It gives none.
    """
    best: Recognised | None = None
    tried: list[str] = []
    failed_answer: Answer | None = None
    for form in list(subject.forms())[:MOST_TRIED]:
        for style in STYLES:
            probes = [probe.probe(style) for probe in (*IDENTITY, *LADDERS)]
            answers = _ask(subject, form, probes)
            failed_answer = failed_answer or next(
                (answer for answer in answers if answer.failure is not None), None
            )
            parts = numbers_among(subject, form, probes, answers, returns)
            if not parts:
                tried.append(f"f({form})" if form is not None else subject.name)
                break
            if best is None or _known(parts) > _known(best.parts):
                best = Recognised(form, style, parts)
            if _known(parts) == len(parts):
                return best
        if best is not None and _known(best.parts):
            return best
    if best is None:
        raise _unusable(subject, tried, failed_answer)
    return best


def _known(parts: Mapping[Part, Hypothesis | None]) -> int:
    return sum(hypothesis is not None for hypothesis in parts.values())


def question(subject: Subject, known: Recognised) -> Answers:
    """Ask the whole battery, and ask it again."""
    fixed = {hypothesis.cutoff.fixed for hypothesis in known.parts.values() if hypothesis is not None} or {
        None
    }
    features = subject.features(known.form)
    probes = {
        depth: [probe for written in WHOLE if (probe := written.probe(known.style, depth)).needs <= features]
        for depth in fixed
    }
    battery = [probe for group in probes.values() for probe in group]
    odd = odd_questions(known.form, known.style) if known.form is not None else []
    requests: list[tuple[Form | None, Mapping[str, Any]]] = [
        (known.form, probe.to_request()) for probe in battery
    ]
    requests += [(question.form, question.request) for question in odd]
    raw = subject.ask(requests)
    again = subject.ask_again(requests)
    takes_k = subject.takes_k(known.form)
    answers = [_read(reply, request, takes_k) for reply, (_, request) in zip(raw, requests, strict=True)]
    repeats = [
        [_read(reply, request, takes_k) for reply in group]
        for group, (_, request) in zip(again, requests, strict=True)
    ]
    return Answers(
        probes=probes,
        of_probe=dict(zip(battery, answers[: len(battery)], strict=True)),
        odd=odd,
        of_odd=answers[len(battery) :],
        again=repeats,
    )


def _ask(subject: Subject, form: Form | None, probes: Sequence[Probe]) -> list[Answer]:
    requests = [probe.to_request() for probe in probes]
    raw = subject.ask([(form, request) for request in requests])
    return [
        _read(reply, request, subject.takes_k(form)) for reply, request in zip(raw, requests, strict=True)
    ]


def _read(raw: dict[str, Any], request: Mapping[str, Any], takes_k: bool) -> Answer:
    names = tuple(query["name"] for query in request["queries"])
    return read_answer(raw, names[0], names, request["k"] if takes_k else None)


def _unusable(subject: Subject, tried: Sequence[str], failed_answer: Answer | None) -> ToolError:
    failure = failed_answer.failure if failed_answer is not None else None
    outcome = f"{failure}" if failure is not None else "nothing that holds a number"
    error = ToolError(
        f"{subject.name} gave no number in any way it was called: {outcome}",
        hint=f"tried {'; '.join(dict.fromkeys(tried))}; say how to call it with --call, or use --debug",
    )
    if failed_answer is not None and failed_answer.text:
        error.__cause__ = UserError(failed_answer.text)
    return error
