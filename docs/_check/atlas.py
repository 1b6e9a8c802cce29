"""The atlas: why two tools disagree, one page an axis, its numbers computed when the page is made."""

from __future__ import annotations

import re
from dataclasses import dataclass

import polars as pl

from _check.generated import anchor, table
from treconcile.align import Alignment
from treconcile.convention import DEFAULT, Convention, Value, axes, stage_of, title_of, value_text, values_of
from treconcile.errors import TreconcileError
from treconcile.measures import FAMILIES
from treconcile.measures.spec import Measure, parse_measure
from treconcile.model import JUDGMENT_COLUMNS, RUN_COLUMNS, Judgments, Run
from treconcile.profiles import Profile, profiles
from treconcile.score import arithmetic, score_measure

REST = "other measures"
UNREAD = {"ties": ("input",), "score_precision": ("input", "rank")}
"""The orders of documents that leave an axis without meaning."""

NO_MATTER = "no matter: the order is not by score"


@dataclass(frozen=True)
class Example:
    """Data of three documents on which values of an axis give different numbers.

    Attributes:
        measure: What is computed.
        judged: Query, document and grade, separated by commas.
        results: Query, document, score and, where it is not the position, the rank; in the input's order.
        values: The values shown; all of them if not given.
        base: Other axes that are not at their default.
        empty: Queries that were asked and found nothing.
        negative: Queries declared to have no answer.
    """

    measure: str
    judged: str
    results: str
    values: tuple[Value, ...] = ()
    base: str = ""
    empty: tuple[str, ...] = ()
    negative: tuple[str, ...] = ()

    def alignment(self) -> Alignment:
        """The data, joined."""
        judged = [(query, "0", doc, int(grade)) for query, doc, grade in _rows(self.judged)]
        at: dict[str, int] = {}
        results = []
        for query, doc, score, *rank in _rows(self.results):
            at[query] = at.get(query, 0) + 1
            results.append((query, doc, float(score), int(rank[0]) if rank else at[query]))
        return Alignment(
            Judgments(pl.DataFrame(judged, schema=JUDGMENT_COLUMNS, orient="row"), negative=self.negative),
            Run(pl.DataFrame(results, schema=RUN_COLUMNS, orient="row"), empty=self.empty),
        )


ABC = "q1 A 3, q1 B 2, q1 C 1"
GRADES = "q1 A 1, q1 B 3, q1 C 2"
DISCOUNTS: tuple[Value, ...] = (*values_of("discount"), "log3", "max-1-log3")
EXAMPLES = {
    "order": Example("RR", "q1 B 1", "q1 C 1 3, q1 A 3 2, q1 B 2 1"),
    "ties": Example("RR", "q1 A 1", "q1 B 1, q1 A 1, q1 C 1"),
    "score_precision": Example("RR", "q1 A 1", "q1 A 0.700000012, q1 B 0.700000001, q1 C 0.1"),
    "duplicates": Example("nDCG@3", "q1 A 1, q1 B 0, q1 C 1", "q1 A 1, q1 B 2, q1 A 3"),
    "unjudged": Example("RR", "q1 B 1, q1 C 0", ABC),
    "depth": Example("R", "q1 B 1, q1 C 1", ABC, values=(None, 2, 1)),
    "self_match": Example("RR", "A B 1", "A A 3, A B 2, A C 1"),
    "scores": Example("P@3", "q1 A 1, q1 B 1", "q1 A 1, q1 B 0, q1 C -1"),
    "rel": Example("P@3", GRADES, ABC, values=(1, 2, 3)),
    "negative_grade": Example("nDCG@3", "q1 A -1, q1 B 2, q1 C 1", ABC),
    "pool": Example("R@3", "q1 A 1, q1 B 1, q1 C 1", "q1 A 2, q1 B 1"),
    "denominator": Example("P@5", "q1 A 1, q1 B 0", ABC),
    "recall": Example("R@2", "q1 A 1, q1 B 1, q1 C 1", ABC),
    "target": Example("RR", "q1 B 1, q1 C 2", ABC),
    "gain": Example("nDCG@3", GRADES, ABC, base="rel:2"),
    "discount": Example("DCG@3", GRADES, ABC, values=DISCOUNTS),
    "ideal_depth": Example("nDCG@2", "q1 A 1, q1 B 1, q1 C 1", "q1 A 1"),
    "ideal_pool": Example("nDCG@3", GRADES, "q1 A 2, q1 B 1"),
    "ap": Example("AP@2", "q1 A 1, q1 B 1, q1 C 1", "q1 A 1"),
    "recall_count": Example("IPrec@0.6", "q1 A 1, q1 B 0, q1 C 1", ABC),
    "missing": Example("P@1", "q1 A 1, q2 B 1, q3 C 0", "q1 A 1", base="no_relevant:skip"),
    "empty": Example("P@1", "q1 A 1, q2 B 1", "q1 A 1", empty=("q2",)),
    "no_relevant": Example("P@1", "q1 A 1, q2 B 0", "q1 A 1, q2 B 1"),
    "no_relevant_empty": Example("P@1", "q1 A 1, q2 B 0", "q1 A 1"),
    "none_found": Example("P@2", "q1 A 1, q2 B 1", "q1 A 1, q2 C 1"),
    "short_list": Example("P@2", "q1 A 1, q1 B 1, q2 C 1", "q1 A 2, q1 B 1, q2 C 1"),
    "negative": Example("P@1", "q1 A 1, q1 B 1", "q1 A 2, q1 C 1", negative=("q2",)),
    "extra": Example("P@1", "q1 A 1", "q1 A 1, q2 B 2, q2 C 1"),
    "over": Example("P@1", "q1 A 1, q2 B 1, q3 C 0", "q1 A 1, q3 C 1", base="missing:skip"),
    "mean": Example("R", "q1 A 1, q2 B 1, q2 C 1", "q1 A 1, q2 B 1"),
    "round": Example("P@3", "q1 A 1", ABC, values=(None, 4, 2)),
    "mean_round": Example("P@3", "q1 A 1", ABC, values=(None, 4, 2)),
}
"""One example an axis."""


def _rows(text: str) -> list[list[str]]:
    return [row.split() for row in text.split(",")]


def page_links() -> str:
    """A list of the pages, for the map."""
    lines = [f"- [{axis}](atlas/{axis}.md): {title_of(axis)}" for axis in axes()]
    return "\n".join(lines)


def overview() -> str:
    """All axes, then all profiles with what differs from the default."""
    listed = [(f"[{axis}]({axis}.md)", stage_of(axis), title_of(axis)) for axis in axes()]
    rows = [
        (
            f"[{name}](../reference/profiles.md#{anchor(name)})",
            each.tool,
            each.version,
            each.setting,
            _differing(each) or "none",
        )
        for name, each in profiles().items()
    ]
    return (
        f"## Axes\n\n{table(('axis', 'stage', 'about'), listed)}\n\n"
        f"## Profiles\n\n{len(rows)} profiles. An axis followed by measures differs for these only.\n\n"
        + table(("profile", "tool", "version", "setting", "axes that differ from the default"), rows)
    )


def _differing(profile: Profile) -> str:
    general = profile.convention.changed()
    special: dict[str, list[str]] = {}
    for form, changes in profile.measures.items():
        for axis, value in changes.items():
            if axis not in general and value != getattr(DEFAULT, axis):
                special.setdefault(axis, []).append(f"{form}k" if form.endswith("@") else form)
    return ", ".join(
        f"[{axis}]({axis}.md)" + (f" ({', '.join(special[axis])})" if axis in special else "")
        for axis in axes()
        if axis in general or axis in special
    )


def axis_page(axis: str) -> str:
    """What stands below the title of an axis's page."""
    readers = [name for name, family in FAMILIES.items() if axis in family.reads]
    every = len(readers) == len(FAMILIES)
    linked = "every measure" if every else ", ".join(_measure_link(name) for name in readers)
    default = value_text(getattr(DEFAULT, axis))
    parts = [f"{title_of(axis)} The default is `{default}`.", f"Read by {linked}."]
    if values_of(axis):
        meanings = [(f"`{each}`", str(each.__doc__)) for each in values_of(axis)]
        parts += ["## Values", table(("value", "meaning"), meanings)]
    parts += ["## Example", _example(axis), "## Tools on each side"]
    sides = [
        (value if value == NO_MATTER else f"`{value}`", ", ".join(names))
        for value, names in _sides(axis).items()
    ]
    parts.append(
        "Profiles whose measures read the axis; where a profile has several values, the measures of each."
    )
    parts.append(table(("value", "profiles"), sides))
    return "\n\n".join(parts)


def _measure_link(name: str) -> str:
    return f"[{name}](../reference/measures.md#{name.lower()})"


def _example(axis: str) -> str:
    """The data, and what each value makes of them.

    Raises:
        ValueError: No two values give different numbers.
    """
    shown, alignment = EXAMPLES[axis], EXAMPLES[axis].alignment()
    measure, base = parse_measure(shown.measure), Convention.parse(shown.base)
    queries = list(
        dict.fromkeys(
            [row[0] for row in [*_rows(shown.judged), *_rows(shown.results)]]
            + [*shown.empty, *shown.negative]
        )
    )
    rows, means = [], set()
    for value in shown.values or values_of(axis):
        cells, mean = _computed(alignment, measure, base.replace(**{axis: value}), queries)
        rows.append((f"`{value_text(value)}`", *cells))
        means |= {mean} - {None}
    if len(means) < 2:
        raise ValueError(f"the example of {axis} does not show two different numbers")
    data = [f"judged:   {query} {doc} has grade {grade}" for query, doc, grade in _rows(shown.judged)] + [
        f"returned: {query} {doc} with score {score}" + (f" and rank {rank[0]}" if rank else "")
        for query, doc, score, *rank in _rows(shown.results)
    ]
    data += [f"asked:    {query} found nothing" for query in shown.empty]
    data += [f"declared: {query} has no answer" for query in shown.negative]
    listed = "\n".join(data)
    said = f", with `{shown.base}`" if shown.base else ""
    return f"```text\n{listed}\n```\n\n{shown.measure}{said}:\n\n" + table((axis, *queries, "mean"), rows)


def _computed(
    alignment: Alignment, measure: Measure, convention: Convention, queries: list[str]
) -> tuple[list[str], float | None]:
    try:
        scores = score_measure(alignment, measure, Profile(convention=convention))
    except TreconcileError as error:
        text = str(error).splitlines()[0]
        return [*["refused"] * len(queries), f"refused: {text}"], None
    cells = []
    for query in queries:
        if query in scores.values:
            value, spelled = scores.values[query], arithmetic(alignment, measure, scores.convention, query)
            shown = "undefined" if value is None else f"{value:.6g}"
            cells.append(f"{spelled} = {shown}" if spelled and "/" in spelled else shown)
        else:
            cells.append("fails" if query in scores.failed else "no value")
    mean = scores.mean
    cells.append(f"{mean:.6g}" if mean is not None else "undefined" if scores.values else "none")
    return cells, mean


def _sides(axis: str) -> dict[str, list[str]]:
    """The profiles that have each value, those of the axis first and in its order."""
    sides: dict[str, list[str]] = {value_text(value): [] for value in values_of(axis)}
    for name, profile in profiles().items():
        found = _held(profile, axis)
        for value, measures in found.items():
            label = f" ({', '.join(measures)})" if len(found) > 1 else ""
            sides.setdefault(value, []).append(name + label)
    return {value: names or ["none"] for value, names in sides.items()}


def _held(profile: Profile, axis: str) -> dict[str, list[str]]:
    """Each value of an axis that a profile has, with the measures that have it."""
    found: dict[str, list[str]] = {}
    for text, measure, convention in _measures(profile):
        if axis in measure.reads:
            held = found.setdefault(_value(convention, axis), [])
            if text not in held:
                held.append(text)
    listed = {measure.name for _, measure, _ in _measures(profile)}
    readers = {name for name, family in FAMILIES.items() if axis in family.reads}
    if (profile.others or not profile.names) and readers - listed:
        found.setdefault(_value(profile.convention, axis), []).append(REST)
        for form, changes in profile.measures.items():
            if axis in changes:
                shown = f"{form}k" if form.endswith("@") else form
                held = found.setdefault(value_text(changes[axis]), [])
                if shown not in held:
                    held.append(shown)
    return found


def _value(convention: Convention, axis: str) -> str:
    return NO_MATTER if convention.order in UNREAD.get(axis, ()) else value_text(getattr(convention, axis))


_MEASURES: dict[str, list[tuple[str, Measure, Convention]]] = {}


def _measures(profile: Profile) -> list[tuple[str, Measure, Convention]]:
    """The measures that a tool lists, each under the convention that it is computed with."""
    if profile.name not in _MEASURES:
        rows = []
        for text in profile.names.values():
            spelled = re.sub(r"\{\w+\}", "10", text)
            measure = parse_measure(spelled)
            cutoff = 10 if profile.caller_cuts else measure.cutoff
            own = profile.for_measure(measure.name, cutoff, measure.overrides)
            rows.append((re.sub(r"\{(\w+)\}", r"\1", text), measure, measure.under(own)))
        _MEASURES[profile.name] = rows
    return _MEASURES[profile.name]
