"""How an input is understood and an output written, and whether what is asked for has a meaning."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, TypedDict

from treconcile.conversion.choices import ABSENT, COLLAPSES, ENCODINGS, ON_ERROR, SCORES, UNKNOWN, choice
from treconcile.conversion.rank_eval import DEFAULT, rank_eval_metric
from treconcile.conversion.targets import CHOSEN, targets_of
from treconcile.errors import UsageError, did_you_mean
from treconcile.files.limits import DEFAULT_LIMITS, NO_LIMITS, Limits
from treconcile.formats.systems.mapping.choose import AUTO
from treconcile.formats.systems.mapping.collapse import By, Collapse, listed, matched, separated

if TYPE_CHECKING:
    from treconcile.conversion.collection import Unknown
    from treconcile.conversion.targets import Target
    from treconcile.errors import Notice
    from treconcile.formats.systems.mapping.chunks import OnError
    from treconcile.formats.trec.ids import IdEncoding
    from treconcile.formats.trec.write import Absent, Score

Chunks = str | re.Pattern[str] | os.PathLike[str] | Mapping[str, str]
"""How the document of a chunk is found: by a mark, a pattern, a file, or each by itself."""
Ids = str | os.PathLike[str] | Sequence[str]
"""Ids by position: a file with one a line, or the ids."""


class RankEvalOptions(TypedDict, total=False):
    """What a _rank_eval request says beside the judgments.

    Attributes:
        index: The index of the documents.
        field: The field that a query is matched with; `text` if not given.
        request: A file with the search request, or the request, in place of a match with a field.
        metric: The measure; `P@10` if not given.
    """

    index: str
    field: str
    request: str | os.PathLike[str] | Mapping[str, object]
    metric: str


@dataclass(frozen=True)
class ReadOptions:
    """How an input is understood; all as in `treconcile.convert`."""

    source_format: str | None = None
    map_file: str | os.PathLike[str] | None = None
    columns: str | Mapping[str, str] | None = None
    qids: Ids | None = None
    make_qids: str | os.PathLike[str] | None = None
    docids: Ids | None = None
    ids_are_positions: bool = False
    lower_is_better: bool | None = None
    collapse: Chunks | None = None
    collapse_by: By | None = None
    on_error: OnError = "stop"
    limits: bool = True
    meta: bool = True
    progress: Callable[[int], None] | None = None
    tell: Callable[[Sequence[Notice]], None] | None = None

    @property
    def name(self) -> str | None:
        """The format that the input is to be read in, if there is one."""
        return None if self.source_format == AUTO else self.source_format

    @property
    def believed(self) -> Limits:
        """What is believed of the sizes of the input."""
        return DEFAULT_LIMITS if self.limits else NO_LIMITS

    @property
    def of_mapping(self) -> list[str]:
        """The options that are given and that only an input with a mapping can follow."""
        names = ("qids", "docids", "ids_are_positions", "make_qids")
        skip = ["--on-error skip"] if self.on_error == "skip" else []
        return [*(option(name) for name in names if getattr(self, name)), *skip]

    def say(self, notices: Sequence[Notice], said: list[Notice]) -> None:
        """Tells at once of what is to be said, and keeps it."""
        said += notices
        if self.tell is not None:
            self.tell(notices)

    def collapsing(self) -> Collapse | None:
        """How chunks become documents, if they are to.

        Raises:
            InputError: The file of chunks cannot be read.
            UsageError: There is no mark, or the pattern has no group.
        """
        by = self.collapse_by or "max"
        match self.collapse:
            case None:
                return None
            case str() as mark:
                return Collapse(separated(mark), by)
            case re.Pattern() as pattern:
                return Collapse(matched(pattern), by)
            case Mapping() as known:
                return Collapse(known.get, by, strict=True)
            case os.PathLike() as file:
                return Collapse(listed(os.fspath(file)), by, strict=True)
            case _:
                raise UsageError("--collapse is a mark, a pattern, a mapping or a path")

    def refuse_without_mapping(self, source: object) -> None:
        """Checks that nothing is asked for that only an input with a mapping can follow.

        Raises:
            UsageError: Something is.
        """
        options = self.of_mapping
        if not isinstance(source, str):
            files = ("source_format", "map_file", "columns")
            options += [option(name) for name in files if getattr(self, name) is not None]
        if options:
            hint = "--from NAME or --map FILE reads it by a mapping, which can"
            raise UsageError(f"{options[0]} has no meaning for this input, which says it all", hint=hint)


@dataclass(frozen=True)
class WriteOptions:
    """What is checked and written; all as in `treconcile.convert`."""

    unknown: Unknown = "error"
    score: Score | None = None
    empty_results: Absent = "omit"
    no_relevant: Absent = "omit"
    id_encoding: IdEncoding = "error"
    tag: str | None = None
    k: int | None = None
    rank_eval: RankEvalOptions = field(default_factory=RankEvalOptions)
    strict: bool = False
    command: Sequence[str] | str | None = None


TABLES = ("corpus", "queries", "unknown", "collapse", "collapse_by", "qids", "docids", "ids_are_positions",
          "make_qids", "meta")  # fmt: skip
FITTING = {
    "qrels": TABLES,
    "run": (*TABLES, "judgments", "lower_is_better"),
    "corpus": ("queries", "judgments", "unknown"),
    "queries": ("corpus", "judgments", "unknown"),
}
"""The options that have a meaning for some kinds, beside those of their targets."""

_CALLED = {"source_format": "from", "map_file": "map", "judgments": "qrels", "k": "-k"}
_CHOICES = {
    "collapse_by": (None, *COLLAPSES),
    "on_error": ON_ERROR,
    "unknown": UNKNOWN,
    "score": (None, *SCORES),
    "empty_results": ABSENT,
    "no_relevant": ABSENT,
    "id_encoding": ENCODINGS,
}


def option(name: str, value: object = None) -> str:
    """The option of the command that a parameter is."""
    if name == "lower_is_better" and value is False:
        return "--higher-is-better"
    called = _CALLED.get(name, name).replace("_", "-")
    return called if called.startswith("-") else f"--{called}"


def refuse_unfit(
    kind: str, goal: Target, read: ReadOptions, write: WriteOptions, files: Collection[str]
) -> None:
    """Checks that no option would change nothing (its user expects something of it), or is not known.

    Args:
        kind: What is converted.
        goal: What is written.
        read: How the input is understood.
        write: What is written, and how.
        files: Which of `corpus`, `queries` and `judgments` are given.

    Raises:
        UsageError: One has no meaning for what is converted, or for what is written, or is not known.
    """
    given: dict[str, object] = dict.fromkeys(files)
    for options in (read, write):
        values = {each.name: (getattr(options, each.name), each.default) for each in fields(options)}
        given |= {name: value for name, (value, default) in values.items() if not _same(value, default)}
        for name, known in _CHOICES.items():
            if name in values:
                choice(option(name), values[name][0], known)
    given.pop("rank_eval", None)
    given |= write.rank_eval
    own = {name for each in targets_of(kind) for name in each.options}
    limited = CHOSEN.union(*FITTING.values())
    for name, value in given.items():
        if name in limited and name not in own.union(FITTING[kind]):
            raise UsageError(f"{option(name, value)} has no meaning for {kind}")
        if name in CHOSEN and name not in goal.options:
            raise UsageError(f"{option(name)} has no meaning for a file written as {goal.name}")
    if "collapse_by" in given and read.collapse is None:
        raise UsageError("--collapse-by says nothing without --collapse", hint="--collapse '#'")
    if read.collapse_by == "sum" and kind == "qrels":
        raise UsageError("grades are not added up", hint="--collapse-by max")
    if write.strict and read.on_error == "skip":
        raise UsageError(
            "--on-error skip leaves records out, which --strict refuses", hint="give one of them"
        )
    said = [
        option(name) for name in ("source_format", "map_file", "columns") if getattr(read, name) is not None
    ]
    if len(said) > 1:
        raise UsageError(f"{said[0]} and {said[1]} both say what the input is", hint="give one of them")
    if write.k is not None and write.k < 1:
        raise UsageError(f"-k is a number of results, and not {write.k}")
    if goal.name == "rank-eval":
        _check_rank_eval(write.rank_eval)


def _same(value: object, default: object) -> bool:
    return value is default or (isinstance(value, (str, bool, int)) and value == default)


def _check_rank_eval(given: RankEvalOptions) -> None:
    for name in given:
        if name not in RankEvalOptions.__annotations__:
            hint = did_you_mean(
                name, RankEvalOptions.__annotations__, "it has an index, field, request and metric"
            )
            raise UsageError(f"a _rank_eval request has no {name!r}", hint=hint)
    if "index" not in given:
        raise UsageError("a _rank_eval request names the index of the documents", hint="--index NAME")
    if "field" in given and "request" in given:
        raise UsageError("--field and --request both say how a query is asked", hint="give one of them")
    rank_eval_metric(given.get("metric", DEFAULT), 1)


def refuse_idle(kind: str, folder: str | None, files: Collection[str]) -> None:
    """Checks that documents and queries are not given to each other without judgments that join them.

    Raises:
        UsageError: They are, and no folder is written that takes both.
    """
    other = {"corpus": "queries", "queries": "corpus"}.get(kind)
    if other is not None and other in files and folder is None and "judgments" not in files:
        hint = "--to beir -o FOLDER/ writes both"
        raise UsageError(f"--{other} has no meaning for {kind} without --qrels", hint=hint)
