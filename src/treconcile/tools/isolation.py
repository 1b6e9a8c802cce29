"""Call other people's code without its output and its warnings, and name its failures in one line."""

from __future__ import annotations

import io
import os
import sys
import warnings
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from treconcile.errors import TreconcileError, is_redacting

if TYPE_CHECKING:
    from collections.abc import Iterator

FAILURES = (Exception, SystemExit)
"""The exceptions that count as a failure of the tool; one that calls `sys.exit` failed as well."""

LONGEST_REASON = 120


@contextmanager
def quiet() -> Iterator[None]:
    """Suppress what the tool prints, also from C code or a child process, and its warnings."""
    with warnings.catch_warnings(), _descriptors_to_nowhere():
        warnings.simplefilter("ignore")
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            yield


def reason(error: BaseException) -> str:
    """An exception as one line: its type and the first line of its text, at most 120 characters of it.

    The text of somebody else's exception may hold ids, so it is left out where messages must not hold any.
    """
    if is_redacting() and not isinstance(error, TreconcileError):
        return type(error).__name__
    lines = str(error).strip().splitlines()
    text = lines[0][:LONGEST_REASON].rstrip() if lines else ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def installed(*distributions: str) -> str | None:
    """The version of the first of these distributions that is installed, without importing it."""
    for distribution in distributions:
        try:
            return version(distribution)
        except PackageNotFoundError:
            continue
    return None


@contextmanager
def _descriptors_to_nowhere() -> Iterator[None]:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    saved: dict[int, int] = {}
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        for descriptor in (1, 2):
            _redirect(descriptor, nowhere, saved)
        yield
    finally:
        for descriptor, copy in saved.items():
            os.dup2(copy, descriptor)
            os.close(copy)
        os.close(nowhere)


def _redirect(descriptor: int, target: int, saved: dict[int, int]) -> None:
    try:
        copy = os.dup(descriptor)
    except OSError:  # the process was started without this stream, so there is nothing to protect
        return
    saved[descriptor] = copy
    os.dup2(target, descriptor)
