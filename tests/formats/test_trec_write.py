"""Writing TREC files: every reader takes them, and what was written is what is read."""

import gzip
import hashlib
import io
import shutil
import struct
import subprocess
from pathlib import Path
from urllib.parse import unquote

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from treconcile.errors import DuplicateError, EmptyError, FileError, IdError, MismatchError, NumberError
from treconcile.formats.trec.ids import percent_encoded
from treconcile.formats.trec.qrels import read_trec_qrels
from treconcile.formats.trec.run import read_trec_run
from treconcile.formats.trec.sidecar import read_sidecar, sidecar_path
from treconcile.formats.trec.write import write_qrels, write_run
from treconcile.model import JUDGMENT_COLUMNS, RUN_COLUMNS, Judgments, Run


def run_of(*rows: tuple[object, ...], **more: object) -> Run:
    """A run of (query, document, score)."""
    table = pl.DataFrame([(*row, 0) for row in rows], schema=RUN_COLUMNS, orient="row")
    return Run(table=table, **{"tag": "t", **more})


def qrels_of(*rows: tuple[object, ...], **more: object) -> Judgments:
    """Judgments of (query, sub-topic, document, grade)."""
    return Judgments(table=pl.DataFrame(rows, schema=JUDGMENT_COLUMNS, orient="row"), **more)


def names_in(folder: Path) -> list[str]:
    """The names of the files in a folder."""
    return sorted(each.name for each in folder.iterdir())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "x.run"


def test_a_run_is_grouped_ordered_and_numbered(path: Path) -> None:
    """Queries keep their order, results go by falling score, equal ones in input order, ranks from 1."""
    run = run_of(("b", "x", 1), ("a", "y", 2.5), ("b", "z", 3), ("b", "w", 1), ("b", "u", 3), ("a", "v", -1))
    write_run(run, path)
    assert path.read_bytes() == (
        b"b Q0 z 1 3.0 t\nb Q0 u 2 3.0 t\nb Q0 x 3 1.0 t\nb Q0 w 4 1.0 t\na Q0 y 1 2.5 t\na Q0 v 2 -1.0 t\n"
    )


def test_whole_scores_are_written_without_a_point(path: Path) -> None:
    """Where every score is a whole number, it is written as one; minus zero is zero."""
    write_run(run_of(("q", "a", 12), ("q", "b", 3), ("q", "c", -0.0)), path)
    assert path.read_bytes() == b"q Q0 a 1 12 t\nq Q0 b 2 3 t\nq Q0 c 3 0 t\n"
    write_run(run_of(("q", "a", 0.5), ("q", "b", -0.0)), path)
    assert path.read_bytes() == b"q Q0 a 1 0.5 t\nq Q0 b 2 0.0 t\n"


def test_rank_scores(path: Path) -> None:
    """n … 1 within each query; the default where the run has no scores of its own."""
    rows = [("q", "a", 0.5), ("q", "b", 0.5), ("p", "a", 9)]
    wanted = b"q Q0 a 1 2 t\nq Q0 b 2 1 t\np Q0 a 1 1 t\n"
    assert write_run(run_of(*rows), path, score="rank") == ()
    assert path.read_bytes() == wanted
    write_run(run_of(*rows, scored=False), path)
    assert path.read_bytes() == wanted
    assert read_trec_run(path).scored is False
    write_run(run_of(*rows), path)
    assert read_trec_run(path).scored is True


def test_documents_that_trec_eval_would_reorder(path: Path) -> None:
    """The notice counts the documents whose place changes, not those that are tied."""
    run = run_of(
        ("q1", "a", 1), ("q1", "b", 1), ("q1", "c", 1),
        ("q2", "b", 2), ("q2", "a", 2),
        ("q3", "d", 3), ("q3", "e", 3), ("q3", "f", 1),
    )  # fmt: skip
    (notice,) = write_run(run, path)
    assert notice.code == "ties-reordered"
    assert "reorder 4 documents of 2 queries, for example q1" in notice.message
    assert "--score rank" in notice.hint


def test_scores_equal_in_single_precision(path: Path) -> None:
    """trec_eval 9 sees ties that trec_eval 10 does not, and is named for them alone."""
    (notice,) = write_run(run_of(("q1", "a", 1.00000001), ("q1", "b", 1.0)), path)
    assert notice.code == "ties-reordered-float32"
    assert "trec_eval 9" in notice.message
    assert "2 documents of the query q1" in notice.message


def test_a_notice_is_not_given_where_order_is_safe(path: Path) -> None:
    """Ties in falling order of the ids, and ties across queries, change nothing."""
    assert write_run(run_of(("q1", "b", 1), ("q1", "a", 1), ("q2", "c", 1)), path) == ()


@pytest.mark.parametrize("score", [float("inf"), float("-inf")])
def test_infinite_scores_are_refused_unless_ranks_are_written(path: Path, score: float | None) -> None:
    """No tool-independent text says infinity."""
    run = run_of(("q", "a", 1.0), ("q", "b", score))
    with pytest.raises(NumberError) as caught:
        write_run(run, path)
    assert "--score rank" in caught.value.hint
    assert not path.exists()
    write_run(run, path, score="rank")
    assert len(read_trec_run(path).table) == 2


@pytest.mark.parametrize("score", [float("nan"), None])
def test_a_score_that_is_none_is_refused(path: Path, score: float | None) -> None:
    """NaN has no place in an order."""
    with pytest.raises(NumberError):
        write_run(run_of(("q", "a", score)), path)


def test_a_duplicate_document_is_refused(path: Path) -> None:
    """Twice in one query is an error, once in each of two is not."""
    write_run(run_of(("q", "a", 1), ("p", "a", 1)), path)
    with pytest.raises(DuplicateError, match="the query q has the document a"):
        write_run(run_of(("q", "a", 1), ("q", "b", 3), ("q", "a", 2)), path)


def test_queries_that_found_nothing(path: Path) -> None:
    """Omitted with a warning that names at most five, or a dummy's line each, or an error."""
    empty = tuple(f"e{n}" for n in range(7))
    run = run_of(("q", "a", 0.5), empty=empty)
    (notice,) = write_run(run, path)
    assert notice.code == "empty-omitted"
    assert "e0, e1, e2, e3, e4 and 2 more" in notice.message
    assert "-c" in notice.hint
    assert path.read_bytes() == b"q Q0 a 1 0.5 t\n"
    assert read_trec_run(path).empty == empty
    assert write_run(run, path, empty_results="dummy") == ()
    assert path.read_bytes().splitlines()[1:] == [b"e%d Q0 __no_result__ 1 0.0 t" % n for n in range(7)]
    assert (read_trec_run(path).empty, read_trec_run(path).queries) == (empty, ("q",))
    with pytest.raises(EmptyError) as caught:
        write_run(run, path, empty_results="error")
    assert "--empty-results" in caught.value.hint


def test_queries_without_an_answer(path: Path) -> None:
    """As for runs, with a grade of 0; a query that has judged documents needs no dummy."""
    judgments = qrels_of(
        ("q", "0", "a", 1), ("n2", "0", "a", 0), negative=("n1", "n2"), reasons={"n1": "why"}
    )
    (notice,) = write_qrels(judgments, path)
    assert notice.code == "negative-omitted"
    assert "n1" in notice.message
    assert "n2" not in notice.message
    assert path.read_bytes() == b"q 0 a 1\nn2 0 a 0\n"
    again = read_trec_qrels(path)
    assert (again.negative, again.reasons, again.asked) == (("n1", "n2"), {"n1": "why"}, ("q", "n2", "n1"))
    assert write_qrels(judgments, path, no_relevant="dummy") == ()
    assert path.read_bytes() == b"q 0 a 1\nn2 0 a 0\nn1 0 __no_relevant__ 0\n"
    assert read_trec_qrels(path).queries == ("q", "n2")
    with pytest.raises(EmptyError) as caught:
        write_qrels(judgments, path, no_relevant="error")
    assert "--no-relevant" in caught.value.hint


def test_a_dummy_is_no_document(path: Path) -> None:
    """The dummy's id must not be that of a document."""
    with pytest.raises(IdError, match="__no_result__"):
        write_run(run_of(("q", "__no_result__", 1), empty=("e",)), path, empty_results="dummy")
    with pytest.raises(IdError, match="__no_relevant__"):
        write_qrels(qrels_of(("q", "0", "__no_relevant__", 1), negative=("n",)), path, no_relevant="dummy")


def test_contradictions_are_refused(path: Path) -> None:
    """What the reader would refuse is not written."""
    with pytest.raises(MismatchError, match="the query q"):
        write_run(run_of(("q", "a", 1), empty=("q",)), path)
    with pytest.raises(MismatchError, match="the query q"):
        write_qrels(qrels_of(("q", "0", "a", 1), negative=("q",)), path)


def test_judgments_are_grouped_and_written_once(path: Path) -> None:
    """Queries and judgments keep their order, sub-topics stay, repeats go with a warning."""
    rows = [("b", "1", "x", 1), ("a", "0", "y", -2), ("b", "2", "x", 0), ("b", "1", "x", 1)]
    (notice,) = write_qrels(qrels_of(*rows), path)
    assert notice.code == "repeated-judgments"
    assert path.read_bytes() == b"b 1 x 1\nb 2 x 0\na 0 y -2\n"
    with pytest.raises(DuplicateError, match="two grades"):
        write_qrels(qrels_of(*rows, ("a", "0", "y", 3)), path)


AWKWARD = ["a b", "a\u00a0b", "\u3000", "a\tb", "a\nb", "a\x1cb", "a\x7fb", "\ufeffa", "a\u2028b", "a\x85b"]


@pytest.mark.parametrize("text", AWKWARD)
def test_awkward_ids_are_refused_or_encoded(path: Path, text: str) -> None:
    """An id that some reader would split is an error with its place, or is encoded and can be decoded."""
    run = run_of(("q", "100%", 3), ("q", text, 2))
    with pytest.raises(IdError) as caught:
        write_run(run, path)
    assert "query q, row 2" in caught.value.message
    assert "--id-encoding percent" in caught.value.hint
    assert not path.exists()
    write_run(run, path, id_encoding="percent")
    again = read_trec_run(path)
    assert again.id_encoding == "percent"
    assert again.table["doc_id"].to_list()[0] == "100%25"
    assert [unquote(each) for each in again.table["doc_id"]] == ["100%", text]


def test_a_query_id_must_not_look_like_a_comment(path: Path) -> None:
    """A number sign is awkward at the start of a query id, and nowhere else."""
    with pytest.raises(IdError, match="comment"):
        write_run(run_of(("#1", "a", 1)), path)
    with pytest.raises(IdError, match="comment"):
        write_run(run_of(("q", "a", 1), empty=("#1",)), path)
    write_run(run_of(("q#1", "#a", 1)), path)
    assert path.read_bytes() == b"q#1 Q0 #a 1 1 t\n"
    write_run(run_of(("#1", "#a", 1), empty=("#2",)), path, id_encoding="percent")
    assert path.read_bytes() == b"%231 Q0 %23a 1 1 t\n"
    assert read_trec_run(path).empty == ("%232",)


def test_encoding_happens_only_where_it_is_needed(path: Path) -> None:
    """Ids with a percent sign stay, if no id needs encoding."""
    write_run(run_of(("q", "a%20b", 1)), path, id_encoding="percent")
    assert path.read_bytes() == b"q Q0 a%20b 1 1 t\n"
    assert read_trec_run(path).id_encoding == "none"


def test_what_is_encoded_is_not_encoded_again(path: Path) -> None:
    """Reading and writing an encoded file changes nothing."""
    write_qrels(qrels_of(("q 1", "s 1", "a%b", 1), negative=("n 1",)), path, id_encoding="percent")
    first = path.read_bytes()
    assert first == b"q%201 s%201 a%25b 1\n"
    again = read_trec_qrels(path)
    assert again.negative == ("n%201",)
    write_qrels(again, path, id_encoding="percent")
    assert path.read_bytes() == first
    assert read_trec_qrels(path).id_encoding == "percent"


@pytest.mark.parametrize("row", [("", "a", 1), ("q", "", 1), (None, "a", 1), ("q", None, 1)])
def test_empty_ids_are_refused(path: Path, row: tuple[object, ...]) -> None:
    """An empty id would leave no field, encoded or not."""
    with pytest.raises(IdError, match="is empty"):
        write_run(run_of(row), path, id_encoding="percent")


@pytest.mark.parametrize("tag", ["my tag", "a\u00a0b"])
def test_a_tag_is_one_word(path: Path, tag: str) -> None:
    """A tag with white space would be another field."""
    with pytest.raises(IdError, match="tag"):
        write_run(run_of(("q", "a", 1)), path, tag=tag)


def test_the_sidecar_says_where_the_file_came_from(path: Path) -> None:
    """Hashes, k and the command stand in the sidecar, and the file's own hash is of what is stored."""
    gz = path.with_suffix(".run.gz")
    more = {"hashes": {"corpus": "c"}, "command": ["treconcile", "convert"], "origin": "x.json"}
    write_run(run_of(("q", "a", 1), k=5), gz, tag="mine", **more)
    assert gzip.decompress(gz.read_bytes()) == b"q Q0 a 1 1 mine\n"
    sidecar, notices = read_sidecar(gz)
    assert notices == ()
    assert sidecar.hashes == {"file": hashlib.sha256(gz.read_bytes()).hexdigest(), "corpus": "c"}
    assert (sidecar.k, sidecar.command, sidecar.source) == (5, ("treconcile", "convert"), "x.json")
    assert (read_trec_run(gz).tag, read_trec_run(gz).k) == ("mine", 5)
    first = gz.read_bytes(), sidecar_path(gz).read_bytes()
    write_run(run_of(("q", "a", 1), k=5), gz, tag="mine", **more)
    assert (gz.read_bytes(), sidecar_path(gz).read_bytes()) == first


def test_no_sidecar_where_none_is_wanted(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither with meta=False nor on standard output."""
    write_run(run_of(("q", "a", 1)), path, meta=False)
    assert names_in(path.parent) == ["x.run"]
    out = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.chdir(path.parent)
    write_qrels(qrels_of(("q", "0", "a", 1)), "-")
    assert out.buffer.getvalue() == b"q 0 a 1\n"
    assert names_in(path.parent) == ["x.run"]


def test_a_failure_leaves_both_files(path: Path) -> None:
    """If the sidecar cannot be written, the run stays as it was."""
    path.write_bytes(b"old")
    sidecar_path(path).mkdir()
    with pytest.raises(FileError):
        write_run(run_of(("q", "a", 1)), path)
    assert path.read_bytes() == b"old"
    assert names_in(path.parent) == ["x.run", "x.run.meta.json"]


def test_an_empty_run_is_an_empty_file(path: Path) -> None:
    """Nothing found for any query is a file without a line and a sidecar that says so."""
    write_run(run_of(empty=("q1",)), path)
    assert path.read_bytes() == b""
    assert read_trec_run(path).empty == ("q1",)


ANY_IDS = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=5)


@given(ANY_IDS)
@example("#%20\u00a0")
def test_percent_encoding_is_reversible_and_one_field(text: str) -> None:
    """Every id comes back, and no reader splits it or takes it for a comment."""
    encoded = percent_encoded(text)
    assert unquote(encoded) == text
    assert encoded.split() == [encoded]
    assert not encoded.startswith("#")


@given(
    st.dictionaries(
        st.tuples(ANY_IDS, ANY_IDS), st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=6
    ),
    st.lists(ANY_IDS, unique=True, max_size=2),
)
def test_a_run_that_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, scores: dict[tuple[str, str], float], empty: list[str]
) -> None:
    """Ids, order, scores to the last bit, and empty queries survive, whatever characters they hold."""
    asked = {query for query, _ in scores}
    empty = tuple(query for query in empty if query not in asked)
    run = run_of(*[(*key, score) for key, score in scores.items()], empty=empty)
    path = tmp_path_factory.mktemp("w") / "x.run"
    write_run(run, path, id_encoding="percent")
    again = read_trec_run(path)
    decode = unquote if again.id_encoding == "percent" else str
    first = {query: n for n, query in reversed(list(enumerate(q for q, _ in scores)))}
    wanted = sorted(
        ((*key, score) for key, score in scores.items()), key=lambda row: (first[row[0]], -row[2])
    )
    got = [(decode(query), decode(document), score) for query, document, score, _ in again.table.iter_rows()]
    assert got == wanted
    assert [struct.pack("d", row[2]) for row in got] == [struct.pack("d", row[2] + 0.0) for row in wanted]
    assert tuple(map(decode, again.empty)) == empty
    assert read_trec_run(path, exact=True).table.equals(again.table)


@given(
    st.dictionaries(
        st.tuples(ANY_IDS, ANY_IDS, ANY_IDS), st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=6
    )
)
def test_judgments_that_are_written_are_read_back(
    tmp_path_factory: pytest.TempPathFactory, grades: dict[tuple[str, str, str], int]
) -> None:
    """Ids, sub-topics and grades survive, whatever characters they hold."""
    path = tmp_path_factory.mktemp("w") / "x.qrels"
    write_qrels(qrels_of(*[(*key, grade) for key, grade in grades.items()]), path, id_encoding="percent")
    again = read_trec_qrels(path)
    decode = unquote if again.id_encoding == "percent" else str
    assert {tuple(map(decode, row[:3])): row[3] for row in again.table.iter_rows()} == grades


# What every other reader must find in the files written from these: awkward but legal, no ties.
RUN_ROWS = {
    "007": {"d-1": 12.5, '"q",x': 8.25, "é#1": -0.001},
    "1e3": {"0042": 1e-7, "42": 1e-300, "a%20b": -2.5e30},
}
QRELS_ROWS = {"007": {"d-1": 2, '"q",x': 0}, "1e3": {"42": 1, "0042": -1}}


@pytest.fixture
def written(tmp_path: Path) -> tuple[str, str]:
    """The paths of a run and of judgments, as written."""
    rows = [
        (query, document, score) for query, found in RUN_ROWS.items() for document, score in found.items()
    ]
    write_run(run_of(*rows), tmp_path / "x.run")
    judged = [
        (query, "0", document, grade)
        for query, found in QRELS_ROWS.items()
        for document, grade in found.items()
    ]
    write_qrels(qrels_of(*judged), tmp_path / "x.qrels")
    return str(tmp_path / "x.run"), str(tmp_path / "x.qrels")


def ordered(run: dict[str, dict[str, float]]) -> dict[str, list[tuple[str, float]]]:
    """Each query's documents with their scores, in their order."""
    return {query: list(found.items()) for query, found in run.items()}


def test_pytrec_eval_reads_what_is_written(written: tuple[str, str]) -> None:
    """Same ids, order and scores."""
    pytrec_eval = pytest.importorskip("pytrec_eval")
    with Path(written[0]).open(encoding="utf-8") as run, Path(written[1]).open(encoding="utf-8") as qrels:
        assert ordered(pytrec_eval.parse_run(run)) == ordered(RUN_ROWS)
        assert ordered(pytrec_eval.parse_qrel(qrels)) == ordered(QRELS_ROWS)


def test_ir_measures_reads_what_is_written(written: tuple[str, str]) -> None:
    """Same ids, order and scores."""
    ir_measures = pytest.importorskip("ir_measures")
    run = [(each.query_id, each.doc_id, each.score) for each in ir_measures.read_trec_run(written[0])]
    assert run == [(query, *pair) for query, found in ordered(RUN_ROWS).items() for pair in found]
    qrels = [(each.query_id, each.doc_id, each.relevance) for each in ir_measures.read_trec_qrels(written[1])]
    assert qrels == [(query, *pair) for query, found in ordered(QRELS_ROWS).items() for pair in found]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.slow
def test_ranx_reads_what_is_written(written: tuple[str, str]) -> None:
    """Same ids, order and scores."""
    ranx = pytest.importorskip("ranx")
    assert ordered(ranx.Run.from_file(written[0], kind="trec").to_dict()) == ordered(RUN_ROWS)
    assert ordered(ranx.Qrels.from_file(written[1], kind="trec").to_dict()) == ordered(QRELS_ROWS)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_trectools_reads_what_is_written(tmp_path: Path) -> None:
    """Same ids, order and scores, for ids that pandas leaves alone (no digits alone, no quotes)."""
    trectools = pytest.importorskip("trectools")
    run = run_of(("q1", "d1", 2.5), ("q1", "é#1", 0.25), ("q2", "a%20b", 1e-7))
    write_run(run, tmp_path / "x.run")
    found = trectools.TrecRun(str(tmp_path / "x.run")).run_data
    assert list(zip(found["query"], found["docid"], found["score"], strict=True)) == [
        ("q1", "d1", 2.5), ("q1", "é#1", 0.25), ("q2", "a%20b", 1e-7),
    ]  # fmt: skip
    assert list(found["rank"]) == [1, 2, 1]
    write_qrels(qrels_of(("q1", "0", "d1", 2), ("q2", "0", "é", 1)), tmp_path / "x.qrels")
    found = trectools.TrecQrel(str(tmp_path / "x.qrels")).qrels_data
    assert list(zip(found["query"], found["docid"], found["rel"], strict=True)) == [
        ("q1", "d1", 2),
        ("q2", "é", 1),
    ]


def test_trec_eval_reads_what_is_written(written: tuple[str, str], tmp_path: Path) -> None:
    """The binary finds every id: each document alone relevant has the rank that it was written at."""
    binary = shutil.which("trec_eval")
    if binary is None:
        pytest.skip("no trec_eval on PATH")
    for query, found in RUN_ROWS.items():
        for rank, document in enumerate(found, start=1):
            write_qrels(qrels_of((query, "0", document, 1)), tmp_path / "one.qrels")
            command = [binary, "-m", "recip_rank", str(tmp_path / "one.qrels"), written[0]]
            printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            assert printed.split()[-1] == f"{1 / rank:.4f}"
    counts = subprocess.run(
        [binary, "-m", "num_ret", "-m", "num_rel", written[1], written[0]],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert counts[2::3] == ["6", "2"]
