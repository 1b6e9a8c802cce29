"""What the commands that write TREC files record of their call, and say when they are done."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from treconcile.conversion.collection import counted
from treconcile.errors import shown_ids
from treconcile.files.text_files import STANDARD

if TYPE_CHECKING:
    import typer

    from treconcile.formats.trec.write import Absent


def recorded(context: typer.Context) -> tuple[str, ...]:
    """The command line as given, for a sidecar; of an absolute path only the name, so no machine shows."""
    words = ["treconcile", str(context.info_name)]
    for parameter in context.command.params:
        given = context.get_parameter_source(str(parameter.name))
        value = context.params[str(parameter.name)]
        if given is not None and given.name == "COMMANDLINE" and not isinstance(value, bool):
            several = value if isinstance(value, list | tuple) else (value,)
            words += (word for each in several for word in _words(parameter, str(each)))
    return tuple(words)


def _words(parameter: Any, value: str) -> Iterator[str]:  # noqa: ANN401 - typer's own classes differ by version
    if parameter.param_type_name == "option":
        yield parameter.opts[0]
    yield portable(value)


def portable(path: str) -> str:
    """A path as given if it is relative, else its last part."""
    return PurePath(path).name if PurePath(path).is_absolute() else path


def say_written(out: str, what: str) -> None:
    """Say on stderr what was written where."""
    sys.stderr.write(f"written to {'standard output' if out == STANDARD else out}: {what}\n")


def apart(out: str, queries: Sequence[str], why: str, policy: Absent | None, *, meta: bool) -> str:
    """The end of that sentence, which names the queries that have no line of their own.

    Args:
        out: Where to.
        queries: These queries.
        why: What sets them apart.
        policy: What a TREC file got for them; None is another format, which can hold them.
        meta: A sidecar is written, if the output is a file.
    """
    if not queries:
        return ""
    named = f"; {counted(len(queries), 'query', 'queries')} {why} ({shown_ids(queries)})"
    if policy is None:
        return named
    if policy == "dummy":
        return f"{named}, with a dummy line each"
    known = meta and out != STANDARD
    return f"{named}, {'as the .meta.json beside it says' if known else 'which this output does not say'}"
