"""Every sample of every preset through the reader of all commands: read alike, or refused with a command."""

import shlex
from pathlib import Path

import pytest

from treconcile.errors import InputError
from treconcile.formats import read_judgments, read_run
from treconcile.formats.systems.mapping.choose import recognised
from treconcile.formats.systems.mapping.presets import Variant, preset, preset_names
from treconcile.formats.systems.mapping.read_qrels import read_mapped_judgments
from treconcile.formats.systems.mapping.read_run import read_mapped_run
from treconcile.formats.systems.mapping.settings import Settings

# Samples are texts, so not those of binary files; some are read only when they are asked for by name.
VARIANTS = [
    variant
    for name in preset_names()
    for variant in preset(name).variants
    if variant.mapping.reader not in ("npy", "parquet")
    and variant.auto
    and variant.mapping.kind in ("run", "qrels")
]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda each: each.label)
def test_read_alike_or_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variant: Variant) -> None:
    """Never read as anything else; a refusal names the format and how to convert it."""
    monkeypatch.chdir(tmp_path)
    Path("input.txt").write_text(variant.sample)
    run = variant.mapping.kind == "run"
    try:
        found = read_run("input.txt") if run else read_judgments("input.txt")
    except InputError as error:
        hint = str(error.hint)
        command = shlex.split(hint[hint.index("treconcile") :])
        assert command[:6] == [
            "treconcile",
            "convert",
            variant.mapping.kind,
            "input.txt",
            "--from",
            variant.label,
        ]
        assert str(error.where).startswith("input.txt")
        return
    said = [each.message for each in found.notices if each.code == "recognised"]
    quiet = variant.native or variant.trec
    assert said == [] if quiet else said[0].startswith(f"taken for {variant.label}: ")
    if variant.trec:
        return
    read = read_mapped_run if run else read_mapped_judgments
    (taken,) = recognised("input.txt", variant.mapping.kind)
    other = read("input.txt", taken.mapping, Settings())
    table = other.run().table if run else other.judgments.table  # type: ignore[union-attr]
    assert found.table.equals(table)
