"""Running commands and Python as a reader would, each page in a directory of its own."""

from __future__ import annotations

import doctest
import io
import os
import re
import shlex
import shutil
import sys
import tempfile
import traceback
from contextlib import ExitStack, chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Self
from unittest.mock import patch

import typer

from treconcile.cli.app import make_app, run
from treconcile.tools.ir_measures_provider import main as provider_main

if TYPE_CHECKING:
    from collections.abc import Iterator

OPTIONAL = {"ranx", "trectools", "cwl-eval", "pandas"}
"""The distributions that count as not installed, so that outputs are those of a plain installation."""

VERSION = re.compile(r"\b\d+\.\d+\.\d+\b")


def masked(text: str) -> str:
    """A text without its version numbers."""
    return VERSION.sub("X", text)


class Sessions:
    """Makes a session for each page; the example is laid out once and copied."""

    def __enter__(self) -> Self:
        self._stack = ExitStack()
        self._root = Path(self._stack.enter_context(tempfile.TemporaryDirectory()))
        self._stack.enter_context(patch("treconcile.tools.isolation.version", _plain_version))
        # Making the commands takes longer than most of what they do here.
        made, command = cache(make_app), cache(typer.main.get_command)
        self._stack.enter_context(patch("treconcile.cli.app.make_app", lambda names: made(tuple(names))))
        self._stack.enter_context(patch("typer.main.get_command", command))
        self._stack.enter_context(patch.dict(os.environ, {"PATH": str(self._root), "COLUMNS": "100"}))
        os.environ.pop("TREC_EVAL", None)
        self._count = 0
        self._example = self._root / "example"
        with chdir(self._root):
            _output(lambda: run(["demo", "--keep", "example"]))
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @contextmanager
    def session(self) -> Iterator[Session]:
        """A new directory with the example, as the current one; modules imported from it are forgotten."""
        self._count += 1
        folder = self._root / f"page{self._count}"
        shutil.copytree(self._example, folder / "example")
        path, modules = list(sys.path), set(sys.modules)
        with chdir(folder):
            try:
                yield Session(folder)
            finally:
                sys.path[:] = path
                for name in set(sys.modules) - modules:
                    if str(folder) in str(getattr(sys.modules[name], "__file__", "")):
                        del sys.modules[name]


@dataclass
class Session:
    """What the blocks of one page share: the files, and the names of the Python examples."""

    folder: Path
    names: dict[str, object] = field(default_factory=dict)

    def command(self, line: str) -> tuple[int, str]:
        """The exit status and everything a command line prints, in the order in which it does."""
        words = shlex.split(line)
        if ">" in words:
            at = words.index(">")
            (self.folder / words[at + 1]).write_text(ran(words[:at])[1], encoding="utf-8")
            return 0, ""
        return ran(words)

    def python(self, source: str) -> str:
        """A Python session with the outputs that it has now."""
        parts = doctest.DocTestParser().parse(source)
        return "".join(part if isinstance(part, str) else self._example(part) for part in parts)

    def _example(self, part: doctest.Example) -> str:
        first, *rest = part.source.splitlines()
        prompt = "".join([f">>> {first}\n", *(f"... {line}".rstrip() + "\n" for line in rest)])
        shown = io.StringIO()
        with redirect_stdout(shown):
            try:
                exec(compile(part.source, "<docs>", "single"), self.names)
            except Exception as error:
                shown.write("Traceback (most recent call last):\n    ...\n")
                shown.write("".join(traceback.format_exception_only(error)))
        return prompt + shown.getvalue()


def ran(words: list[str]) -> tuple[int, str]:
    """The exit status of a command and everything it prints.

    Raises:
        ValueError: It is none of those that the documentation may use.
    """
    match words:
        case ["treconcile", *arguments]:
            return _output(lambda: run(arguments))
        case ["python", "-m", "treconcile.tools.ir_measures_provider", *arguments]:
            with patch("sys.argv", ["ir_measures", *arguments]):
                return _output(lambda: provider_main() or 0)
        case ["make", "demo"]:
            return _output(lambda: run(["demo"]))
        case ["cat", path]:
            return 0, Path(path).read_text(encoding="utf-8")
        case ["head", "-n", count, path]:
            return 0, "".join(Path(path).read_text(encoding="utf-8").splitlines(keepends=True)[: int(count)])
        case ["ls", folder]:
            return 0, "".join(f"{each.name}\n" for each in sorted(Path(folder).iterdir()))
        case ["diff", one, other]:
            same = Path(one).read_bytes() == Path(other).read_bytes()
            return (0, "") if same else (1, "the files differ\n")
    raise ValueError(f"the documentation cannot run {words[0]!r}")


def _output(call: object) -> tuple[int, str]:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="utf-8", write_through=True)
    with redirect_stdout(stream), redirect_stderr(stream):
        status = call()  # type: ignore[operator]
    return status, raw.getvalue().decode("utf-8")


def _plain_version(distribution: str) -> str:
    if distribution in OPTIONAL:
        raise PackageNotFoundError(distribution)
    return version(distribution)
