"""The example from end to end, and its files in the repository."""

from pathlib import Path

import pytest

from treconcile.demo.walkthrough import walkthrough

ROOT = Path(__file__).parents[2]

FIRST = """\
q01: top3=d01 P@3=0.333 R@3=1.000 RR@3=1.000
q02: top3=d04,d05,d06 P@3=0.333 R@3=1.000 RR@3=1.000
q03: top3=d08 P@3=0.333 R@3=0.500 RR@3=1.000
q04: top3=d06 P@3=0.333 R@3=1.000 RR@3=1.000
q05: top3=- P@3=0.000 R@3=0.000 RR@3=0.000
q06: top3=[] no_relevant_documents
macro(5): P@3=0.267 R@3=0.700 MRR@3=0.800
"""


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder with every file of the example, and all that the demo printed."""
    folder = tmp_path_factory.mktemp("example") / "new" / "folder"
    return folder, "".join(walkthrough(folder))


def test_the_examples_own_numbers_come_first(kept: tuple[Path, str]) -> None:
    """The first seven lines are the example's own metric function, to the letter."""
    assert kept[1].startswith(FIRST + "\n")


@pytest.mark.parametrize(
    "fact",
    [
        "gives P@3 = 0.667",
        "1/1, not 1/3",
        "0.333 / 0.875 / 1.000",
        "0.222 / 0.583 / 0.667",
        "(4 × 1/3) / 6, not (4 × 1/3) / 5",
        "returned d04, d05, d06;",
        "d04, d06, d05. It changes no value here",
    ],
)
def test_what_goes_wrong_is_shown_with_its_numbers(kept: tuple[Path, str], fact: str) -> None:
    """Each of the four mistakes stands there with the query or the fraction that shows it."""
    assert fact in kept[1]


def test_every_difference_is_explained(kept: tuple[Path, str]) -> None:
    """Nothing is unexplained, ir_measures agrees, and pytrec_eval differs by the query without results."""
    table = [line for line in kept[1].splitlines() if "ir_measures" in line or line[:2] in ("P@", "R@", "RR")]
    rows = [line for line in table if "agree" in line or "explained" in line]
    assert sum("provider pytrec_eval" in row and "agree" in row for row in rows) == 2
    assert "RR@3      ir_measures, provider msmarco            0.800   0.800  agree\n" in kept[1]
    assert sum("pytrec_eval" in row and "empty: zero → skip" in row for row in rows) == 3
    assert "unexplained" not in kept[1]
    assert "recip_rank on the first 3" in kept[1]


@pytest.mark.parametrize(
    "name",
    [
        "qrels/example.qrels",
        "qrels/example.qrels.meta.json",
        "runs/example.run",
        "runs/example.run.meta.json",
        "runs/example.scores.run",
        "runs/example.scores.run.meta.json",
    ],
)
def test_the_repository_holds_the_files_as_they_are_written(kept: tuple[Path, str], name: str) -> None:
    """The example's files in the repository are byte for byte what the tool writes today."""
    assert (ROOT / name).read_bytes() == (kept[0] / name).read_bytes()


def test_keep_leaves_every_file(kept: tuple[Path, str]) -> None:
    """The kept folder holds the JSON that went in, too."""
    names = {path.name for path in kept[0].rglob("*") if path.is_file()}
    assert {"documents.json", "qrels.json", "example.dummy.qrels", "example.scores.run"} <= names
