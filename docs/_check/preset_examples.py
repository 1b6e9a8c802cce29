"""The examples of the presets: each variant's sample and each preset's near miss, converted on the spot."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import chdir
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from _check.sessions import ran
from treconcile.formats.systems.mapping.presets import Preset, Variant

DOCIDS = "".join(f"d{number:02}\n" for number in range(1, 11))
FILES = {
    "queries.tsv": "q01\tdescale a kettle\nq02\tprice of moon cheese\n",
    "qids.txt": "q01\nq02\n",
    "docids.txt": DOCIDS,
    "docs.tsv": "d01\tRinse it with vinegar.\nd02\tThe bakery opens at seven.\n",
}
"""What the examples have beside their input."""

ENDINGS = {"csv": ".csv", "tsv": ".tsv", "regex": ".txt", "ws": ".txt", "npy": ".npy", "parquet": ".parquet"}
NAMES = {"faiss.npy": "I"}
FOLDER = "responses"


@dataclass(frozen=True)
class Example:
    """An input and what becomes of it.

    Attributes:
        path: The name of the input.
        command: The command line.
        output: Everything that it prints.
        files: Which of the files beside the input it reads.
    """

    path: str
    command: str
    output: str
    files: tuple[str, ...]


def before_and_after(variant: Variant) -> Example:
    """The sample of a variant, converted with no more options than it needs.

    Raises:
        ValueError: No options make it convert.
    """
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for ways in _ways(variant):
            path, *options = ways
            _lay_out(path, variant.sample, BINARY.get(variant.label))
            words = ["treconcile", "convert", variant.mapping.kind, _source(path), *options]
            status, output = ran(words)
            if status == 0:
                return Example(path, " ".join(words), output, _of_files(options))
    raise ValueError(f"the sample of {variant.label} converts with none of the usual options: {output}")


def refused(given: Preset) -> Example:
    """The near miss of a preset, which is refused.

    Raises:
        ValueError: It is not.
    """
    kind = given.variants[0].mapping.kind
    lookups = {each.mapping.docid_lookup for each in given.of_kind(kind)}
    docids = [["--docids", file] for lookup, file in _LOOKED_UP.items() if lookup in lookups]
    ending = _ending(given.variants[0], given.near_miss)
    choices = [
        [["almost" + ending], ["almost" + ending, "--queries", "queries.tsv"], [f"{FOLDER}/q01{ending}"]],
        [[], *docids],
        [[], ["--higher-is-better"]],
    ]
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for ways in product(*choices):
            path, *options = [word for way in ways for word in way]
            _lay_out(path, given.near_miss)
            words = ["treconcile", "convert", kind, _source(path), "--from", given.name, *options]
            status, output = ran(words)
            if status == 3 and "nothing tells the id" not in output:
                return Example(path, " ".join(words), output, _of_files(options))
    raise ValueError(f"the near miss of {given.name} exits with {status}, not 3")


def _of_files(options: list[str]) -> tuple[str, ...]:
    return tuple(each for each in options if each in FILES)


_LOOKED_UP = {"index": "docids.txt", "text": "docs.tsv"}


def _ways(variant: Variant) -> Iterator[list[str]]:
    """Inputs and options, the plainest first."""
    mapping = variant.mapping
    name = NAMES.get(variant.label, "input") + _ending(variant, variant.sample)
    by_name = not variant.recognition.levels or not variant.auto
    chosen = ["--from", variant.label] if by_name else []
    if mapping.kind in ("queries", "corpus"):
        yield [name, *chosen]
        return
    found = ["--docids", _LOOKED_UP[mapping.docid_lookup]] if mapping.docid_lookup else []
    asked = mapping.order == "ask" and mapping.score is not None
    directions = [[], ["--higher-is-better"], ["--lower-is-better"]] if asked else [[]]
    # Without an id or a key in the record, something else has to tell which query it is of.
    queries = [[name]] if mapping.qid is not None or mapping.records_as == "dict" else []
    if mapping.query is not None:
        queries.append([name, "--queries", "queries.tsv"])
    by_place = [[name, "--qids", "qids.txt"], [f"{FOLDER}/q01{_ending(variant, variant.sample)}"]]
    # An id that may stand in the record is missing only where each response is a file.
    queries += by_place if mapping.qid is None else reversed(by_place)
    for query, direction in product(queries, directions):
        yield [*query, *chosen, *found, *direction]


def _ending(variant: Variant, text: str) -> str:
    starts = text.lstrip()[:1]
    if starts in ("{", "["):
        lines = text.strip().splitlines()
        return ".jsonl" if len(lines) > 1 and all(line[:1] in "{[" for line in lines) else ".json"
    return ENDINGS.get(variant.mapping.reader, ".csv")


def _lay_out(path: str, text: str, make: Callable[[Path], None] | None = None) -> None:
    for name, beside in FILES.items():
        Path(name).write_text(beside, encoding="utf-8")
    goal = Path(path)
    goal.parent.mkdir(exist_ok=True)
    if make is not None:
        make(goal)
    else:
        goal.write_text(text, encoding="utf-8")


def _source(path: str) -> str:
    """What is converted: the file, or the folder it stands in."""
    return FOLDER if path.startswith(f"{FOLDER}/") else path


def _arrays(path: Path) -> None:
    import numpy as np

    np.save(path, np.array([[0, 1, -1], [4, 1, 0]], dtype=np.int64))
    distances = [[0.0625, 0.25, np.finfo(np.float32).max], [0.125, 0.25, 0.5]]
    np.save(path.with_name("D.npy"), np.array(distances, dtype=np.float32))


BINARY: dict[str, Callable[[Path], None]] = {"faiss.npy": _arrays}
"""Samples that are no text, and how they are made: as their descriptions say."""
