"""Reading a run in pieces gives the same as reading it whole, or says that it cannot."""

import bz2
import gzip
import lzma
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treconcile.formats.trec.run import read_trec_run
from treconcile.formats.trec.run_form import NeedsExactReader
from treconcile.formats.trec_large import run_fields
from treconcile.formats.trec_large import scan as trec_scan
from treconcile.formats.trec_large.scan import RunScan
from treconcile.results import Piece

LETTERS = st.characters(codec="utf-8", exclude_categories=("Z", "C"))
IDS = st.one_of(st.text(LETTERS, min_size=1, max_size=4), st.text("ab0", min_size=6, max_size=40))
SCORES = st.one_of(
    st.integers(-9, 9).map(lambda number: str(number / 4)),
    st.integers(-(10**17), 10**17).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(str),
    st.decimals(-999, 999, places=6).map(str),
    st.sampled_from(["0", "-0.0", "+1.5", ".5", "5.", "1e3", "1E-300", "00012", "123456789.123456", "-1"]),
)
Results = list[tuple[str, list[tuple[str, str]]]]


def runs(scores: st.SearchStrategy[str]) -> st.SearchStrategy[Results]:
    results = st.lists(st.tuples(IDS, scores), min_size=1, max_size=9)
    return st.lists(st.tuples(IDS, results), min_size=1, max_size=9, unique_by=lambda entry: entry[0])


def text_of(run: Results, separator: str = " ", end: str = "\n", tag: str = "t", second: str = "Q0") -> str:
    lines = [
        separator.join((query, second, doc, str(rank), score, tag))
        for query, results in run
        for rank, (doc, score) in enumerate(results, start=1)
    ]
    return end.join(lines) + end


def scanned(path: Path) -> tuple[pl.DataFrame, RunScan]:
    scan = RunScan(path)
    return pl.concat(list(scan.map(table_of))), scan


def table_of(piece: Piece) -> pl.DataFrame:
    """All that a piece holds, as a table."""
    names, lengths = piece.segments
    return pl.DataFrame(
        [
            pl.Series("query_id", np.repeat(np.array(names, dtype=object), lengths), dtype=pl.String),
            piece.documents(np.arange(piece.height)),
            pl.Series("score", piece.score),
            pl.Series("rank", piece.rank),
        ]
    )


def assert_exact_or_left(path: Path) -> None:
    """What is read is what the exact reader reads; else it is left to that."""
    try:
        table, _ = scanned(path)
    except NeedsExactReader:
        return
    whole = read_trec_run(path, meta=False, exact=True)
    assert table.select(whole.table.columns).equals(whole.table)


@pytest.fixture(params=[1, 7, 64, 1 << 20])
def piece(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Several sizes of a piece, also ones shorter than a line."""
    monkeypatch.setattr(trec_scan, "PIECE", request.param)
    return int(request.param)


@given(
    run=runs(st.integers(-9, 9).map(lambda number: str(number / 4))),
    separator=st.sampled_from(" \t"),
    end=st.sampled_from(["\n", "\r\n"]),
)
def test_pieces_make_the_whole(tmp_path: Path, piece: int, run: Results, separator: str, end: str) -> None:
    """Tables, hash, tag and queries are those of the file read whole, wherever it is cut."""
    path = tmp_path / "x.run"
    path.write_bytes(text_of(run, separator, end).encode())
    whole = read_trec_run(path, meta=False)
    table, scan = scanned(path)
    assert table.select(whole.table.columns).equals(whole.table)
    assert (scan.digest, scan.tag, tuple(scan.queries)) == (whole.content, whole.tag, whole.queries)


@given(
    run=st.one_of(runs(SCORES), SCORES.flatmap(lambda score: runs(st.just(score)))),
    tag=IDS,
    second=st.sampled_from(["Q0", "0", "iteration"]),
)
def test_fields_of_any_form_are_read_as_one_by_one(
    tmp_path: Path, run: Results, tag: str, second: str
) -> None:
    """Every id, every last bit of a score: as the reader has them that goes line by line."""
    path = tmp_path / "x.run"
    path.write_bytes(text_of(run, tag=tag, second=second).encode())
    whole = read_trec_run(path, meta=False, exact=True)
    table, _ = scanned(path)
    assert table.select(whole.table.columns).equals(whole.table)


@st.composite
def regular_runs(draw: st.DrawFn) -> str:
    """Lines as most programs write them, of which perhaps one has one field that is odd."""
    first, decimals = draw(st.integers(0, 2)), draw(st.integers(0, 8))
    numbers = st.decimals(0, draw(st.sampled_from([9, 999, 99_999])), places=decimals)
    documents = st.one_of(IDS, st.integers(0, 10**9).map(str))
    tag = draw(IDS)
    lines = [
        [query, "Q0", draw(documents), str(rank), str(draw(numbers)), tag]
        for query in draw(st.lists(IDS, min_size=1, max_size=4, unique=True))
        for rank in range(first, first + draw(st.integers(1, 12)))
    ]
    if draw(st.booleans()):
        odd = st.sampled_from(
            ["7", "0", "01", "12", "999999", "1234567", "-1", "+1", "1.", ".5", "1.25", "x1", "é1"]
        )
        draw(st.sampled_from(lines))[draw(st.integers(2, 4))] = draw(odd)
    return "".join(" ".join(line) + "\n" for line in lines)


@given(text=regular_runs(), lines=st.sampled_from([1, 3, 1 << 13]), block=st.sampled_from([8, 64, 1 << 18]))
def test_what_is_guessed_of_regular_lines_is_proven(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, lines: int, block: int
) -> None:
    """Ranks that count up and scores of one form are read quickly, and all others as they are."""
    monkeypatch.setattr(run_fields, "LINES", lines)
    monkeypatch.setattr(run_fields, "BLOCK", block)
    path = tmp_path / "x.run"
    path.write_text(text, encoding="utf-8")
    assert_exact_or_left(path)


@pytest.mark.parametrize(
    "score",
    [
        "1.5",
        "12",
        "12345678",
        "0.1234567",
        "1234567.5",
        "12.345678",
        "1.12345678",
        "123.456789",
        "123456789",
        "1e3",
        "-1.5",
        "x1.5",
    ],
)
@pytest.mark.parametrize("first", [0, 1])
def test_regular_lines_are_read_as_they_are(tmp_path: Path, score: str, first: int) -> None:
    """Whatever number of digits scores and ranks have."""
    path = tmp_path / "x.run"
    lines = [f"{query} Q0 d {first + n} {score} t\n" for query in ("a", "b") for n in range(2000)]
    path.write_text("".join(lines), encoding="utf-8")
    if score == "x1.5":
        with pytest.raises(NeedsExactReader):
            scanned(path)
    else:
        table, _ = scanned(path)
        assert table["score"].unique().to_list() == [float(score)]
        assert table["rank"].to_list() == [*range(first, first + 2000)] * 2


def test_ids_that_look_like_packed_data_are_ids(tmp_path: Path) -> None:
    """Polars would unpack what begins so."""
    path = tmp_path / "x.run"
    path.write_text("x^ Q0 d1 1 1e1 t\nx^ Q0 d2 2 2.5 t\n", encoding="utf-8")
    table, _ = scanned(path)
    assert table["query_id"].to_list() == ["x^", "x^"]
    assert table["score"].to_list() == [10.0, 2.5]


@given(
    lines=st.lists(st.text("ab1.-# ", min_size=1, max_size=24), min_size=1, max_size=4),
    good=st.integers(0, 3),
)
def test_malformed_lines_are_never_read_otherwise(tmp_path: Path, lines: list[str], good: int) -> None:
    """Among well-formed ones too: what is read is what the exact reader reads."""
    text = "\n".join(["a Q0 b 1 1.1 a"] * good + lines) + "\n"
    path = tmp_path / "x.run"
    path.write_bytes(text.encode())
    assert_exact_or_left(path)


def test_own_results_and_hashes(tmp_path: Path) -> None:
    """Rows that hold their query as a document; the hash depends on the id alone."""
    path = tmp_path / "x.run"
    ids = ["a", "doc12345", "doc123456", "a-very-long-id-of-a-document"]
    path.write_text("".join(f"{query} Q0 {doc} 1 2.5 t\n" for query in ids for doc in ids), encoding="utf-8")

    def look(piece: Piece) -> tuple[list[int], list[int], list[int]]:
        return piece.self_matches.tolist(), piece.hashes.tolist(), piece.hashed(ids * 4).tolist()

    ((own, hashes, hashed),) = RunScan(path).map(look)
    assert own == [0, 5, 10, 15]
    assert hashes == hashed
    assert len(set(hashes)) == len(ids)


@given(
    ids=st.lists(st.one_of(IDS, st.sampled_from(["a", "ab", "é", "ab0ab0ab0", "ab0ab0ab"])), min_size=1),
    falling=st.booleans(),
)
def test_ids_are_put_in_order_by_their_bytes(tmp_path: Path, ids: list[str], *, falling: bool) -> None:
    """Within their group, and equal ones as they were."""
    path = tmp_path / "x.run"
    path.write_text("".join(f"q Q0 {doc} 1 1.5 t\n" for doc in ids), encoding="utf-8")
    group = np.arange(len(ids)) // 3
    rows = np.arange(len(ids))
    (order,) = RunScan(path).map(lambda piece: piece.by_document(group, rows, falling=falling).tolist())
    wanted = sorted(rows.tolist(), key=lambda row: ids[row].encode(), reverse=falling)
    assert order == sorted(wanted, key=lambda row: group[row])


@pytest.mark.parametrize(
    ("ending", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)]
)
def test_compressed_files_are_read_in_pieces_too(tmp_path: Path, ending: str, pack, piece: int) -> None:  # noqa: ANN001
    """The hash is that of the compressed bytes, as for a file read whole."""
    path = tmp_path / f"x.run{ending}"
    text = text_of([(f"q{n}", [(f"d{m}", str(-m)) for m in range(5)]) for n in range(9)]).encode()
    path.write_bytes(pack(text[:100]) + pack(text[100:]))
    whole = read_trec_run(path, meta=False)
    table, scan = scanned(path)
    assert table.select(whole.table.columns).equals(whole.table)
    assert scan.digest == whole.content


@pytest.mark.parametrize(
    "data",
    [
        b"q1 Q0 d1 1 2 t\nq2 Q0 d1 1 2 t\nq1 Q0 d2 2 1 t\n",
        b"q1 Q0 d1 1 2 t\nq1 Q0 d2 2 1 u\n",
        b"q1 Q0 d1 1 2 t\n\nq1 Q0 d2 2 1 t\n",
        b"q1 Q0 d1 1 nan t\n",
        b"q1 Q0 d1 x 2 t\n",
        b"q1 Q0 d1 1 2 t\nq2 Q0 d2 1 t\n",
        b"\xef\xbb\xbfq1 Q0 d1 1 2 t\n",
        b"# a comment\nq1 Q0 d1 1 2 t\n",
        b"q1 Q0 d\xff 1 2 t\n",
    ],
)
def test_what_is_not_proven_is_left_to_the_other_reader(tmp_path: Path, data: bytes, piece: int) -> None:
    """A query in two places, two tags, blank lines, numbers that are none: none of these is guessed at."""
    path = tmp_path / "x.run"
    path.write_bytes(data)
    with pytest.raises(NeedsExactReader):
        scanned(path)


def test_a_truncated_archive_is_left_to_the_other_reader(tmp_path: Path) -> None:
    """Damage is worded by the reader of whole files."""
    path = tmp_path / "x.run.gz"
    path.write_bytes(gzip.compress(b"q1 Q0 d1 1 2 t\n" * 1000)[:-9])
    with pytest.raises(NeedsExactReader):
        scanned(path)
