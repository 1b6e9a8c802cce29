"""Reading TREC runs: `query Q0 document rank score tag`, a line a result."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl

from treconcile.errors import FormatError, Notice, NumberError, shown, shown_id
from treconcile.files.text_files import digest_of, name_of, read_file, without_bom
from treconcile.formats.trec.exact import (
    fields_of,
    general_guess,
    is_number,
    number_hint,
    spaces_in_ids,
    split_fields,
    whole_number,
)
from treconcile.formats.trec.fast import fast_table
from treconcile.formats.trec.run_form import COLUMN_NAMES, FIELDS
from treconcile.formats.trec.sidecar import DUMMY_RESULT, Sidecar, read_sidecar
from treconcile.model import RUN_COLUMNS, Run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treconcile.files.text_files import Source, StoredFile

_KINDS = {"rank": int, "score": float}
COLUMNS = {name: _KINDS.get(name, str) for name in COLUMN_NAMES}

_INFINITE = re.compile(r"[+-]?inf(?:inity)?", re.IGNORECASE | re.ASCII)
_NAN = re.compile(r"[+-]?nan", re.IGNORECASE | re.ASCII)


def read_trec_run(
    source: Source, *, meta: bool = True, exact: bool = False, file: StoredFile | None = None
) -> Run:
    """Read a TREC run; rows keep the order of the file, and a document may stand twice in a query.

    Args:
        source: A path, or `-` for standard input.
        meta: Whether a sidecar beside the file is read.
        exact: Read line by line even where the fast way is proven to give the same.
        file: The file itself, where it has been read already.

    Raises:
        FileError: The file cannot be opened or is not text.
        FormatError: A line does not have six fields, or the sidecar is malformed.
        NumberError: A rank or score is not a number.
    """
    file = file or read_file(source)
    from concurrent.futures import ThreadPoolExecutor  # which takes long to load

    with ThreadPoolExecutor(max_workers=1) as pool:
        # Hashing releases the interpreter lock, so it costs nothing beside the reading.
        digest = pool.submit(digest_of, file)
        data, bom = without_bom(file.name, file.data)
        table = _table(file.name, data, exact)
        content = digest.result()
    sidecar, said = read_sidecar(source, "run", content) if meta else (None, ())
    tags = table.get_column("tag")
    run = Run(
        table=table.select(*RUN_COLUMNS),
        tag=tags[0] if len(tags) else "treconcile",
        last_tag=tags[-1] if len(tags) else "",
        source=file.name,
        content=content,
        ranked=True,
        notices=(*bom, *_notices(file.name, table), *said),
    )
    return with_sidecar(run, sidecar) if sidecar else run


def with_sidecar(run: Run, sidecar: Sidecar) -> Run:
    """A run with what its sidecar says; rows that stand for a query without results are dropped.

    Raises:
        FormatError: The sidecar declares a query empty that has results.
    """
    empty = pl.col("query_id").is_in(list(sidecar.empty))
    dummy = empty & (pl.col("doc_id") == DUMMY_RESULT)
    table = run.table.filter(~dummy) if sidecar.empty else run.table
    for query in table.filter(empty).get_column("query_id").head(1):
        raise FormatError(
            f"the sidecar declares the query {shown_id(query)} empty, but it has results", where=run.source
        )
    return replace(
        run,
        table=table,
        empty=sidecar.empty,
        partial=sidecar.partial,
        scored=sidecar.scored,
        k=sidecar.k,
        from_sidecar=len(sidecar.empty),
        id_encoding=sidecar.id_encoding,
    )


def duplicate_lines(source: Source, query_id: str, doc_id: str) -> list[int]:
    """The numbers of the lines, from 1, on which a query has a document; empty for standard input.

    Raises:
        FileError: The file cannot be opened.
    """
    if name_of(source) != str(source):
        return []
    data, _ = without_bom("", read_file(source).data)
    wanted = doc_id.encode()
    lines = enumerate(data.split(b"\n"), start=1)
    # Most lines are told apart by their bytes, without being split.
    likely = ((number, fields_of(line.decode())) for number, line in lines if wanted in line)
    return [number for number, found in likely if (found[:1], found[2:3]) == ([query_id], [doc_id])]


def _table(name: str, data: bytes, exact: bool) -> pl.DataFrame:
    table = None if exact else fast_table(data, COLUMNS)
    if table is None or table.get_column("score").is_nan().any():
        return _exact_table(name, data)
    return table


def _exact_table(name: str, data: bytes) -> pl.DataFrame:
    rows = [
        (found[0], found[2], _rank(found, name, number), _score(found, name, number), found[5])
        for number, found in split_fields(name, data, FIELDS, 4, _guess, _is_score)
    ]
    schema = {column: kind for column, kind in COLUMNS.items() if not column.startswith("_")}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _rank(found: Sequence[str], name: str, number: int) -> int:
    text = found[3]
    rank = whole_number(text)
    if rank is None:
        raise NumberError(
            f"the rank {shown(text)} is not a whole number",
            where=f"{name}:{number}",
            hint=number_hint(text, found, number),
        )
    return rank


def _score(found: Sequence[str], name: str, number: int) -> float:
    text = found[4]
    if _is_score(text):
        return float(text)
    if _NAN.fullmatch(text):
        raise NumberError(
            f"the score {shown(text)} is not a number",
            where=f"{name}:{number}",
            hint="NaN has no place in an order: correct the search, or leave the result out",
        )
    raise NumberError(
        f"the score {shown(text)} is not a number",
        where=f"{name}:{number}",
        hint=number_hint(text, found, number),
    )


def _notices(name: str, table: pl.DataFrame) -> list[Notice]:
    if table.is_empty():
        return [Notice("empty-run", "the run has no results", where=name)]
    notices = [*spaces_in_ids(table, name)]
    infinite = int(table.get_column("score").is_infinite().sum())
    if infinite:
        message = f"infinite scores: {infinite} of {table.height}; they are ordered like any other number"
        notices.append(Notice("infinite-scores", message, where=name))
    tags = table.get_column("tag")
    if (tags != tags[0]).any():
        other = tags.filter(tags != tags[0])[0]
        message = f"the tag changes within the file: {shown(tags[0])}, {shown(other)}; is it several runs?"
        notices.append(Notice("tag-changes", message, where=name, neutral=True))
    return notices


def _guess(found: Sequence[str], number: int) -> str | None:
    return general_guess(found, number) or _shape(found, number)


def _shape(found: Sequence[str], number: int) -> str | None:
    numbers = [is_number(field) or math.isinf(_or_zero(field)) for field in found]
    count = len(found)
    if count == 5 and numbers[3] and numbers[4]:
        return "is the tag (the sixth field) missing?"
    if count > FIELDS and numbers[3] and numbers[4]:
        return "is there a space in the tag?"
    if count > FIELDS and numbers[-3] and numbers[-2]:
        where = "document" if found[1] in ("Q0", "0") else "query"
        return f"is there a space in the {where} id?"
    if count == 4 and number == 1 and whole_number(found[3]) is not None:
        return "these look like judgments (qrels): were the two files exchanged?"
    if count == 3 and numbers[2]:
        return "three columns, as MS MARCO's runs have them (query, document, rank)?"
    return "is the line cut short?" if count == 4 else None


def _is_score(text: str) -> bool:
    return is_number(text) or _INFINITE.fullmatch(text) is not None


def _or_zero(text: str) -> float:
    return float(text) if _INFINITE.fullmatch(text) else 0.0
