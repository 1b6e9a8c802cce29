"""Forms that exports and collectors write of what the vendors' own clients write otherwise."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from treconcile.cli import app

FORMATS = Path(__file__).parents[2] / "data" / "formats"
PRESETS = Path(__file__).parents[2] / "data" / "presets"
COMMON = FORMATS / "_common"
RANKED = FORMATS / "ragas_ids" / "expected.run"
RELEVANT = FORMATS / "ragas_ids" / "expected.qrels"

TEXTS = ("--queries", COMMON / "queries.tsv")
DOCUMENTS = ("--docids", COMMON / "docs.tsv")
HIGHER = ("--higher-is-better",)


@dataclass(frozen=True)
class Case:
    """A fixture written from public documentation, and what it is to become."""

    source: str
    label: str
    expected: Path
    kind: str = "run"
    options: tuple[object, ...] = ()

    def __str__(self) -> str:
        return f"{self.label}-{self.source}"


SPANS = FORMATS / "openinference_spans" / "expected.run"
CASES = (
    Case("otel-genai/otlp.jsonl", "otel-genai.otlp", COMMON / "expected.run", options=(*HIGHER, *TEXTS)),
    Case("openinference/otlp.json", "openinference.otlp", SPANS, options=(*HIGHER, *TEXTS)),
    Case("openinference/frame.csv", "openinference.frame", SPANS, options=(*HIGHER, *TEXTS)),
    Case("openinference/frame.jsonl", "openinference.frame_json", SPANS, options=(*HIGHER, *TEXTS)),
    Case("ragas/evaluation.csv", "ragas.retrieved", RANKED, options=TEXTS),
    Case("ragas/evaluation.csv", "ragas.reference", RELEVANT, "qrels", TEXTS),
    Case("ragas/texts.csv", "ragas.contexts", RANKED, options=(*TEXTS, *DOCUMENTS)),
    Case("ragas/texts.csv", "ragas.references", RELEVANT, "qrels", (*TEXTS, *DOCUMENTS)),
    Case("deepeval/test_cases.csv", "deepeval.retrieved_csv", RANKED, options=(*TEXTS, *DOCUMENTS)),
    Case("deepeval/test_cases.csv", "deepeval.ideal_csv", RELEVANT, "qrels", (*TEXTS, *DOCUMENTS)),
    Case("quepid/book.json", "quepid.book", COMMON / "expected.qrels", "qrels", TEXTS),
)


def convert(kind: str, source: Path, *options: object) -> int:
    """The exit status of `treconcile convert`."""
    return app.run([str(each) for each in ("convert", kind, source, *options, "--no-meta")])


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("named", [True, False], ids=["by name", "as it looks"])
def test_forms(tmp_path: Path, capsys: pytest.CaptureFixture[str], case: Case, named: bool) -> None:
    """The file that the form of the vendor's own client gives, whether it is named or recognised."""
    out = tmp_path / "out"
    options = [*case.options, *(("--tag", "demo") if case.kind == "run" else ())]
    names = ("--from", case.label) if named else ()
    assert convert(case.kind, PRESETS / case.source, *names, *options, "-o", out) == 0
    assert out.read_bytes() == case.expected.read_bytes()
    assert (f"taken for {case.label}:" in capsys.readouterr().err) is not named


def book(*ratings: float | None) -> dict[str, object]:
    """A book with one pair, rated by several."""
    judgements = [{"rating": rating, "unrateable": rating is None} for rating in ratings]
    return {
        "name": "Town",
        "query_doc_pairs": [{"query_text": "a", "doc_id": "d1", "judgements": judgements}],
    }


def test_raters_who_disagree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody says who of them counts, so it has to be said that the highest does."""
    source, out = tmp_path / "book.json", tmp_path / "out"
    source.write_text(json.dumps(book(2.0, 1.0, None)))
    numbered = ("--make-qids", tmp_path / "topics", "-o", out)
    assert convert("qrels", source, *numbered) == 3
    error = capsys.readouterr().err
    assert "'d1' is judged 2 and 1" in error and "dedupe" in error and not out.exists()
    assert convert("qrels", source, "--from", "quepid.book_highest", *numbered) == 0
    assert out.read_text() == "q1 0 d1 2\n"


@pytest.mark.parametrize(
    "cell",
    [
        "d01",
        "__import__('os').getcwd()",
        "['d01'",
        "['d01' + 'd02']",
        "[[['d01']]]",
        "{'d01': 1}",
        "[" * 5000,
        "[" + "-" * 100_000 + "1]",
    ],
)
def test_what_is_no_list(tmp_path: Path, capsys: pytest.CaptureFixture[str], cell: str) -> None:
    """Lists in text are read as values, and nothing in them is ever run."""
    source, out = tmp_path / "in.csv", tmp_path / "out"
    source.write_text(f'user_input,retrieved_context_ids\na,"{cell}"\n')
    numbered = ("--make-qids", tmp_path / "topics", "-o", out)
    assert convert("run", source, "--from", "ragas.retrieved", *numbered) == 3
    assert str(source) in capsys.readouterr().err and not out.exists()


@pytest.mark.parametrize(
    "attributes",
    [
        [{"key": "gen_ai.operation.name", "value": {"stringValue": "retrieval"}}, {"value": {}}],
        [
            {"key": "gen_ai.operation.name", "value": {"stringValue": "retrieval"}},
            {"key": "gen_ai.retrieval.documents", "value": {"arrayValue": 5}},
        ],
        [
            {"key": "gen_ai.operation.name", "value": {"stringValue": "retrieval"}},
            {"key": "gen_ai.retrieval.documents", "value": {"kvlistValue": {"values": 5}}},
        ],
    ],
)
def test_attributes_that_are_none(tmp_path: Path, attributes: object) -> None:
    """A list of key and value with something else in it is refused, not guessed at."""
    source, out = tmp_path / "in.json", tmp_path / "out"
    source.write_text(
        json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [{"attributes": attributes}]}]}]})
    )
    options = (*HIGHER, "--make-qids", tmp_path / "topics", "-o", out)
    assert convert("run", source, "--from", "otel-genai.otlp", *options) == 3
    assert not out.exists()


def test_attributes_nested_without_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They are refused before they exhaust anything."""
    begin, end = '{"kvlistValue": {"values": [{"key": "a", "value": ', "}]}}"
    documents = begin * 150 + '{"stringValue": "x"}' + end * 150
    attributes = (
        '{"key": "gen_ai.operation.name", "value": {"stringValue": "retrieval"}},'
        f'{{"key": "gen_ai.retrieval.documents", "value": {documents}}}'
    )
    source = tmp_path / "in.json"
    source.write_text(
        '{"resourceSpans": [{"scopeSpans": [{"spans": [{"attributes": [' + attributes + "]}]}]}]}"
    )
    options = (*HIGHER, "--make-qids", tmp_path / "topics", "-o", tmp_path / "out")
    assert convert("run", source, "--from", "otel-genai.otlp", *options) == 3
    assert "deeply" in capsys.readouterr().err
