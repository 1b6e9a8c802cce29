"""Profiles against the tools themselves, on random data in which every situation of the atlas arises."""

from __future__ import annotations

import importlib
import random
import re
from collections.abc import Iterator

import pytest

from profiles.live import TOOLS
from profiles.live.data import Data, draw
from profiles.live.tool import Answer, Live, Value, shown
from treconcile.align import Alignment
from treconcile.errors import TreconcileError
from treconcile.measures.spec import parse_measure
from treconcile.profiles import profiles
from treconcile.score import MeasureScores, score_measure
from treconcile.score.envelope import Envelope, envelope

CLOSE = 1e-6
MOST_SHOWN = 5


def installed(tool: Live) -> None:
    """Skip the test where the tool is not installed."""
    for module in tool.modules:
        try:
            importlib.import_module(module)
        except ImportError:
            pytest.skip(f"{module} is not installed")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("tool", TOOLS, ids=str)
def test_the_tool_does_what_its_profile_says(tool: Live) -> None:
    """Every value of every query and every mean, of every measure that the tool has and we have."""
    installed(tool)
    rng = random.Random(str(tool))
    wrong: dict[str, list[str]] = {}
    compared = 0
    for _ in range(tool.batches):
        data = tool.given(draw(rng, tool.may, tool.fixtures))
        alignment = data.aligned()
        for name, answer in tool.call(data).items():
            compared += 1
            wrong.setdefault(name, []).extend(differences(tool, name, answer, data, alignment))
    assert compared
    listed = [f"{name}: {len(each)}, as {each[0]}" for name, each in wrong.items() if each]
    assert not listed, "\n".join(listed[:MOST_SHOWN])


def differences(tool: Live, name: str, answer: Answer, data: Data, alignment: Alignment) -> Iterator[str]:
    """Where the answer of a tool is not that of its profile, its faults aside."""
    measure = parse_measure(name)
    faults = [fault for fault in tool.faults if re.fullmatch(fault.measures, name)]
    try:
        scores = score_measure(alignment, measure, profiles()[tool.profile])
    except TreconcileError as error:
        if not answer.refused:
            yield f"refused, {error}, and the tool has values"
        return
    out = {query: fault for query in data.queries for fault in faults if fault.holds(data, query)}
    if answer.refused:
        if len(out) < len(data.queries):
            yield f"the tool raised {answer.refused}"
        return
    unspecified = scores.convention.ties.startswith("unspecified")
    ranges = envelope(alignment, measure, scores.convention) if unspecified else None
    for query in (query for query in data.queries if query not in out):
        wanted, made = shown(answer.values.get(query)), predicted(scores, query)
        if not agree(wanted, made, ranges, query):
            yield f"{query}: {wanted}, predicted {made}\n{data.qrels.get(query)}\n{data.run.get(query)}"
    mean, wanted = "nan" if scores.mean is None else scores.mean, shown(answer.mean)
    disturbed = any(fault.mean for fault in out.values())
    if answer.mean is not None and not disturbed and not agree(wanted, mean, ranges, "mean"):
        yield f"mean: {wanted}, predicted {mean}"


def predicted(scores: MeasureScores, query: str) -> Value | None:
    """A number, `nan`, `error`, or None where there is no value."""
    if query in scores.failed:
        return "error"
    value = scores.values.get(query)
    return "nan" if value is None and query in scores.values else value


def agree(wanted: Value | None, made: Value | None, ranges: Envelope | None, query: str) -> bool:
    """Whether two values are the same, or one lies in the range that ties allow."""
    if not isinstance(wanted, float) or not isinstance(made, float):
        return wanted == made
    if abs(wanted - made) <= CLOSE:
        return True
    return ranges is not None and ranges.holds(query, wanted, CLOSE)
