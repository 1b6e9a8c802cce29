"""What GitHub Actions shows of a job: a summary in Markdown, and annotations.

Names of files, runs and queries come from whoever opened the pull request: none of them is read as markup.
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, TypeAlias

from treconcile.rendering.compare import report_changes
from treconcile.rendering.detail import Detail
from treconcile.rendering.scores import means, per_query_table, scores_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from treconcile.comparison.versions.changes import Changes
    from treconcile.comparison.versions.gate_expressions import GateResult
    from treconcile.errors import Notice, TreconcileError
    from treconcile.rendering.table import Table
    from treconcile.score import Scores

Annotation: TypeAlias = tuple[str, str | None, str]
"""A level, a place and a message."""

MOST_BYTES = (1 << 20) - 1
"""What the summary of a step may take up; GitHub drops a longer one as a whole."""
MOST_ANNOTATIONS = 10
LEVELS = ("error", "warning")
CUT = "\n\nThe rest did not fit.\n"

_MARKUP = re.compile(r"[\\`*_{}\[\]#!|~]|(?<=:)(?=//)|(?<=www)(?=\.)|^[-+](?=\s)")


def summary_of_scores(
    runs: Sequence[Scores],
    gates: Sequence[GateResult],
    notices: Iterable[Notice],
    *,
    digits: int,
    profile: str,
) -> str:
    """The summary of `eval`: gates first, then means, what they are about, and the queries."""
    about = scores_text(runs, per_query=False, digits=digits, profile=profile, detail=Detail.ALL)
    about = about[about.index("\n\n") + 2 :]  # without the table, which stands above
    parts = [
        "## treconcile eval\n",
        gates_markdown(gates),
        markdown_table(means(runs, digits)),
        notices_markdown(notices),
        _folded("What these numbers are", f"<pre>{html.escape(about)}</pre>\n"),
        *(
            _folded(f"Queries of {plain(scores.run)}", markdown_table(per_query_table(scores, digits)))
            for scores in runs
        ),
    ]
    return "\n".join(part for part in parts if part)


def summary_of_changes(changes: Changes, notices: Iterable[Notice], *, digits: int, profile: str) -> str:
    """The summary of `compare`: gates first, then what the command prints."""
    told = report_changes(changes, "table", digits=digits, profile=profile, detail=Detail.ALL)
    parts = [
        "## treconcile compare\n",
        gates_markdown(changes.gates),
        notices_markdown(notices),
        f"<pre>{html.escape(told)}</pre>\n",
    ]
    return "\n".join(part for part in parts if part)


def notices_markdown(notices: Iterable[Notice]) -> str:
    """A list of what was said."""
    return "".join(f"- {each.level}: {plain(str(each))}\n" for each in dict.fromkeys(notices))


def gates_markdown(gates: Sequence[GateResult]) -> str:
    """A line on all gates, then each that failed."""
    if not gates:
        return ""
    failed = [each for each in gates if not each.passed]
    head = f"**{len(failed)} of {len(gates)} gates failed**\n" if failed else "All gates passed.\n"
    return head + ("\n" if failed else "") + "".join(f"- {plain(str(each))}\n" for each in failed)


def markdown_table(table: Table) -> str:
    """A table in Markdown, with nothing in its cells read as markup."""
    lines = [list(table.columns), *([table.text(cell) for cell in row] for row in table.rows)]
    rule = ["---:" if table.numeric(column) else "---" for column in range(len(table.columns))]
    shown = [[plain(text) for text in line] for line in lines]
    return "".join(f"| {' | '.join(line)} |\n" for line in (shown[0], rule, *shown[1:]))


def plain(text: str) -> str:
    """A text that shows as it is, on one line."""
    return _MARKUP.sub(r"\\\g<0>", html.escape(" ".join(text.split()), quote=False))


def _folded(title: str, body: str) -> str:
    return f"<details><summary>{title}</summary>\n\n{body}\n</details>\n"


def fitted(text: str, room: int) -> bytes:
    """A summary that takes up no more than so many bytes, cut at the end of a line."""
    data = text.encode("utf-8", "replace")
    if len(data) <= room:
        return data
    end = data.rfind(b"\n", 0, max(room - len(CUT), 0))
    return b"" if end < 0 else data[: end + 1] + CUT.encode()


def workflow_commands(gates: Sequence[GateResult], notices: Iterable[Notice | TreconcileError]) -> list[str]:
    """At most ten annotations: the gates that failed, then errors, then warnings."""
    found: list[Annotation] = [("error", None, str(each)) for each in gates if not each.passed]
    said = [(_level(each), each.where, each.message) for each in dict.fromkeys(notices)]
    found += [each for level in LEVELS for each in said if each[0] == level]
    if len(found) <= MOST_ANNOTATIONS:
        return list(_commands(found))
    kept, more = found[: MOST_ANNOTATIONS - 1], len(found) - MOST_ANNOTATIONS + 1
    return list(_commands([*kept, (found[0][0], None, f"and {more} more, which the log has")]))


def _level(said: Notice | TreconcileError) -> str:
    return str(getattr(said, "level", "error"))


def _commands(found: Iterable[Annotation]) -> Iterator[str]:
    for level, where, message in found:
        place = re.fullmatch(r"(?P<path>.+?)(?::(?P<line>[0-9]+))?", where or "", re.DOTALL)
        properties = ["title=treconcile"]
        if place is not None:
            properties += [f"file={_property(place['path'])}"]
            properties += [f"line={place['line']}"] if place["line"] else []
        yield f"::{level} {','.join(properties)}::{_data(message)}"


def _data(text: str) -> str:
    """A text as a workflow command may hold it: without line ends, which would begin another command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
