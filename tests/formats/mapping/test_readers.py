"""Inputs of every kind, and hostile ones."""

import bz2
import gzip
import io
import json
import lzma
import os
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treconcile.errors import DuplicateError, FileError, FormatError, InputError, NumberError
from treconcile.files.compression import compressed
from treconcile.files.limits import Limits
from treconcile.formats.json.text import line_of
from treconcile.formats.systems.mapping.chunks import Chunk, Faults
from treconcile.formats.systems.mapping.document import parse_mapping
from treconcile.formats.systems.mapping.json_stream import RecordText, stream_chunks
from treconcile.formats.systems.mapping.json_values import value_of
from treconcile.formats.systems.mapping.language import Mapping, mapping_of
from treconcile.formats.systems.mapping.read_run import read_mapped_run
from treconcile.formats.systems.mapping.readers import Reading, chunks_of, opened_source
from treconcile.formats.systems.mapping.settings import Settings

LIST = "hits: hits\nqid: qid\ndocid: id\nscore: score\n"
FLAT = "flat: true\nqid: qid\ndocid: id\nscore: score\n"
RECORDS = [
    {"qid": "q1", "hits": [{"id": "a", "score": 2}, {"id": "b", "score": 1.5}]},
    {"qid": "q2", "hits": []},
]
ROWS = [("q1", "a", 2.0, 1), ("q1", "b", 1.5, 2)]


def mapping(text: str) -> Mapping:
    return mapping_of(parse_mapping("kind: run\n" + text, "my.yaml"))


def read_chunks(source: str, given: Mapping, reading: Reading) -> Iterator[Chunk]:
    with opened_source(source, given) as inputs:
        yield from chunks_of(inputs, given, reading)


def rows(source: Path, text: str, **settings: object) -> list[tuple[object, ...]]:
    return read_mapped_run(str(source), mapping(text), Settings(**settings)).run().table.rows()


def values(source: Path, text: str, limits: Limits | None = None, whole: int | None = None) -> list[object]:
    chunks = read_chunks(str(source), mapping(text), Reading(limits or Limits(), whole=whole))
    return [value for chunk in chunks for value in chunk.values]


@pytest.fixture
def in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of any size are read in pieces, if they can be."""
    monkeypatch.setattr("treconcile.formats.systems.mapping.settings.PIECES", 10)


@pytest.mark.parametrize("ending", ["", ".gz", ".bz2", ".xz", ".zst", ".lz4"])
@pytest.mark.parametrize("lines", [False, True])
def test_json_in_every_compression(tmp_path: Path, ending: str, lines: bool) -> None:
    """A document and JSON Lines, with a byte-order mark or without; the reader json takes both."""
    if ending == ".zst":
        pytest.importorskip("zstandard")
    if ending == ".lz4":
        pytest.importorskip("lz4")
    text = "\n".join(map(json.dumps, RECORDS)) if lines else json.dumps(RECORDS, indent=1)
    for mark in (b"", b"\xef\xbb\xbf"):
        path = tmp_path / f"in.json{ending}"
        path.write_bytes(compressed(str(path), mark + text.encode()))
        assert rows(path, LIST) == ROWS
        if lines:
            assert rows(path, "reader: jsonl\n" + LIST) == ROWS


def test_a_folder_with_a_response_a_file(tmp_path: Path) -> None:
    """Files in the order of their names, each named by its query; hidden and other files are not read."""
    folder = tmp_path / "responses"
    folder.mkdir()
    for name in ("q2", "q1"):
        (folder / f"{name}.json").write_text(json.dumps({"hits": [{"id": "a", "score": 1}]}))
    (folder / "q3.json.gz").write_bytes(gzip.compress(b'{"hits": []}'))
    (folder / ".hidden.json").write_text("{")
    (folder / "notes.txt").write_text("x")
    found = read_mapped_run(str(folder), mapping("hits: hits\ndocid: id\nscore: score\n"), Settings())
    assert (found.run().queries, found.empty) == (("q1", "q2"), ("q3",))
    assert [notice.code for notice in found.notices] == ["files-ignored"]


def test_links_stay_in_the_folder(tmp_path: Path) -> None:
    """A link to a file elsewhere is refused, one within the folder is read."""
    folder = tmp_path / "responses"
    folder.mkdir()
    (tmp_path / "secret.json").write_text('{"hits": []}')
    (folder / "q1.json").write_text('{"hits": []}')
    (folder / "q2.json").symlink_to(folder / "q1.json")
    assert len(values(folder, LIST)) == 2
    (folder / "q3.json").symlink_to(tmp_path / "secret.json")
    with pytest.raises(FileError, match="leads out of the folder"):
        values(folder, LIST)
    (folder / "q3.json").unlink()
    (folder / "q3.json").symlink_to(folder / "q3.json")
    with pytest.raises(FileError, match=r"q3\.json: this symbolic link leads nowhere"):
        values(folder, LIST)


def test_a_folder_of_nothing(tmp_path: Path) -> None:
    """A folder without a file of the kind that is read."""
    with pytest.raises(FileError, match=r"no \.json or \.jsonl or \.ndjson file"):
        values(tmp_path, LIST)


def test_files_that_a_mapping_names_stay_beside_the_input(tmp_path: Path) -> None:
    """A link beside the input that leads elsewhere is no file beside the input."""
    inner = tmp_path / "inner"
    inner.mkdir()
    (tmp_path / "ids").write_text("q1\n")
    (inner / "ids").symlink_to(tmp_path / "ids")
    (inner / "in.json").write_text('[{"hits": []}]')
    with pytest.raises(FileError, match="not beside the input"):
        rows(inner / "in.json", "hits: hits\ndocid: id\nqids_file: ids\n")


def test_what_is_no_file(tmp_path: Path) -> None:
    """Missing files and pipes; a pipe would block."""
    with pytest.raises(FileError, match="no such file"):
        values(tmp_path / "none", LIST)
    os.mkfifo(tmp_path / "pipe")
    descriptor = os.open(tmp_path / "pipe", os.O_RDWR)
    try:
        with pytest.raises(FileError, match="not a plain file"):
            values(tmp_path / "pipe", LIST)
    finally:
        os.close(descriptor)


@pytest.mark.parametrize(
    ("ending", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)]
)
def test_bombs(tmp_path: Path, ending: str, pack: object) -> None:
    """A file that grows beyond any real one is not unpacked to its end."""
    path = tmp_path / f"bomb.json{ending}"
    path.write_bytes(pack(b'"' + b"a" * 5_000_000 + b'"'))  # type: ignore[operator]
    limits = Limits(unpacked=1 << 20)
    with pytest.raises(FileError, match="times its size") as caught:
        values(path, LIST, limits)
    assert "--no-limits" in str(caught.value.hint)
    with pytest.raises(FileError, match="times its size"):
        values(path, LIST, Limits(ratio=10**6, total=1 << 20))


def test_damaged_and_misnamed_files(tmp_path: Path) -> None:
    """Data that are cut short, damaged, or not compressed at all."""
    path = tmp_path / "in.jsonl.gz"
    noise = random.Random(1).randbytes(3000).hex().encode()
    for data, message in (
        (gzip.compress(noise)[:-900], "cut short"),
        (gzip.compress(noise)[:1200] + b"\0" * 900, "damaged"),
        (b'{"a": 1}', "not compressed that way"),
    ):
        path.write_bytes(data)
        with pytest.raises(FileError, match=message):
            values(path, LIST)


def test_sizes_are_bounded(tmp_path: Path) -> None:
    """One value, a line, and a file that cannot be read in pieces."""
    path = tmp_path / "in.json"
    path.write_text('{"a": "' + "x" * 2000 + '"}')
    with pytest.raises(FormatError, match="one JSON value of more than"):
        values(path, LIST, Limits(value=100, whole=1000))
    with pytest.raises(FormatError, match="the line has more than"):
        values(path, "reader: jsonl\n" + LIST, Limits(value=100))
    with pytest.raises(FormatError, match="the line has more than"):
        values(path, "reader: tsv\n" + FLAT.replace("qid: qid", "qid: '[0]'"), Limits(value=100))


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("[" * 100_000, FormatError, "nested too deeply"),
        ('{"a": 1, "b": {"x": 1, "x": 2}}', DuplicateError, "key 'x' stands twice"),
        (r'{"a\u003a": 1, "a\u003a": 2}', DuplicateError, "stands twice"),
        ("[NaN]", NumberError, "not a number that JSON can hold"),
        ('{"a": 1', FormatError, "ends too early"),
        ('{"a": 1}\n{"a": 2}', FormatError, "more than one JSON value"),
        ("[" + "1" * 5000 + "]", FormatError, "not a number"),
        ("\xff", FileError, "UTF-8"),
    ],
)
def test_strict_json(text: str, error: type[InputError], message: str) -> None:
    """What other readers of JSON accept or overlook."""
    with pytest.raises(error, match=message):
        value_of(text.encode("latin-1"), "x.json")


@pytest.mark.parametrize(
    "text", ["123456789012345678901234567890", "-9223372036854775809", "1e-7", '"\\u003a: {"', "{}"]
)
def test_values_are_exact(text: str) -> None:
    """Integers of any size, and texts that look like something else."""
    assert value_of(text.encode(), "x") == json.loads(text)


def test_lines_and_their_faults(tmp_path: Path) -> None:
    """A line that is wrong is named; with faults skipped, the others are read."""
    path = tmp_path / "in.jsonl"
    path.write_text('{"a": 1}\n\n{"a": 1, "a": 2}\n[1\n{"a": 3}')
    with pytest.raises(DuplicateError) as caught:
        values(path, "reader: jsonl\n" + LIST)
    assert caught.value.where == f"{path}:3"
    faults = Faults("skip")
    chunks = list(read_chunks(str(path), mapping("reader: jsonl\n" + LIST), Reading(faults=faults)))
    assert [value for chunk in chunks for value in chunk.values] == [{"a": 1}, {"a": 3}]
    assert [error.where for error in faults.found] == [f"{path}:3", f"{path}:4"]


@pytest.mark.usefixtures("in_pieces")
def test_one_large_file_is_read_in_pieces(tmp_path: Path) -> None:
    """Its records come one by one, as members of a list or of an object, with exact integers."""
    path = tmp_path / "in.json"
    record = {"hits": [{"id": 123456789012345678901234567890, "score": 0.1}]}
    for text, keys, expected in (
        ({"a": {"b": [record, record]}}, "records: a.b\n", 2),
        ([record, record], "", 2),
        ({"q1": record}, "records_as: dict\n", 1),
        ({"a": {"q1": record}}, "records: a\nrecords_as: dict\n", 1),
    ):
        path.write_text(json.dumps(text))
        assert values(path, keys + LIST, whole=10) == [record] * expected
        found = read_mapped_run(
            str(path),
            mapping(keys + "hits: hits\ndocid: id\nscore: score\n"),
            Settings(make_qids=True),
        )
        assert found.run().table.item(0, "doc_id") == "123456789012345678901234567890"


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ({"x": {"name": "m", "n": [1]}, "r": RECORDS}, "r || @"),
        (RECORDS, "r || @"),
        ({"x": {}, "a": {"b": RECORDS}}, "values(merge(@, {x: `null`}))[?@].values(@)[] | [0]"),
    ],
)
def test_an_expression_that_picks_the_records_of_a_large_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: object, expression: str
) -> None:
    """They are read in pieces, as if they were named by a path."""
    path = tmp_path / "in.json"
    path.write_text(json.dumps(text))
    keys = f'records: "{expression}"\n' + LIST
    assert rows(path, keys) == ROWS
    monkeypatch.setattr("treconcile.formats.systems.mapping.settings.PIECES", 10)
    assert rows(path, keys, limits=Limits(whole=10)) == ROWS


@pytest.mark.usefixtures("in_pieces")
def test_an_expression_that_makes_the_records_of_a_large_file(tmp_path: Path) -> None:
    """The file has to be parsed as a whole, and may not be larger than that allows."""
    path = tmp_path / "in.json"
    path.write_text(json.dumps({"a": [{"b": RECORDS}]}))
    keys = "records: a[].b[]\n" + LIST
    assert rows(path, keys) == ROWS
    with pytest.raises(FormatError, match="one JSON value of more than"):
        rows(path, keys, limits=Limits(whole=100))


@pytest.mark.parametrize("small", [10, 1 << 20])
def test_predictions_of_several_splits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: int) -> None:
    """Are refused also where the file is read in pieces."""
    monkeypatch.setattr("treconcile.formats.systems.mapping.settings.PIECES", small)
    path = tmp_path / "in.json"
    one = {"q1": {"d1": 1.5}}
    for text, error in (
        ({"m": {}, "a": {"t": one}}, None),
        ({"m": {}, "a": {"t": one, "u": one}}, FormatError),
    ):
        path.write_text(json.dumps(text))
        expression = "values(merge(@, {m: `null`}))[?@].values(@)[] | (length(@) == `1` && @[0])"
        keys = f"records: {json.dumps(expression)}\nrecords_as: dict\nhits: '@'\nhits_as: dict\n"
        keys += "docid: '@key'\nscore: '@value'\n"
        if error is None:
            assert rows(path, keys) == [("q1", "d1", 1.5, 1)]
        else:
            with pytest.raises(error, match=r"records: .* has to be an object, not"):
                rows(path, keys)


def test_a_line_that_is_too_long_is_left_out(tmp_path: Path) -> None:
    """What follows it is read, with the right number."""
    path = tmp_path / "in.jsonl"
    path.write_text('{"a": 1}\n{"a": "' + "x" * 3_000_000 + '"}\n{"a": 3}\n{"a"\n')
    faults = Faults("skip")
    limits = Limits(value=1 << 20)
    chunks = list(read_chunks(str(path), mapping("reader: jsonl\n" + LIST), Reading(limits, faults)))
    assert [value for chunk in chunks for value in chunk.values] == [{"a": 1}, {"a": 3}]
    assert [error.where for error in faults.found] == [f"{path}:2", f"{path}:4"]


@pytest.mark.parametrize(
    ("text", "keys", "error", "message"),
    [
        ('[{"a": {"x": 1, "x": 2}}]', "", DuplicateError, "'x' stands twice"),
        ('{"q": {}, "q": {}}', "records_as: dict\n", DuplicateError, "'q' stands twice"),
        ('[{"a": 1}, {"a"', "", FormatError, "ends too early"),
        ('[{"a": 1},]', "", FormatError, "another member is wanted here"),
        ('[{"a": 1}, 5, "x\\\\", {"b": "\\"}"}, {"a": tru}]', "", FormatError, "expecting value"),
        ('[{"a": 1} {"a": 2}]', "", FormatError, "expecting ',' delimiter"),
        ("[1 2, 3, 4, 5]", "", FormatError, "',' is wanted here"),
        ('[{"a": 1}] [{"a": 2}]', "", FormatError, "more than one JSON value"),
        ('[{"a": NaN}]', "", NumberError, "'NaN' is not a number"),
        ("[" + "[" * 99999, "", FormatError, "nested too deeply|more than 0 MB"),
        ('{"x": 1, "y": [1, 2]}', "records: r\n", FormatError, "records: there is no 'r'"),
        ('{"r": {"y": [1, 2]}}', "records: r\n", FormatError, "records: a list is wanted here"),
        ('{"r": [], "x": 1, "r": [2]}', "records: r\n", DuplicateError, "'r' stands twice"),
        ('{5: [], "r": []}', "records: r\n", FormatError, "a key has to be text"),
    ],
)
def test_one_large_file_is_read_strictly(
    tmp_path: Path, text: str, keys: str, error: type[InputError], message: str
) -> None:
    """As small ones are."""
    path = tmp_path / "in.json"
    path.write_text(text)
    with pytest.raises(error, match=message):
        values(path, keys + LIST, whole=10)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[{"a": 1}, {"a": "' + "x" * 3_000_000 + '"}, {"a": 1}]', "one JSON value of more than 1 MB"),
        ('[{"a": 1}, {"a": "' + "x" * 3_000_000, "one JSON value of more than 1 MB"),
        ('[{"a": 1}, {"a": x"' + "x" * 3_000_000, "expecting value"),
        ('[{"a": 1}, "' + "\\n" * 2_000_000 + '"]', "one JSON value of more than 1 MB"),
        ('{"x": ' + "[" * 3_000_000, "nested too deeply"),
        ("[" * 3_000_000, "nested too deeply"),
    ],
    ids=range(6),
)
def test_one_large_value_is_refused(tmp_path: Path, text: str, message: str) -> None:
    """A record is bounded, wherever in the file it stands, and so is what stands beside the records."""
    path = tmp_path / "in.json"
    path.write_text(text)
    with pytest.raises(FormatError, match=message):
        values(path, ("records: r\n" if text[0] == "{" else "") + LIST, Limits(value=1 << 20), whole=10)


def test_tables(tmp_path: Path) -> None:
    """Cells are text whatever they look like, quotes are read in CSV only, white space may be any."""
    path = tmp_path / "in.txt"
    path.write_text('qid,id,score\n007,"a,""b",1\n007,"c\nd",0.5\n')
    assert rows(path, "reader: csv\nheader: true\n" + FLAT) == [
        ("007", 'a,"b', 1.0, 1),
        ("007", "c\nd", 0.5, 2),
    ]
    path.write_text("q1;a;1\nq1;b;0.5\n")
    columns = "flat: true\nqid: '[0]'\ndocid: '[1]'\nscore: '[2]'\n"
    assert rows(path, "reader: csv\ndelimiter: ';'\n" + columns) == [("q1", "a", 1.0, 1), ("q1", "b", 0.5, 2)]
    path.write_text('q1\t"a\t1\r\n\r\nq1\tb c\t.5\r\n')
    assert rows(path, "reader: tsv\n" + columns) == [("q1", '"a', 1.0, 1), ("q1", "b c", 0.5, 2)]
    path.write_text("# title\nqid  id\tscore\n# x\nq1 a\u00a0b   1\n")
    assert rows(path, "reader: ws\nheader: true\ncomment: '#'\nskip: 1\n" + FLAT) == [
        ("q1", "a\u00a0b", 1.0, 1)
    ]
    path.write_text("1 qid:q1 # a\n")
    regex = "reader: regex\nregex: '^(?P<score>\\S+) qid:(?P<qid>\\S+) # (?P<id>\\S+)'\n"
    assert rows(path, regex + FLAT) == [("q1", "a", 1.0, 1)]
    path.write_text("q1 a 1\n")
    assert rows(path, "reader: regex\nregex: '(.+) (.+) (.+)'\n" + columns) == [("q1", "a", 1.0, 1)]


@pytest.mark.parametrize(
    ("reader", "text", "line", "message"),
    [
        ("reader: csv\nheader: true\n", "qid,id,score\nq1,a\n", 2, "the row has 2 fields, and the header 3"),
        ("reader: csv\nheader: true\n", "qid,id,id\n", 1, "column 'id' twice"),
        ("reader: csv\nheader: true\n", 'qid,id,score\nq1,"a"b,1\n', 2, "not CSV"),
        ("reader: tsv\nheader: true\n", "qid\tid\tscore\nq1\ta\t1\nq1\tb\n", 3, "has 2 fields"),
        ("reader: regex\nregex: '^(?P<qid>q) (?P<id>.) (?P<score>.)'\n", "q a 1\nx\n", 2, "does not match"),
        ("reader: csv\nheader: true\n", "qid,id,score\nq1,\xff,1\n", 2, "not UTF-8"),
        (
            "reader: csv\nheader: true\n",
            "qid,id,score\nq1,a,1\nq1,b,high\n",
            3,
            r"score \(score\): .*not 'high'",
        ),
        ("reader: csv\nheader: true\n", "qid,id,score\nq1,a,1\nq1,,2\n", 3, r"docid \(id\): there is no id"),
        ("reader: csv\nheader: true\n", "qid,id,score\n,a,1\n", 2, "id of this query"),
    ],
)
def test_faults_of_tables(tmp_path: Path, reader: str, text: str, line: int, message: str) -> None:
    """The line is named, and the field."""
    path = tmp_path / "in.txt"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match=message) as caught:
        rows(path, reader + FLAT)
    assert caught.value.where == f"{path}:{line}"


def test_parquet(tmp_path: Path) -> None:
    """Rows by the names of their columns, whole numbers as text."""
    path = tmp_path / "in.parquet"
    pl.DataFrame({"qid": ["q1", "q1"], "id": [1, 2], "score": [2.0, 1.5]}).write_parquet(path)
    assert rows(path, "reader: parquet\n" + FLAT) == [("q1", "1", 2.0, 1), ("q1", "2", 1.5, 2)]
    path.write_bytes(b"PAR1 and nothing")
    with pytest.raises(FileError, match="not a Parquet file"):
        rows(path, "reader: parquet\n" + FLAT)


def test_arrays(tmp_path: Path) -> None:
    """Ids and scores of the same shape; pickles are refused."""
    text = "reader: npy\nscores_file: D.npy\nqids_file: q\nzip_hits: {i: i, s: s}\n"
    text += "docid: i\nscore: s\norder: asc\n"
    np.save(tmp_path / "I.npy", np.array([[3, 1], [2, -1]]))
    np.save(tmp_path / "D.npy", np.array([[0.5, 1.0], [0.25, 3.4028235e38]], dtype=np.float32))
    (tmp_path / "q").write_text("q1\nq2\n")
    found = rows(tmp_path / "I.npy", text + "skip_docids: ['-1']\n")
    assert found == [("q1", "3", -0.5, 1), ("q1", "1", -1.0, 2), ("q2", "2", -0.25, 1)]
    for array, message in (
        (np.array([{"a": 1}], dtype=object), "not a plain NumPy array"),
        (np.array([1, 2]), "two dimensions"),
        (np.array([[1.0]]), "its shape"),
    ):
        np.save(tmp_path / "D.npy", array)
        with pytest.raises(InputError, match=message):
            rows(tmp_path / "I.npy", text)


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=10,
)


@given(st.lists(JSON, max_size=4), st.integers(1, 7))
def test_pieces_make_up_the_whole(found: list[object], size: int) -> None:
    """Wherever a piece of the text ends, the values and their lines are the same."""

    class Slow(io.BytesIO):
        def read(self, _: int | None = None) -> bytes:
            return super().read(size)

    written = json.dumps({"x": {"y": 1}, "r": found, "z": "end"}, ensure_ascii=False, indent=1)
    chunks = list(stream_chunks(RecordText(Slow(written.encode()), "x", Limits()), "x", ("r",), b"["))
    assert [value for chunk in chunks for value in chunk.values] == found
    assert [line for chunk in chunks for line in chunk.lines or ()] == [
        line_of(written, ("r", at)) for at in range(len(found))
    ]
