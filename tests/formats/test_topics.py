"""Queries and documents: TREC markup, tab-separated lines, JSON, and writing them."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from text_output import write_corpus, write_queries
from treconcile.errors import DuplicateError, EmptyError, FormatError, IdError, TreconcileError, UsageError
from treconcile.formats import read_corpus, read_queries
from treconcile.formats.texts.topics import (
    read_trec_documents,
    read_trec_topics,
    read_tsv_documents,
    read_tsv_queries,
)
from treconcile.model import Corpus, Queries

FIXTURES = Path(__file__).parents[1] / "data" / "formats"
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
TEXTS = st.dictionaries(TEXT.filter(bool), TEXT, min_size=1, max_size=4)

OLD_TOPICS = """
<top>

<num> Number: 301
<title> International Organized Crime

<desc> Description:
Identify organizations that <participate> in crime.

<narr> Narrative:
A relevant document must name one.

</top>

<top>
<num> Number: 302
<title> Topic: Poliomyelitis & <b>Post</b>-Polio
</top>
"""


@pytest.fixture
def vaswani() -> Path:
    """The real collection, where the tests are told its place."""
    place = Path(os.environ.get("TRECONCILE_TEST_DATA", "/nonexistent")) / "vaswani"
    if not place.is_dir():
        pytest.skip("TRECONCILE_TEST_DATA does not name the real collections")
    return place


def test_old_topics() -> None:
    """Topics without closing tags: the labels before number and title are not part of them."""
    assert read_trec_topics(OLD_TOPICS, "t").texts == {
        "301": "International Organized Crime",
        "302": "Poliomyelitis & <b>Post</b>-Polio",
    }


def test_new_topics() -> None:
    """Topics with closing tags, whatever the case; an inner line break stays."""
    closed = "<TOP>\n<NUM>007</NUM><TITLE>\nwho\nis it?\n</TITLE>\n</TOP>\n"
    one_line = "<top><num>Number: 2 <title>что? <desc>no</top>"
    assert read_trec_topics(closed + one_line, "t").texts == {"007": "who\nis it?", "2": "что?"}


def test_topics_that_are_not_closed() -> None:
    """The next topic ends one that lacks its end."""
    assert read_trec_topics("<top><num>1<title>a\n<top><num>2<title>b", "t").texts == {"1": "a", "2": "b"}


@pytest.mark.parametrize(
    ("text", "line"),
    [("<top>\n</top>\n<top><num>1<title>a</top>", 1), ("<top><num>1<title>a</top>\n<top><num>2</top>", 2)],
)
def test_a_topic_that_lacks_something_is_refused(text: str, line: int) -> None:
    """A topic has a number and a title."""
    with pytest.raises(FormatError) as caught:
        read_trec_topics(text, "t")
    assert caught.value.where == f"t:{line}"


def test_trec_documents() -> None:
    """The text follows the number; sections give their text only."""
    text = (
        "<DOC>\n<DOCNO> d1 </DOCNO>\ntwo\nlines & a < b\n</DOC>\n"
        "<doc><docno>d2</docno><DATE>1999</DATE><TITLE>Title</TITLE><TEXT>\nbody\n</TEXT></doc>\n"
        "<DOC><DOCNO>d3</DOCNO></DOC>"
    )
    assert read_trec_documents(text, "t").texts == {"d1": "two\nlines & a < b", "d2": "Title\nbody", "d3": ""}


def test_a_document_without_number_is_refused() -> None:
    """A document has an id, and its line is counted on."""
    with pytest.raises(FormatError) as caught:
        read_trec_documents("<DOC>\n<DOCNO>1</DOCNO>\n</DOC>\n<DOC>\n</DOC>", "t")
    assert caught.value.where == "t:4"
    with pytest.raises(IdError):
        read_trec_documents("<DOC><DOCNO> </DOCNO></DOC>", "t")


def test_tsv() -> None:
    """The first tab divides; CRLF, blank lines and unusual separators within a text do no harm."""
    text = "007\ttwo\twords\r\n\r\nq2\tone\u2028line\nq3\t\n"
    assert read_tsv_queries(text, "t").texts == {"007": "two\twords", "q2": "one\u2028line", "q3": ""}


@pytest.mark.parametrize(("text", "kind"), [("1\ta\n2 b", FormatError), ("1\ta\n\tb", IdError)])
def test_a_line_without_id_or_tab_is_refused(text: str, kind: type[TreconcileError]) -> None:
    """Each line has an id and a tab, and the message shows no text."""
    with pytest.raises(kind) as caught:
        read_tsv_documents(text, "t")
    assert caught.value.where == "t:2"
    assert "2 b" not in caught.value.message


@pytest.mark.parametrize(
    ("read", "template"),
    [
        (read_tsv_queries, "1\t%s\n2\tx\n1\t%s\n"),
        (read_trec_topics, "<top><num>1<title>%s</top>\n\n<top><num>1<title>%s</top>"),
    ],
)
def test_a_query_again(read: Callable[..., Any], template: str) -> None:
    """The same query with the same text is a warning, with another text an error naming both lines."""
    queries = read(template % ("a", "a"), "t")
    assert [(notice.code, notice.where) for notice in queries.notices] == [("repeated-query", "t:3")]
    with pytest.raises(DuplicateError) as caught:
        read(template % ("a", "b"), "t")
    assert caught.value.where == "t:3"
    assert "different texts; first at line 1" in caught.value.message


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (read_tsv_documents, "1\ta\n1\ta"),
        (read_trec_documents, "<DOC><DOCNO>1</DOCNO>a</DOC>\n<DOC><DOCNO>1</DOCNO>a</DOC>"),
    ],
)
def test_a_document_again_is_an_error(read: Callable[..., Any], text: str) -> None:
    """A document id stands once, even with the same text."""
    with pytest.raises(DuplicateError) as caught:
        read(text, "t")
    assert caught.value.where == "t:2"
    assert "line 1" in caught.value.message


def test_json_documents(tmp_path: Path) -> None:
    """Every JSON form of documents gives the same corpus; a title goes before the text."""
    forms = [
        '[{"id": "d1", "text": "b", "title": "A"}, {"docno": "2", "text": " c ", "title": ""}]',
        '{"_id": "d1", "title": "A", "text": "b", "x": {}}\n{"doc_id": 2, "text": " c ", "title": null}\n',
        '{"d1": "A b", "2": " c "}',
        '{"d1": {"title": "A", "text": "b"}, "2": {"text": " c "}}',
        '{"documents": [{"docid": "d1", "text": "A b"}, {"id": 2, "text": " c "}]}',
    ]
    for form in forms:
        (tmp_path / "c").write_text(form)
        assert read_corpus(tmp_path / "c").texts == {"d1": "A b", "2": " c "}


def test_json_queries(tmp_path: Path) -> None:
    """Every JSON form of queries gives the same queries, also judgments that carry the texts."""
    forms = [
        '[{"id": "q1", "query": "a"}, {"query_id": 2, "text": "b"}]',
        '{"_id": "q1", "text": "a"}\n{"qid": "2", "query": "b"}',
        '{"q1": "a", "2": "b"}',
        '[{"id": "q1", "query": "a", "relevant": ["d1"]}, {"id": 2, "query": "b", "relevant": []}]',
        '{"q1": {"query": "a", "relevant": ["d1"]}, "2": {"query": "b", "relevant": []}}',
        '{"queries": [{"id": "q1", "query": "a"}, {"id": 2, "query": "b"}]}',
    ]
    for form in forms:
        (tmp_path / "q").write_text(form)
        assert read_queries(tmp_path / "q").texts == {"q1": "a", "2": "b"}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('[{"id": "d1", "text": "a"},\n{"id": "d1", "text": "a"}]', DuplicateError),
        ('[{"id": "d1", "text": "a"},\n{"id": "d2"}]', FormatError),
        ('[{"id": "d1", "text": "a"},\n{"id": "d2", "text": 5}]', FormatError),
        ('[{"id": "d1", "text": "a"},\n{"text": "b"}]', IdError),
        ('{"d1": "a",\n"d2": ["b"]}', FormatError),
        ('{"d1": "a",\n"d2": "\\ud800"}', FormatError),
    ],
)
def test_wrong_json_documents_are_named_by_their_line(
    tmp_path: Path, text: str, kind: type[TreconcileError]
) -> None:
    """A document has an id of its own and a text."""
    (tmp_path / "c.json").write_text(text)
    with pytest.raises(kind) as caught:
        read_corpus(tmp_path / "c.json")
    assert caught.value.where.endswith(":2")


def test_tutorial_texts() -> None:
    """The invented tutorial files give ten documents and six queries."""
    corpus = read_corpus(FIXTURES / "tutorial_rag" / "documents.json")
    assert list(corpus.texts) == [f"d{number:02}" for number in range(1, 11)]
    assert read_queries(FIXTURES / "tutorial_rag" / "qrels.json").texts["q06"] == "price of moon cheese"


def test_vaswani_is_read(vaswani: Path) -> None:
    """The real collection: 11,429 documents and 93 queries."""
    corpus, queries = read_corpus(vaswani / "doc-text.trec.gz"), read_queries(vaswani / "query-text.trec")
    assert list(corpus.texts) == [str(number) for number in range(1, 11430)]
    assert list(queries.texts) == [str(number) for number in range(1, 94)]
    assert queries.texts["4"] == "SYSTEMS OF DATA CODING FOR INFORMATION TRANSFER"
    assert corpus.texts["1"].endswith("access\nis described")


def test_vaswani_is_written_and_read_again(vaswani: Path, tmp_path: Path) -> None:
    """The real collection survives each format that can hold it."""
    corpus, queries = read_corpus(vaswani / "doc-text.trec.gz"), read_queries(vaswani / "query-text.trec")
    for to in ("jsonl", "json", "trectext"):
        write_corpus(corpus, tmp_path / "corpus", to)
        assert read_corpus(tmp_path / "corpus").texts == corpus.texts
    for to in ("tsv", "trec", "json", "jsonl"):
        write_queries(queries, tmp_path / "queries", to)
        assert read_queries(tmp_path / "queries").texts == queries.texts


@pytest.mark.parametrize("to", ["json", "jsonl"])
@given(texts=TEXTS)
def test_texts_survive_json(to: str, texts: dict[str, str]) -> None:
    """JSON holds any id and any text."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "texts"
        write_corpus(Corpus(texts), path, to)
        assert read_corpus(path).texts == texts
        write_queries(Queries(texts), path, to)
        assert read_queries(path).texts == texts


@pytest.mark.parametrize(
    ("write", "table", "read", "to"),
    [
        (write_corpus, Corpus, read_corpus, "trectext"),
        (write_corpus, Corpus, read_corpus, "tsv"),
        (write_queries, Queries, read_queries, "trec"),
        (write_queries, Queries, read_queries, "tsv"),
    ],
)
@given(texts=TEXTS)
def test_texts_survive_or_are_refused(
    write: Callable[..., Any],
    table: type[Corpus] | type[Queries],
    read: Callable[..., Any],
    to: str,
    texts: dict[str, str],
) -> None:
    """Other formats give every text back but for white space, or refuse to write it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "texts"
        try:
            write(table(texts), path, to)
        except FormatError:
            assert list(Path(folder).iterdir()) == []
            return
        back = read(path).texts
    assert list(back) == list(texts)
    assert [text.split() for text in back.values()] == [text.split() for text in texts.values()]


@pytest.mark.parametrize(
    ("write", "table", "to"),
    [
        (write_corpus, Corpus({"d1": "a </DOC> b"}), "trectext"),
        (write_corpus, Corpus({"d1": "a <TEXT>b</TEXT>"}), "trectext"),
        (write_corpus, Corpus({"d\t1": "a"}), "tsv"),
        (write_corpus, Corpus({"[]": ""}), "tsv"),
        (write_queries, Queries({"\ufeffq": "a"}), "tsv"),
        (write_queries, Queries({"q1": "a <desc> b"}), "trec"),
        (write_queries, Queries({"Number: 1": "a"}), "trec"),
    ],
)
def test_markup_in_a_text_is_refused(
    write: Callable[..., Any], table: object, to: str, tmp_path: Path
) -> None:
    """What would not be read back is not written, and the text is not shown."""
    with pytest.raises(FormatError) as caught:
        write(table, tmp_path / "out", to)
    assert "jsonl" in caught.value.hint
    assert list(tmp_path.iterdir()) == []


def test_lost_line_breaks_are_reported(tmp_path: Path) -> None:
    """A line of a file holds one line of text."""
    notices = write_corpus(Corpus({"d1": "a\n  b\tc", "d2": "d"}), tmp_path / "out.tsv", "tsv")
    assert [notice.code for notice in notices] == ["line-breaks-lost"]
    assert (tmp_path / "out.tsv").read_text() == "d1\ta b c\nd2\td\n"


def test_an_unknown_format_gets_a_suggestion(tmp_path: Path) -> None:
    """A misspelt format is a usage error."""
    with pytest.raises(UsageError) as caught:
        write_corpus(Corpus({"d1": "a"}), tmp_path / "out", "jsnl")
    assert "jsonl" in caught.value.hint


@pytest.mark.parametrize("text", ["<top></topp>", "<xml/>", "\n", "{}", "[]"])
def test_nothing_is_an_error(tmp_path: Path, text: str) -> None:
    """A file without a query is no file of queries."""
    (tmp_path / "q").write_text(text)
    with pytest.raises(TreconcileError):
        read_queries(tmp_path / "q")
    with pytest.raises(EmptyError):
        read_tsv_documents("\n", "t")
