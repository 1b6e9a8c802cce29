"""The C/W/L family: measures whose users go on to the next document with a modelled probability."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from treconcile.errors import UsageError
from treconcile.measures.family import AVERAGE, FINDING, GRADE, ROWS, Family, ParameterInfo, View
from treconcile.measures.running import summed
from treconcile.measures.user_model import EXPECTED, SCALE, Documents, kernel_of, trigamma, walk

if TYPE_CHECKING:
    from treconcile.arrays import Floats

TOLERANCE = 1e-9
"""The tolerance of comparing a sum of grades with the desired gain, a product of two numbers."""

PARAMETERS = {**SCALE, "expected": EXPECTED}


def _bejeweled(view: View, documents: Documents) -> tuple[Floats, Floats]:
    _needs_cutoff(view, "BPM")
    desired = view.number("T") * documents.span - TOLERANCE
    stays = (summed(documents.query, documents.grade) < desired).astype(np.float64)
    return walk(documents, np.ones_like, stays, lambda _: 0.0)


def _discounted(view: View, documents: Documents) -> tuple[Floats, Floats]:
    _needs_cutoff(view, "SDCG")
    return walk(
        documents,
        lambda rank: np.log2(rank + 1) / np.log2(rank + 2),
        np.ones(len(documents.rank)),
        lambda _: 0.0,
    )


def _until_satisfied(view: View, documents: Documents) -> tuple[Floats, Floats]:
    _needs_cutoff(view, "NERR8")
    return walk(documents, np.ones_like, 1.0 - documents.gain, lambda _: 0.0)


def _less_by_rank(view: View, documents: Documents) -> tuple[Floats, Floats]:
    _needs_cutoff(view, "NERR9")
    return walk(documents, lambda rank: rank / (rank + 1), 1.0 - documents.gain, lambda _: 0.0)


def _persistent(view: View, documents: Documents) -> tuple[Floats, Floats]:
    p = view.number("p")
    return walk(documents, lambda rank: np.full_like(rank, p), 1.0 - documents.gain, lambda _: p / (1.0 - p))


def _inverse_squares(view: View, documents: Documents) -> tuple[Floats, Floats]:
    return _squares(view, documents, np.ones(len(documents.rank)))


def _squares_until_satisfied(view: View, documents: Documents) -> tuple[Floats, Floats]:
    return _squares(view, documents, 1.0 - documents.gain)


def _squares(view: View, documents: Documents, stays: Floats) -> tuple[Floats, Floats]:
    target = 2.0 * view.number("T")
    return walk(
        documents,
        lambda rank: ((rank + target - 1.0) / (rank + target)) ** 2,
        stays,
        lambda rank: float(_ahead(np.array([rank + target - 1.0]), np.inf)[0]),
    )


def _adaptive(view: View, documents: Documents) -> tuple[Floats, Floats]:
    """Between two gains V falls as 1 / (rank - 1 + a)^2, where a is the gain that is still wanted."""
    target = 2.0 * view.number("T")
    still = target - summed(documents.query, documents.grade) / documents.span
    rank = documents.rank.astype(np.float64)
    before, came_from = documents.above(still, target), documents.above(rank, 1.0)
    with np.errstate(invalid="ignore"):
        step = np.where(rank > came_from, (came_from - 1.0 + before) / (rank - 1.0 + before), 1.0)
    reach = documents.product(step**2)
    between = reach * _ahead(rank - 1.0 + still, documents.next_rank - rank)
    return reach, documents.depth(
        1.0 + _ahead(np.full(documents.size, target), documents.first_rank - 1.0), between
    )


def _ahead(x: Floats, ranks: Floats | float) -> Floats:
    """The sum of (x / (x + n))^2 over n from 1 to `ranks`, which may be infinity."""
    return x**2 * (trigamma(x + 1.0) - trigamma(x + 1.0 + ranks))


def _needs_cutoff(view: View, name: str) -> None:
    if view.cutoff is None:
        raise UsageError(
            f"{name} needs a cut-off: the rank at which its user stops", hint=f"write {name}(max_rel=3)@10"
        )


def _wanted(low: float, meaning: str) -> ParameterInfo:
    return ParameterInfo(1.0, f"the gain that the user wants in all, {meaning}", low=low)


FRAMEWORK = "Azzopardi, Thomas and Moffat, cwl_eval, SIGIR 2019; ir_measures"
ENDLESS = "; the list goes on without end past its last document, but with depth:N to N ranks only"
BARREN = "no judged document has a grade of 1 or more: utility 0, see no_relevant; nothing was returned: 0"

BPM = Family(
    name="BPM",
    title="Bejeweled player model",
    formula="mean gain of the documents down to the rank where gains of T are reached, at most k;"
    " C(i) = 1 while the sum of gains is below T and i < k, else 0; gain = (grade - min_rel) / (max_rel -"
    " min_rel), from 0 to 1",
    range="0 to 1; total utility, total cost and depth 0 to k",
    cutoff="required",
    source="Zhang et al., Evaluating web search with a bejeweled player model, SIGIR 2017 (static);"
    f" {FRAMEWORK} BPM",
    reads=ROWS | GRADE | AVERAGE | FINDING,
    kernel=kernel_of("BPM", _bejeweled),
    undefined=BARREN,
    parameters={"T": _wanted(5e-324, "above 0"), **PARAMETERS},
)

SDCG = replace(
    BPM,
    name="SDCG",
    title="Scaled discounted cumulative gain",
    formula="sum of gain / log2(rank + 1) over the first k / sum of 1 / log2(rank + 1) over k ranks;"
    " C(i) = log2(i + 1) / log2(i + 2) for i < k, else 0; gain as for BPM",
    source="Järvelin and Kekäläinen, TOIS 20(4), 2002, with weights that sum to 1 as in Moffat et al., TOIS"
    f" 35(3), 2017; {FRAMEWORK} SDCG",
    kernel=kernel_of("SDCG", _discounted),
    parameters={"dcg": ParameterInfo("log2", "the discount: log2", choices=("log2",)), **PARAMETERS},
)

NERR8 = replace(
    BPM,
    name="NERR8",
    title="Nearly expected reciprocal rank, equation 8",
    formula="sum of W × gain; C(i) = 1 - gain(i) for i < k, else 0; W(i) is the product of C above i / the"
    " sum of these products over k ranks; gain as for BPM",
    source="Azzopardi, Mackenzie and Moffat, ERR is not C/W/L, ICTIR 2021; " + f"{FRAMEWORK} NERR8",
    kernel=kernel_of("NERR8", _until_satisfied),
    parameters=PARAMETERS,
)

NERR9 = replace(
    NERR8,
    name="NERR9",
    title="Nearly expected reciprocal rank, equation 9",
    formula="as NERR8, with C(i) = (1 - gain(i)) × i / (i + 1) for i < k, else 0",
    source=NERR8.source.replace("NERR8", "NERR9"),
    kernel=kernel_of("NERR9", _less_by_rank),
)

NERR10 = replace(
    NERR8,
    name="NERR10",
    title="Nearly expected reciprocal rank, equation 10",
    formula=f"as NERR8, with C(i) = p × (1 - gain(i)){ENDLESS}",
    range="0 to 1; total utility, total cost and depth 0 and up",
    cutoff="none",
    source=NERR8.source.replace("NERR8", "NERR10"),
    kernel=kernel_of("NERR10", _persistent),
    parameters={
        "p": ParameterInfo(
            0.9, "the probability to go on past a document without gain, below 1", high=np.nextafter(1, 0)
        ),
        **PARAMETERS,
    },
)

INSQ = replace(
    NERR10,
    name="INSQ",
    title="Inverse squares",
    formula="sum of W × gain; W(i) is 1 / (i + 2T - 1)^2 / the sum of that over all ranks;"
    f" C(i) = ((i + 2T - 1) / (i + 2T))^2; gain as for BPM{ENDLESS}",
    source=f"Moffat, Scholer and Thomas, Models and metrics, ADCS 2012; {FRAMEWORK} INSQ",
    kernel=kernel_of("INSQ", _inverse_squares),
    parameters={"T": _wanted(0.0, "0 or more"), **PARAMETERS},
)

INST = replace(
    INSQ,
    name="INST",
    title="Inverse squares, adapting to what was gained",
    formula="sum of W × gain; W(i) is the product of C above i / the sum of these products over all ranks;"
    " C(i) = ((i + 2T - G - 1) / (i + 2T - G))^2, with G the sum of gains down to rank i; gain as for"
    f" BPM{ENDLESS}",
    source=f"Moffat, Bailey, Scholer and Thomas, INST, ADCS 2015; {FRAMEWORK} INST",
    kernel=kernel_of("INST", _adaptive),
    parameters={"T": _wanted(0.5, "0.5 or more: with less, C could be above 1"), **PARAMETERS},
)

NERR11 = replace(
    NERR10,
    name="NERR11",
    title="Nearly expected reciprocal rank, equation 11",
    formula=f"as NERR8, with C(i) = (1 - gain(i)) × ((i + 2T - 1) / (i + 2T))^2{ENDLESS}",
    source=NERR8.source.replace("NERR8", "NERR11"),
    kernel=kernel_of("NERR11", _squares_until_satisfied),
    parameters=INSQ.parameters,
)
