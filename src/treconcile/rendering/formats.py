"""The formats that can be read, as pages: the package's own, the presets, and collections by their id."""

from __future__ import annotations

from treconcile.errors import UsageError, did_you_mean
from treconcile.formats import FORMATS
from treconcile.formats.named.catalogue import DATA_SETS
from treconcile.formats.named.data_sets import PREFIX
from treconcile.formats.systems.mapping.presets import Preset, Variant, preset, preset_names
from treconcile.rendering.page import Page
from treconcile.rendering.presets import kinds, needs
from treconcile.rendering.table import Table


def formats_page() -> Page:
    """One row a format, and one a preset, however many variants it has."""
    formats = [
        (description.kind, description.name, description.description) for description in (*FORMATS, DATA_SETS)
    ]
    presets = [
        (", ".join(kinds(found_preset)), found_preset.name, found_preset.title)
        for found_preset in map(preset, preset_names())
    ]
    return Page(Table(("kind", "name", "description"), [*formats, *presets]))


def format_page(name: str) -> Page:
    """The formats of a name or of a kind, or a preset or one of its variants.

    Raises:
        UsageError: There is none.
    """
    base = name.partition(".")[0]
    if base in preset_names():
        return _preset(preset(base), name)
    if f"{name}:".startswith(PREFIX):
        return _data_sets()
    if name in {description.kind for description in FORMATS}:
        rows = [row for row in formats_page().table.rows if name in str(row[0]).split(", ")]
        return Page(Table(("kind", "name", "description"), rows))
    matches = [description for description in FORMATS if name == description.name]
    if not matches:
        known = {name for description in FORMATS for name in (description.name, description.kind)}
        hint = did_you_mean(name, {*known, *preset_names(), DATA_SETS.name}, "see `treconcile list formats`")
        raise UsageError(f"there is no format {name!r}", hint=hint)
    described = [
        (description.kind, description.name, description.description, description.example)
        for description in matches
    ]
    return Page(Table(("kind", "name", "description", "example"), described))


def _preset(shown_preset: Preset, name: str) -> Page:
    variants = [variant for variant in shown_preset.variants if name in (shown_preset.name, variant.label)]
    if not variants:
        labels = [variant.label for variant in shown_preset.variants]
        hint = did_you_mean(name, labels, "its variants are " + ", ".join(labels))
        raise UsageError(f"there is no format {name!r}", hint=hint)
    shown = {
        "name": shown_preset.name,
        "title": shown_preset.title,
        "source": shown_preset.source,
        "note": shown_preset.note,
        "refused": shown_preset.why_refused,
        "mapping": f"treconcile convert --show-map {shown_preset.name}",
    }
    rows = [(variant.mapping.kind, variant.label, needs(variant), _sample(variant)) for variant in variants]
    return Page(Table(("kind", "name", "has to be given", "example"), rows), shown, "variants")


def _sample(variant: Variant) -> str:
    """A sample; JSON that was wrapped is one line again."""
    return variant.sample.strip().replace("\n ", " ")


def _data_sets() -> Page:
    shown = {
        "name": DATA_SETS.name,
        "title": DATA_SETS.description,
        "source": "https://ir-datasets.com, which lists the ids",
    }
    rows = [(kind, f"treconcile convert {kind} {DATA_SETS.example}") for kind in DATA_SETS.kind.split(", ")]
    return Page(Table(("kind", "example"), rows), shown, "kinds")
