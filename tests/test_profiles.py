"""Profiles: named conventions, and what a user may write after -C."""

from __future__ import annotations

import doctest

import pytest

import treconcile.profiles
from treconcile.convention import DEFAULT, Convention
from treconcile.errors import UsageError
from treconcile.measures import FAMILIES
from treconcile.profiles import Profile, profiles, resolve


def test_default_profile_is_the_default() -> None:
    """The profile named default changes nothing for any measure."""
    default = resolve("default")
    assert all(default.for_measure(name, cutoff) == DEFAULT for name in FAMILIES for cutoff in (None, 3))


@pytest.mark.parametrize("name", profiles())
def test_every_profile_is_complete(name: str) -> None:
    """Every profile names tool and source, and its measures exist."""
    profile = profiles()[name]
    assert profile.name == name
    assert profile.tool
    assert profile.source
    assert {each.removesuffix("@") for each in profile.measures} <= set(FAMILIES)
    for each in profile.measures:
        assert profile.for_measure(each.removesuffix("@"), 3) != profile.convention


def test_measure_with_a_cutoff_has_its_own_entry() -> None:
    """An entry with @ holds for the form with a cut-off only, one without for both."""
    profile = Profile(measures={"RR@": {"ties": "docid-asc"}, "P": {"ties": "input"}})  # type: ignore[dict-item]
    assert profile.for_measure("RR", 10).ties == "docid-asc"
    assert profile.for_measure("RR", None).ties == "docid-desc"
    assert profile.for_measure("P", 10).ties == profile.for_measure("P", None).ties == "input"


def test_what_is_asked_wins_over_the_profile() -> None:
    """An axis set by hand holds for every measure, also for those that the profile treats on their own."""
    profile = resolve("ir_measures+ties:best")
    assert profile.for_measure("RR", 10).ties == "best"
    assert profile.for_measure("RR", 10).score_precision == "float64"
    assert profile.for_measure("AP", None) == Convention(
        ties="best", score_precision="float32", duplicates="last"
    )
    assert profile.asked == {"ties": "best"}


@pytest.mark.parametrize(
    ("text", "name", "changed"),
    [
        (None, "", ""),
        ("", "", ""),
        ("ties=input denominator=returned", "", "ties:input denominator:returned"),
        ("trec_eval-9-c", "trec_eval-9-c", "score_precision:float32"),
        ("TREC_EVAL-9-C", "trec_eval-9-c", "score_precision:float32"),
        ("trec_eval-9-c+rel:2", "trec_eval-9-c", "score_precision:float32 rel:2"),
        ("rel=2, trec_eval-9-c", "trec_eval-9-c", "score_precision:float32 rel:2"),
    ],
)
def test_text_is_resolved(text: str | None, name: str, changed: str) -> None:
    """A profile's name, axis changes, or both, in any order."""
    profile = resolve(text)
    assert profile.name == name
    assert str(profile.for_measure("P", 3).changed()) == changed


def test_conventions_and_profiles_are_taken_as_they_are() -> None:
    """A convention becomes a nameless profile without anything asked by hand; a profile stays itself."""
    made = resolve(Convention(ties="input"))
    assert made.for_measure("P", 3) == Convention(ties="input")
    assert made.asked == {}
    assert resolve(made) is made


def test_printed_profile_resolves_to_itself() -> None:
    """What a profile prints is read as the same profile."""
    for text in ("default", "ir_measures", "trec_eval-10+missing:skip", "ties:input+rel:0.5"):
        profile = resolve(text)
        assert str(profile) == text
        assert resolve(str(profile)) == profile
    assert str(resolve(None)) == "default"


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("trec_evil-9", "there is no profile 'trec_evil-9'", "did you mean 'trec_eval-9'?"),
        ("qqqq", "there is no profile 'qqqq'", "see `treconcile list profiles`"),
        ("ranx+pytrec_eval", "one profile at a time: ranx and pytrec_eval", "add single axes as +axis:value"),
        ("ranx+tise:input", "there is no axis 'tise'", "did you mean 'ties'?"),
    ],
)
def test_mistakes_are_explained(text: str, message: str, hint: str) -> None:
    """An unknown profile, two of them, or a wrong axis is refused with a hint."""
    with pytest.raises(UsageError) as caught:
        resolve(text)
    assert (caught.value.message, caught.value.hint) == (message, hint)


def test_replace_checks_and_keeps_what_was_asked() -> None:
    """Replacing adds to what was asked, later values win, and wrong ones are refused at once."""
    profile = resolve("ranx+rel:2").replace(ties="INPUT").replace(rel=3)
    assert str(profile) == "ranx+rel:3+ties:input"
    with pytest.raises(UsageError):
        profile.replace(ties="sideways")


def test_examples_in_the_docstrings_hold() -> None:
    """The examples of the module print what they say."""
    assert doctest.testmod(treconcile.profiles).failed == 0
