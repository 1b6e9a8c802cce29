"""Judgments and runs from data frames of pandas or Polars, by what the two have in common."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import polars as pl

from treconcile.errors import DuplicateError, EmptyError, FormatError, Notice, NumberError, shown
from treconcile.formats.json.cells import CellError, every_id, grades_of, kind_of, numbers_of, placed
from treconcile.model import RUN_COLUMNS, Judgments, Run, judgment_columns

QUERY_COLUMNS = ("query_id", "qid", "q_id", "query")
DOC_COLUMNS = ("doc_id", "docno", "docid")
GRADE_COLUMNS = ("relevance", "rel", "label", "grade", "score")
SUBTOPIC_COLUMNS = ("subtopic", "subtopic_id", "iteration")

_EXACT = 2**53


@dataclass
class _Remarks:
    """Counts what is worth one notice an input, with the first place of each."""

    first: dict[str, str] = field(default_factory=dict)
    count: dict[str, int] = field(default_factory=dict)

    def add(self, code: str, where: str) -> None:
        """Notes one more occurrence of a kind of remark."""
        self.first.setdefault(code, where)
        self.count[code] = self.count.get(code, 0) + 1

    def notices(self) -> tuple[Notice, ...]:
        """One notice a kind, in the order of their first occurrence."""
        return tuple(self._notice(code) for code in self.first)

    def _notice(self, code: str) -> Notice:
        message, hint, level = _REMARKS[code]
        return Notice(code, f"{message} ({self.count[code]} times)", self.first[code], hint, level)


_REMARKS = {
    "decimal-grades": ("a grade written as 2.0 was read as 2", None, "note"),
    "repeated-judgments": (
        "a document stands twice in one query's judgments, with the same grade; it counts once",
        "remove the repeat",
        "warning",
    ),
    "score-rounded": (
        "a score has more digits than float64 holds and was rounded: different scores may have become equal",
        "give the results without scores to keep their order",
        "warning",
    ),
}


def is_frame(value: object) -> bool:
    """Whether a value is a data frame, of whatever library."""
    return all(hasattr(value, name) for name in ("columns", "__getitem__", "__len__"))


def judgments_from_frame(frame: object, *, float_gains: bool = False) -> Judgments:
    """Judgments from the columns of a data frame; without a column of grades each grade is 1.

    Args:
        frame: The data frame.
        float_gains: Grades may be fractions.

    Raises:
        DuplicateError: A document is judged twice for a query and sub-topic, with different grades.
        EmptyError: There is no row.
        FormatError: There is no column of queries, or of documents.
        IdError, NumberError: A cell is not an id, or not a whole number.
    """
    remarks, name = _Remarks(), "judgments"
    query_ids, doc_ids = _ids(frame, name)
    if not query_ids:
        raise EmptyError("there are no rows in it", where=name)
    column = _find(frame, GRADE_COLUMNS)
    values: list[float] = [1] * len(query_ids)
    if column:
        values = _grades(_cells(frame, column), _where(name, column), remarks, fractions=float_gains)
    data = {"query_id": query_ids, "subtopic": _subtopics(frame, name), "doc_id": doc_ids, "grade": values}
    table = pl.DataFrame(data, schema=judgment_columns(values))
    table = _without_repeats(table, remarks, name)
    return Judgments(table, asked=tuple(dict.fromkeys(query_ids)), notices=remarks.notices())


def run_from_frame(frame: object) -> Run:
    """A run from the columns of a data frame; without scores the rank counts, else the order of the rows.

    Raises:
        FormatError: There is no column of queries, or of documents.
        IdError, NumberError: A cell is not an id, or not a finite score, or not a rank.
    """
    remarks, name = _Remarks(), "run"
    query_ids, doc_ids = _ids(frame, name)
    ranks = _ranks(frame, name, query_ids, remarks)
    values = _scores(frame, name, remarks)
    scored = values is not None
    table = pl.DataFrame(
        {"query_id": query_ids, "doc_id": doc_ids, "score": values or [0.0] * len(query_ids), "rank": ranks},
        schema=RUN_COLUMNS,
    )
    if not scored:
        position = pl.col("rank").rank("ordinal").over("query_id")
        table = table.with_columns(score=(pl.len().over("query_id") - position + 1).cast(pl.Float64))
    notices = remarks.notices()
    if not query_ids:
        notices += (Notice("empty-run", "there are no rows in it", name),)
    return Run(table, scored=scored, notices=notices)


def _find(frame: object, names: Sequence[str]) -> str | None:
    columns = [str(column) for column in frame.columns]  # type: ignore[attr-defined]
    return next((name for name in names if name in columns), None)


def _cells(frame: object, column: str) -> list[object]:
    cells = frame[column].to_list()  # type: ignore[index]
    return [cell.item() if hasattr(cell, "dtype") and hasattr(cell, "item") else cell for cell in cells]


def _where(name: str, column: str) -> Callable[[int], str]:
    return lambda row: f"{name}, row {row}, column {column!r}"


def _ids(frame: object, name: str) -> tuple[list[str], list[str]]:
    found = []
    for what, names in (("query", QUERY_COLUMNS), ("document", DOC_COLUMNS)):
        column = _find(frame, names)
        if column is None:
            raise FormatError(
                f"the frame has no column of {what} ids", where=name, hint=f"one of {', '.join(names)}"
            )
        with placed(_where(name, column)):
            found.append(every_id(_cells(frame, column)))
    return found[0], found[1]


def _subtopics(frame: object, name: str) -> list[str]:
    column = _find(frame, SUBTOPIC_COLUMNS)
    if column is None:
        return ["0"] * len(frame)  # type: ignore[arg-type]
    with placed(_where(name, column)):
        return every_id(_cells(frame, column))


def _scores(frame: object, name: str, remarks: _Remarks) -> list[float] | None:
    column = _find(frame, ("score",))
    if column is None:
        return None
    cells = _cells(frame, column)
    if cells and all(cell is None for cell in cells):
        return None
    where = _where(name, column)
    with placed(where):
        return [_finite(at, score, cells, where, remarks) for at, score in enumerate(numbers_of(cells))]


def _finite(
    at: int, score: float | None, cells: Sequence[object], where: Callable[[int], str], remarks: _Remarks
) -> float:
    if score is None:
        raise CellError(at, NumberError(f"a score has to be a number, not {kind_of(cells[at])}"))
    try:
        number = float(score)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise CellError(at, NumberError(f"a score has to be finite, not {number}"))
    if isinstance(score, int) and abs(score) > _EXACT and int(number) != score:
        remarks.add("score-rounded", where(at))
    return number


def _grades(
    cells: list[object], where: Callable[[int], str], remarks: _Remarks, *, fractions: bool = False
) -> list[float]:
    with placed(where):
        found, _ = grades_of(cells, {}, exact=not fractions)
    for at, (cell, grade) in enumerate(zip(cells, found, strict=True)):
        if isinstance(cell, float) and isinstance(grade, int):
            remarks.add("decimal-grades", where(at))
    return found


def _ranks(frame: object, name: str, query_ids: list[str], remarks: _Remarks) -> list[int]:
    column = _find(frame, ("rank",))
    if column is None:
        return _positions(query_ids)
    return list(map(int, _grades(_cells(frame, column), _where(name, column), remarks)))


def _without_repeats(table: pl.DataFrame, remarks: _Remarks, name: str) -> pl.DataFrame:
    key = ["query_id", "subtopic", "doc_id"]
    rows = table.with_row_index("row")
    repeats = rows.filter(pl.struct(key).is_duplicated())
    first: dict[tuple[str, str, str], tuple[int, float]] = {}
    for row, query, subtopic, document, grade in repeats.iter_rows():
        before, kept = first.setdefault((query, subtopic, document), (row, grade))
        if kept != grade:
            raise DuplicateError(
                f"document {shown(document)} is judged {kept} and {grade} for query {shown(query)};"
                f" first at row {before}",
                where=f"{name}, row {row}",
                hint="keep the judgment that holds",
            )
        if before != row:
            remarks.add("repeated-judgments", f"{name}, row {row}")
    return table.unique(key, keep="first", maintain_order=True) if first else table


def _positions(query_ids: list[str]) -> list[int]:
    counts: dict[str, int] = {}
    positions = []
    for query in query_ids:
        counts[query] = counts.get(query, 0) + 1
        positions.append(counts[query])
    return positions
