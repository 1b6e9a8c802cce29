"""`treconcile list`: what there is, complete and in every format."""

import json
from collections.abc import Callable

import pytest

from treconcile.convention import axes, values_of
from treconcile.formats import FORMATS
from treconcile.formats.systems.mapping.presets import preset, preset_names
from treconcile.measures import FAMILIES
from treconcile.profiles import profiles
from treconcile.rendering.table import RENDERERS
from treconcile.tools import TOOLS

Cli = Callable[..., tuple[int, str, str]]

VARIANTS = tuple(variant.label for name in preset_names() for variant in preset(name).variants)

KINDS = ("measures", "conventions", "profiles", "formats", "tools")


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("measures", tuple(FAMILIES)),
        ("conventions", axes()),
        ("profiles", tuple(profiles())),
        ("formats", (*(each.name for each in FORMATS), "ir_datasets:ID", *preset_names())),
        ("tools", tuple(TOOLS)),
    ],
)
def test_every_entry_is_listed_and_can_be_shown(cli: Cli, kind: str, names: tuple[str, ...]) -> None:
    """The list has each of them, in the order of its table, and each can be asked for by name."""
    status, out, err = cli("list", kind, "--format", "json")
    assert (status, err) == (0, "")
    assert tuple(row.get("name", row.get("axis")) for row in json.loads(out)) == names
    for name in names:
        status, out, _ = cli("list", kind, name)
        assert status == 0 and name in out


@pytest.mark.parametrize("form", RENDERERS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_format(cli: Cli, kind: str, form: str) -> None:
    """Each list and each entry is written in each format."""
    entry = {"measures": "P", "conventions": "ties", "profiles": "ranx", "formats": "trec", "tools": "ranx"}[
        kind
    ]
    for arguments in ((kind,), (kind, entry)):
        status, out, _ = cli("list", *arguments, "--format", form)
        assert status == 0 and out.endswith("\n")
        if form == "json":
            json.loads(out)
        if form == "jsonl":
            assert all(json.loads(line) for line in out.splitlines())


def test_a_measure_in_full(cli: Cli) -> None:
    """Its formula, range, source and every axis that it reads, with the values."""
    for name in ("nDCG", "ndcg@10", "NDCG"):
        shown = json.loads(cli("list", "measures", name, "--format", "json")[1])
        family = FAMILIES["nDCG"]
        assert (shown["name"], shown["formula"], shown["source"]) == ("nDCG", family.formula, family.source)
        assert {row["axis"] for row in shown["reads"]} == family.reads


def test_an_axis_in_full(cli: Cli) -> None:
    """Every value with its meaning."""
    _, out, _ = cli("list", "conventions", "denominator")
    for value in values_of("denominator"):
        assert f"{value} " in out and str(value.__doc__) in out


def test_a_profile_in_full(cli: Cli) -> None:
    """Every axis with its value and ours, and what single measures change."""
    shown = json.loads(cli("list", "profiles", "IR_measures", "--format", "json")[1])
    rows = {(row["measures"], row["axis"]): (row["value"], row["ours"]) for row in shown["axes"]}
    assert {axis for measures, axis in rows if measures == "all"} == set(axes())
    assert rows["all", "score_precision"] == ("float32", "float64")
    assert rows["all", "ties"] == ("docid-desc", "the same")
    assert rows["RR@k", "ties"] == ("docid-asc", "docid-desc")


def test_the_profiles_say_how_they_differ(cli: Cli) -> None:
    """The list names the axes on which each differs from ours."""
    rows = {row["name"]: row for row in json.loads(cli("list", "profiles", "--format", "json")[1])}
    assert rows["default"]["differs from ours in"] == "-"
    assert "denominator:returned" in rows["elasticsearch"]["differs from ours in"]


def test_a_format_has_its_example(cli: Cli) -> None:
    """A name stands for the format of each kind, and a kind for its formats."""
    by_name = json.loads(cli("list", "formats", "json-records", "--format", "json")[1])
    assert [row["kind"] for row in by_name] == ["qrels", "run", "queries", "corpus"]
    assert all(json.loads(row["example"]) for row in by_name)
    by_kind = json.loads(cli("list", "formats", "run", "--format", "json")[1])
    own = {each.name for each in FORMATS if each.kind == "run"}
    presets = {name for name in preset_names() if preset(name).of_kind("run")}
    assert {row["name"] for row in by_kind} == own | presets | {"ir_datasets:ID"}


def test_a_preset_is_one_row_and_has_its_variants(cli: Cli) -> None:
    """The list says in a sentence what it is; by name it says all, and so does a variant by its label."""
    rows = {row["name"]: row for row in json.loads(cli("list", "formats", "--format", "json")[1])}
    assert rows["elasticsearch"] == {
        "kind": "qrels, run",
        "name": "elasticsearch",
        "description": "Elasticsearch, search responses and rank evaluation",
    }
    for label in VARIANTS:
        shown = json.loads(cli("list", "formats", label, "--format", "json")[1])
        assert [row["name"] for row in shown["variants"]] == [label]
        assert shown["refused"] and shown["source"] and shown["variants"][0]["example"]
    whole = json.loads(cli("list", "formats", "pinecone", "--format", "json")[1])
    assert [row["name"] for row in whole["variants"]] == ["pinecone.query", "pinecone.search_records"]
    assert whole["variants"][0]["has to be given"] == "--qids FILE or a file a query, named by its id"
    assert json.loads(whole["variants"][0]["example"])["query_id"] == "q01"


def test_lines_of_an_example_do_not_break_the_table(cli: Cli) -> None:
    """A table has a line a row; data formats keep the example as it is."""
    _, out, _ = cli("list", "formats", "pyterrier.qrels")
    assert out.splitlines()[-1].endswith("qid,docno,label ⏎ q01,d01,2 ⏎ q01,d07,0")
    shown = json.loads(cli("list", "formats", "pyterrier.qrels", "--format", "json")[1])
    assert shown["variants"][0]["example"] == "qid,docno,label\nq01,d01,2\nq01,d07,0"


def test_a_data_set_by_its_id(cli: Cli) -> None:
    """It is no format, but stands in place of a file."""
    for name in ("ir_datasets", "ir_datasets:ID", "ir_datasets:vaswani"):
        shown = json.loads(cli("list", "formats", name, "--format", "json")[1])
        assert [row["kind"] for row in shown["kinds"]] == ["qrels", "run", "queries", "corpus"]


def test_a_tool_that_is_missing_says_how_to_get_it(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its row has no version, the reason, and what to install."""
    monkeypatch.setenv("TREC_EVAL", "/nowhere/trec_eval")
    rows = {row["name"]: row for row in json.loads(cli("list", "tools", "--format", "json")[1])}
    assert rows["trec_eval"]["version"] is None and rows["trec_eval"]["usable"].startswith("no: ")
    assert rows["ir_measures"]["usable"] == "yes" and rows["trec_eval"]["how to get it"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("mesures",), "did you mean 'measures'?"),
        (("measures", "Sucess"), "did you mean 'Success'?"),
        (("conventions", "denominatr"), "did you mean 'denominator'?"),
        (("profiles", "elastic"), "did you mean 'elasticsearch'?"),
        (("formats", "json-record"), "did you mean 'json-records'?"),
        (("formats", "ir_dataset"), "did you mean 'ir_datasets:ID'?"),
        (("formats", "elasticserch"), "did you mean 'elasticsearch'?"),
        (("formats", "elasticsearch.serch"), "did you mean 'elasticsearch.search'?"),
        (("formats", "vespa.search"), "did you mean 'vespa'?"),
        (("tools", "rank"), "did you mean 'ranx'?"),
        (("measures", "--format", "jsn"), "did you mean 'json'?"),
    ],
)
def test_unknown_names(cli: Cli, arguments: tuple[str, ...], expected: str) -> None:
    """Exit 2, nothing on stdout, and a suggestion."""
    status, out, err = cli("list", *arguments)
    assert (status, out) == (2, "") and expected in err
