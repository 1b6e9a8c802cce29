"""Conversion of small inputs written on the spot."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from treconcile.formats.systems.mapping.document import parse_mapping
from treconcile.formats.systems.mapping.language import mapping_of
from treconcile.formats.systems.mapping.read_qrels import ConvertedJudgments, read_mapped_judgments
from treconcile.formats.systems.mapping.read_run import ConvertedRun, read_mapped_run
from treconcile.formats.systems.mapping.settings import Settings

Converter = Callable[..., ConvertedRun]
JudgmentConverter = Callable[..., ConvertedJudgments]


def content(value: object) -> str:
    """A text as it is, a list of values as JSON Lines, anything else as JSON."""
    if isinstance(value, str):
        return value
    return "\n".join(map(json.dumps, value)) if isinstance(value, tuple) else json.dumps(value)


@pytest.fixture
def run(tmp_path: Path) -> Converter:
    """Converts a value to a run; keywords are the settings."""

    def convert(mapping: str, value: object, name: str = "in.json", **settings: object) -> ConvertedRun:
        (tmp_path / name).write_text(content(value), "utf-8")
        parsed = mapping_of(parse_mapping("kind: run\n" + mapping, "my.yaml"))
        return read_mapped_run(str(tmp_path / name), parsed, Settings(**settings))

    return convert


@pytest.fixture
def qrels(tmp_path: Path) -> JudgmentConverter:
    """Converts a value to judgments; keywords are the settings."""

    def convert(mapping: str, value: object, name: str = "in.json", **settings: object) -> ConvertedJudgments:
        (tmp_path / name).write_text(content(value), "utf-8")
        parsed = mapping_of(parse_mapping("kind: qrels\n" + mapping, "my.yaml"))
        return read_mapped_judgments(str(tmp_path / name), parsed, Settings(**settings))

    return convert
