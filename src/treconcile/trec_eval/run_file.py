"""Runs as trec_eval reads them: with words after the tag, where it is plain that they are no part of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from treconcile.errors import FormatError, Notice
from treconcile.files.text_files import read_file
from treconcile.formats import read_run
from treconcile.formats.trec.exact import fields_of, is_number, whole_number
from treconcile.formats.trec.run_form import FIELDS

if TYPE_CHECKING:
    from treconcile.files.text_files import Source
    from treconcile.model import Run


def read_trec_eval_run(source: Source) -> Run:
    """Read a run without its sidecar.

    trec_eval documents that it drops what stands after the sixth field, and with it a space in an id or
    in the tag shifts fields unseen. So words are dropped only from lines whose rank and score are numbers,
    and whose tag stands alone on other lines of the file.

    Raises:
        InputError: It cannot be read; the message names the place.
    """
    file = read_file(source)
    try:
        return read_run(source, meta=False, file=file)
    except FormatError:
        shorter, dropped = _without_words(file.data)
        if not dropped:
            raise
    run = read_run(source, meta=False, file=replace(file, data=shorter))
    message = f"words after the tag on {dropped} line{'s' * (dropped > 1)} are not read, as trec_eval does"
    return replace(run, notices=(Notice("words-after-tag", message, where=file.name), *run.notices))


def _without_words(data: bytes) -> tuple[bytes, int]:
    """The lines cut after the tag, and how many were; none if it is not plain what the tag is."""
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    split = [fields_of(line) for line in lines]
    tags = {found[-1] for found in split if len(found) == FIELDS}
    longer = [number for number, found in enumerate(split) if len(found) > FIELDS]
    if not all(_is_result(split[number], tags) for number in longer):
        return data, 0
    for number in longer:
        lines[number] = " ".join(split[number][:FIELDS])
    return "\n".join(lines).encode("utf-8", "surrogateescape"), len(longer)


def _is_result(found: list[str], tags: set[str]) -> bool:
    return whole_number(found[3]) is not None and is_number(found[4]) and found[5] in tags
