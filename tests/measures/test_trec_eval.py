"""Every measure that trec_eval has, against the program itself on random input, where it is installed."""

from __future__ import annotations

import math
import os
import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from draws import draw_data
from measures.test_pytrec_eval import survivable
from oracle import Data
from treconcile.align import Alignment
from treconcile.convention import DEFAULT
from treconcile.measures.spec import parse_measure
from treconcile.profiles import Profile
from treconcile.score import MeasureScores, score_measure

OWN_PARAMETERS = (
    "yaap",
    "iprec_at_recall.0.15,0.5,0.85",
    "Rprec_mult.0.3,1.7,5",
    "utility.2,-1,0.5,0",
    "11pt_avg.0.25,0.5,0.75",
    "ndcg_rel.1=3,2=1",
    "Rndcg.1=3,3=7",
    "G.1=3,2=1",
    "relative_P.1,2,3",
)
RANK_BIASED = ("rbp.p=0.5", "rbp_resid.p=0.5", "unj.1,2,3")  # version 10 has them
LONG_NAMES = {"runid", "relstring"}


def program() -> tuple[str, int]:
    """The path of trec_eval and its version."""
    path = shutil.which(os.environ.get("TREC_EVAL", "trec_eval"))
    if path is None:
        pytest.skip("there is no trec_eval: set TREC_EVAL to its path")
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    found = re.search(r"version (\d+)", said.stdout + said.stderr)
    assert found is not None
    return path, int(found[1])


def printed(folder: Path, data: Data, path: str, *arguments: str) -> dict[str, dict[str, str]]:
    """What trec_eval prints, by name and query."""
    qrels, run = folder / "qrels", folder / "run"
    qrels.write_text("".join(f"{query} 0 {doc} {grade}\n" for query, _, doc, grade in data.judged))
    run.write_text("".join(f"{query} Q0 {doc} 1 {score!r} t\n" for query, doc, score, _ in data.results))
    made = subprocess.run(
        [path, "-q", "-c", *arguments, str(qrels), str(run)], capture_output=True, text=True, check=True
    )
    values: dict[str, dict[str, str]] = {}
    for line in made.stdout.splitlines():
        name, query, value = line.split("\t")
        if name.strip() not in LONG_NAMES:
            values.setdefault(name.strip(), {})[query] = value
    return values


def differences(scores: MeasureScores, values: dict[str, str], ignored: set[str]) -> list[str]:
    """The printed values that ours are not, to four digits."""
    found = []
    for query, value in values.items():
        ours = scores.mean if query == "all" else scores.values[query]
        assert ours is not None
        undefined = math.isnan(float(value))  # 0/0, where no result is left
        if query not in ignored and not undefined and abs(ours - float(value)) > 5.0000001e-5:
            found.append(f"{scores.measure} {query}: {ours}, not {value}")
    return found


def unlike(name: str, version: int, missing: set[str], level: int, *, condensed: bool) -> set[str]:
    """The queries for which trec_eval prints something else than the value of the measure."""
    found: set[str] = set()
    if missing and version == 9 and name.startswith(("yaap", "utility")):
        found = {"all"}  # it adds 0 for a missing query, also where the formula says otherwise
    if missing and version >= 10 and name.startswith(("utility_", "rbp_resid_")):
        found = {"all", *missing}  # it gives a missing query a made-up result, and forgets it here
    if condensed and name.startswith(("iprec_at_recall", "11pt_avg")):
        found = {"all"}  # it is nan if one query is
    if name == "num_rel" and level != 1:
        found = {"all"}  # it counts all grades from 1 up
    return found


@pytest.mark.parametrize("condensed", [False, True], ids=["all", "judged-only"])
@pytest.mark.parametrize("level", [1, 2])
def test_every_measure_equals_trec_eval(tmp_path: Path, level: int, condensed: bool) -> None:
    """Values and summaries of all its measures, with ties, negative grades, missing and extra queries."""
    path, version = program()
    arguments = [f"-l{level}", *(["-J"] if condensed else [])]
    # Version 10 starts rbp from memory that it has not set, which other measures may leave changed.
    calls = [("all_trec",), OWN_PARAMETERS, RANK_BIASED] if version >= 10 else [("all_trec",), OWN_PARAMETERS]
    unjudged = "removed" if condensed else "nonrelevant"
    own = {} if version >= 10 else {"score_precision": "float32", "recall_count": "up"}
    profile = Profile(convention=DEFAULT.replace(rel=level, unjudged=unjudged, **own))
    compared = 0
    for seed in range(60):
        data = survivable(draw_data(random.Random(seed), most=9))
        missing = {row[0] for row in data.judged} - {row[0] for row in data.results}
        if {row[0] for row in data.results}.isdisjoint(row[0] for row in data.judged):
            continue
        alignment = Alignment(data.judgments(), data.run())
        values = [
            pair
            for names in calls
            for pair in printed(tmp_path, data, path, *arguments, *(f"-m{name}" for name in names)).items()
        ]
        for name, theirs in values:
            one = score_measure(alignment, parse_measure(name), profile)
            ignored = unlike(name, version, missing, level, condensed=condensed)
            assert differences(one, theirs, ignored) == [], (seed, name)
            compared += len(theirs)
    assert compared > 5000
