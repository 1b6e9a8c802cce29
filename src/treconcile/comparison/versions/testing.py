"""The tests of all measures and candidates, and their correction for how many there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from treconcile.comparison.versions.measure_change import Tested
from treconcile.statistics.corrections import CORRECTIONS
from treconcile.statistics.randomisation import randomisations
from treconcile.statistics.rank_tests import sign, wilcoxon
from treconcile.statistics.significance import Significance
from treconcile.statistics.t_test import t_test
from treconcile.statistics.tukey import tukey_hsd

if TYPE_CHECKING:
    from treconcile.comparison.versions.pairs import Pair
    from treconcile.comparison.versions.settings import Settings


def tested(pairs: Sequence[Pair], settings: Settings) -> list[Tested]:
    """The deciding test of each pair, corrected."""
    match settings.test:
        case "tukey-hsd":
            return _all_pairs(pairs, settings)
        case "randomisation":
            return _corrected(_randomised(pairs, settings), pairs, settings)
        case "t":
            return t_tested(pairs, settings)
        case name:
            test = {"wilcoxon": wilcoxon, "sign": sign}[name]
            return _corrected([test(pair.differences) for pair in pairs], pairs, settings)


def t_tested(pairs: Sequence[Pair], settings: Settings) -> list[Tested]:
    """The t-test of each pair, corrected."""
    return _corrected([t_test(pair.differences) for pair in pairs], pairs, settings)


def _randomised(pairs: Sequence[Pair], settings: Settings) -> Sequence[Significance]:
    """All randomisation tests at once: signs are drawn for the queries of all of them."""
    queries = {query: at for at, query in enumerate(dict.fromkeys(q for pair in pairs for q in pair.both))}
    table = np.zeros((len(queries), len(pairs)))
    for number, pair in enumerate(pairs):
        table[[queries[query] for query in pair.both], number] = pair.differences
    return randomisations(table, resamples=settings.resamples, seed=settings.seed)


def _corrected(results: Sequence[Significance], pairs: Sequence[Pair], settings: Settings) -> list[Tested]:
    """Results with their p corrected over the candidates of each measure, or over all."""
    families: dict[object, list[int]] = {}
    for number, pair in enumerate(pairs):
        families.setdefault(pair.measure if settings.family == "measure" else None, []).append(number)
    corrected = [0.0] * len(pairs)
    for members in families.values():
        found = CORRECTIONS[settings.correction]([results[each].p for each in members])
        for member, p in zip(members, found, strict=True):
            corrected[member] = p
    return [Tested(result, p, settings.correction) for result, p in zip(results, corrected, strict=True)]


def _all_pairs(pairs: Sequence[Pair], settings: Settings) -> list[Tested]:
    """The randomised Tukey HSD over the baseline and all candidates, on the queries that all of them have."""
    found = []
    for measure in dict.fromkeys(pair.measure for pair in pairs):
        systems = [pairs[0].baseline, *(pair.candidate for pair in pairs if pair.measure == measure)]
        sides = [each.values[measure] for each in systems]
        shared = [query for query in sides[0] if all(side.get(query) is not None for side in sides)]
        values = np.array([[side[query] for side in sides] for query in shared], dtype=np.float64)
        tested = tukey_hsd(
            values.reshape(len(shared), len(sides)), resamples=settings.resamples, seed=settings.seed
        )
        results = [tested[0, number] for number in range(1, len(systems))]
        found += [Tested(result, result.p, "tukey-hsd") for result in results]
    return found
