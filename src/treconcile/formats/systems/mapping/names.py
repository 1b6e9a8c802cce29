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

RELEVANT = (
    *("relevant_ids", "relevant_doc_ids", "relevant_docs", "relevant_documents", "relevant_document_ids"),
    *("relevant_chunk_ids", "relevant_passages", "relevant_passage_ids", "relevant", "positive_ids"),
    *("expected_source_ids", "expected_chunk_ids", "expected_doc", "expected_document", "gold_chunk_ids"),
    *(
        "expected",
        "expected_ids",
        "expected_docs",
        "expected_doc_ids",
        "expected_documents",
        "expected_sources",
    ),
    *("gold", "gold_ids", "gold_doc_id", "gold_doc_ids", "gold_docs", "gold_documents", "gold_passages"),
    *("golden_doc_id", "golden_doc_ids", "golden_ids", "golden_docs", "ground_truth", "ground_truth_ids"),
    *("ground_truth_doc_ids", "ground_truth_docs", "ground_truth_documents", "ground_truth_chunk_ids"),
    *("positive_ctx_ids", "positives", "positive_doc_ids", "correct_doc_id", "correct_doc_ids", "target_ids"),
    *("answer_doc_ids", "supporting_doc_ids", "reference_ids", "reference_doc_ids", "source_ids"),
)
"""What golden sets call the relevant documents of a query."""

PART_TITLES = {
    "qid": "the query's id",
    "docid": "the document's id",
    "score": "the score of a result",
    "rank": "the rank of a result",
    "rel": "the grade of a judgment",
    "relevant": "the relevant documents of a query: an id, or a list of ids or of objects",
    "query": "the query's text",
    "text": "the document's text",
    "id": "the id of a query or document, where no other name is there",
}
"""The parts of rows and records, in words."""

COLUMN_NAMES = {
    "qid": (
        *(
            *QUERY_IDS,
            "topic",
            "topic_no",
            "topic_num",
            "topic_number",
            "question_no",
            "query_no",
            "query_num",
        ),
        *("query_number", "quid", "qno", "qry_id", "search_id", "request_id", "utterance_id", "turn_id"),
        *("sample_id", "example_id", "case_id", "test_id", "item_no", "prompt_id", "user_query_id"),
    ),
    "docid": (
        *(
            *OWN_IDS,
            "corpus_id",
            "passage_id",
            "product_id",
            "item_id",
            "doc",
            "document",
            "did",
            "d_id",
            "pid",
        ),
        *("p_id", "passage", "chunk_id", "paper_id", "article_id", "page_id", "doc_name", "doc_no", "docnum"),
        *("document_number", "para_id", "paragraph_id", "node_id", "context_id", "candidate_id", "url"),
    ),
    "relevant": RELEVANT,
    "query": ("query", "question", "query_text", "question_text", "text", "title", "user_input", "utterance"),
    "text": (
        "text",
        "content",
        "body",
        "page_content",
        "contents",
        "passage_text",
        "passage",
        "document",
        "chunk",
    ),
    "id": ("id", "_id", "uuid"),
    "rel": (
        *GRADES,
        "label",
        "rating",
        "judgment",
        "judgement",
        "relevance_label",
        "relevance_grade",
        "esci_label",
        *("annotation", "gain", "relevance_judgment", "relevance_judgement", "relevancy", "rel_grade"),
        *("graded_relevance", "human_label", "annotator_label", "is_relevant", "relevant", "class_label"),
    ),
    "score": tuple(sorted(SCORES - {"relevance"})),
    "rank": RANKS,
}
"""What columns of tables are called, by the keys of a mapping; case and separators do not count."""

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
