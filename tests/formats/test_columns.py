"""Tables that no preset reads: what is said of their columns, and the draft that is printed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import treconcile as tc
from treconcile.errors import InputError, UsageError
from treconcile.formats.reading import read_judgments, read_run
from treconcile.formats.systems.mapping.columns import ASKED

HOSTILE = {
    "twice": "topic_id,docno,docno\n1,a,b\n",
    "quotes": 'topic number,"doc ""x"", y",usefulness\n007,1.0,2\n',
    "broken quote": 'topic_id,"product_id,note,esci\n1,a,b,E\n',
    "header only": "topic_id,product_id,esci_label\n",
    "ragged": "topic,product_id,esci_label\n1,a\n2,b,E,x\n",
    "bom": "\ufefftopic,product_id,esci_label\n1,a,E\n",
    "zero byte": "topic,product_id,esci_label\n1,\0,E\n",
}

READ = (
    ("qrels", "Topic-ID;productId;Rating\n1;a;2\n1;b;0\n", ["1 0 a 2", "1 0 b 0"]),
    ("qrels", "question_id|passage_id|relevance_label\nq1|p1|1\n", ["q1 0 p1 1"]),
    ("qrels", "note\ttopic\tdocno\tgrade of relevance\tjudgment\nx\t7\tFT-1\tno\t1\n", ["7 0 FT-1 1"]),
    ("qrels", '[{"sample_id": "s1", "golden_doc_id": "d1"}]', ["s1 0 d1 1"]),
    (
        "qrels",
        '{"version": 1, "cases": [{"id": "c1", "expected_doc_ids": ["d1", "d2"]}]}',
        ["c1 0 d1 1", "c1 0 d2 1"],
    ),
    ("qrels", '{"question_id": "q1", "gold_docs": [{"id": "d1", "grade": 2}]}\n', ["q1 0 d1 2"]),
    (
        "run",
        "topic,docno,similarity\n1,a,0.9\n1,b,0.5\n",
        ["1 Q0 a 1 0.9 treconcile", "1 Q0 b 2 0.5 treconcile"],
    ),
    ("run", "qid,pid,rank,bm25\n1,a,1,-9\n1,b,2,-4\n", ["1 Q0 a 1 2 treconcile", "1 Q0 b 2 1 treconcile"]),
)


def refused(path: Path, kind: str) -> InputError:
    """The refusal of a table."""
    with pytest.raises(InputError) as raised:
        (read_run if kind == "run" else read_judgments)(path)
    return raised.value


def draft_of(error: InputError) -> dict[str, object]:
    """The mapping that a hint prints."""
    found = json.loads(str(error.hint).partition("--map map.json: ")[2])
    assert isinstance(found, dict)
    return found


def table(folder: Path, text: str, kind: str) -> tuple[Path, InputError]:
    """A table, and its refusal."""
    path = folder / "t.csv"
    path.write_bytes(text.encode())
    return path, refused(path, kind)


def converted(path: Path, kind: str, draft: dict[str, object] | None) -> list[str]:
    """What a file is converted to by a draft, or by itself."""
    saved = path.with_name("map.json")
    saved.write_text(json.dumps(draft), "utf-8")
    out = path.with_name("out")
    tc.convert(kind, path, out, map_file=None if draft is None else saved, meta=False)
    return out.read_text("utf-8").splitlines()


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_draft_reads(tmp_path: Path, mark: str) -> None:
    """A draft whose labels were given grades reads the table it was drawn up from, with any separator."""
    text = "Topic-ID,productId,ESCI_Label\n007,1.0,E\n007,b,I\n".replace(",", mark)
    path, error = table(tmp_path, text, "qrels")
    draft = draft_of(error)
    assert draft["rel_map"] == {"E": ASKED, "I": ASKED}
    with pytest.raises(InputError):
        converted(path, "qrels", draft)
    assert converted(path, "qrels", draft | {"rel_map": {"E": 3, "I": 0}}) == ["007 0 1.0 3", "007 0 b 0"]


def test_score_and_rank_are_asked(tmp_path: Path) -> None:
    """Of a score and a rank that rank otherwise neither is taken, and the draft is refused as it is."""
    path, error = table(tmp_path, "qid,docid,bm25,rank\nq1,d1,4,1\nq1,d2,9,2\nq1,d3,5,3\n", "run")
    draft = draft_of(error)
    assert draft["rank"] == ASKED
    with pytest.raises(InputError):
        converted(path, "run", draft)
    assert [line.split()[2] for line in converted(path, "run", draft | {"rank": "rank"})] == [
        "d1",
        "d2",
        "d3",
    ]


def test_names_that_are_known_are_read(tmp_path: Path) -> None:
    """Each part under one known name, in any writing: read, and said; positions are never taken for ids."""
    for number, (kind, text, expected) in enumerate(READ):
        path = tmp_path / f"{number}.txt"
        path.write_text(text, encoding="utf-8")
        assert converted(path, kind, None) == expected, text
    (tmp_path / "p.csv").write_text("topic,docid,rating\n1,0,1\n1,1,0\n")
    assert "docid" in str(refused(tmp_path / "p.csv", "qrels").hint)


def test_columns_say_what_is_what(tmp_path: Path) -> None:
    """Names that nobody knows, or that may be two things, are told by --columns; a wrong one is refused."""
    path = tmp_path / "t.csv"
    path.write_text("ask,page,points,label\nq1,d1,2,yes\nq1,d2,1,no\n")
    done = tc.convert("run", path, tmp_path / "o", columns="qid=ask,docid=page,score=points")
    assert done.complete and (tmp_path / "o").read_text().splitlines()[0].split()[2] == "d1"
    with pytest.raises(InputError, match="no column 'pages'"):
        tc.convert("run", path, tmp_path / "o", columns={"qid": "ask", "docid": "pages", "score": "points"})
    for wrong in ("qid", "qid=", "id=ask", "qid=ask,qid=page"):
        with pytest.raises(UsageError):
            tc.convert("run", path, tmp_path / "o", columns=wrong)
    records = [{"ask": "q1", "page": "d1", "points": 2}]
    assert tc.convert("run", records, tmp_path / "o", columns="qid=ask,docid=page,score=points").complete


def test_two_columns_for_a_part(tmp_path: Path) -> None:
    """Two columns that may be the grade are named, and neither is taken."""
    _, error = table(tmp_path, "topic,product_id,rating,label\n1,a,2,3\n", "qrels")
    assert "rel may be 'rating' or 'label'" in str(error.hint)
    assert draft_of(error)["rel"] == ASKED


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_hostile_tables(tmp_path: Path, name: str) -> None:
    """An odd table is refused with a hint, for both kinds, and never by another exception."""
    for kind in ("run", "qrels"):
        _, error = table(tmp_path, HOSTILE[name], kind)
        assert error.hint
