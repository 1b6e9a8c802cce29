"""Time and peak memory of treconcile beside other tools, on the same files, in one run.

Each contender is a whole process, start to finish: it reads its files from disk and prints measures.
The contenders of a case take turns, so that a slow moment of a shared machine hits all of them; medians
are shown, and ratios to the first. A tool that is not installed is left out.
"""

from __future__ import annotations

import argparse
import gzip
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).parent
FOLDER = HERE / "data"
TABLE = HERE / "results.md"
MEASURES = "P@10 R@1000 RR AP nDCG@10 nDCG@1000 Success@10"
TREC_NAMES = ("P.10", "recall.1000", "recip_rank", "map", "ndcg_cut.10,1000", "success.10")
CHUNK = 1 << 20

ENVIRONMENT = os.environ | {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(FOLDER / "compiled")}
"""An installed package is compiled; a working copy is so from the second time on."""

PYTREC_EVAL = f"""
import sys, pytrec_eval
with open(sys.argv[1]) as file: qrels = pytrec_eval.parse_qrel(file)
with open(sys.argv[2]) as file: run = pytrec_eval.parse_run(file)
values = pytrec_eval.RelevanceEvaluator(qrels, {set(TREC_NAMES)}).evaluate(run).values()
for name in sorted(next(iter(values))):
    print(name, sum(value[name] for value in values) / len(qrels))
"""

RANX = """
import sys, ranx
qrels, run = ranx.Qrels.from_file(sys.argv[1], kind="trec"), ranx.Run.from_file(sys.argv[2], kind="trec")
names = ["precision@10", "recall@1000", "mrr", "map", "ndcg@10", "ndcg@1000", "hit_rate@10"]
print(ranx.evaluate(qrels, run, names, make_comparable=True))
"""

DUCKDB = """
import sys, duckdb
def columns(*names):
    return "{" + ", ".join(f"'{name}': 'VARCHAR'" for name in names) + "}"
def table(path, *names):
    return (f"read_csv('{path}', delim=' ', header=false, quote='', escape='', auto_detect=false, "
            f"columns={columns(*names)})")
qrels = table(sys.argv[1], "q", "i", "d", "g")
run = table(sys.argv[2], "q", "i", "d", "k", "s", "t")
print(duckdb.sql(f'''
with judged as (select q, d, g::int as g from {qrels}),
ranked as (select q, d, row_number() over (partition by q order by s::double desc, d desc) as r from {run}),
found as (select q, r, g, row_number() over (partition by q, g > 0 order by r) as n
          from ranked join judged using (q, d)),
ideal as (select q, g, row_number() over (partition by q order by g desc) as r from judged),
best as (select q, count(*) filter (g > 0) as rel,
                sum(greatest(g, 0) / log2(r + 1)) filter (r <= 10) as i10,
                sum(greatest(g, 0) / log2(r + 1)) filter (r <= 1000) as i1000 from ideal group by q),
each as (select q, count(*) filter (g > 0 and r <= 10) / 10 as p10,
                count(*) filter (g > 0 and r <= 1000) as r1000, max(1 / r) filter (g > 0) as rr,
                sum(n / r) filter (g > 0) as ap, sum(greatest(g, 0) / log2(r + 1)) filter (r <= 10) as d10,
                sum(greatest(g, 0) / log2(r + 1)) filter (r <= 1000) as d1000,
                max(1) filter (g > 0 and r <= 10) as s10 from found group by q)
select avg(coalesce(p10, 0)), avg(coalesce(r1000 / rel, 0)), avg(coalesce(rr, 0)), avg(coalesce(ap / rel, 0)),
       avg(coalesce(d10 / i10, 0)), avg(coalesce(d1000 / i1000, 0)), avg(coalesce(s10, 0))
from best left join each using (q)''').fetchall())
"""
"""The same measures as one would write them in SQL; nothing is checked."""


@dataclass
class Contender:
    """One tool: how it is called, and what that took each time."""

    name: str
    command: list[str]
    status: int = 0
    seconds: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    megabytes: list[float] = field(default_factory=list)

    def measure(self) -> None:
        """Run it once."""
        with tempfile.TemporaryFile() as out:
            started = time.perf_counter()
            process = subprocess.Popen(self.command, stdout=out, stderr=subprocess.STDOUT, env=ENVIRONMENT)
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - started
            if os.waitstatus_to_exitcode(status) != self.status:
                out.seek(0)
                raise SystemExit(f"{self.name} failed:\n{out.read()[-2000:].decode(errors='replace')}")
        self.seconds.append(seconds)
        self.processor.append(usage.ru_utime + usage.ru_stime)
        self.megabytes.append(usage.ru_maxrss / 1024)

    def forget(self) -> None:
        """Do not count what was measured so far: the first time, modules are compiled."""
        for measured in (self.seconds, self.processor, self.megabytes):
            measured.clear()


@dataclass(frozen=True)
class Case:
    """Some contenders side by side.

    Attributes:
        title: What they do.
        contenders: Makes their files, and says how each is called; ratios are to the first.
        often: It takes little time, so that it can be measured more often.
    """

    title: str
    contenders: Callable[[], list[Contender]]
    often: bool = False


def write_case(queries: int, depth: int, seed: int = 1, *, ordered: bool = True) -> tuple[Path, Path]:
    """The qrels and the run of that size, made if they are not there.

    In a process of its own: what this one holds in memory would count as that of the contenders.
    """
    words = ["--queries", str(queries), "--depth", str(depth), "--seed", str(seed)]
    command = [sys.executable, str(HERE / "generate.py"), str(FOLDER), *words]
    made = subprocess.run(
        [*command, *([] if ordered else ["--shuffled"])], check=True, capture_output=True, text=True
    )
    qrels, run = map(Path, made.stdout.split("\n")[:2])
    return qrels, run


def candidate(run: Path, seed: int = 2) -> Path:
    """A later version of the search that made a run, made if it is not there."""
    command = [sys.executable, str(HERE / "generate.py"), str(FOLDER)]
    words = ["--candidate-of", str(run), "--seed", str(seed)]
    made = subprocess.run([*command, *words], check=True, capture_output=True, text=True)
    return Path(made.stdout.rstrip("\n"))


def ours(name: str, *arguments: object) -> Contender:
    """A command of treconcile."""
    return Contender(name, [sys.executable, "-m", "treconcile", *map(str, arguments)])


def seven(qrels: Path, *runs: Path) -> list[object]:
    """The arguments of `treconcile eval` for seven measures."""
    return ["eval", qrels, *runs, *(word for name in MEASURES.split() for word in ("-m", name))]


def against_others(qrels: Path, run: Path) -> list[Contender]:
    """Seven measures by every tool that is here."""
    files, python = [str(qrels), str(run)], sys.executable
    found = [ours("treconcile eval", *seven(qrels, run))]
    trec = [word for name in TREC_NAMES for word in ("-m", name)]
    found.append(ours("treconcile trec-eval", "trec-eval", "-c", *trec, *files))
    program = shutil.which("trec_eval")
    if program:
        found.append(Contender("trec_eval", [program, "-c", *trec, *files]))
    if find_spec("pytrec_eval"):
        found.append(Contender("pytrec_eval", [python, "-c", PYTREC_EVAL, *files]))
    if find_spec("ir_measures"):
        found.append(Contender("ir_measures", [python, "-m", "ir_measures", *files, *MEASURES.split()]))
    if find_spec("duckdb"):
        found.append(Contender("duckdb", [python, "-c", DUCKDB, *files]))
    if find_spec("ranx"):
        found.append(Contender("ranx", [python, "-c", RANX, *files]))
    return found


def start(qrels: Path, run: Path) -> list[Contender]:
    """What takes the time that starting takes."""
    missing = ours("the error of a file that is not there", *seven(qrels, Path("not-there")))
    missing.status = 3
    return [
        ours("--version", "--version"),
        ours("--help", "--help"),
        missing,
        Contender("import treconcile", [sys.executable, "-c", "import treconcile"]),
        Contender("Python alone", [sys.executable, "-c", "pass"]),
    ]


def all_measures(qrels: Path, run: Path) -> list[Contender]:
    """Every measure of trec_eval, of every query."""
    flags = ["-q", "-c", "-m", "all_trec", str(qrels), str(run)]
    found = [ours("treconcile trec-eval", "trec-eval", *flags)]
    program = shutil.which("trec_eval")
    return [*found, Contender("trec_eval", [program, *flags])] if program else found


def hard_runs(queries: int, depth: int) -> list[Contender]:
    """The same run ordered, in any order, and with one score for all."""
    qrels, run = write_case(queries, depth)
    other, shuffled = write_case(queries, depth, ordered=False)
    return [
        ours("ordered", *seven(qrels, run)),
        ours("every query out of order", *seven(other, shuffled)),
        ours("every result tied", *seven(qrels, tied(run))),
    ]


def tied(run: Path) -> Path:
    """The run with the same score everywhere."""
    path = run.with_suffix(".tied.run")
    if not path.exists():
        with run.open("rb") as lines, path.open("wb") as out:
            for line in lines:
                fields = line.split()
                fields[4] = b"1.5"
                out.write(b" ".join(fields) + b"\n")
    return path


def packed_run(queries: int, depth: int) -> list[Contender]:
    """A compressed run, beside unpacking alone."""
    qrels, run = write_case(queries, depth)
    path = Path(f"{run}.gz")
    if not path.exists():
        with run.open("rb") as data, gzip.open(path, "wb", compresslevel=6) as out:
            shutil.copyfileobj(data, out, CHUNK)
    found = [ours("treconcile eval of .run.gz", *seven(qrels, path))]
    program = shutil.which("zcat")
    return [*found, Contender("zcat", [program, str(path)])] if program else found


def several_runs(queries: int, depth: int) -> list[Contender]:
    """Ten runs in one call, and one of them alone."""
    made = [write_case(queries, depth, seed) for seed in range(1, 11)]
    qrels = made[0][0]
    return [
        ours("one run", *seven(qrels, made[0][1])),
        ours("ten runs in one call", *seven(qrels, *(run for _, run in made))),
    ]


def two_versions(queries: int, depth: int) -> list[Contender]:
    """A run scored alone, and compared with a later version of the search."""
    qrels, run = write_case(queries, depth)
    return [
        ours("eval of one run", "eval", qrels, run, "-m", "nDCG@10"),
        ours("compare with another", "compare", qrels, run, candidate(run), "-m", "nDCG@10"),
    ]


def four_versions(queries: int, depth: int) -> list[Contender]:
    """A run compared with three later versions of the search, under five measures."""
    qrels, run = write_case(queries, depth)
    files = [qrels, run, *(candidate(run, seed) for seed in (2, 3, 4))]
    names = [word for name in ("P@10", "R@100", "RR", "AP", "nDCG@10") for word in ("-m", name)]
    return [ours("compare", "compare", *files, *names, "--resamples", 10_000)]


def growth(depth: int, most: int) -> list[Contender]:
    """Runs of more and more queries."""
    sizes = [size for size in (698, 6_980, 69_800) if size * depth <= most]
    return [ours(f"{size * depth / 1e6:g} million lines", *seven(*write_case(size, depth))) for size in sizes]


def cases(queries: int, depth: int, most: int) -> list[Case]:
    """All cases; the first is the one that is compared with other tools."""
    size = f"{queries:,} queries × {depth:,} results"
    found = [
        Case(f"{size}, seven measures", lambda: against_others(*write_case(queries, depth))),
        Case(f"{size}: order and ties", lambda: hard_runs(queries, depth)),
        Case(f"{size}, compressed", lambda: packed_run(queries, depth)),
        Case("ten runs of 700 queries × 1,000 results", lambda: several_runs(700, 1000)),
        Case(f"compare: two runs of {size}", lambda: two_versions(queries, depth)),
        Case(
            "compare: 4 runs × 100 queries × 5 measures, 10,000 resamples",
            lambda: four_versions(100, 1000),
            often=True,
        ),
        Case("growth: 1,000 results a query", lambda: growth(1000, most)),
        Case("start", lambda: start(*write_case(100, 10)), often=True),
        *(
            # Where in these the first is faster than trec_eval is the size from which it is.
            Case(
                f"{lines} queries × 1,000 results",
                lambda lines=lines: against_others(*write_case(lines, 1000)),
                True,
            )
            for lines in (50, 100, 200, 400)
        ),
        Case("100 queries × 10 results", lambda: against_others(*write_case(100, 10)), often=True),
        Case(
            "100 queries × 1,000 results, every measure of every query",
            lambda: all_measures(*write_case(100, 1000)),
            often=True,
        ),
    ]
    real = Path(os.environ.get("TRECONCILE_TEST_DATA", "")) / "robust03"
    return found + [
        Case(
            f"{run.name.partition('.')[0]} of the Robust track of 2003, every measure of every query",
            lambda run=run: all_measures(unpacked(real / "qrels.txt.gz"), unpacked(run)),
            often=True,
        )
        for run in sorted(real.glob("*.run.gz"))
    ]


def unpacked(path: Path) -> Path:
    """A file as trec_eval can read it."""
    plain = FOLDER / f"robust03-{path.stem}"
    if not plain.exists():
        with gzip.open(path) as data, plain.open("wb") as out:
            shutil.copyfileobj(data, out, CHUNK)
    return plain


def report(found: list[Contender]) -> str:
    """The table of a case, as Markdown."""
    lines = ["| | wall, s | CPU, s | peak, MB | wall, times the first |", "|---|---:|---:|---:|---:|"]
    base = statistics.median(found[0].seconds)
    for each in found:
        wall = statistics.median(each.seconds)
        lines.append(
            f"| {each.name} | {wall:.2f} | {statistics.median(each.processor):.2f}"
            f" | {max(each.megabytes):.0f} | {wall / base:.2f} |"
        )
    return "\n".join(lines)


def machine() -> str:
    """What was measured on."""
    python = f"Python {platform.python_version()}"
    return f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}, {python}"


def main() -> None:
    """Make the files, take turns, print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=int, default=6980)
    parser.add_argument("--depth", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--most", type=int, default=7_000_000, help="lines of the largest run")
    parser.add_argument("--only", help="words of the titles of the cases to run, separated by semicolons")
    parser.add_argument("--tools", help="words of the contenders to run, separated by commas")
    parser.add_argument("--write", action="store_true", help=f"write the tables to {TABLE.name}, too")
    chosen = parser.parse_args()
    text = [f"Medians of whole processes, taking turns, on {machine()}. `make bench` measures anew.\n"]
    print(text[0])
    for case in cases(chosen.queries, chosen.depth, chosen.most):
        if chosen.only and not any(word in case.title for word in chosen.only.split(";")):
            continue
        found = case.contenders()
        if chosen.tools:
            found = [each for each in found if any(word in each.name for word in chosen.tools.split(","))]
        if case.often:
            for each in found:
                each.measure()
                each.forget()
        for _ in range(chosen.rounds * (3 if case.often else 1)):
            for each in found:
                each.measure()
        text.append(f"## {case.title}\n\n{report(found)}\n")
        print(text[-1], flush=True)
    if chosen.write:
        TABLE.write_text("# Speed and memory\n\n" + "\n".join(text), encoding="utf-8")


if __name__ == "__main__":
    main()
