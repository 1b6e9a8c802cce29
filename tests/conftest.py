"""Fixtures that tests of several layers share, and how much drawn tests draw."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A busy machine is no failure, so nothing drawn has a deadline. `make test` draws little; `make slow` runs
# all drawn tests once more, thoroughly.
DRAWN = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
settings.register_profile("quick", DRAWN, max_examples=15)
settings.register_profile("thorough", DRAWN, max_examples=60)
settings.load_profile("quick")


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real collections, which are not in the repository."""
    place = os.environ.get("TRECONCILE_TEST_DATA")
    if not place:
        pytest.skip("TRECONCILE_TEST_DATA is not set")
    return Path(place)
