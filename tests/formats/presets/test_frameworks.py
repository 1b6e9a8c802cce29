"""Presets of evaluation frameworks, data sets and traces: every fixture, by name and as it looks."""

import json
from pathlib import Path

import pytest

from formats.presets.preset_cases import COMMON, FORMATS, HIGHER, PRESETS, TEXTS, Case, converted
from treconcile.cli import app

B097 = Path(__file__).parents[2] / "data" / "problems" / "B097"
DOCUMENTS = ("--docids", COMMON / "docs.tsv")


def fixture(folder: str, file: str, kind: str, label: str, *options: object, auto: bool = True) -> Case:
    """A fixture with a mapping and an expected file of its own."""
    where = FORMATS / folder
    return Case(where / file, kind, label, where / f"expected.{kind}", options, auto)


def invented(
    file: str, kind: str, label: str, *options: object, expected: str = "", auto: bool = True
) -> Case:
    """A fixture of this preset alone; without an expected file of its own it gives the common one."""
    goal = PRESETS / expected if expected else COMMON / f"expected.{kind}"
    return Case(PRESETS / file, kind, label, goal, options, auto)


RANKED = "../formats/ragas_ids/expected.run"
RELEVANT = "../formats/ragas_ids/expected.qrels"

CASES = (
    fixture("mteb_hf_jsonl", "qrels/test.jsonl", "qrels", "mteb.qrels"),
    fixture("mteb_hf_jsonl", "", "qrels", "mteb.qrels"),
    invented("mteb/data_set", "qrels", "mteb.qrels"),
    invented("mteb/KettleRetrieval_predictions.json", "run", "mteb.predictions"),
    fixture("beir_folder", "qrels/test.tsv", "qrels", "beir"),
    fixture("beir_folder", "", "qrels", "beir"),
    fixture("msmarco_tsv", "msmarco.run.tsv", "run", "msmarco.run"),
    fixture("msmarco_tsv", "qrels.dev.tsv", "qrels", "msmarco.qrels"),
    invented(
        "../formats/msmarco_tsv/top1000.dev.tsv",
        "run",
        "msmarco.top1000",
        expected="msmarco/expected.top1000.run",
    ),
    Case(B097 / "reference_2col.tsv", "qrels", "msmarco.pairs", PRESETS / "msmarco/expected.reference.qrels"),
    Case(B097 / "qrels_4col.tsv", "qrels", "msmarco.qrels", PRESETS / "msmarco/expected.reference.qrels"),
    Case(B097 / "run_msmarco_3col.tsv", "run", "msmarco.run", PRESETS / "msmarco/expected.b097.run"),
    fixture("pyterrier_csv", "results.csv", "run", "pyterrier.results"),
    fixture("pyterrier_csv", "qrels.csv", "qrels", "pyterrier.qrels"),
    fixture("llamaindex_embedding_qa", "dataset.json", "qrels", "llamaindex.qa"),
    fixture("llamaindex_retrieval_eval", "results.json", "run", "llamaindex.retrieved", *TEXTS),
    fixture("llamaindex_retrieval_eval", "results.json", "qrels", "llamaindex.expected", *TEXTS),
    invented("llamaindex/nodes", "run", "llamaindex.nodes", *HIGHER),
    invented("llamaindex/responses.jsonl", "run", "llamaindex.response", *HIGHER),
    fixture("ragas_ids", "evaluation.jsonl", "run", "ragas.retrieved", *TEXTS),
    fixture("ragas_ids", "evaluation.jsonl", "qrels", "ragas.reference", *TEXTS),
    invented("ragas/texts.jsonl", "run", "ragas.contexts", *TEXTS, *DOCUMENTS, expected=RANKED),
    invented("ragas/texts.jsonl", "qrels", "ragas.references", *TEXTS, *DOCUMENTS, expected=RELEVANT),
    fixture("haystack_eval_inputs", "eval.json", "run", "haystack.retrieved", *TEXTS),
    fixture("haystack_eval_inputs", "eval.json", "qrels", "haystack.ground_truth", *TEXTS),
    fixture("haystack_eval_inputs", "eval.json", "run", "haystack.retrieved", "--qids", COMMON / "qids.txt"),
    invented("haystack", "run", "haystack.documents"),
    fixture("deepeval_goldens", "goldens.json", "run", "deepeval.retrieved", *TEXTS, *DOCUMENTS),
    fixture("deepeval_goldens", "goldens.json", "qrels", "deepeval.ideal", *TEXTS, *DOCUMENTS),
    fixture("quepid_csv", "ratings.csv", "qrels", "quepid.csv", *TEXTS),
    fixture("quepid_json", "ratings.json", "qrels", "quepid.json", *TEXTS),
    invented("quepid/ltr_tabs.txt", "qrels", "quepid.ltr"),
    invented("quepid/ltr_spaces.txt", "qrels", "quepid.ltr"),
    fixture("rre_ratings", "ratings.json", "qrels", "rre.gains"),
    invented("rre/by_gain.json", "qrels", "rre.by_gain"),
    fixture("kilt_jsonl", "guess.jsonl", "run", "kilt.guess"),
    fixture("kilt_jsonl", "gold.jsonl", "qrels", "kilt.gold"),
    fixture("squad_json", "squad.json", "qrels", "squad.articles"),
    invented("squad/town.json", "qrels", "squad.articles", expected="squad/expected.articles.qrels"),
    # It looks like the articles, so it has to be asked for.
    invented(
        "squad/town.json",
        "qrels",
        "squad.paragraphs",
        *DOCUMENTS,
        expected="squad/expected.paragraphs.qrels",
        auto=False,
    ),
    fixture("trec_rag_jsonl", "rag.jsonl", "run", "trec-rag.2025"),
    invented("trec-rag/2024.jsonl", "run", "trec-rag.2024", expected="trec-rag/expected.run"),
    fixture("rank_llm_jsonl", "requests.jsonl", "run", "rank-llm.scored"),
    invented(
        "../formats/rank_llm_jsonl/requests.jsonl", "run", "rank-llm.order", expected=RANKED, auto=False
    ),
    invented("dpr/pyserini.json", "run", "dpr.pyserini"),
    invented("dpr/original.json", "run", "dpr.original", *TEXTS),
    fixture("promptfoo_tests", "tests.json", "qrels", "promptfoo"),
    fixture("letor_svmlight", "train.txt", "qrels", "letor"),
    invented("letor/letor4.txt", "qrels", "letor"),
    fixture("langfuse_observations", "observations.json", "run", "langfuse.api", *HIGHER),
    invented("langfuse/export.jsonl", "run", "langfuse.export", *HIGHER, *TEXTS),
    fixture("openinference_spans", "spans.jsonl", "run", "openinference.retriever", *HIGHER, *TEXTS),
    invented("openinference/nested.jsonl", "run", "openinference.retriever", *HIGHER, *TEXTS),
    invented("openinference/reranker.jsonl", "run", "openinference.reranker", *HIGHER, *TEXTS),
    invented("otel-genai/spans.jsonl", "run", "otel-genai.span", *HIGHER, *TEXTS),
    fixture("tutorial_rag", "qrels.json", "qrels", "tutorial.ids"),
    invented("tutorial/graded.json", "qrels", "tutorial.graded"),
    invented("tutorial/grades.json", "qrels", "tutorial.grades"),
)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=str)
def test_by_name(tmp_path: Path, case: Case) -> None:
    """By its preset, and by the variant of it."""
    expected = case.expected.read_bytes()
    assert converted(case, tmp_path, "--from", case.label) == expected
    if case.auto:
        assert converted(case, tmp_path, "--from", case.label.partition(".")[0]) == expected


@pytest.mark.parametrize("case", [case for case in CASES if case.auto], ids=str)
def test_as_it_looks(tmp_path: Path, capsys: pytest.CaptureFixture[str], case: Case) -> None:
    """Without being told, and saying what it was taken for, unless the package has a reader of its own."""
    assert converted(case, tmp_path, "--from", "auto") == case.expected.read_bytes()
    native = case.label.startswith("tutorial") or case.label == "msmarco.qrels"
    assert (f"taken for {case.label}:" in capsys.readouterr().err) != native


NEGATIVES = (
    ("mteb", "qrels", [{"query-id": "q01", "corpus-ids": ["d01", "d02"]}], "does not look like mteb"),
    (
        "mteb",
        "run",
        {"mteb_model_meta": {}, "en": {"dev": {"q01": {}}, "test": {"q02": {}}}},
        "several splits",
    ),
    ("beir", "qrels", "q01\td01\t2\nq01\td03\t1\n", "does not look like beir"),
    ("msmarco", "run", "1\thow do I descale a kettle\n", "does not look like msmarco"),
    ("msmarco", "run", "1\t2\tkettle\tvinegar\n", "does not look like msmarco"),
    ("msmarco", "qrels", "1\tRinse the kettle.\n", "does not look like msmarco"),
    ("pyterrier", "run", "qid,docid,rank,score\nq01,0,0,12.5\n", "without docno"),
    (
        "llamaindex",
        "qrels",
        {"queries": {"q01": "a"}, "corpus": {"d01": "b"}},
        "does not look like llamaindex",
    ),
    ("ragas", "run", [{"user_input": "a", "response": "b"}], "neither ids nor contexts"),
    ("ragas", "run", [{"user_input": [{"content": "a"}], "retrieved_context_ids": ["d01"]}], "several turns"),
    ("ragas", "qrels", "user_input,reference_context_ids\na,d01\n", "does not look like ragas"),
    ("haystack", "qrels", {"questions": ["a"], "ground_truth_documents": [["text"]]}, "id"),
    ("deepeval", "run", "input,retrieval_context\na,b|c\n", "does not look like deepeval"),
    ("deepeval", "run", [{"input": "a", "retrieval_context": ["b"]}], "neither"),
    ("quepid", "qrels", "query,docid,position\na,d01,1\n", "does not look like quepid"),
    (
        "quepid",
        "qrels",
        {"name": "Town", "query_doc_pairs": [{"query_text": "a", "doc_id": "d01", "judgements": []}]},
        "does not look like quepid",
    ),
    (
        "rre",
        "qrels",
        {"topics": [{"query_groups": [{"relevant_documents": {"2": ["d01"]}}]}]},
        "without a name",
    ),
    (
        "kilt",
        "qrels",
        [{"id": "q01", "input": "a", "output": [{"provenance": [{"title": "b"}]}]}],
        "there is no id",
    ),
    ("kilt", "run", [{"id": "q01", "input": "a", "output": "b"}], "none of the 1 records has"),
    ("squad", "qrels", {"q01": "an answer", "q02": ""}, "predictions"),
    (
        "trec-rag",
        "run",
        [{"metadata": {"narrative_id": "1"}, "answer": [{"citations": ["d01"]}]}],
        "references",
    ),
    (
        "rank-llm",
        "run",
        [{"query": {"qid": "q01"}, "candidates": [{"doc": {"segment": "a"}}]}],
        "without docid",
    ),
    ("dpr", "run", [{"question": "a", "positive_ctxs": [], "hard_negative_ctxs": []}], "Training files"),
    (
        "promptfoo",
        "qrels",
        [{"description": "q01", "vars": {"query": "a"}, "assert": []}],
        "none of the 1 records",
    ),
    ("letor", "qrels", "2 qid:1 1:0.5 2:0.25\n", "without a comment"),
    ("langfuse", "run", {"data": [{"type": "RETRIEVER", "input": "a", "output": "b"}]}, "names nothing"),
    (
        "openinference",
        "run",
        [
            {
                "attributes": {
                    "openinference.span.kind": "RETRIEVER",
                    "retrieval.documents.0.document.content": "a",
                }
            }
        ],
        "without an id",
    ),
    (
        "otel-genai",
        "run",
        [{"attributes": {"gen_ai.operation.name": "retrieval", "gen_ai.retrieval.query.text": "a"}}],
        "nothing was recorded",
    ),
    ("tutorial", "qrels", [{"id": "q01", "query": "a"}], "does not look like tutorial"),
)


@pytest.mark.parametrize(("name", "kind", "value", "message"), NEGATIVES)
def test_almost_right_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, kind: str, value: object, message: str
) -> None:
    """With what is missing, or why it is no such input; and it is taken for nothing else."""
    source, out = tmp_path / "input", tmp_path / "out"
    source.write_text(value if isinstance(value, str) else json.dumps(value))
    options = ["--make-qids", str(tmp_path / "topics"), "--docids", str(COMMON / "docs.tsv")]
    if kind == "run":
        options.append("--higher-is-better")
    assert app.run(["convert", kind, str(source), "--from", name, "-o", str(out), *options]) == 3
    error = capsys.readouterr().err
    assert message.lower() in error.lower() and str(source) in error
    assert app.run(["convert", kind, str(source), "-o", str(out)]) == 3
    assert "taken for" not in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize(
    ("name", "good", "failed"),
    [
        (
            "otel-genai",
            {
                "attributes": {
                    "gen_ai.operation.name": "retrieval",
                    "gen_ai.retrieval.query.text": "bakery opening hours",
                    "gen_ai.retrieval.documents": [{"id": "d02", "score": 0.5}],
                }
            },
            {
                "status": {"status_code": "ERROR"},
                "attributes": {
                    "gen_ai.operation.name": "retrieval",
                    "gen_ai.retrieval.query.text": "borrow board games",
                },
            },
        ),
        (
            "openinference",
            {
                "attributes": {
                    "openinference.span.kind": "RETRIEVER",
                    "input.value": "bakery opening hours",
                    "retrieval.documents.0.document.id": "d02",
                    "retrieval.documents.0.document.score": 0.5,
                }
            },
            {
                "status_code": "ERROR",
                "attributes": {"openinference.span.kind": "RETRIEVER", "input.value": "borrow board games"},
            },
        ),
        (
            "langfuse",
            {
                "type": "RETRIEVER",
                "input": "bakery opening hours",
                "output": [{"id": "d02", "score": 0.5}],
            },
            {"type": "RETRIEVER", "level": "ERROR", "input": "borrow board games", "output": None},
        ),
    ],
)
def test_failed_requests(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, good: object, failed: object
) -> None:
    """They are named, and are not queries that found nothing."""
    source, out = tmp_path / "spans.jsonl", tmp_path / "out"
    source.write_text(f"{json.dumps(good)}\n{json.dumps(failed)}\n")
    options = ["--queries", str(COMMON / "queries.tsv"), "--higher-is-better", "--tag", "demo"]
    assert app.run(["convert", "run", str(source), "-o", str(out), *options]) == 0
    assert f"taken for {name}" in (said := capsys.readouterr().err)
    assert "failed requests, which are not counted as empty: 1 (q04)" in said
    assert "q04" not in json.loads(Path(f"{out}.meta.json").read_text())["empty"]
    assert out.read_text() == "q02 Q0 d02 1 0.5 demo\n"
    # One hit is in no order that could contradict a direction.
    assert app.run(["convert", "run", str(source), "-o", str(out), *options[:2]]) == 0


def test_stale_scores_of_a_reranker(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They contradict the order of the candidates, which `order` takes instead."""
    source, out = tmp_path / "reranked.jsonl", tmp_path / "out"
    candidates = [
        {"docid": each, "score": score} for each, score in (("d01", 1.0), ("d02", 3.0), ("d03", 4.0))
    ]
    source.write_text(json.dumps({"query": {"qid": "q01", "text": "a"}, "candidates": candidates}))
    assert app.run(["convert", "run", str(source), "-o", str(out)]) == 3
    assert "stand the other way round" in capsys.readouterr().err
    arguments = ["convert", "run", str(source), "-o", str(out), "--from", "rank-llm.order", "--tag", "demo"]
    assert app.run(arguments) == 0
    assert out.read_text() == "q01 Q0 d01 1 3 demo\nq01 Q0 d02 2 2 demo\nq01 Q0 d03 3 1 demo\n"


def test_candidates_of_msmarco_are_tied(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Their order is none, so their scores say so."""
    out = tmp_path / "out"
    arguments = ["convert", "run", str(FORMATS / "msmarco_tsv" / "top1000.dev.tsv"), "-o", str(out)]
    assert app.run(arguments) == 0
    assert "same score" in capsys.readouterr().err.replace("equal", "same")


def test_a_data_set_of_several_splits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They are not mixed: one of them has to be given."""
    for split in ("dev", "test"):
        folder = tmp_path / "qrels"
        folder.mkdir(exist_ok=True)
        (folder / f"{split}.tsv").write_text(f"query-id\tcorpus-id\tscore\n{split}\td01\t1\n")
    out = tmp_path / "out"
    assert app.run(["convert", "qrels", str(tmp_path), "--from", "beir", "-o", str(out)]) == 3
    said = capsys.readouterr().err
    assert "there are 2 splits in it: dev, test" in said and f"{tmp_path / 'qrels' / 'dev.tsv'}" in said
    assert app.run(["convert", "qrels", str(tmp_path / "qrels" / "dev.tsv"), "-o", str(out)]) == 0
    assert out.read_text() == "dev 0 d01 1\n"


def test_the_folder_of_judgments_stays_in_its_data_set(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A symbolic link may not lead elsewhere."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "qrels").symlink_to(FORMATS / "beir_folder" / "qrels", target_is_directory=True)
    assert app.run(["convert", "qrels", str(tmp_path / "data"), "--from", "beir"]) == 3
    assert "leads out of the folder" in capsys.readouterr().err
