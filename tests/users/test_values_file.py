"""Values of single queries, read from what people and tools write."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import polars as pl
import pytest

from treconcile.errors import (
    DuplicateError,
    EmptyError,
    FormatError,
    IdError,
    NumberError,
    TreconcileError,
    UsageError,
)
from treconcile.formats import read_judgments, read_run
from treconcile.measures.spec import Measure, parse_measure, parse_measures
from treconcile.rendering.scores import report_scores
from treconcile.score import evaluate
from treconcile.users.observed import Observed
from treconcile.users.values_file import read_values

P3, R3, RR3 = parse_measures("P@3 R@3 RR@3")

TREC_EVAL = """\
num_ret               \tq01\t1
map                   \tq01\t1.0000
bpref                 \tq01\t1.0000
iprec_at_recall_0.00  \tq01\t1.0000
P_3                   \tq01\t0.3333
map                   \tq02\t0.0667
P_3                   \tq02\t0.0000
runid                 \tall\tx
num_q                 \tall\t2
map                   \tall\t0.5333
gm_map                \tall\t0.2583
P_3                   \tall\t0.1667
"""
Write: TypeAlias = Callable[[str], Path]

IR_MEASURES = "q01\tP@3\t0.3333\nq02\tP@3\t0.0000\nq01\tNERR12(T=1.0)\t0.5000\nall\tP@3\t0.1667\n"


@pytest.fixture
def written(tmp_path: Path) -> Write:
    """Writes a text to a file and returns its path."""

    def write(text: str) -> Path:
        path = tmp_path / "values.txt"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def only(found: dict[Measure, Observed]) -> Observed:
    """The single measure that was found."""
    (observed,) = found.values()
    return observed


@pytest.mark.parametrize(
    "text",
    [
        "query_id,value\nq01,0.3333\nq02,0.0000\n",
        "QID\tValue\nq01\t0.3333\nq02\t0.0000\n",
        "query_id,measure,value\nq01,P@3,0.3333\nq02,P@3,0.0000\n",
        "value,query\r\n0.3333,q01\r\n\r\n0.0000,q02\r\n",
        "query_id,P.3\nq01,0.3333\nq02,0.0000\n",
        "qid  precision@3\nq01  0.3333\nq02  0.0000\n",
        '{"q01": 0.3333, "q02": 0.0000}',
        '{"P_3": {"q01": 0.3333, "q02": 0.0000}}',
        '{"q01": {"P_3": 0.3333}, "q02": {"P_3": 0.0000}}',
        '[{"query_id": "q01", "value": 0.3333}, {"query_id": "q02", "value": 0.0000}]',
        '{"qid": "q01", "metric": "P@3", "value":0.3333}\n{"qid": "q02", "metric": "P@3", "value": 0.0000}\n',
        '{"query_id": "q01", "P@3": 0.3333}\n{"query_id": "q02", "P@3": 0.0000}\n',
        "q01\tP@3\t0.3333\nq02\tP@3\t0.0000\n",
        "P_3    \tq01\t0.3333\nP_3    \tq02\t0.0000\n",
    ],
)
def test_every_form_gives_the_same(written: Write, text: str) -> None:
    """The same two values come out of every form, with the four decimal places that each is written in."""
    found = read_values(written(text), [P3])
    assert list(found) == [P3]
    observed = found[P3]
    assert list(observed.values.items()) == [("q01", 0.3333), ("q02", 0.0)]
    assert observed.digits == observed.mean_digits == 4
    assert observed.mean == pytest.approx(0.16665)
    assert not observed.errors


def test_trec_eval_output(written: Write) -> None:
    """Of trec_eval's output the measures are kept, with its mean; counts are exact."""
    found = read_values(written(TREC_EVAL))
    assert [str(measure) for measure in found] == [
        "NumRet",
        "AP",
        "Bpref",
        "IPrec@0.0",
        "P@3",
        "NumQ",
        "GMAP",
    ]
    precision = found[P3]
    assert dict(precision.values) == {"q01": 0.3333, "q02": 0.0}
    assert (precision.mean, precision.digits, precision.mean_digits) == (0.1667, 4, 4)
    counts = found[parse_measure("num_ret")]
    assert (counts.values, counts.digits) == ({"q01": 1.0}, None)
    assert found[parse_measure("num_q")].mean == 2


def test_ir_measures_output(written: Write) -> None:
    """In the output of ir_measures the query comes first; a measure not known here is passed over."""
    observed = only(read_values(written(IR_MEASURES)))
    assert observed.measure == P3
    assert (dict(observed.values), observed.mean) == ({"q01": 0.3333, "q02": 0.0}, 0.1667)


def test_ir_measures_means_alone(written: Write) -> None:
    """Without -q there are means and no values."""
    found = read_values(written("P@3\t0.2667\nRR@3\t0.8000\n"))
    assert (found[P3].mean, found[P3].mean_digits, dict(found[P3].values)) == (0.2667, 4, {})
    assert (found[RR3].mean, found[RR3].mean_digits, dict(found[RR3].values)) == (0.8, 4, {})


@pytest.mark.parametrize("form", ["json", "jsonl", "csv", "tsv"])
def test_own_output_survives(written: Write, form: str) -> None:
    """What `eval -q` writes is read back exactly, undefined values and means too."""
    judgments = read_judgments({"q01": ["d1"], "q02": ["d1", "d2"], "q03": {"d1": 0}})
    run = read_run({"q01": ["d1"], "q02": ["x", "d1", "d2", "d3"], "q03": ["d1"]})
    scores = evaluate(judgments, run, ["P@3", "nDCG@3", "NumRet"], "no_relevant=nan")
    found = read_values(written(report_scores([scores], form, per_query=True, digits=4, profile="")))
    for each in scores.measures:
        assert found[each.measure].values == each.values
        assert found[each.measure].mean == each.mean
        assert found[each.measure].digits is None


@pytest.mark.parametrize("form", ["json", "jsonl", "csv"])
def test_two_runs_are_refused(written: Write, form: str) -> None:
    """Values of two runs cannot be one's own numbers."""
    judgments, runs = read_judgments({"q01": ["d1"]}), [read_run({"q01": ["d1"]}), read_run({"q01": ["d2"]})]
    scores = [evaluate(judgments, run, "P@3") for run in runs]
    object.__setattr__(scores[1], "run", "another")
    with pytest.raises(FormatError, match="run"):
        read_values(written(report_scores(scores, form, per_query=True, digits=4, profile="")))


@pytest.mark.parametrize(
    "source",
    [
        {"P@3": {"q01": 1 / 3, "q02": None}},
        {"q01": {"P@3": 1 / 3}, "q02": {"P@3": float("nan")}},
        pl.DataFrame({"query_id": ["q01", "q02"], "P@3": [1 / 3, None]}),
        pl.DataFrame({"qid": ["q01", "q02"], "measure": ["P_3", "P_3"], "value": [1 / 3, float("nan")]}),
    ],
)
def test_python_values(source: object) -> None:
    """Dictionaries and data frames are exact, and NaN is an undefined value, which leaves no mean."""
    observed = read_values(source)[P3]
    assert dict(observed.values) == {"q01": 1 / 3, "q02": None}
    assert (observed.mean, observed.digits) == (None, None)


def test_pandas_frames() -> None:
    """A frame of pandas is read like one of Polars."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"qid": [1, 2], "P@3": [0.5, None], "R@3": [1.0, 0.0]})
    found = read_values(frame)
    assert dict(found[P3].values) == {"1": 0.5, "2": None}
    assert dict(found[R3].values) == {"1": 1.0, "2": 0.0}


@pytest.mark.parametrize("cell", ["", "null", "NaN", "-", "None", "nan"])
def test_undefined_values(written: Write, cell: str) -> None:
    """An empty cell and its many spellings are undefined, and say nothing about the digits."""
    observed = read_values(written(f"query_id,P@3\nq01,0.250\nq02,{cell}\n"))[P3]
    assert dict(observed.values) == {"q01": 0.25, "q02": None}
    assert observed.digits == 3


def test_nan_in_json(written: Write) -> None:
    """NaN, which Python writes into JSON though it is none, is an undefined value."""
    text = json.dumps({"q01": float("nan"), "a NaN 0.5": 0.25})
    assert dict(read_values(written(text), [P3])[P3].values) == {"q01": None, "a NaN 0.5": 0.25}


@pytest.mark.parametrize(
    ("cells", "digits"),
    [
        (["0.333", "0.667"], 3),
        (["0.3333333333333333", "0.6666666666666666"], None),
        (["0.333", "0.5"], None),
        (["0.5", "1.0"], None),
        (["0", "1"], None),
        (["1e-05", "2e-05"], None),
        (["+.25", ".75"], 2),
    ],
)
@pytest.mark.parametrize("form", ["csv", "json"])
def test_digits(written: Write, cells: list[str], digits: int | None, form: str) -> None:
    """Digits are known where every value has the same number of them, and enough for a rounded one."""
    if form == "json":
        cells = [cell.replace("+.", "0.").replace(".7", "0.7") if cell[0] in "+." else cell for cell in cells]
    texts = {"csv": "query_id,value\nq1,{}\nq2,{}\n", "json": '{{"q1": {}, "q2": {}}}'}
    assert read_values(written(texts[form].format(*cells)), [P3])[P3].digits == digits


@pytest.mark.parametrize(
    ("name", "wanted"), [("precision", "P@3"), ("mrr", "RR@3"), ("recall_at_k", "R@3"), ("P", "P(rel=2)@3")]
)
def test_a_bare_name_is_the_one_asked_for(written: Write, name: str, wanted: str) -> None:
    """A column without a cut-off is the only measure of that family that was asked for."""
    measure = parse_measure(wanted)
    assert read_values(written(f"query_id,{name}\nq01,0.5\n"), [measure])[measure].values == {"q01": 0.5}
    if wanted == "P@3":
        with pytest.raises(FormatError, match="no values of P@3, P@5"):
            read_values(written(f"query_id,{name}\nq01,0.5\n"), [P3, parse_measure("P@5")])


def test_only_what_is_asked_for(written: Write) -> None:
    """Other columns, known or not, do not matter to what was asked for."""
    text = "query_id,text,P@3,R@3,stars\nq01,hello,0.5,zero,5\n"
    assert list(read_values(written(text), [P3])) == [P3]


def test_measures_with_commas(written: Write) -> None:
    """A measure whose name holds a comma stands in quotes in CSV."""
    found = read_values(written('query_id,"P(rel=2, denominator=returned)@3"\nq01,0.5\n'))
    assert [str(measure) for measure in found] == ["P(rel=2, denominator=returned)@3"]


@pytest.mark.parametrize(
    ("text", "error", "where", "says"),
    [
        ("query_id,P@3\nq01,0.5\nq02,half\n", NumberError, ":3", "'half'"),
        ('{"q01": 0.5,\n "q02": "half"}', NumberError, ":2", "'half'"),
        ('{"q01": 0.5,\n "q02": true}', NumberError, ":2", "true"),
        ("query_id,P@3\nq01,1e999\n", NumberError, ":2", "finite"),
        ("query_id,P@3\nq01,0.5\nq02,0.5\nq01,0.5\n", DuplicateError, ":4", ":2"),
        ("P_3\tq01\t0.5\nP_3\tq01\t0.6\n", DuplicateError, ":2", ":1"),
        ('[{"qid": "q1", "value": 0.5},\n{"qid": "q1", "value": 0.5}]', DuplicateError, ":2", ":1"),
        ('{"q01": 0.5,\n"q01": 0.6}', DuplicateError, ":2", "line 1"),
        ("query_id,P@3,P@3\nq01,0.5,0.5\n", DuplicateError, ":1", "'P@3'"),
        ("query_id,P@3\nq01,0.5,1\n", FormatError, ":2", "3 fields"),
        ('query_id,P@3\n"",0.5\n', IdError, ":2", "empty"),
        ("q01,0.5\nq02,0.5\n", FormatError, ":1", "no table"),
        ("P_3\tq01\t0.5\nP_3\tq01\n", NumberError, ":2", "'q01'"),
        ("q01\tP@3\t0.5\nq02\tP@3\n", FormatError, ":2", "no table"),
        ('{"q01": 0.5, "q02" 0.5}', FormatError, ":1", "column 20"),
        ('{"q01": [0.5]}', NumberError, ":1", "a list"),
        ('{"q01": {"P@3": 0.5},\n"q02": 0.5}', FormatError, ":2", "an object"),
        ('[{"qid": "q1", "P@3": 0.5},\n{"qid": "q2", "value": 0.5}]', FormatError, ":2", "which measure"),
        ("[0.5, 0.25]", FormatError, ":1", "query_id"),
        ("", EmptyError, "", "no values"),
        ("query_id,value\n", EmptyError, "", "no values"),
        ("{}", EmptyError, "", "no values"),
    ],
)
def test_bad_input(written: Write, text: str, error: type[TreconcileError], where: str, says: str) -> None:
    """Each mistake is named with the line that it stands in."""
    path = written(text)
    with pytest.raises(error) as raised:
        read_values(path, [P3])
    assert raised.value.where == f"{path}{where}"
    assert says in raised.value.message


def test_unknown_measure(written: Write) -> None:
    """A column that is no measure is named with its line and the nearest measure."""
    path = written("query_id,Precison@3\nq01,0.5\n")
    with pytest.raises(FormatError) as raised:
        read_values(path)
    assert raised.value.where == f"{path}:2"
    assert raised.value.hint == "did you mean 'Precision'?"


def test_missing_measure(written: Write) -> None:
    """A measure that the file lacks is named, together with what it has."""
    with pytest.raises(FormatError, match="no values of RR@3") as raised:
        read_values(written("query_id,P@3,R@3\nq01,0.5,1.0\n"), [P3, RR3])
    assert raised.value.hint == "it has P@3, R@3"


@pytest.mark.parametrize("measures", [None, [P3, R3]])
def test_values_of_which_measure(written: Write, measures: list[Measure] | None) -> None:
    """Values without a name are a question of usage unless exactly one measure was asked for."""
    with pytest.raises(UsageError) as raised:
        read_values(written("query_id,value\nq01,0.5\n"), measures)
    assert "-m" in raised.value.hint
