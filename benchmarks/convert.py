"""Speed and peak memory of `treconcile convert` on synthetic responses of search engines and its own forms.

Each case is a whole process, start to finish, on one core where the system can pin one: it reads the input
and writes a TREC file. Cases take turns, so that a slow moment of a shared machine hits all of them; medians
are printed. The megabytes a second are those of the input, decompressed. The last cases are another program
on the same inputs: `json.load`, or `json.loads` line by line, and a loop that writes.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import platform
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

HITS = 100
WORDS = ("kettle", "bakery", "ferry", "market", "bridge", "library", "harbour", "museum", "station", "garden")

Lines = Iterator[bytes]
Record = Callable[[random.Random, int], dict[str, object]]


def elasticsearch(draw: random.Random, number: int) -> dict[str, object]:
    """A response as it is logged beside the query's id, with two stored fields a hit."""
    hits = [
        {
            "_index": "town",
            "_id": f"doc-{draw.randrange(10**8):08d}-{at}",
            "_score": round(30 / (1 + at / 20), 6),
            "_source": {"title": " ".join(draw.choices(WORDS, k=6)), "year": draw.randrange(1900, 2025)},
        }
        for at in range(HITS)
    ]
    total = {"value": HITS, "relation": "eq"}
    answer = {"took": 4, "timed_out": False, "hits": {"total": total, "max_score": 30.0, "hits": hits}}
    return {"query_id": f"q{number}", "query": " ".join(draw.choices(WORDS, k=4)), "response": answer}


def pinecone(draw: random.Random, number: int) -> dict[str, object]:
    """A response whose hits hold an id, a score and no more."""
    matches = [
        {"id": f"{draw.randrange(10**8)}-{at}", "score": 0.9 - at / 200 - draw.random() / 250, "values": []}
        for at in range(HITS)
    ]
    return {"query_id": f"q{number}", "matches": matches, "namespace": "", "usage": {"readUnits": 5}}


def scored_hits(draw: random.Random) -> list[tuple[str, float]]:
    """Ids with scores that fall."""
    scores = sorted((round(draw.random() * 30, 6) for _ in range(HITS)), reverse=True)
    return [(f"doc-{draw.randrange(10**8):08d}-{at}", score) for at, score in enumerate(scores)]


def own_objects(draw: random.Random, number: int) -> dict[str, object]:
    """A record of treconcile's own form: results as objects with an id and a score."""
    results = [{"id": name, "score": score} for name, score in scored_hits(draw)]
    return {"query_id": f"q{number}", "results": results}


def own_ids(draw: random.Random, number: int) -> dict[str, object]:
    """The same with ids alone, best first."""
    return {"query_id": f"q{number}", "results": [name for name, _ in scored_hits(draw)]}


def own_scores(draw: random.Random, number: int) -> dict[str, object]:
    """The same with an object of scores by id."""
    return {"query_id": f"q{number}", "results": dict(scored_hits(draw))}


def own_judgments(draw: random.Random, number: int) -> dict[str, object]:
    """A record of judgments: the relevant ids."""
    return {"id": f"q{number}", "relevant": [name for name, _ in scored_hits(draw)]}


def written_lines(record: Record, size: int) -> Lines:
    """Records, a line each, until there are so many bytes."""
    draw, number, done = random.Random(1), 0, 0
    while done < size:
        number += 1
        line = json.dumps(record(draw, number)).encode() + b"\n"
        done += len(line)
        yield line


def one_list(lines: Lines) -> Lines:
    """The same records as members of one JSON list."""
    before = b"[\n"
    for line in lines:
        yield before + line.rstrip(b"\n")
        before = b",\n"
    yield b"\n]\n"


def by_query(lines: Lines) -> Lines:
    """The same records as one object: what was found, by query."""
    before = b"{\n"
    for line in lines:
        record = json.loads(line)
        yield before + json.dumps({record["query_id"]: record["results"]})[1:-1].encode()
        before = b",\n"
    yield b"\n}\n"


PLAIN = """
import json, sys
with open(sys.argv[1], encoding="utf-8") as file, open(sys.argv[2], "w", encoding="utf-8") as out:
    records = map(json.loads, file) if sys.argv[1].endswith("l") else json.load(file)
    for record in records:
        for rank, result in enumerate(record["results"], 1):
            out.write(f"{record['query_id']} Q0 {result['id']} {rank} {result['score']} plain\\n")
"""
"""A loop without any check, as one writes it oneself."""


@dataclass
class Case:
    """One input: how it is converted, and what that took each time."""

    name: str
    path: Path
    options: tuple[str, ...]
    kind: str = "run"
    size: int = 0
    seconds: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    megabytes: list[float] = field(default_factory=list)

    def write(self, lines: Lines) -> None:
        """Write the input, unless it is there."""
        opened: Callable[..., IO[bytes]] = gzip.open if self.path.suffix == ".gz" else open  # type: ignore[assignment]
        if not self.path.exists():
            aside = self.path.with_name("unfinished" + self.path.suffix)
            with opened(aside, "wb") as file:
                file.writelines(lines)
            aside.rename(self.path)
        with opened(self.path, "rb") as file:
            self.size = file.seek(0, os.SEEK_END) if self.path.suffix != ".gz" else sum(map(len, file))

    def measure(self) -> None:
        """Convert it once."""
        pinned = ["taskset", "-c", str(max(os.sched_getaffinity(0)))] if shutil.which("taskset") else []
        program = [*pinned, sys.executable, "-m", "treconcile", "convert", self.kind, str(self.path), "-o"]
        if self.kind == "plain":
            program = [*pinned, sys.executable, "-c", PLAIN, str(self.path)]
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as said:
            command = [*program, str(Path(folder) / "out"), *self.options]
            started = time.perf_counter()
            process = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT, env=environment())
            _, status, usage = os.wait4(process.pid, 0)
            self.seconds.append(time.perf_counter() - started)
            if status:
                said.seek(0)
                raise SystemExit(f"{self.name} failed:\n{said.read()[-2000:].decode(errors='replace')}")
        self.processor.append(usage.ru_utime + usage.ru_stime)
        self.megabytes.append(usage.ru_maxrss / 1024)


def environment() -> dict[str, str]:
    """The environment with the code compiled once, as that of an installed package is."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(Path(__file__).parent / "data" / "bytecode")}


def cases(folder: Path, size: int, only: str) -> list[Case]:
    """The cases with a part of the name, with their inputs written."""
    folder.mkdir(parents=True, exist_ok=True)
    log, higher = ("--from", "elasticsearch.log"), ("--from", "pinecone.query", "--higher-is-better")
    made: list[tuple[Case, Record, Callable[[Lines], Lines]]] = [
        (Case("Elasticsearch, JSON Lines", folder / f"es-{size}.jsonl", log), elasticsearch, iter),
        (Case("Elasticsearch, one JSON list", folder / f"es-{size}.json", log), elasticsearch, one_list),
        (Case("Elasticsearch, JSON Lines, gz", folder / f"es-{size}.jsonl.gz", log), elasticsearch, iter),
        (Case("Pinecone, JSON Lines", folder / f"pinecone-{size}.jsonl", higher), pinecone, iter),
        (Case("Pinecone, one JSON list", folder / f"pinecone-{size}.json", higher), pinecone, one_list),
        (Case("own objects, JSON Lines", folder / f"own-{size}.jsonl", ()), own_objects, iter),
        (Case("own objects, one JSON list", folder / f"own-{size}.json", ()), own_objects, one_list),
        (Case("own ids, JSON Lines", folder / f"own-ids-{size}.jsonl", ()), own_ids, iter),
        (Case("own scores by id, JSON Lines", folder / f"own-scores-{size}.jsonl", ()), own_scores, iter),
        (
            Case("own scores by query, one JSON object", folder / f"own-{size}-by.json", ()),
            own_scores,
            by_query,
        ),
        (
            Case("own judgments, JSON Lines", folder / f"judged-{size}.jsonl", (), "qrels"),
            own_judgments,
            iter,
        ),
        (
            Case("plain loop, own objects, JSON Lines", folder / f"own-{size}.jsonl", (), "plain"),
            own_objects,
            iter,
        ),
        (
            Case("plain loop, own objects, one list", folder / f"own-{size}.json", (), "plain"),
            own_objects,
            one_list,
        ),
    ]
    chosen = [each for each in made if only in each[0].name.lower()]
    for case, record, arranged in chosen:
        case.write(arranged(written_lines(record, size * 10**6)))
    return [case for case, _, _ in chosen]


def report(found: list[Case]) -> str:
    """The table, as Markdown."""
    lines = ["| input | MB | wall, s | CPU, s | MB/s | peak, MB |", "|---|---:|---:|---:|---:|---:|"]
    for each in found:
        size, wall = each.size / 1e6, statistics.median(each.seconds)
        lines.append(
            f"| {each.name} | {size:.0f} | {wall:.2f} | {statistics.median(each.processor):.2f}"
            f" | {size / wall:.0f} | {max(each.megabytes):.0f} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Write the inputs, take turns, print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=200, help="the size of each input")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="a part of the names of the cases to run")
    chosen = parser.parse_args()
    found = cases(Path(__file__).parent / "data", chosen.megabytes, chosen.only.lower())
    for _ in range(chosen.rounds):
        for each in found:
            each.measure()
    print(f"{HITS} hits a response; medians of {chosen.rounds}; one core")
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}\n")
    print(report(found))


if __name__ == "__main__":
    main()
