"""What systems and people call the parts of an answer: one table for everything that looks for them."""

from __future__ import annotations

QUERY_IDS = ("query_id", "qid", "q_id", "query-id", "queryId", "topic_id", "question_id")
"""Names of the query's id that are never anything else."""

RECORD_IDS = ("id", "_id")
"""Names of the query's id in a record that somebody wrote around an answer."""

QUERY_TEXTS = ("query", "text", "query_text", "question")
DOCUMENT_IDS = ("doc_id", "docid", "docno", "id", "_id")
OWN_IDS = ("doc_id", "docid", "docno", "document_id")
"""Names that people give to their own id among the fields that they store beside a document."""

SOURCES = ("source", "file_path", "file_name", "path", "url", "title")
"""Names under which it is often said where a document comes from."""

GRADES = ("grade", "relevance", "rel")
RANKS = ("rank", "position")
SCORES = frozenset((
    "_distance", "_rankingScore", "_relevance_score", "_score", "bm25", "bm25_score", "certainty",
    "combined", "confidence", "cosine", "cosine_similarity", "dist", "distance", "dot_product",
    "final_score", "match_score", "percentScore", "probability", "rankingScore", "relevance",
    "relevance_score", "rerank_score", "rrf_score", "score", "sim", "similarity", "similarity_score",
    "vector_distance",
))  # fmt: skip
"""What a number is called that may be a score."""

RESULTS = (
    *(
        "results",
        "hits",
        "documents",
        "result",
        "response",
        "retrieved",
        "ranking",
        "matches",
        "docs",
        "items",
    ),
    *("contexts", "nodes", "points", "body", "output"),
)
CONTAINERS = frozenset((
    "D", "I", "_shards", "aggregations", "answer", "body", "citations", "contexts", "corpus", "data",
    "details", "distances", "docs", "document", "documents", "embeddings", "facet_counts",
    "ground_truth_documents", "grouped", "highlighting", "hits", "ids", "indices", "items", "keys",
    "labels", "list", "matches", "meta", "metadata", "metadatas", "nodes", "objects", "output", "params",
    "passages", "points", "queries", "questions", "records", "references", "relevant", "relevant_docs",
    "requests", "response", "responseHeader", "responses", "result", "results", "retrieved",
    "retrieved_documents", "root", "rows", "scores", "sessionId", "sources", "tests", "usage", "value",
))  # fmt: skip
"""Names that responses give to their parts, and nobody to a query."""

COLUMNS = frozenset((*DOCUMENT_IDS, *OWN_IDS, *RANKS, *SCORES))
"""Names of the columns of a table of hits, which are never ids of queries."""

COMMON = frozenset((*DOCUMENT_IDS, *QUERY_IDS, *RANKS, "score", "_score", "text", "title"))
"""Names that many systems give to the parts of a hit, so that they tell none of them."""


def quoted(name: str) -> str:
    """A name as it stands in an expression."""
    plain = name.isascii() and name.isidentifier()
    return name if plain else '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def either(names: tuple[str, ...]) -> str:
    """An expression for the first of several names that is there."""
    return " || ".join(map(quoted, names))
