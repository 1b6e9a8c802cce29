"""Reading bytes, compression, byte-order marks, and writing without half a file."""

import bz2
import gzip
import importlib.util
import io
import lzma
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Never

import pytest

from treconcile.errors import FileError
from treconcile.files import text_files
from treconcile.files.compression import compressed, decompressed
from treconcile.files.text_files import (
    decode_text,
    is_text,
    read_file,
    read_text,
    without_bom,
    write_all_atomic,
    write_atomic,
)

TEXT = "q01 0 дом 1\n".encode()
HAS_LZ4 = importlib.util.find_spec("lz4") is not None
HAS_ZSTD = sys.version_info >= (3, 14) or importlib.util.find_spec("zstandard") is not None
ENDINGS = [
    ".gz",
    ".bz2",
    ".xz",
    pytest.param(".zst", marks=pytest.mark.skipif(not HAS_ZSTD, reason="no zstd")),
    pytest.param(".lz4", marks=pytest.mark.skipif(not HAS_LZ4, reason="no lz4")),
]


def names_in(folder: Path) -> list[str]:
    """The names of the files in a folder."""
    return sorted(each.name for each in folder.iterdir())


@pytest.mark.parametrize("ending", ["", *ENDINGS])
def test_what_is_written_is_read_back(tmp_path: Path, ending: str) -> None:
    """A file of every ending comes back as it was."""
    path = tmp_path / f"x{ending}"
    write_atomic(path, [TEXT, TEXT])
    assert read_file(path).data == TEXT + TEXT
    assert (path.read_bytes() == TEXT + TEXT) == (ending == "")


@pytest.mark.parametrize(
    ("ending", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)]
)
def test_files_packed_by_others_are_read(tmp_path: Path, ending: str, pack: Callable[[bytes], bytes]) -> None:
    """The standard library's own writers are understood."""
    path = tmp_path / f"x{ending}"
    path.write_bytes(pack(TEXT))
    assert read_file(path).data == TEXT


@pytest.mark.parametrize("ending", ENDINGS)
def test_files_after_one_another_are_one_file(ending: str) -> None:
    """`cat a.gz b.gz` is what both hold together."""
    assert decompressed("x" + ending, compressed("x" + ending, TEXT) * 2) == TEXT * 2


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(("keep", "word"), [(slice(-6), "cut short"), (slice(0), "not compressed")])
def test_a_damaged_file_is_refused(ending: str, keep: slice, word: str) -> None:
    """A compressed file that lacks its end, or everything, is an error with its name."""
    broken = compressed("x" + ending, os.urandom(5000))[keep]
    with pytest.raises(FileError, match=word) as caught:
        decompressed("x" + ending, broken)
    assert caught.value.where == "x" + ending


def test_damage_in_the_middle_is_refused() -> None:
    """Flipped bytes are found by the checksum."""
    packed = bytearray(compressed("x.gz", os.urandom(5000)))
    packed[2000] ^= 255
    with pytest.raises(FileError, match="damaged"):
        decompressed("x.gz", bytes(packed))


def test_gz_does_not_depend_on_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two writings at different times give the same bytes, without a name in them."""
    first = compressed("a.gz", TEXT)
    monkeypatch.setattr("time.time", lambda: 2_000_000_000.0)
    assert compressed("b.gz", TEXT) == first
    assert first[4:8] == b"\0\0\0\0"


def test_zst_without_a_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without zstd support the error names the extra."""
    for name in ("compression", "compression.zstd", "zstandard"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(FileError) as caught:
        decompressed("x.zst", b"\x28\xb5\x2f\xfd")
    assert caught.value.hint == "pip install treconcile[zstd]"


def test_lz4_without_a_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without lz4 support the error names the extra, and how to do without it."""
    for name in ("lz4", "lz4.frame"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(FileError) as caught:
        decompressed("x.lz4", b"\x04\x22\x4d\x18")
    assert caught.value.hint == "pip install 'treconcile[lz4]', or unpack it first: lz4 -d FILE"


def test_what_cannot_be_opened_says_why(tmp_path: Path) -> None:
    """A missing file, a missing directory and a directory are told apart."""
    with pytest.raises(FileError, match="no such file") as caught:
        read_file(tmp_path / "none")
    assert caught.value.hint is None
    with pytest.raises(FileError) as caught:
        read_file(tmp_path / "no" / "none")
    assert "no directory" in caught.value.hint
    with pytest.raises(FileError, match="directory"):
        read_file(tmp_path)


def test_standard_input_and_output(monkeypatch: pytest.MonkeyPatch) -> None:
    """`-` is standard input and output."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TEXT)))
    out = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr("sys.stdout", out)
    file = read_file("-")
    assert (file.name, file.data) == ("<stdin>", TEXT)
    write_atomic("-", [TEXT])
    assert out.buffer.getvalue() == TEXT


def test_byte_order_mark(tmp_path: Path) -> None:
    """It is removed with a note, and only at the start."""
    data, notices = without_bom("x", b"\xef\xbb\xbf" + TEXT)
    assert data == TEXT
    assert [(n.code, n.level, n.where) for n in notices] == [("bom-removed", "note", "x")]
    assert without_bom("x", TEXT + b"\xef\xbb\xbf") == (TEXT + b"\xef\xbb\xbf", ())
    path = tmp_path / "x"
    path.write_bytes(b"\xef\xbb\xbf" + TEXT)
    text, file, notices = read_text(path)
    assert (text, len(notices)) == (TEXT.decode(), 1)
    assert file.stored == b"\xef\xbb\xbf" + TEXT


@pytest.mark.parametrize(
    ("data", "where", "word", "hint"),
    [
        (b"ab\nc\xffd\n", "x:2", "byte 2 of the line (0xFF) is not UTF-8", "UTF-8"),
        (b"ab\nc\0d\n", "x:2", "byte 2 of the line (0x00) is NUL", "UTF-8"),
        (b"\0\n\xff", "x:1", "NUL", "UTF-8"),
        (b"\xff\n\0", "x:1", "not UTF-8", "UTF-8"),
        ("a b".encode("utf-16"), "x:1", "not UTF-8", "UTF-16"),
        (gzip.compress(b"a", mtime=0), "x:1", "", ".gz"),
    ],
)
def test_bytes_that_are_no_text(data: bytes, where: str, word: str, hint: str) -> None:
    """The error names the line and the byte, and guesses what the file is."""
    assert not is_text(data)
    with pytest.raises(FileError) as caught:
        decode_text("x", data)
    assert caught.value.where == where
    assert word in caught.value.message
    assert hint in caught.value.hint


@pytest.mark.parametrize("size", [3, 4, 5])
def test_a_character_across_blocks_is_text(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """Checking in blocks does not cut characters."""
    monkeypatch.setattr(text_files, "_BLOCK", size)
    assert is_text("дом€𝄞".encode())
    assert not is_text("дом€𝄞".encode()[:-1])


def test_a_new_file_has_the_mode_of_a_plain_open(tmp_path: Path) -> None:
    """The umask decides over a new file, the file itself over an existing one."""
    before = os.umask(0o027)
    try:
        write_atomic(tmp_path / "new", [TEXT])
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640
    (tmp_path / "new").chmod(0o604)
    write_atomic(tmp_path / "new", [b"x"])
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o604


def test_a_symbolic_link_is_followed(tmp_path: Path) -> None:
    """The link stays a link, and its target gets the content."""
    (tmp_path / "target").write_bytes(b"old")
    (tmp_path / "link").symlink_to("target")
    write_atomic(tmp_path / "link", [TEXT])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == TEXT


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="no /dev/null")
def test_a_device_is_written_to_and_not_replaced() -> None:
    """/dev/null stays what it is."""
    write_atomic("/dev/null", [TEXT])
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    """Neither a failing source, a bad second path, nor a failing rename leaves a trace."""
    old = tmp_path / "old"
    old.write_bytes(b"old")

    def failing() -> Iterator[bytes]:
        yield TEXT
        raise KeyError

    with pytest.raises(KeyError):
        write_atomic(old, failing())
    with pytest.raises(FileError):
        write_all_atomic([(old, TEXT), (tmp_path / "no" / "x", TEXT)])
    with pytest.raises(FileError, match="directory"):
        write_all_atomic([(old, TEXT), (tmp_path, TEXT)])
    assert old.read_bytes() == b"old"
    assert names_in(tmp_path) == ["old"]


def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error while the content is written is a FileError, and the temporary file goes."""
    old = tmp_path / "old"
    old.write_bytes(b"old")

    def full(aside: Path, target: Path, pieces: Iterable[bytes]) -> Never:
        aside.write_bytes(b"".join(pieces)[:2])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(text_files, "_write_aside", full)
    with pytest.raises(FileError, match="No space left"):
        write_atomic(old, [TEXT])
    assert old.read_bytes() == b"old"
    assert names_in(tmp_path) == ["old"]


def test_files_that_belong_together_are_renamed_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No file takes its place before the last is written."""
    seen = []
    write_aside = text_files._write_aside

    def watching(aside: Path, target: Path, pieces: Iterable[bytes]) -> None:
        write_aside(aside, target, pieces)
        seen.append(sorted(each for each in names_in(tmp_path) if not each.endswith(".tmp")))

    monkeypatch.setattr(text_files, "_write_aside", watching)
    write_all_atomic([(tmp_path / "a", b"1"), (tmp_path / "b", b"2")])
    assert seen == [[], []]
    assert names_in(tmp_path) == ["a", "b"]
