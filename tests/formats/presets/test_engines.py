"""Presets of search engines, vector stores and libraries: every fixture, by name and as it looks."""

import json
from pathlib import Path

import pytest

from formats.presets.preset_cases import COMMON, FORMATS, HIGHER, PRESETS, TEXTS, Case, convert, converted

# Three systems found the same documents in the same order; their scores differ.
WORDS = COMMON / "expected.run"
SIMILAR = FORMATS / "pinecone_query" / "expected.run"
DISTANT = FORMATS / "chroma_query" / "expected.run"
RANKED = FORMATS / "ragas_ids" / "expected.run"
JUDGED = COMMON / "expected.qrels"

QIDS = ("--qids", COMMON / "qids.txt")
DOCIDS = ("--docids", COMMON / "docids.txt")
LOWER = ("--lower-is-better",)


def shared(label: str, path: str, *options: object, kind: str = "run", auto: bool = True) -> Case:
    """A fixture with a mapping and an expected file of its own."""
    source = FORMATS / path
    folder = FORMATS / path.partition("/")[0]
    return Case(source, kind, label, folder / f"expected.{kind}", options, auto)


def own(
    label: str, path: str, expected: Path, *options: object, kind: str = "run", auto: bool = True
) -> Case:
    """A fixture written from the system's documentation."""
    return Case(PRESETS / path, kind, label, expected, options, auto)


CASES = (
    shared("elasticsearch.search", "elasticsearch_search/responses"),
    shared("elasticsearch.search", "elasticsearch_msearch/msearch.json", *QIDS),
    shared("elasticsearch.search", "opensearch_envelope_jsonl/log.jsonl"),
    shared("elasticsearch.rank_eval", "elasticsearch_rank_eval/request.json", kind="qrels"),
    own("elasticsearch.async", "elasticsearch/async.jsonl", WORDS),
    own("elasticsearch.search", "elasticsearch/log_body.jsonl", WORDS),
    own("elasticsearch.search", "elasticsearch/sorted.jsonl", RANKED),
    own("elasticsearch.rank_eval_response", "elasticsearch/rank_eval_response.json", WORDS),
    own("elasticsearch.search", "elasticsearch/msearch_failed.json", WORDS, *QIDS),
    # What OpenSearch answers is what Elasticsearch answers, and is taken for that.
    shared("opensearch.search", "elasticsearch_search/responses", auto=False),
    shared("opensearch.search", "elasticsearch_msearch/msearch.json", *QIDS, auto=False),
    shared("opensearch.search", "opensearch_envelope_jsonl/log.jsonl", auto=False),
    own("opensearch.judgments", "opensearch/judgments.json", JUDGED, *TEXTS, kind="qrels"),
    own("opensearch.judgments_response", "opensearch/judgments_response.json", JUDGED, *TEXTS, kind="qrels"),
    shared("solr.select", "solr_select/responses"),
    own("solr.select", "solr/log.jsonl", WORDS),
    own("solr.select", "solr/unscored.jsonl", RANKED, *TEXTS),
    own("solr.grouped", "solr/grouped.jsonl", WORDS, *TEXTS),
    own("solr.grouped_simple", "solr/grouped_simple.jsonl", WORDS, *TEXTS),
    shared("vespa", "vespa/responses"),
    own("vespa", "vespa/grouping.jsonl", WORDS),
    shared("qdrant.points", "qdrant_query_batch/batch.json", *QIDS, *HIGHER),
    own("qdrant.query", "qdrant/query.jsonl", SIMILAR, *HIGHER),
    own("qdrant.query", "qdrant/numbers.jsonl", PRESETS / "qdrant/expected.numbers.run", *HIGHER),
    own("qdrant.groups", "qdrant/groups.jsonl", SIMILAR, *HIGHER),
    own("qdrant.search", "qdrant/search.jsonl", SIMILAR, *HIGHER),
    own("qdrant.points", "qdrant/search_batch.json", SIMILAR, *QIDS, *HIGHER),
    own("qdrant.points", "qdrant/client.jsonl", DISTANT, *LOWER),
    own("qdrant.points", "qdrant/client_batch.json", SIMILAR, *QIDS, *HIGHER),
    shared("weaviate.objects", "weaviate_client_objects/log.jsonl", *LOWER),
    own("weaviate.graphql", "weaviate/graphql.jsonl", SIMILAR, *HIGHER),
    own("weaviate.graphql", "weaviate/graphql_distance.jsonl", DISTANT, *LOWER),
    shared("pinecone.query", "pinecone_query/log.jsonl", *HIGHER),
    own("pinecone.search_records", "pinecone/search_records.jsonl", SIMILAR, *HIGHER),
    shared("milvus.search", "milvus_search/hits.json", *QIDS, *HIGHER),
    own("milvus.search", "milvus/log.jsonl", DISTANT, *LOWER),
    own("milvus.rest", "milvus/rest.jsonl", SIMILAR, *HIGHER),
    shared("chroma.query", "chroma_query/result.json", *QIDS),
    own("chroma.query", "chroma/single.jsonl", DISTANT),
    own("chroma.query_unscored", "chroma/unscored.json", RANKED, *QIDS),
    own("chroma.search", "chroma/search.json", DISTANT, *QIDS),
    shared("pgvector.distance", "pgvector_csv/rows.csv"),
    own("pgvector.distance", "pgvector/left_join.csv", DISTANT),
    own("pgvector.similarity", "pgvector/similarity.csv", SIMILAR),
    own("pgvector.distance", "pgvector/json_agg.json", DISTANT),
    own("pgvector.similarity", "pgvector/json_agg_similarity.json", SIMILAR),
    shared("faiss.npy", "faiss_npy/I.npy", *QIDS, *DOCIDS, *LOWER),
    own("faiss.json", "faiss/results.json", SIMILAR, *QIDS, *DOCIDS, *HIGHER),
    shared("meilisearch.search", "meilisearch/responses"),
    own("meilisearch.search", "meilisearch/log.jsonl", SIMILAR),
    own("meilisearch.search", "meilisearch/beside.jsonl", SIMILAR),
    own("meilisearch.search_unscored", "meilisearch/unscored.jsonl", RANKED),
    own("meilisearch.search", "meilisearch/multi.json", SIMILAR, *TEXTS),
    own("meilisearch.search_unscored", "meilisearch/multi_unscored.json", RANKED, *QIDS),
    own("meilisearch.federated", "meilisearch/federated.jsonl", SIMILAR),
    shared("typesense.search", "typesense_multi_search/multi.json", *TEXTS),
    own("typesense.vector", "typesense/vector.json", DISTANT, *QIDS),
    own("typesense.hybrid", "typesense/hybrid.json", SIMILAR, *TEXTS),
    own("typesense.search", "typesense/search.jsonl", PRESETS / "typesense/expected.run"),
    own("typesense.vector", "typesense/search_vector.jsonl", DISTANT),
    own("typesense.hybrid", "typesense/search_hybrid.jsonl", SIMILAR),
    own("typesense.grouped", "typesense/grouped.jsonl", PRESETS / "typesense/expected.run"),
    own("azure-search.search", "azure-search/search.jsonl", WORDS),
    own("azure-search.semantic", "azure-search/semantic.jsonl", SIMILAR),
    own("azure-search.boosted", "azure-search/boosted.jsonl", SIMILAR),
    shared("vertex-search.scored", "discovery_engine/responses"),
    own("vertex-search.scored", "vertex-search/snake.jsonl", SIMILAR),
    own("vertex-search.unscored", "vertex-search/unscored.jsonl", RANKED),
    own(
        "vertex-search.chunks",
        "vertex-search/chunks.jsonl",
        SIMILAR,
        "--collapse-regex",
        "documents/([^/]+)/chunks",
    ),
    own("kendra", "kendra/retrieve.jsonl", RANKED),
    shared("bedrock-kb", "bedrock_kb_retrieve/responses", "--id-encoding", "percent"),
    own("bedrock-kb", "bedrock-kb/places.jsonl", SIMILAR),
    own("cohere-rerank.rerank", "cohere-rerank/cohere.jsonl", SIMILAR, *DOCIDS),
    own("cohere-rerank.rerank", "cohere-rerank/jina.jsonl", SIMILAR, *DOCIDS),
    own("cohere-rerank.voyage", "cohere-rerank/voyage.jsonl", SIMILAR, *DOCIDS),
    own("cohere-rerank.documents", "cohere-rerank/documents.jsonl", SIMILAR),
    own("cohere-rerank.documents", "cohere-rerank/request.jsonl", SIMILAR),
    shared("langchain.pairs", "langchain_scored_pairs/pairs.jsonl", *LOWER),
    own("langchain.pairs", "langchain/lists.json", DISTANT, *QIDS, *LOWER),
    own("langchain.serialized", "langchain/serialized.jsonl", SIMILAR, *HIGHER),
    own("langchain.serialized", "langchain/serialized_lists.json", SIMILAR, *QIDS, *HIGHER),
    own("langchain.documents", "langchain/documents.jsonl", RANKED),
    shared("colbert.ranking", "colbert_ranking_tsv/ranking.tsv", *DOCIDS),
    # Its three columns are those of a run of MS MARCO, and are taken for that.
    own(
        "colbert.unscored",
        "colbert/unscored.tsv",
        PRESETS / "colbert/expected.unscored.run",
        *DOCIDS,
        auto=False,
    ),
    own(
        "sentence-transformers.semantic_search",
        "sentence-transformers/semantic_search.json",
        SIMILAR,
        *QIDS,
        *DOCIDS,
    ),
    own("sentence-transformers.rank", "sentence-transformers/rank.jsonl", SIMILAR),
    own("sentence-transformers.semantic_search", "sentence-transformers/log.jsonl", SIMILAR, *DOCIDS),
    shared("bm25s.positions", "bm25s_arrays/results.json", *QIDS, *DOCIDS),
    own("bm25s.ids", "bm25s/ids.json", WORDS, *QIDS),
    own("bm25s.members", "bm25s/members.json", WORDS, *QIDS),
)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=str)
def test_by_name(tmp_path: Path, case: Case) -> None:
    """By its variant, and by its preset, which finds the variant."""
    expected = case.expected.read_bytes()
    assert converted(case, tmp_path, "--from", case.label) == expected
    assert converted(case, tmp_path, "--from", case.label.partition(".")[0]) == expected


@pytest.mark.parametrize("case", [case for case in CASES if case.auto], ids=str)
def test_as_it_looks(tmp_path: Path, capsys: pytest.CaptureFixture[str], case: Case) -> None:
    """Without being told, and saying what it was taken for."""
    assert converted(case, tmp_path, "--from", "auto") == case.expected.read_bytes()
    assert f"taken for {case.label}:" in capsys.readouterr().err


def hit(**fields: object) -> dict[str, object]:
    """An object of a response."""
    return fields


RERANKED = {"query_id": "q01", "documents": ["d01"], "results": [{"index": 1, "relevance_score": 0.9375}]}
ODATA = {"@odata.context": "https://town.search.windows.net/indexes('town')/$metadata#docs(*)"}
SEMANTIC = [
    {"@search.score": 0.03, "@search.rerankerScore": 2.5, "id": "d01"},
    {"@search.score": 0.02, "@search.rerankerScore": None, "id": "d02"},
]
UNNAMED = [[{"id": None, "metadata": {}, "page_content": "Rinse the kettle.", "type": "Document"}, 0.0625]]
TWO_QUERIES = {"code": 0, "data": [hit(id=1, distance=0.5), hit(id=2, distance=0.25)], "topks": [1, 1]}
FRACTION = {"judgmentRatings": [{"query": "kettle", "ratings": [{"docId": "d01", "rating": "0.7"}]}]}
SEVERAL = {"query_id": "q01", "ids": [["d01"], ["d02"]], "distances": [[0.1], [0.2]]}


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("elasticsearch", {"took": 3, "hits": {"total": 5}, "aggregations": {}}, "aggregations only"),
        ("elasticsearch.search", {"took": 3, "hits": {"total": 5}, "aggregations": {}}, "no hits.hits"),
        ("elasticsearch", {"took": 3, "errors": False, "items": []}, "bulk or count"),
        ("opensearch", {"took": 3, "hits": {"total": 5}}, "no hits.hits"),
        ("solr", {"responseHeader": {"params": {"q": "*"}}, "facet_counts": {}}, "facets"),
        ("solr", {"response": {"docs": [{"key": "d01", "score": 1.0}]}}, "without the field id"),
        ("vespa", {"pathId": "/", "documents": [{"id": "id:town:doc::d01"}]}, "none of the 1 records"),
        ("qdrant", {"result": {"points": [{"id": 1, "payload": {}}]}, "status": "ok"}, "scroll or retrieve"),
        ("weaviate", {"data": {"Aggregate": {"Town": [{"meta": {"count": 10}}]}}}, "aggregate response"),
        ("weaviate", {"data": {"Get": {"Town": [{"title": "Kettles"}]}}}, "without _additional"),
        ("pinecone", {"vectors": {"d01": {"id": "d01", "values": []}}}, "fetch or list"),
        ("milvus", TWO_QUERIES, "topks of more than"),
        ("milvus.rest", TWO_QUERIES, "has to be a list, not"),
        ("milvus", [[{"id": 1, "doc_id": "d01"}]], "without a distance"),
        ("chroma", {"ids": ["d01"], "metadatas": [None]}, "get() has one list"),
        ("chroma.query", SEVERAL, "an id has to be text"),
        ("pgvector", "query_id,doc_id,points\nq01,d01,0.5\n", "not guessed"),
        (
            "meilisearch",
            {"results": [{"id": "d01"}], "offset": 0, "limit": 20, "total": 1},
            "documents route",
        ),
        ("typesense", {"id": "d01", "text": "Rinse the kettle."}, "document export"),
        (
            "azure-search",
            {**ODATA, "value": [{"@search.text": "kettle", "id": "d01"}]},
            "suggest or autocomplete",
        ),
        ("azure-search", {**ODATA, "value": SEMANTIC}, "two scales"),
        ("vertex-search", {"results": [{"id": "d01"}], "attributionToken": "t"}, "recommend response"),
        ("kendra", {"QuerySuggestionsId": "1", "Suggestions": []}, "there is no ResultItems"),
        ("kendra", {"ResultItems": [{"Id": "1", "Content": "Rinse."}]}, "there is no id"),
        ("bedrock-kb", {"output": {"text": ""}, "citations": []}, "there is no retrievalResults"),
        ("bedrock-kb", {"retrievalResults": [{"content": {}, "score": 0.5}]}, "there is no id"),
        ("cohere-rerank", {"id": "0773", "results": [{"text": "Rinse.", "score": 0.5}]}, "without index"),
        ("cohere-rerank.documents", RERANKED, "there is no position 1 among 1"),
        ("langchain", {"query_id": "q01", "results": UNNAMED}, "put a doc_id into the metadata"),
        ("colbert", "q1\td1\t1\t12.5\n", "not numbers"),
        ("colbert", "1\t0\trelevant\n", "an annotation"),
        ("sentence-transformers", [[0.9375, 0, 4]], "paraphrase mining"),
        ("bm25s", {"documents": [[0, 1]], "scores": None}, "without scores"),
        ("bm25s.positions", {"documents": [[0, 1]], "scores": [[1.5]]}, "an id has to be text"),
    ],
)
def test_almost_right_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, value: object, message: str
) -> None:
    """With what is missing, and nothing is written; as it looks, it is of no system at all."""
    source = tmp_path / "q01.json"
    source.write_text(value if isinstance(value, str) else json.dumps(value))
    out = tmp_path / "out"
    options = (*HIGHER, "--make-qids", tmp_path / "made.tsv", *DOCIDS, "-o", out)
    assert convert("run", source, "--from", name, *options) == 3
    assert message in capsys.readouterr().err.replace("\n", " ")
    assert convert("run", source, "--from", "auto", "-o", out) != 0
    assert not out.exists()


def test_judgments_that_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Queries without ratings, and ratings that are no grades."""
    source, out = tmp_path / "set.json", tmp_path / "out"
    source.write_text(json.dumps({"name": "set", "querySetQueries": [{"queryText": "kettle"}]}))
    assert convert("qrels", source, "--from", "opensearch", "-o", out) == 3
    assert "query set" in capsys.readouterr().err
    source.write_text(json.dumps(FRACTION))
    assert convert("qrels", source, "--make-qids", tmp_path / "made.tsv", "-o", out) == 3
    assert "rel_map" in capsys.readouterr().err
    assert not out.exists()


def test_an_array_that_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Positions of one query without a row for it, or distances where the positions should be."""
    numpy = pytest.importorskip("numpy")
    source = tmp_path / "I.npy"
    for array, message in ((numpy.array([0, 1]), "does not look like"), (numpy.array([[0.5]]), "fractions")):
        numpy.save(source, array)
        numpy.save(tmp_path / "D.npy", array)
        assert convert("run", source, "--from", "faiss", *DOCIDS, *LOWER, "-o", tmp_path / "out") == 3
        assert message in capsys.readouterr().err


FAILURES = {
    "elasticsearch": {"error": {"type": "x"}, "status": 503},
    "qdrant": {"status": {"error": "Not found: Collection"}, "time": 0.0},
    "weaviate": {"data": {"Get": {"Town": None}}, "errors": [{"message": "x"}]},
    "pinecone": {"code": 3, "message": "Vector dimension 2 does not match", "details": []},
    "milvus": {"code": 1100, "message": "x"},
    "meilisearch": {"message": "x", "code": "index_not_found", "type": "invalid_request", "link": ""},
    "typesense": {"message": "Could not find a field"},
    "solr": {"responseHeader": {"status": 400}, "error": {"msg": "x", "code": 400}},
    "vespa": {"root": {"id": "toplevel", "relevance": 1.0, "errors": [{"code": 12}]}},
    "azure-search": {"error": {"code": "", "message": "x"}},
    "vertex-search": {"error": {"code": 404, "message": "x", "status": "NOT_FOUND"}},
    "kendra": {"__type": "ThrottlingException", "message": "x"},
    "bedrock-kb": {"message": "Too many requests"},
    "cohere-rerank": {"message": "invalid request"},
}
GOOD = {
    "elasticsearch": "elasticsearch_search/responses",
    "qdrant": "../presets/qdrant/query.jsonl",
    "weaviate": "../presets/weaviate/graphql.jsonl",
    "pinecone": "pinecone_query/log.jsonl",
    "milvus": "../presets/milvus/rest.jsonl",
    "meilisearch": "meilisearch/responses",
    "typesense": "../presets/typesense/search.jsonl",
    "solr": "solr_select/responses",
    "vespa": "vespa/responses",
    "azure-search": "../presets/azure-search/search.jsonl",
    "vertex-search": "discovery_engine/responses",
    "kendra": "../presets/kendra/retrieve.jsonl",
    "bedrock-kb": "bedrock_kb_retrieve/responses",
    "cohere-rerank": "../presets/cohere-rerank/voyage.jsonl",
}


def one_response(path: Path) -> dict[str, object]:
    """The first response of a fixture."""
    file = min(path.glob("*.json")) if path.is_dir() else path
    text = file.read_text()
    return dict(json.loads(text if path.is_dir() else text.splitlines()[0]))


@pytest.mark.parametrize("name", sorted(FAILURES))
def test_failed_requests(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    """They are reported as failed and never counted as empty; the format is recognised beside them."""
    folder, out = tmp_path / "responses", tmp_path / "out"
    folder.mkdir()
    good = one_response(FORMATS / GOOD[name])
    good.pop("query_id", None)
    good.pop("qid", None)
    (folder / "q01.json").write_text(json.dumps(good))
    (folder / "q02.json").write_text(json.dumps(FAILURES[name]))
    options = () if name in ("elasticsearch", "solr", "vespa", "meilisearch", "typesense") else HIGHER
    options = () if name in ("azure-search", "vertex-search", "kendra", "bedrock-kb") else options
    options = DOCIDS if name == "cohere-rerank" else options
    assert convert("run", folder, "--from", "auto", "--id-encoding", "percent", *options, "-o", out) == 0
    told = capsys.readouterr().err
    assert f"taken for {name}" in told
    assert "failed requests, which are not counted as empty: 1 (q02)" in told
    assert "that found nothing" not in told


@pytest.mark.parametrize("case", [case for case in CASES if {*HIGHER, *LOWER} & set(case.options)], ids=str)
def test_the_order_tells_the_direction(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], case: Case
) -> None:
    """Where a response cannot tell it; what is said is checked against the order of the hits."""
    others = [each for each in case.options if each not in (*HIGHER, *LOWER)]
    out = tmp_path / "out"
    lower = "--lower-is-better" in case.options
    assert convert("run", case.source, "--from", case.label, *others, "--tag", "demo", "-o", out) == 0
    assert out.read_bytes() == case.expected.read_bytes()
    said = capsys.readouterr().err
    assert ("the lowest is taken for the best" in said and "--higher-is-better" in said) == lower
    out.unlink()
    wrong = HIGHER if lower else LOWER
    assert convert("run", case.source, "--from", case.label, *others, *wrong, "-o", out) == 3
    assert "the other way round: query q01, rank 1: " in capsys.readouterr().err
    assert not out.exists()


def test_a_distance_is_not_taken_for_a_record_without_scores(tmp_path: Path) -> None:
    """The package's own form has scores or none, so other numbers are those of another system."""
    source, out = tmp_path / "in.json", tmp_path / "out"
    for file, expected in (("pgvector/json_agg.json", DISTANT), ("meilisearch/beside.jsonl", SIMILAR)):
        text = (PRESETS / file).read_text()
        records = (
            json.loads(text) if file.endswith(".json") else [json.loads(each) for each in text.splitlines()]
        )
        source.write_text(json.dumps([{**each, "hits": each["hits"] or []} for each in records]))
        assert convert("run", source, "--tag", "demo", "-o", out) == 0
        assert out.read_bytes() == expected.read_bytes()
