"""Runs: query ids, directions, missing scores, failed requests, chunks, and records that are wrong."""

import errno
import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from treconcile.errors import (
    DuplicateError,
    FileError,
    FormatError,
    IdError,
    InputError,
    MismatchError,
    NumberError,
    TreconcileError,
    UsageError,
)
from treconcile.formats.systems.mapping.collapse import Collapse, listed, matched, separated
from treconcile.formats.systems.mapping.collapse_tables import collapsed_run
from treconcile.formats.systems.mapping.read_run import ConvertedRun
from treconcile.formats.systems.mapping.rows import RunRows
from treconcile.formats.trec.blocks import prepared_run
from treconcile.formats.trec.order import ranked
from treconcile.formats.trec.write import write_run
from treconcile.model import Run

Converter = Callable[..., ConvertedRun]

HITS = "hits: h\ndocid: id\nscore: s\n"
QID = HITS + "qid: q\n"
FLAT = "reader: jsonl\nflat: true\nqid: q\ndocid: id\nscore: s\n"


def hit(document: object, score: object = 1.0) -> dict[str, object]:
    return {"id": document, "s": score}


def record(query: str, *hits: dict[str, object]) -> dict[str, object]:
    return {"q": query, "h": list(hits)}


def results(found: ConvertedRun) -> dict[str, list[tuple[str, float]]]:
    made: dict[str, list[tuple[str, float]]] = {}
    for query, document, score in found.run().table.select("query_id", "doc_id", "score").iter_rows():
        made.setdefault(query, []).append((document, score))
    return made


def codes(found: ConvertedRun) -> list[str]:
    return [notice.code for notice in found.notices]


def ids_file(folder: Path, *ids: str) -> str:
    path = folder / "ids.txt"
    path.write_text("".join(f"{each}\n" for each in ids))
    return str(path)


class TestQueryIds:
    """An id comes from the record, its key, its file, its text or its position, in this order."""

    def test_key(self, run: Converter) -> None:
        """The key of a dictionary, unless the mapping says where the id is."""
        value = {"k": record("q1", hit("a"))}
        assert list(results(run("records_as: dict\n" + HITS, value))) == ["k"]
        assert list(results(run("records_as: dict\n" + QID, value))) == ["q1"]
        assert list(results(run("records_as: dict\n" + HITS + "qid: none\n", value))) == ["k"]

    def test_text(self, run: Converter) -> None:
        """A text is found composed and without white space around it."""
        value = ({"t": " cafe\u0301\n", "h": [hit("a")]},)
        assert list(results(run("query: t\n" + HITS, value, topics={"q7": "café", "q8": "tea"}))) == ["q7"]
        with pytest.raises(IdError, match="none of the 1 in --queries"):
            run("query: t\n" + HITS, value, topics={"q8": "tea"})
        with pytest.raises(DuplicateError, match="'q7' and 'q8'"):
            run("query: t\n" + HITS, value, topics={"q7": "café", "q8": "café "})

    def test_position(self, run: Converter, tmp_path: Path) -> None:
        """As many ids as records, the failed ones among them."""
        value = [{"h": [hit("a")]}, {"error": "x"}, {"h": [hit("b")]}]
        found = run(HITS, value, qids=ids_file(tmp_path, "q1", "q2", "q3"))
        assert (list(results(found)), found.failed, found.empty) == (["q1", "q3"], ("q2",), ())
        for ids, message in ((("q1", "q2"), "more records than the 2 ids"), ("abcd", "3 records, and 4 ids")):
            with pytest.raises(MismatchError, match=message):
                run(HITS, value, qids=ids_file(tmp_path, *ids))

    def test_positions_need_every_record(self, run: Converter, tmp_path: Path) -> None:
        """A line that cannot be read would shift the ids after it, so it is never skipped."""
        with pytest.raises(FormatError):
            run(
                "reader: jsonl\n" + HITS,
                '{"h": []}\n{\n{"h": []}',
                qids=ids_file(tmp_path, "a", "b", "c"),
                on_error="skip",
            )

    def test_numbered(self, run: Converter) -> None:
        """Only on request, and with the texts."""
        value = ({"t": "one ", "h": [hit("a")]}, {"h": [hit("b")]})
        found = run("query: t\n" + HITS, value, make_qids=True)
        assert (list(results(found)), found.texts) == (["q1", "q2"], {"q1": "one", "q2": ""})
        with pytest.raises(DuplicateError, match="text of this query is that of 'q1'"):
            run("query: t\n" + HITS, ({"t": "a", "h": []}, {"t": "a ", "h": []}), make_qids=True)

    @pytest.mark.parametrize(
        ("mapping", "hint"),
        [
            (HITS, "--qids"),
            ("query: q\n" + HITS, "--make-qids"),
            (FLAT.replace("qid: q", "qid: x"), "column"),
        ],
    )
    def test_nothing_tells_it(self, run: Converter, mapping: str, hint: str) -> None:
        """The hint says what would."""
        with pytest.raises(IdError, match="nothing tells the id") as caught:
            run(mapping, ({"q": "text", "h": []},))
        assert hint in str(caught.value.hint)

    def test_a_query_stands_twice(self, run: Converter) -> None:
        """The second is named with its line."""
        with pytest.raises(DuplicateError, match="query 'q1' stands twice") as caught:
            run(QID, json.dumps([record("q1"), record("q1")], indent=0))
        assert str(caught.value.where).endswith(":6")


class TestFailedRequests:
    """A response of a failed request is counted, and is not an empty result."""

    @pytest.mark.parametrize(
        "failed",
        [{"error": {"type": "x"}, "status": 500}, {"status": 404}, {"code": 400, "x": 1}, {"errors": ["x"]}],
    )
    def test_without_hits(self, run: Converter, failed: dict[str, object]) -> None:
        """As servers send it; the query is named where the record names it."""
        found = run(QID, [record("q1", hit("a")), failed, {**failed, "q": "q3"}])
        assert (found.failed, found.empty) == (("record 2", "q3"), ())
        assert "failed requests, which are not counted as empty: 2 (record 2, q3)" in str(found.notices[0])

    def test_as_the_mapping_says(self, run: Converter) -> None:
        """Also where there are hits."""
        value = [record("q1", hit("a")), {**record("q2", hit("b")), "partial": True}]
        assert run(QID + "failed: partial\n", value).failed == ("q2",)

    def test_no_hits_at_all(self, run: Converter) -> None:
        """Absent hits are empty ones, unless all are absent or the mapping refuses them."""
        found = run(QID, [record("q1", hit("a")), {"q": "q2"}, {"q": "q3", "h": None}])
        assert (found.empty, codes(found)) == (("q2", "q3"), ["hits-absent"])
        with pytest.raises(FormatError, match="none of the 1 records has h"):
            run(QID, [{"q": "q2"}])
        with pytest.raises(FormatError, match="there is no h"):
            run(QID + "on_absent_hits: error\n", [record("q1", hit("a")), {"q": "q2"}])
        assert codes(run(QID, [])) == ["empty-run"]


class TestDirection:
    """Which scores are better, checked against the order of the hits."""

    UP = (record("q1", hit("a", 0.1), hit("b", 0.2), hit("c", 0.3)), record("q2", hit("a", 0.5)))

    def test_lower_is_better(self, run: Converter) -> None:
        """Distances are negated."""
        assert results(run(QID + "order: asc\n", self.UP))["q1"] == [("a", -0.1), ("b", -0.2), ("c", -0.3)]
        assert results(run(QID, self.UP, order="asc"))["q2"] == [("a", -0.5)]

    def test_the_order_says_it(self, run: Converter) -> None:
        """Where a format cannot tell; if it goes both ways, that is a question."""
        found = run(QID + "order: ask\n", self.UP)
        assert results(found)["q1"] == [("a", -0.1), ("b", -0.2), ("c", -0.3)]
        assert codes(found) == ["scores-rise"]
        both = (*self.UP, record("q3", hit("a", 2), hit("b", 1)))
        with pytest.raises(UsageError) as caught:
            run(QID + "order: ask\n", both)
        assert "--higher-is-better" in str(caught.value.hint) and "--lower-is-better" in str(
            caught.value.hint
        )
        assert results(run(QID + "order: ask\n", both, order="desc"))["q3"] == [("a", 2.0), ("b", 1.0)]

    def test_chunks_are_merged_in_the_direction_that_shows(self, run: Converter) -> None:
        """The best chunk of a document is the nearest one, if the scores are distances."""
        value = (record("q1", hit("a", 0.1), hit("b", 0.2), hit("a", 0.3)),)
        found = run(QID + "order: ask\ndedupe: max\n", value)
        assert results(found)["q1"] == [("a", -0.1), ("b", -0.2)]

    def test_a_contradiction(self, run: Converter) -> None:
        """Three places are shown; the other option only if the direction was the user's."""
        for order, hint in ((None, None), ("desc", "--lower-is-better")):
            with pytest.raises(MismatchError) as caught:
                run(QID, self.UP, order=order)
            places = "query q1, rank 1: a 0.1, then b 0.2; query q1, rank 2: b 0.2, then c 0.3"
            assert places in str(caught.value) and caught.value.hint == hint

    def test_some_hits_out_of_order(self, run: Converter) -> None:
        """A warning for responses; a table may be in any order."""
        value = (record("q1", hit("a", 3), hit("b", 1), hit("c", 2)),)
        assert codes(run(QID, value)) == ["order-against-scores"]
        rows = ({"q": "q1", **hit("a", 1)}, {"q": "q1", **hit("b", 2)})
        (notice,) = run(FLAT, rows).notices
        assert (notice.code, notice.level) == ("order-against-scores", "note")


class TestScores:
    """Scores that are missing, infinite, padding, text or beyond float64."""

    def test_without_any(self, run: Converter) -> None:
        """The order counts, whether the mapping has no score or all are null."""
        value = (record("q1", hit("a", None), hit("b", None)), record("q2", hit("c", None)))
        for mapping in (QID, QID.replace("score: s\n", "")):
            found = run(mapping, value)
            assert results(found) == {"q1": [("a", 2.0), ("b", 1.0)], "q2": [("c", 1.0)]}
            assert not found.scored

    def test_some_are_missing(self, run: Converter) -> None:
        """An error, or by rule the order of that query."""
        for value in (
            (record("q1", hit("a", 5.0), hit("b", None)),),
            (record("q1", hit("a", 9.0)), record("q2", hit("b", None))),
        ):
            with pytest.raises(NumberError) as caught:
                run(QID, value)
            assert "on_null_score: rank" in str(caught.value.hint)
            found = run(QID + "on_null_score: rank\n", value)
            assert found.run().table.height == 2

    def test_rank(self, run: Converter) -> None:
        """It counts where there is no score, from 0 or 1, as text or number."""
        mapping = "hits: h\ndocid: id\nrank: s\nqid: q\n"
        assert results(run(mapping, (record("q1", hit("b", "2"), hit("a", 0)),)))["q1"] == [
            ("a", 2.0),
            ("b", 1.0),
        ]
        for rank, message in ((0, "rank 0 stands twice"), (1.5, "whole number"), (None, "whole number")):
            with pytest.raises(NumberError, match=message):
                run(mapping, (record("q1", hit("a", 0), hit("b", rank)),))

    @pytest.mark.parametrize(
        "odd", ["-Infinity", "inf", 3.4028234663852886e38, -3.4028234663852886e38, "NaN", 1e999]
    )
    def test_no_proper_number(self, run: Converter, odd: object) -> None:
        """An error, or left out, or kept at its end."""
        hits = [hit("a", 2.0), hit("b", odd)]
        # JSON writes an infinite number as one that is too large.
        value = json.dumps(record("q1", *(hits if str(odd).startswith("-") else hits[::-1]))).replace(
            ": Infinity", ": 1e999"
        )
        with pytest.raises(NumberError, match=r"score \(s\): the score is"):
            run(QID + "on_nonfinite: error\n", value)
        assert results(run(QID + "on_nonfinite: drop\n", value))["q1"] == [("a", 2.0)]
        if odd != "NaN":
            kept = dict(results(run(QID + "on_nonfinite: clamp\n", value))["q1"])
            assert kept["b"] == (1.0 if str(odd).startswith("-") else 3.0)

    def test_padding(self, run: Converter) -> None:
        """By score or by id; what is left may be nothing."""
        value = (
            record("q1", hit("a", 2.0), hit("b", 0.0)),
            record("q2", hit("b", 0.0)),
            record("q3", hit(-1, 1.0)),
        )
        found = run(QID + "drop_score_le: 0\nskip_docids: ['-1']\n", value)
        assert (results(found), found.empty) == ({"q1": [("a", 2.0)]}, ("q2", "q3"))

    @pytest.mark.parametrize(
        ("score", "message"),
        [
            ("high", "not 'high'"),
            ("1,5", "not '1,5'"),
            (True, "not true"),
            ([1], "not a list"),
            ("0x1f", "not '0x1f'"),
        ],
    )
    def test_what_is_no_number(self, run: Converter, score: object, message: str) -> None:
        """Named with its field and hit."""
        with pytest.raises(NumberError, match=rf"^.*:1: record 1, hit 1, score \(s\): .*{message}"):
            run(QID, (record("q1", hit("a", score)),))

    def test_numbers_in_text(self, run: Converter) -> None:
        """As several systems send them."""
        assert results(run(QID, (record("q1", hit("a", "2.5"), hit("b", "1e-3"), hit("c", " -3 ")),)))[
            "q1"
        ] == [
            ("a", 2.5),
            ("b", 0.001),
            ("c", -3.0),
        ]

    def test_whole_numbers_beyond_float64(self, run: Converter, tmp_path: Path) -> None:
        """They stay exact to the file, unless fractions stand beside them."""
        big = 578730123365187705
        found = run(QID, (record("q1", hit("a", big), hit("b", big - 1)),))
        assert results(found)["q1"] == [("a", big), ("b", big - 1)]
        write_run(found.run(), tmp_path / "out", meta=False)
        assert (tmp_path / "out").read_text().split()[4] == str(big)
        mixed = run(QID, (record("q1", hit("a", big), hit("b", 0.5)),))
        assert results(mixed)["q1"] == [("a", float(big)), ("b", 0.5)]
        assert results(run(QID, (record("q1", hit("a", 1 << 80)),)))["q1"] == [("a", float(1 << 80))]
        for huge in (10**300, "1" * 400):
            with pytest.raises(NumberError, match="beyond the largest 32-bit number"):
                run(QID, (record("q1", hit("a", huge)),))


class TestDocumentIds:
    """Ids as they stand, by position, by text, and cut."""

    @pytest.mark.parametrize(
        ("value", "message"),
        [
            (1.5, "a fraction"),
            (True, "true"),
            (None, "no id"),
            ("", "no id"),
            ([], "a list"),
            ("\ud800", "surrogate"),
        ],
    )
    def test_what_is_no_id(self, run: Converter, value: object, message: str) -> None:
        """Named with its place."""
        with pytest.raises(IdError, match=rf"hit 2, docid \(id\): .*{message}"):
            run(QID, (record("q1", hit("a"), hit(value)),))

    def test_positions(self, run: Converter, tmp_path: Path) -> None:
        """From 0; beyond the end the file is too short, below 0 it is padding."""
        mapping = QID + "docid_lookup: index\n"
        docids = ids_file(tmp_path, "d1", "d2")
        assert results(run(mapping, (record("q1", hit(1), hit("0")),), docids=docids))["q1"] == [
            ("d2", 1.0),
            ("d1", 1.0),
        ]
        with pytest.raises(MismatchError, match=r"no position 2: .* has 2 ids"):
            run(mapping, (record("q1", hit(2)),), docids=docids)
        with pytest.raises(IdError) as caught:
            run(mapping, (record("q1", hit(-1)),), docids=docids)
        assert "skip_docids" in str(caught.value.hint)
        with pytest.raises(IdError, match="a position has to be"):
            run(mapping, (record("q1", hit("x")),), docids=docids)
        with pytest.raises(UsageError, match="by their positions"):
            run(mapping, (record("q1", hit(1)),))
        with pytest.raises(DuplicateError, match="stands twice"):
            run(mapping, (record("q1", hit(1)),), docids=ids_file(tmp_path, "d1", "d1"))

    def test_texts(self, run: Converter, tmp_path: Path) -> None:
        """Of a corpus in any form; the text itself is never shown."""
        mapping = QID + "docid_lookup: text\n"
        value = (record("q1", hit("secret text ")),)
        assert results(run(mapping, value, corpus={"d1": "secret text"}))["q1"] == [("d1", 1.0)]
        for text in (
            "d1\tsecret text\n",
            '[{"id": "d1", "text": "secret text"}]',
            "<DOC><DOCNO>d1</DOCNO>secret text</DOC>",
        ):
            (tmp_path / "docs").write_text(text)
            assert results(run(mapping, value, docids=str(tmp_path / "docs")))["q1"] == [("d1", 1.0)]
        for corpus in ({"d1": "other"}, {"d1": "secret text", "d2": "secret text"}):
            with pytest.raises(InputError) as caught:
                run(mapping, value, corpus=corpus)
            assert "secret" not in str(caught.value)
        with pytest.raises(UsageError, match="by their texts"):
            run(mapping, value)

    def test_cut(self, run: Converter) -> None:
        """Where the pattern does not match, the id stays."""
        found = run(QID + "docid_regex: '^id:(.*)$'\n", (record("q1", hit("id:x", 2), hit("y", 1)),))
        assert [document for document, _ in results(found)["q1"]] == ["x", "y"]

    def test_twice(self, run: Converter) -> None:
        """An error with a place, unless the mapping says what is kept."""
        value = (record("q1", hit("a", 3.0), hit("b", 2.0), hit("a", 1.0)),)
        with pytest.raises(DuplicateError, match="'a' stands more than once"):
            run(QID, value)
        for rule in ("max", "first"):
            assert results(run(QID + f"dedupe: {rule}\n", value))["q1"] == [("a", 3.0), ("b", 2.0)]


class TestCollapse:
    """Chunks become documents."""

    VALUE = (record("q1", hit("a#1", 3.0), hit("b#0", 2.5), hit("a#2", 2.0)), record("q2", hit("c", 1.0)))

    @pytest.mark.parametrize(("by", "score"), [("max", 3.0), ("first", 3.0), ("sum", 5.0)])
    def test_by_mark(self, run: Converter, by: str, score: float) -> None:
        """The best, the first or the sum; the lengths of both levels are said."""
        found = run(QID, self.VALUE, collapse=Collapse(separated("#"), by))  # type: ignore[arg-type]
        assert results(found) == {"q1": [("a", score), ("b", 2.5)], "q2": [("c", 1.0)]}
        assert codes(found) == ["collapsed", "not-chunks"]
        assert "4 chunks in 2 lists became 3 documents (2.0 and 1.5 a list)" in str(found.notices[0])

    def test_max_is_not_first(self, run: Converter) -> None:
        """Of distances too the best is kept."""
        value = (record("q1", hit("a#1", 0.5), hit("b#1", 0.4), hit("a#2", 0.9)),)
        assert results(run(QID, value, collapse=Collapse(separated("#"))))["q1"][0] == ("a", 0.9)
        up = (record("q1", hit("a#1", 0.1), hit("a#2", 0.9)),)
        assert results(run(QID, up, order="asc", collapse=Collapse(separated("#"))))["q1"] == [("a", -0.1)]

    def test_by_pattern_and_map(self, run: Converter, tmp_path: Path) -> None:
        """A chunk that the map does not have is an error."""
        found = run(QID, self.VALUE, collapse=Collapse(matched(r"^(.)#\d$")))
        assert [document for document, _ in results(found)["q1"]] == ["a", "b"]
        path = tmp_path / "map.tsv"
        path.write_text("a#1\tA\na#2\tA\nb#0\tB\n")
        with pytest.raises(IdError, match="chunk 'c' is not in the map"):
            run(QID, self.VALUE, collapse=Collapse(listed(str(path)), strict=True))
        path.write_text("a#1 A\n")
        with pytest.raises(FormatError, match="chunk<TAB>document"):
            listed(str(path))
        for wrong in (lambda: matched("("), lambda: matched("x"), lambda: separated("")):
            with pytest.raises(UsageError):
                wrong()

    def test_without_scores(self, run: Converter) -> None:
        """The order counts, and the scores are derived from it again."""
        value = (record("q1", hit("a#1", None), hit("b#0", None), hit("a#2", None)),)
        assert results(run(QID, value, collapse=Collapse(separated("#"))))["q1"] == [("a", 2.0), ("b", 1.0)]

    def test_a_run_that_was_read(self) -> None:
        """The same for a run that needs no mapping."""
        table = pl.DataFrame(
            {
                "query_id": ["q", "q", "q"],
                "doc_id": ["b#1", "a#1", "b#2"],
                "score": [1.0, 2.0, 3.0],
                "rank": [1, 2, 3],
            }
        )
        found = collapsed_run(Run(table), Collapse(separated("#")))
        assert found.table.rows() == [("q", "b", 3.0, 1), ("q", "a", 2.0, 2)]
        assert [notice.code for notice in found.notices] == ["collapsed"]


class TestFlat:
    """Tables: a row a hit."""

    def test_rows_together_and_scattered(self, run: Converter) -> None:
        """The rows of a query may stand anywhere."""
        rows = [{"q": f"q{at % 2}", "id": f"d{at}", "s": 10 - at} for at in range(4)]
        expected = {"q0": [("d0", 10.0), ("d2", 8.0)], "q1": [("d1", 9.0), ("d3", 7.0)]}
        assert results(run(FLAT, tuple(rows))) == expected
        assert results(run(FLAT, tuple(sorted(rows, key=lambda row: str(row["q"]))))) == expected

    def test_a_row_without_a_document(self, run: Converter) -> None:
        """A query that found nothing."""
        found = run(FLAT, ({"q": "q1", "id": "a", "s": 1}, {"q": "q2", "id": None, "s": None}))
        assert found.empty == ("q2",)

    def test_wrong_rows_are_left_out(self, run: Converter) -> None:
        """Of a table only the row."""
        rows = (
            {"q": "q1", "id": "a", "s": 3},
            {"q": "q1", "id": "b", "s": "x"},
            {"q": "q1", "id": 1.5, "s": 1},
            {"q": None},
        )
        found = run(FLAT, rows, on_error="skip")
        assert results(found) == {"q1": [("a", 3.0)]}
        assert [str(error.where).rpartition(":")[2] for error in found.skipped] == ["2", "3", "4"]


def test_wrong_records_are_left_out(run: Converter) -> None:
    """The rest is converted, and each is listed with its place, the field and what is wrong."""
    value = (
        record("q1", hit("a")),
        {"q": "q2", "h": 5},
        record("q3", hit("a", "x")),
        record("q4", hit("a")),
        "text",
    )
    found = run(QID, value, on_error="skip")
    assert list(results(found)) == ["q1", "q4"]
    assert [error.message.partition(":")[0] for error in found.skipped] == [
        "hits",
        "hit 1, score (s)",
        "nothing tells the id of this query",
    ]
    with pytest.raises(TreconcileError, match=r":2: hits: h has to be a list, not a whole number"):
        run(QID, value)


def test_places_within_one_document(run: Converter) -> None:
    """The line of the hit itself, whether the records are a list, a dictionary or further inside."""
    for value, mapping, line in (
        ([record("q1"), record("q2", hit("a"), hit("b", "x"))], QID, 13),
        ({"r": [record("q2", hit("b", "x"))]}, "records: r\n" + QID, 6),
        ({"r": {"q2": {"h": [hit("b", "x")]}}}, "records: r\nrecords_as: dict\n" + HITS, 5),
        ({"q": "q1", "h": {"a": {"s": "x"}}}, "qid: q\nhits: h\nhits_as: dict\ndocid: '@key'\nscore: s\n", 4),
    ):
        with pytest.raises(NumberError) as caught:
            run(mapping, json.dumps(value, indent=1))
        assert str(caught.value.where).rpartition(":")[2] == str(line)


def test_shapes(run: Converter) -> None:
    """Columns side by side, lists by key, children of a record, JSON in text, dotted keys, filters."""
    expected = {"q1": [("a", 2.0), ("b", 1.0)]}
    for mapping, value in (
        (
            "zip: {q: q, i: i, s: s}\nqid: q\nzip_hits: {i: i, s: s}\ndocid: i\nscore: s\n",
            {"q": ["q1"], "i": [["a", "b"]], "s": [[2, 1]]},
        ),
        (
            "qid: q\nhits: h\nhits_as: dict_of_lists\ndocid: '@value'\nscore: '@key'\n",
            ({"q": "q1", "h": {"2": ["a"], "1": ["b"]}},),
        ),
        (
            "explode: {parent: q, child: 'h[]'}\nflat: true\nqid: parent\ndocid: child.id\nscore: child.s\n",
            (record("q1", hit("a", 2), hit("b", 1)),),
        ),
        ("parse_json: h\n" + QID, ({"q": "q1", "h": json.dumps([hit("a", 2), hit("b", 1)])},)),
        (
            "unflatten: '@'\nqid: '\"q.x\"'\nhits: h\ndocid: id\nscore: s\n",
            ({"q.x": "q1", "h.0.id": "a", "h.0.s": 2, "h.10.id": "b", "h.10.s": 1},),
        ),
        (
            "where: keep == `true`\n" + QID,
            ({**record("q0", hit("x")), "keep": 1}, {**record("q1", hit("a", 2), hit("b", 1)), "keep": True}),
        ),
    ):
        assert results(run(mapping, value)) == expected


@pytest.mark.parametrize(
    ("mapping", "value", "message"),
    [
        ("records: r\n" + QID, {"r": 5}, "records: r has to be a list, not a whole number"),
        ("records_as: dict\n" + QID, [1], "records: the document has to be an object, not a list"),
        ("zip: {a: a, b: b}\n" + HITS, {"a": [1], "b": [1, 2]}, r"equally long \(a 1, b 2\)"),
        ("zip: {a: a}\n" + HITS, {"a": 5}, "a has to be a list, not a whole number"),
        ("zip: {a: a}\n" + HITS, {}, "there are none"),
        (QID, ({"q": "q1", "h": {"a": 1}},), "has to be a list, not an object"),
        (QID + "hits_as: dict\n", ({"q": "q1", "h": [1]},), "has to be an object, not a list"),
        ("parse_json: h\n" + QID, ({"q": "q1", "h": "["},), "ends too early"),
        ("qid: q\nhits: length(h)\ndocid: id\n", ({"q": "q1"},), "cannot be applied here"),
    ],
)
def test_shapes_that_do_not_fit(run: Converter, mapping: str, value: object, message: str) -> None:
    """What was expected and what is there."""
    with pytest.raises(FormatError, match=message):
        run(mapping, value)


def test_no_room_for_the_temporary_file(run: Converter, monkeypatch: pytest.MonkeyPatch) -> None:
    """Is said as it is."""

    def full(**_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("tempfile.TemporaryFile", full)
    rows = RunRows(kept=0)
    with pytest.raises(FileError, match=r"temporary file: No space left") as caught:
        for at in range(101):
            rows.add(f"q{at}", [f"d{rank}" for rank in range(1000)], range(1000, 0, -1))
    assert "TMPDIR" in str(caught.value.hint)


def test_ids_are_bounded(run: Converter) -> None:
    """A text in the place of an id is not written to a run; as the key of a lookup it may be long."""
    long = "x" * 40_000
    with pytest.raises(IdError, match=r"hit 1, docid \(id\): the id has 40000 characters"):
        run(QID, (record("q1", hit(long)),))
    with pytest.raises(IdError, match="the id has 40000 characters"):
        run(QID, (record(long, hit("a")),))
    found = run(QID + "docid_lookup: text\n", (record("q1", hit(long)),), corpus={"d1": long})
    assert results(found) == {"q1": [("d1", 1.0)]}


@pytest.mark.slow
def test_many_rows_are_kept_in_files(tmp_path: Path) -> None:
    """Written block by block, a run is the same bytes as from one table."""
    scores = [
        (f"q{at}", [f"d {at % 7}#{rank}" for rank in range(40)], [40.0 - rank // 2 for rank in range(40)])
        for at in range(6000)
    ]
    kept, spilled = RunRows(kept=10**9), RunRows(kept=0)
    for query, ids, values in scores:
        kept.add(query, ids, values)
        spilled.add(query, ids, values)
    table = kept.table()
    assert spilled.table().equals(table) and spilled.large and not kept.large
    for ending in ("", ".gz"):
        whole, parts = tmp_path / f"whole.run{ending}", tmp_path / f"parts.run{ending}"
        said = write_run(Run(table, empty=("e",)), whole, empty_results="dummy", id_encoding="percent")
        options = {
            "score": None,
            "tag": None,
            "k": None,
            "hashes": None,
            "command": None,
            "origin": None,
            "meta": True,
        }
        again = prepared_run(
            Run(table.unique("query_id", maintain_order=True), empty=("e",)),
            lambda: map(ranked, spilled.blocks()),
            parts,
            empty_results="dummy",
            id_encoding="percent",
            **options,
        ).write()
        assert parts.read_bytes() == whole.read_bytes() and said == again
        assert (tmp_path / f"parts.run{ending}.meta.json").read_bytes() == (
            tmp_path / f"whole.run{ending}.meta.json"
        ).read_bytes()
