"""Every fixture through its own mapping, byte for byte."""

import json
from pathlib import Path

import pytest

from treconcile.formats import read_queries
from treconcile.formats.systems.mapping.presets import read_preset
from treconcile.formats.systems.mapping.read_qrels import read_mapped_judgments
from treconcile.formats.systems.mapping.read_run import read_mapped_run
from treconcile.formats.systems.mapping.settings import Settings
from treconcile.formats.trec.write import write_qrels, write_run

FIXTURES = Path(__file__).parents[2] / "data" / "formats"
MAPPINGS = sorted(FIXTURES.glob("*/mapping*.json"))


def test_there_are_fixtures() -> None:
    """A wrong path would leave nothing to test."""
    assert len(MAPPINGS) >= 64
    assert len({path.parent for path in MAPPINGS}) == sum(
        each.is_dir() and not each.name.startswith("_") for each in FIXTURES.iterdir()
    )


@pytest.mark.parametrize("path", MAPPINGS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_fixture_gives_its_expected_file(tmp_path: Path, path: Path) -> None:
    """The mapping beside an input gives the expected file; ids may come from other files beside it."""
    fields = json.loads(path.read_text())
    mapping = read_preset(str(path)).variants[0].mapping
    common = FIXTURES / "_common"
    settings = Settings(
        topics=read_queries(common / "queries.tsv").texts,
        docids=str(common / "docs.tsv") if mapping.docid_lookup == "text" else None,
    )
    source, out = str(path.parent / fields["file"]), tmp_path / "out"
    if mapping.kind == "run":
        found = read_mapped_run(source, mapping, settings).run()
        write_run(found, out, tag="demo", id_encoding="percent", meta=False)
    else:
        write_qrels(read_mapped_judgments(source, mapping, settings).judgments, out, meta=False)
    expected = path.parent / fields.get("expected", f"expected.{mapping.kind}")
    assert out.read_bytes() == expected.read_bytes()
