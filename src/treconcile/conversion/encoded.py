"""Ids that were percent-encoded for a TREC file, decoded, so that every way back gives the same ids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import unquote

import polars as pl

from treconcile.model import Judgments, Run


def decoded_run(run: Run) -> Run:
    """The run with its ids as they were before they were percent-encoded."""
    if run.id_encoding == "none":
        return run
    return replace(
        run, table=_decoded(run.table), empty=_unquoted(run.empty), id_encoding="none", locate=None
    )


def decoded_judgments(judgments: Judgments) -> Judgments:
    """The judgments with their ids as they were before they were percent-encoded."""
    if judgments.id_encoding == "none":
        return judgments
    return replace(
        judgments,
        table=_decoded(judgments.table),
        negative=_unquoted(judgments.negative),
        asked=_unquoted(judgments.asked),
        reasons={unquote(query): why for query, why in judgments.reasons.items()},
        id_encoding="none",
    )


def _decoded(table: pl.DataFrame) -> pl.DataFrame:
    columns = [name for name in ("query_id", "subtopic", "doc_id") if name in table.columns]
    return table.with_columns(_decoded_column(table.get_column(name)) for name in columns)


def _decoded_column(ids: pl.Series) -> pl.Series:
    encoded = ids.unique().to_list()
    return ids.replace(dict(zip(encoded, _unquoted(encoded), strict=True)))


def _unquoted(ids: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(unquote, ids))
