"""Inputs of other systems, for commands that have no options to say how one is to be read.

What is recognised as one format, and says all that is needed, is read as `treconcile convert` reads it.
Where something has to be chosen, such as the direction of scores, it is refused with the command that takes
the choice.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, TypeVar

from treconcile.errors import FormatError, InputError
from treconcile.files.standard_input import kept_input
from treconcile.files.text_files import STANDARD, Source, name_of

if TYPE_CHECKING:
    from treconcile.files.text_files import StoredFile
    from treconcile.formats.systems.mapping.choose import Chosen
    from treconcile.formats.systems.mapping.language import Mapping
    from treconcile.model import Judgments, Run

T = TypeVar("T", bound="Judgments | Run")
_ENDINGS = re.compile(r"(?:\.\w{1,8}){1,2}$")


def foreign_run(source: Source, file: StoredFile | None = None) -> Run | None:
    """The run in an input of another system; None if none of the known formats fits.

    Args:
        source: A path, also of a folder, or `-`.
        file: What it holds, if it has been read.

    Raises:
        FormatError: Several formats fit, or one that leaves something to choose.
        InputError: It cannot be read as what it was taken for.
    """
    from treconcile.formats.systems.mapping.convert_run import convert_run
    from treconcile.formats.systems.mapping.settings import Settings

    return _read(
        source, "run", file, lambda mapping: convert_run(os.fspath(source), mapping, Settings()).run()
    )


def foreign_judgments(source: Source, file: StoredFile | None = None) -> Judgments | None:
    """The judgments in an input of another system; None if none of the known formats fits.

    Args:
        source: A path, also of a folder, or `-`.
        file: What it holds, if it has been read.

    Raises:
        FormatError: Several formats fit, or one that leaves something to choose.
        InputError: It cannot be read as what it was taken for.
    """
    from treconcile.formats.systems.mapping.convert_qrels import convert_judgments
    from treconcile.formats.systems.mapping.settings import Settings

    return _read(
        source,
        "qrels",
        file,
        lambda mapping: convert_judgments(os.fspath(source), mapping, Settings()).judgments,
    )


def _read(source: Source, kind: str, file: StoredFile | None, convert: Callable[[Mapping], T]) -> T | None:
    choice = _choice(source, kind, file)
    if choice is None:
        return None
    with _explained(source, choice):
        found = convert(choice.variant.mapping)
    return replace(found, notices=(*choice.notices, *found.notices), content=file.digest if file else None)


def _choice(source: Source, kind: str, file: StoredFile | None) -> Chosen | None:
    from treconcile.formats.systems.mapping.choose import one_of, recognised

    if os.fspath(source) == STANDARD:
        kept_input(file.stored if file else None)
    elif not (Path(source).is_file() or Path(source).is_dir()):
        # What a pipe held is gone, and opening it once more would wait for somebody to write into it.
        return None
    found = recognised(os.fspath(source), kind)
    if len(found) > 1:
        names = [variant.label for variant in found]
        raise FormatError(
            f"it could be {' or '.join(names)}",
            where=name_of(source),
            hint=f"say which: {_command(source, kind, names[0])}, or --from {' or '.join(names[1:])}",
        )
    choice = one_of(os.fspath(source), found)
    if choice is not None:
        _refuse_what_is_open(source, choice)
    return choice


def _refuse_what_is_open(source: Source, choice: Chosen) -> None:
    mapping = choice.variant.mapping
    open_points = list(_open_points(mapping, folder=Path(source).is_dir()))
    if not open_points:
        return
    what = ", ".join(point for point, _, _ in open_points)
    command = _command(source, mapping.kind, choice.variant.label, *(option for _, option, _ in open_points))
    others = "".join(other for _, _, other in open_points)
    raise FormatError(
        f"taken for {choice.variant.label}, which does not say {what}",
        where=name_of(source),
        hint=f"convert it first: {command}{others}",
    )


def _open_points(mapping: Mapping, *, folder: bool) -> Iterator[tuple[str, str, str]]:
    """What a mapping leaves open, the option that says it, and the other choice."""
    if mapping.order == "ask" and mapping.score is not None:
        yield (
            "whether high or low scores are better",
            "--higher-is-better",
            " (similarities), or --lower-is-better (distances)",
        )
    named = mapping.qid or mapping.records_as == "dict" or mapping.qids_file or folder
    if not named:
        yield "the ids of its queries", _option(mapping), ""
    if mapping.docid_lookup == "index" and mapping.docids_file is None:
        yield "which document is at which position", "--docids DOCIDS", ""
    if mapping.docid_lookup == "text":
        yield "the ids of its documents, only their texts", "--docids DOCIDS", ""


def _option(mapping: Mapping) -> str:
    """The option that tells the ids of queries."""
    return "--queries QUERIES" if mapping.query else "--qids QIDS"


@contextmanager
def _explained(source: Source, choice: Chosen) -> Iterator[None]:
    """Completes the hint of an error with the command that helps, or with what the format refuses."""
    from treconcile.formats.systems.mapping.query_ids import NamelessQueryError

    mapping = choice.variant.mapping
    try:
        yield
    except InputError as error:
        option = error.hint if error.hint and error.hint.startswith("--") else None
        if isinstance(error, NamelessQueryError):
            option = _option(mapping)
        if option:
            command = _command(source, mapping.kind, choice.variant.label, option)
            error.hint = f"say it when you convert: {command}"
        elif isinstance(error, FormatError):
            error.hint = error.hint or choice.why_refused or None
        error.message = f"taken for {choice.variant.label}: {error.message}"
        raise


def _command(source: Source, kind: str, label: str, *options: str) -> str:
    import shlex

    path = os.fspath(source)
    stem = "my" if path == STANDARD else _ENDINGS.sub("", PurePath(path).name) or "my"
    words = ("treconcile convert", kind, shlex.quote(path), "--from", label, *options, "-o")
    return f"{' '.join(words)} {shlex.quote(f'{stem}.{kind}')}"
