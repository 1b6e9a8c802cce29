"""Inputs that were read wrongly in silence, or refused without help: each with its right answer."""

import json
from pathlib import Path

import pytest

from treconcile.cli import app
from treconcile.formats import read_run

CASES = Path(__file__).parents[1] / "data" / "cases"


def convert(source: Path, out: Path, *options: str) -> int:
    """The exit status of the conversion of a run."""
    return app.run(["convert", "run", str(source), "-o", str(out), *options])


def lines(out: Path) -> list[list[str]]:
    """Query, document and score of each line."""
    return [[row.split()[at] for at in (0, 2, 4)] for row in out.read_text().splitlines()]


@pytest.mark.parametrize(
    ("name", "label", "right"),
    [
        ("text-scores.json", "dict.run", [["q1", "d1", "0.5"], ["q1", "d2", "0.25"]]),
        ("rising.json", "results.scored", [["q1", "d1", "-1"], ["q1", "d2", "-2"]]),
    ],
)
def test_one_file_has_one_answer(tmp_path: Path, name: str, label: str, right: list[list[str]]) -> None:
    """As it looks, by name, and in every other command."""
    source, out = CASES / "two-json-readers" / name, tmp_path / "out"
    for options in ((), ("--from", "auto"), ("--from", label)):
        assert convert(source, out, *options) == 0
        assert [[*row[:2], str(float(row[2]))] for row in lines(out)] == [
            [*row[:2], str(float(row[2]))] for row in right
        ]
    table = read_run(source).table
    assert [[q, d, str(s)] for q, d, s in table.select("query_id", "doc_id", "score").rows()] == [
        [*row[:2], str(float(row[2]))] for row in right
    ]


def test_ranks_count_where_there_are_no_scores(tmp_path: Path) -> None:
    """They give the order, whatever the order of the list is."""
    out = tmp_path / "out"
    assert convert(CASES / "native-rank-and-scores-ignored" / "rank.json", out) == 0
    assert [row[1] for row in lines(out)] == ["d01", "d02"]


NAMES = sorted((CASES / "native-rank-and-scores-ignored" / "names").iterdir())
# Rising distances and ranks agree with the order of the list.
AGREEING = ("dist", "distance", "vector_distance", "rank", "position")


@pytest.mark.parametrize("source", NAMES, ids=lambda each: each.stem)
def test_numbers_against_the_order_are_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], source: Path
) -> None:
    """By their name; those of a system that is known are read as that system means them."""
    status = convert(source, tmp_path / "out")
    said = capsys.readouterr().err
    if source.stem in AGREEING:
        assert status == 0
        assert [row[1] for row in lines(tmp_path / "out")] == ["d02", "d01"]
    else:
        assert f"({source.stem})" in said or (status == 3 and "the other way round" in said)


def test_scores_that_rise(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In every list they are distances; both ways is a question with both answers."""
    folder, out = CASES / "native-rising-scores", tmp_path / "out"
    assert convert(folder / "r.json", out) == 0
    assert lines(out) == [["q01", "d01", "-0.1"], ["q01", "d02", "-0.5"]]
    assert "--higher-is-better" in capsys.readouterr().err
    out.unlink()
    assert convert(folder / "mixed.json", out) == 2
    said = capsys.readouterr().err
    assert "--higher-is-better" in said and "--lower-is-better" in said and not out.exists()
    for option, first in (("--higher-is-better", "d02"), ("--lower-is-better", "d01")):
        assert convert(folder / "mixed.json", out, option) == 0
        assert min(lines(out), key=lambda row: -float(row[2]))[1] == first


def test_hits_in_groups(tmp_path: Path) -> None:
    """They count where no hit stands outside of a group; none at all is none."""
    out = tmp_path / "out"
    assert convert(CASES / "vespa-groups-only" / "r", out) == 0
    assert lines(out) == [["q01", "d01", "0.9"], ["q01", "d02", "0.5"], ["q02", "d05", "0.8"]]
    assert json.loads(Path(f"{out}.meta.json").read_text())["empty"] == ["q05"]


@pytest.mark.parametrize("name", ["running/l.jsonl", "timeout/r", "some/r", "size0/r", "solr/r", "vespa/r"])
def test_partial_responses(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    """A warning, and the queries stand in the sidecar."""
    out = tmp_path / "out"
    assert convert(CASES / "es-partial" / name, out) == 0
    assert "responses that are not complete: 1 (q01)" in capsys.readouterr().err
    assert json.loads(Path(f"{out}.meta.json").read_text())["partial"] == ["q01"]
    assert read_run(out).partial == ("q01",)


def test_a_search_that_failed_on_every_shard(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is no search that found nothing."""
    good = tmp_path / "r"
    good.mkdir()
    (good / "q01.json").write_text((CASES / "es-partial" / "shards" / "r" / "q01.json").read_text())
    (good / "q02.json").write_text((CASES / "es-partial" / "some" / "r" / "q01.json").read_text())
    assert convert(good, tmp_path / "out") == 0
    assert "failed requests, which are not counted as empty: 1 (q01)" in capsys.readouterr().err


def test_nothing_but_failures_is_of_the_system_that_failed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file in which every request failed shows no hits, and is known all the same."""
    assert convert(CASES / "es-partial" / "shards" / "r", tmp_path / "out") == 0
    said = capsys.readouterr().err
    assert "taken for elasticsearch.search" in said
    assert "failed requests, which are not counted as empty: 1 (q01)" in said
    assert lines(tmp_path / "out") == []


@pytest.mark.parametrize("name", ["ok", "other"])
def test_two_groupings(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    """Which of them counts is not said."""
    assert convert(CASES / "solr-two-groupings" / name, tmp_path / "out") == 3
    said = capsys.readouterr().err
    assert "'author', 'year'" in said and "--lower-is-better" not in said


@pytest.mark.parametrize("name", ["not-a-number-6.json", "long-number.json"])
def test_numbers_that_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    """They are refused with their file."""
    assert convert(CASES / "json-token-crash" / name, tmp_path / "out") == 3
    assert name in capsys.readouterr().err


def test_documents_with_a_source_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The field that may be the id is named."""
    hits = [{"id": None, "metadata": {"source": "kb-3"}, "page_content": "a", "type": "Document"}]
    source = tmp_path / "in.json"
    source.write_text(json.dumps([{"query_id": "q1", "retrieved": hits}]))
    assert convert(source, tmp_path / "out") == 3
    assert "docid: metadata.source" in capsys.readouterr().err
