"""The fixtures of presets: where they are, what one is, and how it is converted."""

from dataclasses import dataclass
from pathlib import Path

from treconcile.cli import app

FORMATS = Path(__file__).parents[2] / "data" / "formats"
PRESETS = Path(__file__).parents[2] / "data" / "presets"
COMMON = FORMATS / "_common"

TEXTS = ("--queries", COMMON / "queries.tsv")
HIGHER = ("--higher-is-better",)


@dataclass(frozen=True)
class Case:
    """A fixture, the form it is of, and what it is to become.

    Attributes:
        source: The input.
        kind: What it holds, `run` or `qrels`.
        label: The preset with its form.
        expected: The file that it is to become.
        options: What has to be given.
        auto: Whether it is recognised as it looks.
    """

    source: Path
    kind: str
    label: str
    expected: Path
    options: tuple[object, ...] = ()
    auto: bool = True

    def __str__(self) -> str:
        return f"{self.label}-{self.source.name}"


def convert(kind: str, source: Path, *options: object) -> int:
    """The exit status of `treconcile convert`."""
    return app.run([str(each) for each in ("convert", kind, source, *options, "--no-meta")])


def converted(case: Case, folder: Path, *names: str) -> bytes:
    """What `treconcile convert` makes of a fixture."""
    out = folder / "out"
    tag = ("--tag", "demo") if case.kind == "run" else ()
    assert convert(case.kind, case.source, *names, *case.options, *tag, "-o", out) == 0
    return out.read_bytes()
