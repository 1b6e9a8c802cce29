"""A page of a list: facts, and a table."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field

from treconcile.rendering.table import Table, render
from treconcile.rendering.wording import LINE


@dataclass(frozen=True)
class Page:
    """A table of rows, with facts that are stated once before it.

    `rows` is the key that the rows have in JSON where there are facts.
    """

    table: Table
    facts: Mapping[str, str] = field(default_factory=dict)
    rows: str = ""


def render_page(shown: Page, form: str, *, terminal: bool = False) -> str:
    """A page in one of the formats of tables.

    `table` has the facts above the rows, `json` and `jsonl` have them beside the rows in one object; the
    other formats have the rows only.
    """
    if form == "table":
        facts = _facts(shown.facts) + "\n" if shown.facts else ""
        table = shown.table if terminal else _in_single_lines(shown.table)
        return facts + render(table, form, terminal=terminal)
    if not shown.facts or form not in ("json", "jsonl"):
        return render(shown.table, form, terminal=terminal)
    whole = {**shown.facts, shown.rows: json.loads(render(shown.table, "json"))}
    return json.dumps(whole, ensure_ascii=False, indent=2 if form == "json" else None) + "\n"


def _in_single_lines(table: Table) -> Table:
    """The table with a mark for each line end within a cell, which would break the columns."""
    marked = [
        tuple(cell.replace("\n", " ⏎ ") if isinstance(cell, str) else cell for cell in row)
        for row in table.rows
    ]
    return Table(table.columns, marked, table.digits)


def _facts(facts: Mapping[str, str]) -> str:
    size = max(map(len, facts)) + 2
    wrapped = (
        textwrap.fill(
            text or "-",
            LINE,
            initial_indent=name.ljust(size),
            subsequent_indent=" " * size,
            break_on_hyphens=False,
        )
        for name, text in facts.items()
    )
    return "".join(f"{line}\n" for line in wrapped)
