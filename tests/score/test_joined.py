"""A run gone through in pieces is scored as one that is read whole."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from draws import MEASURES, MORE_MEASURES, draw_convention, draw_data, randoms
from oracle import Data
from treconcile.align import Alignment
from treconcile.align.pieces import PiecewiseAlignment
from treconcile.convention import Convention
from treconcile.errors import TreconcileError
from treconcile.formats import read_run
from treconcile.formats.trec.run_form import NeedsExactReader
from treconcile.formats.trec_large import run_piece
from treconcile.formats.trec_large import scan as trec_scan
from treconcile.formats.trec_large.run_lines import RunLines
from treconcile.measures.spec import Measure
from treconcile.model import Judgments
from treconcile.profiles import Profile
from treconcile.score import evaluate, joined
from treconcile.score.remarks import remarks


def write_run(path: Path, data: Data, rng: random.Random) -> None:
    """The results, those of a query together; sometimes with scores of a form that is read another way."""
    form = rng.choice(["{!r}", "{:.9f}", "{:e}"])
    queries = list(dict.fromkeys(query for query, *_ in data.results))
    path.write_text(
        "".join(
            f"{query} Q0 {doc} {rank} {form.format(score)} t\n"
            for wanted in queries
            for query, doc, score, rank in data.results
            if query == wanted
        ),
        encoding="utf-8",
    )


def outcome(alignment: Alignment, measures: list[Measure], convention: Convention) -> object:
    """All that is said of a run, or the error."""
    try:
        scores = evaluate(
            alignment.judgments,
            alignment.run,
            measures,
            Profile(convention=convention),
            alignment=alignment,
        )
        said = remarks(alignment, scores.measures[0].convention)
    except TreconcileError as error:
        return type(error), str(error), error.where
    return [(each.values, each.mean, tuple(each.failed)) for each in scores.measures], [
        (notice.code, notice.message) for notice in said
    ]


def in_pieces(judgments: Judgments, path: Path, measures: list[Measure], convention: Convention) -> object:
    try:
        alignment = joined(judgments, str(path), measures, Profile(convention=convention), meta=False)
    except TreconcileError as error:
        return type(error), str(error), error.where
    return outcome(alignment, measures, convention)


@given(rng=randoms())
def test_pieces_give_the_same_scores_and_remarks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rng: random.Random
) -> None:
    """Under any convention, with queries missing, extra and repeated documents."""
    monkeypatch.setattr(trec_scan, "PIECE", rng.choice([1, 100]))
    data = draw_data(rng, repeats=rng.random() < 0.3)
    convention = draw_convention(rng)
    measures = rng.sample(MEASURES + MORE_MEASURES, 3)
    path = tmp_path / "x.run"
    write_run(path, data, rng)
    judgments = data.judgments()
    whole = outcome(Alignment(judgments, read_run(path, meta=False)), measures, convention)
    assert in_pieces(judgments, path, measures, convention) == whole


def test_a_plain_run_is_read_in_pieces_and_by_its_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the test above would compare the reading of the whole file with itself."""
    path = tmp_path / "x.run"
    path.write_text("q1 Q0 a 1 2.5 t\nq2 Q0 b 1 2.25 t\n", encoding="utf-8")
    made = []
    monkeypatch.setattr(run_piece, "run_lines", lambda *given: made.append(RunLines) or original(*given))
    data = Data([("q1", "0", "a", 1)], [])
    alignment = joined(data.judgments(), str(path), MEASURES[:1], Profile(), meta=False)
    assert isinstance(alignment, PiecewiseAlignment)
    assert alignment.extra == ("q2",)
    assert made
    path.write_text("q1 Q0 a 1 2.5 t\nq2 Q0 b 1 2.25 u\n", encoding="utf-8")
    with pytest.raises(NeedsExactReader):
        list(trec_scan.RunScan(path).map(lambda piece: piece.height))


original = run_piece.run_lines


@given(rng=randoms())
def test_pieces_give_the_same_first_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rng: random.Random
) -> None:
    """Judged or not, with ties and repeats: those that the whole file gives."""
    monkeypatch.setattr(trec_scan, "PIECE", rng.choice([1, 100]))
    data = draw_data(rng, repeats=rng.random() < 0.3)
    convention, depth = draw_convention(rng), rng.choice([1, 2, 3, 10])
    path = tmp_path / "x.run"
    write_run(path, data, rng)
    judgments, first = data.judgments(), MEASURES[0]
    read = first.read_from(first.under(convention))

    def top_or_error(made: Callable[[], Alignment]) -> object:
        try:
            alignment = made()
            evaluate(judgments, alignment.run, [first], Profile(convention=convention), alignment=alignment)
            top = alignment.top(read, depth)
        except TreconcileError as error:
            return type(error), str(error)
        grades = [None if np.isnan(grade) else grade for grade in top.grade.tolist()]
        return top.query.tolist(), list(top.documents), grades, top.score.tolist()

    profile = Profile(convention=convention)
    whole = top_or_error(lambda: Alignment(judgments, read_run(path, meta=False)))
    pieces = top_or_error(
        lambda: joined(judgments, str(path), [first], profile, meta=False, depth=depth, also=[read])
    )
    assert pieces == whole
