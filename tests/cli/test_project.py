"""The settings of a project: where they are looked for, and what is said of those that are wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from docs.json_schema import faults
from treconcile.cli.project import SETTINGS, Project, read_project
from treconcile.errors import InputError

SCHEMA = Path(__file__).parents[2] / "docs/schema/settings.schema.json"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "a" / "b")


def test_without_settings() -> None:
    """Nothing is set, and a pyproject.toml of others is passed over, even if it is broken."""
    Path("pyproject.toml").write_text("[tool.other\n")
    assert read_project() == Project()


def test_the_nearest_folder_counts() -> None:
    """Settings are those of the first folder upwards that has any; paths are seen from there."""
    Path("../../treconcile.toml").write_text('snapshots = "far"\n')
    assert read_project().snapshots == Path("../../far")
    Path("../pyproject.toml").write_text('[project]\nname = "treconcile-x"\n')
    assert read_project().snapshots == Path("../../far")
    Path("../pyproject.toml").write_text('[tool.treconcile]\nsnapshots = "near"\n')
    found = read_project()
    assert (found.snapshots, found.name, found.gates) == (
        Path("../near"),
        str(Path("../pyproject.toml")),
        (),
    )
    Path("treconcile.toml").write_text("")
    assert read_project().snapshots is None


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("# one\ngate = []\n", "treconcile.toml:2: there is no setting 'gate'", "did you mean 'gates'?"),
        ("gates = 3", "treconcile.toml:1: gates has to be a list of texts", "for example: gates = "),
        ("gates = [3]", "gates has to be a list of texts", ""),
        ('gates = [" "]', "gates has to be a list of texts", ""),
        ("\n\nsnapshots = true", "treconcile.toml:3: snapshots has to be a text", ""),
        ('snapshots = ""', "snapshots has to be a text", ""),
        ('snapshots = "a\\u0000b"', "snapshots has to be a text", ""),
        ("gates = [", "this is not TOML", "for example"),
        ("gates = [1]\ngates = [2]", "this is not TOML", ""),
        ("gates = " + "[" * 5000, "this is not TOML", ""),
        ("x" * (1 << 20) + " = 1", "more than 1 MiB", ""),
        ("caf\udce9 = 1", "is not UTF-8", ""),
        ("[tool.treconcile]\ngates = []", "there is no setting 'tool'", "the keys are gates, snapshots"),
    ],
)
def test_what_is_wrong_is_said(text: str, message: str, hint: str) -> None:
    """The file, the line and the reason, with a suggestion; never a traceback."""
    Path("treconcile.toml").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError) as caught:
        read_project()
    assert message in str(caught.value)
    assert hint in (caught.value.hint or "")


def test_two_files_of_one_folder() -> None:
    """Which of the two counts is not guessed."""
    Path("treconcile.toml").write_text("")
    Path("pyproject.toml").write_text("[tool.treconcile]\n")
    with pytest.raises(InputError, match=r"the folder has settings in pyproject\.toml, too"):
        read_project()


def test_the_schema_has_every_key() -> None:
    """The schema describes the keys of the table, and its examples are as it says."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    assert {key: each["description"] for key, each in schema["properties"].items()} == {
        key: each.about for key, each in SETTINGS.items()
    }
    Path("treconcile.toml").write_text("".join(f"{key} = {each.example}\n" for key, each in SETTINGS.items()))
    found = read_project()
    values = {"gates": list(found.gates), "snapshots": str(found.snapshots)}
    assert list(faults(values, schema)) == []


@pytest.mark.parametrize("make", [Path.mkdir, lambda path: path.symlink_to("nowhere")])
def test_settings_that_are_no_file(make: Callable[[Path], None]) -> None:
    """A folder or a link to nothing in place of the settings is an error: gates never go unchecked."""
    make(Path("treconcile.toml"))
    with pytest.raises(InputError, match="this is no file"):
        read_project()
