"""`treconcile retrieve`: a user's function becomes a run, and is trusted with nothing."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from treconcile.demo import DOCUMENTS, QRELS
from treconcile.formats import read_run

Cli = Callable[..., tuple[int, str, str]]

EXAMPLE = ("retrieve", "treconcile.demo.search:search")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("docs.json").write_text('{"d1": "a text with words", "d2": "another", "d3": "more"}')
    Path("topics.tsv").write_text("q1\tfirst words\nq2\tsecond words\n")


def searched(cli: Cli, body: str, *options: object) -> tuple[int, str, str]:
    """Run a function of that body, from a file, for at most two results."""
    Path("mine.py").write_text(f"def search(query, documents, k):\n    {body}\n")
    arguments = ("--corpus", "docs.json", "--queries", "topics.tsv", "-k", 2, *options)
    return cli("retrieve", "mine.py:search", *arguments)


def test_the_example(cli: Cli) -> None:
    """The example's search gives the run that is known, and the sidecar says the rest."""
    status, out, err = cli(
        *EXAMPLE, "--corpus", DOCUMENTS, "--queries", QRELS, "-k", 3, "-o", "x.run"
    )  # fmt: skip
    assert (status, out) == (0, "")
    assert Path("x.run").read_text().splitlines() == [
        "q01 Q0 d01 1 2 search",
        "q02 Q0 d04 1 3 search",
        "q02 Q0 d05 2 2 search",
        "q02 Q0 d06 3 2 search",
        "q03 Q0 d08 1 3 search",
        "q04 Q0 d06 1 3 search",
    ]
    run = read_run("x.run")
    assert (run.empty, run.k, run.scored) == (("q05", "q06"), 3, True)
    meta = json.loads(Path("x.run.meta.json").read_text(encoding="utf-8"))
    assert set(meta["hashes"]) == {"file", "corpus", "queries"}
    assert meta["command"][:3] == ["treconcile", "retrieve", "treconcile.demo.search:search"]
    assert "6 results of 4 queries; 2 queries that found nothing (q05, q06)" in err


@pytest.mark.parametrize(
    ("returned", "expected"),
    [
        ("['d2', 'd1']", ["d2 1 2", "d1 2 1"]),
        ("('d2', 'd1')", ["d2 1 2", "d1 2 1"]),
        ("(each for each in ['d2', 'd1'])", ["d2 1 2", "d1 2 1"]),
        ("[('d2', 2.5), ['d1', 1]]", ["d2 1 2.5", "d1 2 1.0"]),
        ("{'d1': 1, 'd2': 2}", ["d2 1 2", "d1 2 1"]),
    ],
)
def test_what_a_function_may_return(cli: Cli, returned: str, expected: list[str]) -> None:
    """Ids, pairs, and a dictionary, whose order is that of its scores."""
    status, out, _ = searched(cli, f"return {returned}")
    assert status == 0
    assert out.splitlines() == [f"{query} Q0 {line} search" for query in ("q1", "q2") for line in expected]


def test_it_is_given_text_documents_and_k(cli: Cli) -> None:
    """The query's text, every document as id and text, and k."""
    checks = "[query.endswith(' words'), [d['id'] for d in documents] == ['d1', 'd2', 'd3'], k == 2]"
    assert searched(cli, f"return ['d1'] if all({checks}) else []")[1].count("d1") == 2


def test_scores_that_do_not_fall_are_warned_of(cli: Cli) -> None:
    """TREC order is by score; --score rank keeps the order of the list."""
    status, out, err = searched(cli, "return [('d1', 1), ('d2', 2)]")
    assert status == 0 and out.startswith("q1 Q0 d2 1 2 search\n")
    assert "do not fall in the order of the results of 2 of 2 queries, for example q1" in err
    status, out, err = searched(cli, "return [('d1', 1), ('d2', 2)]", "--score", "rank")
    assert out.startswith("q1 Q0 d1 1 2 search\nq1 Q0 d2 2 1 search\n") and "do not fall" not in err


def test_what_it_prints_is_not_data(cli: Cli) -> None:
    """A function that prints does not spoil the run on standard output."""
    _, out, err = searched(cli, "print('noise'); return ['d1']")
    assert "noise" not in out and "noise" in err


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return None", "asked the query q1, returned None"),
        ("return 3", "returned a value of type int"),
        ("return 'd1'", "returned a value of type str"),
        ("return {'d1'}", "returned a value of type set"),
        ("return [1]", "returned a result of type int"),
        ("return [(1, 1.0)]", "returned an id of type int"),
        ("return [('d1', '1')]", "returned a score of type str"),
        ("return [('d1', True)]", "returned a score of type bool"),
        ("return [('d1', float('nan'))]", "returned the score NaN"),
        ("return ['d1', 'd1']", "returned d1 more than once"),
        ("return ['d9']", "returned 'd9', which is not an id of the corpus"),
        ("return ['d1', 'd2', 'd3']", "returned 3 results, where 2 were asked for"),
        (
            "return ['d1'] if 'first' in query else [('d1', 1)]",
            "scores for the query q2 and only ids for the query q1",
        ),
        ("raise ValueError('secret ' + query)", "failed on the query q1: ValueError"),
        ("raise SystemExit(0)", "failed on the query q1: SystemExit"),
        ("yield 1 / 0", "failed on the query q1: ZeroDivisionError"),
    ],
)
def test_what_a_function_may_not_do(cli: Cli, body: str, expected: str) -> None:
    """Exit 4, with the query's id and a hint, never its text; nothing is written."""
    status, out, err = searched(cli, body, "-o", "x.run")
    assert (status, out) == (4, "") and expected in err and "\nhint: " in err
    assert "secret" not in err and "words" not in err and not Path("x.run").exists()


def test_a_text_returned_as_an_id_is_not_shown(cli: Cli) -> None:
    """A function that returns texts instead of ids is told so without the text."""
    status, _, err = searched(cli, "return [documents[0]['text']]")
    assert status == 4 and "a text of 17 characters" in err and "with words" not in err


@pytest.mark.parametrize(
    ("spec", "status", "expected"),
    [
        ("mine:serch", 2, "hint: did you mean 'search'?"),
        ("nothing_here:search", 2, "there is no module 'nothing_here'"),
        ("nothing.py:search", 2, "there is no file 'nothing.py'"),
        ("search", 2, "'search' names no function"),
        ("mine:constant", 2, "is not a function but of type int"),
        ("broken:search", 4, "broken cannot be imported: RuntimeError"),
        ("needy:search", 4, "needs the module not_installed_anywhere"),
    ],
)
def test_functions_that_are_not_found(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, spec: str, status: int, expected: str
) -> None:
    """A wrong name is a usage error; a module that fails is the user's own."""
    monkeypatch.syspath_prepend(str(Path.cwd()))
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    Path("mine.py").write_text("def search(query, documents, k): return []\nconstant = 3\n")
    Path("broken.py").write_text("raise RuntimeError('secret')\n")
    Path("needy.py").write_text("import not_installed_anywhere\n")
    result, out, err = cli("retrieve", spec, "--corpus", "docs.json", "--queries", "topics.tsv", "-k", 2)
    assert (result, out) == (status, "") and expected in err and "secret" not in err


def test_a_missing_corpus_leaves_the_old_run(cli: Cli) -> None:
    """Exit 3, and the file that was there stays."""
    Path("x.run").write_text("old")
    status, _, err = cli(
        *EXAMPLE, "--corpus", "no", "--queries", "topics.tsv", "-k", 2, "-o", "x.run"
    )  # fmt: skip
    assert (
        status == 3
        and err.startswith("error: no: there is no such file")
        and Path("x.run").read_text() == "old"
    )


def test_k_is_needed_and_positive(cli: Cli) -> None:
    """Without -k, or with less than 1, it is a usage error."""
    for options in ((), ("-k", 0)):
        status, _, err = cli("retrieve", "m:f", "--corpus", "docs.json", "--queries", "topics.tsv", *options)
        assert status == 2 and "-k" in err
