"""The documentation says what the program does, and leaves nothing out."""

import importlib.util
import json
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from docs.json_schema import faults
from treconcile.cli.app import COMMANDS, run
from treconcile.convention import axes, values_of
from treconcile.formats import FORMATS
from treconcile.formats.systems.mapping.language import KEYS, NOTES
from treconcile.formats.systems.mapping.presets import preset, preset_names, read_preset
from treconcile.formats.trec.sidecar import Sidecar
from treconcile.measures import FAMILIES
from treconcile.profiles import profiles
from treconcile.tools import TOOLS
from treconcile.tools.ir_measures_providers import PROVIDERS

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
REFERENCE = DOCS / "reference"


def load(name: str) -> ModuleType:
    """A module of the documentation's own check."""
    if "docs_check" not in sys.modules:
        spec = importlib.util.spec_from_file_location("docs_check", DOCS / "check.py")
        module = importlib.util.module_from_spec(spec)
        sys.modules["docs_check"] = module
        spec.loader.exec_module(module)
    return sys.modules["docs_check" if name == "check" else f"_check.{name}"]


def reference(page: str) -> str:
    return (REFERENCE / f"{page}.md").read_text(encoding="utf-8")


def headings(page: str) -> set[str]:
    return set(re.findall(r"^#+ (.*)$", reference(page), re.MULTILINE))


@pytest.mark.slow
@pytest.mark.parametrize("presets", [True, False], ids=["presets", "others"])
def test_every_page_is_up_to_date(presets: bool) -> None:
    """Commands, Python examples, generated parts and links are what the program gives today."""
    check = load("check")
    pages = [page for page in check.pages() if (page.parent.name == "presets") == presets]
    assert pages
    found = check.problems(pages)
    assert not found, "\n".join([*found, "python docs/check.py --write brings the pages up to date"])


def test_every_command_is_in_the_reference_and_has_a_guide() -> None:
    """Every command has a section with all its options, and a how-to guide."""
    assert set(COMMANDS) <= headings("cli")
    assert set(COMMANDS) <= {path.stem for path in (DOCS / "how-to").glob("*.md")}


def test_every_measure_is_in_the_reference() -> None:
    """Every family of measures has a section."""
    missing = set(FAMILIES) - headings("measures")
    assert not missing, f"docs/check.py --write makes the sections of {sorted(missing)}"


def test_every_axis_and_every_value_is_in_the_reference() -> None:
    """Every axis has a section that names each of its values."""
    text = reference("conventions")
    assert set(axes()) <= headings("conventions")
    for axis in axes():
        section = text.split(f"\n### {axis}\n", 1)[1].split("\n##", 1)[0]
        assert all(f"| `{value}` |" in section for value in values_of(axis)), (
            f"docs/check.py --write makes the section of {axis}"
        )


def test_every_profile_is_in_the_reference() -> None:
    """Every profile has a section."""
    assert set(profiles()) <= headings("profiles")


def test_every_format_is_in_the_reference() -> None:
    """Every format of every kind has its description and example."""
    text = reference("formats")
    for each in FORMATS:
        section = text.split(f"\n## {each.kind}\n", 1)[1].split("\n## ", 1)[0]
        assert f"**{each.name}**" in section
        assert each.example.strip() in section


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_has_a_page(name: str) -> None:
    """Every form with its mapping, before and after; and what is refused, with the reason."""
    given, text = preset(name), (DOCS / "presets" / f"{name}.md").read_text(encoding="utf-8")
    outputs = re.findall(r"^```console\n\$ treconcile convert (.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(outputs) == len(given.variants) + 1
    assert all("written to standard output" in each for each in outputs[:-1])
    assert "error: " in outputs[-1] and "written to" not in outputs[-1]
    shown = [given.near_miss, *(each.sample for each in given.variants)]
    assert all(each.strip() in text for each in shown)
    assert text.count("```yaml\n") == len(given.variants)
    assert given.why_refused in text.replace("\\", "").replace("`", "")


def test_a_mapping_on_a_page_is_the_preset(tmp_path: Path) -> None:
    """Copied into a file, it says of the conversion what the preset says."""
    for variant in (each for name in preset_names() for each in preset(name).variants):
        path = tmp_path / "copied.yaml"
        text = load("presets").mapping_text(variant)
        path.write_text(text)
        assert f"```yaml\n{text}```" in (DOCS / "presets" / f"{variant.preset}.md").read_text()
        fields = {key: value for key, value in variant.fields.items() if key in KEYS and key != "name"}
        assert read_preset(str(path)).variants[0].fields == fields, variant.label


def test_every_key_of_a_mapping_is_in_the_reference() -> None:
    """Every key that says something, and every key that says something about the mapping."""
    assert all(f"\n| `{key}` |" in reference("mapping") for key in (*KEYS, *NOTES))


def test_a_preset_without_a_page_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A new preset is reported until its page is made; --write makes it."""
    presets = load("presets")
    monkeypatch.setattr(presets, "FOLDER", tmp_path)
    (tmp_path / "vespa.md").write_text("# vespa\n")
    missing = presets.missing_pages()
    assert {path.stem for path in missing} == set(preset_names()) - {"vespa"}
    assert "<!-- generated: preset solr -->" in missing[tmp_path / "solr.md"]


def test_every_tool_and_provider_is_in_the_reference() -> None:
    """Every tool and every provider of ir_measures has a row."""
    text = reference("tools")
    assert all(f"\n| {name} |" in text for name in (*TOOLS, *PROVIDERS))


def test_every_key_of_the_sidecar_is_in_the_reference() -> None:
    """Every key of the .meta.json file is described."""
    assert all(f"| `{key}` |" in reference("sidecar") for key in Sidecar.__dataclass_fields__)


def test_every_page_is_on_the_map() -> None:
    """docs/index.md links every page."""
    linked = set(re.findall(r"\]\(([\w/.-]+\.md)\)", (DOCS / "index.md").read_text(encoding="utf-8")))
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")} - {"index.md"}
    assert pages == linked


def test_no_page_names_a_machine() -> None:
    """No page has a path of the machine that it was written on, or an unfinished passage."""
    for page in load("check").pages():
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"(?<![\w.])/(?:work|tmp|home|root|usr)/|localhost|\bTODO\b|\bFIXME\b", text), (
            page
        )


@pytest.fixture
def example(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """The ten-document example as the current directory."""
    monkeypatch.chdir(tmp_path)
    assert run(["demo", "--keep", "."]) == 0
    capfdbinary.readouterr()


FILES = ["qrels/example.qrels", "runs/example.run"]
CLOSER = [
    "--queries",
    "qrels.json",
    "--group",
    "id",
    "--corpus",
    "documents.json",
    "--by",
    "id",
    "--by-words",
]
CHECK = ["crosscheck", *FILES, "--against", "pytrec_eval", "--against", "ir_measures"]


@pytest.mark.usefixtures("example")
@pytest.mark.parametrize(
    ("schema", "arguments"),
    [
        ("eval", ["eval", *FILES]),
        ("eval", ["eval", *FILES, "-m", "P@3", "--fail-if", "P@3 < 0.3", "--fail-if", "R@3 < 0.3"]),
        ("eval", ["eval", *FILES, "runs/example.scores.run", "-q", "-m", "P@3", "-m", "NumRet"]),
        ("eval", ["eval", *FILES, "-q", "--no-meta", "-m", "AP", "-C", "rel=2,no_relevant=nan"]),
        ("crosscheck", CHECK),
        ("crosscheck", [*CHECK, "-m", "P@3", "--mine", "treconcile.demo.metrics:evaluate"]),
        ("crosscheck", [*CHECK, "-m", "nDCG@3", "--mine", "elasticsearch"]),
        ("compare", ["compare", *FILES, "runs/example.scores.run", "--fail-if", "P@3 < 0"]),
        (
            "compare",
            ["compare", FILES[0], *[FILES[1], "runs/example.scores.run"] * 2, "--repeats", "2", *CLOSER],
        ),
        ("compare", ["compare", *FILES, FILES[1], "--baseline", "runs/example.scores.run"]),
        ("rankings", ["compare", "--rankings", FILES[1], "runs/example.scores.run"]),
        ("explain", ["explain", *FILES, "--mean", "P@3=0.667", "--seconds", "2"]),
        ("fingerprint", ["fingerprint", "treconcile.demo.metrics:evaluate"]),
        ("explain", ["explain", *FILES, "--mean", "P@3=0.123456789", "--seconds", "2"]),
        ("explain", ["explain", *FILES, "-m", "P@3", "-m", "R@3", "--mine", "denominator=returned"]),
    ],
)
def test_json_is_as_its_schema_says(
    capfdbinary: pytest.CaptureFixture[bytes], schema: str, arguments: list[str]
) -> None:
    """What a program gets has the keys and types of the schema, and no key that it does not describe."""
    run([*arguments, "--format", "json"])
    value = json.loads(capfdbinary.readouterr().out)
    described = json.loads((DOCS / "schema" / f"{schema}.schema.json").read_text(encoding="utf-8"))
    assert list(faults(value, described)) == []


def test_a_schema_refuses_what_it_does_not_describe() -> None:
    """The check of the schema itself sees a missing key, a wrong type and an unknown key."""
    schema = {
        "type": "object",
        "required": ["a"],
        "properties": {"a": {"type": "integer"}, "b": {"type": ["string", "null"]}},
    }
    assert list(faults({"a": 1, "b": None}, schema)) == []
    assert len(list(faults({"b": 2, "c": 3}, schema))) == 3


def test_a_stale_output_is_noticed() -> None:
    """A page whose output is not what the command prints, or that exits otherwise, is not left as it is."""
    stale = "<!-- run -->\n```console\n$ treconcile list conventions denominator\nnothing\n```\n"
    with load("sessions").Sessions() as sessions:
        new, complaints = load("blocks").renewed(stale, sessions)
        assert "nothing" not in new
        assert "axis     denominator" in new
        assert complaints == []
        failing = "<!-- run: exit=1 -->\n```console\n$ treconcile list conventions\n```\n"
        assert load("blocks").renewed(failing, sessions)[1] == [
            "`treconcile list conventions` exits with 0, not 1"
        ]
