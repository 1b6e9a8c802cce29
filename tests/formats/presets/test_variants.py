"""Responses as users have them: other versions, clients and settings than those of the fixtures.

They are written from the vendors' public documentation, which the presets cite. All rank d1 before d2.
"""

import json
from pathlib import Path

import pytest

from treconcile.errors import MismatchError
from treconcile.formats.systems.mapping.choose import recognised
from treconcile.formats.systems.mapping.presets import Variant
from treconcile.formats.systems.mapping.read_qrels import read_mapped_judgments
from treconcile.formats.systems.mapping.read_run import read_mapped_run
from treconcile.formats.systems.mapping.settings import Settings

FILE = Path(__file__).parents[2] / "data" / "presets" / "variants.jsonl"
CASES = [json.loads(line) for line in FILE.read_text().splitlines()]


def ranked(path: Path, variant: Variant) -> list[str]:
    """The documents of what an input gives, best first, in the direction in which its hits stand."""
    numbered = Settings(make_qids=True)
    if variant.mapping.kind == "qrels":
        table = read_mapped_judgments(str(path), variant.mapping, numbered).judgments.table
        return table.sort("grade", descending=True).get_column("doc_id").to_list()
    try:
        order = "desc" if variant.mapping.order == "ask" else None
        run = read_mapped_run(str(path), variant.mapping, Settings(make_qids=True, order=order)).run()
    except MismatchError:
        run = read_mapped_run(str(path), variant.mapping, Settings(make_qids=True, order="asc")).run()
    return run.table.sort("score", descending=True).get_column("doc_id").to_list()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_variants(tmp_path: Path, case: dict[str, object]) -> None:
    """Each is recognised as one format, or as none where it holds no ranking, and gives the two documents."""
    path, value = tmp_path / "input", case["value"]
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    found = recognised(str(path), str(case["kind"]))
    assert [each.label for each in found] == ([case["label"]] if case["label"] else [])
    for variant in found:
        assert [each.rpartition("/")[2] for each in ranked(path, variant)] == ["d1", "d2"]
