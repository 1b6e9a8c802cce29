"""Real output of search libraries, kept in files in every way in which people keep it.

Run by the interpreter of an environment of its own, which has the libraries and not treconcile:

    python make_output.py FOLDER

A library that is not there, or does not work as it did, is left out and named. `FOLDER/files.json` says of
every file what it holds: the documents of each query, best first.
"""

from __future__ import annotations

import importlib.metadata
import json
import random
import sys
import uuid
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

QUERIES = ("q01", "q02", "q03")
WORDS = [
    "kettle",
    "vinegar",
    "bakery",
    "tram",
    "garden",
    "lamp",
    "river",
    "stone",
    "paper",
    "bread",
    "window",
    "ladder",
]
DEPTH = 4

random.seed(7)
DOCUMENTS = {
    f"d{at:02}": ([random.uniform(0.1, 1) for _ in range(3)], " ".join(random.sample(WORDS, 5)))
    for at in range(1, 9)
}
ASKED = {
    query: ([random.uniform(0.1, 1) for _ in range(3)], " ".join(random.sample(WORDS, 3)))
    for query in QUERIES
}
IDS = list(DOCUMENTS)
UUIDS = {each: str(uuid.UUID(int=random.getrandbits(128))) for each in DOCUMENTS}

Right = dict[str, list[str]]


@dataclass
class Answers:
    """The answers of a library to all queries.

    Attributes:
        name: What is called for it.
        values: What the library gives for each query, as JSON has it.
        right: The documents of each query, best first.
        lower: Whether low scores are better; None if there are none.
        positions: Whether the documents are given by their positions.
        texts: Whether the text of the query is written beside an answer.
    """

    name: str
    values: dict[str, Any]
    right: Right
    lower: bool | None = None
    positions: bool = False


@dataclass
class Table:
    """A row a hit.

    Attributes:
        name: What is called for it.
        rows: The rows, each with its query.
        right: The documents of each query, best first.
        lower: Whether low scores are better; None if there are none.
    """

    name: str
    rows: list[dict[str, Any]]
    right: Right
    lower: bool | None = None


@dataclass
class Whole:
    """A file that a library writes by itself, or the answer to a batch of queries.

    Attributes:
        name: What is called for it.
        write: Writes it.
        right: The documents of each query, best first.
        ending: The file's ending.
        named: Whether it names its queries.
        lower: Whether low scores are better; None if there are none.
        positions: Whether the documents are given by their positions.
    """

    name: str
    write: Callable[[Path], object]
    right: Right
    ending: str = "json"
    named: bool = False
    lower: bool | None = None
    positions: bool = False


@dataclass
class File:
    """A file that was written, and what it holds."""

    library: str
    answer: str
    wrapping: str
    path: str
    named: bool
    positions: bool
    lower: bool | None
    right: Right = field(default_factory=dict)


Made = Answers | Table | Whole


def plain(value: object) -> Any:  # noqa: ANN401 - whatever JSON can hold
    """A value as `json.dumps(value, default=str)` keeps it."""

    def default(each: object) -> object:
        for way in ("tolist", "model_dump", "to_dict"):
            if hasattr(each, way):
                return getattr(each, way)()
        return str(each)

    return json.loads(json.dumps(value, default=default))


def writes(value: object) -> Callable[[Path], object]:
    """What writes a value as JSON."""
    text = json.dumps(value)
    return lambda path: path.write_text(text)


def chromadb() -> Iterator[Made]:
    import chromadb
    from chromadb.config import Settings

    client = chromadb.EphemeralClient(Settings(anonymized_telemetry=False))
    vectors = [vector for vector, _ in DOCUMENTS.values()]
    for space in ("l2", "cosine", "ip"):
        made = client.create_collection(
            f"test-{space}", metadata={"hnsw:space": space}, embedding_function=None
        )
        made.add(
            ids=IDS,
            embeddings=vectors,
            documents=[text for _, text in DOCUMENTS.values()],
            metadatas=[{"source": f"{each}.txt"} for each in IDS],
        )
        alone = {q: made.query(query_embeddings=[v], n_results=DEPTH) for q, (v, _) in ASKED.items()}
        right = {q: found["ids"][0] for q, found in alone.items()}
        yield Answers(f"query {space}", plain(alone), right, lower=True)
        flat = {
            q: {k: v[0] for k, v in found.items() if isinstance(v, list) and v and isinstance(v[0], list)}
            for q, found in alone.items()
        }
        yield Answers(f"query {space}, first lists", plain(flat), right, lower=True)
        rows = [
            {"query_id": q, "id": i, "distance": d, "document": t}
            for q, f in alone.items()
            for i, d, t in zip(f["ids"][0], f["distances"][0], f["documents"][0], strict=True)
        ]
        yield Table(f"rows {space}", plain(rows), right, lower=True)
        batch = plain(made.query(query_embeddings=[v for v, _ in ASKED.values()], n_results=DEPTH))
        yield Whole(f"batch {space}", writes(batch), right, lower=True)
        named = batch | {"query_ids": list(QUERIES)}
        yield Whole(
            f"batch with ids {space}",
            lambda path, it=named: path.write_text(json.dumps(it)),
            right,
            named=True,
            lower=True,
        )
    less = {
        q: made.query(query_embeddings=[v], n_results=DEPTH, include=["documents"])
        for q, (v, _) in ASKED.items()
    }
    yield Answers("query without distances", plain(less), {q: f["ids"][0] for q, f in less.items()})
    made = client.create_collection("test-chunks", embedding_function=None)
    made.add(
        ids=[UUIDS[each] for each in IDS], embeddings=vectors, metadatas=[{"doc_id": each} for each in IDS]
    )
    alone = {q: made.query(query_embeddings=[v], n_results=DEPTH) for q, (v, _) in ASKED.items()}
    right = {q: [each["doc_id"] for each in found["metadatas"][0]] for q, found in alone.items()}
    yield Answers("query, ids that the store made", plain(alone), right, lower=True)


def qdrant() -> Iterator[Made]:
    from qdrant_client import QdrantClient
    from qdrant_client.models import Distance, PointStruct, QueryRequest, VectorParams

    client = QdrantClient(":memory:")
    for metric, name, lower in (
        (Distance.COSINE, "doc_id", False),
        (Distance.DOT, "docid", False),
        (Distance.EUCLID, "document_id", True),
    ):
        client.create_collection(metric.name, vectors_config=VectorParams(size=3, distance=metric))
        points = [
            PointStruct(id=UUIDS[each] if lower else at, vector=vector, payload={name: each, "text": text})
            for at, (each, (vector, text)) in enumerate(DOCUMENTS.items())
        ]
        client.upsert(metric.name, points)
        found = {q: client.query_points(metric.name, query=v, limit=DEPTH) for q, (v, _) in ASKED.items()}
        right = {q: [each.payload[name] for each in f.points] for q, f in found.items()}
        about = metric.name.lower()
        yield Answers(f"query_points {about}", plain(found), right, lower=lower)
        yield Answers(f"points {about}", plain({q: f.points for q, f in found.items()}), right, lower=lower)
        yield Answers(
            f"REST {about}",
            plain({q: {"result": f.model_dump(), "status": "ok", "time": 0.001} for q, f in found.items()}),
            right,
            lower=lower,
        )
        rows = [
            {"query_id": q, "id": each.id, "score": each.score, **each.payload}
            for q, f in found.items()
            for each in f.points
        ]
        yield Table(f"rows {about}", plain(rows), right, lower=lower)
        yield Table(
            f"points as rows {about}",
            plain([{"query_id": q, **each.model_dump()} for q, f in found.items() for each in f.points]),
            right,
            lower=lower,
        )
        batch = client.query_batch_points(
            metric.name, [QueryRequest(query=v, limit=DEPTH, with_payload=True) for v, _ in ASKED.values()]
        )
        yield Whole(
            f"batch {about}",
            writes(plain(batch)),
            right,
            lower=lower,
        )
        groups = {
            q: client.query_points_groups(metric.name, group_by=name, query=v, limit=DEPTH, group_size=1)
            for q, (v, _) in ASKED.items()
        }
        yield Answers(
            f"groups {about}",
            plain(groups),
            {q: [g.hits[0].payload[name] for g in f.groups] for q, f in groups.items()},
            lower=lower,
        )
    bare = {
        q: client.query_points("COSINE", query=v, limit=DEPTH, with_payload=False)
        for q, (v, _) in ASKED.items()
    }
    yield Answers(
        "query_points without payload",
        plain(bare),
        {q: [str(each.id) for each in f.points] for q, f in bare.items()},
        lower=False,
    )


def lancedb() -> Iterator[Made]:
    import tempfile

    import lancedb

    base = lancedb.connect(tempfile.mkdtemp())
    rows = [{"doc_id": each, "vector": v, "text": t} for each, (v, t) in DOCUMENTS.items()]
    table = base.create_table("documents", rows)
    for metric in ("l2", "cosine", "dot"):

        def search(vector: list[float], metric: str = metric) -> Any:  # noqa: ANN401 - theirs
            query = table.search(vector)
            query = query.distance_type(metric) if hasattr(query, "distance_type") else query.metric(metric)
            return query.limit(DEPTH)

        found = {q: search(v).to_list() for q, (v, _) in ASKED.items()}
        right = {q: [each["doc_id"] for each in f] for q, f in found.items()}
        yield Answers(f"to_list {metric}", plain(found), right, lower=True)
        yield Table(
            f"rows {metric}",
            plain([{"query_id": q, **each} for q, f in found.items() for each in f]),
            right,
            lower=True,
        )
        frames = {
            q: json.loads(search(v).to_pandas().to_json(orient="records")) for q, (v, _) in ASKED.items()
        }
        yield Answers(f"to_pandas records {metric}", frames, right, lower=True)
        default = {q: json.loads(search(v).to_pandas().to_json()) for q, (v, _) in ASKED.items()}
        yield Answers(f"to_pandas default {metric}", default, right, lower=True)
    table.create_fts_index("text")
    found = {q: table.search(t, query_type="fts").limit(DEPTH).to_list() for q, (_, t) in ASKED.items()}
    yield Answers(
        "fts", plain(found), {q: [each["doc_id"] for each in f] for q, f in found.items()}, lower=False
    )


def llama_index() -> Iterator[Made]:
    from llama_index.core import MockEmbedding, VectorStoreIndex
    from llama_index.core.base.response.schema import Response
    from llama_index.core.schema import QueryBundle, TextNode

    for kind in ("own ids", "made ids"):
        nodes = [
            TextNode(
                text=text,
                embedding=vector,
                **({"id_": each} if kind == "own ids" else {}),
                metadata={"file_name": f"{each}.txt"} if kind == "own ids" else {"doc_id": each},
            )
            for each, (vector, text) in DOCUMENTS.items()
        ]
        index = VectorStoreIndex(nodes, embed_model=MockEmbedding(embed_dim=3))
        retriever = index.as_retriever(similarity_top_k=DEPTH)
        found = {q: retriever.retrieve(QueryBundle(query_str=t, embedding=v)) for q, (v, t) in ASKED.items()}
        right = {
            q: [n.node.node_id if kind == "own ids" else n.node.metadata["doc_id"] for n in f]
            for q, f in found.items()
        }
        yield Answers(
            f"model_dump, {kind}",
            plain({q: [n.model_dump() for n in f] for q, f in found.items()}),
            right,
            lower=False,
        )
        yield Answers(
            f"to_dict, {kind}",
            plain({q: [n.to_dict() for n in f] for q, f in found.items()}),
            right,
            lower=False,
        )
        yield Answers(
            f"response, {kind}",
            plain({q: Response(response="an answer", source_nodes=f).__dict__ for q, f in found.items()}),
            right,
            lower=False,
        )
        yield Answers(
            f"source_nodes, {kind}",
            plain(
                {q: {"answer": "a", "source_nodes": [n.model_dump() for n in f]} for q, f in found.items()}
            ),
            right,
            lower=False,
        )
        rows = [
            {"query_id": q, "node_id": n.node.node_id, "score": n.score, **n.node.metadata}
            for q, f in found.items()
            for n in f
        ]
        yield Table(f"rows, {kind}", plain(rows), right, lower=False)
    from llama_index.core.vector_stores import SimpleVectorStore, VectorStoreQuery

    store = SimpleVectorStore()
    store.add([TextNode(id_=each, text=t, embedding=v) for each, (v, t) in DOCUMENTS.items()])
    results = {
        q: store.query(VectorStoreQuery(query_embedding=v, similarity_top_k=DEPTH))
        for q, (v, _) in ASKED.items()
    }
    yield Answers(
        "VectorStoreQueryResult",
        plain({q: f.__dict__ for q, f in results.items()}),
        {q: f.ids for q, f in results.items()},
        lower=False,
    )


def langchain() -> Iterator[Made]:
    from langchain_core.documents import Document
    from langchain_core.embeddings import Embeddings
    from langchain_core.load import dumpd
    from langchain_core.vectorstores import InMemoryVectorStore

    vectors = {text: vector for vector, text in (*DOCUMENTS.values(), *ASKED.values())}

    class Known(Embeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [vectors[each] for each in texts]

        def embed_query(self, text: str) -> list[float]:
            return vectors[text]

    for kind in ("doc_id", "made ids", "own ids"):
        store = InMemoryVectorStore(Known())
        documents = [
            Document(
                page_content=text,
                id=each if kind == "own ids" else None,
                metadata={"doc_id": each} if kind != "own ids" else {"source": f"{each}.txt"},
            )
            for each, (_, text) in DOCUMENTS.items()
        ]
        store.add_documents(documents)
        pairs = {q: store.similarity_search_with_score(t, k=DEPTH) for q, (_, t) in ASKED.items()}

        def name(document: Any, kind: str = kind) -> str:  # noqa: ANN401 - theirs
            return document.id if kind == "own ids" else document.metadata["doc_id"]

        right = {q: [name(d) for d, _ in f] for q, f in pairs.items()}
        yield Answers(f"pairs, {kind}", plain(pairs), right, lower=False)
        yield Answers(
            f"pairs dumpd, {kind}",
            plain({q: [[dumpd(d), s] for d, s in f] for q, f in pairs.items()}),
            right,
            lower=False,
        )
        yield Answers(
            f"pairs as objects, {kind}",
            plain({q: [{"document": d.model_dump(), "score": s} for d, s in f] for q, f in pairs.items()}),
            right,
            lower=False,
        )
        found = {q: store.as_retriever(search_kwargs={"k": DEPTH}).invoke(t) for q, (_, t) in ASKED.items()}
        yield Answers(f"documents, {kind}", plain(found), {q: [name(d) for d in f] for q, f in found.items()})
        yield Answers(
            f"documents dumpd, {kind}",
            plain({q: [dumpd(d) for d in f] for q, f in found.items()}),
            {q: [name(d) for d in f] for q, f in found.items()},
        )
        yield Answers(
            f"chain, {kind}",
            plain({q: {"input": ASKED[q][1], "context": f, "answer": "yes"} for q, f in found.items()}),
            {q: [name(d) for d in f] for q, f in found.items()},
        )
        yield Table(
            f"rows, {kind}",
            plain(
                [
                    {"query_id": q, **d.metadata, "id": d.id, "score": s}
                    for q, f in pairs.items()
                    for d, s in f
                ]
            ),
            right,
            lower=False,
        )


def haystack() -> Iterator[Made]:
    from haystack import Document, Pipeline
    from haystack.components.retrievers.in_memory import InMemoryBM25Retriever, InMemoryEmbeddingRetriever
    from haystack.document_stores.in_memory import InMemoryDocumentStore

    for kind in ("own ids", "made ids"):
        store = InMemoryDocumentStore(embedding_similarity_function="dot_product")
        store.write_documents(
            [
                Document(
                    content=t,
                    embedding=v,
                    meta={"name": each} if kind == "own ids" else {"doc_id": each},
                    **({"id": each} if kind == "own ids" else {}),
                )
                for each, (v, t) in DOCUMENTS.items()
            ]
        )

        def name(document: Any, kind: str = kind) -> str:  # noqa: ANN401 - theirs
            return document.id if kind == "own ids" else document.meta["doc_id"]

        retriever = InMemoryEmbeddingRetriever(store, top_k=DEPTH)
        found = {q: retriever.run(query_embedding=v) for q, (v, _) in ASKED.items()}
        right = {q: [name(d) for d in f["documents"]] for q, f in found.items()}
        for flat in (True, False):
            each = {
                q: {"documents": [d.to_dict(flatten=flat) for d in f["documents"]]} for q, f in found.items()
            }
            how = "flat" if flat else "nested"
            yield Answers(f"run {how}, {kind}", plain(each), right, lower=False)
            yield Answers(
                f"documents {how}, {kind}",
                plain({q: f["documents"] for q, f in each.items()}),
                right,
                lower=False,
            )
            yield Table(
                f"rows {how}, {kind}",
                plain([{"query_id": q, **row} for q, f in each.items() for row in f["documents"]]),
                right,
                lower=False,
            )
        pipeline = Pipeline()
        pipeline.add_component("bm25_retriever", InMemoryBM25Retriever(store, top_k=DEPTH))
        answers = {q: pipeline.run({"bm25_retriever": {"query": t}}) for q, (_, t) in ASKED.items()}
        yield Answers(
            f"pipeline, {kind}",
            plain(answers),
            {q: [name(d) for d in f["bm25_retriever"]["documents"]] for q, f in answers.items()},
            lower=False,
        )


def bm25s() -> Iterator[Made]:
    import bm25s

    texts = [text for _, text in DOCUMENTS.values()]
    index = bm25s.BM25()
    index.index(bm25s.tokenize(texts, show_progress=False), show_progress=False)
    tokens = {q: bm25s.tokenize([t], show_progress=False) for q, (_, t) in ASKED.items()}
    members = [{"id": each, "text": text} for each, (_, text) in DOCUMENTS.items()]
    for kind, corpus in (("positions", None), ("ids", IDS), ("members", members)):
        found = {q: index.retrieve(t, corpus=corpus, k=DEPTH, show_progress=False) for q, t in tokens.items()}

        def name(value: Any, kind: str = kind) -> str:  # noqa: ANN401 - theirs
            return (
                IDS[int(value)] if kind == "positions" else str(value["id"] if kind == "members" else value)
            )

        right = {
            q: [name(d) for d, s in zip(f.documents[0], f.scores[0], strict=True) if s > 0]
            for q, f in found.items()
        }
        positions = kind == "positions"
        yield Answers(
            f"retrieve, {kind}", plain({q: f._asdict() for q, f in found.items()}), right, False, positions
        )
        yield Answers(
            f"retrieve as a pair, {kind}",
            plain({q: list(f) for q, f in found.items()}),
            right,
            False,
            positions,
        )
        yield Answers(
            f"retrieve, first lists, {kind}",
            plain({q: {"documents": f.documents[0], "scores": f.scores[0]} for q, f in found.items()}),
            right,
            False,
            positions,
        )
        batch = index.retrieve(
            bm25s.tokenize([t for _, t in ASKED.values()], show_progress=False),
            corpus=corpus,
            k=DEPTH,
            show_progress=False,
        )
        yield Whole(
            f"batch, {kind}",
            writes(plain(batch._asdict())),
            right,
            lower=False,
            positions=positions,
        )
        if kind == "positions":
            import numpy

            yield Whole(
                "batch as npz",
                lambda path, it=batch: numpy.savez(path, documents=it.documents, scores=it.scores),
                right,
                "npz",
                lower=False,
                positions=True,
            )


def faiss() -> Iterator[Made]:
    import faiss
    import numpy

    vectors = numpy.array([v for v, _ in DOCUMENTS.values()], dtype="float32")
    asked = numpy.array([v for v, _ in ASKED.values()], dtype="float32")
    for kind, index in (("IP", faiss.IndexFlatIP(3)), ("L2", faiss.IndexFlatL2(3))):
        index.add(vectors)
        for depth in (DEPTH, 10):
            distances, positions = index.search(asked, depth)
            lower = kind == "L2"
            right = {
                q: [IDS[at] for at in row if at >= 0]
                for q, row in zip(QUERIES, positions.tolist(), strict=True)
            }
            about = f"{kind} {depth}"
            for names in (("D", "I"), ("distances", "indices"), ("scores", "labels"), ("distances", "ids")):
                batch = {names[0]: distances.tolist(), names[1]: positions.tolist()}
                if "ids" in names and depth > len(IDS):
                    continue
                yield Whole(
                    f"batch {'-'.join(names)} {about}",
                    writes(batch),
                    right,
                    lower=lower,
                    positions=True,
                )
                yield Whole(
                    f"npz {'-'.join(names)} {about}",
                    lambda path, n=names, d=distances, i=positions: numpy.savez(path, **{n[0]: d, n[1]: i}),
                    right,
                    "npz",
                    lower=lower,
                    positions=True,
                )
                alone = {
                    q: {names[0]: d, names[1]: i}
                    for q, d, i in zip(QUERIES, distances.tolist(), positions.tolist(), strict=True)
                }
                yield Answers(f"lists {'-'.join(names)} {about}", alone, right, lower, positions=True)
            if depth == DEPTH:
                named = {
                    q: [{"doc_id": IDS[i], "score": d} for d, i in zip(dd, ii, strict=True)]
                    for q, dd, ii in zip(QUERIES, distances.tolist(), positions.tolist(), strict=True)
                }
                yield Answers(f"looked up {about}", named, right, lower)
                yield Answers(
                    f"pairs {about}",
                    {q: [[e["doc_id"], e["score"]] for e in f] for q, f in named.items()},
                    right,
                    lower,
                )
                yield Table(
                    f"rows {about}", [{"query_id": q, **e} for q, f in named.items() for e in f], right, lower
                )
                distance = {
                    q: [{"doc_id": e["doc_id"], "distance": e["score"]} for e in f] for q, f in named.items()
                }
                yield Answers(f"looked up, distance {about}", distance, right, lower)


def tantivy() -> Iterator[Made]:
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_text_field("doc_id", stored=True, tokenizer_name="raw")
    builder.add_text_field("body", stored=True)
    index = tantivy.Index(builder.build())
    writer = index.writer()
    for each, (_, text) in DOCUMENTS.items():
        writer.add_document(tantivy.Document(doc_id=each, body=text))
    writer.commit()
    index.reload()
    searcher = index.searcher()
    hits = {q: searcher.search(index.parse_query(t, ["body"]), DEPTH).hits for q, (_, t) in ASKED.items()}
    documents = {q: [(s, searcher.doc(at)) for s, at in f] for q, f in hits.items()}
    right = {q: [d["doc_id"][0] for _, d in f] for q, f in documents.items()}
    yield Answers(
        "hits", plain({q: [[s, d.to_dict()] for s, d in f] for q, f in documents.items()}), right, lower=False
    )
    yield Answers(
        "objects",
        plain({q: [{"score": s, "doc": d.to_dict()} for s, d in f] for q, f in documents.items()}),
        right,
        lower=False,
    )
    yield Answers(
        "ids and scores",
        plain({q: [{"score": s, "doc_id": d["doc_id"][0]} for s, d in f] for q, f in documents.items()}),
        right,
        lower=False,
    )
    yield Answers(
        "fields beside the score",
        plain({q: [{"score": s, **d.to_dict()} for s, d in f] for q, f in documents.items()}),
        right,
        lower=False,
    )
    yield Answers(
        "score first",
        plain({q: [[s, d["doc_id"][0]] for s, d in f] for q, f in documents.items()}),
        right,
        lower=False,
    )


def saved(run: Any, kind: str, path: Path) -> None:  # noqa: ANN401 - of ranx
    """Save a run as ranx does."""
    run.save(str(path), kind=kind)


def ranx() -> Iterator[Made]:
    from ranx import Run

    run = Run(
        {
            q: {
                each: 1 / (1 + sum((a - b) ** 2 for a, b in zip(v, w, strict=True)))
                for each, (w, _) in DOCUMENTS.items()
            }
            for q, (v, _) in ASKED.items()
        }
    )
    right = {q: sorted(f, key=f.get, reverse=True) for q, f in run.to_dict().items()}
    for ending in ("json", "trec", "txt", "lz4", "parquet", "gz"):
        kinds = {"txt": "trec", "gz": "json"}
        yield Whole(
            f"save {ending}",
            partial(saved, run, kinds.get(ending, ending)),
            right,
            ending,
            named=True,
            lower=False,
        )
    yield Answers("to_dict", plain(run.to_dict()), right, lower=False)
    yield Table("to_dataframe", run.to_dataframe().to_dict("records"), right, lower=False)


LIBRARIES: dict[str, tuple[str, Callable[[], Iterator[Made]]]] = {
    "chromadb": ("chromadb", chromadb),
    "qdrant": ("qdrant-client", qdrant),
    "lancedb": ("lancedb", lancedb),
    "llama_index": ("llama-index-core", llama_index),
    "langchain": ("langchain-core", langchain),
    "haystack": ("haystack-ai", haystack),
    "bm25s": ("bm25s", bm25s),
    "faiss": ("faiss-cpu", faiss),
    "tantivy": ("tantivy", tantivy),
    "ranx": ("ranx", ranx),
}

KEYS = ("result", "results", "response", "hits", "documents", "retrieved", "output")


def wrapped(values: dict[str, Any]) -> Iterator[tuple[str, bool, list[str], dict[str, str]]]:
    """Names and texts of files that hold answers, whether they name their queries, and which these are."""
    every = list(values)
    first = every[0]
    yield "one response", False, [first], {"in.json": json.dumps(values[first])}
    yield (
        "one response in a file of its name",
        False,
        [first],
        {f"{first}/{first}.json": json.dumps(values[first])},
    )
    for name, part in (("", every), (", one query", every[:1])):
        some = {query: values[query] for query in part}
        listed = list(some.values())
        yield f"list{name}", False, part, {"in.json": json.dumps(listed)}
        yield f"by id{name}", True, part, {"in.json": json.dumps(some, indent=1)}
        yield f"lines without ids{name}", False, part, {"in.jsonl": lines(listed)}
        yield (
            f"a line {{id: answer}} a query{name}",
            True,
            part,
            {"in.jsonl": lines([{q: a} for q, a in some.items()])},
        )
        for key in KEYS:
            records = [{"query_id": query, key: answer} for query, answer in some.items()]
            yield f"records, {key}{name}", True, part, {"in.json": json.dumps(records)}
            texts = [{"id": q, "query": ASKED[q][1], key: answer} for q, answer in some.items()]
            yield f"lines with texts, {key}{name}", True, part, {"in.jsonl": lines(texts)}
        records = [
            {"query_id": query, "latency_ms": 3, "results": answer, "k": 4} for query, answer in some.items()
        ]
        yield f"records with more{name}", True, part, {"in.json": json.dumps(records)}
        yield (
            f"records under queries{name}",
            True,
            part,
            {"in.json": json.dumps({"model": "m", "queries": records})},
        )
        yield (
            f"by id under a key{name}",
            True,
            part,
            {"in.json": json.dumps({"config": {"k": 4}, "results": some})},
        )
        nested = {query: {"query": ASKED[query][1], "results": answer} for query, answer in some.items()}
        yield f"by id, records{name}", True, part, {"in.json": json.dumps(nested)}
    yield "folder", True, every, {f"in/{query}.json": json.dumps(answer) for query, answer in values.items()}


def lines(values: list[Any]) -> str:
    """JSON Lines."""
    return "".join(json.dumps(each) + "\n" for each in values)


def tables(rows: list[dict[str, Any]]) -> Iterator[tuple[str, str, Callable[[Path], object]]]:
    """Names, endings and writers of tables."""
    import pandas

    frame = pandas.DataFrame(rows)
    for orient in ("records", "columns", "index", "split", "values", "table"):
        yield f"to_json {orient}", "json", lambda path, o=orient: frame.to_json(path, orient=o)
    yield "to_json", "json", frame.to_json
    yield "to_json lines", "jsonl", lambda path: frame.to_json(path, orient="records", lines=True)
    yield "to_dict list", "json", lambda path: path.write_text(json.dumps(plain(frame.to_dict("list"))))
    yield "to_csv", "csv", lambda path: frame.to_csv(path, index=False)
    yield "to_csv with index", "csv", frame.to_csv
    yield "to_csv tabs", "tsv", lambda path: frame.to_csv(path, index=False, sep="\t")
    yield "to_csv semicolons", "csv", lambda path: frame.to_csv(path, index=False, sep=";")
    yield "to_csv gz", "csv.gz", lambda path: frame.to_csv(path, index=False)
    yield (
        "to_csv by query",
        "csv",
        lambda path: frame.set_index("query_id" if "query_id" in frame else "q_id").to_csv(path),
    )
    yield "to_parquet", "parquet", lambda path: frame.to_parquet(path, index=False)
    yield "to_parquet with index", "parquet", lambda path: frame.set_index(frame.columns[0]).to_parquet(path)
    yield "to_feather", "feather", frame.to_feather
    yield "arrow file", "arrow", lambda path: arrow(frame, path, file=True)
    yield "arrow stream", "arrows", lambda path: arrow(frame, path, file=False)
    key = "query_id" if "query_id" in frame else "q_id"
    groups = {
        q: json.loads(part.drop(columns=key).to_json(orient="records")) for q, part in frame.groupby(key)
    }
    yield "groups as records", "json", lambda path: path.write_text(json.dumps(groups))
    listed = frame.groupby(key).agg(list).reset_index()
    yield "groups as lists", "json", lambda path: listed.to_json(path, orient="records")
    yield "groups as lists, lines", "jsonl", lambda path: listed.to_json(path, orient="records", lines=True)
    yield "groups as lists, csv", "csv", lambda path: listed.to_csv(path, index=False)
    yield "groups as lists, parquet", "parquet", listed.to_parquet


def arrow(frame: Any, path: Path, *, file: bool) -> None:  # noqa: ANN401 - of pandas
    """Write a table in the Arrow format."""
    import pyarrow

    table = pyarrow.Table.from_pandas(frame)
    new = pyarrow.ipc.new_file if file else pyarrow.ipc.new_stream
    with pyarrow.OSFile(str(path), "wb") as sink, new(sink, table.schema) as writer:
        writer.write_table(table)


def written(folder: Path, library: str, made: Made) -> Iterator[File]:
    """The files of one call of a library."""

    def place(wrapping: str) -> Path:
        name = f"{made.name}-{wrapping}".replace("/", "-")
        inner = folder / library / "".join(each if each.isalnum() else "_" for each in name)
        inner.mkdir(parents=True, exist_ok=True)
        return inner

    if isinstance(made, Whole):
        path = place("whole") / f"in.{made.ending}"
        made.write(path)
        yield File(library, made.name, "whole", str(path), made.named, made.positions, made.lower, made.right)
    elif isinstance(made, Table):
        for wrapping, ending, write in tables(made.rows):
            path = place(wrapping) / f"in.{ending}"
            try:
                write(path)
            except Exception as error:
                print(
                    f"not written: {library}, {made.name}, {wrapping}: {type(error).__name__}",
                    file=sys.stderr,
                )
                continue
            yield File(library, made.name, wrapping, str(path), True, False, made.lower, made.right)
    else:
        for wrapping, named, queries, files in wrapped(made.values):
            inner = place(wrapping)
            for name, text in files.items():
                (inner / name).parent.mkdir(exist_ok=True)
                (inner / name).write_text(text)
            path = inner / "in" if "in/" in next(iter(files)) else inner / next(iter(files))
            right = {query: made.right[query] for query in queries}
            yield File(library, made.name, wrapping, str(path), named, made.positions, made.lower, right)


def main(folder: Path, only: list[str]) -> None:
    """Write the files of all libraries, and what they hold."""
    files: list[File] = []
    versions: dict[str, str] = {}
    for library, (package, make) in LIBRARIES.items():
        if only and library not in only:
            continue
        try:
            versions[library] = importlib.metadata.version(package)
            for made in make():
                files += written(folder, library, made)
        except Exception as error:
            print(f"left out: {library}: {type(error).__name__}: {error}", file=sys.stderr)
    listed = {"versions": versions, "documents": IDS, "files": [asdict(each) for each in files]}
    (folder / "files.json").write_text(json.dumps(listed, indent=1))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
