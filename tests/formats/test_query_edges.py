"""A place in a run is taken back to where its query begins, however little is looked at."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treconcile.formats.trec_large import query_edges
from treconcile.formats.trec_large.byte_words import MARGIN
from treconcile.formats.trec_large.query_edges import last_query, query_start

QUERIES = st.lists(
    st.tuples(st.text("12a", min_size=1, max_size=3), st.integers(1, 12)),
    min_size=1,
    max_size=8,
    unique_by=lambda entry: entry[0],
)


@given(queries=QUERIES, near=st.integers(1, 60), whole=st.booleans())
def test_queries_are_found_from_any_place_in_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, queries: list[tuple[str, int]], near: int, *, whole: bool
) -> None:
    monkeypatch.setattr(query_edges, "NEAR", near)
    texts = ["".join(f"{query} Q0 1{n} {n} 1 t\n" for n in range(lines)) for query, lines in queries]
    data = "".join(texts).encode()
    data = data if whole else data[:-1]
    path = tmp_path / "x.run"
    path.write_bytes(data)
    starts = [0]
    for text in texts:
        starts.append(starts[-1] + len(text))
    with path.open("rb", buffering=0) as file:
        for position in range(len(data)):
            wanted = max(start for start in starts if start <= position)
            assert query_start(file, position, len(data)) == wanted
        assert query_start(file, len(data), len(data)) == len(data)
    buffer = bytearray(MARGIN) + data
    assert last_query(buffer, len(buffer)) - MARGIN == starts[-2]
