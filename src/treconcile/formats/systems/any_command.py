"""Inputs read by a mapping where no options say how: for commands without them, and for Python values.

What is recognised as one format, and says all that is needed, is read as `treconcile convert` reads it.
Where something has to be chosen, it is refused with the command that takes the choice.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, TypeVar

from treconcile.errors import FormatError, InputError, UsageError
from treconcile.files.standard_input import kept_input
from treconcile.files.text_files import STANDARD, name_of
from treconcile.formats.systems.mapping.choose import Chosen, one_of, recognised
from treconcile.formats.systems.mapping.query_ids import NamelessQueryError
from treconcile.formats.systems.mapping.read_qrels import read_mapped_judgments
from treconcile.formats.systems.mapping.read_run import read_mapped_run
from treconcile.formats.systems.mapping.readers import PythonValue
from treconcile.formats.systems.mapping.settings import Settings

if TYPE_CHECKING:
    from treconcile.files.text_files import StoredFile
    from treconcile.formats.systems.mapping.language import Mapping
    from treconcile.model import Judgments, Run

T = TypeVar("T", bound="Judgments | Run")
_ENDINGS = re.compile(r"(?:\.\w{1,8}){1,2}$")


def mapped_run(source: str, file: StoredFile | None = None) -> Run | None:
    """The run in an input that a mapping reads; None if none of the known formats fits.

    Args:
        source: A path, also of a folder, or `-`.
        file: What it holds, if it has been read.

    Raises:
        FormatError: Several formats fit, or one that leaves something to choose.
        InputError: It cannot be read as what it was taken for.
    """
    return _read(source, "run", file, lambda mapping: read_mapped_run(source, mapping, Settings()).run())


def mapped_judgments(
    source: str, file: StoredFile | None = None, *, float_gains: bool = False
) -> Judgments | None:
    """The judgments in an input that a mapping reads; None if none of the known formats fits.

    Args:
        source: A path, also of a folder, or `-`.
        file: What it holds, if it has been read.
        float_gains: Grades may be fractions.

    Raises:
        FormatError: Several formats fit, or one that leaves something to choose.
        InputError: It cannot be read as what it was taken for.
    """
    settings = Settings(float_gains=float_gains)
    return _read(
        source, "qrels", file, lambda mapping: read_mapped_judgments(source, mapping, settings).judgments
    )


def run_in(value: PythonValue) -> Run | None:
    """The run that a Python value holds; None if it is in no known form.

    Raises:
        InputError: Something in it is wrong.
    """
    found = recognised(value, "run")
    # Whoever holds values holds their meaning: the highest score is the best, and numbers are ids.
    settings = Settings(asks=False, ids_are_positions=True)
    return read_mapped_run(value, found[0].mapping, settings).run() if found else None


def judgments_in(value: PythonValue, *, float_gains: bool = False) -> Judgments | None:
    """The judgments that a Python value holds; None if it is in no known form.

    Raises:
        InputError: Something in it is wrong.
    """
    found = recognised(value, "qrels")
    settings = Settings(ids_are_positions=True, float_gains=float_gains)
    return read_mapped_judgments(value, found[0].mapping, settings).judgments if found else None


def _read(source: str, kind: str, file: StoredFile | None, convert: Callable[[Mapping], T]) -> T | None:
    choice = _choice(source, kind, file)
    if choice is None:
        return None
    with _explained(source, choice):
        found = convert(choice.variant.mapping)
    return replace(found, notices=(*choice.notices, *found.notices), content=file.digest if file else None)


def _choice(source: str, kind: str, file: StoredFile | None) -> Chosen | None:
    if source == STANDARD:
        kept_input(file.stored if file else None)
    elif not (Path(source).is_file() or Path(source).is_dir()):
        # What a pipe held is gone, and opening it once more would wait for somebody to write into it.
        return None
    found = recognised(source, kind)
    if len(found) > 1:
        names = [variant.label for variant in found]
        raise FormatError(
            f"it could be {' or '.join(names)}",
            where=name_of(source),
            hint=f"say which: {_command(source, kind, names[0])}, or --from {' or '.join(names[1:])}",
        )
    choice = one_of(source, found)
    if choice is not None:
        _refuse_what_is_open(source, choice)
    return choice


def _refuse_what_is_open(source: str, choice: Chosen) -> None:
    mapping = choice.variant.mapping
    what = {
        "index": "which document is at which position",
        "text": "the ids of its documents, only their texts",
    }
    if mapping.docid_lookup is None or mapping.docids_file is not None:
        return
    command = _command(source, mapping.kind, choice.variant.label, "--docids DOCIDS", *_queries(choice))
    numbers = (
        " (or --ids-are-positions, if the numbers are the ids)" if mapping.docid_lookup == "index" else ""
    )
    raise FormatError(
        f"taken for {choice.variant.label}, which does not say {what[mapping.docid_lookup]}",
        where=name_of(source),
        hint=f"convert it first: {command}{numbers}",
    )


def _queries(choice: Chosen) -> tuple[str, ...]:
    """The option that tells the ids of queries, where the input does not."""
    return () if choice.variant.named else (_option(choice.variant.mapping),)


def _option(mapping: Mapping) -> str:
    """The option that tells the ids of queries."""
    return "--queries QUERIES" if mapping.query else "--qids QIDS"


@contextmanager
def _explained(source: str, choice: Chosen) -> Iterator[None]:
    """Completes the hint of an error with the command that helps, or with what the format refuses."""
    mapping, label = choice.variant.mapping, choice.variant.label
    try:
        yield
    except UsageError as error:
        command = _command(source, mapping.kind, label, "--higher-is-better")
        raise FormatError(
            error.message,
            where=error.where,
            hint=f"say it when you convert: {command} (similarities), or --lower-is-better (distances)",
        ) from error
    except InputError as error:
        option = error.hint if error.hint and error.hint.startswith("--") else None
        if isinstance(error, NamelessQueryError):
            option = _option(mapping)
        if option:
            error.hint = f"say it when you convert: {_command(source, mapping.kind, label, option)}"
        elif isinstance(error, FormatError):
            error.hint = error.hint or choice.why_refused or None
        if not choice.variant.native:
            error.message = f"taken for {label}: {error.message}"
        raise


def _command(source: str, kind: str, label: str, *options: str) -> str:
    stem = "my" if source == STANDARD else _ENDINGS.sub("", PurePath(source).name) or "my"
    words = ("treconcile convert", kind, shlex.quote(source), "--from", label, *options, "-o")
    return f"{' '.join(words)} {shlex.quote(f'{stem}.{kind}')}"
