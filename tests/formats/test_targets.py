"""What is written for other tools: the table of targets is complete, and the tools take the files."""

import csv
import json
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from text_output import write_corpus, write_queries
from treconcile.conversion.losses import losses
from treconcile.conversion.targets import KINDS, LOSSES, TARGETS, Target, target, targets_of, to_help
from treconcile.conversion.tira_write import ir_metadata
from treconcile.conversion.write_targets import (
    QRELS_WRITERS,
    RUN_WRITERS,
    prepared_files,
    rendered_judgments,
    rendered_run,
)
from treconcile.errors import DuplicateError, IdError, MismatchError, NumberError, UsageError
from treconcile.formats import FORMATS, read_corpus, read_judgments, read_queries, read_run
from treconcile.formats.systems.mapping.presets import preset, preset_names
from treconcile.model import JUDGMENT_COLUMNS, RUN_COLUMNS, Corpus, Judgments, Queries, Run

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6)
QRELS = {"1": {"10": 2, "11": 0}, "2": {"10": 1}}
RUN = {"1": {"11": 2.5, "10": 1.25}, "2": {"12": 3.0}}


def qrels_of(*rows: tuple[str, str, str, int], **more: object) -> Judgments:
    return Judgments(pl.DataFrame(rows, schema=JUDGMENT_COLUMNS, orient="row"), **more)


def run_of(*rows: tuple[str, str, float], **more: object) -> Run:
    table = pl.DataFrame([(*row, 1) for row in rows], schema=RUN_COLUMNS, orient="row")
    return Run(table, **more)


def text_of(chunks_and_notices: tuple) -> str:
    return b"".join(chunks_and_notices[0]).decode()


def codes(chunks_and_notices: tuple) -> list[str]:
    return [notice.code for notice in chunks_and_notices[1]]


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., Path]:
    """Writes the example as a target, and gives the file."""

    def write(kind: str, to: str, name: str = "x") -> Path:
        table = read_judgments(QRELS) if kind == "qrels" else read_run(RUN)
        rendered = rendered_judgments(table, to) if kind == "qrels" else rendered_run(table, to)
        prepared_files({str(tmp_path / name): rendered}).write()
        return tmp_path / name

    return write


def test_every_target_is_written() -> None:
    """The tables of writers have the names of the table of targets, but for those that need more."""
    assert {each.name for each in targets_of("qrels")} - {"trec", "rank-eval"} == set(QRELS_WRITERS)
    assert {each.name for each in targets_of("run")} - {"trec", "tira"} == set(RUN_WRITERS)
    for each in targets_of("corpus"):
        write_corpus(Corpus({"d": "a"}), "/dev/null", each.name)
    for each in targets_of("queries"):
        write_queries(Queries({"q": "a"}), "/dev/null", each.name)


@pytest.mark.parametrize("each", TARGETS, ids=lambda each: f"{each.kind}-{each.name}")
def test_the_table_is_sound(each: Target) -> None:
    """Names are unique, what is read and lost is known, and the help names every target."""
    names = [name for other in targets_of(each.kind) for name in (other.name, *other.also)]
    assert names.count(each.name) == 1 and all(names.count(name) == 1 for name in each.also)
    assert each.kind in KINDS and set(each.loses) <= set(LOSSES)
    read = {known.name for known in FORMATS if known.kind == each.kind}
    read |= {
        label for name in preset_names() for v in preset(name).of_kind(each.kind) for label in (v.label, name)
    }
    assert each.read_as in read
    assert re.search(rf"{each.kind}: [^;.]*\b{each.name}\b", to_help())


def test_every_loss_is_some_target_s() -> None:
    """No phrase is left that nothing loses."""
    assert {name for each in TARGETS for name in each.loses} == set(LOSSES)


@pytest.mark.parametrize(
    ("kind", "name", "found"),
    [
        ("qrels", None, "trec"),
        ("corpus", None, "trectext"),
        ("run", "json-dict", "dict"),
        ("run", "ranx", "dict"),
        ("qrels", "elasticsearch", "rank-eval"),
        ("queries", "pyserini", "anserini"),
    ],
)
def test_other_names(kind: str, name: str | None, found: str) -> None:
    """The default, and what people call a format by the tool that takes it."""
    assert target(kind, name).name == found


@pytest.mark.parametrize(
    ("kind", "name", "hint"),
    [
        ("run", "pytrrier", "did you mean 'pyterrier'?"),
        ("qrels", "rank_eval", "did you mean 'rank-eval'?"),
        ("run", "beir", "beir is for qrels, corpus, queries"),
        ("corpus", "xyz", "corpus can be written as trectext, jsonl"),
    ],
)
def test_unknown_targets(kind: str, name: str, hint: str) -> None:
    """A misspelt name gets a suggestion, and that of another kind says of which."""
    with pytest.raises(UsageError) as caught:
        target(kind, name)
    assert hint in caught.value.hint


def test_pytrec_eval_takes_the_dictionaries(written: Callable[..., Path]) -> None:
    """Its evaluator, given both files as JSON has them: 10 is second for 1, and not found for 2."""
    pytrec_eval = pytest.importorskip("pytrec_eval")
    qrels = json.loads(written("qrels", "dict").read_text())
    run = json.loads(written("run", "dict").read_text())
    assert (qrels, run) == (QRELS, RUN)
    found = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"}).evaluate(run)
    assert {query: values["recip_rank"] for query, values in found.items()} == {"1": 0.5, "2": 0.0}


def test_ir_measures_takes_the_dictionaries(written: Callable[..., Path]) -> None:
    """The same through ir_measures."""
    ir_measures = pytest.importorskip("ir_measures")
    qrels = json.loads(written("qrels", "dict").read_text())
    run = json.loads(written("run", "dict").read_text())
    assert ir_measures.calc_aggregate([ir_measures.RR], qrels, run) == {ir_measures.RR: 0.25}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_ranx_takes_the_dictionaries(written: Callable[..., Path]) -> None:
    """Its own readers of JSON files."""
    ranx = pytest.importorskip("ranx")
    qrels = ranx.Qrels.from_file(str(written("qrels", "dict", "qrels.json")))
    run = ranx.Run.from_file(str(written("run", "dict", "run.json")))
    assert ranx.evaluate(qrels, run, "mrr") == pytest.approx(0.25)


def test_beir_s_way_of_reading(written: Callable[..., Path]) -> None:
    """As its loader does it: the csv module with tabs, no first line, a whole number in the third."""
    with written("qrels", "beir").open(encoding="utf-8") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_MINIMAL)
        assert next(rows) == ["query-id", "corpus-id", "score"]
        qrels: dict[str, dict[str, int]] = {}
        for query, document, score in rows:
            qrels.setdefault(query, {})[document] = int(score)
    assert qrels == QRELS


def test_beir_s_texts(tmp_path: Path) -> None:
    """A record a line, with the keys that its loader asks for; every document has a title."""
    write_corpus(Corpus({"d1": "a\nb", "d2": ""}), tmp_path / "corpus.jsonl", "beir")
    write_queries(Queries({"q1": "ж"}), tmp_path / "queries.jsonl", "beir")
    lines = (tmp_path / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    assert list(map(json.loads, lines)) == [
        {"_id": "d1", "title": "", "text": "a\nb"},
        {"_id": "d2", "title": "", "text": ""},
    ]
    assert (tmp_path / "queries.jsonl").read_text(encoding="utf-8") == '{"_id": "q1", "text": "ж"}\n'
    assert read_corpus(tmp_path / "corpus.jsonl").texts == {"d1": "a\nb", "d2": ""}
    assert read_queries(tmp_path / "queries.jsonl").texts == {"q1": "ж"}


@pytest.mark.parametrize("to", ["anserini", "beir"])
@given(texts=st.dictionaries(TEXT.filter(bool), TEXT, min_size=1, max_size=3))
def test_any_text_comes_back(to: str, texts: dict[str, str]) -> None:
    """Any id and any text, exactly."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "texts"
        write_corpus(Corpus(texts), path, to)
        assert read_corpus(path).texts == texts
        write_queries(Queries(texts), path, "beir")
        assert read_queries(path).texts == texts


def test_white_space_that_is_lost_is_said(tmp_path: Path) -> None:
    """Around a text, in the formats that are no JSON."""
    for to in ("trectext", "tsv"):
        assert [each.code for each in write_corpus(Corpus({"d": " a"}), tmp_path / "x", to)] == ["space-lost"]
    assert write_corpus(Corpus({"d": " a"}), tmp_path / "x", "anserini") == ()


def test_anserini_s_texts(tmp_path: Path) -> None:
    """Its JsonCollection wants id and contents; its TSV topics are id, tab and text."""
    write_corpus(Corpus({"d1": "a\nb"}), tmp_path / "corpus.jsonl", "anserini")
    write_queries(Queries({"1": "a b"}), tmp_path / "topics.tsv", "anserini")
    assert json.loads((tmp_path / "corpus.jsonl").read_text()) == {"id": "d1", "contents": "a\nb"}
    assert (tmp_path / "topics.tsv").read_text() == "1\ta b\n"
    assert read_corpus(tmp_path / "corpus.jsonl").texts == {"d1": "a\nb"}


def test_ms_marco_s_way_of_reading(written: Callable[..., Path]) -> None:
    """As ms_marco_eval.py does it: split at tabs, numbers as ids, the place by the rank."""
    relevant = [line.strip().split("\t") for line in written("qrels", "msmarco").read_text().splitlines()]
    assert [(int(row[0]), int(row[2])) for row in relevant] == [(1, 10), (1, 11), (2, 10)]
    found = [list(map(int, line.split("\t"))) for line in written("run", "msmarco").read_text().splitlines()]
    assert found == [[1, 11, 1], [1, 10, 2], [2, 12, 1]]


def test_what_ms_marco_s_script_would_misread() -> None:
    """Ids that are no numbers, grades that it does not look at, and more results than it keeps."""
    said = rendered_judgments(qrels_of(("1", "0", "10", 0), ("1", "0", "d1", 2)), "msmarco")[1]
    assert [notice.code for notice in said] == ["id-not-a-number", "grade-not-read"]
    assert "the document d1" in said[0].message and "1 are below 1" in said[1].message
    deep = run_of(*(("1", str(document), 1.0) for document in range(1, 1002)))
    assert codes(rendered_run(deep, "msmarco")) == ["lost", "too-deep"]
    assert codes(rendered_run(run_of(("01", "1", 1.0), scored=False), "msmarco")) == ["id-not-a-number"]


def test_pandas_reads_pyterrier_s_frames(written: Callable[..., Path]) -> None:
    """With the columns of PyTerrier's data model; the best has rank 0."""
    pandas = pytest.importorskip("pandas")
    ids = {"qid": str, "docno": str}
    qrels = pandas.read_csv(written("qrels", "pyterrier"), dtype=ids)
    assert list(map(tuple, qrels.itertuples(index=False))) == [("1", "10", 2), ("1", "11", 0), ("2", "10", 1)]
    run = pandas.read_csv(written("run", "pyterrier"), dtype=ids)
    assert list(run.columns) == ["qid", "docno", "score", "rank"]
    assert list(map(tuple, run.itertuples(index=False))) == [
        ("1", "11", 2.5, 0), ("1", "10", 1.25, 1), ("2", "12", 3.0, 0),
    ]  # fmt: skip


def test_csv_quotes_what_it_has_to() -> None:
    """A comma or a quotation mark in an id is read back by any reader of CSV."""
    text = text_of(rendered_judgments(qrels_of(('a,"b', "0", "d", 1)), "pyterrier"))
    assert list(csv.reader(text.splitlines())) == [["qid", "docno", "label"], ['a,"b', "d", "1"]]


@pytest.mark.parametrize(
    ("to", "query", "document"),
    [
        ("beir", "a\tb", "d"),
        ("beir", "q", '"d'),
        ("beir", "q", "a\nb"),
        ("msmarco", "#q", "d"),
        ("msmarco", "q", "a b"),
        ("msmarco", "q\u00a0", "d"),
        ("pyterrier", "q", "a\rb"),
        ("pyterrier", "", "d"),
        ("pyterrier", "\ufeffq", "d"),
    ],
)
def test_ids_that_a_table_cannot_hold(to: str, query: str, document: str) -> None:
    """They are refused, with what could hold them."""
    with pytest.raises(IdError) as caught:
        rendered_judgments(qrels_of((query, "0", document, 1)), to)
    assert "--to json" in caught.value.hint


@pytest.mark.parametrize("to", [*QRELS_WRITERS])
def test_judgments_that_contradict_themselves(to: str) -> None:
    """Two grades of one document, and an answer to a query that is declared to have none."""
    with pytest.raises(DuplicateError):
        rendered_judgments(qrels_of(("q", "0", "d", 1), ("q", "0", "d", 2)), to)
    with pytest.raises(MismatchError):
        rendered_judgments(qrels_of(("q", "0", "d", 1), negative=("q",)), to)


@pytest.mark.parametrize("to", [*QRELS_WRITERS])
def test_a_repeated_judgment_is_written_once(to: str) -> None:
    """The same judgment twice is said; sub-topics leave the highest grade, and are said."""
    rows = ("q", "0", "d", 1), ("q", "0", "d", 1)
    rendered = rendered_judgments(qrels_of(*rows), to)
    assert codes(rendered)[0] == "repeated-judgments" and text_of(rendered).count("d") <= 4
    rendered = rendered_judgments(qrels_of(("7", "1", "8", 1), ("7", "2", "8", 3)), to)
    if "subtopics" not in target("qrels", to).loses:
        assert codes(rendered) == [] and text_of(rendered) == "7 1 0 8 1\n7 2 0 8 3\n"
        return
    assert "lost" in codes(rendered) and "sub-topics" in str(rendered[1][0])
    text = text_of(rendered)
    assert "3" in text and text.count("8") == 1


@pytest.mark.parametrize("to", ["dict", "msmarco", "pyterrier"])
def test_a_document_twice_in_a_run(to: str) -> None:
    """Tools would count it twice, or once, or fail."""
    with pytest.raises(DuplicateError):
        rendered_run(run_of(("q", "d", 1.0), ("q", "d", 2.0)), to)


@pytest.mark.parametrize("score", [float("inf"), float("-inf")])
@pytest.mark.parametrize("to", ["json", "dict", "pyterrier"])
def test_infinite_scores(to: str, score: float) -> None:
    """They are refused by name."""
    with pytest.raises(NumberError, match="inf"):
        rendered_run(run_of(("q", "d", score)), to)


@pytest.mark.parametrize("to", [*RUN_WRITERS])
def test_runs_are_best_first(to: str) -> None:
    """Whatever the order of the input; equal scores keep theirs."""
    text = text_of(rendered_run(run_of(("q", "a", 1.0), ("q", "b", 2.0), ("q", "c", 2.0)), to))
    assert re.findall(r"\b[abc]\b", text) == ["b", "c", "a"]


def test_nothing_is_lost_without_a_word() -> None:
    """Each loss is found by itself, with what it concerns; without one there is no warning."""
    judgments = qrels_of(
        ("q1", "0", "d", 0), ("q2", "3", "d", 1), ("q2", "3", "e", -1),
        negative=("q1",), asked=("q1", "q2", "q3"), texts={"q1": "a"}, reasons={"q2": "b"},
    )  # fmt: skip
    run = run_of(("q1", "b", 1.0), ("q1", "a", 1.0), empty=("q2",), tag="one", last_tag="two", k=9)
    for each in targets_of("qrels"):
        said = losses(each, judgments)
        assert len(said) == bool(each.loses)
        assert all(LOSSES[name] in said[0].message for name in each.loses)
        assert losses(each, qrels_of(("q", "0", "d", 1))) == ()
    for each in targets_of("run"):
        expected = [name for name in each.loses if name != "derived"]
        said = losses(each, run)
        assert len(said) == bool(expected) and all(LOSSES[name] in said[0].message for name in expected)
    assert "(q2)" in str(said := losses(target("run", "pyterrier"), run)[0]) and "'one' and 'two'" in str(
        said
    )
    derived = run_of(("q", "d", 1.0), scored=False)
    assert [len(losses(each, derived)) for each in targets_of("run")] == [0, 0, 1, 0, 1, 0]


def test_what_stands_elsewhere_is_not_lost() -> None:
    """The texts of queries that are written beside the judgments."""
    judgments = qrels_of(("q1", "0", "d", 1), asked=("q1", "q2"), texts={"q1": "a"})
    assert losses(target("qrels", "beir"), judgments, ("texts", "unjudged")) == ()


def test_ir_metadata() -> None:
    """YAML with the keys of the schema, and only what is known; the rest is named in comments."""
    import yaml

    text = ir_metadata("mine: 1", test_collection={"topics": "ж.tsv"}).decode()
    found = yaml.safe_load(text)
    assert set(found) == {"schema-version", "tag", "platform", "data"} and found["tag"] == "mine: 1"
    assert found["data"] == {"test collection": {"topics": "ж.tsv"}}
    assert "data" not in yaml.safe_load(ir_metadata("mine", test_collection={}))
    # tira's check of ir_metadata wants one of these.
    assert {"platform", "implementation", "resources"} & set(found)
    for missing in ("implementation", "resources", "research goal", "method", "actor"):
        assert f"#   {missing}: " in text
