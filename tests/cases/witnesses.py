"""Witness cases: for each measure and each axis it reads, small data on which that axis changes the outcome.

`python tests/cases/witnesses.py` (`tests` and `src` on the path) searches them and writes `witnesses.jsonl`,
one a line. Only needed when an axis, a value or a measure is added; the tests read the file. Lines that still
show their axis are kept, and new ones are written as they are found; `--all` searches everything anew.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from draws import MEASURES, MORE_MEASURES, choices, draw_convention, draw_data
from oracle import Data, Outcome
from treconcile.align import Alignment
from treconcile.convention import DEFAULT, Convention, axes, value_text
from treconcile.errors import TreconcileError
from treconcile.measures import FAMILIES
from treconcile.measures.spec import Measure, parse_measure
from treconcile.profiles import Profile
from treconcile.score import score_measure

FILE = Path(__file__).with_name("witnesses.jsonl")
BASES = (
    "",
    "",
    "depth:1",
    "depth:2",
    "depth:2 unjudged:removed",
    "ties:expected",
    "rel:2",
    "rel:3",
    "negative_grade:relevant",
    "ties:best",
    "ties:input",
    "missing:nan",
    "no_relevant:as-none-found",
    "none_found:fail",
    "ideal_pool:appended",
    "ideal_pool:retrieved depth:1",
)
"""Conventions to start from, the default twice as often; some axes matter only together with another."""

EVERY = (*MEASURES, *MORE_MEASURES)


@dataclass(frozen=True)
class Witness:
    """Data on which a measure differs between two conventions that differ in one axis."""

    measure: Measure
    axis: str
    base: Convention
    other: Convention
    data: Data

    def outcomes(self) -> tuple[Outcome | None, Outcome | None]:
        """What comes out under each of the two; None if it is refused."""
        alignment = Alignment(self.data.judgments(), self.data.run())
        return outcome(alignment, self.measure, self.base), outcome(alignment, self.measure, self.other)

    def line(self) -> str:
        """It as JSON, with both outcomes."""
        rows = {name: [list(row) for row in getattr(self.data, name)] for name in ("judged", "results")}
        lists = {name: list(getattr(self.data, name)) for name in ("negative", "empty")}
        before, after = (each and recorded(each) for each in self.outcomes())
        record = {
            "measure": str(self.measure),
            "axis": self.axis,
            "base": str(self.base.changed()),
            "other": str(self.other.changed()),
            "before": before,
            "after": after,
        }
        return json.dumps(
            record | rows | {name: ids for name, ids in lists.items() if ids}, ensure_ascii=False
        )


def recorded(outcome: Outcome) -> dict[str, object]:
    """An outcome as JSON; the queries that fail only where there are any."""
    record: dict[str, object] = {"values": dict(outcome.values), "mean": outcome.mean}
    return record | ({"failed": list(outcome.failed)} if outcome.failed else {})


def outcome(alignment: Alignment, measure: Measure, convention: Convention) -> Outcome | None:
    """The values and the mean; None if the convention refuses."""
    try:
        scores = score_measure(alignment, measure, Profile(convention=convention))
    except TreconcileError:
        return None
    return Outcome(scores.values, scores.mean, tuple(scores.failed))


def read() -> Iterator[tuple[Witness, Outcome | None, Outcome | None]]:
    """Every committed witness with the two outcomes that were recorded."""
    for text in FILE.read_text(encoding="utf-8").splitlines():
        record = json.loads(text)
        before, after = (
            each and Outcome(each["values"], each["mean"], tuple(each.get("failed", ())))
            for each in (record["before"], record["after"])
        )
        yield of_record(record), before, after


def of_record(record: dict) -> Witness:
    """A witness as its line holds it."""
    data = Data(
        [tuple(row) for row in record["judged"]],
        [tuple(row) for row in record["results"]],
        record.get("negative", ()),
        record.get("empty", ()),
    )
    base, other = Convention.parse(record["base"]), Convention.parse(record["other"])
    return Witness(parse_measure(record["measure"]), record["axis"], base, other, data)


def kept() -> Iterator[Witness]:
    """The committed witnesses that still show an axis which their measure declares."""
    for text in FILE.read_text(encoding="utf-8").splitlines():
        try:
            witness = of_record(json.loads(text))
        except TreconcileError:  # a measure, an axis or a value of it is no more
            continue
        if witness.axis in witness.measure.reads and differs(witness):
            yield witness


def differs(witness: Witness) -> bool:
    """Whether the axis matters, by a refusal only where no value can show it."""
    before, after = witness.outcomes()
    refusal = "error" in (getattr(witness.base, witness.axis), getattr(witness.other, witness.axis))
    return before != after and (refusal or (before is not None and after is not None))


def search(name: str, axis: str, wanted: object, tries: int = 3000) -> Witness | None:
    """A small witness for a measure, an axis and a value, under the default convention if there is one."""
    rng = random.Random(f"{name} {axis} {wanted}")
    measures = [each for each in EVERY if each.name == name]
    for attempt in range(tries):
        base = Convention.parse(rng.choice(BASES)) if attempt < tries * 0.8 else draw_convention(rng, 3)
        if (
            axis == "duplicates"
            and base.duplicates == "error"
            and wanted != "error"
            and name not in ("NumQ", "NumRel", "idealDCG")
        ):
            base = base.replace(duplicates="first" if wanted != "first" else "last")
        data = draw_data(rng, repeats=axis == "duplicates")
        found = Witness(rng.choice(measures), axis, base, base.replace(**{axis: wanted}), data)
        if getattr(base, axis) != wanted and differs(found):
            return smallest(found)
    return None


def smallest(witness: Witness) -> Witness:
    """The same with every row and every change of the base removed that it can do without."""
    for name in ("results", "judged", "negative", "empty"):
        for row in tuple(getattr(witness.data, name)):
            rows = list(getattr(witness.data, name))
            rows.remove(row)
            less = replace(witness, data=replace(witness.data, **{name: rows}))
            witness = less if differs(less) else witness
    for axis in witness.base.changed():
        if axis != witness.axis:
            plain = {axis: getattr(DEFAULT, axis)}
            less = replace(witness, base=witness.base.replace(**plain), other=witness.other.replace(**plain))
            witness = less if differs(less) else witness
    return witness


def borrowed(name: str, axis: str, known: Sequence[Witness]) -> Witness | None:
    """A witness of another measure for the axis, if it is one for this measure, too."""
    for other in (each for each in known if each.axis == axis):
        for measure in (each for each in EVERY if each.name == name):
            witness = replace(other, measure=measure)
            if differs(witness):
                return smallest(witness)
    return None


def search_all(old: Sequence[Witness]) -> Iterator[Witness]:
    """A witness for each axis of each measure without one, then for each value; the values take turns."""
    known = list(old)
    pairs = [(family.name, axis) for family in FAMILIES.values() for axis in sorted(family.reads)]
    for name, axis in pairs:
        if any(each.measure.name == name and each.axis == axis for each in known):
            continue
        found = borrowed(name, axis, known) or _searched([name], axis, choices(axis)[1:], known)
        if found is None:
            print(f"no witness: {name} {axis}")
            continue
        known.append(found)
        yield found
    for axis in axes():
        names = [name for name in FAMILIES if axis in FAMILIES[name].reads]
        for value in choices(axis)[1:]:
            if not _shown(axis, value, known):
                found = _searched(names, axis, [value], known)
                if found is None:
                    print(f"no witness: {axis}:{value_text(value)}")
                    continue
                known.append(found)
                yield found


def _shown(axis: str, value: object, known: Sequence[Witness]) -> bool:
    sides = (getattr(side, axis) for each in known for side in (each.base, each.other) if each.axis == axis)
    return any(value_text(side) == value_text(value) for side in sides)


def _searched(
    names: Sequence[str], axis: str, values: Sequence[object], known: Sequence[Witness]
) -> Witness | None:
    """A witness of any of the measures for any of the values, those first that none shows yet."""
    ordered = sorted(values, key=lambda value: _shown(axis, value, known))
    tries = ((name, value) for value in ordered for name in names)
    return next((found for name, value in tries if (found := search(name, axis, value))), None)


if __name__ == "__main__":
    old = [] if "--all" in sys.argv else list(kept())
    with FILE.open("w", encoding="utf-8") as file:
        for each in chain(old, search_all(old)):
            file.write(f"{each.line()}\n")
            file.flush()
