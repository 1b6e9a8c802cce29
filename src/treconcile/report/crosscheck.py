"""A cross-check as text, tables and JSON."""

from __future__ import annotations

import json
import textwrap
from collections import Counter
from typing import TYPE_CHECKING, Any

from treconcile.compare.crosscheck import VERDICTS, Comparison, Crosscheck, Reason
from treconcile.convention import Convention, value_text
from treconcile.report.table import Cell, Table, render

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LINE = 100
NAMED = 5


def report_crosscheck(check: Crosscheck, form: str, *, digits: int = 4, terminal: bool = False) -> str:
    """A cross-check in one of the formats of `report.table`."""
    if form == "json":
        return crosscheck_json(check)
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


def tool_name(each: Comparison) -> str:
    """The tool with its version, its provider, and how it was asked."""
    tool = each.tool
    name = tool.tool if tool.provider is None else f"{tool.tool}, provider {tool.provider}"
    return f"{name} ({tool.via})" if tool.via else name


def crosscheck_json(check: Crosscheck) -> str:
    """The document that `docs/` describes as the JSON of `crosscheck`."""
    document = {"schema": 1, "comparisons": [comparison_dict(each) for each in check.comparisons]}
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def comparison_dict(each: Comparison) -> dict[str, Any]:
    """One comparison's entry in that document."""
    tool = each.tool
    return {
        "measure": str(each.measure),
        "mine": {
            "name": each.mine_name,
            "mean": each.mine.mean,
            "signature": _signature(each, each.mine_convention),
        },
        "tool": {
            "name": tool.tool,
            "version": tool.version,
            "provider": tool.provider,
            "via": tool.via,
            "mean": tool.mean,
            "signature": _signature(each, each.tool_convention),
        },
        "verdict": each.verdict,
        "because": tool.error,
        "queries": {"both": each.both, "only_mine": list(each.only_mine), "only_tool": list(each.only_tool)},
        "differing": list(_differing(each)),
        "explanation": [
            {
                "axis": reason.axis,
                "mine": _json_value(reason.mine),
                "tool": _json_value(reason.tool),
                "queries": list(reason.queries),
                "example": reason.example,
            }
            for reason in each.reasons
        ],
        "alternatives": [str(changes) for changes in each.alternatives],
        "notes": list(tool.notes),
    }


def _differing(each: Comparison) -> Iterator[dict[str, Any]]:
    for query in each.differing:
        yield {"query_id": query, "mine": each.mine.values[query], "tool": each.tool.values[query]}
    for query, error in each.mine.errors.items():
        yield {"query_id": query, "mine": None, "error": error, "tool": each.tool.values.get(query)}


def _json_value(value: object) -> object:
    return str(value) if isinstance(value, str) else value


def _signature(each: Comparison, convention: Convention | None) -> str | None:
    return None if convention is None else convention.show(each.measure.reads)


def _short(each: Comparison) -> str:
    if each.verdict == "explained":
        return ", ".join(_difference(reason) for reason in each.reasons)
    return "the order of tied documents" if each.verdict == "within-ties" else ""


def _difference(reason: Reason) -> str:
    return f"{reason.axis}: {value_text(reason.mine)} → {value_text(reason.tool)}"


def _paragraph(each: Comparison, digits: int) -> Iterator[str]:
    version = f" {each.tool.version}" if each.tool.version else ""
    yield f"{each.measure} against {tool_name(each)}{version}: {each.verdict}"
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
    return f"{len(check.comparisons)} comparisons: {', '.join(parts)}\n"
