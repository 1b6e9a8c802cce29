"""A cross-check as text, tables and JSON."""

from __future__ import annotations

import textwrap
from collections import Counter
from typing import TYPE_CHECKING

from treconcile.comparison.comparison import VERDICTS, Comparison, Crosscheck, Reason
from treconcile.convention import value_text
from treconcile.rendering.table import Cell, Table, render

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LINE = 100
NAMED = 5


def report_crosscheck(check: Crosscheck, form: str, *, digits: int = 4, terminal: bool = False) -> str:
    """A cross-check in one of the formats of `report.table`."""
    if form == "json":
        return check.to_json()
    if form != "table":
        return render(comparison_table(check, digits), form)
    return crosscheck_text(check, digits=digits, terminal=terminal)


def crosscheck_text(check: Crosscheck, *, digits: int = 4, terminal: bool = False) -> str:
    """The table of verdicts, then the reasons in plain English."""
    parts = [render(comparison_table(check, digits), "table", terminal=terminal)]
    differing = [each for each in check.comparisons if each.verdict not in ("agree", "unavailable")]
    parts += ["".join(f"{line}\n" for line in _paragraph(each, digits)) for each in differing]
    parts.append(_summary(check))
    return "\n".join(parts)


def comparison_table(check: Crosscheck, digits: int = 4) -> Table:
    """One row a comparison; tools that could not be asked, once each, at the end."""
    rows: list[list[Cell]] = [
        [str(each.measure), tool_name(each), each.mine.mean, each.tool.mean, each.verdict, _short(each)]
        for each in check.comparisons
        if each.verdict != "unavailable"
    ]
    silent: dict[tuple[str, str], list[str]] = {}
    for each in check.comparisons:
        if each.verdict == "unavailable":
            silent.setdefault((tool_name(each), each.tool.error or "no value"), []).append(str(each.measure))
    for (name, why), measures in silent.items():
        rows.append([", ".join(measures), name, None, None, "unavailable", why])
    return Table(["measure", "tool", "mine", "theirs", "verdict", "because"], rows, digits)


def tool_name(each: Comparison, *, version: bool = False) -> str:
    """The tool, with its version if wanted, its provider, and how it was asked."""
    tool = each.tool
    name = f"{tool.tool} {tool.version}" if version and tool.version else tool.tool
    name += f", provider {tool.provider}" if tool.provider else ""
    return f"{name} ({tool.via})" if tool.via else name


def _short(each: Comparison) -> str:
    if each.verdict == "explained":
        return ", ".join(map(str, each.reasons))
    return "the order of tied documents" if each.verdict == "within-ties" else ""


def _paragraph(each: Comparison, digits: int) -> Iterator[str]:
    yield f"{each.measure} against {tool_name(each, version=True)}: {each.verdict}"
    if each.verdict == "explained":
        for reason in each.reasons:
            yield from _wrapped(_reason_text(reason))
        for changes in each.alternatives:
            yield from _wrapped(f"the same values on these data: {changes}")
    else:
        yield from _wrapped(_leftover(each, digits))
    for note in each.tool.notes:
        yield from _wrapped(note)


def _reason_text(reason: Reason) -> str:
    text = f"{reason.axis}: mine {value_text(reason.mine)}, theirs {value_text(reason.tool)}"
    if reason.queries:
        text += f"; it matters for {_some(reason.queries)}"
    return f"{text}: {reason.example}" if reason.example else text


def _leftover(each: Comparison, digits: int) -> str:
    parts = []
    if each.verdict == "within-ties":
        parts.append("both are within what the order of tied documents can give")
    if each.differing:
        shown = [
            f"{query} {_number(each.mine.values[query], digits)}"
            f" and {_number(each.tool.values[query], digits)}"
            for query in each.differing[:NAMED]
        ]
        more = len(each.differing) - len(shown)
        parts.append("mine and theirs: " + ", ".join(shown) + (f" and {more} more" if more else ""))
    if each.only_mine:
        parts.append(f"only mine has {_some(each.only_mine)}")
    if each.only_tool:
        parts.append(f"only theirs has {_some(each.only_tool)}")
    if not parts:
        parts.append("every query agrees, but the means do not")
    if each.verdict == "unexplained":
        for name, convention in (("my", each.mine_convention), ("their", each.tool_convention)):
            if convention is None:
                parts.append(f"no convention tried gives {name} values")
    return "; ".join(parts)


def _number(value: float | None, digits: int) -> str:
    return "undefined" if value is None else f"{value:.{digits}f}"


def _some(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - NAMED} more" if len(ids) > NAMED else ""
    return ", ".join(ids[:NAMED]) + more


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, LINE, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)


def _summary(check: Crosscheck) -> str:
    counts = Counter(each.verdict for each in check.comparisons)
    parts = [f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict]]
    compared = len(check.comparisons)
    counted = f"{compared} {'comparison' if compared == 1 else 'comparisons'}: {', '.join(parts)}\n"
    axes = dict.fromkeys(reason.axis for each in check.comparisons for reason in each.reasons)
    pages = ", ".join(f"docs/atlas/{axis}.md" for axis in axes)
    return counted + (f"why tools differ there: {pages}\n" if pages else "")
