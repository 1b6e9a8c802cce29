"""Profiles against what real tools printed: every value, mean and error of the observation sets."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import pytest

from profiles.observations import SETS, Observation, counts, disagreements, read
from treconcile.profiles import profiles

EXCEPTIONS = Path(__file__).with_name("exceptions.json")
"""What may disagree: the label of an observation, the queries (or `mean`), and the reason."""

VALUES, MEANS = 0.99, 0.97
MORE = [Path(each) for each in os.environ.get("TRECONCILE_OBSERVATIONS", "").split(os.pathsep) if each]
"""Further sets of observations to try, each a folder."""


def known() -> dict[tuple[str, str], str]:
    """The reason of each value that is listed as an exception."""
    listed = json.loads(EXCEPTIONS.read_text(encoding="utf-8"))
    return {(each["observation"], query): each["reason"] for each in listed for query in each["queries"]}


def compared(name: str | Path) -> tuple[Counter[str], dict[tuple[str, str], str]]:
    """How many values and means a set has, and those that disagree, with both sides."""
    total: Counter[str] = Counter()
    wrong: dict[tuple[str, str], str] = {}
    for observation in read(name):
        values, means = counts(observation)
        total.update(values=values, means=means)
        for line in disagreements(observation):
            query, _, text = line.partition(": ")
            wrong[observation.label, query] = text
    return total, wrong


@pytest.mark.parametrize("name", [*SETS, *MORE], ids=str)
def test_observations_follow_from_the_profiles(name: str | Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nearly all values and means are computed from the profile; the rest is listed, and nothing else is."""
    total, wrong = compared(name)
    means = sum(query == "mean" for _, query in wrong)
    agree = {"values": total["values"] - len(wrong) + means, "means": total["means"] - means}
    with capsys.disabled():
        print(
            f"\nset {Path(name).name}: {agree['values']} of {total['values']} values and "
            f"{agree['means']} of {total['means']} means agree, with {len(profiles())} profiles"
        )
    assert agree["values"] >= VALUES * total["values"], wrong
    assert agree["means"] >= MEANS * total["means"], wrong
    if name in SETS:
        listed = {key for key in known() if key[0].startswith(f"{name} | ")}
        assert wrong.keys() == listed, {key: wrong.get(key, "agrees now") for key in wrong.keys() ^ listed}


def test_every_exception_has_a_reason() -> None:
    """Nothing is excepted without saying why."""
    assert all(reason.strip() for reason in known().values())


def test_a_profile_is_a_setting_not_an_observation() -> None:
    """There are far fewer profiles than settings observed, and every observed setting has one."""
    used = {observation.profile[0].name for name in SETS for observation in read(name)}
    assert used <= set(profiles())
    assert len(used) < len({_setting(each) for name in SETS for each in read(name)})


def _setting(observation: Observation) -> tuple[str, ...]:
    return tuple(str(observation.record[key]) for key in ("tool", "version", "variant"))
