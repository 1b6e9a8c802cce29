"""Random preferences, judgments of several groups, and means for Z scores, to compare with the programs."""

from __future__ import annotations

import math
import random
from pathlib import Path

from trec_eval.program import QRELS, RUN, ZSCORES

DOCUMENTS = [f"d{each}" for each in range(9)]
QUERIES = [f"q{each}" for each in range(1, 8)]
PREFERENCES = [
    "prefs",
    *(f"prefs_{name}" for name in ("simp", "pair", "avgjg_Rnonrel", "num_prefs_poss")),
    *(f"prefs_{name}_ret" for name in ("simp", "pair", "avgjg", "avgjg_Rnonrel", "num_prefs_ful")),
    *(f"prefs_{name}_imp" for name in ("simp", "pair", "avgjg")),
    "num_q",
]
GROUPS = ["map_avgjg", "P_avgjg.1,3", "P_avgjg", "Rprec_mult_avgjg", "Rprec_mult_avgjg.0.3,1,2.5", "runid"]


def write_run(rng: random.Random, folder: Path, queries: list[str]) -> None:
    """Results with ties, unjudged documents and a query that nobody judged."""
    scores = [1.0, 2.0, 3.0, 0.5, -1.0, 1.0000000001, 7.25]
    lines = [
        f"{query} Q0 {doc} 1 {rng.choice(scores)!r} tag\n"
        for query in queries
        for doc in rng.sample([*DOCUMENTS, "n1", "n2", "n3"], rng.randint(1, 11))
    ]
    rng.shuffle(lines)
    (folder / RUN).write_text("".join(lines))


def draw_preferences(rng: random.Random) -> tuple[list[str], list[str]]:
    """Lines of preferences that do not contradict themselves within a group, and their queries."""
    lines, queries = [], rng.sample(QUERIES, rng.randint(1, 4))
    for query in queries:
        for group in rng.sample(["g1", "g2", "G3", "10"], rng.randint(1, 3)):
            opinion = {doc: rng.choice([0, 0, 1, 2, 3, 3.000000001, 5]) for doc in DOCUMENTS}
            for subgroup in range(rng.choice([1, 1, 2, 3])):
                coarse = rng.random() < 0.3  # some that are told apart elsewhere are equal
                for doc in rng.sample(DOCUMENTS, rng.randint(1, 6)):
                    value = math.ceil(opinion[doc] / 2) if coarse else opinion[doc]
                    lines.append(f"{query} {group} s{subgroup} {doc} {value}\n")
    rng.shuffle(lines)
    return lines, queries


def draw_groups(rng: random.Random) -> tuple[list[str], list[str]]:
    """Lines of qrels by several judgment groups, and their queries."""
    queries = rng.sample(QUERIES, rng.randint(1, 4))
    lines = [
        f"{query} {group} {doc} {rng.choice([-1, 0, 0, 1, 1, 2])}\n"
        for query in queries
        for group in rng.sample(["g1", "g2", "G3", "10"], rng.randint(1, 3))
        for doc in rng.sample(DOCUMENTS, rng.randint(1, 8))
    ]
    rng.shuffle(lines)
    return lines, queries


def draw_grades(rng: random.Random) -> tuple[list[str], list[str]]:
    """Lines of qrels as preferences, and their queries; some with grades below 0."""
    lines, queries = draw_groups(rng)
    kept = []
    for group in sorted({tuple(line.split()[:2]) for line in lines}):
        of_group = [line for line in lines if tuple(line.split()[:2]) == group]
        grades = [int(line.split()[3]) for line in of_group]
        # Of fewer documents below 0 than relevant ones, trec_eval reads more than there are.
        sound = grades.count(-1) >= sum(grade > 0 for grade in grades)
        kept += [line for line, grade in zip(of_group, grades, strict=True) if sound or grade >= 0]
        kept.append(f"{' '.join(group)} x 0\n")
    return kept, queries


FORMATS = {
    "prefs": (draw_preferences, PREFERENCES, "all_prefs"),
    "qrels_prefs": (draw_grades, PREFERENCES, "all_prefs"),
    "qrels_jg": (draw_groups, GROUPS, "qrels_jg"),
}


def draw(rng: random.Random, folder: Path, version: int) -> list[str]:
    """Write what is judged and a run, and draw flags and measures."""
    form = rng.choice(list(FORMATS))
    write, measures, every = FORMATS[form]
    lines, queries = write(rng)
    comment = ["# a comment of several words\n"] if version > 9 and rng.random() < 0.3 else []
    (folder / QRELS).write_text("".join([*comment, *lines]))
    complete = rng.random() < 0.5
    some = rng.sample(queries, rng.randint(1, len(queries))) if complete or version == 9 else queries
    write_run(rng, folder, [*some, *(["x1"] if rng.random() < 0.3 else [])])
    flags = [["-l", str(rng.randint(0, 2))], ["-M", str(rng.randint(1, 6))], ["-J"], ["-n"]]
    found = ["-R", form, "-q", *(["-c"] if complete else [])]
    found += [word for words in flags if rng.random() < 0.3 for word in words]
    wanted = [every] if rng.random() < 0.6 else rng.sample(measures, rng.randint(1, 4))
    return found + [word for name in wanted for word in ("-m", name)]


def write_zscores(rng: random.Random, folder: Path, printed: bytes) -> None:
    """Means for what a program printed, but for some measures of some queries and for some queries.

    The last query and its only measure are behind all others: looking for something behind the last,
    trec_eval reads memory that was never set.
    """
    lines = ["~ ~ 0 1\n"]
    left_out = rng.choice([0.0, 0.2])
    absent = {query for query in QUERIES if rng.random() < left_out}
    for line in printed.decode().splitlines():
        name, query, value = line.split()[:3]
        if query not in ("all", *absent) and value[-1].isdigit() and rng.random() >= left_out:
            mean = value if rng.random() < 0.3 else rng.choice([0.0, 0.25, 1.5])
            lines.append(f"{query} {name} {mean} {rng.choice(['0', '0.5', '0.173', '2'])}\n")
    for query in sorted(set(QUERIES) - absent):
        lines += [f"{query} {name} -5.2 {rng.choice(['0', '1.7'])}\n" for name in ("gm_map", "gm_bpref")]
    rng.shuffle(lines)
    (folder / ZSCORES).write_text("".join(lines))
