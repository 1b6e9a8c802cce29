"""The bar: what real tools printed for the shared fixture leads back to their profiles."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from profiles import observations
from profiles.observations import Observation
from treconcile.comparison.convention_search import scored, tolerance
from treconcile.comparison.explaining import Explanation, Reported, explain, of_observed
from treconcile.comparison.explaining.space import default
from treconcile.measures.spec import parse_measure
from treconcile.users.observed import Observed


def reported(observation: Observation) -> Reported | None:
    """The values of an observation, as somebody reports them; None if the tool gave none."""
    data = observations.alignment(observation.folder, observation.profile[1])
    known = {*data.judgments.queries, *data.run.queries, *data.run.empty}
    values: dict[str, float | None] = {}
    errors: dict[str, str] = {}
    for query, value in observation.record["per_query"].items():
        if query not in known:
            continue
        if isinstance(value, str):
            errors[query] = value
        elif value is not None or query in observation.record["nulls"].get("nan", ()):
            values[query] = value
    if not any(value is not None for value in values.values()):
        return None
    measure = parse_measure(observation.measure)
    made = of_observed(Observed(measure, values, errors), observation.label, known)
    return replace(made, within=observation.within("rounding", None))


def distinct() -> Iterator[tuple[Observation, Reported]]:
    """The observations of set A, those with the same values of the same profile only once."""
    seen = set()
    for observation in observations.read("A"):
        made = reported(observation)
        key = made and (observation.profile[0].name, made.measure, str(made.values))
        if made is not None and key not in seen:
            seen.add(key)
            yield observation, made


def found(observation: Observation, numbers: Reported) -> Explanation:
    """What explains them."""
    data = observations.alignment(observation.folder, observation.profile[1])
    return explain(data.judgments, data.run, [numbers]).each[0]


CASES = list(distinct())


@pytest.mark.slow
@pytest.mark.parametrize(("observation", "numbers"), CASES, ids=[case[0].label for case in CASES])
def test_the_values_of_a_tool_lead_back_to_its_profile(observation: Observation, numbers: Reported) -> None:
    """Its profile is among the matches, and every exact match gives the values."""
    made = found(observation, numbers)
    name = observation.profile[0].name
    assert made.verdict != "unexplained"
    assert name in {profile for match in made.matches for profile in match.profiles}
    data = observations.alignment(observation.folder, observation.profile[1])
    for match in made.matches:
        if not match.within_ties and not match.code:
            outcome = scored(data, match.measure, match.convention)
            assert outcome is not None
            for query, value in numbers.values.items():
                given = outcome.values.get(query)
                assert (value is None and given is None) or given == pytest.approx(
                    value, abs=numbers.within + 1e-12
                )


def test_there_are_as_many_cases_as_the_set_holds() -> None:
    """The bar is not met by leaving cases out."""
    assert len(CASES) > 300


@pytest.mark.slow
@pytest.mark.parametrize("name", ["P@5", "nDCG@5", "AP"])
def test_a_mean_of_the_default_is_met_by_the_default(name: str) -> None:
    """A mean alone names the convention that gives it first, and says how many others do."""
    observation = CASES[0][0]
    data = observations.alignment(observation.folder, observations.ALL)
    measure = parse_measure(name)
    outcome = scored(data, measure, default(measure))
    assert outcome is not None
    numbers = Reported(measure, "the mean", {}, (), round(outcome.mean, 3), True, mean_within=tolerance(3))
    made = explain(data.judgments, data.run, [numbers]).each[0]
    assert made.matches[0].text == "the default convention"
    assert made.giving >= len(made.matches) > 0
    assert any("a mean alone" in note for note in made.notes)
