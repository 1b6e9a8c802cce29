"""A cross-check as text, tables and JSON."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from treconcile.comparison.comparison import VERDICTS, Comparison, Crosscheck, Reason
from treconcile.convention import value_text
from treconcile.errors import shown_id, shown_ids
from treconcile.rendering.table import Cell, Table, render
from treconcile.rendering.wording import number, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    differing = [
        comparison for comparison in check.comparisons if comparison.verdict not in ("agree", "unavailable")
    ]
    parts += ["".join(f"{line}\n" for line in _paragraph(comparison, digits)) for comparison in differing]
    parts.append(_summary(check))
    return "\n".join(parts)


def comparison_table(check: Crosscheck, digits: int = 4) -> Table:
    """One row a comparison; tools that could not be asked, once each, at the end."""
    rows: list[list[Cell]] = [
        [
            str(comparison.measure),
            tool_name(comparison),
            comparison.mine.mean,
            comparison.tool.mean,
            comparison.verdict,
            _short(comparison),
        ]
        for comparison in check.comparisons
        if comparison.verdict != "unavailable"
    ]
    silent: dict[tuple[str, str], list[str]] = {}
    for comparison in check.comparisons:
        if comparison.verdict == "unavailable":
            silent.setdefault((tool_name(comparison), comparison.tool.error or "no value"), []).append(
                str(comparison.measure)
            )
    for (name, why), measures in silent.items():
        rows.append([", ".join(measures), name, None, None, "unavailable", why])
    return Table(["measure", "tool", "mine", "theirs", "verdict", "because"], rows, digits)


def tool_name(comparison: Comparison, *, version: bool = False) -> str:
    """The tool, with its version if wanted, its provider, and how it was asked."""
    tool = comparison.tool
    name = f"{tool.tool} {tool.version}" if version and tool.version else tool.tool
    name += f", provider {tool.provider}" if tool.provider else ""
    return f"{name} ({tool.via})" if tool.via else name


def _short(comparison: Comparison) -> str:
    if comparison.verdict == "explained":
        return ", ".join(map(str, comparison.reasons))
    return "the order of tied documents" if comparison.verdict == "within-ties" else ""


def _paragraph(comparison: Comparison, digits: int) -> Iterator[str]:
    yield f"{comparison.measure} against {tool_name(comparison, version=True)}: {comparison.verdict}"
    if comparison.verdict == "explained":
        for reason in comparison.reasons:
            yield from wrapped(_reason_text(reason))
        for changes in comparison.alternatives:
            yield from wrapped(f"the same values on these data: {changes}")
    else:
        yield from wrapped(_leftover(comparison, digits))
    for note in comparison.tool.notes:
        yield from wrapped(note)


def _reason_text(reason: Reason) -> str:
    text = f"{reason.axis}: mine {value_text(reason.mine)}, theirs {value_text(reason.tool)}"
    if reason.queries:
        text += f"; it matters for {shown_ids(reason.queries, NAMED)}"
    return f"{text}: {reason.example}" if reason.example else text


def _leftover(comparison: Comparison, digits: int) -> str:
    parts = []
    if comparison.verdict == "within-ties":
        parts.append("both are within what the order of tied documents can give")
    if comparison.differing:
        shown = [
            f"{shown_id(query)} {number(comparison.mine.values[query], digits)}"
            f" and {number(comparison.tool.values[query], digits)}"
            for query in comparison.differing[:NAMED]
        ]
        more = len(comparison.differing) - len(shown)
        parts.append("mine and theirs: " + ", ".join(shown) + (f" and {more} more" if more else ""))
    if comparison.only_mine:
        parts.append(f"only mine has {shown_ids(comparison.only_mine, NAMED)}")
    if comparison.only_tool:
        parts.append(f"only theirs has {shown_ids(comparison.only_tool, NAMED)}")
    if not parts:
        parts.append("every query agrees, but the means do not")
    if comparison.verdict == "unexplained":
        for name, convention in (("my", comparison.mine_convention), ("their", comparison.tool_convention)):
            if convention is None:
                parts.append(f"no convention tried gives {name} values")
    return "; ".join(parts)


def _summary(check: Crosscheck) -> str:
    counts = Counter(comparison.verdict for comparison in check.comparisons)
    parts = [f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict]]
    compared = len(check.comparisons)
    counted = f"{compared} {'comparison' if compared == 1 else 'comparisons'}: {', '.join(parts)}\n"
    axes = dict.fromkeys(reason.axis for comparison in check.comparisons for reason in comparison.reasons)
    lists = ", ".join(f"treconcile list conventions {axis}" for axis in axes)
    return counted + (f"what else tools do there: {lists}\n" if lists else "")
