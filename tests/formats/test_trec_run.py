"""Reading TREC runs: the fast and the exact way give the same table, or the same error."""

import math
import os
import struct
from pathlib import Path

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from treconcile.errors import FileError, FormatError, InputError, NumberError
from treconcile.files.text_files import StoredFile
from treconcile.formats.trec.exact import is_number, whole_number
from treconcile.formats.trec.fast import fast_table, fold, has_exact_fields
from treconcile.formats.trec.run import COLUMNS, duplicate_lines, read_trec_run
from treconcile.formats.trec.sidecar import Sidecar, sidecar_path
from treconcile.model import Run

PROBLEMS = Path(__file__).parents[1] / "data" / "problems"
BOTH = pytest.mark.parametrize("exact", [False, True], ids=["fast", "exact"])
Row = tuple[str, str, float, int]
LINE = b"q1 Q0 d1 1 2.5 tag\n"


def read(data: bytes, exact: bool = False) -> Run:
    return read_trec_run("x.run", meta=False, exact=exact, file=StoredFile("x.run", data, data))


def rows(run: Run) -> list[Row]:
    return run.table.rows()


@BOTH
@pytest.mark.parametrize(
    "data",
    [
        b"q1 Q0 d1 1 2.5 tag\nq1 Q0 d2 2 -1e-3 tag\n",
        b"q1 Q0 d1 1 2.5 tag\nq1 Q0 d2 2 -1e-3 tag",
        b"q1\tQ0\td1\t1\t2.5\ttag\r\nq1\tQ0\td2\t2\t-1e-3\ttag\r\n",
        b"  q1   Q0 \t d1  1 2.5    tag \nq1 Q0 d2      2  -1e-3 tag\t\n",
        b"\n\nq1 Q0 d1 1 2.5 tag\n   \n\t\r\nq1 Q0 d2 2 -1e-3 tag\n\n",
        b"# comment\n#\nq1 Q0 d1 1 2.5 tag\n#a b\nq1 Q0 d2 2 -1e-3 tag\n# end",
        b"\xef\xbb\xbfq1 Q0 d1 1 2.5 tag\nq1 Q0 d2 2 -1e-3 tag\n",
        b"q1 Q0 d1 1.0 2.5 tag\r\r\nq1 Q0 d2 +2 -1e-3 tag\r",
    ],
)
def test_white_space_and_comments_change_nothing(data: bytes, exact: bool) -> None:
    """Tabs, aligned columns, CRLF, blank lines, comments and a byte-order mark are the same run."""
    run = read(data, exact)
    assert rows(run) == [("q1", "d1", 2.5, 1), ("q1", "d2", -0.001, 2)]
    assert (run.tag, run.scored, run.source) == ("tag", True, "x.run")
    assert dict(run.table.schema) == {
        "query_id": pl.String, "doc_id": pl.String, "score": pl.Float64, "rank": pl.Int64,
    }  # fmt: skip


@BOTH
def test_ids_are_text(exact: bool) -> None:
    """Digits, quotes, commas, a number sign and a no-break space stay as they are."""
    ids = ["007", "1e3", '"quoted"', "a,b", "x#y", "null", "NaN", "", "b\u00a0c", "é€𝄞"]
    data = "".join(f"{i} Q0 {i} 1 1 t\n" for i in ids if i).encode()
    assert [row[:2] for row in rows(read(data, exact))] == [(i, i) for i in ids if i]


@BOTH
@pytest.mark.parametrize(("score", "results"), [("1.5", 2), ("inf", 2), ("1e999", 2), ("x", 1)])
def test_a_lone_number_sign_is_a_query_if_a_score_follows(score: str, results: int, exact: bool) -> None:
    run = read(f"q Q0 d 1 2.0 t\n# Q0 a 1 {score} t\n".encode(), exact)
    assert run.table.height == results


@BOTH
def test_an_id_may_begin_like_packed_data(exact: bool) -> None:
    """Polars would take a file that begins with these two letters for a compressed one."""
    run = read(b"x^1 Q0 d1 1 2.5 t\nq2 Q0 d1 1 1.5 t\n", exact)
    assert run.table["query_id"].to_list() == ["x^1", "q2"]


@BOTH
def test_a_line_with_the_right_fields_is_no_comment(exact: bool) -> None:
    """A query id may begin with a number sign."""
    assert [
        row[0] for row in rows(read(b"#1 Q0 d1 1 2.5 tag\n# Q0 d1 1 2.5 tag\n# Q0 d1 1\n" + LINE, exact))
    ] == ["#1", "#", "q1"]


@BOTH
def test_nothing_is_sorted(exact: bool) -> None:
    """Rows keep the order of the file, duplicates too."""
    data = b"b Q0 z 1 1 t\na Q0 y 1 1 t\nb Q0 x 9 5 t\nb Q0 z 1 1 t\n"
    assert [row[:2] for row in rows(read(data, exact))] == [("b", "z"), ("a", "y"), ("b", "x"), ("b", "z")]


BROKEN = {
    "no tag": (LINE + b"q1 Q0 d2 2 1.5\n", FormatError, 2, "5 fields found, 6 expected", "tag"),
    "space in tag": (b"q1 Q0 d1 1 2.5 my tag\n", FormatError, 1, "7 fields", "space in the tag"),
    "space in document": (
        LINE + b"q1 Q0 a b 2 1.5 t\n",
        FormatError,
        2,
        "7 fields",
        "space in the document id",
    ),
    "space in query": (b"q 1 Q0 a 2 1.5 t\n", FormatError, 1, "7 fields", "space in the query id"),
    "four fields": (LINE + b"q1 Q0 d2 2\n" + LINE, FormatError, 2, "4 fields", "cut short"),
    "qrels": (b"q1 0 d2 2\n", FormatError, 1, "4 fields", "exchanged"),
    "ms marco": (b"1\t2\t3\n", FormatError, 1, "3 fields", "MS MARCO"),
    "one field": (LINE + b"word\n", FormatError, 2, "1 field found", None),
    "commas": (b"q1,Q0,d1,1,2.5,t\n", FormatError, 1, "1 field found", "commas"),
    "json": (b'{"q1": ["d1"]}\n', FormatError, 1, "2 fields", "JSON"),
    "header": (b"query_id doc_id rank score tag\n" + LINE, FormatError, 1, "5 fields", "header"),
    "full header": (b"qid Q0 docid rank score tag\n" + LINE, NumberError, 1, "'rank'", "header"),
    "too few balanced by too many": (
        b"q1 Q0 d1 1 2.5\nq1 Q0 d2 2 1.5 t t\n",
        FormatError,
        1,
        "5 fields",
        "tag",
    ),
    "too many balanced by too few": (
        b"q1 Q0 d2 2 1.5 t t\nq1 Q0 d1 1 2.5\n",
        FormatError,
        1,
        "7 fields",
        "tag",
    ),
    "no-break space": (
        "q1 Q0\u00a0d1 1 2 t\n".encode(),
        FormatError,
        1,
        "5 fields",
        "U+00A0 (no-break space)",
    ),
    "ideographic space": ("q1 Q0 d\u30001 1 t\n".encode(), FormatError, 1, "5 fields", "U+3000"),
    "carriage returns": (
        b"q1 Q0 d1 1 2.5 t\rq1 Q0 d2 2 1.5 t\r",
        FormatError,
        1,
        "11 fields",
        "carriage return",
    ),
    "rank": (LINE + b"q1 Q0 d2 two 1.5 t\n", NumberError, 2, "the rank 'two'", None),
    "rank 1.5": (b"q1 Q0 d2 1.5 1.5 t\n", NumberError, 1, "the rank '1.5'", None),
    "rank too large": (b"q1 Q0 d2 9223372036854775808 1.5 t\n", NumberError, 1, "the rank", None),
    "nan": (LINE + b"q1 Q0 d2 2 nan t\n", NumberError, 2, "the score 'nan'", "NaN"),
    "-NaN": (b"q1 Q0 d2 2 -NaN t\n", NumberError, 1, "the score '-NaN'", "NaN"),
    "text": (b"q1 Q0 d2 2 n/a t\n", NumberError, 1, "the score 'n/a'", None),
    "decimal comma": (b"q1 Q0 d2 2 3,7 t\n", NumberError, 1, "the score '3,7'", "decimal comma"),
    "underscore": (b"q1 Q0 d2 2 1_000 t\n", NumberError, 1, "'1_000'", None),
    "hexadecimal": (b"q1 Q0 d2 2 0x1p3 t\n", NumberError, 1, "'0x1p3'", None),
    "other digits": ("q1 Q0 d2 2 ١ t\n".encode(), NumberError, 1, "'١'", None),
    "long text": (b"q1 Q0 d2 2 " + b"x" * 30 + b" t\n", NumberError, 1, "'" + "x" * 20 + "…'", None),
    "NUL": (LINE + b"q1 Q0 d\0 2 1 t\n", FileError, 2, "NUL", "UTF-8"),
    "not UTF-8": (LINE + b"q1 Q0 d\xe9 2 1 t\n", FileError, 2, "0xE9", "UTF-8"),
    "second column not UTF-8": (b"q1 \xff d 2 1 t\n", FileError, 1, "0xFF", "UTF-8"),
}


@BOTH
@pytest.mark.parametrize("name", BROKEN)
def test_broken_lines(name: str, exact: bool) -> None:
    """Each way of being broken is an error with its line, what was found, and a guess."""
    data, kind, line, message, hint = BROKEN[name]
    with pytest.raises(InputError) as caught:
        read(data, exact)
    assert type(caught.value) is kind
    assert caught.value.where == f"x.run:{line}"
    assert message in caught.value.message
    assert hint is None or hint in caught.value.hint


@pytest.mark.parametrize("name", BROKEN)
def test_the_fast_way_does_not_take_broken_lines(name: str) -> None:
    """The fast reader itself leaves every broken file to the exact one."""
    table = fast_table(BROKEN[name][0], COLUMNS)
    assert table is None or table.get_column("score").is_nan().any()


@pytest.mark.parametrize("spread", [1, 7, 70_000])
def test_one_bad_line_among_many(spread: int) -> None:
    """A broken line is found wherever it stands, also where blocks of bytes meet."""
    data = LINE * spread + b"q1 Q0  1 2.5 tag\n" + LINE * spread
    with pytest.raises(FormatError) as caught:
        read(data)
    assert caught.value.where == f"x.run:{spread + 1}"


def test_the_fast_way_takes_what_is_well_formed() -> None:
    """Plain, tabbed, aligned and CRLF files do not need the exact reader."""
    for data in (
        LINE * 2,
        LINE.replace(b" ", b"\t"),
        LINE.replace(b" ", b"   "),
        LINE[:-1] + b" \r\n\r\n" + LINE,
    ):
        assert fast_table(data, COLUMNS) is not None


@BOTH
def test_infinite_scores_are_a_warning(exact: bool) -> None:
    """All spellings of infinity, and numbers too large, are infinite, and said to be."""
    data = b"".join(
        b"q Q0 d%d 1 %s t\n" % pair for pair in enumerate([b"inf", b"-Infinity", b"+INF", b"1e999"])
    )
    run = read(data + LINE, exact)
    assert run.table["score"].to_list() == [math.inf, -math.inf, math.inf, math.inf, 2.5]
    assert [(n.code, n.level) for n in run.notices] == [
        ("infinite-scores", "warning"),
        ("tag-changes", "warning"),
    ]
    assert "4 of 5" in run.notices[0].message


@BOTH
@pytest.mark.parametrize("data", [b"", b"\n \n", b"# only a comment\n", b"\xef\xbb\xbf"])
def test_an_empty_run_is_a_warning(data: bytes, exact: bool) -> None:
    """A run without a line is a table without a row."""
    run = read(data, exact)
    assert rows(run) == []
    assert run.table.schema == read(LINE).table.schema
    assert run.notices[-1].code == "empty-run"


@BOTH
def test_a_tag_that_changes_is_a_warning(exact: bool) -> None:
    """The first tag is the run's, and the notice names both."""
    run = read(LINE + b"q2 Q0 d1 1 1 other\n", exact)
    assert run.tag == "tag"
    assert "'tag', 'other'" in run.notices[0].message
    assert read(LINE * 2, exact).notices == ()


IDS = st.text(
    st.characters(exclude_categories=("Cs",), exclude_characters="\0 \t\r\n\ufeff"), min_size=1, max_size=4
)
SCORES = st.one_of(
    st.floats(allow_nan=False).map(repr),
    st.from_regex(r"[+-]?([0-9]{1,25}\.?[0-9]{0,25}|\.[0-9]{1,25})([eE][+-]?[0-9]{1,3})?", fullmatch=True),
)
GAPS = st.sampled_from([" ", "\t", "  ", " \t ", "\t\t"])


@st.composite
def well_formed(draw: st.DrawFn) -> tuple[bytes, list[Row]]:
    """The bytes of a run in any layout, with its rows."""
    aligned = draw(st.booleans())
    ends = draw(st.sampled_from([["\n"], ["\r\n"], ["\n", "\r\n", " \n", "\n\n", "\n \t\r\n"]]))
    table, text = [], draw(st.sampled_from(["", "\n", "  "]))
    for _ in range(draw(st.integers(1, 5))):
        query, document, rank, score = draw(IDS), draw(IDS), draw(st.integers(-5, 10**15)), draw(SCORES)
        fields = [query, "Q0", document, str(rank), score, "tag"]
        line = fields[0]
        for each in fields[1:]:
            line += (draw(GAPS) if aligned else " ") + each
        text += line + draw(st.sampled_from(ends))
        table.append((query, document, float(score), rank))
    return text.rstrip("\n" if draw(st.booleans()) else "").encode(), table


@given(well_formed())
@example((b"a Q0 b 1 0.1000000000000000055511151231257827021181583404541015625 tag\n", [("a", "b", 0.1, 1)]))
def test_fast_and_exact_agree_on_what_is_well_formed(case: tuple[bytes, list[Row]]) -> None:
    """Whatever the layout, both ways give the rows, to the last bit."""
    data, table = case
    assert has_nothing_else_than(read(data, exact=True), table)
    assert has_nothing_else_than(read(data), table)


def has_nothing_else_than(run: Run, table: list[Row]) -> bool:
    bits = [struct.pack("d", row[2]) for row in run.table.rows()]
    return run.table.rows() == table and bits == [struct.pack("d", row[2]) for row in table]


@given(st.text("+-._eExXnaNifIy0123456789'٣", min_size=1, max_size=12))
def test_fast_and_exact_agree_on_numbers(text: str) -> None:
    """A text is the same number for both ways as for Python, or for neither a number."""
    data = f"q Q0 d {text} {text} t\n".encode()
    outcomes = []
    for column, wanted in (("score", float), ("rank", whole_number)):
        columns = {name: kind if name == column else pl.String for name, kind in COLUMNS.items()}
        table = fast_table(data, columns)
        value = None if table is None else table.get_column(column)[0]
        if value is None or value != value:  # noqa: PLR0124 - NaN
            continue
        outcomes.append(column)
        assert struct.pack("d", value) == struct.pack("d", wanted(text))
    if is_number(text):
        assert "score" in outcomes


@given(st.lists(st.sampled_from([b" ", b"\n", b"a", b"bc", b"#", b"\xc2\xa0"]), max_size=30).map(b"".join))
def test_fold_keeps_the_fields_of_each_line(data: bytes) -> None:
    """Folding leaves the fields of every line that has some, one space between them."""
    lines = [[field for field in line.split(b" ") if field] for line in data.split(b"\n")]
    assert fold(data) == b"\n".join(b" ".join(line) for line in lines if line)


@given(st.lists(st.sampled_from([b" ", b"\n", b"a", b"\t", b"\r", b"#", b"\0"]), max_size=16).map(b"".join))
@example(b"a a\na a\na a")
@example(b" a\na a\n")
@example(b"a ")
def test_the_proof_means_exactly_so_many_fields(data: bytes) -> None:
    """What is proven has exactly the fields on each line, with nothing around them."""
    if has_exact_fields(data, 2):
        lines = data.removesuffix(b"\n").split(b"\n")
        assert all(line.count(b" ") == 1 and len(line.split()) == 2 for line in lines)
        assert not set(data) & set(b"\t\r\0")


@given(st.lists(st.lists(st.sampled_from([b"a", b"b#"]), min_size=2, max_size=2).map(b" ".join), min_size=1))
def test_the_proof_holds_for_what_is_plain(lines: list[bytes]) -> None:
    """Plain lines are proven, with and without the last line feed."""
    assert has_exact_fields(b"\n".join(lines), 2)
    assert has_exact_fields(b"\n".join(lines) + b"\n", 2)


def test_duplicate_lines(tmp_path: Path) -> None:
    """The lines of one document in one query, whatever is alike elsewhere."""
    path = tmp_path / "x.run"
    path.write_bytes(
        b"\xef\xbb\xbfq1 Q0 d 1 1 t\n# q1 Q0 d\n\nq2 Q0 d 1 1 t\nq1\tQ0  d 2 1 t\r\nq1 Q0 dd 1 1 d\n"
    )
    assert duplicate_lines(path, "q1", "d") == [1, 5]
    assert duplicate_lines("-", "q1", "d") == []


@BOTH
def test_a_sidecar_is_applied(tmp_path: Path, exact: bool) -> None:
    """Empty queries, k, whether there were scores and the encoding come from it; a dummy's line goes."""
    path = tmp_path / "x.run"
    path.write_bytes(LINE + b"q5 Q0 __no_result__ 1 0 tag\n")
    sidecar = Sidecar(
        "run", queries=("q1", "q5", "q6"), empty=("q5", "q6"), k=3, scored=False, id_encoding="percent"
    )
    sidecar_path(path).write_bytes(sidecar.to_bytes())
    run = read_trec_run(path, exact=exact)
    assert (run.empty, run.k, run.scored, run.from_sidecar) == (("q5", "q6"), 3, False, 2)
    assert (run.id_encoding, run.queries) == ("percent", ("q1",))
    plain = read_trec_run(path, meta=False, exact=exact)
    assert (plain.empty, plain.k, plain.scored, plain.queries) == ((), None, True, ("q1", "q5"))


def test_a_sidecar_that_contradicts_the_run_is_refused(tmp_path: Path) -> None:
    """A query cannot be empty and have results."""
    path = tmp_path / "x.run"
    path.write_bytes(LINE)
    sidecar_path(path).write_bytes(Sidecar("run", empty=("q1",)).to_bytes())
    with pytest.raises(FormatError, match="q1"):
        read_trec_run(path)


@BOTH
def test_numeric_looking_ids(exact: bool) -> None:
    """B089: 007 and 7, 0042 and 42, 1e3 and 1000 are different ids."""
    run = read_trec_run(PROBLEMS / "B089" / "run.txt", exact=exact)
    assert run.queries == ("007", "7", "010")
    assert run.table["doc_id"].to_list() == ["42", "0042", "42", "1000", "1e3"]


@BOTH
@pytest.mark.parametrize(
    ("name", "line", "fields", "hint"),
    [
        ("run_space_in_docid", 2, 7, "document id"),
        ("run_5cols", 1, 5, "tag"),
        ("run_7cols", 1, 7, "tag"),
        ("run_4cols_mid", 2, 4, "short"),
    ],
)
def test_malformed_lines(name: str, line: int, fields: int, hint: str, exact: bool) -> None:
    """B093: file, line, number of fields found, and a guess."""
    path = PROBLEMS / "B093" / f"{name}.txt"
    with pytest.raises(FormatError, match=f"{fields} fields found") as caught:
        read_trec_run(path, exact=exact)
    assert caught.value.where == f"{path}:{line}"
    assert hint in caught.value.hint


@BOTH
def test_quotes_and_number_signs_in_ids(exact: bool) -> None:
    """B094: only white space separates."""
    run = read_trec_run(PROBLEMS / "B094" / "run.txt", exact=exact)
    assert run.table["doc_id"].to_list() == ['"Quoted"_title', "Report_(draft),_1999", "C#_notes;v2", "plain"]


@BOTH
@pytest.mark.parametrize("name", ["tab", "crlf", "mixed", "blank", "noeol", "bom"])
def test_layouts(name: str, exact: bool) -> None:
    """B096: every layout is the same run, and only the byte-order mark is worth a note."""
    run = read_trec_run(PROBLEMS / "B096" / f"run_{name}.txt", exact=exact)
    assert rows(run) == rows(read_trec_run(PROBLEMS / "B096" / "run_lf.txt"))
    assert [n.code for n in run.notices] == (["bom-removed"] if name == "bom" else [])


@BOTH
@pytest.mark.parametrize(
    ("name", "first", "line"),
    [
        ("negative", -0.3, 0),
        ("sci", 150.0, 0),
        ("inf", math.inf, 0),
        ("nan", 0, 2),
        ("text", 0, 1),
        ("comma", 0, 1),
    ],
)
def test_odd_scores(name: str, first: float, line: int, exact: bool) -> None:
    """B107: numbers of any sign and size are read; what is none is an error with its line."""
    path = PROBLEMS / "B107" / f"run_{name}.txt"
    if not line:
        assert read_trec_run(path, exact=exact).table["score"][0] == first
        return
    with pytest.raises(NumberError) as caught:
        read_trec_run(path, exact=exact)
    assert caught.value.where == f"{path}:{line}"


@pytest.mark.skipif("TRECONCILE_TEST_DATA" not in os.environ, reason="needs TRECONCILE_TEST_DATA")
def test_real_runs_are_the_same_both_ways() -> None:
    """Four real runs: the fast reader takes them and gives what the exact one gives."""
    found = sorted(Path(os.environ["TRECONCILE_TEST_DATA"], "robust03").glob("*run*.gz"))
    assert found
    for path in found:
        fast, exact = read_trec_run(path), read_trec_run(path, exact=True)
        assert fast.table.equals(exact.table)
        assert fast.table.height > 500


@BOTH
def test_tabs_divide_fields_where_an_id_holds_a_space(exact: bool) -> None:
    """The ids are read whole, and a warning says that other tools will not."""
    run = read(b"q1\tQ0\td 1\t1\t12.5\ts\nq1\tQ0\td2\t2\t11\ts\n", exact)
    assert rows(run) == [("q1", "d 1", 12.5, 1), ("q1", "d2", 11.0, 2)]
    assert [each.code for each in run.notices] == ["spaces-in-ids"]
