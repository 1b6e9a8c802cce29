"""What there is, as tables: measures, conventions, profiles, formats and tools."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from treconcile.convention import DEFAULT, Value, axes, known_axis, stage_of, title_of, value_text, values_of
from treconcile.errors import UsageError, did_you_mean
from treconcile.formats import FORMATS
from treconcile.formats.mapping.presets import Variant, preset, preset_names
from treconcile.measures import FAMILIES, Family
from treconcile.measures.spec import parse_measure
from treconcile.profiles import Profile, known_profile, profiles
from treconcile.report.table import Cell, Table, render
from treconcile.tools import TOOLS, load

LINE = 100
NUMBERS = {
    "rel": "a number",
    "depth": "none, cutoff, or a number from 1",
    "round": "none, or a number from 0",
    "mean_round": "none, or a number from 0",
}
"""The values of the axes that are numbers."""


@dataclass(frozen=True)
class Page:
    """One entry, or a list of them.

    Attributes:
        table: What there is of it in rows.
        facts: What is said once, before the rows.
        rows: The key that the rows have in JSON, where there are facts.
    """

    table: Table
    facts: Mapping[str, str] = field(default_factory=dict)
    rows: str = ""


def page(kind: str, name: str | None = None) -> Page:
    """The page of a kind of thing, or of one of them.

    Raises:
        UsageError: There is no such kind, or nothing of that name.
    """
    if kind not in PAGES:
        hint = did_you_mean(kind, PAGES, "it is one of " + ", ".join(PAGES))
        raise UsageError(f"there is no list of {kind!r}", hint=hint)
    overview, entry = PAGES[kind]
    return overview() if name is None else entry(name)


def render_page(shown: Page, form: str, *, terminal: bool = False) -> str:
    """A page in one of the formats of tables.

    `table` has the facts above the rows, `json` and `jsonl` have them beside the rows in one object; the
    other formats have the rows only.
    """
    if not shown.facts or form not in ("table", "json", "jsonl"):
        return render(shown.table, form, terminal=terminal)
    if form == "table":
        return _facts(shown.facts) + "\n" + render(shown.table, form, terminal=terminal)
    whole = {**shown.facts, shown.rows: json.loads(render(shown.table, "json"))}
    return json.dumps(whole, ensure_ascii=False, indent=2 if form == "json" else None) + "\n"


def _facts(facts: Mapping[str, str]) -> str:
    size = max(map(len, facts)) + 2
    wrapped = (
        textwrap.fill(
            text or "-",
            LINE,
            initial_indent=name.ljust(size),
            subsequent_indent=" " * size,
            break_on_hyphens=False,
        )
        for name, text in facts.items()
    )
    return "".join(f"{line}\n" for line in wrapped)


def _measures() -> Page:
    columns = ("name", "title", "cut-off", "range", "also called", "formula axes", "formula")
    rows = [
        (each.name, each.title, each.cutoff, each.range, ", ".join(each.aliases), _own(each), each.formula)
        for each in FAMILIES.values()
    ]
    return Page(Table(columns, rows))


def _own(family: Family) -> str:
    return " ".join(axis for axis in axes() if axis in family.reads and stage_of(axis) == "formula")


def _measure(name: str) -> Page:
    measure = parse_measure(name)
    family = measure.family
    facts = {
        "name": family.name,
        "title": family.title,
        "formula": family.formula,
        "range": family.range,
        "cut-off": family.cutoff,
        "undefined when": family.undefined,
        "also called": ", ".join(family.aliases),
        "parameters": _parameters(family),
        "aggregate": f"{family.aggregate} over the queries",
        "source": family.source,
    }
    rows = [(*_axis_row(axis), title_of(axis)) for axis in measure.reads]
    return Page(Table(("axis", "stage", "values (the first is the default)", "about"), rows), facts, "reads")


def _parameters(family: Family) -> str:
    return "; ".join(
        f"{name}: {each.meaning} (default {each.default})" for name, each in family.parameters.items()
    )


def _axis_row(axis: str) -> tuple[str, str, str]:
    return axis, stage_of(axis), " ".join(values_of(axis)) or NUMBERS[axis]


def _conventions() -> Page:
    rows = [(*_axis_row(axis), value_text(getattr(DEFAULT, axis)), title_of(axis)) for axis in axes()]
    return Page(Table(("axis", "stage", "values", "default", "about"), rows))


def _convention(name: str) -> Page:
    axis = known_axis(name)
    default = value_text(getattr(DEFAULT, axis))
    readers = [each.name for each in FAMILIES.values() if axis in each.reads]
    facts = {
        "axis": axis,
        "about": title_of(axis),
        "stage": stage_of(axis),
        "default": default,
        "read by": ", ".join(readers),
    }
    rows: list[tuple[Cell, ...]] = [(str(value), str(value.__doc__)) for value in values_of(axis)]
    return Page(Table(("value", "meaning"), rows or [(NUMBERS[axis], title_of(axis))]), facts, "values")


def _profiles() -> Page:
    rows = [
        (each.name, each.title, str(each.convention.changed()) or "-", each.evidence or each.source)
        for each in profiles().values()
    ]
    return Page(Table(("name", "tool", "differs from ours in", "evidence"), rows))


def _profile(name: str) -> Page:
    profile = known_profile(name)
    facts = {
        "name": profile.name,
        "tool": profile.title,
        "source": profile.source,
        "evidence": profile.evidence,
        "measures": "; ".join(f"{theirs} is {ours}" for theirs, ours in profile.names.items()),
    }
    columns = ("measures", "axis", "value", "ours", "meaning of the value")
    return Page(Table(columns, _profile_rows(profile)), facts, "axes")


def _profile_rows(profile: Profile) -> list[tuple[Cell, ...]]:
    """Each axis of all measures, then each that single measures change."""
    rows = [_profile_row("all", axis, getattr(profile.convention, axis)) for axis in axes()]
    for measure, changes in profile.measures.items():
        label = f"{measure}k" if measure.endswith("@") else measure
        rows += [_profile_row(label, axis, value) for axis, value in changes.items()]
    return rows


def _profile_row(measures: str, axis: str, value: Value) -> tuple[Cell, ...]:
    ours = getattr(DEFAULT, axis)
    meaning = next((str(each.__doc__) for each in values_of(axis) if each == value), title_of(axis))
    return measures, axis, value_text(value), "the same" if value == ours else value_text(ours), meaning


def _formats() -> Page:
    own = [(each.kind, each.name, each.description) for each in FORMATS]
    mapped = [(each.mapping.kind, each.label, preset(each.preset).title) for each in _variants()]
    return Page(Table(("kind", "name", "description"), [*own, *mapped]))


def _variants() -> list[Variant]:
    return [variant for name in preset_names() for variant in preset(name).variants]


def _format(name: str) -> Page:
    if name.partition(".")[0] in preset_names():
        return _preset(name)
    found = [each for each in FORMATS if name in (each.name, each.kind)]
    if not found:
        known = {name for each in FORMATS for name in (each.name, each.kind)} | set(preset_names())
        hint = did_you_mean(name, known, "see `treconcile list formats`")
        raise UsageError(f"there is no format {name!r}", hint=hint)
    rows = [(each.kind, each.name, each.description, each.example) for each in found]
    return Page(Table(("kind", "name", "description", "example"), rows))


def _preset(name: str) -> Page:
    shown = preset(name.partition(".")[0])
    facts = {
        "name": shown.name,
        "title": shown.title,
        "source": shown.source,
        "note": shown.note,
        "refused": shown.why_refused,
        "mapping": f"treconcile convert --show-map {shown.name}",
    }
    variants = [each for each in shown.variants if name in (shown.name, each.label)]
    rows = [(each.mapping.kind, each.label, each.sample.strip()) for each in variants]
    return Page(Table(("kind", "name", "example"), rows), facts, "variants")


def _tools() -> Page:
    columns = ("name", "version", "usable", "what it is", "how to get it")
    rows = [
        (name, tool.version(), _usable(name), row.title, row.install)
        for name, row in TOOLS.items()
        for tool in (load(name),)
    ]
    return Page(Table(columns, rows))


def _usable(name: str) -> str:
    usable, why = load(name).available()
    return "yes" if usable else f"no: {why}"


def _tool(name: str) -> Page:
    tool, row = load(name), TOOLS[name]
    facts = {
        "name": name,
        "version": tool.version() or "",
        "usable": _usable(name),
        "what it is": row.title,
        "how to get it": row.install,
        "homepage": row.homepage,
        "licence": row.licence,
    }
    rows = [(each.name, "yes" if _supports(name, each) else "no") for each in FAMILIES.values()]
    return Page(Table(("measure", "supported"), rows), facts, "measures")


def _supports(name: str, family: Family) -> bool:
    spelled = [family.name] if family.cutoff != "required" else []
    spelled += [f"{family.name}@10"] if family.cutoff != "none" else []
    return any(load(name).supports(parse_measure(each)) for each in spelled)


PAGES: dict[str, tuple[Callable[[], Page], Callable[[str], Page]]] = {
    "measures": (_measures, _measure),
    "conventions": (_conventions, _convention),
    "profiles": (_profiles, _profile),
    "formats": (_formats, _format),
    "tools": (_tools, _tool),
}
"""Each kind, with its list and how one entry of it is shown."""
