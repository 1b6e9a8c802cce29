"""The second example is what its own check says, and strict about its input."""

import pytest

from treconcile.demo.precision_at_k import check, precision_at_k


def test_its_own_check_holds() -> None:
    check()


@pytest.mark.parametrize("k", [0, -1])
def test_k_is_at_least_1(k: int) -> None:
    with pytest.raises(ValueError, match="1 or more"):
        precision_at_k({"A"}, ["A"], k)


def test_a_duplicate_anywhere_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        precision_at_k({"A"}, ["A", "B", "C", "C"], 1)
