"""Presets: each is documented, is recognised by its structure, and converts its sample."""

import json
import re
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from treconcile.errors import FormatError, MismatchError, TreconcileError, UsageError
from treconcile.formats import read_judgments, read_run
from treconcile.formats.systems.mapping.choose import chosen
from treconcile.formats.systems.mapping.convert_texts import convert_texts
from treconcile.formats.systems.mapping.document import MappingText
from treconcile.formats.systems.mapping.presets import Variant, preset, preset_names
from treconcile.formats.systems.mapping.read_qrels import read_mapped_judgments
from treconcile.formats.systems.mapping.read_run import read_mapped_run
from treconcile.formats.systems.mapping.readers import Reading
from treconcile.formats.systems.mapping.recognise import fitting
from treconcile.formats.systems.mapping.rules import RuleError, recognition_of
from treconcile.formats.systems.mapping.rules import test_of as rule_test
from treconcile.formats.systems.mapping.settings import Settings

FIXTURES = Path(__file__).parents[2] / "data" / "formats"
PRESETS = [preset(name) for name in preset_names()]
VARIANTS = [variant for each in PRESETS for variant in each.variants]
# Samples are texts, so not those of binary files; a variant without rules is never recognised.
SAMPLED = [
    each for each in VARIANTS if each.mapping.reader not in ("npy", "parquet") and each.recognition.levels
]


def of_kind(kind: str) -> list[Variant]:
    return [variant for variant in VARIANTS if variant.mapping.kind == kind and variant.auto]


@pytest.mark.parametrize("name", preset_names())
def test_a_preset_is_documented(name: str) -> None:
    """What it is, where that is written, what looks like it and is not, and a sample of each variant."""
    given = preset(name)
    assert given.title and given.source and given.why_refused
    assert all(variant.sample for variant in given.variants)
    # A variant that is asked for by name only says so.
    for variant in given.variants:
        assert variant.recognition.levels or variant.label in given.note
    labels = [variant.label for variant in given.variants]
    assert len(set(labels)) == len(labels)


def everything(variant: Variant) -> Settings:
    """Settings that leave nothing open, with every piece of the sample as a document's text."""
    pieces = re.split(r"""["',|\n\[\]]+""", variant.sample)
    docids = str(FIXTURES / "_common" / "docids.txt") if variant.mapping.docid_lookup == "index" else None
    return Settings(make_qids=True, docids=docids, corpus={piece: piece for piece in pieces if piece})


def converted(source: str, variant: Variant, settings: Settings) -> pl.DataFrame:
    """The results or judgments of a sample, in the direction in which its hits stand."""
    if variant.mapping.kind == "qrels":
        return read_mapped_judgments(source, variant.mapping, settings).judgments.table
    if variant.mapping.order != "ask":
        return read_mapped_run(source, variant.mapping, settings).run().table
    try:
        return read_mapped_run(source, variant.mapping, replace(settings, order="desc")).run().table
    except MismatchError:
        return read_mapped_run(source, variant.mapping, replace(settings, order="asc")).run().table


@pytest.mark.parametrize("variant", SAMPLED, ids=lambda each: each.label)
def test_a_sample_is_recognised_and_converts(tmp_path: Path, variant: Variant) -> None:
    """As its own preset and no other; one that is only read when it is asked for, by itself."""
    path = tmp_path / "input"
    path.write_text(variant.sample)
    kind = variant.mapping.kind
    among = of_kind(kind) if variant.auto else [variant]
    found = fitting(str(path), among)
    assert [each.label for each in found] == [variant.label]
    if kind in ("queries", "corpus"):
        assert convert_texts(str(path), found[0].mapping, Reading()).texts
        return
    assert converted(str(path), found[0], everything(variant)).height


@pytest.mark.parametrize(
    ("folder", "source", "kind", "label"),
    [
        ("elasticsearch_search", "responses", "run", "elasticsearch.search"),
        ("elasticsearch_msearch", "msearch.json", "run", "elasticsearch.search"),
        ("opensearch_envelope_jsonl", "log.jsonl", "run", "elasticsearch.search"),
        ("elasticsearch_rank_eval", "request.json", "qrels", "elasticsearch.rank_eval"),
        ("qdrant_query_batch", "batch.json", "run", "qdrant.points"),
        ("beir_folder", "qrels/test.tsv", "qrels", "beir"),
        ("informal_results_list", "results.json", "run", "results.scored"),
        ("informal_ids_only", "results.json", "run", "dict.ranking"),
        ("pytrec_eval_dicts", "run.json", "run", "dict.run"),
        ("pytrec_eval_dicts", "qrels.json", "qrels", "dict.qrels"),
        ("tutorial_rag", "qrels.json", "qrels", "tutorial.ids"),
    ],
)
def test_fixtures_are_recognised(folder: str, source: str, kind: str, label: str) -> None:
    """By their structure, as one format only."""
    assert [each.label for each in fitting(str(FIXTURES / folder / source), of_kind(kind))] == [label]


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("run", {"took": 3, "hits": {"total": 5}, "aggregations": {}}),
        ("run", {"result": {"points": [{"id": 1, "payload": {}}]}, "status": "ok"}),
        ("run", [{"results": [{"id": "a", "score": 1}]}]),
        ("run", {"q1": "a text"}),
        ("qrels", [{"id": "q1", "query": "a text"}]),
        ("qrels", {"requests": [{"id": "q1", "request": {}}]}),
        ("qrels", "q01\td01\t1\n"),
        ("qrels", "query-id\tcorpus-id\tscore\nq01\td01\thigh\n"),
        ("run", ""),
        ("run", "[" * 5000),
    ],
)
def test_almost_right_is_refused(tmp_path: Path, kind: str, value: object) -> None:
    """One thing is missing or of another type."""
    path = tmp_path / "input"
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    assert fitting(str(path), of_kind(kind)) == []


def test_empty_lists_do_not_hide_a_format(tmp_path: Path) -> None:
    """They fit whatever the hits of a format look like, so those that are not empty count."""
    path = tmp_path / "input"
    full = {"query_id": "q1", "results": [], "matches": [{"id": "d1", "score": 0.5}], "namespace": ""}
    path.write_text(json.dumps(full))
    assert [each.label for each in fitting(str(path), of_kind("run"))] == ["pinecone.query"]
    path.write_text(json.dumps({"took": 3, "hits": {"total": {"value": 0}, "hits": []}}))
    assert [each.label for each in fitting(str(path), of_kind("run"))] == ["elasticsearch.search"]


def test_what_reads_it_otherwise_is_named(tmp_path: Path) -> None:
    """A form with the same look that has to be asked for; one that reads it alike is not worth a word."""
    path = tmp_path / "input"
    path.write_text("1\t0\t1\n1\t4\t2\n")
    found = chosen(str(path), "run")
    assert found is not None and found.variant.label == "msmarco.run"
    assert "--from colbert.unscored" in str(found.notices[0].hint)
    path.write_text(preset("elasticsearch").variants[0].sample)
    found = chosen(str(path), "run")
    assert found is not None and found.notices[0].hint is None


def test_failed_requests_do_not_hide_a_format(tmp_path: Path) -> None:
    """They have no hits by which to recognise it; alone they are not enough."""
    path = tmp_path / "input"
    good = {"hits": {"hits": [{"_id": "d1", "_score": 1.0}]}}
    path.write_text(json.dumps({"responses": [{"error": {}, "status": 500}, good]}))
    assert [each.label for each in fitting(str(path), of_kind("run"))] == ["elasticsearch.search"]
    path.write_text(json.dumps({"responses": [{"error": {}, "status": 500}]}))
    assert fitting(str(path), of_kind("run")) == []


@pytest.mark.parametrize(
    "variant",
    [each for each in VARIANTS if each.native and each.mapping.kind in ("run", "qrels")],
    ids=lambda each: each.label,
)
def test_own_forms_are_read_alike(tmp_path: Path, variant: Variant) -> None:
    """As they look, by name, and by the reader that every command has; nothing is said of it."""
    path, kind = tmp_path / "input", variant.mapping.kind
    path.write_text(variant.sample)
    found, named = chosen(str(path), kind), chosen(str(path), kind, variant.label)
    assert found is not None and named is not None and found.notices == ()
    settings = Settings(ids_are_positions=True)
    by_looks = converted(str(path), found.variant, settings)
    assert by_looks.equals(converted(str(path), named.variant, settings))
    if variant.mapping.docid_lookup is None:
        assert by_looks.equals((read_run if kind == "run" else read_judgments)(path).table)


def test_the_choice(tmp_path: Path) -> None:
    """By name, by variant, by a file, by looks; or none, where there is a reader of its own."""
    search = str(FIXTURES / "elasticsearch_search" / "responses")

    def label(*arguments: str | None) -> str | None:
        found = chosen(search, "run", *arguments)
        return found.variant.label if found else None

    assert label() == label("auto") == label("elasticsearch") == "elasticsearch.search"
    assert label("elasticsearch.search") == "elasticsearch.search"
    assert label("trec") is None
    assert label(None, str(FIXTURES / "elasticsearch_search" / "mapping.json")) == "mapping.json" or label(
        None, str(FIXTURES / "elasticsearch_search" / "mapping.json")
    ).endswith("mapping.json")
    found = chosen(search, "run")
    assert found is not None and "taken for elasticsearch.search" in found.notices[0].message


@pytest.mark.parametrize(
    ("arguments", "error", "hint"),
    [
        (("run", "elastic"), UsageError, "'elasticsearch'"),
        (("run", "elasticsearch.searches"), UsageError, "'search'"),
        (("run", "beir"), UsageError, "convert qrels"),
        (("run", "qdrant"), FormatError, "qdrant.points"),
        (("run", "trec", "x.yaml"), UsageError, "one of them"),
    ],
)
def test_choices_that_cannot_be(arguments: tuple[str, ...], error: type[TreconcileError], hint: str) -> None:
    """With what could be meant."""
    with pytest.raises(error) as caught:
        chosen(str(FIXTURES / "elasticsearch_search" / "responses"), *arguments)
    assert hint in str(caught.value.hint)


def test_two_that_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither is taken; both are named."""
    from treconcile.formats.systems.mapping import recognise

    two = [preset("elasticsearch").variants[0], preset("qdrant").variants[0]]
    with pytest.raises(FormatError) as caught:
        recognise.the_one("x.json", two)
    assert "elasticsearch.search or qdrant.query" in str(caught.value)
    assert "--from elasticsearch.search or --from qdrant.query" in str(caught.value.hint)


@pytest.mark.parametrize(
    ("rule", "good", "bad"),
    [
        ("text", ["", "a"], [1, None]),
        ("whole", [0, 1 << 70], [True, 1.0, "1"]),
        ("number", [0, 1.5], [True, "1"]),
        ("words", ["a b"], ["a", "", " a", 1]),
        ("digits", ["007"], ["x", "1.5", 7]),
        ("decimal", ["1", "-1.5", "1e3"], ["x", 1.5]),
        ("fraction", ["1.5", "-0.25", "1.5e3"], ["1", ".5", "x", 1.5]),
        ("any", [0, "", False], [None]),
        ("absent", [None], [0]),
        ("true", [True], [1, False]),
        ("=RETRIEVER", ["RETRIEVER"], ["x"]),
        ("text|whole", ["a", 1], [1.5]),
        ("list[text|null]", [[], ["a", None]], [[1], {}]),
        ("object[list[whole]]", [{}, {"a": [1]}], [{"a": ["x"]}, []]),
    ],
)
def test_rules(rule: str, good: list[object], bad: list[object]) -> None:
    """Each says yes to what it names and no to the rest."""
    test = rule_test(rule)
    assert all(map(test, good)) and not any(map(test, bad))


@pytest.mark.parametrize("rule", ["texts", "list[", "list[x]", "text[whole]", ""])
def test_what_is_no_rule(rule: str) -> None:
    """A name that is not known, or brackets where they have no meaning."""
    with pytest.raises(RuleError):
        rule_test(rule)


@pytest.mark.parametrize(
    "value", [5, {"hits": {}}, {"hit": {"query-id": "text"}}, {"hit": {"a": "texts"}}, {"hit": 5}]
)
def test_rules_that_cannot_be_read(value: object) -> None:
    """They are refused with the key."""
    with pytest.raises(FormatError, match="key 'recognise'"):
        recognition_of(MappingText({"recognise": value}, "my.yaml", {}))
