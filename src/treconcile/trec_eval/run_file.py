"""Runs as trec_eval reads them: words after the tag are dropped, if they clearly are no part of it."""

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

    trec_eval is documented to drop everything after the sixth field, so that a space in an id or in the tag
    shifts fields silently. Here words are dropped only from lines whose rank and score are numbers, and whose
    tag ends other lines of the file.

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
    """The lines without words after the tag, and how many had some; unchanged if the tag is not clear."""
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    split = [fields_of(line) for line in lines]
    tags = {fields[-1] for fields in split if len(fields) == FIELDS}
    longer = [number for number, fields in enumerate(split) if len(fields) > FIELDS]
    if not all(_is_result(split[number], tags) for number in longer):
        return data, 0
    for number in longer:
        lines[number] = " ".join(split[number][:FIELDS])
    return "\n".join(lines).encode("utf-8", "surrogateescape"), len(longer)


def _is_result(fields: list[str], tags: set[str]) -> bool:
    return whole_number(fields[3]) is not None and is_number(fields[4]) and fields[5] in tags
