"""Reading a run in pieces gives the same as reading it whole, or says that it cannot."""

import bz2
import gzip
import lzma
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from treconcile.formats import trec_scan
from treconcile.formats.trec_run import read_trec_run
from treconcile.formats.trec_scan import RunScan, Unproven

IDS = st.text(st.characters(codec="utf-8", exclude_categories=("Z", "C")), min_size=1, max_size=4)
RUNS = st.lists(
    st.tuples(IDS, st.lists(st.tuples(IDS, st.integers(-9, 9)), min_size=1, max_size=9)),
    min_size=1,
    max_size=9,
    unique_by=lambda entry: entry[0],
)


def text_of(run: list[tuple[str, list[tuple[str, int]]]], separator: str = " ", end: str = "\n") -> str:
    lines = [
        separator.join((query, "Q0", doc, str(rank), str(score / 4), "t"))
        for query, results in run
        for rank, (doc, score) in enumerate(results, start=1)
    ]
    return end.join(lines) + end


def scanned(path: Path) -> tuple[pl.DataFrame, RunScan]:
    scan = RunScan(path)
    tables = list(scan.map(lambda table: table))
    return pl.concat(tables), scan


@pytest.fixture(params=[1, 7, 64, 1 << 20])
def piece(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Several sizes of a piece, also ones shorter than a line."""
    monkeypatch.setattr(trec_scan, "PIECE", request.param)
    return int(request.param)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(run=RUNS, separator=st.sampled_from(" \t"), end=st.sampled_from(["\n", "\r\n"]))
def test_pieces_make_the_whole(
    tmp_path: Path, piece: int, run: list[tuple[str, list[tuple[str, int]]]], separator: str, end: str
) -> None:
    """Tables, hash, tag and queries are those of the file read whole, wherever it is cut."""
    path = tmp_path / "x.run"
    path.write_bytes(text_of(run, separator, end).encode())
    whole = read_trec_run(path, meta=False)
    table, scan = scanned(path)
    assert table.select(whole.table.columns).equals(whole.table)
    assert (scan.digest, scan.tag, tuple(scan.queries)) == (whole.content, whole.tag, whole.queries)


@pytest.mark.parametrize(
    ("ending", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)]
)
def test_compressed_files_are_read_in_pieces_too(tmp_path: Path, ending: str, pack, piece: int) -> None:  # noqa: ANN001
    """The hash is that of the compressed bytes, as for a file read whole."""
    path = tmp_path / f"x.run{ending}"
    text = text_of([(f"q{n}", [(f"d{m}", -m) for m in range(5)]) for n in range(9)]).encode()
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
    with pytest.raises(Unproven):
        scanned(path)


def test_a_truncated_archive_is_left_to_the_other_reader(tmp_path: Path) -> None:
    """Damage is worded by the reader of whole files."""
    path = tmp_path / "x.run.gz"
    path.write_bytes(gzip.compress(b"q1 Q0 d1 1 2 t\n" * 1000)[:-9])
    with pytest.raises(Unproven):
        scanned(path)
