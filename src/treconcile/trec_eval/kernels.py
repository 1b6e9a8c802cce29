"""The values of trec_eval's measures for every judged query, from the kernels of our measures."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from treconcile.measures import FAMILIES, Fraction, View
from treconcile.trec_eval.measures import TREC_MEASURES, Names, Summary
from treconcile.trec_eval.residual import residuals

if TYPE_CHECKING:
    from treconcile.align import Alignment
    from treconcile.arrays import Flags, Floats, Integers
    from treconcile.measures import Family
    from treconcile.measures.family import Parameter
    from treconcile.trec_eval.request import Column
    from treconcile.trec_eval.settings import Settings


class Kernels:
    """Computes columns over an aligned run.

    Attributes:
        settings: The flags.
        source: The path of the run.
        ranked: The judged documents retrieved.
        queries: The ids of the queries.
        judged: Which of them have a judgment; shape (q,).
        present: Which of them have a result; shape (q,).

    Args:
        alignment: The run and its judgments.
        settings: The flags.
        empty: Queries that are known to have found nothing are present, too, as no file can say it.
    """

    def __init__(self, alignment: Alignment, settings: Settings, *, empty: bool = False) -> None:
        self.settings = settings
        self.source = alignment.run.source
        self._convention = settings.convention()
        self.ranked = alignment.rank(self._convention)
        self.queries = self.ranked.queries
        self.present: Flags = self.ranked.asked if empty else self.ranked.listed > 0
        self.judged: Flags = np.bincount(self.ranked.judged.query, minlength=len(self.queries)) > 0

    @cached_property
    def relevant(self) -> Integers:
        """The number of relevant documents of each query; shape (q,)."""
        return self._view(None, {}).relevant_judged

    @property
    def retrieved_nothing(self) -> Flags:
        """Which queries have no result once the flags have taken out theirs; shape (q,)."""
        nothing: Flags = self.ranked.returned == 0
        return nothing

    def values(self, column: Column) -> Floats:
        """The value of each query as our measure defines it; shape (q,)."""
        if column.measure.summary in (Summary.TAG, Summary.ABSENT):
            return np.zeros(len(self.queries))
        family = FAMILIES[column.measure.measure]
        parameters = parameters_of(column, family, self.settings.collection)
        if column.measure.name == "rbp_resid":
            return residuals(self.ranked, float(parameters["p"]))  # type: ignore[arg-type]
        cutoff = int(column.numbers[0]) if column.measure.names is Names.RANK else None
        made = family.kernel(self._view(cutoff, parameters))
        return made.value if isinstance(made, Fraction) else made

    def ideal(self, column: Column) -> Floats:
        """The DCG of the ideal ranking of each query, with the gains of a column; shape (q,)."""
        return self.values(replace(column, measure=TREC_MEASURES["ideal_dcg"]))

    def _view(self, cutoff: int | None, parameters: dict[str, Parameter]) -> View:
        return View(self.ranked, self._convention, cutoff, parameters)


def parameters_of(column: Column, family: Family, collection: int) -> dict[str, Parameter]:
    """The parameters of our measure for a column of trec_eval's."""
    found = {name: info.default for name, info in family.parameters.items()} | dict(column.measure.sets)
    given = _given(column, family) | {"docs": float(collection)}
    return {name: given.get(name, value) for name, value in found.items()}


def _given(column: Column, family: Family) -> dict[str, Parameter]:
    """What stands after the dot, under the names of our parameters."""
    if column.pairs:
        gains = sorted((float(key), gain) for key, gain in column.pairs if key != "p")
        given: dict[str, Parameter] = {key: value for key, value in column.pairs if key == "p"}
        return given | {"gains": tuple(gains)}
    if column.measure.names is Names.FRACTION:
        return {family.at: column.numbers[0]}
    if len(family.listed) == 1 and isinstance(family.parameters[family.listed[0]].default, tuple):
        return {family.listed[0]: column.numbers}
    return dict(zip(family.listed, column.numbers, strict=False))
