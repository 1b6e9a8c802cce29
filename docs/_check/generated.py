"""The parts of the reference that are made from the tables in the code."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import typer

from _check.trec_names import names_elsewhere, trec_measures
from treconcile.cli.app import COMMANDS, make_app
from treconcile.convention import DEFAULT, axes, stage_of
from treconcile.formats.trec.sidecar import Sidecar
from treconcile.measures import FAMILIES
from treconcile.profiles import profiles
from treconcile.rendering.lists import page
from treconcile.tools import TOOLS
from treconcile.tools.ir_measures_providers import PROVIDERS, provider_profile

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "treconcile"
SCHEMAS = Path(__file__).resolve().parent.parent / "schema"
SAID_ONCE = ("name", "title", "about", "axis", "tool", "what it is", "version", "usable")
"""The facts of an entry that its heading or first line says, or that differ from machine to machine."""


def generate(what: str) -> str:
    """The part of that name, as Markdown.

    Raises:
        KeyError: There is none.
    """
    name, _, rest = what.partition(" ")
    return MAKERS[name](*rest.split())


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines)


def _cell(value: object) -> str:
    return plain(str(value)).replace("|", "\\|").replace("\n", " ")


def plain(text: str) -> str:
    """A text with what Markdown would read as markup escaped, unless it is markup already."""
    return text if "`" in text or "](" in text else re.sub(r"(<|__|\*)", r"\\\1", text)


def _code(value: object) -> str:
    text = str(value)
    return f"`{text}`" if text else ""


def _facts(facts: dict[str, str]) -> str:
    return "\n".join(
        f"- {name}: {plain(text)}" for name, text in facts.items() if text and name not in SAID_ONCE
    )


def _measures() -> str:
    shown = [page("measures", name) for name in FAMILIES]
    rows = [
        (
            f"[{each.facts['name']}](#{each.facts['name'].lower()})",
            *(each.facts[key] for key in ("title", "cut-off", "also called")),
        )
        for each in shown
    ]
    parts = [table(("name", "title", "cut-off", "also called"), rows)]
    for each in shown:
        reads = " ".join(f"[{row[0]}](conventions.md#{row[0]})" for row in each.table.rows)
        parts.append(
            f"### {each.facts['name']}\n\n{each.facts['title']}.\n\n"
            f"{_facts(dict(each.facts))}\n- axes that it reads: {reads}"
        )
    return "\n\n".join(parts)


def _conventions() -> str:
    rows = [
        (f"[{name}](#{name})", stage, _code(default), about)
        for name, stage, _, default, about in page("conventions").table.rows
    ]
    parts = [table(("axis", "stage", "default", "about"), rows)]
    for stage in dict.fromkeys(map(stage_of, axes())):
        parts.append(f"## Stage: {stage}")
        parts += [_axis(axis) for axis in axes() if stage_of(axis) == stage]
    return "\n\n".join(parts)


def _axis(axis: str) -> str:
    shown = page("conventions", axis)
    readers = [name for name, family in FAMILIES.items() if axis in family.reads]
    every = "every measure" if len(readers) == len(FAMILIES) else ", ".join(readers)
    about = f"{shown.facts['about']} Default: `{shown.facts['default']}`. Read by {every}."
    return f"### {axis}\n\n{about}\n\n" + table(
        ("value", "meaning"), [(_code(row[0]), row[1]) for row in shown.table.rows]
    )


def _profiles() -> str:
    rows = [
        (f"[{name}](#{anchor(name)})", tool, evidence)
        for name, tool, _, evidence in page("profiles").table.rows
    ]
    parts = [table(("name", "tool", "evidence"), rows)]
    for name in profiles():
        changed = [row for row in page("profiles", name).table.rows if row[3] != "the same"]
        listed = table(
            ("measures", "axis", "value", "ours", "meaning of the value"),
            [(row[0], row[1], _code(row[2]), _code(row[3]), row[4]) for row in changed],
        )
        parts.append(
            f"## {name}\n\n{profiles()[name].title}. Source: {plain(profiles()[name].source)}.\n\n"
            + (listed if changed else "It is equal to the default on every axis.")
        )
    return "\n\n".join(parts)


def anchor(name: str) -> str:
    """What the heading of a profile is linked by."""
    return re.sub(r"[^\w\-]", "", name.lower())


def _formats() -> str:
    from treconcile.formats import FORMATS

    parts = []
    for kind in dict.fromkeys(each.kind for each in FORMATS):
        parts.append(f"## {kind}")
        parts += [
            f"**{each.name}**: {plain(each.description)}\n\n```text\n{each.example.strip()}\n```"
            for each in FORMATS
            if each.kind == kind
        ]
    return "\n\n".join(parts)


def _targets(kind: str) -> str:
    from treconcile.conversion.targets import targets_of
    from treconcile.rendering.lists import losses_of

    rows = [
        (f"`{each.name}`", each.title, losses_of(each), f"`--from {each.read_as}`")
        for each in targets_of(kind)
    ]
    return table(("`--to`", "what it is", "leaves out", "read again with"), rows)


def _tools() -> str:
    rows = [
        (
            name,
            row.title,
            _code(row.install) if row.install.startswith("pip") else row.install,
            row.homepage,
            row.licence,
        )
        for name, row in TOOLS.items()
    ]
    listed = table(("name", "what it is", "how to get it", "homepage", "licence"), rows)
    supported = {name: dict(page("tools", name).table.rows) for name in TOOLS}  # type: ignore[arg-type]
    measures = [(measure, *(supported[name][measure] for name in TOOLS)) for measure in FAMILIES]
    return f"{listed}\n\n## Which tool has which measure\n\n" + table(("measure", *TOOLS), measures)


def _providers() -> str:
    rows = []
    for name, each in PROVIDERS.items():
        profile = provider_profile(name)
        by_measure = [f"{measure}: {_pairs(changes)}" for measure, changes in profile.measures.items()]
        observed = profile.evidence.removeprefix("observed by running").lstrip("; ")
        needs = each.distributions[0] if each.distributions else "nothing else"
        rows.append((name, needs, _pairs(profile.convention.changed()), "; ".join(by_measure), observed))
    return table(("provider", "needs", "all measures", "single measures", "notes"), rows)


def _pairs(changes: Any) -> str:  # noqa: ANN401 - any mapping
    return " ".join(f"`{axis}:{value}`" for axis, value in changes.items())


def _commands(*names: str) -> str:
    group = typer.main.get_command(make_app())
    return "\n\n".join(_command(name, group.commands[name]) for name in names or COMMANDS)  # type: ignore[attr-defined]


def _command(name: str, command: Any) -> str:  # noqa: ANN401 - typer's own classes differ by version
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    options = [
        each
        for each in command.params
        if each.param_type_name == "option" and not getattr(each, "hidden", False)
    ]
    usage = " ".join(["treconcile", name, "[OPTIONS]", *map(_position, arguments)])
    rows = [(_code(each.metavar or each.name), each.help or "") for each in arguments]
    rows += [(_spelling(each), (each.help or "") + _standard(each)) for each in options]
    rows.append(("`-h`, `--help`", "Show the help and exit."))
    example = str(import_module(f"treconcile.cli.{COMMANDS[name]}").EXAMPLE)
    said, _, line = example.rpartition(": ")
    parts = [
        f"## {name}",
        plain(command.help.strip()),
        f"```text\n{usage}\n```",
        table(("argument or option", "meaning"), rows),
        f"{said}:",
        f"```text\n{line}\n```",
    ]
    return "\n\n".join(parts)


def _position(argument: Any) -> str:  # noqa: ANN401
    name = str(argument.metavar or argument.name)
    return name if argument.required else f"[{name}]"


def _spelling(option: Any) -> str:  # noqa: ANN401
    names = [*option.opts, *option.secondary_opts]
    value = "" if option.is_flag else f" {option.metavar}"
    return ", ".join(_code(each + value) for each in names)


def _standard(option: Any) -> str:  # noqa: ANN401
    required = " Required." if option.required else ""
    default = option.default
    shown = isinstance(default, str | int) and not isinstance(default, bool) and default != ""
    return required + (f" Default: `{default}`." if shown and "default" not in (option.help or "") else "")


def _sidecar() -> str:
    attributes = re.findall(
        r"^ {8}(\w+): (.*?)(?=\n {8}\w|\n\s*\Z)", str(Sidecar.__doc__), re.MULTILINE | re.DOTALL
    )
    return table(
        ("key", "what it says"), [(_code(key), re.sub(r"\s+", " ", text)) for key, text in attributes]
    )


def _settings() -> str:
    from treconcile.cli.project import KINDS, SETTINGS

    rows = [
        (_code(key), KINDS[each.kind], each.about, _code(f"{key} = {each.example}"))
        for key, each in SETTINGS.items()
    ]
    return table(("key", "type", "meaning", "example"), rows)


def _schema(name: str) -> str:
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    return table(("key", "type", "meaning"), _keys(schema, ""))


def _keys(schema: dict[str, Any], prefix: str) -> Iterator[tuple[str, str, str]]:
    for key, each in schema.get("properties", {}).items():
        kinds = each.get("type") or f"as `{each['$ref'].rpartition('/')[2] or 'compare'}`"
        kinds = kinds if isinstance(kinds, str) else " or ".join(kinds)
        path = f"{prefix}{key}" + ("[]" if "array" in kinds else "")
        optional = "" if key in schema.get("required", ()) else "; not always there"
        yield _code(path), kinds + optional, each.get("description", "")
        if key != "explanations":  # the entry of a measure, as at the top
            yield from _keys(*_inside(each, path))


def _inside(schema: dict[str, Any], path: str) -> tuple[dict[str, Any], str]:
    """What has keys of its own in a list, or in an object whose keys are names; and the path to it."""
    while inner := schema.get("items") or schema.get("additionalProperties"):
        path += "" if "items" in schema else ".*"
        schema = inner
        path += "[]" if schema.get("type") == "array" else ""
    return schema, f"{path}."


def _atlas(part: str) -> str:
    from _check import atlas  # it makes tables with this module

    makers = {"overview": atlas.overview, "pages": atlas.page_links}
    return makers[part]() if part in makers else atlas.axis_page(part)


def _presets(part: str) -> str:
    from _check import presets  # it makes tables with this module

    return {"links": presets.page_links, "overview": presets.overview, "files": presets.files}[part]()


def _preset(name: str) -> str:
    from _check import presets

    return presets.preset_page(name)


def _peers() -> str:
    from _check import peers

    return peers.overview()


def _mapping(part: str) -> str:
    from _check import mapping

    return {"keys": mapping.keys, "rules": mapping.rules, "notes": mapping.notes}[part]()


def _rooms() -> str:
    """Every file and folder at the top, as the layers order them, with the folders within."""
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ][0]
    rows = []
    for name in [name for layer in contract["layers"] for name in layer.split(" | ")]:
        home = SOURCE / name
        folders = [home, *(each.parent for each in sorted(home.glob("*/**/__init__.py")))]
        for path in folders if home.is_dir() else [home.with_suffix(".py")]:
            shown = path.relative_to(SOURCE).as_posix() + ("/" if path.is_dir() else "")
            rows.append((_code(shown), _what_it_is(path / "__init__.py" if path.is_dir() else path)))
    return table(("in `src/treconcile/`", "what it is"), rows)


def _what_it_is(path: Path) -> str:
    said = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return said.partition("\n\n")[0].replace("\n", " ")


MAKERS = {
    "rooms": _rooms,
    "atlas": _atlas,
    "presets": _presets,
    "preset": _preset,
    "peers": _peers,
    "mapping": _mapping,
    "measures": _measures,
    "conventions": _conventions,
    "profiles": _profiles,
    "formats": _formats,
    "targets": _targets,
    "tools": _tools,
    "providers": _providers,
    "commands": _commands,
    "sidecar": _sidecar,
    "settings": _settings,
    "schema": _schema,
    "trec-measures": lambda: table(*trec_measures()),
    "names-elsewhere": lambda: table(*names_elsewhere()),
    "default": lambda: f"```text\n{DEFAULT}\n```",
}
"""Each part and what makes it."""
