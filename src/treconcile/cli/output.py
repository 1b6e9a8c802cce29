"""What the commands that write TREC files record of their call, and say when they are done."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from treconcile.cli.terminal import is_quiet
from treconcile.conversion.summary import portable
from treconcile.errors import UsageError, is_redacting
from treconcile.files.text_files import STANDARD

if TYPE_CHECKING:
    import typer


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


def refuse_redacted(out: str) -> None:
    """Check that no data go to standard output while ids are redacted: what is converted is ids.

    Raises:
        UsageError: They do.
    """
    if out == STANDARD and is_redacting():
        raise UsageError("what is written here is ids, which --redact does not print", hint="add -o FILE")


def say_written(out: str, what: str) -> None:
    """Say on stderr what was written where."""
    if is_quiet():
        return
    sys.stderr.write(f"written to {'standard output' if out == STANDARD else out}: {what}\n")
