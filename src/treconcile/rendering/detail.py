"""How much a report says, and the convention in the length that suits it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING

from treconcile.axes import AxisValue
from treconcile.convention import DEFAULT, title_of, value_text
from treconcile.profiles import profiles

if TYPE_CHECKING:
    from treconcile.convention import Convention, Value
    from treconcile.measures.spec import Measure


class Detail(IntEnum):
    """How much a report says: numbers alone, what they rest on in a line, or all that is known."""

    NUMBERS = 0
    USUAL = 1
    ALL = 2


def convention_lines(
    scored: Sequence[tuple[Measure, Convention]], name: str, detail: Detail
) -> Iterator[str]:
    """What measures were computed under, in lines.

    Args:
        scored: The measures, each with its convention.
        name: What the convention is called.
        detail: `USUAL` says where it differs from the default, in words; `ALL` has every axis that is read.
    """
    if detail is Detail.ALL:
        yield from _every_axis(scored, name)
        return
    changed: dict[tuple[str, Value], list[Measure]] = {}
    for measure, convention in scored:
        for axis, (value, _) in convention.diff(DEFAULT).items():
            if axis in measure.reads:
                changed.setdefault((axis, value), []).append(measure)
    if not changed:
        same = (
            "treconcile's own, same as trec_eval -c" if name == "default" else "here the same as the default"
        )
        yield f"convention {_titled(name)}: {same}"
        return
    yield f"convention {_titled(name)}: the default, but"
    for (axis, value), measures in changed.items():
        title = title_of(axis).removesuffix(".")
        meaning = (
            title[:1].lower() + title[1:] + (f": {value.__doc__}" if isinstance(value, AxisValue) else "")
        )
        reading = [measure for measure, _ in scored if axis in measure.reads]
        only = f" ({', '.join(map(str, measures))})" if len(measures) < len(reading) else ""
        yield f"  {axis}:{value_text(value)}: {meaning}{only}"


def _titled(name: str) -> str:
    """A profile with the tool that it describes."""
    if name == "default":
        return name
    profile = profiles().get(name.partition("+")[0])
    return f"{name} ({profile.title})" if profile is not None and profile.title else name


def _every_axis(scored: Sequence[tuple[Measure, Convention]], name: str) -> Iterator[str]:
    """The convention, once for all measures and again for those that differ."""
    first = scored[0][1]
    yield f"convention {name}: {first.show({axis for measure, _ in scored for axis in measure.reads})}"
    for measure, convention in scored[1:]:
        differing = {axis for axis in convention.diff(first) if axis in measure.reads}
        if differing:
            yield f"{measure} differs: {convention.show(differing)}"
