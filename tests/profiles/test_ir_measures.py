"""The default pipeline of ir_measures does what the provider does that it takes."""

from __future__ import annotations

import pytest

from profiles.live.ir_measures_names import asked, pipeline
from treconcile.measures.spec import parse_measure
from treconcile.profiles import profiles
from treconcile.score import convention_of

pytest.importorskip("ir_measures")


@pytest.mark.slow
def test_the_default_pipeline_follows_the_first_provider_that_has_a_measure() -> None:
    """Its profile says of each measure what the profile of that provider says."""
    seen = 0
    for provider in pipeline():
        if not provider.is_available() or f"ir_measures-{provider.NAME}" not in profiles():
            continue
        for measure in (each for group in asked(provider.NAME, ".*").values() for each in group):
            if _first(measure) != provider.NAME:
                continue
            ours, seen = parse_measure(str(measure)), seen + 1
            conventions = [
                convention_of(ours, profiles()[name]).show(ours.reads)
                for name in ("ir_measures", f"ir_measures-{provider.NAME}")
            ]
            assert conventions[0] == conventions[1], measure
    assert seen


def _first(measure: object) -> str:
    return next(each.NAME for each in pipeline() if each.is_available() and each.supports(measure))
