"""The same content in every kind of file: plain or compressed, one or several, Parquet under any name."""

import bz2
import gzip
import io
import json
import lzma
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from treconcile.files.compression import compressed
from treconcile.formats.systems.mapping.choose import recognised
from treconcile.formats.systems.mapping.read_qrels import read_mapped_judgments
from treconcile.formats.systems.mapping.read_run import read_mapped_run
from treconcile.formats.systems.mapping.settings import Settings

ROWS = [("1", "d1", 2.5), ("1", "d2", 1.25), ("2", "d3", 0.5)]
LOGS = [
    {
        "query_id": "1",
        "response": {"hits": {"hits": [{"_id": "d1", "_score": 2.5}, {"_id": "d2", "_score": 1.25}]}},
    },
    {"query_id": "2", "response": {"hits": {"hits": [{"_id": "d3", "_score": 0.5}]}}},
]
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": lambda data: compressed("x.zst", data),
}


def parquet(**columns: object) -> bytes:
    """The bytes of a Parquet file."""
    buffer = io.BytesIO()
    pl.DataFrame(columns).write_parquet(buffer)
    return buffer.getvalue()


def frame(first: str, second: str, third: str) -> bytes:
    """The rows as Parquet."""
    queries, documents, numbers = zip(*ROWS, strict=True)
    return parquet(**{first: queries, second: documents, third: numbers})


def taken(path: Path, kind: str = "run", **settings: object) -> tuple[str, list[tuple[object, ...]]]:
    """What an input is taken for, and its rows."""
    (variant,) = recognised(str(path), kind)
    given = Settings(**settings)  # type: ignore[arg-type]
    if kind == "qrels":
        table = read_mapped_judgments(str(path), variant.mapping, given).judgments.table
        return variant.label, table.select("query_id", "doc_id", "grade").rows()
    table = read_mapped_run(str(path), variant.mapping, given).run().table
    return variant.label, table.select("query_id", "doc_id", "score").rows()


@pytest.mark.parametrize("ending", PACKERS)
@pytest.mark.parametrize(
    ("name", "data", "label"),
    [
        ("log.jsonl", "\n".join(map(json.dumps, LOGS)).encode(), "elasticsearch.search"),
        ("log.json", json.dumps(LOGS, indent=1).encode(), "elasticsearch.search"),
        ("rows.csv", b"qid,docno,score\n1,d1,2.5\n1,d2,1.25\n2,d3,0.5\n", "pyterrier.results"),
        ("rows.parquet", frame("qid", "docno", "score"), "pyterrier.results"),
    ],
)
def test_compressed(tmp_path: Path, name: str, data: bytes, label: str, ending: str) -> None:
    """It is recognised and read as the plain file is."""
    path = tmp_path / (name + ending)
    path.write_bytes(PACKERS[ending](data))
    assert taken(path) == (label, ROWS)


@pytest.mark.parametrize("ending", PACKERS)
def test_compressed_arrays(tmp_path: Path, ending: str) -> None:
    """The scores beside them may be compressed as well."""
    for name, array in (("I", np.array([[1, 0], [2, -1]])), ("D", np.array([[0.25, 0.5], [0.125, 9.0]]))):
        buffer = io.BytesIO()
        np.save(buffer, array)
        (tmp_path / f"{name}.npy{ending}").write_bytes(PACKERS[ending](buffer.getvalue()))
    (tmp_path / "docids").write_text("a\nb\nc\n")
    (tmp_path / "qids").write_text("1\n2\n")
    label, rows = taken(
        tmp_path / f"I.npy{ending}",
        order="asc",
        docids=str(tmp_path / "docids"),
        qids=str(tmp_path / "qids"),
    )
    assert (label, rows) == ("faiss.npy", [("1", "b", -0.25), ("1", "a", -0.5), ("2", "c", -0.125)])


@pytest.mark.parametrize("name", ["rows.parquet", "rows", "rows.csv", "rows.dat"])
@pytest.mark.parametrize(
    ("data", "label"),
    [
        (frame("qid", "docno", "score"), "pyterrier.results"),
        (frame("query_id", "doc_id", "similarity"), "pgvector.similarity"),
        (parquet(qid=[1, 1, 2], docno=["d1", "d2", "d3"], score=[2.5, 1.25, 0.5]), "pyterrier.results"),
    ],
)
def test_parquet_by_its_first_bytes(tmp_path: Path, name: str, data: bytes, label: str) -> None:
    """Whatever it is called; whole numbers are ids too."""
    (tmp_path / name).write_bytes(data)
    assert taken(tmp_path / name) == (label, ROWS)


def test_parquet_of_judgments(tmp_path: Path) -> None:
    """Grades may be whole numbers or fractions that are none."""
    (tmp_path / "qrels").write_bytes(parquet(**{"query-id": [1], "corpus-id": ["d1"], "score": [2.0]}))
    assert taken(tmp_path / "qrels", "qrels") == ("mteb.qrels", [("1", "d1", 2)])
    (tmp_path / "qrels").write_bytes(parquet(qid=["1", "1"], docno=["d1", "d2"], label=[2, 0]))
    assert taken(tmp_path / "qrels", "qrels") == ("pyterrier.qrels", [("1", "d1", 2), ("1", "d2", 0)])


def test_parquet_with_lists(tmp_path: Path) -> None:
    """The rows of a data set, as Ragas puts them there, and spans, as Phoenix does."""
    topics = {"1": "descale a kettle", "2": "bakery"}
    path = tmp_path / "train-00000-of-00001.parquet"
    path.write_bytes(
        parquet(
            user_input=["descale a kettle", "bakery"],
            retrieved_context_ids=[["d1", "d2"], []],
            reference_context_ids=[["d1"], ["d3"]],
        )
    )
    assert taken(path, topics=topics) == ("ragas.retrieved", [("1", "d1", 2.0), ("1", "d2", 1.0)])
    assert taken(path, "qrels", topics=topics) == ("ragas.reference", [("1", "d1", 1), ("2", "d3", 1)])
    documents = [{"document.id": "d1", "document.score": 0.5}, {"document.id": "d2", "document.score": 0.25}]
    path.write_bytes(
        parquet(
            **{
                "span_kind": ["RETRIEVER", "LLM"],
                "status_code": ["OK", "OK"],
                "attributes.input.value": ["descale a kettle", "x"],
                "attributes.retrieval.documents": [documents, None],
            }
        )
    )
    label, rows = taken(path, topics=topics, order="desc")
    assert (label, rows) == ("openinference.frame", [("1", "d1", 0.5), ("1", "d2", 0.25)])


def test_a_folder_of_compressed_responses(tmp_path: Path) -> None:
    """One response a file, named by the query's id; other files are not read."""
    for log in LOGS:
        name = f"{log['query_id']}.json.gz"
        (tmp_path / name).write_bytes(gzip.compress(json.dumps(log["response"]).encode()))
    (tmp_path / "notes.md").write_text("x")
    assert taken(tmp_path) == ("elasticsearch.search", ROWS)


@pytest.mark.parametrize("data", [b"PAR1", b"PAR1 and so on", b"\x93NUMPY", b""])
def test_damaged_files_are_nothing(tmp_path: Path, data: bytes) -> None:
    """They begin as one of the kinds and are none."""
    (tmp_path / "in").write_bytes(data)
    assert recognised(str(tmp_path / "in"), "run") == []
