"""Published examples, which are not in the repository."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray


@pytest.fixture(scope="session")
def sakai(real_data: Path) -> NDArray[np.float64]:
    """Three systems, 20 topics: table 5.1 of Sakai's textbook (ISBN 9784339024968); shape (20, 3)."""
    lines = (real_data / "cases/sakai-20x3/scores.tsv").read_text().splitlines()[1:]
    return np.array([[float(each) for each in line.split("\t")[1:]] for line in lines])


@pytest.fixture(scope="session")
def adhoc8(real_data: Path) -> NDArray[np.float64]:
    """Average precision of two TREC-8 systems, 50 topics; shape (50, 2)."""
    path = real_data / "cases/urbano-adhoc8/adhoc8_ap.csv"
    if not path.exists():
        pytest.skip("data/adhoc8_ap.csv of julian-urbano/sigir2019-statistical is not there")
    table = np.genfromtxt(path, delimiter=",", skip_header=1)
    return table[:, [124, 125]]
