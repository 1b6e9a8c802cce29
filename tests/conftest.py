"""Fixtures that tests of several layers share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real collections, which are not in the repository."""
    place = os.environ.get("TRECONCILE_TEST_DATA")
    if not place:
        pytest.skip("TRECONCILE_TEST_DATA is not set")
    return Path(place)
