"""The lists of measures, conventions, profiles, formats, targets and tools, as tables."""

from __future__ import annotations

from collections.abc import Callable

from treconcile.axes import AxisValue
from treconcile.convention import DEFAULT, Value, axes, known_axis, stage_of, title_of, value_text, values_of
from treconcile.conversion.targets import KINDS, LOSSES, TARGETS, Target
from treconcile.errors import UsageError, did_you_mean
from treconcile.formats.systems.mapping.names import COLUMN_NAMES, PART_TITLES
from treconcile.measures import FAMILIES, Family
from treconcile.measures.spec import parse_measure
from treconcile.profiles import Profile, known_profile, profiles
from treconcile.rendering.formats import format_page, formats_page
from treconcile.rendering.page import Page
from treconcile.rendering.table import Cell, Table
from treconcile.tools import TOOLS, load
from treconcile.tools.asking import supports

NUMBERS = {
    "rel": "a number",
    "depth": "none, cutoff, or a number from 1",
    "round": "none, or a number from 0",
    "mean_round": "none, or a number from 0",
}
"""The values of the axes that are numbers."""


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


def _measures() -> Page:
    columns = ("name", "title", "cut-off", "range", "better", "also called", "formula axes", "formula")
    rows = [
        (
            family.name,
            family.title,
            family.cutoff,
            family.range,
            family.better,
            ", ".join(family.aliases),
            _own(family),
            family.formula,
        )
        for family in FAMILIES.values()
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
        "better": measure.better,
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
        f"{name}: {given.meaning} ({'required' if given.required else f'default {given.default}'})"
        for name, given in family.parameters.items()
    )


def _axis_row(axis: str) -> tuple[str, str, str]:
    return axis, stage_of(axis), " ".join(values_of(axis)) or NUMBERS[axis]


def _conventions() -> Page:
    rows = [(*_axis_row(axis), value_text(getattr(DEFAULT, axis)), title_of(axis)) for axis in axes()]
    return Page(Table(("axis", "stage", "values", "default", "about"), rows))


def _convention(name: str) -> Page:
    axis = known_axis(name)
    default = value_text(getattr(DEFAULT, axis))
    readers = [family.name for family in FAMILIES.values() if axis in family.reads]
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
        (
            profile.name,
            profile.title,
            str(profile.convention.changed()) or "-",
            profile.evidence or profile.source,
        )
        for profile in profiles().values()
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
    meaning = str(value.__doc__) if isinstance(value, AxisValue) else title_of(axis)
    return measures, axis, value_text(value), "the same" if value == ours else value_text(ours), meaning


def _columns() -> Page:
    rows = [(part, title, ", ".join(COLUMN_NAMES[part])) for part, title in PART_TITLES.items()]
    return Page(Table(("part", "what it is", "names that are known"), rows))


def _column(name: str) -> Page:
    if name not in PART_TITLES:
        hint = did_you_mean(name, PART_TITLES, "the parts are " + ", ".join(PART_TITLES))
        raise UsageError(f"a table has no part {name!r}", hint=hint)
    return Page(Table(("name",), [(each,) for each in COLUMN_NAMES[name]]))


def _targets() -> Page:
    """One row a target."""
    rows: list[tuple[Cell, ...]] = [
        (target.kind, target.name, target.title, f"--from {target.read_as}") for target in TARGETS
    ]
    return Page(Table(("kind", "name", "what it is", "read again with"), rows))


def _target(name: str) -> Page:
    """The targets of a name, of whatever kind, or those of a kind.

    Raises:
        UsageError: There is none.
    """
    matches = [target for target in TARGETS if name in (target.name, target.kind, *target.also)]
    if not matches:
        known = {*KINDS, *(name for target in TARGETS for name in (target.name, *target.also))}
        hint = did_you_mean(name, known, "see `treconcile list targets`")
        raise UsageError(f"there is no target {name!r}", hint=hint)
    rows: list[tuple[Cell, ...]] = [
        (
            target.kind,
            target.name,
            target.title,
            losses_of(target) or "-",
            f"--from {target.read_as}",
            ", ".join(target.also) or "-",
        )
        for target in matches
    ]
    return Page(Table(("kind", "name", "what it is", "leaves out", "read again with", "also called"), rows))


def losses_of(target: Target) -> str:
    """What a target cannot hold, in words."""
    return "; ".join(LOSSES[name] for name in target.loses)


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
    rows = [(family.name, "yes" if _supports(name, family) else "no") for family in FAMILIES.values()]
    return Page(Table(("measure", "supported"), rows), facts, "measures")


def _supports(name: str, family: Family) -> bool:
    inside = ",".join(f"{name}=1" for name, parameter in family.parameters.items() if parameter.required)
    required = f"{family.name}({inside})" if inside else family.name
    spelled = [required] if family.cutoff != "required" else []
    spelled += [f"{required}@10"] if family.cutoff != "none" else []
    return any(supports(load(name), parse_measure(spelling)) for spelling in spelled)


PAGES: dict[str, tuple[Callable[[], Page], Callable[[str], Page]]] = {
    "measures": (_measures, _measure),
    "conventions": (_conventions, _convention),
    "profiles": (_profiles, _profile),
    "formats": (formats_page, format_page),
    "columns": (_columns, _column),
    "targets": (_targets, _target),
    "tools": (_tools, _tool),
}
"""For each kind: the page of the list, and the page of one entry."""
