"""What fits an input: a variant with the mapping of the whole of it, and what was seen of its hits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from treconcile.formats.systems.mapping.composed import composed
from treconcile.formats.systems.mapping.document import MappingText
from treconcile.formats.systems.mapping.id_choice import ids_in
from treconcile.formats.systems.mapping.key_values import EXPRESSIONS
from treconcile.formats.systems.mapping.language import Mapping, mapping_of
from treconcile.formats.systems.mapping.names import RANKS, SCORES
from treconcile.formats.systems.mapping.presets import Variant
from treconcile.formats.systems.mapping.sight import Fields
from treconcile.formats.systems.mapping.wrappings import Wrapping

_NAMES = re.compile(r"[A-Za-z_]\w*", re.ASCII)
Fit = Literal["no", "possible", "shown"]
"""Whether an input fits: by its hits as well (`shown`), or it has none that could show otherwise."""


@dataclass(frozen=True)
class Match:
    """A variant that an input fits, with what is around its answers.

    Attributes:
        variant: The variant, with the mapping of the whole input.
        fit: Whether its hits show it.
        keys: How many keys its rules name and find.
        size: How much there is around the answers.
    """

    variant: Variant
    fit: Fit
    keys: int
    size: int

    @property
    def choice(self) -> tuple[bool, bool, int, int]:
        """Which one of a preset is meant, that one last."""
        return self.fit == "shown", not self.variant.lenient, -self.size, self.keys

    @property
    def weight(self) -> tuple[bool, bool, bool, int]:
        """How much it says, the most specific last."""
        return self.fit == "shown", not self.variant.generic, not self.variant.lenient, self.keys


def composed_variant(variant: Variant, fields: Fields, wrapping: Wrapping) -> Variant:
    """A variant with the mapping of the whole input."""
    made = composed(variant.fields, wrapping)
    used = " ".join(str(made[key]) for key in (*EXPRESSIONS, "zip_hits") if key in made)
    cells = [each for each in _listed(fields.get("parse_json")) if str(each).strip('"') in used]
    parsed = [*_listed(made.get("parse_json")), *cells]
    made |= {key: value for key, value in fields.items() if key != "parse_json"}
    if parsed:
        made["parse_json"] = parsed
    named = wrapping.named or wrapping.by_id or wrapping.rows
    mapping = mapping_of(MappingText(made, variant.label, {}))
    return replace(variant, mapping=mapping, fields=made, named=named)


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [] if value is None else [value]


def noted(variant: Variant, hits: Sequence[Sequence[object]], mapping: Mapping) -> Variant:
    """A variant with what was seen of its hits."""
    return replace(variant, others=other_scores(hits, mapping), ids=ids_in(hits, variant.fields))


def other_scores(lists: Sequence[Sequence[object]], mapping: Mapping) -> tuple[str, ...]:
    """Numbers of hits that are called as scores or ranks are, are not read, and contradict the order.

    Only the beginning of an input is looked at, as to recognise it: a system sends the same fields in every
    response, and to look at those that nothing reads would cost as much again as reading the others.
    """
    if mapping.kind != "run":
        return ()
    # Where there are scores, ranks are not read.
    scored = mapping.score is not None and any(
        each is not None for hits in lists for each in mapping.score.each(hits)
    )
    read = set(_NAMES.findall(mapping.texts.get("score" if scored else "rank", "")))
    if not scored:
        read |= set(_NAMES.findall(mapping.texts.get("score", "")))
    found: dict[str, None] = {}
    for hits in lists:
        objects = [hit for hit in hits if isinstance(hit, dict)]
        if len(objects) < len(hits) or len(hits) < 2:
            continue
        for name in (SCORES | set(RANKS)) & set(objects[0]) - read:
            values = [hit.get(name) for hit in objects]
            if not all(isinstance(each, (int, float)) and not isinstance(each, bool) for each in values):
                continue
            lower = name in RANKS or "dist" in name
            if any((after < before) if lower else (after > before) for before, after in pairwise(values)):  # type: ignore[operator]
                found[name] = None
    return tuple(found)
