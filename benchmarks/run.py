"""Time and peak memory of treconcile beside other tools, on one synthetic case, in one run.

Each contender is a whole process, start to finish: it reads qrels and run from disk and prints seven
measures. Contenders take turns, so that a slow moment of a shared machine hits all of them; medians and
ratios are printed. A tool that is not installed is left out.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from generate import write_case

MEASURES = "P@10 R@1000 RR AP nDCG@10 nDCG@1000 Success@10"

PYTREC_EVAL = """
import sys, pytrec_eval
with open(sys.argv[1]) as file: qrels = pytrec_eval.parse_qrel(file)
with open(sys.argv[2]) as file: run = pytrec_eval.parse_run(file)
names = {"P.10", "recall.1000", "recip_rank", "map", "ndcg_cut.10,1000", "success.10"}
values = pytrec_eval.RelevanceEvaluator(qrels, names).evaluate(run).values()
for name in sorted(next(iter(values))):
    print(name, sum(value[name] for value in values) / len(qrels))
"""

RANX = """
import sys, ranx
qrels, run = ranx.Qrels.from_file(sys.argv[1], kind="trec"), ranx.Run.from_file(sys.argv[2], kind="trec")
names = ["precision@10", "recall@1000", "mrr", "map", "ndcg@10", "ndcg@1000", "hit_rate@10"]
print(ranx.evaluate(qrels, run, names, make_comparable=True))
"""


@dataclass
class Contender:
    """One tool: how it is called, and what that took each time."""

    name: str
    command: list[str]
    seconds: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    megabytes: list[float] = field(default_factory=list)

    def measure(self) -> None:
        """Run it once."""
        with tempfile.TemporaryFile() as out:
            started = time.perf_counter()
            process = subprocess.Popen(self.command, stdout=out, stderr=subprocess.STDOUT)
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - started
            if status:
                out.seek(0)
                raise SystemExit(f"{self.name} failed:\n{out.read()[-2000:].decode(errors='replace')}")
        self.seconds.append(seconds)
        self.processor.append(usage.ru_utime + usage.ru_stime)
        self.megabytes.append(usage.ru_maxrss / 1024)


def contenders(qrels: Path, run: Path) -> list[Contender]:
    """Every tool that is here."""
    files, python = [str(qrels), str(run)], sys.executable
    measures = [word for name in MEASURES.split() for word in ("-m", name)]
    found = [Contender("treconcile eval", [python, "-m", "treconcile", "eval", *files, *measures])]
    if find_spec("pytrec_eval"):
        found.append(Contender("pytrec_eval", [python, "-c", PYTREC_EVAL, *files]))
    if find_spec("ir_measures"):
        found.append(Contender("ir_measures", [python, "-m", "ir_measures", *files, *MEASURES.split()]))
    if find_spec("ranx"):
        found.append(Contender("ranx", [python, "-c", RANX, *files]))
    program = shutil.which("trec_eval")
    if program:
        names = ["P.10", "recall.1000", "recip_rank", "map", "ndcg_cut.10,1000", "success.10"]
        found.append(Contender("trec_eval", [program, "-c", *(f"-m{name}" for name in names), *files]))
    return found


def report(found: list[Contender]) -> str:
    """The table, as Markdown."""
    ours = found[0]
    lines = ["| tool | wall, s | CPU, s | peak, MB | wall, times ours |", "|---|---:|---:|---:|---:|"]
    for each in found:
        wall, base = statistics.median(each.seconds), statistics.median(ours.seconds)
        lines.append(
            f"| {each.name} | {wall:.2f} | {statistics.median(each.processor):.2f}"
            f" | {max(each.megabytes):.0f} | {wall / base:.1f} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Make the case, take turns, print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=int, default=6980)
    parser.add_argument("--depth", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", help="tools to run, separated by commas")
    chosen = parser.parse_args()
    folder = Path(__file__).parent / "data"
    qrels, run = write_case(folder, chosen.queries, chosen.depth)
    found = contenders(qrels, run)
    if chosen.only:
        found = [each for each in found if each.name.split()[0] in chosen.only.split(",")]
    for _ in range(chosen.rounds):
        for each in found:
            each.measure()
    size = run.stat().st_size / 1e6
    print(f"{chosen.queries:,} queries × {chosen.depth:,} results, {size:.0f} MB; medians of {chosen.rounds}")
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}\n")
    print(report(found))


if __name__ == "__main__":
    main()
