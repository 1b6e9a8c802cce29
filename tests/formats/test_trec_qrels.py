"""Reading TREC judgments: the fast and the exact way give the same table, or the same error."""

import os
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treconcile.errors import DuplicateError, EmptyError, FileError, FormatError, InputError, NumberError
from treconcile.files.text_files import StoredFile
from treconcile.formats.trec.fast import fast_table
from treconcile.formats.trec.qrels import read_trec_qrels
from treconcile.formats.trec.sidecar import Sidecar, sidecar_path
from treconcile.model import JUDGMENT_COLUMNS, Judgments

PROBLEMS = Path(__file__).parents[1] / "data" / "problems"
BOTH = pytest.mark.parametrize("exact", [False, True], ids=["fast", "exact"])
LINE = b"q1 0 d1 1\n"
needs_data = pytest.mark.skipif("TRECONCILE_TEST_DATA" not in os.environ, reason="needs TRECONCILE_TEST_DATA")


def read(data: bytes, exact: bool = False) -> Judgments:
    return read_trec_qrels("x.qrels", meta=False, exact=exact, file=StoredFile("x.qrels", data, data))


def rows(judgments: Judgments) -> list[tuple[str, str, str, int]]:
    return judgments.table.rows()


@BOTH
@pytest.mark.parametrize(
    "data",
    [
        b"q1 0 d1 1\nq1 0 d2 -1\n",
        b"q1\t0\td1\t1\r\nq1\t0\td2\t-1",
        b"\xef\xbb\xbf  q1   0 d1 +1 \n\n \t\nq1 0\td2   -1\t\r\n\r\n",
        b"# made by hand\n# second\nq1 0 d1 01\nq1 0 d2 -1\n#",
    ],
)
def test_white_space_and_comments_change_nothing(data: bytes, exact: bool) -> None:
    """Tabs, aligned columns, CRLF, blank lines, comments and a byte-order mark are the same judgments."""
    judgments = read(data, exact)
    assert rows(judgments) == [("q1", "0", "d1", 1), ("q1", "0", "d2", -1)]
    assert judgments.table.schema == pl.Schema(JUDGMENT_COLUMNS)
    assert [n.code for n in judgments.notices] == (["bom-removed"] if data[0] == 0xEF else [])


@BOTH
def test_sub_topics_are_kept_apart(exact: bool) -> None:
    """The same document under several sub-topics is several judgments, whatever the grades."""
    data = b"q1 1 d1 1\nq1 2 d1 0\nq1 3 d1 1\nq2 1 d1 5\n"
    judgments = read(data, exact)
    assert rows(judgments) == [
        ("q1", "1", "d1", 1),
        ("q1", "2", "d1", 0),
        ("q1", "3", "d1", 1),
        ("q2", "1", "d1", 5),
    ]
    assert judgments.notices == ()


@BOTH
def test_a_repeat_is_a_warning(exact: bool) -> None:
    """Identical judgments count once; the notice has their number and the first two lines."""
    judgments = read(LINE + b"q1 0 d2 0\n\n" + LINE * 2, exact)
    assert rows(judgments) == [("q1", "0", "d1", 1), ("q1", "0", "d2", 0)]
    (notice,) = judgments.notices
    assert (notice.code, notice.level, notice.where) == ("repeated-judgments", "warning", "x.qrels:4")
    assert ": 2, the first on lines 1 and 4" in notice.message


@BOTH
def test_grades_with_a_decimal_part_of_zero(exact: bool) -> None:
    """2.0 is 2, with one note that counts them."""
    judgments = read(b"q1 0 d1 2.0\nq1 0 d2 -1.\nq1 0 d3 3\n", exact)
    assert judgments.table["grade"].to_list() == [2, -1, 3]
    (notice,) = judgments.notices
    assert (notice.code, notice.level) == ("decimal-grades", "note")
    assert notice.message.endswith("2 of them")


BROKEN = {
    "three fields": (LINE + b"q1 d2 1\n", FormatError, 2, "3 fields found, 4 expected", "iteration"),
    "two fields": (b"q1\td2\n", FormatError, 1, "2 fields", None),
    "two fields later": (LINE + b"q1\td2\n", FormatError, 2, "2 fields", "MS MARCO"),
    "header of BEIR": (b"query-id\tcorpus-id\tscore\nq1\td1\t1\n", FormatError, 1, "3 fields", "header"),
    "header": (b"query_id iteration doc_id relevance\n" + LINE, NumberError, 1, "'relevance'", "header"),
    "prels": (b"51 d1 1 0 0.25\n", FormatError, 1, "5 fields", "prels"),
    "preferences": (LINE + b"q1 0 d1 x 1\n", FormatError, 2, "5 fields", "preference"),
    "run": (b"q1 Q0 d1 1 2.5 tag\n", FormatError, 1, "6 fields", "exchanged"),
    "many fields": (b"q1 0 a b c d 1\n", FormatError, 1, "7 fields", "space in an id"),
    "json": (b'[{"id": 1}]\n', FormatError, 1, "2 fields", "JSON"),
    "commas": (b"q1,0,d1,1\n", FormatError, 1, "1 field found", "commas"),
    "balanced": (b"q1 0 d1\nq1 0 d2 1 1\n", FormatError, 1, "3 fields", None),
    "no-break space": ("q1 0\u00a0d1 1\n".encode(), FormatError, 1, "3 fields", "U+00A0 (no-break space)"),
    "zero-width mark": (LINE + "\ufeffq1 0 1\n".encode(), FormatError, 2, "3 fields", "U+FEFF"),
    "fraction": (LINE + b"q1 0 d2 0.5\n", NumberError, 2, "'0.5'", "--float-gains takes fractions as gains"),
    "comma": (b"q1 0 d2 0,5\n", NumberError, 1, "'0,5'", "decimal comma"),
    "word": (b"q1 0 d2 yes\n", NumberError, 1, "'yes'", "labels"),
    "nan": (b"q1 0 d2 nan\n", NumberError, 1, "'nan'", "labels"),
    "exponent": (b"q1 0 d2 1e2\n", NumberError, 1, "'1e2'", "plain whole number"),
    "too large": (b"q1 0 d2 9223372036854775808\n", NumberError, 1, "'9223372036854775808'", "64 bits"),
    "far too large": (b"q1 0 d2 " + b"9" * 5000 + b"\n", NumberError, 1, "'" + "9" * 20 + "…'", None),
    "contradiction": (LINE + b"q2 0 d1 2\nq1 0 d1 2\n", DuplicateError, 3, "1 on line 1, 2 on line 3", "one"),
    "NUL": (LINE + b"q1 0 d\0 1\n", FileError, 2, "NUL", None),
    "not UTF-8": (LINE + b"q1 \xe9 d 1\n", FileError, 2, "0xE9", None),
}


@BOTH
@pytest.mark.parametrize("name", BROKEN)
def test_broken_lines(name: str, exact: bool) -> None:
    """Each way of being broken is an error with its line, what was found, and a guess."""
    data, kind, line, message, hint = BROKEN[name]
    with pytest.raises(InputError) as caught:
        read(data, exact)
    assert type(caught.value) is kind
    assert caught.value.where == f"x.qrels:{line}"
    assert message in caught.value.message
    assert hint is None or hint in caught.value.hint


@pytest.mark.parametrize("name", sorted(set(BROKEN) - {"contradiction"}))
def test_the_fast_way_does_not_take_broken_lines(name: str) -> None:
    """The fast reader itself leaves every broken file to the exact one."""
    assert fast_table(BROKEN[name][0], JUDGMENT_COLUMNS) is None


@BOTH
@pytest.mark.parametrize("grade", [2**63 - 1, -(2**63), 0])
def test_the_largest_grades(grade: int, exact: bool) -> None:
    """64 bits are read to the last one."""
    assert read(b"q1 0 d1 %d\n" % grade, exact).table["grade"].to_list() == [grade]


@BOTH
@pytest.mark.parametrize("data", [b"", b"\n\n", b"# nothing\n", b"\xef\xbb\xbf"])
def test_empty_judgments_are_refused(data: bytes, exact: bool) -> None:
    """A file without a judgment is nothing to score with."""
    with pytest.raises(EmptyError):
        read(data, exact)


IDS = st.text(
    st.characters(exclude_categories=("Cs", "Cc"), exclude_characters=" \ufeff"), min_size=1, max_size=4
)


@given(
    st.dictionaries(st.tuples(IDS, IDS, IDS), st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=5),
    st.sampled_from([" ", "\t", "   ", " \t"]),
    st.sampled_from(["\n", "\r\n", " \n", "\n\n"]),
)
def test_fast_and_exact_agree_on_what_is_well_formed(
    grades: dict[tuple[str, str, str], int], gap: str, end: str
) -> None:
    """Whatever the layout, both ways give the rows."""
    data = "".join(gap.join([*key, str(grade)]) + end for key, grade in grades.items()).encode()
    wanted = [(*key, grade) for key, grade in grades.items()]
    assert rows(read(data)) == wanted
    assert rows(read(data, exact=True)) == wanted
    assert fast_table(data, JUDGMENT_COLUMNS) is not None


@BOTH
def test_a_sidecar_is_applied(tmp_path: Path, exact: bool) -> None:
    """Negative queries, all that were asked and the reasons come from it; a dummy's line goes."""
    path = tmp_path / "x.qrels"
    path.write_bytes(LINE + b"q5 0 __no_relevant__ 0\nq6 0 d1 0\n")
    sidecar = Sidecar("qrels", queries=("q0", "q1", "q5", "q6"), negative=("q5", "q6"), reasons={"q1": "why"})
    sidecar_path(path).write_bytes(sidecar.to_bytes())
    judgments = read_trec_qrels(path, exact=exact)
    assert (judgments.negative, judgments.asked) == (("q5", "q6"), ("q0", "q1", "q5", "q6"))
    assert (judgments.reasons, judgments.from_sidecar, judgments.id_encoding) == ({"q1": "why"}, 2, "none")
    assert judgments.queries == ("q1", "q6")
    plain = read_trec_qrels(path, meta=False, exact=exact)
    assert (plain.negative, plain.queries) == ((), ("q1", "q5", "q6"))


def test_a_sidecar_that_contradicts_the_judgments_is_refused(tmp_path: Path) -> None:
    """A query declared to have no answer cannot have a relevant document."""
    path = tmp_path / "x.qrels"
    path.write_bytes(LINE)
    sidecar_path(path).write_bytes(Sidecar("qrels", negative=("q1",)).to_bytes())
    with pytest.raises(FormatError, match="q1"):
        read_trec_qrels(path)


def test_only_negative_queries_can_be_read_through_the_sidecar(tmp_path: Path) -> None:
    """An empty file whose sidecar names the queries is not empty."""
    path = tmp_path / "x.qrels"
    path.write_bytes(b"")
    sidecar_path(path).write_bytes(Sidecar("qrels", queries=("q1",), negative=("q1",)).to_bytes())
    assert read_trec_qrels(path).negative == ("q1",)


@BOTH
def test_numeric_looking_ids(exact: bool) -> None:
    """B089: ids stay text."""
    judgments = read_trec_qrels(PROBLEMS / "B089" / "qrels.txt", exact=exact)
    assert rows(judgments) == [("007", "0", "0042", 1), ("7", "0", "42", 0), ("010", "0", "1e3", 1)]


@BOTH
def test_malformed_lines(exact: bool) -> None:
    """B093: three columns are refused with a guess at the missing one."""
    path = PROBLEMS / "B093" / "qrels_3cols.txt"
    with pytest.raises(FormatError, match="3 fields found") as caught:
        read_trec_qrels(path, exact=exact)
    assert caught.value.where == f"{path}:1"
    assert "BEIR" in caught.value.hint


@BOTH
def test_quotes_and_number_signs_in_ids(exact: bool) -> None:
    """B094: only white space separates."""
    judgments = read_trec_qrels(PROBLEMS / "B094" / "qrels.txt", exact=exact)
    assert judgments.table["doc_id"].to_list() == ["Report_(draft),_1999", '"Quoted"_title', "C#_notes;v2"]


@BOTH
@pytest.mark.parametrize("name", ["tab", "crlf", "mixed", "blank", "noeol", "bom"])
def test_layouts(name: str, exact: bool) -> None:
    """B096: every layout is the same judgments."""
    judgments = read_trec_qrels(PROBLEMS / "B096" / f"qrels_{name}.txt", exact=exact)
    assert rows(judgments) == [("t1", "0", "a", 1), ("t1", "0", "b", 0), ("t2", "0", "c", 1)]


@BOTH
def test_a_no_break_space_is_named(exact: bool) -> None:
    """B096: U+00A0 separates nothing, and the error says that it is there."""
    with pytest.raises(FormatError) as caught:
        read_trec_qrels(PROBLEMS / "B096" / "qrels_nbsp.txt", exact=exact)
    assert "U+00A0" in caught.value.hint
    assert caught.value.where.endswith(":3")


@BOTH
def test_odd_grades(exact: bool) -> None:
    """B111: 2.0 is 2 with a note, a fraction and a word are errors, and nothing is truncated."""
    folder = PROBLEMS / "B111"
    judgments = read_trec_qrels(folder / "qrels_dotzero.txt", exact=exact)
    assert judgments.table["grade"].to_list() == [0, 2, 1]
    assert [n.code for n in judgments.notices] == ["decimal-grades"]
    for name in ("float", "word"):
        with pytest.raises(NumberError) as caught:
            read_trec_qrels(folder / f"qrels_{name}.txt", exact=exact)
        assert caught.value.where.endswith(f"qrels_{name}.txt:1")


def real_files() -> list[Path]:
    folder = os.environ.get("TRECONCILE_TEST_DATA")
    return sorted(Path(folder, "qrels").glob("*rels*.gz")) if folder else []


@needs_data
def test_there_are_real_files() -> None:
    """The folder holds what the next test is about."""
    assert len(real_files()) >= 10


@needs_data
@pytest.mark.parametrize("path", real_files(), ids=lambda path: path.name)
def test_real_files_load_or_are_refused_with_a_reason(path: Path) -> None:
    """Both ways agree on every real file; only prels are refused, with file, line and reason."""
    if path.name.startswith("prels"):
        with pytest.raises(FormatError) as caught:
            read_trec_qrels(path)
        assert caught.value.where == f"{path}:1"
        assert "prels" in caught.value.hint
        return
    fast, exact = read_trec_qrels(path), read_trec_qrels(path, exact=True)
    assert fast.table.equals(exact.table)
    assert fast.notices == exact.notices
    assert fast.table.height > 100
    assert fast.table.select(pl.all_horizontal(pl.all().is_not_null()).all()).item()


@BOTH
def test_a_query_id_may_begin_with_the_comment_sign(exact: bool) -> None:
    """A line with as many fields as a judgment and a number for its grade is a judgment, never a comment."""
    assert rows(read(b"#q1 0 d1 1\n# 0 d2 2\n", exact)) == [("#q1", "0", "d1", 1), ("#", "0", "d2", 2)]


RATINGS = b"2000\ta_49\t1\t0\n2000\ta_50\t2\t0\n2000\tb_28\t1\t0\n2001\tc_11\t3\t0\n2001\tc_12\t1\t0\n"
TYPES = b"55 c-71 paper 4\n55 c-72 paper 4\n55 ZA9 data 0\n56 c-73 paper 1\n56 c-74 paper 0\n"
RELEVANT_ONLY = b"  1   28\t0\t0.0\n  1   35\t0\t0.0\n  2   29\t0\t0.0\n  2   68\t0\t0.0\n"


@BOTH
@pytest.mark.parametrize(("data", "grade"), [(RATINGS, "$3"), (TYPES, "$4"), (RELEVANT_ONLY, "1")])
def test_documents_in_the_second_column_are_said(data: bytes, grade: str, exact: bool) -> None:
    """The warning names the column, and how the columns are put in order."""
    (notice,) = [each for each in read(data, exact).notices if each.code == "misplaced-documents"]
    assert notice.level == "warning" and "second column looks like the documents" in notice.message
    assert notice.hint is not None and f"awk '{{print $1, 0, $2, {grade}}}' x.qrels" in notice.hint


@pytest.mark.parametrize(
    "data",
    [
        b"q1 1 d1 1\nq1 2 d1 1\nq1 3 d2 1\n",
        b"q1 1 d1 1\nq1 2 d1 0\nq2 1 d2 1\nq2 2 d2 1\n",
        b"q1 0 d1 1\nq2 0 d1 1\nq3 0 d1 1\n",
        b"q1 Q0 1 1\nq1 Q0 2 0\nq2 Q0 1 1\n",
        b"q1 ann d1 1\nq1 bob d1 0\nq1 ann d2 1\nq1 bob d2 1\n",
    ],
)
def test_sub_topics_and_assessors_are_no_documents(data: bytes) -> None:
    """Numbers of sub-topics, names of assessors and numbers as document ids give no warning."""
    assert read(data).notices == ()


@BOTH
def test_tabs_divide_fields_where_an_id_holds_a_space(exact: bool) -> None:
    """The ids are read whole, and a warning says that other tools will not."""
    judgments = read(b"q1\t0\td 1\t1\nq1\t0\td2\t0\n", exact)
    assert rows(judgments) == [("q1", "0", "d 1", 1), ("q1", "0", "d2", 0)]
    assert [each.code for each in judgments.notices] == ["spaces-in-ids"]
