"""Ids that every reader of TREC files sees as one field, and how others are encoded.

Readers differ in what they take for a separator: trec_eval knows ASCII white space, Python's `split` all of
Unicode's. So an id with any white space, a control character or U+FEFF, and a query id that begins with `#`,
is refused or percent-encoded. `urllib.parse.unquote` reverses the encoding.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
import polars as pl

from treconcile.errors import IdError, shown, shown_id

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

IdEncoding = Literal["error", "percent"]

_AWKWARD = re.compile(r"[\s\x00-\x1f\x7f-\x9f\ufeff]")
_ENCODED = re.compile(r"[\s\x00-\x1f\x7f-\x9f\ufeff%]")
# The same characters for Polars, whose expressions name them differently.
_AWKWARD_IN_POLARS = r"[\s\p{Cc}\x{FEFF}]"
_AWKWARD_QUERY_IN_POLARS = r"^#|" + _AWKWARD_IN_POLARS

_LOOKED_AT, _DELETE = 100_000, 0x7F

_TITLES = {"query_id": "query id", "subtopic": "sub-topic", "doc_id": "document id"}


class WritableIds(NamedTuple):
    """A table whose ids can be written, and the encoding its ids now have."""

    table: pl.DataFrame
    encoding: Literal["none", "percent"]

    def query(self, query_id: str) -> str:
        """A query id as the file has it."""
        return percent_encoded(query_id) if self.encoding == "percent" else query_id


def writable_ids(
    table: pl.DataFrame,
    queries: Sequence[str],
    encoding: IdEncoding,
    *,
    encoded: bool = False,
    always: bool = False,
) -> WritableIds:
    """The table with ids that stay one field each: as they are, or all of them encoded if one needs it.

    Args:
        table: The rows to write, with `query_id`, `doc_id` and perhaps `subtopic`.
        queries: Further query ids that go to the sidecar.
        encoding: What happens to an id that needs encoding.
        encoded: The ids are percent-encoded already, so that they must not be once more.
        always: Encode them even if none of these needs it, as another part of the file does.

    Raises:
        IdError: An id is empty, or needs encoding and may not be.
    """
    columns = [name for name in _TITLES if name in table.columns]
    for name in columns:
        if table.get_column(name).str.len_bytes().fill_null(0).min() == 0:
            _refuse_first(table, name, pl.col(name).fill_null("") == "", "is empty")
    needed = any(map(_is_awkward_query, queries)) or any(
        _holds_awkward(table.get_column(name), name) for name in columns
    )
    if needed and (encoding == "error" or encoded):
        for name in columns:
            _refuse_first(table, name, pl.col(name).str.contains(_pattern(name)), None)
        odd = next(query for query in queries if _is_awkward_query(query))
        raise IdError(f"the query id {shown(odd)} {_why(odd)}", hint=_HINT)
    if needed or always:
        table = table.with_columns(_encoded_column(table.get_column(name)) for name in columns)
    return WritableIds(table, "percent" if needed or encoded or always else "none")


def percent_encoded(text: str) -> str:
    """An id with the UTF-8 bytes of awkward characters, `%` itself and a leading `#` as `%XX`.

    Only a query id may not begin with `#`; but ids are encoded alike wherever they stand.
    """
    done = _ENCODED.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), text)
    return "%23" + done[1:] if done.startswith("#") else done


def check_tag(tag: str) -> str:
    """The tag of a run, if it is one field.

    Raises:
        IdError: It is empty or holds white space.
    """
    if not tag or _AWKWARD.search(tag):
        raise IdError(f"the tag {shown(tag)} is not one word", hint="name the run in one word, such as bm25")
    return tag


_HINT = "--id-encoding percent writes such ids reversibly"


def _pattern(name: str) -> str:
    return _AWKWARD_QUERY_IN_POLARS if name == "query_id" else _AWKWARD_IN_POLARS


def _holds_awkward(ids: pl.Series, name: str) -> bool:
    """Whether one of the ids needs encoding."""
    # Ids that stand for many lines each are looked at once, and plain ones all together: the pattern takes
    # several times as long.
    distinct = ids if name == "doc_id" else ids.filter((ids != ids.shift(1)).fill_null(value=True))
    for start in range(0, len(distinct), _LOOKED_AT):
        part = distinct[start : start + _LOOKED_AT]
        if not _is_plain(part, name) and part.str.contains(_pattern(name)).any():
            return True
    return False


def _is_plain(ids: pl.Series, name: str) -> bool:
    """Whether the ids are made of visible ASCII characters; those of queries also without any `#`."""
    letters = np.frombuffer(ids.str.join("").item().encode(), np.uint8)
    if ((letters <= ord(" ")) | (letters >= _DELETE)).any():
        return False
    return name != "query_id" or not (letters == ord("#")).any()


def _is_awkward_query(query_id: str) -> bool:
    return query_id.startswith("#") or _AWKWARD.search(query_id) is not None


def _encoded_column(ids: pl.Series) -> pl.Series:
    distinct = ids.unique()
    affected = distinct.filter(distinct.str.contains(r"^#|%|" + _AWKWARD_IN_POLARS)).to_list()
    encoded = [percent_encoded(each) for each in affected]
    mapping: Mapping[str, str] = dict(zip(affected, encoded, strict=True))
    return ids.replace(mapping) if mapping else ids


def _refuse_first(table: pl.DataFrame, name: str, wrong: pl.Expr, what: str | None) -> None:
    for row in table.with_row_index("row").filter(wrong).head(1).iter_rows(named=True):
        place = (
            f"row {row['row'] + 1}"
            if name == "query_id"
            else f"query {shown_id(row['query_id'])}, row {row['row'] + 1}"
        )
        text = row[name] or ""
        raise IdError(
            f"the {_TITLES[name]} {shown(text)} ({place}) {what or _why(text)}",
            hint="every id needs at least one character" if what else _HINT,
        )


def _why(text: str) -> str:
    found = _AWKWARD.search(text)
    if found is None:
        return "begins with '#', which trec_eval takes for a comment"
    name = unicodedata.name(found[0], "a control character").lower()
    return f"holds U+{ord(found[0]):04X} ({name}), at which some readers split it"
