"""The convention: its printed form, how it is read, and that its default does not change unnoticed."""

from __future__ import annotations

import doctest
import math
import pickle
import random
from pathlib import Path

import pytest
from hypothesis import given

import treconcile.convention
from draws import draw_any_convention, randoms
from treconcile.convention import (
    DEFAULT,
    Convention,
    Ties,
    axes,
    checked_changes,
    parse_changes,
    stage_of,
    title_of,
    value_text,
    values_of,
)
from treconcile.errors import UsageError

GOLDEN = Path(__file__).parent / "cases" / "default_convention.txt"


@given(randoms())
def test_printed_convention_reads_back(rng: random.Random) -> None:
    """What a convention prints, in full or only where it is changed, is read as the same convention."""
    convention = draw_any_convention(rng)
    assert Convention.parse(str(convention)) == convention
    assert Convention.parse(str(convention.changed())) == convention


@given(randoms(), randoms())
def test_different_conventions_print_differently(one: random.Random, other: random.Random) -> None:
    """Two conventions print the same text exactly if they are equal."""
    left, right = draw_any_convention(one), draw_any_convention(other)
    assert (left == right) is (str(left) == str(right))


def test_every_single_change_prints_differently() -> None:
    """Each value of each axis gives a text of its own."""
    changed = [DEFAULT.replace(**{axis: value}) for axis in axes() for value in values_of(axis)[1:]]
    assert len({str(each) for each in (*changed, DEFAULT)}) == len(changed) + 1


def test_default_is_the_golden_one() -> None:
    """The default and the order of the axes are as committed: a change of either is a major version."""
    assert "".join(f"{each}\n" for each in str(DEFAULT).split()) == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "base", "late"),
    [
        ("log2", 2.0, False),
        ("ln", math.e, False),
        ("log10", 10.0, False),
        ("log3", 3.0, False),
        ("max-1-log2.5", 2.5, True),
        ("max-1-ln", math.e, True),
        ("rank", None, False),
        ("none", None, False),
    ],
)
def test_a_discount_has_any_base(text: str, base: float | None, late: bool) -> None:
    """A discount tells its base, reads back and pickles as itself, and says what it does."""
    convention = Convention.parse(f"discount={text}")
    assert (convention.discount.base, convention.discount.starts_late) == (base, late)
    assert str(convention.changed()) == ("" if text == "log2" else f"discount:{text}")
    assert pickle.loads(pickle.dumps(convention)) == convention
    assert hash(convention) == hash(DEFAULT.replace(discount=text))
    assert convention.discount.__doc__


@pytest.mark.parametrize("text", ["log1", "log0.9", "log", "log-2", "loge", "lb", "max-1", "max-1-log1", "2"])
def test_a_discount_needs_a_base_above_1(text: str) -> None:
    """A logarithm to another base is refused."""
    with pytest.raises(UsageError, match="is not a value of the axis discount"):
        Convention.parse(f"discount={text}")


def test_every_axis_and_value_is_described() -> None:
    """Every axis has a stage and a title, every value a meaning of its own."""
    for axis in axes():
        assert stage_of(axis) in ("ranking", "relevance", "formula", "averaging")
        assert title_of(axis).endswith(".")
        meanings = [value.__doc__ for value in values_of(axis)]
        assert all(meanings)
        assert len(set(meanings)) == len(meanings)


def test_first_value_is_the_default() -> None:
    """The first value listed of an axis is the one in force by default."""
    for axis in axes():
        if values_of(axis):
            assert values_of(axis)[0] is getattr(DEFAULT, axis)


def test_examples_in_the_docstrings_hold() -> None:
    """The examples of the module print what they say."""
    assert doctest.testmod(treconcile.convention).failed == 0


@pytest.mark.parametrize(
    "text",
    [
        "denominator=returned ties=input",
        "denominator:returned ties:input",
        "denominator=returned,ties:input",
        "denominator=returned+ties=input",
        "  ties=INPUT\n denominator=Returned ",
        "ties:input denominator:returned ties=input",
    ],
)
def test_changes_are_read_in_any_spelling(text: str) -> None:
    """Equals sign or colon, blank, comma or plus, and any case are read alike."""
    assert Convention.parse(text) == Convention(denominator="returned", ties="input")


def test_hyphens_and_underscores_are_alike() -> None:
    """Names and values may be written with either."""
    assert parse_changes("score-precision=float32") == {"score_precision": "float32"}
    assert parse_changes("ties=docid_asc") == {"ties": Ties.DOCID_ASC}
    assert Convention().replace(**{"self-match": "drop"}).self_match == "drop"


@pytest.mark.parametrize(
    ("text", "axis", "value"),
    [
        ("rel=0.5", "rel", 0.5),
        ("rel=2.0", "rel", 2),
        ("rel=-1", "rel", -1),
        ("depth=none", "depth", None),
        ("depth=5", "depth", 5),
        ("depth=cutoff", "depth", "cutoff"),
        ("round=0", "round", 0),
        ("round=none", "round", None),
    ],
)
def test_numbers_are_read(text: str, axis: str, value: object) -> None:
    """Numbers are read as numbers, whole ones as whole ones, and none as none."""
    read = getattr(Convention.parse(text), axis)
    assert (read, type(read)) == (value, type(value))


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("tise=input", "there is no axis 'tise'", "did you mean 'ties'?"),
        ("xyzzy=1", "there is no axis 'xyzzy'", "treconcile list conventions"),
        ("=input", "there is no axis ''", "treconcile list conventions"),
        ("ties=imput", "'imput' is not a value of the axis ties", "did you mean 'input'?"),
        ("ties=9", "'9' is not a value of the axis ties", "it is one of docid-desc, "),
        ("ties=input ties=best", "the axis ties is given twice, as input and as best", None),
        ("ties", "'ties' is not of the form axis=value", "did you mean 'ties'?"),
        ("rel=high", "'high' is not a value of the axis rel", "it is a number"),
        ("rel=nan", "'nan' is not a value of the axis rel", "it is a number"),
        ("rel=inf", "'inf' is not a value of the axis rel", "it is a number"),
        ("depth=0", "'0' is not a value of the axis depth", "a whole number from 1 up, cutoff or none"),
        ("depth=2.5", "'2.5' is not a value of the axis depth", "a whole number from 1 up, cutoff or none"),
        ("round=-1", "'-1' is not a value of the axis round", "a whole number from 0 up, or none"),
    ],
)
def test_mistakes_are_explained(text: str, message: str, hint: str | None) -> None:
    """A wrong name, value or form is refused with what was meant or what is possible."""
    with pytest.raises(UsageError) as caught:
        Convention.parse(text)
    assert caught.value.message == message
    assert caught.value.hint == hint or (hint and hint in str(caught.value.hint))


@pytest.mark.parametrize("value", [True, 10**400, [1], "1e999", math.nan])
def test_only_numbers_are_a_threshold(value: object) -> None:
    """The threshold refuses what is not a finite number."""
    with pytest.raises(UsageError, match="not a value of the axis rel"):
        Convention(rel=value)  # type: ignore[arg-type]


@pytest.mark.parametrize("change", [{"ties": None}, {"ties": 1}, {"depth": True}, {"nothing": 1}])
def test_replace_checks_names_and_values(change: dict[str, object]) -> None:
    """Changes through the API are checked as those on the command line."""
    with pytest.raises(UsageError):
        DEFAULT.replace(**change)  # type: ignore[arg-type]


def test_text_is_as_good_as_a_member() -> None:
    """A convention made of texts equals the one made of members, and both hash alike."""
    one, other = Convention(ties="docid-asc"), Convention(ties=Ties.DOCID_ASC)
    assert one == other
    assert {one: 1}[other] == 1
    assert one.ties is Ties.DOCID_ASC


def test_changes_leave_the_base_alone() -> None:
    """Parsing on top of a base keeps its other axes, and replacing makes a new convention."""
    base = Convention(ties="input")
    assert Convention.parse("rel=2", base) == Convention(ties="input", rel=2)
    assert base.replace(rel=3).replace(rel=1) == base
    assert base == Convention(ties="input")


def test_difference_names_both_values() -> None:
    """The difference holds each axis on which two conventions differ, this one's value first."""
    one, other = Convention(ties="input", rel=2), Convention(ties="best")
    assert one.diff(other) == {"ties": ("input", "best"), "rel": (2, 1)}
    assert one.diff(one) == {}
    assert repr(one.diff(other)) == "{'ties': ('input', 'best'), 'rel': (2, 1)}"


def test_changed_prints_and_is_usable_as_arguments() -> None:
    """What differs from the default prints as it is parsed, and makes the same convention again."""
    changed = Convention(rel=0.5, depth=10, mean="micro").changed()
    assert str(changed) == "depth:10 rel:0.5 mean:micro"
    assert Convention(**changed) == Convention(rel=0.5, depth=10, mean="micro")
    assert str(DEFAULT.changed()) == ""


def test_show_prints_the_named_axes_in_their_order() -> None:
    """Only the axes asked for are shown, in the order of the fields."""
    assert DEFAULT.show(["missing", "ties"]) == "ties:docid-desc missing:zero"


def test_checked_changes_take_any_mapping() -> None:
    """A table from a data file becomes checked members."""
    assert checked_changes({"score-precision": "float32", "depth": "none"}) == {
        "score_precision": "float32",
        "depth": None,
    }
    with pytest.raises(UsageError):
        checked_changes({"ties": "sideways"})


@pytest.mark.parametrize(
    ("value", "text"), [(None, "none"), (Ties.BEST, "best"), (1, "1"), (0.1, "0.1"), (1e-07, "1e-07")]
)
def test_values_print_so_that_they_round_trip(value: object, text: str) -> None:
    """Numbers print by round-trip repr, none as none."""
    assert value_text(value) == text  # type: ignore[arg-type]


def test_convention_survives_pickling() -> None:
    """A convention can be sent to another process."""
    convention = Convention(ties="best", rel=0.5)
    copy = pickle.loads(pickle.dumps(convention))
    assert copy == convention
    assert copy.ties is Ties.BEST
