"""How trec_eval writes parameters; and errors that show their place in the text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from treconcile.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from treconcile.measures.family import Family


def mistake(text: str, position: int, message: str, hint: str | None = None) -> UsageError:
    """An error that shows the text with a caret under the position."""
    shown = text.replace("\n", " ").replace("\t", " ")
    begin = max(0, position - 60)
    excerpt, caret = shown[begin : begin + 100], " " * (position - begin) + "^"
    return UsageError(f"{message}\n    {excerpt}\n    {caret}", hint=hint)


NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)"
PAIR = rf"(?:\d+|[A-Za-z]+)={NUMBER}"
TREC_FORM = re.compile(
    rf"([A-Za-z0-9][A-Za-z0-9_-]*?)[._]({NUMBER}(?:,{NUMBER})*|{PAIR}(?:,{PAIR})*)", re.ASCII
)
"""trec_eval's form: `P.5,10`, `P_5`, `iprec_at_recall_0.10`, `ndcg.1=3,2=9`."""

ANOTHER = re.compile(rf"(?:{NUMBER}|{PAIR})(?=[,\s]|$)", re.ASCII)
"""A further value of a list in that form, after a comma; it is no measure of its own."""


def listed(
    text: str, start: int, family: Family, written: str
) -> Iterator[tuple[int | None, dict[str, object]]]:
    """The cut-off and the parameters of each measure that a list after trec_eval's name stands for."""
    parts = written.split(",")
    if "=" in written:
        yield None, _named_values(parts)
    elif family.at:
        for part in parts:
            yield None, {family.at: float(part)}
    elif family.listed:
        yield None, _listed_values(text, start, family, [float(part) for part in parts])
    else:
        yield from ((whole_cutoff(text, start, part), {}) for part in parts)


def _named_values(parts: list[str]) -> dict[str, object]:
    """`1=3,2=9,p=0.5`: gains of grades, and parameters by name."""
    pairs = [part.split("=") for part in parts]
    gains = {int(name): float(value) for name, value in pairs if name.isdigit()}
    parameters: dict[str, object] = {name: float(value) for name, value in pairs if not name.isdigit()}
    return {**parameters, **({"gains": gains} if gains else {})}


def _listed_values(text: str, start: int, family: Family, numbers: list[float]) -> dict[str, object]:
    names = family.listed
    if len(names) == 1:
        whole = isinstance(family.parameters[names[0]].default, tuple)
        return {names[0]: numbers if whole or len(numbers) > 1 else numbers[0]}
    if len(numbers) != len(names):
        raise mistake(text, start, f"{family.name} takes {len(names)} numbers", hint=", ".join(names))
    return dict(zip(names, numbers, strict=True))


def whole_cutoff(text: str, start: int, depth: str) -> int:
    """A cut-off, which is a whole number from 1 up; anything else is a UsageError."""
    if not re.fullmatch(r"[0-9]{1,9}", depth) or int(depth) < 1:
        raise mistake(text, start, "a cut-off is a whole number from 1 up", hint="as in P@10")
    return int(depth)
