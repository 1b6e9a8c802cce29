"""`--strict` of eval, compare, crosscheck and explain: what changes numbers without a fault is an error."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import treconcile as tc
from treconcile.errors import InputError

Cli = Callable[..., tuple[int, str, str]]
CHECKS = (
    ("crosscheck", "--against", "pytrec_eval"),
    ("crosscheck", "--baseline", "good", "--test", "0.5"),
    ("explain", "--seconds", "0.1", "--mean", "RR=0.5"),
)
"""The commands that look at numbers from elsewhere, and what they need."""


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("q").write_text("q1 0 a 1\nq1 0 b 0\nq2 0 c 1\nq2 0 x 0\n")
    Path("good").write_text("q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\nq2 Q0 x 1 2 t\nq2 Q0 c 2 1 t\n")
    Path("tied").write_text("q1 Q0 a 1 2 t\nq1 Q0 b 2 2 t\nq2 Q0 c 1 2 t\nq2 Q0 x 2 1 t\n")
    Path("unjudged").write_text("q1 Q0 a 1 3 t\nq1 Q0 y 2 2 t\nq2 Q0 y 1 2 t\nq2 Q0 z 2 1 t\n")
    Path("empty").write_text("")
    Path("apart").write_text("q1 Q0 y 1 2 t\nq2 Q0 z 1 2 t\n")


@pytest.mark.parametrize(
    ("run", "message"),
    [
        ("empty", "error: empty: the run has no results"),
        ("apart", "error: apart: none of the 2 results is a judged document"),
        ("tied", "error: tied: RR depends on the order of tied documents: 0.5000 to 1.0000 for q1"),
        (
            "unjudged",
            "error: unjudged: 75.0% of the first 10 results are not judged, which is more than 50.0%",
        ),
    ],
)
def test_what_changes_numbers_is_an_error(cli: Cli, run: str, message: str) -> None:
    """Status 3, no score and no snapshot; without --strict the run is scored."""
    assert cli("eval", "q", run, "-m", "RR")[0] == 0
    status, out, err = cli("eval", "q", run, "-m", "RR", "--strict", "--save", "s.json")
    assert (status, out) == (3, "")
    assert message in err
    assert not Path("s.json").exists()
    for runs in (("good", run), (run, "good")):
        status, out, err = cli("compare", "q", *runs, "-m", "RR", "--strict", "--force")
        assert (status, out) == (3, "") and message in err
    for command in CHECKS:
        status, out, err = cli(*command, "q", run, "-m", "RR", "--strict")
        assert (status, out) == (3, "") and message in err, command
    with pytest.raises(InputError, match=re.escape(message.partition(": ")[2].partition(": ")[2][:20])):
        tc.evaluate("q", run, "RR", strict=True)
    with pytest.raises(InputError):
        tc.compare("q", "good", [run], "RR", strict=True, force=True)


def test_what_changes_nothing_is_no_error(cli: Cli) -> None:
    """A good run passes, and so do ties that cannot change what is asked for."""
    assert cli("eval", "q", "good", "-m", "RR", "--strict")[0] == 0
    assert cli("compare", "q", "good", "good", "-m", "RR", "--strict")[0] == 0
    assert tc.evaluate("q", "good", "RR", strict=True)["RR"].mean == 0.75
    for command in CHECKS:
        assert cli(*command, "q", "good", "-m", "RR", "--strict")[0] in (0, 1), command
    assert cli("eval", "q", "tied", "-m", "P@2", "-m", "NumRet", "--strict")[0] == 0
    assert cli("eval", "q", "tied", "-m", "P@1", "--strict")[0] == 3


def test_the_share_of_unjudged_results(cli: Cli) -> None:
    """It is said with --max-unjudged, which means nothing without --strict; k is that of the measure."""
    assert cli("eval", "q", "unjudged", "-m", "RR", "--strict", "--max-unjudged", "0.75")[0] == 0
    assert cli("eval", "q", "unjudged", "-m", "RR", "--strict", "--max-unjudged", "0.74")[0] == 3
    assert cli("eval", "q", "unjudged", "-m", "P@1", "--strict")[0] == 0
    assert cli("eval", "q", "good", "-m", "RR", "--strict", "--max-unjudged", "0")[0] == 0
    compare = ("compare", "q", "unjudged", "unjudged", "-m", "RR", "--strict")
    assert [cli(*compare, "--max-unjudged", share)[0] for share in ("0.75", "0.74")] == [0, 3]
    for command in CHECKS:
        asked = (*command, "q", "unjudged", "-m", "RR", "--strict", "--max-unjudged")
        statuses = [cli(*asked, share)[0] for share in ("0.75", "0.74")]
        assert statuses[0] != 3 and statuses[1] == 3, command
    status, _, err = cli("eval", "q", "unjudged", "-m", "RR", "--max-unjudged", "0.75")
    assert (status, "add --strict" in err) == (2, True)
