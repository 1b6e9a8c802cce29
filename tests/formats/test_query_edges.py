"""In a buffer of lines the beginning of the last query is found, however many lines each query has."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from treconcile.formats.trec_large.byte_words import MARGIN
from treconcile.formats.trec_large.run_piece import last_query

QUERIES = st.lists(
    st.tuples(st.text("12a", min_size=1, max_size=3), st.integers(1, 12)),
    min_size=1,
    max_size=8,
    unique_by=lambda entry: entry[0],
)


@given(queries=QUERIES)
def test_the_last_query_is_found(queries: list[tuple[str, int]]) -> None:
    texts = ["".join(f"{query} Q0 1{n} {n} 1 t\n" for n in range(lines)) for query, lines in queries]
    buffer = bytearray(MARGIN) + "".join(texts).encode()
    assert last_query(buffer, len(buffer)) == len(buffer) - len(texts[-1])
