"""What the C/W/L measures refuse, and that they hold for lists of any length."""

from __future__ import annotations

import math

import numpy as np
import pytest

from oracle import Data
from treconcile.errors import UsageError
from treconcile.measures.user_model import trigamma
from treconcile.score import evaluate

DATA = Data([("q1", "0", "a", 3), ("q1", "0", "b", 1)], [("q1", "a", 2.0, 1), ("q1", "b", 1.0, 2)])


def value(name: str, convention: str = "", data: Data = DATA) -> float | None:
    """The mean of a measure."""
    return evaluate(data.judgments(), data.run(), [name], convention)[name].mean


@pytest.mark.parametrize(
    ("name", "convention", "message", "hint"),
    [
        (
            "INST",
            "",
            "INST weighs grades .* max_rel is not given",
            "highest judged here is 3: write max_rel=3",
        ),
        ("RBP(min_rel=1)", "", "RBP weighs grades .* max_rel is not given", "write max_rel=3"),
        ("INSQ(min_rel=4,max_rel=3)", "", "max_rel 3 is not above the lowest, 4", "write max_rel=5"),
        ("BPM(max_rel=3)", "", "BPM needs a cut-off", "@10"),
        ("SDCG(max_rel=3)", "", "SDCG needs a cut-off", "@10"),
        ("NERR8(max_rel=3)", "", "NERR8 needs a cut-off", "@10"),
        ("NERR9(max_rel=3)", "", "NERR9 needs a cut-off", "@10"),
        ("SDCG(max_rel=3)@10000001", "", "looks at 10000000 ranks at most, not at 10000001", None),
        ("INST(max_rel=3)", "ties:inclusive", "ties:inclusive has no meaning for INST", None),
        ("INST(max_rel=3)", "ties:expected", "ties:expected has no closed form for INST", None),
        ("RBP(graded=True,max_rel=3)", "", "from the judgments .* or from max_rel, not both", "leave one"),
        ("RBP(p=1,expected=depth)", "", "with p=1 the user of RBP never stops", None),
    ],
)
def test_what_has_no_value_is_refused(name: str, convention: str, message: str, hint: str | None) -> None:
    """A clear error says what is missing or cannot be combined."""
    with pytest.raises(UsageError, match=message) as caught:
        value(name, convention)
    assert (hint or "") in (caught.value.hint or "")


def test_a_user_who_never_stops_still_gains() -> None:
    """With p=1 the gain of RBP is a sum, and that per document comes to nothing."""
    assert value("RBP(p=1,expected=total-utility)") == 2
    assert value("RBP(p=1,max_rel=3,expected=total-utility)") == pytest.approx(4 / 3)
    assert value("RBP(p=1)") == 0
    assert value("RBP(p=1,expected=cost)") == 1


@pytest.mark.parametrize(
    "name", ["INST(max_rel=4)", "INSQ(max_rel=4)", "NERR10(max_rel=4)", "NERR11(max_rel=4)"]
)
def test_ever_deeper_lists_come_to_one_without_end(name: str) -> None:
    """A list that ends far down gives nearly what one without end gives, and one that ends early does not."""
    near, far, endless = (value(name, each) for each in ("depth:3", "depth:1000000", ""))
    assert far == pytest.approx(endless, rel=1e-5)
    assert near != pytest.approx(endless, rel=1e-3)


def test_a_gain_far_down_counts() -> None:
    """Documents that nobody judged cost the ranks that they take, however many they are."""
    listed = [("q1", f"x{rank}", 1e6 - rank, rank) for rank in range(1, 5000)] + [("q1", "a", 0.0, 5000)]
    data = Data([("q1", "0", "a", 1)], listed)
    weight = 1 / 5001**2 / (math.pi**2 / 6 - 1)
    assert value("INSQ(max_rel=1)", data=data) == pytest.approx(weight, rel=1e-12)
    assert value("INST(max_rel=1)", data=data) == pytest.approx(weight, rel=1e-3)
    assert value("INST(max_rel=1)", "depth:1000", data=data) == 0
    assert value("BPM(max_rel=1)@5000", data=data) == 1 / 5000


def test_grades_beyond_the_scale_count_as_its_ends() -> None:
    """A grade above the highest gains 1, and one below the lowest nothing."""
    assert value("SDCG(max_rel=1)@2") == pytest.approx(1)
    assert value("NERR8(min_rel=1,max_rel=2,expected=total-utility)@2") == 1
    harmful = Data([("q1", "0", "a", 2), ("q1", "0", "b", -1)], DATA.results)
    assert value("BPM(T=3,max_rel=2)@2", data=harmful) == 0.5


def test_trigamma() -> None:
    """The sum of 1 / (x + n)^2, at points where it is known."""
    known = {1.0: math.pi**2 / 6, 0.5: math.pi**2 / 2, 3.0: math.pi**2 / 6 - 5 / 4, math.inf: 0.0}
    assert trigamma(np.array([*known])) == pytest.approx([*known.values()], rel=1e-14)
