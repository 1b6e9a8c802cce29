"""`treconcile eval`: scores in every form, what is said about them, and what is refused."""

import bz2
import csv
import gzip
import io
import json
import lzma
import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from treconcile.cli import app
from treconcile.demo import DOCUMENTS, QRELS
from treconcile.formats import FORMATS, Format
from treconcile.rendering.table import RENDERERS

Cli = Callable[..., tuple[int, str, str]]

ROOT = Path(__file__).parents[2]
EXAMPLE = (ROOT / "qrels/example.qrels", ROOT / "runs/example.run")
TIED = ROOT / "runs/example.scores.run"
P, R, RR = ("-m", "P@3"), ("-m", "R@3"), ("-m", "RR@3")
NDCG = ("-m", "nDCG@3")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def example() -> tuple[Path, Path]:
    """Copies of the example's qrels and run that a test may change, with their sidecars."""
    for path in EXAMPLE:
        shutil.copy(path, path.name)
        shutil.copy(f"{path}.meta.json", f"{path.name}.meta.json")
    return Path(EXAMPLE[0].name), Path(EXAMPLE[1].name)


def document(cli: Cli, *arguments: object) -> dict[str, Any]:
    """The JSON of `eval`."""
    status, out, _ = cli("eval", *arguments, "--format", "json")
    assert status == 0
    loaded: dict[str, Any] = json.loads(out)
    return loaded


def means(cli: Cli, *arguments: object) -> dict[str, float]:
    """The mean of each measure of the first run."""
    return {each["measure"]: each["mean"] for each in document(cli, *arguments)["runs"][0]["measures"]}


def forms(kind: str) -> list[ParameterSet]:
    """Every form in which judgments with grades or a run can be given."""
    graded = (each for each in FORMATS if each.name != "prefs")  # which has no grades to score by
    return [pytest.param(each, id=each.name) for each in graded if each.kind == kind]


def written(name: str, text: str) -> str:
    """A file of that text."""
    Path(name).write_text(text, encoding="utf-8")
    return name


# The forms of the output


def test_the_table_says_what_the_numbers_are_about(cli: Cli) -> None:
    """The table is followed by the queries behind the mean, and with -v by every axis and the hashes."""
    status, out, err = cli("eval", *EXAMPLE, *P, *R, *RR, "-v")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[:4] == [
        "measure  example.run",
        "P@3           0.2667",
        "R@3           0.7000",
        "RR@3          0.8000",
    ]
    told = " ".join(out.split())
    assert "mean over 5 queries, 1 of them without results and counted 0 (q05);" in told
    assert "trec_eval without -c: P@3 0.3333, R@3 0.8750, RR@3 1.0000 over 4;" in told
    assert "2 queries are known only from the .meta.json files (--no-meta ignores them)" in told
    assert "no answer, and not in the mean: q06; nothing was returned for it, which is correct" in told
    assert "convention default: order:score ties:docid-desc" in told
    assert lines[-1].startswith("qrels:8fcb8a96 run:22b82678 treconcile:")


def test_output_has_three_sizes(cli: Cli) -> None:
    """By default the convention is a line; with --quiet there are numbers alone, with -v all."""
    _, out, _ = cli("eval", *EXAMPLE, *P)
    assert out.splitlines()[-1] == "convention default: treconcile's own, same as trec_eval -c"
    assert "order:score" not in out and "qrels:" not in out and ".meta.json" not in out
    assert cli("eval", *EXAMPLE, *P, "--quiet") == (0, "measure  example.run\nP@3           0.2667\n", "")
    assert cli("eval", *EXAMPLE, *P, "--quiet", "-v")[0] == 2
    _, out, _ = cli("eval", *EXAMPLE, *P, *NDCG, "-C", "elasticsearch")
    assert "convention elasticsearch (Elasticsearch rank evaluation API 6 to 8): the default, but\n" in out
    assert (
        "  denominator:returned: what precision at k divides by: the documents returned up to the cut-off:\n"
        "    min(k, n)\n" in out
    )
    assert "(nDCG@3)" in out


def test_the_json_has_the_promised_keys(cli: Cli) -> None:
    """Every key that `cli.md` promises is there, with the example's values."""
    (run,) = document(cli, *EXAMPLE, *P, *R, "-q")["runs"]
    assert run["run"] == str(EXAMPLE[1]) and run["tag"] == "example"
    first = run["measures"][0]
    assert first.keys() == {"measure", "aggregate", "mean", "queries", "signature"}
    assert (first["measure"], first["aggregate"], first["queries"]) == ("P@3", "mean", 5)
    assert first["mean"] == pytest.approx(4 / 15, abs=1e-15)
    assert first["signature"].startswith("P@3 = 0.2667 (5 queries) | order:score ties:docid-desc")
    assert run["per_query"][0] == {"query_id": "q01", "measure": "P@3", "value": 1 / 3}
    assert {each["query_id"] for each in run["per_query"]} == {"q01", "q02", "q03", "q04", "q05"}
    assert len(run["per_query"]) == 10
    assert (run["missing"], run["empty"], run["extra"]) == ([], ["q05"], [])
    assert run["excluded"] == [{"query_id": "q06", "reason": "negative"}]
    assert run["negative"] == [{"query_id": "q06", "returned": 0}]


def test_the_json_has_per_query_values_only_on_request(cli: Cli) -> None:
    """Without -q there is no `per_query`, and the schema is 1."""
    loaded = document(cli, *EXAMPLE, *P)
    assert loaded["schema"] == 1
    assert "per_query" not in loaded["runs"][0]


def test_an_undefined_value_is_null_and_a_sum_stands_under_mean(cli: Cli) -> None:
    """JSON has null for what is undefined, and the sum of a count with its aggregate."""
    (run,) = document(cli, *EXAMPLE, "-m", "P@3", "-m", "NumRet", "-C", "empty=nan", "-q")["runs"]
    assert [each["mean"] for each in run["measures"]] == [None, 6]
    assert [each["aggregate"] for each in run["measures"]] == ["mean", "sum"]
    values = {(each["query_id"], each["measure"]): each["value"] for each in run["per_query"]}
    assert values["q05", "P@3"] is None and values["q02", "NumRet"] == 3


def test_the_aggregate_says_what_stands_under_mean(cli: Cli) -> None:
    """A geometric mean and a median are named, whether the measure or the convention asks for them."""
    measures = ["-m", "GMAP", "-m", "median_rank(not_found=9)", "-m", "P@3"]
    (run,) = document(cli, *EXAMPLE, *measures)["runs"]
    assert [each["aggregate"] for each in run["measures"]] == ["geometric", "median", "mean"]
    (run,) = document(cli, *EXAMPLE, "-m", "P@3", "-m", "NumRet", "-C", "mean=median")["runs"]
    assert [each["aggregate"] for each in run["measures"]] == ["median", "sum"]


def test_a_measure_without_a_value_says_for_which_queries(cli: Cli) -> None:
    """A rank that does not exist makes the mean undefined, and a line names the query and the way out."""
    status, out, _ = cli("eval", *EXAMPLE, "-m", "RankFirstRel", "-m", "NumNotFound")
    assert status == 0
    line = "undefined for q05, and so on the whole (over:defined leaves such queries out): RankFirstRel"
    assert line in " ".join(out.split())
    status, out, _ = cli("eval", *EXAMPLE, "-m", "MedianRank", "-C", "over=defined")
    assert "median over 4 queries" in out and "undefined" not in out


@pytest.mark.parametrize(("form", "separator"), [("tsv", "\t"), ("csv", ",")])
def test_separated_values_are_tidy_and_exact(cli: Cli, form: str, separator: str) -> None:
    """One row a value, every digit of it, the mean under the query `all`."""
    status, out, _ = cli("eval", *EXAMPLE, *P, "-q", "--format", form)
    rows = list(csv.reader(io.StringIO(out), delimiter=separator))
    assert status == 0
    assert rows[0] == ["run", "measure", "query_id", "value"]
    assert rows[1] == [str(EXAMPLE[1]), "P@3", "q01", "0.3333333333333333"]
    assert rows[-1] == [str(EXAMPLE[1]), "P@3", "all", "0.26666666666666666"]
    assert len(rows) == 1 + 5 + 1


def test_json_lines_are_tidy(cli: Cli) -> None:
    """One object a line, with the same columns as the separated forms."""
    _, out, _ = cli("eval", *EXAMPLE, *P, *RR, "--format", "jsonl")
    assert [json.loads(line) for line in out.splitlines()] == [
        {"run": str(EXAMPLE[1]), "measure": "P@3", "query_id": "all", "value": 4 / 15},
        {"run": str(EXAMPLE[1]), "measure": "RR@3", "query_id": "all", "value": 0.8},
    ]


def test_markdown(cli: Cli) -> None:
    """A table of measures by runs, numbers aligned to the right."""
    _, out, _ = cli("eval", *EXAMPLE, *P, "--format", "markdown")
    assert out.startswith(
        "| measure | example.run |\n| --- | ---: |\n| P@3 | 0.2667 |\n\nconvention default: "
    )


def test_markdown_per_query_comes_first(cli: Cli) -> None:
    """With -q the values of the queries stand above the means."""
    _, out, _ = cli("eval", *EXAMPLE, *P, "-q", "--format", "markdown", "--digits", 2)
    assert out.startswith("example.run\n\n| query | P@3 |\n| --- | ---: |\n| q01 | 0.33 |\n")
    assert "\n\n| measure | example.run |\n| --- | ---: |\n| P@3 | 0.27 |\n" in out


def test_latex_is_a_tabular_with_escaped_text(cli: Cli) -> None:
    """What LaTeX gives a meaning is escaped, so the file name cannot break the document."""
    shutil.copy(EXAMPLE[1], "my_run&1.run")
    _, out, _ = cli("eval", EXAMPLE[0], "my_run&1.run", *P, "--format", "latex")
    assert out.splitlines()[:4] == [
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"measure & my\_run\&1.run \\",
        r"\midrule",
    ]
    assert "\\bottomrule\n\\end{tabular}\n\n% convention default: " in out


@pytest.mark.parametrize("form", RENDERERS)
def test_every_form_has_the_numbers(cli: Cli, form: str) -> None:
    """Each form of output holds both means and ends with a line end."""
    status, out, err = cli("eval", *EXAMPLE, *P, *R, "--format", form)
    assert (status, err) == (0, "")
    assert out.endswith("\n")
    assert "0.26" in out and "0.7" in out


def test_values_per_query(cli: Cli) -> None:
    """With -q each query of the mean has a row, and the declared negative one has none."""
    _, out, _ = cli("eval", *EXAMPLE, *P, *R, "-q", "--digits", 3)
    assert out.splitlines()[:6] == [
        "query    P@3    R@3",
        "q01    0.333  1.000",
        "q02    0.333  1.000",
        "q03    0.333  0.500",
        "q04    0.333  1.000",
        "q05    0.000  0.000",
    ]


def test_several_runs_have_one_row_each(cli: Cli) -> None:
    """One column a measure, what is the same of all runs once, and the hashes of all at the end."""
    _, out, _ = cli("eval", *EXAMPLE, TIED, *P, *RR, "-v")
    assert out.splitlines()[:3] == [
        "run                    P@3    RR@3",
        "example.run         0.2667  0.8000",
        "example.scores.run  0.2667  0.8000",
    ]
    assert "all runs: mean over 5 queries" in out
    assert out.splitlines()[-1].startswith(
        "qrels:8fcb8a96 example.run:22b82678 example.scores.run:a6bd9823 treconcile:"
    )
    assert [run["run"] for run in document(cli, *EXAMPLE, TIED, *P)["runs"]] == [str(EXAMPLE[1]), str(TIED)]


def test_runs_of_the_same_file_name_are_told_apart_by_their_paths(cli: Cli) -> None:
    """Two files called x.run get their folders into the head of the table."""
    for folder in ("a", "b"):
        Path(folder).mkdir()
        shutil.copy(EXAMPLE[1], f"{folder}/x.run")
    _, out, _ = cli("eval", EXAMPLE[0], "a/x.run", "b/x.run", *P)
    assert [line.split()[0] for line in out.splitlines()[:3]] == ["run", "a/x.run", "b/x.run"]


# Measures


def test_the_default_measures_take_k_from_the_sidecar(cli: Cli) -> None:
    """Without -m: P, R, RR, nDCG and Judged at the k that the sidecar knows, and AP."""
    assert list(means(cli, *EXAMPLE)) == ["P@3", "R@3", "RR@3", "nDCG@3", "Judged@3", "AP"]


def test_the_default_cutoff_is_ten(cli: Cli) -> None:
    """Without a sidecar nobody knows k, and it is 10."""
    assert list(means(cli, *EXAMPLE, "--no-meta")) == [
        "P@10", "R@10", "RR@10", "nDCG@10", "Judged@10", "AP",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("named", "canonical"),
    [
        ("P_3", "P@3"),
        ("P.3", "P@3"),
        ("Precision@3", "P@3"),
        ("MRR@3", "RR@3"),
        ("MAP", "AP"),
        ("NDCG@3", "nDCG@3"),
        ("Hit@3", "Success@3"),
        ("P(denominator=returned)@3", "P(denominator=returned)@3"),
    ],
)
def test_the_spellings_of_other_tools_are_accepted(cli: Cli, named: str, canonical: str) -> None:
    """ir_measures', trec_eval's and common names give the measure under its one name."""
    assert list(means(cli, *EXAMPLE, "-m", named)) == [canonical]


def test_one_m_may_name_several_measures(cli: Cli) -> None:
    """Names separated by spaces are as good as -m repeated, and each counts once."""
    assert list(means(cli, *EXAMPLE, "-m", "P@3 R@3", "-m", "P_3")) == ["P@3", "R@3"]


# Conventions


@pytest.mark.parametrize(
    ("convention", "mean"),
    [
        (["denominator=returned"], 2 / 3),
        (["denominator:returned"], 2 / 3),
        (["elasticsearch"], 2 / 3),
        (["elasticsearch+empty:skip"], 5 / 6),
        (["empty=skip"], 1 / 3),
        (["denominator=returned", "empty=skip"], 5 / 6),
        (["denominator=returned empty=skip"], 5 / 6),
        (["negative=zero"], 4 / 18),
    ],
)
def test_conventions(cli: Cli, convention: list[str], mean: float) -> None:
    """A profile, an axis, several of them, or both set the convention."""
    options = [word for each in convention for word in ("-C", each)]
    assert means(cli, *EXAMPLE, *P, *options)["P@3"] == pytest.approx(mean, abs=1e-15)


def test_a_profile_that_mixes_conventions_says_so(cli: Cli) -> None:
    """Under ir_measures' profile RR@3 breaks ties otherwise than P@3, and the table says it."""
    _, out, _ = cli("eval", *EXAMPLE, *P, *RR, "-C", "ir_measures", "-v")
    told = " ".join(out.split())
    assert "convention ir_measures: order:score ties:docid-desc score_precision:float32" in told
    assert "RR@3 differs: ties:docid-asc score_precision:float64" in told


def test_an_axis_that_no_measure_reads_is_refused(cli: Cli) -> None:
    """It would change nothing, silently."""
    status, out, err = cli("eval", *EXAMPLE, *P, "-C", "gain=exponential")
    assert (status, out) == (2, "")
    assert err == "error: no measure here reads the axis gain: P@3\nhint: leave gain out\n"


def test_complete_is_the_default_and_has_no_option(cli: Cli) -> None:
    """-c exits 2 and says that the default already averages as `trec_eval -c` does."""
    status, out, err = cli("eval", "-c", *EXAMPLE)
    assert (status, out) == (2, "")
    assert "averages over all judged queries, as trec_eval -c does" in err
    assert "hint: leave -c out; -C sets the convention" in err


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        (
            ["-m", "P@3 nDGC@5"],
            ["there is no measure 'nDGC'", "    P@3 nDGC@5", "        ^", "hint: did you mean 'nDCG'?"],
        ),
        (
            ["-m", "P(denominatr=k)@3"],
            [
                "P has no parameter 'denominatr'",
                "    P(denominatr=k)@3",
                "      ^",
                "hint: did you mean 'denominator'?",
            ],
        ),
        (
            ["-C", "elasticsaerch"],
            ["there is no profile 'elasticsaerch'", "hint: did you mean 'elasticsearch'?"],
        ),
        (["-C", "tyes=input"], ["there is no axis 'tyes'", "hint: did you mean 'ties'?"]),
        (
            ["-C", "ties=inptu"],
            ["'inptu' is not a value of the axis ties", "hint: did you mean 'input'?"],
        ),
        (["--format", "jsno"], ["there is no format 'jsno'", "hint: did you mean 'json'?"]),
        (["--frmat", "json"], ["no such option: --frmat", "hint: did you mean --format?"]),
    ],
)
def test_what_is_not_known_gets_a_suggestion(cli: Cli, arguments: list[str], lines: list[str]) -> None:
    """Unknown measures, parameters, profiles, axes, values, formats and options exit 2 with a suggestion."""
    status, out, err = cli("eval", *EXAMPLE, *arguments)
    assert (status, out) == (2, "")
    assert err.removeprefix("error: ").splitlines() == lines


# What is said about queries


def test_a_negative_query_with_results_is_named(cli: Cli, example: tuple[Path, Path]) -> None:
    """Something returned for a query without an answer: how many queries, which, and how many results."""
    written("x.json", json.dumps({"q01": ["d01"], "q06": ["d01", "d02"]}))
    _, out, _ = cli("eval", example[0], "x.json", *P)
    told = " ".join(out.split())
    assert "not in the mean: q06; something was returned for 1 of 1: q06 (2 results)" in told
    (run,) = document(cli, example[0], "x.json", *P)["runs"]
    assert run["negative"] == [{"query_id": "q06", "returned": 2}]
    assert run["excluded"] == [{"query_id": "q06", "reason": "negative"}]


def test_missing_queries_and_those_without_relevant_documents_get_their_lines(cli: Cli) -> None:
    """The missing are counted, and those without a relevant document and the unjudged are named."""
    qrels = written("q", "q1 0 a 1\nq2 0 a 1\nq3 0 a 0\n")
    run = written("r", "q1 Q0 a 1 1 t\nq3 Q0 a 1 1 t\nq9 Q0 a 1 1 t\n")
    _, out, _ = cli("eval", qrels, run, "-m", "P@1")
    told = " ".join(out.split())
    assert "mean over 3 queries, 1 of them missing and counted 0 (q2);" in told
    assert "trec_eval without -c: P@1 0.5000 over 2" in told
    assert "q3 has no document judged relevant: counted 0 (no_relevant:skip leaves it out)" in told
    assert "in the run but not judged, and left out: q9" in told
    (entry,) = document(cli, qrels, run, "-m", "P@1")["runs"]
    assert (entry["missing"], entry["no_relevant"], entry["extra"]) == (["q2"], ["q3"], ["q9"])


def test_skipped_queries_are_named(cli: Cli) -> None:
    """Queries that the convention leaves out are said to be left out, and why."""
    _, out, _ = cli("eval", *EXAMPLE, *P, "-C", "empty=skip")
    assert "mean over 4 queries; q05 has no result and is not counted" in out
    (entry,) = document(cli, *EXAMPLE, *P, "-C", "empty=skip")["runs"]
    assert {"query_id": "q05", "reason": "empty"} in entry["excluded"]


def test_an_empty_run_is_scored_with_one_warning(cli: Cli) -> None:
    """All values are 0, and the warning stands there once."""
    status, out, err = cli("eval", EXAMPLE[0], written("r", ""), *P)
    assert status == 0 and "P@3      0.0000" in out
    assert err == "warning: r: the run has no results\n"
    assert "no judged query has a result" in " ".join(out.split())


# Sidecars


def test_no_meta_forgets_what_only_the_sidecar_knows(cli: Cli) -> None:
    """Without sidecars q05 is missing instead of empty, and nobody knows of q06."""
    (entry,) = document(cli, *EXAMPLE, *P, "--no-meta")["runs"]
    assert (entry["missing"], entry["empty"], entry["negative"]) == (["q05"], [], [])
    assert entry["from_sidecar"] == 0
    _, out, _ = cli("eval", *EXAMPLE, *P, "--no-meta")
    assert "1 of them missing and counted 0 (q05)" in out and ".meta.json" not in out


def test_a_sidecar_of_other_content_is_ignored(cli: Cli, example: tuple[Path, Path]) -> None:
    """After the file changed, its sidecar no longer describes it, and a warning says so."""
    with example[1].open("a") as file:
        file.write("q06 Q0 d01 1 1 example\n")
    status, _, err = cli("eval", *example, *P)
    assert status == 0
    warning = "warning: example.run.meta.json: the sidecar is ignored: it describes other content"
    assert err.startswith(warning)
    (entry,) = document(cli, *example, *P)["runs"]
    assert entry["negative"] == [{"query_id": "q06", "returned": 1}]
    assert (entry["missing"], entry["empty"]) == (["q05"], [])


def test_ids_encoded_on_one_side_only(cli: Cli) -> None:
    """If the ids of the run are percent-encoded and those of the qrels are not, a warning says it."""
    written("q.json", json.dumps({"q1": {"a b": 1, "c": 1}}))
    written("r.json", json.dumps({"q1": ["a b", "c"]}))
    assert cli("convert", "run", "r.json", "-o", "r.run", "--id-encoding", "percent")[0] == 0
    status, _, err = cli("eval", "q.json", "r.run", *P)
    assert status == 0
    assert "warning: r.run: the ids of the run are percent-encoded and those of the qrels are not" in err
    assert "hint: convert both with the same --id-encoding" in err
    assert cli("convert", "qrels", "q.json", "-o", "q.qrels", "--id-encoding", "percent")[0] == 0
    assert cli("eval", "q.qrels", "r.run", *P)[2] == ""


def test_documents_outside_the_corpus_are_warned_of(cli: Cli) -> None:
    """With --corpus, ids that it lacks are named, those of the judgments and those of the run."""
    written("c.json", json.dumps([{"id": "a", "text": "a secret text"}]))
    status, _, err = cli("eval", written("q", "q1 0 a 1\nq1 0 b 1\n"), written("r", "q1 Q0 c 1 1 t\n"), *P,
                         "--corpus", "c.json")  # fmt: skip
    assert status == 0
    assert "warning: q: 1 document is not in the corpus: b\n" in err
    assert "warning: r: 1 document is not in the corpus: c\n" in err
    assert "secret" not in err


# Inputs


@pytest.mark.parametrize(("ending", "pack"), [("gz", gzip), ("bz2", bz2), ("xz", lzma)])
def test_compressed_files_are_read(cli: Cli, ending: str, pack: ModuleType) -> None:
    """Files are unpacked by their ending, the judgments and the run alike."""
    packed = []
    for path in EXAMPLE:
        packed.append(Path(f"{path.name}.{ending}"))
        packed[-1].write_bytes(pack.compress(path.read_bytes()))
    assert means(cli, *packed, *P, "-C", "missing=skip") == {"P@3": pytest.approx(1 / 3)}


@pytest.mark.parametrize("at", [0, 1])
def test_standard_input(cli: Cli, at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """- stands for standard input, for the judgments or for the run."""
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(EXAMPLE[at].read_bytes())))
    sources: list[object] = [*EXAMPLE]
    sources[at] = "-"
    assert means(cli, *sources, *P)["P@3"] == pytest.approx(4 / 15)


def test_standard_input_is_read_once(cli: Cli) -> None:
    """It cannot be both the judgments and the run."""
    status, out, err = cli("eval", "-", "-", *P)
    assert (status, out) == (2, "")
    assert "standard input (-) can be read only once" in err


@pytest.mark.parametrize("form", forms("qrels"))
def test_every_form_of_judgments_is_taken_directly(cli: Cli, form: Format) -> None:
    """Each known form of judgments is scored as it is."""
    written("q", form.example)
    written("r.json", '{"q01": ["d01", "x"]}')
    assert means(cli, "q", "r.json", "-m", "RR")["RR"] > 0


@pytest.mark.parametrize("form", forms("run"))
def test_every_form_of_a_run_is_taken_directly(cli: Cli, form: Format) -> None:
    """Each known form of a run is scored as it is."""
    written("r", form.example)
    written("q.json", '{"q01": ["d01"]}')
    assert means(cli, "q.json", "r", "-m", "RR")["RR"] > 0


def test_the_examples_own_judgments_score_as_its_qrels_do(cli: Cli) -> None:
    """The JSON with queries and reasons gives the same means, and knows the negative query itself."""
    (entry,) = document(cli, QRELS, EXAMPLE[1], *P, *R, *RR)["runs"]
    assert [each["mean"] for each in entry["measures"]] == pytest.approx([4 / 15, 0.7, 0.8])
    assert entry["negative"] == [{"query_id": "q06", "returned": 0}]


# Bad input


BAD = {
    "missing file": (None, "x: there is no such file"),
    "directory": ("/", "x: this is a directory, and no known format"),
    "binary": (b"\x00\x01\x02", "x"),
    "not UTF-8": (b"q01 Q0 d01 1 1 t\nq01 Q0 \xff 1 1 t\n", "x:2"),
    "five columns": (b"q01 Q0 d01 1 1\n", "x:1: 5 fields found, 6 expected"),
    "text for a score": (b"q01 Q0 d01 1 1 t\nq01 Q0 d02 2 high t\n", "x:2: the score 'high' is not a number"),
    "NaN": (b"q01 Q0 d01 1 nan t\n", "x:1: the score 'nan' is not a number"),
    "a long malformed number": (b"q01 Q0 d01 1 " + b"9" * 30 + b"x t\n", "'99999999999999999999…'"),
    "a duplicate": (b"q01 Q0 d01 1 2 t\nq01 Q0 d01 2 1 t\n", "x:2: document d01 stands more than once"),
    "foreign queries": (b"z01 Q0 d01 1 2 t\n", "shares none of its 1 queries with the 5 judged ones"),
    "broken JSON": (b'{"q01": ["d01"', "x:1: the JSON ends too early"),
    "a repeated key": (b'{"q01": ["d01"],\n "q01": []}', "x:2: key 'q01' stands twice"),
    "another form of JSON": (b'{"a": 1}', "no known form of a run"),
    "a broken archive": (b"\x1f\x8b\x08rubbish", "x.gz"),
}  # fmt: skip


def broken(name: str) -> str:
    """The path of a run that cannot be used."""
    content = BAD[name][0]
    path = Path("x.gz" if name == "a broken archive" else "x")
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content:
        path.mkdir()
    return str(path)


@pytest.mark.parametrize("name", BAD)
def test_bad_input_exits_3_and_prints_no_score(cli: Cli, name: str) -> None:
    """The place and the reason go to stderr, nothing to stdout, and there is no traceback."""
    status, out, err = cli("eval", EXAMPLE[0], broken(name), *P)
    assert (status, out) == (3, "")
    assert err.startswith("error: ") and BAD[name][1] in err
    assert "Traceback" not in err


@pytest.mark.parametrize("name", BAD)
def test_a_second_run_that_is_bad_prints_no_score_of_the_first(cli: Cli, name: str) -> None:
    """All or nothing: the good run is not printed either."""
    status, out, _ = cli("eval", *EXAMPLE, broken(name), *P)
    assert (status, out) == (3, "")


@pytest.mark.parametrize("where", ["before", "after"])
def test_debug_shows_the_traceback(capsys: pytest.CaptureFixture[str], where: str) -> None:
    """--debug, anywhere on the line, shows where the error came from; the exit status stays."""
    words = ["eval", str(EXAMPLE[0]), "nowhere.run"]
    status = app.run(["--debug", *words] if where == "before" else [*words, "--debug"])
    out, err = capsys.readouterr()
    assert (status, out) == (3, "")
    assert "Traceback" in err and err.endswith("error: nowhere.run: there is no such file\n")


def test_accuracy_is_said_to_mean_two_things(cli: Cli, tmp_path: Path) -> None:
    """What others call accuracy at k is a hit rate: a note, once, names that measure."""
    status, out, err = cli("eval", *EXAMPLE, "-m", "accuracy@3")
    assert status == 0 and "Accuracy@3" in out
    assert err.count("Success@k") == 1


@pytest.mark.parametrize(
    "run",
    [
        '[{"query_id": "q1", "query": "SECRET words", "results": 5}]',
        '[{"query_id": "q1", "query": "SECRET words", "results": [{"id": 3.5, "text": "SECRET"}]}]',
        '[{"query_id": "q1", "query": "SECRET words", "results": [{"id": "a", "score": "x"}]}]',
        '[{"query_id": "q1", "query": "SECRET words", "results": []},'
        ' {"query_id": "q1", "query": "SECRET", "results": []}]',
        '[{"query": "SECRET words", "results": [{"id": "a", "score": 1}]}]',
        '[{"query_id": "q1", "query": "SECRET words", "results": [{"id": "a", "text": "SECRET"},',
    ],
)
def test_no_text_of_a_query_or_document_is_shown(cli: Cli, run: str) -> None:
    """Errors name ids and places, never what a document or a query says."""
    status, out, err = cli("eval", written("q.json", '{"q1": ["a"]}'), written("r.json", run), *P)
    assert (status, out) == (3, "")
    assert "SECRET" not in err and err.startswith("error: r.json")


def test_texts_of_judgments_are_not_shown(cli: Cli) -> None:
    """A query id used for two texts is an error that names both places and neither text."""
    records = [{"id": "q1", "query": text, "relevant": ["a"]} for text in ("SECRET one", "SECRET two")]
    written("q.json", "[" + ",\n".join(map(json.dumps, records)) + "]")
    status, _, err = cli("eval", "q.json", written("r.json", '{"q1": ["a"]}'), *P)
    assert status == 3
    assert "q.json:2: record 2: query 'q1' is used again for another text; first at line 1" in err
    assert "SECRET" not in err


def test_the_examples_texts_stay_out_of_its_warnings(cli: Cli) -> None:
    """A corpus that lacks documents gives ids only."""
    texts = json.loads(DOCUMENTS.read_text(encoding="utf-8"))
    written("c.json", json.dumps(texts[:2], ensure_ascii=False))
    _, _, err = cli("eval", *EXAMPLE, *P, "--corpus", "c.json")
    assert "d04" in err
    assert not any(each["text"][:10] in err for each in texts)
