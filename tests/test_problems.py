"""Cases from real life (`tests/data/problems`): the values and messages that each `expected.md` demands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest

from treconcile.cli import app

PROBLEMS = Path(__file__).parent / "data/problems"
LATER = {"B061": "ERR is not a measure yet"}
"""Cases that wait for something, and what that is."""


class Told(NamedTuple):
    """What a command wrote, white space folded, and how it ended."""

    status: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def _in_the_folder_of_the_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PROBLEMS)


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> Told:
    """Run a command line."""
    capsys.readouterr()
    status = app.run(list(arguments))
    out, err = capsys.readouterr()
    return Told(status, " ".join(out.split()), " ".join(err.split()))


def scored(capsys: pytest.CaptureFixture[str], arguments: str, measures: str) -> dict[str, object]:
    """One run's entry in the JSON of `eval`."""
    capsys.readouterr()
    named = [word for each in measures.split() for word in ("-m", each)]
    assert app.run(["eval", *arguments.split(), *named, "-q", "--format", "json"]) == 0
    entry: dict[str, object] = json.loads(capsys.readouterr().out)["runs"][0]
    return entry


VALUES: list[tuple[str, str, dict[str, float]]] = [
    ("B001", "qrels.txt run_a.txt", {"P@1": 1, "RR": 1, "nDCG": 1}),
    ("B001", "qrels.txt run_b.txt", {"P@1": 0, "RR": 0.5, "nDCG": 0.6309}),
    ("B001", "qrels.txt run_b.txt -C ties=input", {"P@1": 1, "RR": 1, "nDCG": 1}),
    ("B001", "qrels.txt run_b.txt -C order=rank", {"P@1": 1, "RR": 1, "nDCG": 1}),
    ("B001", "qrels.txt run_b.txt -C ties=best", {"P@1": 1, "RR": 1, "nDCG": 1}),
    ("B001", "qrels.txt run_b.txt -C ties=worst", {"P@1": 0, "RR": 0.5, "nDCG": 0.6309}),
    ("B001", "qrels.txt run_b.txt -C ties=expected", {"P@1": 0.5, "RR": 0.75}),
    ("B002", "qrels.txt run.txt", {"P@1": 1, "RR": 1}),
    ("B002", "qrels.txt run.txt -C trec_eval-10", {"P@1": 1, "RR": 1}),
    ("B002", "qrels.txt run.txt -C trec_eval-9", {"P@1": 0, "RR": 0.5}),
    ("B003", "qrels.txt run.txt", {"P@1": 0, "P@2": 0.5, "RR": 0.5, "nDCG@2": 0.3869}),
    ("B003", "qrels.txt run.txt -C ties=input", {"P@2": 1, "RR": 1, "nDCG@2": 1}),
    ("B003", "qrels.txt run.txt -C ties=worst", {"P@2": 0.5}),
    ("B003", "qrels.txt run.txt -C ties=best", {"P@2": 1}),
    ("B003", "qrels.txt run.txt -C ties=expected", {"P@2": 0.6667}),
    ("B013", "qrels.txt run.txt", {"RR": 0.4167, "P@1": 0, "nDCG@10": 0.5655}),
    ("B013", "qrels.txt run.txt -C self_match=drop", {"RR": 0.75, "P@1": 0.5, "nDCG@10": 0.8155}),
    ("B014", "qrels.txt run.txt", {"RR": 0.625, "P@1": 0.5, "NumQ": 4}),
    ("B014", "qrels.txt run.txt -C missing=skip", {"RR": 0.8333, "P@1": 0.6667, "NumQ": 3}),
    ("B027", "qrels.txt run.txt", {"RR": 0.5, "nDCG": 0.5436, "R@5": 0.6667}),
    ("B027", "qrels.txt run.txt -C no_relevant=skip", {"RR": 0.75, "nDCG": 0.8155, "R@5": 1}),
    ("B029", "qrels_ok.txt run_ok.txt", {"AP": 1}),
    ("B029", "qrels_ok.txt run.txt", {"AP": 0, "P@10": 0, "RR": 0, "nDCG": 0}),
    ("B038", "qrels.txt run.txt", {"P@1": 0, "RR": 0.5, "nDCG": 0.6309, "Judged@2": 1}),
    ("B038", "qrels.txt run.txt -C unjudged=removed", {"P@1": 1, "RR": 1}),
    ("B039", "qrels.txt run.txt", {"nDCG": 0.8175}),
    ("B039", "qrels.txt run.txt -C gain=exponential", {"nDCG": 0.7364}),
    ("B039", "qrels.txt run.txt", {"nDCG(dcg='exp-log2')@3": 0.7364}),
    ("B041", "qrels.txt run.txt", {"RR": 0.5417, "MRR@10": 0.5, "RR@12": 0.5417}),
    ("B041", "qrels.txt run.txt -C depth=10", {"RR": 0.5}),
    ("B045", "qrels.txt run.txt", {"AP": 0.4167, "AP@2": 0.25, "AP@4": 0.4167}),
    ("B045", "qrels.txt run.txt -C ap=retrieved", {"AP": 0.8333, "AP@2": 1}),
    ("B045", "qrels.txt run.txt -C ap=min-k-relevant", {"AP@2": 0.5}),
    ("B063", "qrels.txt run.txt", {"R@1000": 0.5, "SetR": 1, "AP": 0.1009, "AP@1000": 0.1, "NumRet": 1200}),
    ("B063", "qrels.txt run.txt -C depth=1000", {"SetR": 0.5, "AP": 0.1, "NumRet": 1000}),
    ("B067", "qrels_full.txt run.txt", {"RR": 0.15}),
    ("B067", "qrels_small.txt run.txt", {"RR": 0.75}),
    ("B074", "qrels.txt run.txt -C duplicates=first", {"AP": 0.8333, "R@3": 1, "P@2": 0.5, "nDCG": 0.9197}),
    ("B074", "qrels.txt run.txt -C duplicates=max", {"AP": 0.8333, "R@3": 1, "P@2": 0.5, "nDCG": 0.9197}),
    ("B074", "qrels.txt run.txt -C duplicates=last", {"AP": 0.8333}),
    ("B080", "qrels.txt run_chunks.txt", {"R@3": 0, "P@3": 0, "RR": 0, "nDCG@3": 0}),
    ("B080", "qrels.txt run_maxp.txt", {"R@3": 1, "P@3": 0.5, "MRR": 0.75, "nDCG@3": 0.8467}),
    ("B089", "qrels.txt run.txt", {"RR": 0.3333, "P@1": 0}),
    ("B094", "qrels.txt run.txt", {"P@1": 0.5, "RR": 0.75}),
    *(
        ("B096", f"qrels_{form}.txt run_{form}.txt", {"RR": 0.75, "P@1": 0.5})
        for form in ("lf", "crlf", "bom", "blank", "mixed", "noeol", "tab")
    ),
    ("B097", "qrels_4col.tsv run_expected_trec.txt", {"MRR@10": 0.75}),
    ("B097", "reference_2col.tsv run_expected_trec.txt", {"MRR@10": 0.75}),
    ("B097", "qrels_4col.tsv run_msmarco_3col.tsv", {"MRR@10": 0.75}),
    ("B103", "qrels.tsv run.txt", {"P@1": 0.5}),
    ("B107", "qrels.txt run_negative.txt -C missing=skip", {"RR": 0.5}),
    ("B107", "qrels.txt run_sci.txt -C missing=skip", {"RR": 1}),
    ("B107", "qrels.txt run_inf.txt -C missing=skip", {"RR": 1}),
    ("B111", "qrels_dotzero.txt run.txt", {"P@3": 0.6667, "nDCG": 0.6697}),
]


@pytest.mark.parametrize(("case", "arguments", "values"), VALUES)
def test_values(
    case: str, arguments: str, values: dict[str, float], capsys: pytest.CaptureFixture[str]
) -> None:
    """Every value of the case, to its four digits."""
    files, options = arguments.split()[:2], arguments.split()[2:]
    paths = " ".join([*(f"{case}/{name}" for name in files), *options])
    entry = scored(capsys, paths, " ".join(values))
    means = [each["mean"] for each in entry["measures"]]  # type: ignore[attr-defined]
    assert means == pytest.approx(list(values.values()), abs=0.00005)


PER_QUERY: list[tuple[str, str, str, dict[str, float]]] = [
    ("B013", "qrels.txt run.txt", "RR", {"arg1": 0.5, "arg2": 1 / 3}),
    ("B013", "qrels.txt run.txt -C self_match=drop", "RR", {"arg1": 1, "arg2": 0.5}),
    ("B080", "qrels.txt run_maxp.txt", "P@3", {"q1": 1 / 3, "q2": 2 / 3}),
    ("B089", "qrels.txt run.txt", "RR", {"007": 0.5, "7": 0, "010": 0.5}),
    ("B094", "qrels.txt run.txt", "RR", {"77": 0.5, "78": 1}),
    ("B097", "qrels_4col.tsv run_expected_trec.txt", "RR@10", {"501": 0.5, "502": 1}),
]


@pytest.mark.parametrize(("case", "arguments", "measure", "values"), PER_QUERY)
def test_values_of_single_queries(
    case: str, arguments: str, measure: str, values: dict[str, float], capsys: pytest.CaptureFixture[str]
) -> None:
    """The values by query, with the ids as they were written."""
    files, options = arguments.split()[:2], arguments.split()[2:]
    entry = scored(capsys, " ".join([*(f"{case}/{name}" for name in files), *options]), measure)
    found = {each["query_id"]: each["value"] for each in entry["per_query"]}  # type: ignore[attr-defined]
    assert found == pytest.approx(values)


MESSAGES: list[tuple[str, str, list[str]]] = [
    ("B001", "qrels.txt run_b.txt", ["a relevant document among equal scores (t1: 2 documents tied)"]),
    ("B001", "qrels.txt run_b.txt", ["ties:docid-desc", "-C ties=best and -C ties=worst show how much"]),
    (
        "B002",
        "qrels.txt run.txt",
        ["1 query has", "equal in single precision", "score_precision=float32", "(t1)"],
    ),
    ("B003", "qrels.txt run.txt", ["(t1: 3 documents tied)"]),
    (
        "B013",
        "qrels.txt run.txt",
        ["2 of 2 queries retrieve the document with their own id, which is not judged"],
    ),
    ("B013", "qrels.txt run.txt", ["-C self_match=drop"]),
    ("B014", "qrels.txt run.txt", ["1 of them missing and counted 0 (t4)", "not judged, and left out: t9"]),
    ("B014", "qrels.txt run.txt", ["mean over 4 queries", "trec_eval without -c: P@1 0.6667 over 3"]),
    ("B027", "qrels.txt run.txt", ["t2 has no document judged relevant: counted 0 (no_relevant:skip"]),
    ("B029", "qrels_ok.txt run.txt", ["warning: B029/run.txt: the run has no results"]),
    ("B038", "qrels.txt run.txt", ["1 negative grade", "unjudged:removed (judged_only=True) takes"]),
    ("B063", "qrels.txt run.txt", ["1 query has more than 1000 results (t1: 1200)", "-C depth=1000"]),
    (
        "B067",
        "qrels_full.txt run.txt",
        ["the run covers 2 of 10 judged queries (20%)", "qrels of another split?"],
    ),
    (
        "B080",
        "qrels.txt run_chunks.txt",
        ["none of the 7 results is a judged document", "<document>#<number>"],
    ),
    ("B080", "qrels.txt run_chunks.txt", ["are chunks scored against documents?"]),
    ("B096", "qrels_bom.txt run_bom.txt", ["note: B096/run_bom.txt: a byte-order mark (U+FEFF)"]),
    ("B107", "qrels.txt run_inf.txt", ["warning: B107/run_inf.txt: infinite scores: 2 of 3"]),
    ("B111", "qrels_dotzero.txt run.txt", ["grades such as 2.0 are read as whole numbers: 3 of them"]),
]


@pytest.mark.parametrize(("case", "files", "messages"), MESSAGES)
def test_what_is_said(case: str, files: str, messages: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """What the case wants said beside the values."""
    command = ["eval", *(f"{case}/{name}" for name in files.split()), "-m", "P@1"]
    result = told(capsys, *command)
    assert result.status == 0
    for message in messages:
        assert message in f"{result.err} {result.out}"


REFUSALS: list[tuple[str, str, str, list[str]]] = [
    ("B029", "qrels.txt run_ok.txt", "qrels.txt", ["there is no judgment in it"]),
    ("B030", "qrels.txt run.txt", "run.txt", ["shares none of its 2 queries with the 2 judged ones"]),
    ("B030", "qrels.txt run.txt", "run.txt", ["judged are '12.a', '13.a'; the run has '12', '13'", "suffix"]),
    (
        "B074",
        "qrels.txt run.txt",
        "run.txt:2",
        ["document a", "query t1", "(lines 1, 2)", "duplicates=first"],
    ),
    ("B080", "qrels.txt run_docs_with_dups.txt", "run_docs_with_dups.txt:2", ["document guide", "query q1"]),
    (
        "B093",
        "qrels.txt run_space_in_docid.txt",
        "run_space_in_docid.txt:2",
        ["7 fields", "space in the document id?"],
    ),
    ("B093", "qrels.txt run_5cols.txt", "run_5cols.txt:1", ["5 fields found, 6 expected", "tag", "missing?"]),
    (
        "B093",
        "qrels.txt run_7cols.txt",
        "run_7cols.txt:1",
        ["7 fields found, 6 expected", "a space in the tag?"],
    ),
    ("B093", "qrels.txt run_4cols_mid.txt", "run_4cols_mid.txt:2", ["4 fields found, 6 expected"]),
    (
        "B093",
        "qrels_3cols.txt run_5cols.txt",
        "qrels_3cols.txt:1",
        ["3 fields found, 4 expected", "iteration", "BEIR"],
    ),
    ("B096", "qrels_nbsp.txt run_lf.txt", "qrels_nbsp.txt:3", ["3 fields found, 4 expected", "U+00A0"]),
    ("B107", "qrels.txt run_nan.txt", "run_nan.txt:2", ["the score 'nan' is not a number"]),
    ("B107", "qrels.txt run_text.txt", "run_text.txt:1", ["the score 'n/a' is not a number"]),
    ("B107", "qrels.txt run_comma.txt", "run_comma.txt:1", ["the score '3,7'", "a decimal comma?"]),
    (
        "B111",
        "qrels_float.txt run.txt",
        "qrels_float.txt:1",
        ["the grade '0.5'", "scale them to whole numbers"],
    ),
    ("B111", "qrels_word.txt run.txt", "qrels_word.txt:1", ["the grade 'no'", "map labels to whole numbers"]),
]


@pytest.mark.parametrize(("case", "files", "where", "messages"), REFUSALS)
def test_what_is_refused(
    case: str, files: str, where: str, messages: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """The file, the line, what is wrong and a guess; no score is printed."""
    result = told(capsys, "eval", *(f"{case}/{name}" for name in files.split()))
    assert (result.status, result.out) == (3, "")
    assert result.err.startswith(f"error: {case}/{where}: ")
    for message in messages:
        assert message in result.err


B074 = "B074/qrels.txt B074/run.txt"
B080 = "B080/qrels.txt B080/run_docs_with_dups.txt"


@pytest.mark.parametrize("policy", ["first", "last", "max", "once"])
@pytest.mark.parametrize(
    "case", ["B074/qrels.txt B074/run.txt", "B080/qrels.txt B080/run_docs_with_dups.txt"]
)
def test_no_value_exceeds_one(case: str, policy: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever a repeated document is made of, short of crediting it each time, recall stays a fraction."""
    entry = scored(capsys, f"{case} -C duplicates={policy}", "AP R@3 P@2 nDCG Success@3")
    assert all(0 <= each["value"] <= 1 for each in entry["per_query"])  # type: ignore[attr-defined]


def test_the_cause_of_b002_is_named_by_the_cross_check(capsys: pytest.CaptureFixture[str]) -> None:
    """pytrec_eval compares in single precision, and that is what the table says."""
    files = ("B002/qrels.txt", "B002/run.txt")
    result = told(capsys, "crosscheck", *files, "-m", "P@1", "-m", "RR", "--against", "pytrec_eval")
    assert result.status == 1
    assert result.out.count("explained score_precision: float64 → float32") == 2


def test_the_tie_of_b003_is_the_cause_of_other_providers_values(capsys: pytest.CaptureFixture[str]) -> None:
    """cwl_eval keeps the order of the file, and that is what explains P@2."""
    pytest.importorskip("cwl")
    files = ("B003/qrels.txt", "B003/run.txt")
    result = told(capsys, "crosscheck", *files, "-m", "P@2", "--against", "ir_measures")
    assert "provider cwl_eval 0.5000 1.0000 explained ties: docid-desc → input" in result.out


def test_the_ap_of_b045_is_recognised(capsys: pytest.CaptureFixture[str]) -> None:
    """cwl_eval divides by the relevant documents retrieved."""
    pytest.importorskip("cwl")
    files = ("B045/qrels.txt", "B045/run.txt")
    result = told(capsys, "crosscheck", *files, "-m", "AP", "--against", "ir_measures")
    assert "provider cwl_eval 0.4167 0.8333 explained ap: relevant → retrieved" in result.out


def test_b103_what_is_missing_from_the_collection(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """With the header left out, the unknown document and query are named, and topic 3 is missing."""
    rows = (line.split() for line in Path("B103/qrels.tsv").read_text().splitlines()[1:])
    qrels = tmp_path / "qrels"
    qrels.write_text("".join(f"{query} 0 {document} {grade}\n" for query, document, grade in rows))
    collection = ("--corpus", "B103/corpus.jsonl", "--queries", "B103/queries.jsonl")
    result = told(capsys, "convert", "qrels", str(qrels), *collection, "-o", str(tmp_path / "out"))
    assert result.status == 3
    assert "1 document is not in the corpus: S1-00001-000" in result.err
    assert "1 query is not among the queries: 3" in result.err
    entry = scored(capsys, f"{qrels} B103/run.txt", "P@1")
    assert entry["per_query"] == [
        {"query_id": "1", "measure": "P@1", "value": 1.0},
        {"query_id": "3", "measure": "P@1", "value": 0.0},
    ]
    assert entry["missing"] == ["3"]


def test_every_case_is_tested() -> None:
    """A new folder needs a test or a reason to wait."""
    tested = {case for case, *_ in (*VALUES, *MESSAGES, *REFUSALS)}
    assert {folder.name for folder in PROBLEMS.iterdir()} == tested | LATER.keys()
