"""What systems and people call the parts of a query's answer: one table for everything that looks for them."""

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

DOCUMENT_TEXTS = ("text", "contents")
GRADES = ("grade", "relevance", "rel")
REASONS = ("why", "reason")
RANKS = ("rank", "position")
SCORES = frozenset(
    ["score", "_score", "bm25_score", "bm25", "cosine", "cosine_similarity", "sim", "similarity", "similarity_score", "dist", "distance", "_distance", "vector_distance", "relevance", "relevance_score", "_relevance_score", "rerank_score", "rrf_score", "final_score", "match_score", "combined", "confidence", "certainty", "probability", "percentScore", "rankingScore", "_rankingScore", "dot_product"]
)
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
CONTAINERS = frozenset(
    ["value", "result", "results", "hits", "matches", "documents", "docs", "document", "items", "data", "points", "objects", "response", "responses", "records", "rows", "nodes", "contexts", "references", "passages", "ids", "scores", "distances", "retrieved", "sources", "citations", "list", "body", "relevant", "queries", "corpus", "indices", "labels", "keys", "metadatas", "embeddings", "I", "D", "questions", "details", "tests", "requests", "output", "citations", "sessionId", "answer", "meta", "metadata", "usage", "_shards", "aggregations", "facet_counts", "responseHeader", "params", "highlighting", "retrieved_documents", "ground_truth_documents", "relevant_docs", "grouped", "root"]
)
"""Names that responses give to their parts, and nobody to a query."""

COMMON = frozenset((*DOCUMENT_IDS, *QUERY_IDS, *RANKS, "score", "_score", "text", "title"))
"""Names that many systems give to the parts of a hit, so that they tell none of them."""


def quoted(name: str) -> str:
    """A name as it stands in an expression."""
    plain = name.isascii() and name.isidentifier()
    return name if plain else '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def either(names: tuple[str, ...]) -> str:
    """An expression for the first of several names that is there."""
    return " || ".join(map(quoted, names))
