"""Cross-checks: every verdict from a real case, and no reason that is not true."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from draws import MEASURES, choices, draw_data, randoms
from treconcile.align import Alignment
from treconcile.comparison import crosscheck as module
from treconcile.comparison.comparison import Comparison, Crosscheck
from treconcile.comparison.convention_search import agree, equal, tolerance
from treconcile.comparison.crosscheck import Mine, compare, crosscheck
from treconcile.convention import DEFAULT, Changes, Convention
from treconcile.errors import InputError, MismatchError, ToolError, UsageError
from treconcile.formats import read_judgments, read_run
from treconcile.measures.spec import Measure, parse_measures
from treconcile.profiles import Profile
from treconcile.score import MeasureScores, score_measure
from treconcile.tools.isolation import installed
from treconcile.tools.protocol import ToolResult
from treconcile.users.observed import Observed, aggregate_of

QRELS = {"q1": {"a": 1, "b": 1}, "q2": {"c": 1}, "q3": {"d": 2, "e": 0}}
RUN = {"q1": {"a": 3.0, "x": 2.0}, "q2": {"y": 2.0, "c": 1.0, "z": 0.5}, "q3": {"d": 1.0}}


def checked(
    measures: str = "P@3",
    mine: str | Mine = "default",
    against: str = "pytrec_eval",
    qrels: Mapping[str, Any] = QRELS,
    run: Mapping[str, Any] = RUN,
) -> list[Comparison]:
    """The comparisons of a cross-check with one tool."""
    found = crosscheck(read_judgments(qrels), read_run(run), measures, mine, [against])
    return list(found.comparisons)


def values(measure: str, by_query: dict[str, float | None], digits: int | None = None) -> Mine:
    """Values from nowhere in particular."""
    (of,) = parse_measures(measure)
    seen = Observed(of, by_query, {}, aggregate_of(of, by_query), digits, digits)
    return Mine("values", observed={of: seen})


# Each verdict


def test_agree() -> None:
    """The same values for the same queries, and the same mean."""
    (made,) = checked()
    assert (made.verdict, made.both, made.reasons) == ("agree", 3, ())
    assert made.tool_convention == DEFAULT.replace(score_precision="float32", missing="skip", empty="skip")


def test_explained_by_a_formula() -> None:
    """The axis is named with both values, the queries that it matters for, and a fraction that shows it."""
    (made,) = checked(mine="denominator=returned")
    (reason,) = made.reasons
    assert made.verdict == "explained"
    assert (reason.axis, reason.mine, reason.tool) == ("denominator", "returned", "k")
    assert reason.queries == ("q1", "q3")
    assert reason.example == "q1 is 1/2 with returned and 1/3 with k"


def test_explained_by_two_axes() -> None:
    """Each of the two has its own queries."""
    run = {query: results for query, results in RUN.items() if query != "q3"}
    (made,) = checked(mine="denominator=returned", run=run)
    assert {reason.axis: reason.queries for reason in made.reasons} == {
        "denominator": ("q1",),
        "missing": ("q3",),
    }
    assert (made.only_mine, made.only_tool, made.differing) == (("q3",), (), ("q1",))


def test_explained_by_the_mean_alone() -> None:
    """Equal values with another mean are not put down to an axis that happens to differ as well."""
    (made,) = checked("RR", mine="mean=geometric ties=input")
    assert made.differing == ()
    assert [(reason.axis, reason.queries) for reason in made.reasons] == [("mean", ())]


def test_within_ties() -> None:
    """ranx orders many equal scores by no rule; the values lie between those of the best and worst order."""
    pytest.importorskip("ranx")
    documents = {f"d{number:02}": 1.0 for number in range(40)}
    qrels = {"q1": {"d07": 1, "d20": 1}, "q2": {"d30": 1}}
    (made,) = checked("RR", against="ranx", qrels=qrels, run={"q1": documents, "q2": documents})
    assert (made.verdict, made.reasons, made.tool_convention) == ("within-ties", (), None)
    assert made.differing


def test_unexplained() -> None:
    """A wrong number stays wrong: no convention gives it, and nothing is made up."""
    (made,) = checked(mine=values("P@3", {"q1": 1 / 3, "q2": 0.123, "q3": 1 / 3}))
    assert (made.verdict, made.reasons, made.alternatives) == ("unexplained", (), ())
    assert made.differing == ("q2",)


def test_unavailable() -> None:
    """A tool without the measure says so."""
    judged = [*checked("Judged@3", against="ir_measures"), *checked("P@3 Judged@3", against="pytrec_eval")]
    assert [each.verdict for each in judged] == ["agree", "agree", "unavailable"]
    assert judged[-1].tool.error == "has no Judged@3"


# What is compared


def test_differences_that_cancel_in_the_mean_are_found() -> None:
    """Two wrong values with the right mean are two differing queries, and no agreement."""
    (made,) = checked(mine=values("P@3", {"q1": 2 / 3, "q2": 0.0, "q3": 1 / 3}))
    assert made.mine.mean == pytest.approx(made.tool.mean)
    assert (made.verdict, made.differing) == ("unexplained", ("q1", "q2"))


def test_a_stated_mean_that_is_not_that_of_the_values_is_found() -> None:
    """Every value agrees, the mean does not, and no axis is blamed for it."""
    (of,) = parse_measures("P@3")
    seen = Observed(of, {"q1": 1 / 3, "q2": 1 / 3, "q3": 1 / 3}, {}, 0.5, None, None)
    for tool in ("pytrec_eval", "ir_measures"):
        for made in checked(mine=Mine("values", observed={of: seen}), against=tool):
            if made.verdict != "unavailable":
                assert (made.verdict, made.differing, made.reasons) == ("unexplained", (), ())


def test_a_tool_without_a_mean_gives_no_axis_to_blame() -> None:
    """All values agree and the tool has no mean: that is said, and not put down to its order of ties."""
    alignment = Alignment(read_judgments(QRELS), read_run(RUN))
    (of,) = parse_measures("RR")
    by_query: dict[str, float | None] = {"q1": 1.0, "q2": 0.5, "q3": 1.0}
    tool = ToolResult("tool", "1", "RR", values=by_query, mean=None, conventions=Changes(ties="input"))
    own = Mine("default", Profile())
    made = compare(alignment, of, Observed(of, by_query, {}, 2.5 / 3), own, tool)
    assert (made.verdict, made.reasons, made.differing) == ("unexplained", (), ())


def test_a_stated_geometric_mean_is_recognised() -> None:
    """The values are the default's and the stated mean is their geometric one: the axis is the mean."""
    (of,) = parse_measures("RR")
    seen = Observed(of, {"q1": 1.0, "q2": 0.5, "q3": 1.0}, {}, 0.5 ** (1 / 3), None, None)
    (made,) = checked("RR", Mine("values", observed={of: seen}))
    assert [(reason.axis, reason.mine, reason.tool) for reason in made.reasons] == [
        ("mean", "geometric", "arithmetic")
    ]


def test_queries_on_one_side_only() -> None:
    """A query that only one side has is named on its side, whatever the other values are."""
    (made,) = checked(mine=values("P@3", {"q1": 1 / 3, "q2": 1 / 3, "q9": 0.5}))
    assert (made.both, made.only_mine, made.only_tool) == (2, ("q9",), ("q3",))
    assert made.verdict == "unexplained"


def test_values_of_few_digits_agree_within_them() -> None:
    """Four printed digits agree with the exact value that they are the rounding of, and three do not."""
    printed = {"q1": 0.3333, "q2": 0.3333, "q3": 0.3333}
    assert checked(mine=values("P@3", printed, 4))[0].verdict == "agree"
    assert checked(mine=values("P@3", {**printed, "q2": 0.3335}, 4))[0].verdict == "unexplained"


def test_an_empty_run_is_no_failure_of_a_tool() -> None:
    """pytrec_eval has no value for an empty run, which is what it does with missing queries."""
    (made,) = checked(run={"q1": [], "q2": [], "q3": []})
    assert (made.verdict, made.only_mine) == ("explained", ("q1", "q2", "q3"))
    assert [reason.axis for reason in made.reasons] == ["empty"]


def test_other_conventions_that_fit_are_offered() -> None:
    """Where the data cannot tell two conventions of one's own side apart, both are named."""
    (made,) = checked("P@2", values("P@2", {"q1": 0.5, "q2": 0.5, "q3": 1.0}))
    reasons = {reason.axis: reason.mine for reason in made.reasons}
    offered = [reasons, *map(dict, made.alternatives)]
    assert {"denominator": "returned"} in offered and {"denominator": "distinct"} in offered


def test_a_function_that_raises_has_an_axis_of_its_own() -> None:
    """A query on which the function raised is explained by what it does without a relevant document."""
    (of,) = parse_measures("P@3")
    seen = Observed(of, {"q1": 1 / 3, "q2": 1 / 3}, {"q3": "ValueError"}, 1 / 3)
    qrels = {**QRELS, "q3": {"d": 0}}
    (made,) = checked(mine=Mine("f", observed={of: seen}), qrels=qrels)
    (reason,) = made.reasons
    assert (reason.axis, reason.mine, reason.tool, reason.queries) == (
        "no_relevant",
        "error",
        "zero",
        ("q3",),
    )
    entry = made.to_dict()["differing"]
    assert entry == [{"query_id": "q3", "mine": None, "error": "ValueError", "tool": 0.0}]


def test_a_tool_is_asked_in_another_way_and_says_so() -> None:
    """pytrec_eval has no RR with a cut-off, so it gets a cut run."""
    (made,) = checked("RR@1")
    assert (made.verdict, made.tool.via) == ("agree", "recip_rank on the first 1")


def test_the_ranx_provider_is_unavailable_under_pandas_3() -> None:
    """It fails whatever it is given, so it is not asked, and the reason is said; ranx itself is asked."""
    pandas = installed("pandas")
    if pandas is None or installed("ranx") is None or int(pandas.split(".")[0]) < 3:
        pytest.skip("needs ranx and pandas 3")
    (made,) = [each for each in checked(against="ir_measures") if each.tool.provider == "ranx"]
    assert made.verdict == "unavailable"
    assert f"takes no data frame of pandas 3 or later ({pandas} is installed)" in str(made.tool.error)
    assert [each.verdict for each in checked(against="ranx")] == ["agree"]


# Tools that fail


def test_a_tool_that_crashes_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it raised is the reason, and the other tools are asked all the same."""

    def crash(*_: object, **__: object) -> None:
        raise RuntimeError("out of cheese")

    monkeypatch.setattr("pytrec_eval.RelevanceEvaluator", crash)
    found = crosscheck(read_judgments(QRELS), read_run(RUN), "P@3")
    by_tool = {(each.tool.tool, each.tool.provider): each for each in found.comparisons}
    crashed = by_tool["pytrec_eval", None]
    assert (crashed.verdict, crashed.tool.error) == ("unavailable", "RuntimeError: out of cheese")
    assert by_tool["ir_measures", "cwl_eval"].verdict in ("agree", "unavailable")
    with pytest.raises(ToolError, match="pytrec_eval could not be asked: RuntimeError: out of cheese"):
        checked()


def test_a_tool_that_is_named_has_to_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is not installed is an error if it was asked for, and a line if it was not."""
    monkeypatch.setattr("treconcile.tools.trec_eval.shutil.which", lambda _: None)
    with pytest.raises(ToolError, match="no program 'trec_eval' is found") as caught:
        checked(against="trec_eval")
    assert caught.value.hint == "build it from its source and put it on PATH"
    everyone = crosscheck(read_judgments(QRELS), read_run(RUN), "P@3").comparisons
    assert [each.verdict for each in everyone if each.tool.tool == "trec_eval"] == ["unavailable"]


def test_a_tool_that_lacks_the_measure_need_not_be_installed_again() -> None:
    """The hint to install is only given where that would help."""
    with pytest.raises(ToolError, match="has no Judged@3") as caught:
        checked("Judged@3")
    assert caught.value.hint is None


# Refusals


def test_strangers_are_refused() -> None:
    """Judgments and a run without a query in common are no case for a cross-check."""
    with pytest.raises(MismatchError, match="shares none"):
        checked(run={"z1": ["a"]})


def test_an_axis_that_no_measure_reads_is_refused() -> None:
    """It would change nothing."""
    with pytest.raises(UsageError, match="no measure here reads the axis gain"):
        checked(mine="gain=exponential")


def test_values_of_other_measures_are_refused() -> None:
    """Values of P@3 say nothing about R@3."""
    with pytest.raises(UsageError, match="values has no R@3"):
        checked("R@3", values("P@3", {"q1": 1.0}))


# Whether it holds


@pytest.mark.parametrize(
    ("allow", "holds"),
    [((), False), (("denominator",), True), (("ties",), False), (("ties", "denominator"), True)],
)
def test_allowed_axes(allow: tuple[str, ...], holds: bool) -> None:
    """A check holds if every axis that differs is allowed."""
    made = checked("P@3 R@3", mine="denominator=returned")
    assert Crosscheck(tuple(made)).holds(allow) is holds


def test_within_ties_is_allowed_with_the_axis_ties() -> None:
    """The order of ties is what is left open there."""
    (made,) = checked()
    open_ties = Crosscheck((replace(made, verdict="within-ties"),))
    assert not open_ties.holds() and open_ties.holds(["ties"])
    assert not Crosscheck((replace(made, verdict="unexplained"),)).holds(["ties"])
    assert Crosscheck((replace(made, verdict="unavailable"),)).holds()


# No reason that is not true


def scored(alignment: Alignment, measure: Measure, convention: Convention) -> MeasureScores:
    """What a convention gives, the measure's own axes included in it."""
    return score_measure(alignment, replace(measure, overrides=()), Profile(convention=convention))


def draw_case(rng: random.Random) -> tuple[Alignment, Measure, MeasureScores, ToolResult]:
    """Somebody's scores under a hidden convention, and a tool with a declared one."""
    measure = rng.choice(MEASURES)
    data = draw_data(rng)
    alignment = Alignment(data.judgments(), data.run())
    base = measure.under(DEFAULT)
    readable = [axis for axis in measure.reads if axis != "duplicates"]
    hidden = base.replace(
        **{
            axis: rng.choice(choices(axis))
            for axis in rng.sample(readable, min(len(readable), rng.randint(1, 2)))
        }
    )
    declared = {
        axis: rng.choice(choices(axis))
        for axis in rng.sample(readable, min(len(readable), rng.randint(0, 2)))
    }
    if declared.get("missing") == "skip":  # tools read files, in which a query that found nothing is missing
        declared["empty"] = "skip"
    mine, theirs = scored(alignment, measure, hidden), scored(alignment, measure, base.replace(**declared))
    tool = ToolResult(
        "tool", "1", str(measure), values=theirs.values, mean=theirs.mean, conventions=Changes(declared)
    )
    return alignment, measure, mine, tool


def refute(alignment: Alignment, made: Comparison, digits: int | None) -> list[str]:
    """What is wrong with an explanation, computed anew from what it says."""
    assert made.mine_convention is not None
    wrong = []
    own = scored(alignment, made.measure, made.mine_convention)
    if not agree(made.mine.values, own.values, tolerance(digits)):
        wrong.append("the convention of one's own side does not give one's own values")
    if not equal(made.mine.mean, own.mean, tolerance(digits)):
        wrong.append("the convention of one's own side does not give one's own mean")
    changes = {reason.axis: reason.tool for reason in made.reasons}
    every = scored(alignment, made.measure, made.mine_convention.replace(**changes))
    if not (agree(made.tool.values, every.values, 1e-9) and equal(made.tool.mean, every.mean, 1e-9)):
        wrong.append("the axes do not lead to the tool's values")
    for axis in changes:
        fewer = {each: value for each, value in changes.items() if each != axis}
        without = scored(alignment, made.measure, made.mine_convention.replace(**fewer))
        if agree(made.tool.values, without.values, 1e-9) and equal(made.tool.mean, without.mean, 1e-9):
            wrong.append(f"{axis} is not needed")
    return wrong


@pytest.mark.slow
@given(randoms())
def test_an_explanation_is_never_wrong(rng: random.Random) -> None:
    """Whatever the hidden convention, the axes named lead to the tool exactly, and all are needed."""
    try:
        alignment, measure, mine, tool = draw_case(rng)
    except (InputError, UsageError):
        return
    digits = rng.choice([None, None, 4])
    rounded = {
        query: value if value is None or digits is None else round(value, digits)
        for query, value in mine.values.items()
    }
    seen = Observed(measure, rounded, {}, aggregate_of(measure, rounded), digits, digits)
    made = compare(alignment, measure, seen, Mine("file", observed={measure: seen}), tool)
    assert made.verdict in ("agree", "explained", "within-ties", "unexplained")
    if made.verdict == "agree":
        assert agree(rounded, tool.values, tolerance(digits))
    if made.verdict == "explained":
        assert refute(alignment, made, digits) == []
        assert made.reasons


@given(randoms())
def test_a_known_convention_is_explained_truly(rng: random.Random) -> None:
    """The same where one's own convention is stated: then every difference has an explanation."""
    try:
        alignment, measure, mine, tool = draw_case(rng)
    except (InputError, UsageError):
        return
    own = Mine("mine", Profile(convention=mine.convention))
    seen = Observed(measure, mine.values, {}, mine.mean)
    made = compare(alignment, measure, seen, own, tool)
    assert made.verdict in ("agree", "explained")
    if made.verdict == "explained":
        assert refute(alignment, made, None) == []


@pytest.mark.parametrize(
    "seed", [0, 1, 2, *(pytest.param(each, marks=pytest.mark.slow) for each in range(3, 12))]
)
def test_an_explanation_of_a_real_tool_is_never_wrong(seed: int) -> None:
    """The same against every installed tool, with its own values and its declared conventions."""
    rng = random.Random(seed)
    data = draw_data(rng)
    judgments, run = data.judgments(), data.run()
    alignment = Alignment(judgments, run)
    for measure in parse_measures("P@2 R@2 RR AP nDCG@3"):
        readable = [axis for axis in measure.reads if axis not in ("duplicates", "missing")]
        hidden = DEFAULT.replace(**{axis: rng.choice(choices(axis)) for axis in rng.sample(readable, 2)})
        try:
            mine = scored(alignment, measure, hidden)
            seen = Observed(measure, mine.values, {}, aggregate_of(measure, mine.values))
            found = crosscheck(judgments, run, [measure], Mine("file", observed={measure: seen}))
        except (InputError, UsageError):
            continue
        for made in found.comparisons:
            if made.verdict == "explained":
                assert refute_within(alignment, made) == []


def refute_within(alignment: Alignment, made: Comparison) -> list[str]:
    """What is wrong with an explanation of a tool that may round, or have no mean."""
    assert made.mine_convention is not None
    changes = {reason.axis: reason.tool for reason in made.reasons}
    theirs = scored(alignment, made.measure, made.mine_convention.replace(**changes))
    within = tolerance(made.tool.digits)
    own = scored(alignment, made.measure, made.mine_convention)
    wrong = [] if agree(made.mine.values, own.values, 1e-9) else ["not one's own values"]
    wrong += [] if agree(made.tool.values, theirs.values, within) else ["not the tool's values"]
    mean = made.tool.mean
    wrong += [] if mean is None or equal(mean, theirs.mean, within) else ["not the tool's mean"]
    return wrong


def test_the_module_names_what_others_import() -> None:
    """The parts of a cross-check can be had from one module, whichever file they are in."""
    assert all(hasattr(module, name) for name in module.__all__)


def test_problem_files_are_explained() -> None:
    """B002: scores that are equal only in single precision are named as the cause."""
    folder = Path(__file__).parents[1] / "data/problems/B002"
    found = crosscheck(
        read_judgments(folder / "qrels.txt"), read_run(folder / "run.txt"), "P@1 RR", against=["pytrec_eval"]
    )
    assert [(each.verdict, each.reasons[0].axis) for each in found.comparisons] == [
        ("explained", "score_precision"),
        ("explained", "score_precision"),
    ]
