"""The parts of a page that are made by running something, and what they should be."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from _check.generated import generate
from _check.sessions import masked

if TYPE_CHECKING:
    from collections.abc import Callable

    from _check.sessions import Session, Sessions

PART = re.compile(
    r"<!-- (?P<kind>run|file|not run)(?:: (?P<options>[^>]*?))? -->\n+"
    r"```(?P<language>\w*)\n(?P<body>.*?)```\n"
    r"|<!-- generated: (?P<table>[^>]*?) -->\n(?P<content>.*?)<!-- end -->\n"
    r"|```python\n(?P<python>.*?)```\n",
    re.DOTALL,
)


RANGE = re.compile(r"(?:/([^/]*)/|(\d+))(?:\+(\d+))?(?:-(\d+))?(?:,|$)")
"""A range of lines: where it begins, and how far it goes."""


def renewed(text: str, sessions: Sessions) -> tuple[str, list[str]]:
    """A page as it should be, and what cannot be put right by writing it anew."""
    complaints: list[str] = []
    with sessions.session() as session:

        def renew(found: re.Match[str]) -> str:
            try:
                new = _renewed(found, session, complaints.append)
            except Exception as error:
                line = text[: found.start()].count("\n") + 1
                complaints.append(f"line {line}: {type(error).__name__}: {error}")
                return found[0]
            return found[0] if masked(new) == masked(found[0]) else new

        return PART.sub(renew, text), complaints


def _renewed(found: re.Match[str], session: Session, complain: Callable[[str], None]) -> str:
    if found["table"] is not None:
        return f"<!-- generated: {found['table']} -->\n\n{generate(found['table']).strip()}\n\n<!-- end -->\n"
    if found["python"] is not None:
        if ">>>" not in found["python"]:
            complain("a block of Python has no >>>, and is neither a file nor marked as not run")
            return found[0]
        return f"```python\n{session.python(found['python'])}```\n"
    if found["kind"] == "file":
        path = Path(found["options"])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(found["body"], encoding="utf-8")
        return found[0]
    if found["kind"] == "run":
        head = found[0][: found[0].index("```")]
        body = _ran(found["body"], found["options"] or "", session, complain)
        return f"{head}```{found['language']}\n{body}```\n"
    return found[0]


def _ran(body: str, options: str, session: Session, complain: Callable[[str], None]) -> str:
    chosen = dict(option.split("=", 1) for option in shlex.split(options))
    commands = re.findall(r"^\$ ((?:.*\\\n)*.*)\n", body, re.MULTILINE)
    out = []
    for number, command in enumerate(commands, start=1):
        status, output = session.command(command.replace("\\\n", " "))
        expected = int(chosen.get("exit", "0")) if number == len(commands) else 0
        if status != expected:
            complain(f"`{command}` exits with {status}, not {expected}")
        if output and not output.endswith("\n"):
            output += "\n"
        out.append(f"$ {command}\n{_lines(output, chosen.get('lines'))}")
    return "".join(out)


def _lines(output: str, ranges: str | None) -> str:
    """The chosen lines, with a mark wherever some are left out.

    A range is `3-5`, or `/text/+2`: the first further line that matches, and the two after it.

    Raises:
        ValueError: No line matches.
    """
    if ranges is None:
        return output
    lines, shown, last = output.splitlines(keepends=True), [], 0
    for pattern, first, more, end in RANGE.findall(ranges):
        start = _line(lines, pattern, last) if pattern else int(first)
        stop = min(int(end or start) + int(more or 0), len(lines))
        shown += ["…\n"] * (start > last + 1) + lines[start - 1 : stop]
        last = stop
    return "".join(shown + ["…\n"] * (last < len(lines)))


def _line(lines: list[str], pattern: str, after: int) -> int:
    for number, line in enumerate(lines[after:], start=after + 1):
        if re.search(pattern, line):
            return number
    raise ValueError(f"no line matches /{pattern}/")
