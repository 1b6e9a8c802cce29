"""The command line as a whole: the table of commands, options anywhere on the line, exits, start-up."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from treconcile import __version__
from treconcile.cli import app
from treconcile.errors import is_redacting, redacting, shown, shown_id, shown_ids

Cli = Callable[..., tuple[int, str, str]]

ROOT = Path(__file__).parents[2]
EXAMPLE = (ROOT / "qrels/example.qrels", ROOT / "runs/example.run")

QUERY, OTHER, DOCUMENT, SECOND = "patient-4711", "patient-0815", "letter-99", "letter-77"
IDS = (QUERY, OTHER, DOCUMENT, SECOND, "4711", "0815", "letter")

SEARCH = f'''
def foreign(query, documents, k):
    return ["{SECOND}x"]

def failing(query, documents, k):
    raise ValueError("{DOCUMENT}")

def mixed(query, documents, k):
    return ["{DOCUMENT}"] if "first" in query else [("{DOCUMENT}", 1.0)]
'''


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    files = {
        "q": f"{QUERY} 0 {DOCUMENT} 1\n{OTHER} 0 {SECOND} 1\n",
        "r": f"{QUERY} Q0 {DOCUMENT} 1 2 t\n{QUERY} Q0 {SECOND} 2 2 t\n",
        "twice.run": f"{QUERY} Q0 {DOCUMENT} 1 2 t\n{QUERY} Q0 {DOCUMENT} 2 1 t\n",
        "shifted.run": f"{QUERY} Q0 {DOCUMENT} 1 {SECOND} t\n",
        "strange.run": f"x-{OTHER} Q0 {DOCUMENT} 1 2 t\n",
        "contradicting.qrels": f"{QUERY} 0 {DOCUMENT} 1\n{QUERY} 0 {DOCUMENT} 0\n",
        "labelled.qrels": f"{QUERY} 0 {DOCUMENT} {SECOND}\n",
        "twice.json": f'{{"{QUERY}": ["{DOCUMENT}"],\n"{QUERY}": []}}',
        "form.json": json.dumps([{"id": QUERY, "relevant": 5}]),
        "results.json": json.dumps([{"query_id": QUERY, "results": [{"id": DOCUMENT}, {"id": DOCUMENT}]}]),
        "unknown.json": json.dumps({QUERY: {DOCUMENT: "high"}}),
        "spaced.json": json.dumps({f"{QUERY} {OTHER}": {DOCUMENT: 1}}),
        "empty.json": json.dumps({QUERY: [DOCUMENT], OTHER: []}),
        "corpus.json": json.dumps({DOCUMENT: "a text"}),
        "topics.tsv": f"{QUERY}\tthe first\n{OTHER}\tthe second\n",
        "own.csv": f"query_id,P@3\n{QUERY},0.5\n{QUERY},0.6\n",
        "search.py": SEARCH,
    }
    for name, text in files.items():
        Path(name).write_text(text, encoding="utf-8")


# Ids in messages


CONVERT = ("convert", "run", "-o", "out")
RETRIEVE = ("retrieve", "--corpus", "corpus.json", "--queries", "topics.tsv", "-k", "3", "-o", "out")
FAILING = [
    ("eval", "q", "twice.run"),
    ("eval", "q", "shifted.run"),
    ("eval", "q", "strange.run"),
    ("eval", "contradicting.qrels", "r"),
    ("eval", "labelled.qrels", "r"),
    ("eval", "q", "twice.json"),
    ("eval", "form.json", "r"),
    ("eval", "q", "results.json"),
    ("eval", "unknown.json", "r"),
    ("eval", "q", "r", "-C", "missing=error"),
    ("eval", "q", "r", "-C", "extra=error", "--corpus", "nowhere"),
    ("crosscheck", "q", "r", "-m", "P@3", "--mine", "own.csv"),
    (*CONVERT, "twice.run"),
    (*CONVERT, "spaced.json"),
    (*CONVERT, "empty.json", "--empty-results", "error"),
    (*CONVERT, "r", "--corpus", "corpus.json"),
    (*CONVERT, "strange.run", "--queries", "topics.tsv"),
    (*CONVERT, "r", "-k", "1"),
    (*RETRIEVE, "search.py:foreign"),
    (*RETRIEVE, "search.py:failing"),
    (*RETRIEVE, "search.py:mixed"),
]
TELLING = [
    ("eval", "q", "r"),
    ("eval", "q", "r", "--corpus", "corpus.json"),
    ("crosscheck", "q", "r", "-m", "P@3", "--against", "pytrec_eval"),
    (*CONVERT, "r", "--corpus", "corpus.json", "--unknown", "warn"),
    (*CONVERT, "empty.json"),
    (*CONVERT, "r", "--queries", "topics.tsv"),
]


def shows_ids(text: str) -> bool:
    """Whether any id, or a telling part of one, stands in a text."""
    return any(each in text for each in IDS)


@pytest.mark.parametrize("arguments", FAILING, ids=" ".join)
def test_redacted_errors_hold_no_id(cli: Cli, arguments: tuple[str, ...]) -> None:
    """With --redact an error says the same about hashes of the ids."""
    status, out, err = cli(*arguments, "--redact")
    assert status in (3, 4) and out == ""
    assert err.startswith("error: ") and not shows_ids(err), err
    plain = cli(*arguments)
    assert plain[0] == status
    assert len(plain[2].splitlines()) == len(err.splitlines())


@pytest.mark.parametrize("arguments", TELLING, ids=" ".join)
def test_redacted_warnings_hold_no_id(cli: Cli, arguments: tuple[str, ...]) -> None:
    """So do warnings and what a command says when it is done; without --redact they name ids."""
    status, _, err = cli("--redact", *arguments)
    assert status in (0, 1)
    assert "id:" in err and not shows_ids(err), err
    assert shows_ids(cli(*arguments)[2])


def test_a_hash_stands_for_an_id_everywhere(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a key the same id has the same hash in every message, so that messages can be put together."""
    commands = (("eval", "q", "twice.run"), (*CONVERT, "twice.run"))
    monkeypatch.setenv("TRECONCILE_REDACT_KEY", "a key that nobody knows")
    with redacting(key=b"a key that nobody knows"):
        hashes = {shown_id(QUERY), shown_id(DOCUMENT)}
    for arguments in commands:
        err = cli("--redact", *arguments)[2]
        assert {word.strip("',:;()") for word in err.split() if "id:" in word} == hashes
    assert all(re.fullmatch("id:[0-9a-f]{16}", each) for each in hashes)


def test_redaction_ends_with_the_command(cli: Cli) -> None:
    """A later command in the same process shows ids again."""
    cli("eval", "q", "twice.run", "--redact")
    assert not is_redacting()
    assert DOCUMENT in cli("eval", "q", "twice.run")[2]


def test_a_foreign_exception_is_cut_to_its_type(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a tool's exception says may hold ids."""

    def crash(*_: object, **__: object) -> None:
        raise RuntimeError(DOCUMENT)

    monkeypatch.setattr("pytrec_eval.RelevanceEvaluator", crash)
    arguments = ("crosscheck", "q", "r", "-m", "P@3", "--against", "pytrec_eval")
    assert f"RuntimeError: {DOCUMENT}" in cli(*arguments)[2]
    status, _, err = cli(*arguments, "--redact")
    assert (status, err) == (4, "error: pytrec_eval could not be asked: RuntimeError\n")


def test_debug_and_redact_do_not_go_together(cli: Cli) -> None:
    """A traceback shows what --redact hides."""
    status, out, err = cli("eval", "q", "r", "--debug", "--redact")
    assert (status, out) == (2, "")
    assert "--debug and --redact do not go together" in err


def test_ids_in_a_row() -> None:
    """The first five, and how many more there are."""
    assert shown_ids(["a", "b"]) == "a, b"
    assert shown_ids([*"abcdefg"]) == "a, b, c, d, e and 2 more"
    assert shown("x" * 30) == repr("x" * 20 + "…")


# The line as a whole


def test_every_command_has_a_sentence_and_an_example(cli: Cli) -> None:
    """The help of each says what it does, its options, and a line that can be run."""
    for name in app.COMMANDS:
        status, out, _ = cli(name, "--help")
        told = " ".join(out.split())
        assert status == 0
        assert f"Usage: treconcile {name}" in told and "Options:" in told
        assert "Example" in told and f"treconcile {name}" in told.partition("Example")[2]


@pytest.mark.slow
def test_the_examples_in_the_helps_run(cli: Cli) -> None:
    """Each example, as it stands there, after the demo left its files."""
    assert cli("demo", "--keep", "example")[0] == 0
    for name in app.COMMANDS:
        words = " ".join(cli(name, "--help")[1].split()).partition("Example")[2]
        command = words.rpartition(": treconcile ")[2].split()
        if name == "bless":
            cli("eval", "example/qrels/example.qrels", "example/runs/example.run", "--save", "new.json")
        status, out, err = cli(*command)
        assert status in ((0, 1) if name == "crosscheck" else (0,)), (command, err)
        assert out or err


def test_the_help_lists_the_commands_in_order(cli: Cli) -> None:
    """In the order of the table, with the first step at the end."""
    status, out, _ = cli("--help")
    lines = [line.split()[0] for line in out.splitlines() if line.startswith("  ") and line.split()]
    assert status == 0
    assert [name for name in lines if name in app.COMMANDS] == list(app.COMMANDS)
    assert "Start with: treconcile demo" in out


@pytest.mark.parametrize("arguments", [[], ["eval"], ["crosscheck"], ["convert"], ["retrieve"], ["list"]])
def test_a_command_without_arguments_shows_its_help(cli: Cli, arguments: list[str]) -> None:
    """On stderr, with exit 2, since nothing was done."""
    status, out, err = cli(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith("Usage: treconcile") and "hint" not in err


def test_an_unknown_command_gets_a_suggestion(cli: Cli) -> None:
    """Said once."""
    assert cli("evl", "q", "r") == (2, "", "error: no such command 'evl'\nhint: did you mean 'eval'?\n")


def test_a_missing_argument_is_named(cli: Cli) -> None:
    """With the way to the help."""
    assert cli("eval", "q") == (2, "", "error: missing argument 'RUN...'\nhint: see treconcile eval --help\n")


def test_a_bug_is_no_traceback(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception that nobody foresaw shows its type only, asks for a report, and has an exit of its own."""

    def bug(*_: object, **__: object) -> None:
        raise KeyError(DOCUMENT)

    monkeypatch.setattr("treconcile.formats.read_judgments", bug)
    status, out, err = cli("eval", "q", "r")
    assert (status, out) == (app.INTERNAL, "")
    assert "its own fault: KeyError\n" in err and DOCUMENT not in err
    assert "hint: please report it" in err
    status, _, err = cli("eval", "q", "r", "--debug")
    assert status == app.INTERNAL and "Traceback" in err and DOCUMENT in err


def test_an_interrupt_is_no_traceback(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C has the exit that shells know."""

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("treconcile.formats.read_judgments", interrupt)
    assert cli("eval", "q", "r") == (130, "", "interrupted\n")


# Start-up, in a process of its own


def python(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run some code in a new interpreter."""
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True, check=False
    )


def loaded(arguments: list[object]) -> set[str]:
    """The modules that a command line loads."""
    code = (
        "import sys\n"
        "from treconcile.cli import main\n"
        "sys.argv = ['treconcile', *sys.argv[1:]]\n"
        "try:\n    main()\n"
        "except SystemExit as left:\n    assert not left.code, left.code\n"
        "print('\\n'.join(['LOADED', *sys.modules]))\n"
    )
    done = python(code, *arguments)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.partition("LOADED\n")[2].split("\n"))


HEAVY = {"polars", "numpy", "typer", "rich"}
TOOLS = {"ranx", "pandas", "ir_measures", "pytrec_eval", "numba", "scipy", "trectools"}


def test_the_version_loads_nothing_heavy() -> None:
    """Neither Polars nor NumPy nor typer."""
    assert not loaded(["--version"]) & (HEAVY | TOOLS)


def test_importing_the_library_loads_nothing_heavy() -> None:
    """Names are imported when they are first used."""
    done = python("import sys, treconcile; print(*sys.modules)")
    assert done.returncode == 0
    assert not set(done.stdout.split()) & (HEAVY | TOOLS)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["eval", "--help"],
        ["list", "measures"],
        ["list", "tools"],
        ["list", "profiles"],
        ["eval", *EXAMPLE, "-m", "P@3"],
    ],
    ids=lambda arguments: " ".join(map(str, arguments))[:20],
)
def test_no_tool_is_loaded_before_it_is_asked(arguments: list[object]) -> None:
    """Help, lists and scores need no reference tool, and no pandas."""
    assert not loaded(arguments) & TOOLS


def test_help_loads_neither_polars_nor_numpy() -> None:
    """The help of a command is its options only."""
    assert not loaded(["eval", "--help"]) & {"polars", "numpy"}


def test_the_command_as_a_program() -> None:
    """`python -m treconcile` exits as documented, and writes UTF-8 whatever the locale."""
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "", "PYTHONUTF8": "0"}

    def run(*arguments: object) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "treconcile", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, env=environment, check=False)

    assert run("--version").stdout.decode().split() == ["treconcile", __version__]
    assert run("eval", "q", "nowhere").returncode == 3
    assert run("eval", *EXAMPLE, "-c").returncode == 2
    Path("q8").write_text("ж 0 d 1\n", encoding="utf-8")
    Path("r8").write_text("ж Q0 d 1 1 t\n", encoding="utf-8")
    done = run("eval", "q8", "r8", "-m", "P@1", "-q")
    assert done.returncode == 0 and "ж" in done.stdout.decode("utf-8")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize(
    "command",
    [["list", "measures"], ["eval", *EXAMPLE], ["crosscheck", *EXAMPLE, "--against", "pytrec_eval"]],
)
def test_a_full_disk_is_said(command: list[str]) -> None:
    """Standard output may be a file on a disk without room."""
    with Path("/dev/full").open("wb") as full:
        program = [sys.executable, "-m", "treconcile", *command]
        done = subprocess.run(program, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 3
    assert done.stderr.endswith(b"error: standard output: cannot be written: No space left on device\n")


@pytest.mark.skipif(os.name != "posix", reason="the shell's way to close a stream")
@pytest.mark.parametrize(
    ("closed", "command", "status"),
    [(">&-", "eval nowhere r", 3), ("2>&-", "eval nowhere r", 3), (">&-", "list tools", 0)],
)
def test_a_closed_stream_is_no_fault(closed: str, command: str, status: int) -> None:
    """What nobody can read is dropped; the exit status is that of the command."""
    line = f"{shlex.quote(sys.executable)} -m treconcile {command} {closed}"
    done = subprocess.run(["sh", "-c", line], capture_output=True, check=False)
    assert done.returncode == status
    assert b"Traceback" not in done.stderr


def test_a_reader_that_goes_away_is_no_error() -> None:
    """As `head` does after the first lines."""
    command = [sys.executable, "-m", "treconcile", "list", "measures", "--format", "json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        said = process.stderr.read()
    assert (process.returncode, said) == (0, b"")


INTERRUPTED = """
import sys
class Finder:
    def find_spec(self, name, path, target=None):
        if name == "treconcile.cli.app":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Finder())
from treconcile.cli import main
main()
"""


def test_an_interrupt_while_modules_are_loaded_is_one_word() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, "eval", "x.qrels", "x.run"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


def test_closed_standard_input_is_empty(tmp_path: Path) -> None:
    """Python makes None of it."""
    run = tmp_path / "x.run"
    run.write_text("q Q0 d 1 1 t\n", encoding="utf-8")
    command = f"exec {sys.executable} -m treconcile eval - {run} <&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert done.stderr.startswith("error: <stdin>: there is no judgment in it")
