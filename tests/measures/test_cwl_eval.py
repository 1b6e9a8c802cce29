"""The C/W/L measures against cwl_eval itself: its classes, given gains rank by rank, on lists that end."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from oracle import Data
from treconcile.align import Alignment
from treconcile.convention import DEFAULT
from treconcile.measures.spec import parse_measure
from treconcile.profiles import Profile
from treconcile.score import score_measure

np = pytest.importorskip("numpy")
ruler = pytest.importorskip("cwl.ruler.cwl_ruler")

DEPTH = 40
"""So many ranks the tool is told to look at, and ours to: lists are shorter and longer."""

WORDS = ("utility", "total-utility", "cost", "total-cost", "depth")
METRICS: dict[str, Callable[[], Any]] = {
    "BPM(T=1.5,max_rel=4{})@9": lambda: ruler.BPMCWLMetric(1.5, 9),
    "BPM(max_rel=4{})@60": lambda: ruler.BPMCWLMetric(1.0, 60),
    "SDCG(max_rel=4{})@10": lambda: ruler.NDCGCWLMetric(10),
    "INST(max_rel=4{})": lambda: ruler.INSTCWLMetric(1.0),
    "INST(T=2.7,max_rel=4{})": lambda: ruler.INSTCWLMetric(2.7),
    "INST(T=0.5,max_rel=4{})": lambda: ruler.INSTCWLMetric(0.5),
    "INSQ(max_rel=4{})": lambda: ruler.INSQCWLMetric(1.0),
    "INSQ(T=0.2,max_rel=4{})": lambda: ruler.INSQCWLMetric(0.2),
    "NERR8(max_rel=4{})@5": lambda: ruler.NERReq8CWLMetric(5),
    "NERR9(max_rel=4{})@12": lambda: ruler.NERReq9CWLMetric(12),
    "NERR10(p=0.95,max_rel=4{})": lambda: ruler.NERReq10CWLMetric(0.95),
    "NERR11(T=3,max_rel=4{})": lambda: ruler.NERReq11CWLMetric(3.0),
}


@pytest.mark.parametrize("count", [30, pytest.param(300, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", METRICS)
def test_values_are_those_of_cwl_eval(name: str, count: int) -> None:
    """All five expectations of many lists, what cwl_eval loses at the last rank put back."""
    rng, metric, convention = random.Random(name), METRICS[name](), DEFAULT.replace(depth=DEPTH)
    lists = {f"q{each}": draw_list(rng) for each in range(count)}
    alignment = aligned(lists)
    ours = {
        word: score_measure(
            alignment, parse_measure(name.format(f",expected={word}")), Profile(convention=convention)
        ).values
        for word in WORDS
    }
    for query, grades in lists.items():
        wanted = dict(zip(WORDS, expected(metric, grades), strict=True))
        made = {word: ours[word][query] for word in WORDS}
        assert made == pytest.approx(wanted, rel=1e-10, abs=1e-10), grades


def draw_list(rng: random.Random) -> list[int | None]:
    """The grades of a list, from 0 to 4, some of documents that nobody judged."""
    kind = rng.choice(((None, 0, 1, 2, 3, 4), (None, None, None, 1, 4), (None, 0), (4,), (1,), (0, 4)))
    return [rng.choice(kind) for _ in range(rng.choice((1, 2, 5, 15, DEPTH, 60)))]


def aligned(lists: dict[str, list[int | None]]) -> Alignment:
    """The lists as judgments and a run; each query has one more document that is judged and not found."""
    judged = [
        (query, "0", f"d{rank}", grade)
        for query, grades in lists.items()
        for rank, grade in enumerate(grades)
        if grade is not None
    ]
    judged += [(query, "0", "more", 1) for query in lists]
    results = [
        (query, f"d{rank}", -float(rank), rank)
        for query, grades in lists.items()
        for rank in range(len(grades))
    ]
    data = Data(judged, results)
    return Alignment(data.judgments(), data.run())


def expected(metric: Any, grades: list[int | None]) -> list[float]:  # noqa: ANN401 - cwl_eval has no types
    """What cwl_eval says, its totals with what those see who look at the last rank and would go on."""
    gains = [np.nan if grade is None else grade / 4 for grade in grades]
    ranking = ruler.Ranking("q", gains, [np.nan] * len(gains), max_n=DEPTH)
    metric.measure(ranking)
    utility, total_utility, cost, total_cost, depth = metric.get_scores()
    goes_on = np.prod(metric.c_vector(ranking))
    return [
        utility,
        total_utility + goes_on * ranking.get_gain_vector().sum(),
        cost,
        total_cost + goes_on * DEPTH,
        depth,
    ]
