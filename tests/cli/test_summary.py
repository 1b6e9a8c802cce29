"""`--summary github`: what GitHub Actions is given, and that no name is read as markup or as a command."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from treconcile.comparison.versions.gate_expressions import GateResult
from treconcile.errors import Notice
from treconcile.rendering.github import MOST_BYTES, fitted, plain, workflow_commands

Cli = Callable[..., tuple[int, str, str]]
SUMMARY = ("--summary", "github")


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    Path("q").write_text("q1 0 a 1\nq2 0 c 1\n")
    Path("before.run").write_text("q1 Q0 a 1 2 t\nq2 Q0 c 1 1 t\n")
    Path("after.run").write_text("q1 Q0 a 1 3 t\nq2 Q0 x 1 1 t\n")


def test_summary_of_eval(cli: Cli) -> None:
    """Gates first, then the means and each query; an annotation for the gate; stdout is as without."""
    arguments = ("eval", "q", "after.run", "-m", "P@1", "--fail-if", "P@1 < 0.6")
    status, out, err = cli(*arguments, *SUMMARY)
    assert (status, out) == (1, cli(*arguments)[1])
    text = Path("summary.md").read_text()
    assert (
        text.index("**1 of 1 gates failed**") < text.index("| P@1 | 0.5000 |") < text.index("| q2 | 0.0000 |")
    )
    assert "convention default" in text
    assert "::error title=treconcile::gate failed: P@1 < 0.6, saw 0.5 (after.run)\n" in err


def test_summary_of_compare(cli: Cli) -> None:
    """The same for a comparison; summaries of a step stand one after the other."""
    arguments = ("compare", "q", "before.run", "after.run", "-m", "P@1", "--fail-if", "lost_queries > 0")
    for _ in range(2):
        status, _, err = cli(*arguments, *SUMMARY)
        assert status == 1
        assert "::error title=treconcile::gate failed: lost_queries &gt;" not in err
        assert "::error title=treconcile::gate failed: lost_queries > 0, saw 1 (after.run)" in err
    text = Path("summary.md").read_text()
    assert text.count("## treconcile compare") == 2
    assert "q2  lost: P@1 1.0000 → 0.0000" in text


def test_an_error_is_annotated_where_it_is(cli: Cli) -> None:
    """Bad input stays an error, and becomes an annotation with file and line."""
    Path("bad.run").write_text("q1 Q0 a 1 2 t\nq1 Q0 b\n")
    status, out, err = cli("eval", "q", "bad.run", *SUMMARY)
    assert (status, out) == (3, "")
    assert "::error title=treconcile,file=bad.run,line=2::3 fields found, 6 expected" in err


def test_elsewhere_it_is_refused(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the variable, or for another place, nothing is scored."""
    status, _, err = cli("eval", "q", "after.run", "--summary", "gitlab")
    assert (status, "it is github" in err) == (2, True)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY")
    status, out, err = cli("eval", "q", "after.run", *SUMMARY)
    assert (status, out) == (2, "")
    assert "GITHUB_STEP_SUMMARY" in err
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "no/such/folder/summary.md")
    assert cli("eval", "q", "after.run", *SUMMARY)[0] == 3


def test_a_summary_never_grows_too_large() -> None:
    """It is cut at the end of a line, and says so; what stands there already counts."""
    text = "".join(f"| q{number} | é |\n" for number in range(100_000))
    data = fitted(text, MOST_BYTES)
    assert len(data) <= MOST_BYTES < 1 << 20
    assert data.decode().endswith("| é |\n\n\nThe rest did not fit.\n")
    assert fitted("short\n", MOST_BYTES) == b"short\n"
    assert fitted(text, 30).decode().count("q") <= 1
    assert fitted(text, 0) == b""


def test_a_large_summary_of_a_run(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many queries the first are in the summary, and two summaries share the room."""
    monkeypatch.setattr("treconcile.rendering.github.MOST_BYTES", 12_000)
    Path("q").write_text("".join(f"query-number-{number:06} 0 a 1\n" for number in range(200)))
    Path("r").write_text("query-number-000001 Q0 a 1 1 t\n")
    for _ in range(2):
        assert cli("eval", "q", "r", "-m", "P@1", *SUMMARY)[0] == 0
    text = Path("summary.md").read_bytes()
    assert 11_000 < len(text) <= 12_000
    assert text.endswith(b"The rest did not fit.\n")


def test_at_most_ten_annotations() -> None:
    """Gates come first, then errors, then warnings; notes are none."""
    gates = [GateResult(f"P@{at} < 1", "run", passed=False, saw=0.5) for at in range(1, 5)]
    said = [Notice("x", f"warning {at}") for at in range(20)] + [Notice("y", "bad", level="error")]
    found = workflow_commands(gates, [Notice("z", "a note", level="note"), *said])
    assert len(found) == 10
    assert [each.split(" ")[0] for each in found] == ["::error"] * 5 + ["::warning"] * 4 + ["::error"]
    assert found[-1].endswith("and 16 more, which the log has")
    assert len(workflow_commands(gates, said[:6])) == 10
    assert workflow_commands([GateResult("P@1 < 1", "run", passed=True, saw=1.0)], []) == []


@pytest.mark.parametrize(
    "name", ["a\n::error::b", "a\r\n::set-env name=X::b", "a%0A::warning::b", "::stop-commands::x"]
)
def test_no_name_is_a_command(name: str) -> None:
    """A name with line ends stays within its annotation, as a message and as a file."""
    (line,) = workflow_commands([], [Notice("x", name, where=f"{name}:3")])
    assert not re.search(r"[\r\n]", line)
    assert line.startswith("::warning title=treconcile,file=")
    properties, _, message = line.removeprefix("::").partition("::")
    assert (
        ":" not in properties
        and message.replace("%0A", "\n").replace("%0D", "\r").replace("%25", "%") == name
    )


@pytest.mark.parametrize(
    "name",
    [
        "<script>x</script>",
        "[a](http://b)",
        "![a](//b)",
        "a|b",
        "`a`",
        "</details>",
        "https://a.b",
        "*a*",
        "a\n# b",
    ],
)
def test_no_name_is_markup(cli: Cli, name: str) -> None:
    """A name is shown as it is."""
    shown = plain(name)
    assert "\n" not in shown and "<" not in shown
    assert not re.search(r"(?<!\\)[|`*\[\]]|https?://", shown)
    Path("r").write_text("q1 Q0 a 1 1 t\n")
    query = name.replace("\n", "_").replace(" ", "_")
    Path("q").write_text(f"{query} 0 a 1\nq1 0 a 1\n")
    assert cli("eval", "q", "r", "-m", "P@1", *SUMMARY)[0] == 0
    assert f"| {plain(query)} | 0.0000 |" in Path("summary.md").read_text()
