"""The real trec_eval programs, where there are any, and random data to compare with them."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

QRELS, RUN, ZSCORES = "qrels.txt", "run.txt", "zscores.txt"
_NAMES = """
    P.1,3,2 recall.2 utility.2,-1,0.5,0.25 set_F.0.5 ndcg.1=3,2=9 ndcg.0=1,1=-2 Rndcg.1=5,3=2 Rndcg.1=0
    G.1=3 G.0=2,1=7 ndcg_rel.2=7,1=2.0 relstring.3 11pt_avg.0.2,0.5 iprec_at_recall.0.33,0.05
    Rprec_mult.0.5,3 yaap official set map_cut.2,4 success.1 relative_P.3 ndcg_cut.2
"""
# Not rbp with others: it starts from memory that holds what another measure left there.
PARAMETERS = {9: _NAMES.split(), 10: [*_NAMES.split(), "unj.1,3", "rbp_resid.p=0.5", "dcg", "ideal_dcg"]}
EVERY = "all_trec"


@dataclass(frozen=True)
class Small:
    """Judgments and a run."""

    qrels: list[tuple[str, str, int]]
    results: list[tuple[str, str, float]]

    def write(self, folder: Path) -> tuple[Path, Path]:
        """Write both as TREC files."""
        qrels, run = folder / QRELS, folder / RUN
        qrels.write_text("".join(f"{query} 0 {doc} {grade}\n" for query, doc, grade in self.qrels))
        run.write_text("".join(f"{query} Q0 {doc} 1 {score!r} tag\n" for query, doc, score in self.results))
        return qrels, run


def program(version: int) -> str | None:
    """The path of trec_eval in that version: from TREC_EVAL9 or TREC_EVAL10, else from PATH if it fits."""
    named = os.environ.get(f"TREC_EVAL{version}")
    if named:
        return named
    found = shutil.which("trec_eval")
    said = subprocess.run([found, "-v"], capture_output=True, text=True, check=False).stderr if found else ""
    return found if said.startswith(f"trec_eval version {version}.") else None


def ask(path: str, arguments: Sequence[str], qrels: Path, run: Path) -> bytes | None:
    """What the program prints; None if it fails."""
    done = subprocess.run([path, *arguments, str(qrels), str(run)], capture_output=True, check=False)
    return None if done.returncode else done.stdout


def with_paths(line: str, folder: Path) -> list[str]:
    """The arguments of a call in a case's folder."""
    return [str(folder / word) if word == ZSCORES else word for word in line.split()]


def draw_small(rng: random.Random) -> Small:
    """Random data with ties, negative grades, missing and extra queries, any order."""
    docs, top = [f"d{each}" for each in range(12)], rng.choice([1, 1, 2, 3, 12])
    judged = [
        (f"q{query}", doc, rng.choice([-1, 0, 0, *range(top + 1)]))
        for query in rng.sample(range(1, 12), rng.randint(1, 4))
        for doc in rng.sample(docs, rng.randint(1, 8))
    ]
    # trec_eval may crash on a query without a grade from 0 up.
    sound = {query for query, _, grade in judged if grade >= 0} or {"q1"}
    qrels = [row for row in judged if row[0] in sound] or [("q1", "d1", 1)]
    asked = rng.sample(sorted(sound), rng.randint(1, len(sound))) + ["x1"] * (rng.random() < 0.3)
    scores = [1.0, 2.0, 3.0, 0.5, -1.0, 1.0000000001, 1e300, 3.14159]
    results = [
        (query, doc, rng.choice(scores))
        for query in asked
        for doc in rng.sample([*docs, "n1", "n2", "n3", "n4"], rng.randint(1, 14))
    ]
    rng.shuffle(qrels)
    rng.shuffle(results)
    return Small(qrels, results)


def draw_arguments(rng: random.Random, version: int) -> list[str]:
    """Random flags and measures."""
    flags = [
        ["-c"],
        ["-l", str(rng.randint(0, 3))],
        ["-M", str(rng.randint(1, 6))],
        ["-J"],
        ["-N", str(rng.randint(0, 50))],
        ["-n"],
    ]
    found = ["-q", *(word for words in flags if rng.random() < 0.3 for word in words)]
    wanted = rng.sample(PARAMETERS[version], rng.randint(1, 4))
    if rng.random() < 0.5 and "yaap" not in wanted:
        wanted.insert(0, EVERY)
    return found + [word for name in wanted for word in ("-m", name)]
