"""A table, and the seven ways to write it down."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from treconcile.errors import UsageError, did_you_mean

Cell: TypeAlias = str | int | float | None


@dataclass(frozen=True)
class Table:
    """Rows under named columns; a number is right-aligned, None is an undefined value.

    Attributes:
        columns: The column names.
        rows: The rows, each as long as `columns`.
        digits: Decimal places of fractions in the formats that people read; data formats are exact.
        bold: The cells to stand out, as row and column, where that can be shown.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    digits: int = 4
    bold: frozenset[tuple[int, int]] = frozenset()

    def text(self, cell: Cell) -> str:
        """A cell as people read it."""
        if cell is None:
            return "-"
        return f"{cell:.{self.digits}f}" if isinstance(cell, float) else str(cell)

    def numeric(self, column: int) -> bool:
        """Whether a column holds numbers."""
        return all(not isinstance(row[column], str) for row in self.rows) and bool(self.rows)


def render(table: Table, form: str, *, terminal: bool = False) -> str:
    """The table in one of the formats, with a line end at the end.

    Args:
        table: The table.
        form: `table`, `tsv`, `csv`, `json`, `jsonl`, `markdown` or `latex`.
        terminal: Draw `table` with lines and styles; else it is plain, aligned text.
    """
    if form == "table" and terminal:
        return _drawn(table)
    return RENDERERS[known_format(form)](table)


def comment(form: str, line: str) -> str:
    """A line beside a table, as a format that people read has it: a comment in LaTeX, else a paragraph."""
    return f"% {line}" if form == "latex" else f"{line}\n"


def known_format(form: str) -> str:
    """The format of that name.

    Raises:
        UsageError: There is none.
    """
    if form not in RENDERERS:
        raise UsageError(
            f"there is no format {form!r}",
            hint=did_you_mean(form, RENDERERS, "it is one of " + ", ".join(RENDERERS)),
        )
    return form


def width(text: str) -> int:
    """How many columns a text takes in a terminal."""
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(unicodedata.combining(character) > 0 for character in text)


def _padded(text: str, size: int, *, right: bool) -> str:
    space = " " * (size - width(text))
    return space + text if right else text + space


def _plain(table: Table) -> str:
    lines = [list(table.columns), *([table.text(cell) for cell in row] for row in table.rows)]
    sizes = [max(width(line[column]) for line in lines) for column in range(len(table.columns))]
    right = [table.numeric(column) for column in range(len(table.columns))]
    shown = ("  ".join(map(_pad_cell, line, sizes, right)).rstrip() for line in lines)
    return "".join(f"{line}\n" for line in shown)


def _pad_cell(text: str, size: int, right: bool) -> str:
    return _padded(text, size, right=right)


def _drawn(table: Table) -> str:
    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(box=box.SIMPLE_HEAD, pad_edge=False)
    for column, name in enumerate(table.columns):
        drawn.add_column(Text(name), justify="right" if table.numeric(column) else "left")
    for at, row in enumerate(table.rows):
        styles = ["bold" if (at, column) in table.bold else "" for column in range(len(row))]
        drawn.add_row(*(Text(table.text(cell), style) for cell, style in zip(row, styles, strict=True)))
    console = Console()
    with console.capture() as captured:
        console.print(drawn)
    return captured.get()


def _separated(delimiter: str) -> Callable[[Table], str]:
    def written(table: Table) -> str:
        out = io.StringIO()
        writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
        writer.writerow(table.columns)
        writer.writerows([_exact(cell) for cell in row] for row in table.rows)
        return out.getvalue()

    return written


def _exact(cell: Cell) -> str:
    return "" if cell is None else repr(cell) if isinstance(cell, float) else str(cell)


def _records(table: Table) -> list[dict[str, Cell]]:
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def _json(table: Table) -> str:
    return json.dumps(_records(table), ensure_ascii=False, indent=2) + "\n"


def _jsonl(table: Table) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in _records(table))


def _emphasised(table: Table, escape: Callable[[str], str], bold: str) -> list[list[str]]:
    """The header and the rows as text, escaped, the cells that stand out set in bold."""
    rows = [
        [
            bold.format(escape(table.text(cell))) if (at, column) in table.bold else escape(table.text(cell))
            for column, cell in enumerate(row)
        ]
        for at, row in enumerate(table.rows)
    ]
    return [[escape(column) for column in table.columns], *rows]


def _markdown(table: Table) -> str:
    escaped = _emphasised(table, lambda text: text.replace("\\", "\\\\").replace("|", "\\|"), "**{}**")
    rule = ["---:" if table.numeric(column) else "---" for column in range(len(table.columns))]
    return "".join(f"| {' | '.join(line)} |\n" for line in (escaped[0], rule, *escaped[1:]))


LATEX = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "↑": r"$\uparrow$", "↓": r"$\downarrow$", "→": r"$\to$",
    **{character: "\\" + character for character in "&%$#_{}"},
}  # fmt: skip


def _latex(table: Table) -> str:
    lines = _emphasised(table, lambda text: "".join(LATEX.get(c, c) for c in text), r"\textbf{{{}}}")
    shown = [" & ".join(line) + r" \\" for line in lines]
    kinds = "".join("r" if table.numeric(column) else "l" for column in range(len(table.columns)))
    body = [r"\toprule", shown[0], r"\midrule", *shown[1:], r"\bottomrule"]
    return "\n".join([rf"\begin{{tabular}}{{{kinds}}}", *body, r"\end{tabular}"]) + "\n"


RENDERERS: dict[str, Callable[[Table], str]] = {
    "table": _plain,
    "tsv": _separated("\t"),
    "csv": _separated(","),
    "json": _json,
    "jsonl": _jsonl,
    "markdown": _markdown,
    "latex": _latex,
}
