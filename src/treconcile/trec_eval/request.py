"""The arguments of `-m`, read as trec_eval reads them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from treconcile.errors import UsageError, did_you_mean
from treconcile.trec_eval.measures import FORMATS, NICKNAMES, TREC_MEASURES, Names, TrecMeasure, of_version
from treconcile.trec_eval.parameters import read_numbers

if TYPE_CHECKING:
    from treconcile.trec_eval.parameters import Numbers, Pairs
    from treconcile.trec_eval.settings import Form

SHARING = ("dcg", "ideal_dcg", "ndcg")
"""The measures that share one set of gains in version 10 by mistake; it crashes if they are given gains."""


@dataclass(frozen=True)
class Column:
    """One line of each query: a measure with its parameters.

    Attributes:
        measure: The measure.
        name: The printed name.
        numbers: The parameters that are numbers; only one if each has a line of its own.
        pairs: The parameters that are pairs.
    """

    measure: TrecMeasure
    name: str
    numbers: Numbers = ()
    pairs: Pairs = ()

    @property
    def plain(self) -> bool:
        """Whether the measure was requested without parameters."""
        return self.name == self.measure.name


def requested(arguments: Iterable[str], version: int, form: Form = "qrels") -> tuple[Column, ...]:
    """The lines that the arguments of `-m` ask for, in the order of trec_eval; `official` without any.

    If a name occurs several times, its first parameters hold, as in trec_eval.

    Raises:
        UsageError: A measure is not known or not in this version, needs other judgments than these, or a
            parameter cannot be read.
    """
    marked: set[str] = set()
    parameters: dict[str, str] = {}
    for argument in tuple(arguments) or ("official",):
        name, dot, text = argument.partition(".")
        if dot and not text:
            raise UsageError(f"-m {argument}: there is nothing after the dot", hint=f"write -m {name}")
        if dot:
            parameters.setdefault(name, text)
        marked.update(_marked(name, version, form))
    columns = tuple(
        column
        for measure in of_version(version)
        if measure.name in marked
        for column in columns_of(measure, parameters.get(measure.name))
    )
    _refuse_shared(columns)
    return columns


def columns_of(measure: TrecMeasure, text: str | None = None) -> tuple[Column, ...]:
    """The lines of one measure, with the parameters that are written after the dot.

    Raises:
        UsageError: They cannot be read.
    """
    if measure.names is Names.NONE or (text is None and measure.names is Names.TEXT):
        return (Column(measure, measure.name, measure.default),)
    if measure.read_pairs is not None and text is not None:
        return (Column(measure, f"{measure.name}_{text}", pairs=measure.read_pairs(measure.name, text)),)
    read = measure.read or read_numbers
    values = measure.default if text is None else read(measure.name, text)
    if measure.names is Names.TEXT:
        return (Column(measure, f"{measure.name}_{text}", values),)
    return tuple(Column(measure, _with_cutoff(measure, value), (value,)) for value in values)


def _with_cutoff(measure: TrecMeasure, value: float) -> str:
    if measure.names is Names.RANK:
        return f"{measure.name}_{value:.0f}"
    return f"{measure.name}_{value:3.2f}"[: len(measure.name) + 9]  # trec_eval has room for that many


def _marked(name: str, version: int, form: Form) -> Sequence[str]:
    known = [measure.name for measure in of_version(version)]
    names = [measure for measure in NICKNAMES.get(name, (name,)) if measure in known]
    if names:
        _refuse_unfit(name, names, form)
        return names
    if name in TREC_MEASURES:
        raise UsageError(f"-m {name}: trec_eval {version} has no such measure", hint="version 10 has it")
    raise UsageError(
        f"-m {name}: trec_eval has no such measure",
        hint=did_you_mean(name, [*known, *NICKNAMES], "the names: " + " ".join(known)),
    )


def _refuse_unfit(name: str, measures: Iterable[str], form: Form) -> None:
    needed = {TREC_MEASURES[measure].form for measure in measures} - {None, form}
    for other in needed:
        ways = " or ".join(f"-R {value}" for value, of_value in FORMATS.items() if of_value == other)
        fitting = [nickname for nickname, names in NICKNAMES.items() if TREC_MEASURES[names[-1]].form == form]
        raise UsageError(f"-m {name} needs {ways}", hint=f"here one can ask for -m {', '.join(fitting)}")


def _refuse_shared(columns: Iterable[Column]) -> None:
    """Refuse gains for one of the measures that share them together with another of these."""
    sharing = [column for column in columns if column.measure.name in SHARING]
    if len(sharing) > 1 and not all(column.plain for column in sharing):
        names = ", ".join(column.measure.name for column in sharing)
        raise UsageError(f"-m: trec_eval mixes up the gains of {names}", hint="ask for them one at a time")
