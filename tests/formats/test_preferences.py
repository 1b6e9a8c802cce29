"""Preferences as a form of judgments: how they are read, told apart, written, and made judgments of."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treconcile as tc
from treconcile.cli import app
from treconcile.conversion.preferences import judgments_of, prefs_lines
from treconcile.errors import FormatError, IdError, MismatchError
from treconcile.formats.trec.prefs import is_certainly_prefs, parse_prefs
from treconcile.model import PREFERENCE_COLUMNS

PREFS = "q1 ann s d1 2.5\nq1 ann s d2 1\nq1 ann s d3 0\nq1 bob 0 d1 3\n"
SEVERAL = "q1 ann s d1 2\nq1 ann s d2 1\nq1 ann t d2 2\nq1 ann t d3 1\n"
WORDS = st.text(st.sampled_from("abж7.-"), min_size=1, max_size=3)
VALUES = st.sampled_from((0.0, 1.0, 2.0, 0.5, 1e-9, 12345678.25, 1e20))


def parsed(text: str) -> tc.Preferences:
    return parse_prefs("x", text.encode())


def convert(folder: Path, text: str, *arguments: str) -> tuple[int, str]:
    """The exit status of a conversion of judgments, and the file that it writes."""
    source, target = folder / "in.txt", folder / "out.txt"
    source.write_text(text)
    target.unlink(missing_ok=True)
    status = app.run(["convert", "qrels", str(source), "-o", str(target), "--no-meta", *arguments])
    return status, target.read_text() if target.exists() else ""


def test_rows_keep_the_order_of_the_file(tmp_path: Path) -> None:
    """Comments, tabs and blank lines are passed over; a path, and what was read, are taken alike."""
    (tmp_path / "p").write_text("# who\nq2\ta  s d1 1\r\n\nq1 a s d1 0\n# q1 a s d2 5\n")
    found = tc.read_preferences(tmp_path / "p")
    assert found.table.rows() == [("q2", "a", "s", "d1", 1.0), ("q1", "a", "s", "d1", 0.0)]
    assert (found.queries, list(found.lines)) == (("q2", "q1"), [2, 4])
    assert tc.read_preferences(found) is found
    assert len(found.fingerprint) == 64 and found.fingerprint == found.content


def test_judgments_are_preferences_of_one_sub_group(tmp_path: Path) -> None:
    """From qrels, from JSON, from Python values: the iteration is the group, and grades are the values."""
    (tmp_path / "q").write_text("q1 ann d1 2\nq1 bob d1 0\nq1 bob d2 0.5\n")
    assert tc.read_preferences(tmp_path / "q").table.rows() == [
        ("q1", "ann", "0", "d1", 2.0),
        ("q1", "bob", "0", "d1", 0.0),
        ("q1", "bob", "0", "d2", 0.5),
    ]
    (tmp_path / "j").write_text('{"q1": {"d1": 2}}')
    expected = [("q1", "0", "0", "d1", 2.0)]
    for source in (tmp_path / "j", {"q1": {"d1": 2}}, tc.read_qrels({"q1": {"d1": 2}})):
        assert tc.read_preferences(source).table.rows() == expected


@pytest.mark.parametrize(
    ("text", "certain"),
    [
        (PREFS, True),
        ("# a comment of five words\n" + PREFS, True),
        (SEVERAL, False),  # qrels whose document ids hold a space?
        ("q1 0 d 1 2.5\n", True),
        ("q1 d1 1 0 0.25\nq1 d2 0 1 1.0\n", False),  # prels
        (PREFS + "q1 0 d1 1\n", False),
        (PREFS + "q1 a s d9 -1\n", False),
        (PREFS + "q1 a s d9 high\n", False),
        ("q1 0 d1 1\n", False),
        ("", False),
    ],
)
def test_what_is_certainly_no_qrels(text: str, certain: bool, tmp_path: Path) -> None:
    """Without --from, `convert` takes only what can be nothing else; with it, any."""
    assert is_certainly_prefs(text.encode()) == certain
    if len(text.split("\n", maxsplit=1)[0].split()) == 5 and not certain:
        assert convert(tmp_path, text)[0] == 3


def test_readers_of_judgments_name_what_reads_preferences(tmp_path: Path) -> None:
    (tmp_path / "p").write_text(PREFS)
    with pytest.raises(FormatError) as caught:
        tc.read_qrels(tmp_path / "p")
    assert "--from prefs" in caught.value.hint


def test_as_judgments(tmp_path: Path) -> None:
    """Whole values stay grades; others become ranks within the group, and 0 stays 0; all is said."""
    assert convert(tmp_path, PREFS) == (0, "q1 ann d1 2\nq1 ann d2 1\nq1 ann d3 0\nq1 bob d1 1\n")
    whole = PREFS.replace("2.5", "7.0")
    assert convert(tmp_path, whole, "--from", "prefs")[1].startswith("q1 ann d1 7\n")
    codes = [notice.code for notice in judgments_of(parsed(PREFS)).notices]
    assert codes == ["values-ranked", "lost"]
    assert judgments_of(parsed("q g 0 d 1\n")).notices == ()


def test_several_sub_groups_have_no_grades(tmp_path: Path) -> None:
    """They are refused as judgments, with the line, and kept as preferences."""
    with pytest.raises(MismatchError, match="several sub-groups") as caught:
        judgments_of(parsed(SEVERAL))
    assert caught.value.where == "x:3"
    assert convert(tmp_path, SEVERAL, "--from", "prefs") == (3, "")
    assert convert(tmp_path, SEVERAL, "--from", "prefs", "--to", "prefs") == (0, SEVERAL)


def test_judgments_to_preferences_and_back(tmp_path: Path) -> None:
    """What qrels say of grades from 0 up comes back."""
    qrels = "q1 ann d1 2\nq1 bob d1 0\nq2 0 d1 1\n"
    status, prefs = convert(tmp_path, qrels + "q2 0 d2 -1\n", "--to", "prefs")
    assert (status, prefs) == (0, "q1 ann 0 d1 2\nq1 bob 0 d1 0\nq2 0 0 d1 1\n")
    assert convert(tmp_path, prefs, "--from", "prefs") == (0, qrels)


@given(
    st.dictionaries(st.tuples(WORDS, WORDS, WORDS, WORDS), VALUES, min_size=1, max_size=12).filter(
        lambda values: (
            len({(q, g, d) for q, g, _, d in values})
            == len({(q, g, d, v > 0) for (q, g, _, d), v in values.items()})
        )
    )
)
def test_what_is_written_is_read(values: dict[tuple[str, str, str, str], float]) -> None:
    """Preferences come back from their file, those of a query together."""
    table = pl.DataFrame(
        [(*key, value) for key, value in values.items()], schema=PREFERENCE_COLUMNS, orient="row"
    )
    chunks, _ = prefs_lines(table)
    back = parse_prefs("x", b"".join(chunks)).table
    assert sorted(back.rows()) == sorted(table.rows())
    queries = back.get_column("query_id")
    assert (queries != queries.shift(1)).sum() == queries.n_unique() - 1


@pytest.mark.parametrize("column", ["query_id", "group", "subgroup", "doc_id"])
def test_ids_of_two_words_are_refused(column: str) -> None:
    row = {"query_id": "q", "group": "g", "subgroup": "s", "doc_id": "d", "value": 1.0, column: "a b"}
    with pytest.raises(IdError):
        prefs_lines(pl.DataFrame([row]))


def test_scores_from_python(tmp_path: Path) -> None:
    """By hand: of ann's d1 > d2 and d2 > d3 and what follows, d1 > d3, the ranking d2 d1 fulfils two."""
    (tmp_path / "p").write_text(SEVERAL + "q2 ann s d1 1\nq2 ann s d2 0\n")
    scores = tc.evaluate_preferences(
        tmp_path / "p", {"q1": ["d2", "d1"]}, ["prefs_simp", "prefs_num_prefs_poss"]
    )
    assert scores.per_query["prefs_simp"] == {"q1": 2 / 3, "q2": 0.0}
    assert scores.overall == {"prefs_num_prefs_poss": 4.0, "prefs_simp": pytest.approx(1 / 3)}
    assert scores.queries == 2
    assert scores.to_frame().filter(measure="prefs_simp").get_column("value").to_list() == [2 / 3, 0.0]
    found = tc.evaluate_preferences(tmp_path / "p", {"q1": ["d2", "d1"]}, "prefs", complete=False)
    assert found.queries == 1 and set(found.per_query["prefs_pair"]) == {"q1"}
    assert (
        tc.evaluate_preferences(tmp_path / "p", {"q1": ["d2", "d1"]}, "prefs", depth=1).overall
        != found.overall
    )
    with pytest.raises(tc.UsageError, match="needs -R qrels"):
        tc.evaluate_preferences(tmp_path / "p", {"q1": ["d1"]}, "map")
