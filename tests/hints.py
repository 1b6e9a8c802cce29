"""Following the hint of a refusal, as somebody would who knows their own data."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from treconcile.cli import app

STEPS = 4
"""How many hints one after the other are followed: one a thing that was not said."""


@dataclass(frozen=True)
class Known:
    """What somebody knows of an input that the input does not say.

    Attributes:
        qids: The file of the queries' ids, in their order.
        docids: The file of the documents' ids by position.
        lower: Whether low scores are better; None if there are none.
        queries: The file of the queries' texts.
    """

    qids: Path | None = None
    docids: Path | None = None
    lower: bool | None = None
    queries: Path | None = None


@dataclass
class Outcome:
    """What became of an input.

    Attributes:
        status: The exit status of the last command.
        said: What each command said.
        options: The options of the last command.
    """

    status: int
    said: list[str] = field(default_factory=list)
    options: list[str] = field(default_factory=list)

    @property
    def refused_at_first(self) -> bool:
        """Whether a hint had to be followed."""
        return len(self.said) > 1


def run(*words: object) -> tuple[int, str, str]:
    """The exit status of a command, and what it writes on both outputs."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = app.run([str(each) for each in words])
    return status, out.getvalue(), err.getvalue()


def converted(kind: str, source: Path, out: Path, known: Known, *given: str) -> Outcome:
    """Convert an input, and follow the hints of refusals."""
    outcome = Outcome(0, options=list(given))
    for _ in range(STEPS):
        out.unlink(missing_ok=True)
        outcome.status, _, said = run("convert", kind, source, *outcome.options, "--no-meta", "-o", out)
        outcome.said.append(said)
        if outcome.status == 0:
            break
        more = followed(said, known, outcome.options, out.with_suffix(".yaml"))
        if not more:
            break
        outcome.options = [*outcome.options, *more]
    return outcome


def followed(said: str, known: Known, options: Sequence[str], mapping: Path) -> list[str]:
    """The options that a hint leads to; none if it leads nowhere."""
    hint = said.partition("hint: ")[2].strip()
    for option, file in (("--qids", known.qids), ("--docids", known.docids), ("--queries", known.queries)):
        if f"{option} " in hint and file is not None and option not in options:
            return [option, str(file)]
    if known.lower is not None and not {"--higher-is-better", "--lower-is-better"} & set(options):
        right = "--lower-is-better" if known.lower else "--higher-is-better"
        if right in hint:
            return [right]
    if "--from" not in options and (name := re.search(r"--from ([\w.-]+)", hint)):
        return ["--from", name[1]]
    return _own_mapping(said, hint, options, mapping)


def _own_mapping(said: str, hint: str, options: Sequence[str], mapping: Path) -> list[str]:
    """A copy of the mapping that an input was taken for, with the lines that the hint names."""
    label = re.search(r"taken for ([\w-]+)(?:\.[\w-]+)?", said)
    lines = re.findall(r"\b(docid|dedupe|hits|score|qid|on_null_score): ([^\s,;]+)", hint)
    if "--map" in options or not lines or label is None:
        return []
    text = run("convert", "run", "-", "--show-map", label[1])[1]
    for key, value in lines:
        pattern = re.compile(rf"^(\s*){key}: .*$", re.MULTILINE)
        text = (
            pattern.sub(rf"\g<1>{key}: {value}", text) if pattern.search(text) else f"{text}{key}: {value}\n"
        )
    mapping.write_text(text)
    return ["--map", str(mapping)]
