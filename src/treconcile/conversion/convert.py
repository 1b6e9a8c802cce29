"""Conversion from any format that is read to any that is written, of files and of Python values."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from treconcile.conversion.collection import Unknown
from treconcile.conversion.conversion import Conversion, converted
from treconcile.conversion.folders import file_in, folder_of
from treconcile.conversion.job import Job
from treconcile.conversion.kinds import KINDS
from treconcile.conversion.options import (
    Chunks,
    Ids,
    RankEvalOptions,
    ReadOptions,
    WriteOptions,
    refuse_idle,
    refuse_unfit,
)
from treconcile.conversion.targets import target
from treconcile.errors import Notice, UsageError, did_you_mean
from treconcile.files.standard_input import refuse_repeated_stdin
from treconcile.files.text_files import STANDARD, Source
from treconcile.formats.systems.mapping.chunks import OnError
from treconcile.formats.systems.mapping.collapse import By
from treconcile.formats.trec.ids import IdEncoding
from treconcile.formats.trec.write import Absent, Score


def convert(
    kind: str,
    source: object,
    output: Source = STANDARD,
    *,
    source_format: str | None = None,
    map_file: str | os.PathLike[str] | None = None,
    columns: str | Mapping[str, str] | None = None,
    to: str | None = None,
    corpus: object = None,
    queries: object = None,
    judgments: object = None,
    unknown: Unknown = "error",
    qids: Ids | None = None,
    make_qids: str | os.PathLike[str] | None = None,
    docids: Ids | None = None,
    ids_are_positions: bool = False,
    lower_is_better: bool | None = None,
    collapse: Chunks | None = None,
    collapse_by: By | None = None,
    on_error: OnError = "stop",
    limits: bool = True,
    score: Score | None = None,
    empty_results: Absent = "omit",
    no_relevant: Absent = "omit",
    id_encoding: IdEncoding = "error",
    tag: str | None = None,
    k: int | None = None,
    rank_eval: RankEvalOptions | None = None,
    meta: bool = True,
    strict: bool = False,
    command: Sequence[str] | str | None = None,
    progress: Callable[[int], None] | None = None,
    tell: Callable[[Sequence[Notice]], None] | None = None,
) -> Conversion:
    """Convert judgments, a run, documents or queries to the TREC format, or to another and back.

    Everything is read and checked before anything is written: an error leaves every file as it was. The
    parameters are the options of `treconcile convert`, and errors name them as it does.

    Args:
        kind: `qrels`, `run`, `corpus` or `queries`.
        source: A path of a file or folder, `-` for standard input, or a value: dictionaries and lists as JSON
            would give them, a data frame, `Judgments`, `Preferences`, a `Run`, a `Corpus` or `Queries`.
        output: The file or folder to write; `-` is standard output.
        source_format: Read it only as this format (`--from`); `auto` or None tells it by its content.
        map_file: Read it by this mapping (`--map`).
        columns: Which column or key is what, as `{"qid": "topic", "docid": "docno", "score": "sim"}` or
            `"qid=topic,docid=docno,score=sim"` (`--columns`); the parts that are left out have usual names.
        to: The target, as `treconcile list targets` names it; None is TREC's format, if the kind has one.
        corpus: The documents: a path, a value, or a `Corpus`. An id that is not among them is an error.
        queries: The queries that were asked, likewise.
        judgments: The judgments that belong to it, likewise (`--qrels`).
        unknown: What ids that are not known are: an `error`, or `warn`.
        qids: The query ids in the order of the input: a file, or a list of ids.
        make_qids: Number queries that have no id, and write them to this file.
        docids: The document ids where the input has positions: a file, or a list of ids. A file may also
            have the texts of documents, where the input has those.
        ids_are_positions: Numbers that look like positions are the ids; in a Python value they always are.
        lower_is_better: The scores are distances, and are negated (`--lower-is-better`); if False they are
            similarities (`--higher-is-better`).
        collapse: The ids are chunks. Text is the mark that their document stands before; a compiled pattern
            has it as its first group; a mapping, or a `Path` of lines with a tab, has it for each chunk.
        collapse_by: A document's score of its chunks': `max` (as if None), `first` or `sum`.
        on_error: A record that is wrong: `stop`, or `skip`, which lists it in `OUTPUT.skipped.tsv`.
        limits: Refuse inputs of sizes that only hostile ones have.
        score: `source`, the scores as they are, or `rank`, which are n … 1; None is `source` where there are
            scores.
        empty_results: What a TREC run has for a query that found nothing: `omit`, `dummy` or `error`.
        no_relevant: What TREC qrels have for a query declared to have no answer, likewise.
        id_encoding: An id with white space in a TREC file: an `error`, or `percent`, which encodes it.
        tag: The run's name, one word.
        k: How many results were asked for; recorded, cuts nothing.
        rank_eval: For the target `rank-eval`: `index`, and perhaps `field`, `request` and `metric`.
        meta: Read and write the sidecar beside a TREC file.
        strict: A warning of what may change a score is an error, such as a response that is not complete.
        command: How the conversion was called, for the sidecar.
        progress: Is told of the bytes read.
        tell: Is given what is to be said of the choice of a format before the input is read, and what is then
            not in the `notices` of the result or of an error.

    Raises:
        UsageError: Something is not known, or has no meaning for what is converted.
        InputError: An input cannot be used; the message says where and what to do. Its `notices` are what
            was to be said before.

    Example:
        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "my.run")
        ...     done = convert("run", {"q1": {"d1": 0.2, "d2": 0.9}, "q2": {}}, path, tag="mine")
        ...     print(path.read_text(), end="")
        q1 Q0 d2 1 0.9 mine
        q1 Q0 d1 2 0.2 mine
        >>> done.apart, done.files[0].what
        (('q2',), '2 results of 1 query; 1 query that found nothing (q2), as the .meta.json beside it says')
    """
    read = ReadOptions(
        source_format=source_format,
        map_file=map_file,
        columns=columns,
        qids=qids,
        make_qids=make_qids,
        docids=docids,
        ids_are_positions=ids_are_positions,
        lower_is_better=lower_is_better,
        collapse=collapse,
        collapse_by=collapse_by,
        on_error=on_error,
        limits=limits,
        meta=meta,
        progress=progress,
        tell=tell,
    )
    write = WriteOptions(
        unknown=unknown,
        score=score,
        empty_results=empty_results,
        no_relevant=no_relevant,
        id_encoding=id_encoding,
        tag=tag,
        k=k,
        rank_eval=rank_eval or {},
        strict=strict,
        command=command,
    )
    if kind not in KINDS:
        hint = did_you_mean(kind, KINDS, "it is one of " + ", ".join(KINDS))
        raise UsageError(f"{kind!r} is nothing that can be converted", hint=hint)
    goal = target(kind, to)
    beside = {"corpus": corpus, "queries": queries, "judgments": judgments}
    beside = {name: _as_text(each) for name, each in beside.items() if each is not None}
    refuse_unfit(kind, goal, read, write, beside)
    output = os.fspath(output)
    folder = folder_of(output, goal)
    refuse_idle(kind, folder, beside)
    source = _as_text(source)
    request = write.rank_eval.get("request")
    refuse_repeated_stdin((source, *beside.values(), qids, docids, request))
    return converted(kind, Job(source, file_in(folder, output, goal), folder, goal, read, write), beside)


def _as_text(source: object) -> object:
    """A path as text; anything else, as dictionaries, lists and tables, as it is."""
    return os.fspath(source) if isinstance(source, os.PathLike) else source
