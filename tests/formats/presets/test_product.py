"""Every answer in every wrapping: the same content, however it is kept together, is read alike."""

import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from treconcile.formats.systems.mapping.choose import chosen
from treconcile.formats.systems.mapping.read_run import read_mapped_run
from treconcile.formats.systems.mapping.settings import Settings

QUERIES = ("q01", "q02")
DOCUMENTS = (("d01", 0.75, 0.25), ("d02", 0.5, 0.5))
"""Documents with a score of which the highest is the best, and a distance of which the lowest is."""

Answer = Callable[[str], Any]


def hits(**fields: Callable[[str, float, float], object]) -> Answer:
    """A list of hits with these fields; of the second query the first hit only."""

    def answer(query: str) -> list[dict[str, object]]:
        found = DOCUMENTS[: 2 if query == QUERIES[0] else 1]
        return [{name: value(*each) for name, value in fields.items()} for each in found]

    return answer


def points(query: str) -> list[dict[str, object]]:
    """Points of a vector store."""
    return hits(
        id=lambda d, s, _: int(d[1:]), version=lambda *_: 1, score=lambda _, s, __: s,
        payload=lambda d, *_: {"doc_id": d},
    )(query)  # fmt: skip


ELASTIC = hits(_index=lambda *_: "t", _id=lambda d, *_: d, _score=lambda _, s, __: s)
RECORDS = hits(id=lambda d, *_: d, score=lambda _, s, __: s)
DISTANCES = hits(id=lambda d, *_: d, distance=lambda _, __, g: g)
STORED = hits(
    file_id=lambda d, *_: d,
    filename=lambda *_: "a.txt",
    score=lambda _, s, __: s,
    attributes=lambda *_: {},
    content=lambda *_: [],
)
PAGES = hits(
    id=lambda *_: "x",
    metadata=lambda d, *_: {"doc_id": d},
    page_content=lambda *_: "a",
    type=lambda *_: "Document",
)
ANSWERS: dict[str, Answer] = {
    "elasticsearch.search": lambda query: {
        "took": 3,
        "hits": {"total": {"value": 2}, "hits": ELASTIC(query)},
    },
    "elasticsearch.hits": ELASTIC,
    "qdrant.query": lambda query: {"result": {"points": points(query)}, "status": "ok", "time": 0.1},
    "qdrant.points": lambda query: {"points": points(query)},
    "chroma.query": lambda query: {
        "ids": [each["id"] for each in DISTANCES(query)],
        "distances": [each["distance"] for each in DISTANCES(query)],
    },
    "openai-search": lambda query: {
        "object": "vector_store.search_results.page",
        "search_query": ["x"],
        "data": STORED(query),
        "has_more": False,
        "next_page": None,
    },
    "pinecone.query": lambda query: {"matches": RECORDS(query), "namespace": ""},
    "meilisearch.search": lambda query: {
        "hits": [{"id": each["id"], "_rankingScore": each["score"]} for each in RECORDS(query)],
        "processingTimeMs": 1,
    },
    "solr.select": lambda query: {"responseHeader": {"status": 0}, "response": {"docs": RECORDS(query)}},
    "weaviate.objects": lambda query: {
        "objects": [
            {"uuid": "u", "metadata": {"distance": each["distance"]}, "properties": {"doc_id": each["id"]}}
            for each in DISTANCES(query)
        ]
    },
    "langchain.pairs": lambda query: [
        [page, each["score"]] for page, each in zip(PAGES(query), RECORDS(query), strict=True)
    ],
    "langchain.documents": PAGES,
    "llamaindex.nodes": lambda query: [
        {"node": {"id_": each["id"], "text": "a"}, "score": each["score"]} for each in RECORDS(query)
    ],
    "haystack.documents": lambda query: {"documents": [{**each, "content": "a"} for each in RECORDS(query)]},
    "pgvector.distance": DISTANCES,
    "bm25s.ids": lambda query: {
        "documents": [each["id"] for each in RECORDS(query)],
        "scores": [each["score"] for each in RECORDS(query)],
    },
    "typesense.search": lambda query: {
        "found": 2,
        "hits": [
            {"document": {"id": each["id"]}, "text_match": int(float(str(each["score"])) * 100)}
            for each in RECORDS(query)
        ],
    },
    "results.scored": RECORDS,
    "results.ids": lambda query: [each["id"] for each in RECORDS(query)],
    "results.pairs": lambda query: [[each["id"], each["score"]] for each in RECORDS(query)],
}

OWN = ("results.scored", "results.ids", "results.pairs")
"""Forms that nobody's system has: a query has to be named in or above them, and a key be one of results."""


def by_key(key: str) -> Callable[[Answer], object]:
    """Records of an answer beside the id of its query."""
    return lambda answer: [{"query_id": query, key: answer(query)} for query in QUERIES]


WRAPPINGS: dict[str, Callable[[Answer], object]] = {
    "list": lambda answer: [answer(query) for query in QUERIES],
    "by id": lambda answer: {query: answer(query) for query in QUERIES},
    "list under a key": lambda answer: {"responses": [answer(query) for query in QUERIES]},
    "by id under a key": lambda answer: {"data": {query: answer(query) for query in QUERIES}},
    **{
        f"record, {key}": by_key(key)
        for key in ("result", "results", "response", "hits", "body", "bm25_retriever")
    },
    "lines": lambda answer: "".join(
        json.dumps({"query_id": query, "response": answer(query)}) + "\n" for query in QUERIES
    ),
}
ROWS = {
    "elasticsearch.hits": ELASTIC,
    "qdrant.points": points,
    "pgvector.distance": DISTANCES,
    "lancedb": hits(id=lambda d, *_: d, _distance=lambda _, __, g: g),
    "table.run": hits(doc_id=lambda d, *_: d, score=lambda _, s, __: s),
    "pyterrier.results": hits(docno=lambda d, *_: d, score=lambda _, s, __: s),
}


def rows(name: str) -> list[dict[str, Any]]:
    """The hits of all queries, each with its query."""
    key = "qid" if name == "pyterrier.results" else "query_id"
    return [{key: query, **hit} for query in QUERIES for hit in ROWS[name](query)]


def frame(name: str, *, nested: bool) -> pl.DataFrame:
    """The rows as a table, with JSON in its cells if those of files cannot be nested."""
    made = rows(name)
    if not nested:
        made = [{k: json.dumps(v) if isinstance(v, dict) else v for k, v in row.items()} for row in made]
    return pl.DataFrame(made)


def stored(
    write: Callable[[pl.DataFrame, io.BytesIO], object], *, nested: bool = False
) -> Callable[[str], bytes]:
    """The bytes of a file of the rows."""

    def made(name: str) -> bytes:
        buffer = io.BytesIO()
        write(frame(name, nested=nested), buffer)
        return buffer.getvalue()

    return made


def columns(name: str) -> dict[str, list[Any]]:
    """The rows by column."""
    made = rows(name)
    return {key: [row[key] for row in made] for key in made[0]}


TABLES: dict[str, Callable[[str], object]] = {
    "records": rows,
    "lines": lambda name: "".join(json.dumps(row) + "\n" for row in rows(name)),
    "columns": columns,
    "pandas": lambda name: {
        key: {str(at): cell for at, cell in enumerate(cells)} for key, cells in columns(name).items()
    },
    "index": lambda name: {str(at): row for at, row in enumerate(rows(name))},
    "csv": stored(lambda table, file: table.write_csv(file)),
    "tsv": stored(lambda table, file: table.write_csv(file, separator="\t")),
    "parquet": stored(lambda table, file: table.write_parquet(file), nested=True),
}


def read(folder: Path, value: object, *, named: bool) -> list[tuple[str, str]]:
    """Queries and documents of an input, best first."""
    path = folder / "input"
    if isinstance(value, bytes):
        path.write_bytes(value)
    else:
        path.write_text(value if isinstance(value, str) else json.dumps(value))
    found = chosen(str(path), "run")
    assert found is not None
    settings = Settings()
    if not named:
        (folder / "qids").write_text("\n".join(QUERIES))
        settings = replace(settings, qids=str(folder / "qids"))
    table = read_mapped_run(str(path), found.variant.mapping, settings).run().table
    return (
        table.sort("score", descending=True)
        .sort("query_id", maintain_order=True)
        .select("query_id", "doc_id")
        .rows()
    )


RIGHT = [("q01", "d01"), ("q01", "d02"), ("q02", "d01")]


@pytest.mark.parametrize("wrapping", WRAPPINGS)
@pytest.mark.parametrize("name", ANSWERS)
def test_answers(tmp_path: Path, name: str, wrapping: str) -> None:
    """Of two queries; without ids among them these are given."""
    named = wrapping not in ("list", "list under a key")
    if name in OWN and (
        not named or wrapping in ("record, body", "record, bm25_retriever", "by id under a key")
    ):
        pytest.skip("a general form needs its query named, and a key that says that results follow")
    assert read(tmp_path, WRAPPINGS[wrapping](ANSWERS[name]), named=named) == RIGHT


@pytest.mark.parametrize("name", [each for each in ANSWERS if each not in OWN])
def test_one_response(tmp_path: Path, name: str) -> None:
    """Alone in its file, whose query is given."""
    path = tmp_path / "input"
    path.write_text(json.dumps(ANSWERS[name]("q01")))
    (tmp_path / "qids").write_text("q01")
    found = chosen(str(path), "run")
    assert found is not None
    run = read_mapped_run(str(path), found.variant.mapping, Settings(qids=str(tmp_path / "qids"))).run()
    assert run.table.sort("score", descending=True).get_column("doc_id").to_list() == ["d01", "d02"]


@pytest.mark.parametrize("name", ANSWERS)
def test_a_folder(tmp_path: Path, name: str) -> None:
    """A file a query, named by its id."""
    folder = tmp_path / "responses"
    folder.mkdir()
    for query in QUERIES:
        (folder / f"{query}.json").write_text(json.dumps(ANSWERS[name](query)))
    found = chosen(str(folder), "run")
    assert found is not None
    table = read_mapped_run(str(folder), found.variant.mapping, Settings()).run().table
    assert (
        table.sort("score", descending=True)
        .sort("query_id", maintain_order=True)
        .select("query_id", "doc_id")
        .rows()
        == RIGHT
    )


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("name", ROWS)
def test_tables(tmp_path: Path, name: str, kind: str) -> None:
    """A row a hit, with its query, in every kind of table."""
    assert read(tmp_path, TABLES[kind](name), named=True) == RIGHT
