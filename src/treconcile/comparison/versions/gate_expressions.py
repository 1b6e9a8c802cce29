"""Gate expressions: what `--fail-if` takes, read by a small parser. Nothing in them is ever run.

    R@3 < baseline - 0.02           the mean against the baseline's, or against a number: P@3 < 0.25
    lost_queries > 0                queries that had something and have nothing now, by the first measure
    lost_queries(R@3) > 2           the same by another measure
    nDCG@10 proven worse            the corrected p of the test shows it
    nDCG@10 not proven within 0.01  the interval's lower bound is 0.01 or more below

>>> gate = parse_gate("R@3 < baseline - 0.02")
>>> str(gate.measure), gate.limit, gate.needs_baseline
('R@3', -0.02, True)
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from treconcile.errors import UsageError, did_you_mean
from treconcile.measures.spec import parse_measure

if TYPE_CHECKING:
    from treconcile.measures.spec import Measure

LONGEST = 1000
"""The characters of an expression; what is longer is none."""
LOST, BASELINE = "lost_queries", "baseline"
HINT = 'gates look like "R@3 < baseline - 0.02", "P@3 < 0.25", "lost_queries > 0", "nDCG@10 proven worse"'
MOST_DIGITS = 9

_NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_OPERATOR = re.compile(r"<=|>=|==|!=|[<>=]")
_OPERAND = re.compile(rf"(?:(?P<baseline>[A-Za-z_]\w*)\s*(?:(?P<sign>[+-])\s*)?)?(?P<number>{_NUMBER})?")
_PROVEN = re.compile(r"(?P<what>.*?)\s(?P<negated>\s*not\s+)?proven\b(?P<rest>.*)", re.DOTALL)
_LOST = re.compile(r"lost_?quer(?:y|ies)\s*(?:\((?P<measure>.*)\))?", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True)
class Gate:
    """What fails.

    Attributes:
        expression: As it was written.
        measure: The measure that it is about; None is the first one.
        lost: It counts lost queries, not the mean.
        operator: `<`, `<=`, `>` or `>=`; empty where something has to be proven.
        against_baseline: The limit is the baseline's mean and `limit` more.
        limit: The number to compare with, or that has to be proven; None for `proven worse`.
    """

    expression: str
    measure: Measure | None
    lost: bool = False
    operator: str = ""
    against_baseline: bool = False
    limit: float | None = None

    @property
    def needs_baseline(self) -> bool:
        """Whether one run alone cannot pass or fail it."""
        return self.lost or self.against_baseline or not self.operator


@dataclass(frozen=True)
class GateResult:
    """What became of a gate.

    Attributes:
        expression: The gate.
        candidate: The name of the candidate.
        passed: It did not fail.
        saw: The number that was compared, or the verdict; None where it is undefined.
    """

    expression: str
    candidate: str
    passed: bool
    saw: float | str | None

    def __str__(self) -> str:
        saw = "undefined" if self.saw is None else self.saw
        told = f"{saw:.6g}" if isinstance(saw, float) else saw
        return (
            f"gate {'passed' if self.passed else 'failed'}: {self.expression}, saw {told} ({self.candidate})"
        )

    def to_dict(self) -> dict[str, object]:
        """As JSON has it."""
        return {
            "expression": self.expression,
            "candidate": self.candidate,
            "passed": self.passed,
            "saw": self.saw,
        }


def parse_gate(text: str) -> Gate:
    """Read an expression.

    Raises:
        UsageError: It is none; the message says what of it is not understood.
    """
    if not text.strip() or len(text) > LONGEST:
        raise UsageError(
            "a gate is empty" if not text.strip() else "this is too long to be a gate", hint=HINT
        )
    proven = _PROVEN.fullmatch(text)
    if proven is not None:
        return _proven(text, proven)
    place = _operator_place(text)
    if place is None:
        raise _mistake(text, "there is no comparison in it")
    left, sign, right = text[: place[0]].strip(), text[place[0] : place[1]], text[place[1] :].strip()
    if sign in ("=", "==", "!="):
        raise _mistake(text, f"scores are not compared with {sign}", "take <, <=, > or >=")
    if not left or not right:
        raise _mistake(text, f"there is nothing {'after' if left else 'before'} {sign}")
    lost = _LOST.fullmatch(left)
    if lost is not None:
        return _lost(text, lost, sign, right)
    limit, against_baseline = _operand(text, right)
    return Gate(text, _measure(text, left), operator=sign, against_baseline=against_baseline, limit=limit)


def _operator_place(text: str) -> tuple[int, int] | None:
    """Where the first operator stands that is not within brackets."""
    depth = 0
    for position, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        found = _OPERATOR.match(text, position)
        if depth <= 0 and found:
            return found.span()
    return None


def _proven(text: str, found: re.Match[str]) -> Gate:
    measure, rest = _measure(text, found["what"].strip()), found["rest"].strip()
    within = re.fullmatch(rf"within\s+(?P<number>{_NUMBER})", rest)
    if rest == "worse" and not found["negated"]:
        return Gate(text, measure)
    if within is None:
        raise _mistake(text, "it can be proven worse, or not proven within a number")
    if not found["negated"]:
        raise _mistake(text, "what is proven is no reason to fail", f"write: {measure} not proven {rest}")
    margin = _finite(text, within["number"])
    if margin <= 0:
        raise _mistake(text, "a margin has to be above 0")
    return Gate(text, measure, limit=margin)


def _lost(text: str, found: re.Match[str], sign: str, right: str) -> Gate:
    if not found[0].startswith(LOST) or found["measure"] == "":
        raise _mistake(text, f"this is not {LOST}", f"write {LOST} > 0, or {LOST}(R@3) > 0")
    if not re.fullmatch(rf"[0-9]{{1,{MOST_DIGITS}}}", right):
        raise _mistake(text, f"{LOST} is compared with a whole number from 0 up", f"write {LOST} > 0")
    measure = None if found["measure"] is None else _measure(text, found["measure"])
    return Gate(text, measure, lost=True, operator=sign, limit=float(right))


def _operand(text: str, right: str) -> tuple[float, bool]:
    """A number, and whether it is added to the baseline."""
    found = _OPERAND.fullmatch(right)
    if found is None or (found["sign"] is None) != (found["baseline"] is None or found["number"] is None):
        raise _mistake(text, "after the comparison stands a number, or baseline, or baseline - a number")
    if found["baseline"] is None:
        return _finite(text, found["number"]), False
    if found["baseline"] != BASELINE:
        hint = did_you_mean(found["baseline"], [BASELINE], HINT)
        raise _mistake(text, f"{found['baseline']} is neither a number nor {BASELINE}", hint)
    if found["number"] is None:
        return 0.0, True
    if found["number"][0] in "+-":
        raise _mistake(text, "there are two signs", f"write {BASELINE} - 0.02")
    number = _finite(text, found["number"])
    return (-number if found["sign"] == "-" else number), True


def _finite(text: str, number: str) -> float:
    value = float(number)
    if math.isinf(value):
        raise _mistake(text, "the number is too large")
    return value


def _measure(text: str, name: str) -> Measure:
    try:
        return parse_measure(name)
    except UsageError as error:
        raise _mistake(text, error.message, error.hint) from None


def _mistake(text: str, what: str, hint: str | None = None) -> UsageError:
    return UsageError(f"the gate {text!r} cannot be read: {what}", hint=hint or HINT)
