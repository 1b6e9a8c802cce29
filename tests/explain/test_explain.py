"""Explaining reported numbers, end to end."""

import json
import math
from pathlib import Path

import polars as pl
import pytest

import treconcile as tc
from treconcile.cli import app
from treconcile.errors import MismatchError, NumberError, UsageError

PROBLEMS = Path(__file__).parents[1] / "data/problems"
QRELS = {"q1": {"a": 1}, "q2": {"b": 1, "c": 1}, "q3": {"d": 2, "e": 1}}
RUN = {"q1": {"a": 2.0}, "q2": {"x": 3.0, "b": 2.0, "c": 1.0}, "q3": {"e": 3.0, "d": 2.0}}


def one(qrels: object, run: object, measure: str, **numbers: object) -> tc.Explanations:
    return tc.explain(qrels, run, measure, **numbers)


def first(found: tc.Explanations) -> str:
    return found.each[0].matches[0].text


def problem(name: str, run: str = "run.txt") -> tuple[str, str]:
    return str(PROBLEMS / name / "qrels.txt"), str(PROBLEMS / name / run)


def test_precision_by_returned() -> None:
    """The denominator is named, with the arithmetic, and what would tell it from its neighbours."""
    found = one(QRELS, RUN, "P@3", values={"q1": 1.0, "q2": 2 / 3, "q3": 1.0})
    made = found.each[0]
    assert (made.verdict, first(found)) == ("explained", "denominator:returned")
    assert made.matches[0].examples[0] == "q1: 1 relevant of 1 returned → 1/1; with k it would be 1/3"
    assert made.matches[0].agreeing == made.matches[0].of == 3
    assert "elasticsearch" in made.matches[0].profiles
    told = {each.axis: each.text for each in made.undetermined}
    twice = "a query whose results hold a document twice"
    assert told["denominator"] == f"{twice} would tell `returned` from `distinct`"


def test_a_situation_that_the_data_lack_is_named() -> None:
    """With three results everywhere k and returned are the same, and the sentence says what is missing."""
    run = {query: [*docs, "u1", "u2"][:3] for query, docs in RUN.items()}
    found = one(QRELS, run, "P@3", values={"q1": 1 / 3, "q2": 2 / 3, "q3": 2 / 3})
    assert first(found) == "the default convention"
    told = {each.text for each in found.each[0].undetermined}
    assert (
        "a query with fewer than 3 results and at least one relevant would tell `k` from "
        "`returned` or `distinct`" in told
    )


def test_rounded_values_in_text_and_in_json() -> None:
    """Values with the same digits are rounded ones, and so are mixed ones that nothing gives exactly."""
    text = {"q1": "1.000", "q2": "0.667", "q3": "1.000"}
    assert first(one(QRELS, RUN, "P@3", values=text)) == "denominator:returned"
    mixed = {"q1": 1.0, "q2": 0.6667, "q3": 1.0}
    assert first(one(QRELS, RUN, "P@3", values=mixed)) == "denominator:returned"


@pytest.mark.slow
def test_a_mean_alone_lists_what_gives_it() -> None:
    """It is ambiguous as soon as what gives it differs query by query, and it never goes without the note."""
    made = one(QRELS, RUN, "P@3", mean={"P@3": "0.889"}).each[0]
    assert made.verdict == ("explained" if made.groups == 1 else "ambiguous")
    assert any("a mean alone" in note for note in made.notes)
    assert made.queries == 3
    assert any(str(match.changes) == "denominator:returned" for match in made.matches)
    assert made.tried > 1000


@pytest.mark.slow
def test_nothing_explains_nonsense() -> None:
    """The nearest convention is shown with the query left over."""
    values = {"q1": 1 / 3, "q2": 0.123456789, "q3": 2 / 3}
    made = one(QRELS, RUN, "P@3", values=values, seconds=3).each[0]
    assert made.verdict == "unexplained" and not made.matches
    assert made.nearest.match.text == "the default convention"
    assert [row[0] for row in made.nearest.left_over] == ["q2"]


@pytest.mark.parametrize(
    ("measure", "values", "text"),
    [
        ("P@3", {"q1": 1, "q2": 1, "q3": 1}, "it is really"),
        ("R@3", {"q1": 1, "q2": 1, "q3": 1}, "the default convention"),
        ("RR", {"q1": 1, "q2": (1 / 2 + 1 / 3) / 2, "q3": (1 + 1 / 2) / 2}, "target:mean"),
        ("RR", {"q1": 1 / 2, "q2": 1 / 3, "q3": 1 / 2}, "the rank is off by one: 1 / (rank + 1)"),
        ("RR", {"q1": 1, "q2": (1 / 2 + 2 / 3) / 2, "q3": 1}, "it is really AP"),
    ],
)
def test_another_measure_under_the_same_name(measure: str, values: dict, text: str) -> None:
    """Success called P, LRAP called MRR, ranks counted from the wrong end."""
    found = one(QRELS, RUN, measure, values=values).each[0].matches
    assert any(text in match.text for match in found)


def test_an_off_by_one_discount() -> None:
    """DCG and its ideal with log2(rank + 2)."""
    late = [1 / math.log2(rank + 2) for rank in range(1, 4)]
    values = {
        "q1": 1.0,
        "q2": (late[1] + late[2]) / (late[0] + late[1]),
        "q3": (late[0] + 2 * late[1]) / (2 * late[0] + late[1]),
    }
    assert first(one(QRELS, RUN, "nDCG@3", values=values)).startswith("the discount is off by one")


GRADED = {"q1": {"a": 1, "b": 2, "c": 3, "x": 0}, "q2": {"a": 3, "b": 1, "x": 0}}
LISTS = {"q1": {"a": 4.0, "x": 3.0, "b": 2.0, "c": 1.0}, "q2": {"x": 3.0, "a": 2.0, "b": 1.0}}


@pytest.mark.parametrize(
    ("changes", "gain", "divisor"),
    [
        ("gain:exponential", lambda grade: 2**grade - 1, lambda rank: math.log2(rank + 1)),
        ("the discount is off by one", lambda grade: grade, lambda rank: math.log2(rank + 2)),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in (
                ("gain:binary", lambda grade: min(grade, 1), lambda rank: math.log2(rank + 1)),
                ("discount:ln", lambda grade: grade, lambda rank: math.log(rank + 1)),
                ("discount:rank", lambda grade: grade, lambda rank: rank),
                ("discount:none", lambda grade: grade, lambda rank: 1),
                ("gain:exponential discount:max-1-log2", lambda grade: 2**grade - 1,
                 lambda rank: max(1, math.log2(rank))),
            )
        ),
    ],
)  # fmt: skip
def test_gain_and_discount_of_dcg(changes: str, gain: object, divisor: object) -> None:
    """The values of a DCG that was written down here lead to its gain and its discount."""
    values = {
        query: sum(
            gain(GRADED[query].get(doc, 0)) / divisor(rank)  # type: ignore[operator]
            for rank, doc in enumerate(docs, 1)
        )
        for query, docs in LISTS.items()
    }
    assert first(one(GRADED, LISTS, "DCG@4", values=values)).startswith(changes)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (str.upper, "the ids of documents differ in upper and lower case"),
        (lambda doc: doc + ".html", "the ids of documents differ by a suffix"),
        (lambda doc: doc + "#0", "the run's ids are of chunks"),
    ],
)
def test_ids_that_do_not_meet(change: object, text: str) -> None:
    """The values are those of ids that do; here every value is 0."""
    run = {query: {change(doc): score for doc, score in docs.items()} for query, docs in RUN.items()}  # type: ignore[operator]
    found = one(QRELS, run, "R@3", values={"q1": 1.0, "q2": 1.0, "q3": 1.0})
    assert text in {match.because.partition(",")[0] for match in found.each[0].matches}


def test_query_ids_that_differ_by_leading_zeros() -> None:
    """No query of the run is judged as it stands."""
    qrels = {"01": {"a": 1}, "02": {"b": 1, "c": 1}}
    run = {"1": {"a": 1.0}, "2": {"x": 2.0, "b": 1.0}}
    found = one(qrels, run, "R@3", values={"01": 1.0, "02": 0.5})
    assert first(found) == "the ids of queries differ by leading zeros"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "run", "measure", "mean", "text"),
    [
        ("B039", "run.txt", "nDCG@3", "0.7364", "gain:exponential"),
        ("B041", "run.txt", "RR", "0.5000", "the cut-off is 10"),
        ("B041", "run.txt", "RR@10", "0.5417", "the cut-off is none"),
        ("B045", "run.txt", "AP", "0.8333", "ap:retrieved"),
        ("B045", "run.txt", "AP@2", "0.5", "ap:min-k-relevant"),
        ("B001", "run_b.txt", "nDCG", "1.0000", "ties:input"),
        ("B002", "run.txt", "RR", "0.5000", "score_precision:float32"),
        ("B003", "run.txt", "nDCG@2", "1.0000", "ties:input"),
        ("B003", "run.txt", "P@2", "0.6667", "ties:expected"),
        ("B080", "run_chunks.txt", "P@3", "0.5000", "the run's ids are of chunks"),
    ],
)
def test_cases_from_real_life(name: str, run: str, measure: str, mean: str, text: str) -> None:
    """The cause that each `expected.md` gives is among the matches that change one thing."""
    found = one(*problem(name, run), measure, mean={measure: mean}, seconds=8)
    causes = [match.text for match in found.each[0].matches if len(match.changes) + bool(match.code) == 1]
    assert any(text in cause for cause in causes), causes


@pytest.mark.slow
def test_several_means_at_once() -> None:
    """What gives one of them only is not among what gives both."""
    found = tc.explain(QRELS, RUN, mean={"P@3": "0.889", "R@3": "1.000"}, seconds=2)
    assert {"denominator": "returned"} in found.together
    document = json.loads(found.to_json())
    assert [each["measure"] for each in document["explanations"]] == ["P@3", "R@3"]


@pytest.mark.slow
def test_a_function_and_its_errors() -> None:
    """A query on which it raises has no value."""

    def precision(ranked: list[str], relevant: set[str]) -> float:
        if len(ranked) < 2:
            raise ValueError
        return sum(each in relevant for each in ranked) / len(ranked)

    made = one(QRELS, RUN, "P@3", mine=precision).each[0]
    assert made.verdict != "unexplained"
    assert any("raised on q1" in note for note in made.notes)


def test_a_data_frame_and_the_forms_of_the_result() -> None:
    """A column a measure goes in; a frame, plain values and HTML come out."""
    frame = pl.DataFrame({"query_id": ["q1", "q2", "q3"], "P@3": [1 / 3, 2 / 3, 2 / 3]})
    found = tc.explain(QRELS, RUN, values=frame)
    assert found.to_frame().row(0, named=True)["changed"] == ""
    assert found.to_dict()["verdict"] == "explained"
    assert "<table" in found._repr_html_()


def test_values_of_unknown_queries() -> None:
    """They are listed; if there are no others, the input is refused."""
    made = one(QRELS, RUN, "R@3", values={"q1": 1.0, "q2": 1.0, "q3": 1.0, "zz": 0.5}).each[0]
    assert made.reported.unknown == ("zz",)
    with pytest.raises(MismatchError, match="none of the 1 queries"):
        one(QRELS, RUN, "R@3", values={"zz": 0.5})


@pytest.mark.slow
def test_values_of_some_queries_only() -> None:
    """They are explained alone, and a note says so."""
    made = one(QRELS, RUN, "P@3", values={"q1": 1.0, "q3": 1.0}).each[0]
    assert made.matches
    assert any("nothing is claimed of the others" in note for note in made.notes)


def test_bad_input_is_refused() -> None:
    """No number, a number that is none, and two sources of values."""
    with pytest.raises(UsageError, match="no number"):
        one(QRELS, RUN, "P@3")
    with pytest.raises(UsageError, match="not a mean"):
        one(QRELS, RUN, "P@3", mean={"P@3": "high"})
    with pytest.raises(UsageError, match="not from both"):
        one(QRELS, RUN, "P@3", values={"q1": 1.0}, mine="default")
    with pytest.raises(NumberError):
        one(QRELS, RUN, "P@3", values={"q1": "high"})


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert app.run(["demo", "--keep", "."]) == 0
    capsys.readouterr()


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("numbers", "status"),
    [
        (["--mean", "P@3=0.6667", "--seconds", "2"], 0),
        (["--mean", "P@3=0.123456", "--seconds", "2"], 1),
        (["--mean", "0.3"], 2),
        ([], 2),
        (["--values", "none.csv"], 3),
        (["--values", "strange.csv"], 3),
        (["--mine", "no.module:f"], 2),
        (["--mine", "elasticserch"], 2),
    ],
)
def test_exit_statuses(numbers: list[str], status: int) -> None:
    """As the command line promises."""
    Path("strange.csv").write_text("query_id,P@3\nz1,1.0\n", encoding="utf-8")
    assert app.run(["explain", "qrels/example.qrels", "runs/example.run", *numbers]) == status


@pytest.mark.usefixtures("files")
def test_the_text_says_what_was_checked(capsys: pytest.CaptureFixture[str]) -> None:
    """How many conventions were tried, over how many queries, and what stays open."""
    lines = "query_id,P@3\nq01,1.000\nq02,0.333\nq03,1.000\nq04,1.000\nq05,0.000\nzz,0.000\n"
    Path("reported.csv").write_text(lines, encoding="utf-8")
    assert app.run(["explain", "qrels/example.qrels", "runs/example.run", "--values", "reported.csv"]) == 0
    out, err = capsys.readouterr()
    assert "conventions tried over 5 queries" in out
    assert "q01: 1 relevant of 1 returned → 1/1; with k it would be 1/3" in out
    assert "What these data do not show:" in out
    assert "zz" in err
