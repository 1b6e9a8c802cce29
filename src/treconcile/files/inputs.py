"""The files of an input: one, those of a folder, or standard input, and what stands beside them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from treconcile.errors import FileError
from treconcile.files.compression import MAGIC
from treconcile.files.standard_input import kept_input
from treconcile.files.text_files import STANDARD


@dataclass(frozen=True)
class InputFile:
    """One file of an input.

    Attributes:
        path: Where it is.
        name: Its path as messages show it.
    """

    path: Path
    name: str

    @property
    def ending(self) -> str:
        """The ending that names its compression, or an empty text."""
        ending = self.path.suffix.lower()
        return ending if ending in MAGIC else ""

    @property
    def stem(self) -> str:
        """Its name without the endings of compression and of its kind."""
        plain = self.path.name.removesuffix(self.path.suffix) if self.ending else self.path.name
        return plain.rpartition(".")[0] or plain

    @property
    def kind(self) -> str:
        """The ending that names what it is, in small letters."""
        plain = self.path.with_suffix("") if self.ending else self.path
        return plain.suffix.lower()


@dataclass(frozen=True)
class InputSet:
    """The files of an input.

    Attributes:
        files: A single file, or those of a folder in the order of their names.
        folder: Whether it is a folder.
        beside: The folder in which files that belong to the input are looked for.
        ignored: How many files of the folder are not read.
    """

    files: tuple[InputFile, ...]
    folder: bool
    beside: Path
    ignored: int = 0


# A part of a split, as data sets are stored in pieces: test-00000-of-00002.parquet.
_PIECE = re.compile(r"-\d+-of-\d+$")


@contextmanager
def opened_input(source: str, kinds: tuple[str, ...], folders: tuple[str, ...] = ()) -> Iterator[InputSet]:
    """The files that a path names; standard input is kept in a temporary file from then on.

    Args:
        source: A path, or `-`.
        kinds: The endings of the files of a folder that are read.
        folders: If a folder has one of these in it, that one is read, and holds a single split.

    Raises:
        FileError: There is no such file, or a file of the folder is not in it.
    """
    if source != STANDARD:
        yield _split_of(Path(source), kinds, folders) if folders else _input_set(Path(source), kinds)
        return
    yield InputSet((InputFile(kept_input(), "<stdin>"),), folder=False, beside=Path())


def _input_set(path: Path, kinds: tuple[str, ...]) -> InputSet:
    if not path.is_dir():
        return InputSet((InputFile(path, os.fspath(path)),), folder=False, beside=path.parent)
    entries = sorted(each for each in path.iterdir() if not each.name.startswith("."))
    files = [InputFile(each, os.fspath(each)) for each in entries]
    wanted = tuple(file for file in files if file.kind in kinds)
    for file in wanted:
        _check_inside(file, path)
    if not wanted:
        hint = "it is read as a folder with one response a file"
        raise FileError(
            f"there is no {' or '.join(kinds)} file in this folder", where=os.fspath(path), hint=hint
        )
    return InputSet(wanted, folder=True, beside=path.parent, ignored=len(files) - len(wanted))


def _split_of(path: Path, kinds: tuple[str, ...], folders: tuple[str, ...]) -> InputSet:
    """The files of the one split that is in a folder of a data set."""
    inner = next((path / name for name in folders if (path / name).is_dir()), path)
    if inner.is_symlink():
        _check_inside(InputFile(inner, os.fspath(inner)), path)
    found = _input_set(inner, kinds)
    splits = {_PIECE.sub("", file.stem): file.name for file in found.files}
    if len(splits) > 1:
        message = f"there are {len(splits)} splits in it: {', '.join(splits)}"
        raise FileError(message, where=os.fspath(inner), hint=f"give one of them: {min(splits.values())}")
    return found


def _check_inside(file: InputFile, folder: Path) -> None:
    if not file.path.is_symlink():
        return
    try:
        target = file.path.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise FileError("this symbolic link leads nowhere", where=file.name, hint="remove it") from error
    if not target.is_relative_to(folder.resolve()):
        hint = "copy the file into the folder"
        raise FileError("this symbolic link leads out of the folder", where=file.name, hint=hint)


def beside(inputs: InputSet, name: str) -> InputFile:
    """A file that a mapping names, perhaps compressed, which stands beside the input and nowhere else.

    Raises:
        FileError: It leads out of that folder.
    """
    path = inputs.beside / name
    packed = (path.with_name(path.name + ending) for ending in MAGIC)
    path = path if path.exists() else next((each for each in packed if each.exists()), path)
    file = InputFile(path, os.fspath(path))
    if not file.path.resolve().is_relative_to(inputs.beside.resolve()):
        raise FileError("this file is not beside the input", where=file.name)
    return file
