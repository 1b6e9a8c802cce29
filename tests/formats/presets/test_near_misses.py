"""Each preset has an input that is almost right: it is refused, and nothing else takes it."""

from pathlib import Path

import pytest

from formats.presets.preset_cases import COMMON, HIGHER, convert
from treconcile.formats.systems.mapping.presets import preset, preset_names

NEAR_MISSES = [
    (name, kind)
    for name in preset_names()
    for kind in sorted({each.mapping.kind for each in preset(name).variants} & {"run", "qrels"})
]
DOCIDS = {"index": ("--docids", COMMON / "docids.txt"), "text": ("--docids", COMMON / "docs.tsv")}


@pytest.mark.parametrize("name", preset_names())
def test_there_is_one(name: str) -> None:
    """With a sentence that says what it lacks; it is none of the samples."""
    given = preset(name)
    assert given.why_refused.endswith(".")
    assert given.near_miss.strip()
    assert given.near_miss not in {each.sample for each in given.variants}


@pytest.mark.parametrize(("name", "kind"), NEAR_MISSES)
def test_it_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, kind: str) -> None:
    """By name, though everything that could be missing beside it is given; as it looks, it is nothing."""
    source, out = tmp_path / "almost", tmp_path / "out"
    source.write_text(preset(name).near_miss)
    lookups = {each.mapping.docid_lookup for each in preset(name).of_kind(kind)} - {None}
    options = [] if kind in ("queries", "corpus") else ["--make-qids", tmp_path / "made.tsv"]
    options += [*(HIGHER if kind == "run" else ())]
    options += [word for lookup in lookups for word in DOCIDS[lookup]]
    assert convert(kind, source, "--from", name, *options, "-o", out) == 3
    assert str(source) in capsys.readouterr().err
    automatic = () if kind in ("queries", "corpus") else ("--from", "auto")
    assert convert(kind, source, *automatic, "-o", out) == 3
    assert "taken for" not in capsys.readouterr().err
    assert not out.exists()


def test_what_a_near_miss_lacks_makes_it_right(tmp_path: Path) -> None:
    """The sample of the same form converts under the same options: the options are not what is wrong."""
    for name in ("vespa", "kendra", "bedrock-kb", "letor", "beir", "otel-genai"):
        variant = preset(name).variants[0]
        source = tmp_path / name
        source.write_text(variant.sample)
        kind = variant.mapping.kind
        options = ["--make-qids", tmp_path / "made.tsv", *(HIGHER if kind == "run" else ())]
        assert convert(kind, source, "--from", name, *options, "-o", tmp_path / "out") == 0
