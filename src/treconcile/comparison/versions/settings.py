"""How versions are compared: the test, its level, margins, corrections, and what is drawn at random."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from treconcile.errors import UsageError, did_you_mean
from treconcile.measures.spec import parse_measure
from treconcile.statistics.corrections import CORRECTIONS
from treconcile.statistics.randomisation import RESAMPLES, SEED

if TYPE_CHECKING:
    from treconcile.measures.spec import Measure

TESTS = ("randomisation", "t", "wilcoxon", "sign", "tukey-hsd")
INTERVALS = ("t", "bca")
FAMILIES = ("measure", "all")


@dataclass(frozen=True)
class Settings:
    """How versions are compared.

    Attributes:
        test: The test whose p decides: one of `TESTS`.
        alpha: Better or worse needs a corrected p below this; intervals have the level 1 - alpha.
        margins: How much lower a measure may be and still count as not worse.
        family: What p is corrected over: the candidates within one `measure`, or `all` measures, too.
        correction: One of `CORRECTIONS`.
        interval: One of `INTERVALS`.
        seed: What drawing starts from.
        resamples: How often is drawn.
        tolerance: Values of a query that differ by no more than this are ties, as for an engine that is not
            deterministic.

    Raises:
        UsageError: A name is not known, or a number is out of its range.
    """

    test: str = "randomisation"
    alpha: float = 0.05
    margins: Mapping[Measure, float] = field(default_factory=dict)
    family: str = "measure"
    correction: str = "holm"
    interval: str = "t"
    seed: int = SEED
    resamples: int = RESAMPLES
    tolerance: float = 0.0

    def __post_init__(self) -> None:
        for option, value, known in (
            ("test", self.test, TESTS),
            ("family", self.family, FAMILIES),
            ("correction", self.correction, tuple(CORRECTIONS)),
            ("interval", self.interval, INTERVALS),
        ):
            if value not in known:
                hint = did_you_mean(value, known, "it is one of " + ", ".join(known))
                raise UsageError(f"there is no {option} {value!r}", hint=hint)
        if not 0 < self.alpha < 1:
            raise UsageError(f"alpha lies between 0 and 1, and is not {self.alpha:g}")
        if self.resamples < 100:
            raise UsageError("fewer than 100 resamples say nothing", hint="the default is 10000")
        if self.seed < 0:
            raise UsageError("a seed is a whole number from 0 up")
        for measure, margin in self.margins.items():
            if not margin > 0:
                raise UsageError(
                    f"the margin of {measure} has to be above 0", hint=f"--margin {measure}=0.01"
                )
        if self.tolerance < 0:
            raise UsageError("a tolerance is a number from 0 up")
        if self.test == "tukey-hsd" and self.family == "all":
            raise UsageError(
                "tukey-hsd corrects over the pairs of one measure, not over measures",
                hint="leave --family all out, or take another test",
            )


def read_margins(written: Iterable[str]) -> dict[Measure, float]:
    """Margins from `MEASURE=X`, as `nDCG@10=0.01`.

    Raises:
        UsageError: One is not of this form, or the measure is not known.
    """
    margins = {}
    for text in written:
        name, _, value = text.rpartition("=")
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not name or not math.isfinite(number):
            raise UsageError(f"{text!r} is no margin", hint="write MEASURE=X, as in --margin nDCG@10=0.01")
        margins[parse_measure(name)] = number
    return margins
