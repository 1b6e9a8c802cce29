"""The sidecar: what it holds, when it is ignored, and when it is refused."""

import gzip
import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treconcile import _version
from treconcile.errors import FileError, FormatError
from treconcile.formats.trec.sidecar import Sidecar, parse_sidecar, read_sidecar, sidecar_path

FULL = Sidecar(
    "run", queries=("q1", "ж"), empty=("ж",), k=3, scored=False, id_encoding="percent",
    hashes={"corpus": "c", "file": "f"}, command=("treconcile", "retrieve"), source="run.json",
)  # fmt: skip


def test_it_is_readable_and_in_a_fixed_order() -> None:
    """The bytes of a sidecar are its documentation, and hold no time."""
    assert FULL.to_bytes().decode() == (
        """{
  "schema": 1,
  "kind": "run",
  "queries": [
    "q1",
    "ж"
  ],
  "empty": [
    "ж"
  ],
  "k": 3,
  "scored": false,
  "id_encoding": "percent",
  "hashes": {
    "file": "f",
    "corpus": "c"
  },
  "tool": "treconcile VERSION",
  "command": [
    "treconcile",
    "retrieve"
  ],
  "source": "run.json"
}
""".replace("VERSION", _version.__version__)
    )


TEXTS = st.lists(st.text(max_size=3), unique=True, max_size=3).map(tuple)


@given(
    st.one_of(
        st.builds(Sidecar, st.just("run"), queries=TEXTS, empty=TEXTS, k=st.none() | st.integers(1)),
        st.builds(
            Sidecar,
            st.just("qrels"),
            negative=TEXTS,
            reasons=st.dictionaries(st.text(), st.text(), max_size=2),
        ),
    )
)
def test_what_is_written_is_read_back(sidecar: Sidecar) -> None:
    """Every sidecar comes back as it was, lone surrogates included."""
    assert parse_sidecar(sidecar.to_bytes().decode(), "x") == sidecar


def test_a_lone_surrogate_is_escaped() -> None:
    """What UTF-8 cannot hold is written as JSON's escape."""
    sidecar = Sidecar("run", queries=("\ud800",))
    assert b'"\\ud800"' in sidecar.to_bytes()
    assert parse_sidecar(sidecar.to_bytes().decode(), "x") == sidecar


@pytest.mark.parametrize("name", ["x.run", "x.run.gz"])
def test_its_name_is_the_whole_name_of_the_file(tmp_path: Path, name: str) -> None:
    """A compressed file's sidecar keeps the ending, and its hash is of the bytes as stored."""
    path = tmp_path / name
    stored = gzip.compress(b"a") if name.endswith("gz") else b"a"
    path.write_bytes(stored)
    sidecar = Sidecar("run", hashes={"file": hashlib.sha256(stored).hexdigest()})
    (tmp_path / (name + ".meta.json")).write_bytes(sidecar.to_bytes())
    assert sidecar_path(path) == tmp_path / (name + ".meta.json")
    assert read_sidecar(path) == (sidecar, ())


def test_without_a_sidecar(tmp_path: Path) -> None:
    """A file without one, and standard input, have none."""
    (tmp_path / "x.run").write_bytes(b"a")
    assert read_sidecar(tmp_path / "x.run") == (None, ())
    assert read_sidecar("-") == (None, ())


def test_a_sidecar_of_other_content_is_ignored(tmp_path: Path) -> None:
    """If the file has changed since, a warning says that its sidecar is ignored."""
    path = tmp_path / "x.run"
    path.write_bytes(b"a")
    digest = hashlib.sha256(b"a").hexdigest()
    sidecar_path(path).write_bytes(Sidecar("run", hashes={"file": digest}).to_bytes())
    assert read_sidecar(path)[0] is not None
    path.write_bytes(b"b")
    sidecar, (notice,) = read_sidecar(path)
    assert sidecar is None
    assert (notice.code, notice.level) == ("sidecar-ignored", "warning")
    assert notice.where == str(sidecar_path(path))


def test_a_sidecar_of_the_other_kind_is_refused(tmp_path: Path) -> None:
    """Judgments do not take the sidecar of a run."""
    path = tmp_path / "x"
    path.write_bytes(b"a")
    sidecar_path(path).write_bytes(Sidecar("run").to_bytes())
    assert read_sidecar(path, "run")[0] == Sidecar("run")
    with pytest.raises(FormatError, match="run file, not of a qrels file"):
        read_sidecar(path, "qrels")


def test_a_sidecar_that_is_no_text_is_refused(tmp_path: Path) -> None:
    """Binary data beside a file are an error that names the sidecar."""
    sidecar_path(tmp_path / "x").write_bytes(b"\xff")
    with pytest.raises(FileError) as caught:
        read_sidecar(tmp_path / "x")
    assert caught.value.where == f"{sidecar_path(tmp_path / 'x')}:1"


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"emtpy": []}, "unknown key 'emtpy'"),
        ({"schema": 2}, "schema 2"),
        ({"schema": True}, "'schema' is not"),
        ({"kind": "corpus"}, "'kind'"),
        ({"queries": "q1"}, "'queries'"),
        ({"queries": [1]}, "'queries'"),
        ({"empty": ["q1", "q1"]}, "'empty'"),
        ({"negative": {}}, "'negative'"),
        ({"reasons": {"q1": 1}}, "'reasons'"),
        ({"hashes": {"disk": "x"}}, "'hashes'"),
        ({"k": 0}, "'k'"),
        ({"k": True}, "'k'"),
        ({"scored": 1}, "'scored'"),
        ({"id_encoding": "base64"}, "'id_encoding'"),
        ({"command": [1]}, "'command'"),
        ({"source": 1}, "'source'"),
        ({"tool": None}, "'tool'"),
    ],
)
def test_a_malformed_value_is_refused(change: dict[str, object], word: str) -> None:
    """Each key is checked, and an unknown one gets a suggestion."""
    value = {"schema": 1, "kind": "run"} | change
    with pytest.raises(FormatError, match=word) as caught:
        parse_sidecar(json.dumps(value), "x.meta.json")
    assert caught.value.where == "x.meta.json"
    assert "emtpy" not in change or "'empty'" in caught.value.hint


@pytest.mark.parametrize(
    ("text", "word", "where"),
    [
        ("{\n,", "not JSON", "x:2"),
        ("[" * 100_000, "not JSON", "x:1"),
        ("[]", "not a JSON object", "x"),
        ('{"kind": "run"}', "lacks 'schema'", "x"),
        ('{"schema": 1}', "lacks 'kind'", "x"),
        ('{"schema": 1, "kind": "run", "kind": "qrels"}', "'kind' twice", "x"),
    ],
)
def test_what_is_no_sidecar_is_refused(text: str, word: str, where: str) -> None:
    """Broken JSON, another shape, a missing key and a repeated key are errors."""
    with pytest.raises(FormatError, match=word) as caught:
        parse_sidecar(text, "x")
    assert caught.value.where == where
