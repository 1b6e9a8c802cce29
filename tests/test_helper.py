"""With a helper a command prints what it prints without one, whatever happens to the helper."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

import pytest

from treconcile import helper
from treconcile.cli import begin
from treconcile.helper import Ahead

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="helpers are started on Linux only")

SMALL = """
import os, sys
from treconcile import ahead, helper
ahead.LEAST = helper.LEAST = 1
helper.PIECE = int(sys.argv.pop(1))
helper.PROCESSORS = 1
started = []
begin = helper.Helper.__init__
def counted(self, *given):
    begin(self, *given)
    started.append(self._child)
helper.Helper.__init__ = counted
{}
from treconcile.cli import main
ends = []
leave = os._exit
def end(status):
    if started:
        sys.stderr.write("helped\\n")
    sys.stderr.flush()
    leave(status)
os._exit = end
main()
"""
"""A command to which every file is a large one."""

MISHAPS = {
    "none": "",
    "killed at once": "tell = helper.Helper.tell\\n"
    "helper.Helper.tell = lambda self, *given: (os.kill(self._child, 9), tell(self, *given))",
    "killed after it took a piece": """
numbers = helper.Share.numbers
def taken(self):
    for number in numbers(self):
        if os.getpid() != self._helper._owner:
            os.kill(os.getpid(), 9)
        yield number
helper.Share.numbers = taken
""",
    "a long query": """
os.environ["OPENBLAS_NUM_THREADS"] = "1"
from treconcile.formats.trec_large import query_edges
query_edges.NEAR, query_edges.FAR = 64, 256
""",
    "nobody is told of its end": "import signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN)",
    "no thread can be started": """
from threading import Thread
start = Thread.start
def refuse(self):
    if self._target.__name__ == "_send":
        raise RuntimeError("can't start new thread")
    start(self)
Thread.start = refuse
""",
    "takes all": """
numbers = helper.Share.numbers
def late(self):
    import time
    if os.getpid() == self._helper._owner:
        time.sleep(1)
    yield from numbers(self)
helper.Share.numbers = late
""",
    "sends nonsense": """
import pickle
dump = pickle.dump
def nonsense(answer, stream, *given):
    stream.write(b"nonsense") if isinstance(answer, tuple) else dump(answer, stream, *given)
pickle.dump = nonsense
""",
}


def command(mishap: str, piece: int, *arguments: object) -> tuple[str, str, int, bool]:
    """What a command prints, its exit status, and whether a helper was started."""
    program = SMALL.format(MISHAPS.get(mishap, mishap).replace("\\n", "\n"))
    done = subprocess.run(
        [sys.executable, "-c", program, str(piece), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    said = done.stderr.replace("helped\n", "")
    return done.stdout, said, done.returncode, said != done.stderr


def write_files(folder: Path, queries: int = 30, seed: int = 1) -> tuple[Path, Path]:
    """Judgments and a run with ties, queries of several lengths, and one that nobody judged."""
    rng = random.Random(seed)
    judged, lines = [], []
    for query in range(queries):
        documents = rng.sample(range(10**6), rng.randint(1, 40))
        scores = sorted((rng.randint(0, 60) / 4 for _ in documents), reverse=True)
        lines += [
            f"{query} Q0 d{doc} {rank} {score:.2f} t\n"
            for rank, (doc, score) in enumerate(zip(documents, scores, strict=True), start=1)
        ]
        judged += [f"{query} 0 d{doc} {rng.randint(0, 2)}\n" for doc in documents[::3] if query != 3]
    qrels, run = folder / "x.qrels", folder / "x.run"
    qrels.write_text("".join(judged), encoding="utf-8")
    run.write_text("".join(lines), encoding="utf-8")
    return qrels, run


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return write_files(tmp_path_factory.mktemp("files"))


@cache
def alone(*arguments: object) -> tuple[str, str, int]:
    done = subprocess.run(
        [sys.executable, "-m", "treconcile", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout, done.stderr, done.returncode


MEASURES = ["-m", "nDCG@10", "-m", "AP", "-m", "P@3", "-q"]


@pytest.mark.parametrize(
    "mishap",
    [*list(MISHAPS)[:3], *(pytest.param(each, marks=pytest.mark.slow) for each in list(MISHAPS)[3:])],
)
def test_eval_prints_the_same(files: tuple[Path, Path], mishap: str) -> None:
    wanted = alone("eval", *files, *MEASURES)
    *found, helped = command(mishap, 700, "eval", *files, *MEASURES)
    assert tuple(found) == wanted
    assert found[2] == 0 and helped


@pytest.mark.parametrize(
    "piece", [100, *(pytest.param(size, marks=pytest.mark.slow) for size in (1, 5000, 10**6))]
)
def test_a_file_may_be_divided_anywhere(files: tuple[Path, Path], piece: int) -> None:
    """Also within a line, and where one query is longer than a piece."""
    qrels, run = files
    wanted = alone("trec-eval", "-q", "-m", "all_trec", qrels, run)
    *found, helped = command("none", piece, "trec-eval", "-q", "-m", "all_trec", qrels, run)
    assert tuple(found) == wanted
    assert found[2] == 0 and helped


def test_several_runs_are_shared_one_after_another(tmp_path: Path) -> None:
    """Also if one in between cannot be read in pieces, while the helper may have begun with it."""
    qrels, first = write_files(tmp_path)
    first.write_bytes(first.read_bytes().rstrip(b"\n"))  # the last line may lack its end
    odd = tmp_path / "odd.run"
    lines = first.read_text(encoding="utf-8").splitlines(keepends=True)
    odd.write_text("".join([*lines[:60], "# a comment\n", *lines[60:]]), encoding="utf-8")
    second = tmp_path / "second.run"
    second.write_text("".join(line.replace("d1", "d2") for line in lines), encoding="utf-8")
    wanted = alone("eval", qrels, first, odd, second, first, *MEASURES)
    *found, helped = command("none", 900, "eval", qrels, first, odd, second, first, *MEASURES)
    assert tuple(found) == wanted
    assert found[2] == 0 and helped


@pytest.mark.parametrize(
    ("change", "options", "status"),
    [
        (lambda text: text + text.splitlines(keepends=True)[-1], [], 3),
        (lambda text: text + "29 Q0 x y z t\n", [], 3),
        pytest.param(lambda text: text[:-2] + "u\n", [], 0, marks=pytest.mark.slow),
        pytest.param(lambda text: text.replace(" ", "\t"), [], 0, marks=pytest.mark.slow),
        pytest.param(
            lambda text: "".join(f"n{line}" for line in text.splitlines(keepends=True)),
            [],
            3,
            marks=pytest.mark.slow,
        ),
        pytest.param(lambda text: text, ["-C", "ties=expected depth=3"], 2, marks=pytest.mark.slow),
        pytest.param(lambda text: text, ["-C", "duplicates=last"], 0, marks=pytest.mark.slow),
        pytest.param(lambda text: text, ["-C", "nonsense=1"], 2, marks=pytest.mark.slow),
    ],
    ids=["duplicate", "malformed", "tags", "tabs", "no query in common", "axes", "duplicates", "usage"],
)
def test_what_is_wrong_is_said_the_same_way(tmp_path: Path, change, options: list[str], status: int) -> None:  # noqa: ANN001
    qrels, run = write_files(tmp_path)
    run.write_text(change(run.read_text(encoding="utf-8")), encoding="utf-8")
    wanted = alone("eval", qrels, run, *MEASURES, *options)
    *found, _ = command("none", 700, "eval", qrels, run, *MEASURES, *options)
    assert tuple(found) == wanted
    assert found[2] == status


def test_a_run_that_changes_meanwhile_is_read_again(tmp_path: Path) -> None:
    """What is printed is always the hash of what was scored."""
    qrels, run = write_files(tmp_path)
    other = tmp_path / "other"
    other.write_bytes(run.read_bytes().replace(b"d1", b"d3"))
    replaced = f"""
tell = helper.Helper.tell
def tell_late(self, path, *given):
    if path.endswith("x.run"):
        os.replace({str(other)!r}, path)
    tell(self, path, *given)
helper.Helper.tell = tell_late
"""
    *found, helped = command(replaced, 700, "eval", qrels, run, *MEASURES)
    assert helped
    assert tuple(found) == alone("eval", qrels, run, *MEASURES)


@pytest.mark.parametrize("bad", ["", "x" * 5000])
def test_a_long_query_or_line_is_read_from_end_to_end(tmp_path: Path, bad: str) -> None:
    """To look for its beginning from each piece would take the square of its length."""
    qrels, run = write_files(tmp_path)
    lines = [f"1 Q0 d{number} {number} {2000 - number} t\n" for number in range(1, 2000)]
    run.write_text("".join(lines) + bad, encoding="utf-8")
    *found, helped = command("a long query", 4000, "eval", qrels, run, *MEASURES)
    assert helped
    assert tuple(found) == alone("eval", qrels, run, *MEASURES)


ENDLESS = """
import sys, time
from treconcile import ahead, helper
from treconcile.cli import begin
ahead.LEAST = helper.LEAST = ahead.CHUNK = helper.PROCESSORS = 1
wanted = helper.Helper.is_wanted
helper.Helper.is_wanted = lambda self: (time.sleep(0.1), wanted(self))[1]
print(begin("eval", sys.argv[1:]).helper._child, flush=True)
time.sleep(60)
"""


def test_the_helper_ends_with_the_command(files: tuple[Path, Path]) -> None:
    """Also if the command is killed while the helper hashes."""
    program = [sys.executable, "-c", ENDLESS, *map(str, files)]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        state = Path(f"/proc/{int(process.stdout.readline())}/stat")
        assert state.exists()
        process.kill()
    for _ in range(100):
        if not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z":
            return
        time.sleep(0.1)
    pytest.fail("it is still running")


def test_there_is_no_helper_where_there_is_little_to_do(tmp_path: Path) -> None:
    qrels, run = write_files(tmp_path)
    assert helper.helper_for([], [str(run)], []) is None
    assert begin("list", []) is None
    begun = begin("eval", [str(qrels), str(run), "-m", "P@1", "-"])
    assert isinstance(begun, Ahead)
    assert begun.helper is None


def test_the_helper_loads_little(tmp_path: Path) -> None:
    """What it would load but not use would keep it from hashing."""
    program = (
        "import sys\n"
        "from treconcile.helper import _Late\n"
        "from treconcile.cli import READING\n"
        "late = sys.modules['polars'] = _Late('polars')\n"
        "[__import__(name) for name in READING]\n"
        "print(sorted({'typer', 'polars._plr', 'treconcile.model', 'logging'} & set(sys.modules)))\n"
        "print(late.Series(['a']).to_list(), sys.modules['polars'] is not late)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n['a'] True\n"
