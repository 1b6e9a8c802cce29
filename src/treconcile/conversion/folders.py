"""Formats that are a folder, or a place in one: where a file of theirs goes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from treconcile.errors import FileError, UsageError
from treconcile.files.compression import MAGIC
from treconcile.files.text_files import STANDARD

if TYPE_CHECKING:
    from treconcile.conversion.targets import Target


def folder_of(output: str, target: Target) -> str | None:
    """The folder that an output names; None if it is a file.

    For a format that is always a folder, the path of its file names that folder, too. Else an output is a
    folder if it is one, ends in a separator, or does not exist and has no ending.

    Raises:
        UsageError: A folder is wanted, and the output is standard output.
    """
    if not target.member:
        return None
    if output == STANDARD:
        if target.folder:
            raise UsageError(f"{target.name} is a folder, which needs a name", hint="-o FOLDER/")
        return None
    path = PurePath(output)
    if target.folder:
        return str(path.parent) if _uncompressed(path.name) == target.member else output
    separators = (os.sep, os.altsep or os.sep)
    named = output.endswith(separators) or (not path.suffix and not Path(output).exists())
    return output if named or Path(output).is_dir() else None


def file_in(folder: str | None, output: str, target: Target) -> str:
    """The file that is written, given the folder that the output names."""
    if folder is None or _uncompressed(PurePath(output).name) == target.member:
        return output
    return str(PurePath(folder) / target.member)


@contextmanager
def made(files: Iterable[str]) -> Iterator[None]:
    """Makes the folders of files; if what follows fails, those that were not there go again.

    Raises:
        FileError: One cannot be made.
    """
    new: list[Path] = []
    try:
        for file in files:
            _make(Path(file).parent, new)
        yield
    except BaseException:
        for folder in reversed(new):
            with suppress(OSError):
                folder.rmdir()
        raise


def _make(folder: Path, new: list[Path]) -> None:
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        try:
            each.mkdir()
        except OSError as error:
            raise FileError(f"the folder cannot be made: {error.strerror}", where=str(each)) from error
        new.append(each)


def _uncompressed(name: str) -> str:
    ending = PurePath(name).suffix
    return name.removesuffix(ending) if ending in MAGIC else name
