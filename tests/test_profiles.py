"""Profiles: named conventions, and what a user may write after -C."""

from __future__ import annotations

import doctest

import pytest

import treconcile.profiles
from treconcile.convention import DEFAULT, Convention, parse_changes
from treconcile.errors import UsageError
from treconcile.measures import FAMILIES
from treconcile.measures.spec import parse_measure
from treconcile.profiles import Profile, profiles, resolve


def test_default_profile_is_the_default() -> None:
    """The profile named default changes nothing for any measure."""
    default = resolve("default")
    assert all(default.for_measure(name, cutoff) == DEFAULT for name in FAMILIES for cutoff in (None, 3))


@pytest.mark.parametrize("name", profiles())
def test_every_profile_is_complete(name: str) -> None:
    """Every profile names tool, source and evidence, and changes and names measures that exist."""
    profile = profiles()[name]
    assert profile.name == name
    assert profile.tool
    assert profile.source
    assert profile.evidence or name == "default"
    for form in profile.measures:
        assert parse_measure(measure_text(form)).name in FAMILIES
    for theirs, text in profile.names.items():
        native, ours = theirs.format(k=7, l=2), text.format(k=7, l=2)
        assert profile.ours(native) == ours
        measure = parse_measure(ours)
        assert profile.has(measure.name, measure.cutoff)


@pytest.mark.parametrize("name", profiles())
def test_every_change_of_a_profile_is_read(name: str) -> None:
    """A measure reads each axis that a profile changes for it alone."""
    for form, changes in profiles()[name].measures.items():
        assert set(changes) <= set(parse_measure(measure_text(form)).reads), form


def measure_text(form: str) -> str:
    """A form of a measure in a profile, with a cut-off of 7 where it wants one."""
    text = form.replace(":", "=")
    return f"{text}7" if text.endswith("@") else text


def test_a_profile_knows_which_measures_the_tool_has() -> None:
    """What is not listed is not there, unless the caller cuts the list or more is there than is listed."""
    quepid, haystack, trec_eval = (profiles()[name] for name in ("quepid", "haystack", "trec_eval-9"))
    assert quepid.has("RR", 10)
    assert not quepid.has("RR", None)
    assert not quepid.has("R", 10)
    assert haystack.has("RR", 10)
    assert not haystack.has("P", None)
    assert trec_eval.has("Bpref", None)
    assert Profile().has("P", 3)


def test_measures_are_known_by_the_names_of_the_tool() -> None:
    """A tool's own name of a measure gives ours, the numbers in it included."""
    assert profiles()["ranx"].ours("ndcg_burges@5-l2") == "nDCG(rel=2, gain=exponential-relevant)@5"
    assert profiles()["llamaindex"].ours("mrr") == "RR"
    assert profiles()["llamaindex"].ours("mrr (cut)") is None


def test_changes_go_from_the_general_to_the_special() -> None:
    """An entry without @ holds for both forms, one with @ on top of it where there is a cut-off."""
    profile = Profile(
        measures={
            "RR": parse_changes("ties:input rel:2"),
            "RR@": parse_changes("ties:docid-asc"),
            "RR(target:mean)@": parse_changes("rel:3"),
        }
    )
    assert profile.for_measure("RR", None) == Convention(ties="input", rel=2)
    assert profile.for_measure("RR", 10) == Convention(ties="docid-asc", rel=2)
    assert profile.for_measure("RR", 10, (("target", "mean"),)) == Convention(ties="docid-asc", rel=3)
    assert profile.for_measure("P", 10) == DEFAULT


def test_what_is_asked_wins_over_the_profile() -> None:
    """An axis set by hand holds for every measure, also for those that the profile treats on their own."""
    profile = resolve("ir_measures+ties:best")
    assert profile.for_measure("RR", 10).ties == "best"
    assert profile.for_measure("RR", 10).score_precision == "float64"
    assert profile.for_measure("AP", None) == Convention(
        ties="best", score_precision="float32", duplicates="last", recall_count="up"
    )
    assert profile.asked == {"ties": "best"}


@pytest.mark.parametrize(
    ("text", "name", "changed"),
    [
        (None, "", ""),
        ("", "", ""),
        ("ties=input denominator=returned", "", "ties:input denominator:returned"),
        ("ir_measures", "ir_measures", "score_precision:float32 duplicates:last recall_count:up"),
        ("IR_Measures", "ir_measures", "score_precision:float32 duplicates:last recall_count:up"),
        ("ir_measures+rel:2", "ir_measures", "score_precision:float32 duplicates:last rel:2 recall_count:up"),
        (
            "rel=2, ir_measures",
            "ir_measures",
            "score_precision:float32 duplicates:last rel:2 recall_count:up",
        ),
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
