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
    own = [(each.kind, each.name, each.description) for each in (*FORMATS, DATA_SETS)]
    presets = [(", ".join(kinds(given)), given.name, given.title) for given in map(preset, preset_names())]
    return Page(Table(("kind", "name", "description"), [*own, *presets]))


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
    if name in {each.kind for each in FORMATS}:
        rows = [row for row in formats_page().table.rows if name in str(row[0]).split(", ")]
        return Page(Table(("kind", "name", "description"), rows))
    found = [each for each in FORMATS if name == each.name]
    if not found:
        known = {name for each in FORMATS for name in (each.name, each.kind)}
        hint = did_you_mean(name, {*known, *preset_names(), DATA_SETS.name}, "see `treconcile list formats`")
        raise UsageError(f"there is no format {name!r}", hint=hint)
    described = [(each.kind, each.name, each.description, each.example) for each in found]
    return Page(Table(("kind", "name", "description", "example"), described))


def _preset(given: Preset, name: str) -> Page:
    variants = [each for each in given.variants if name in (given.name, each.label)]
    if not variants:
        labels = [each.label for each in given.variants]
        hint = did_you_mean(name, labels, "its variants are " + ", ".join(labels))
        raise UsageError(f"there is no format {name!r}", hint=hint)
    shown = {
        "name": given.name,
        "title": given.title,
        "source": given.source,
        "note": given.note,
        "refused": given.why_refused,
        "mapping": f"treconcile convert --show-map {given.name}",
    }
    rows = [(each.mapping.kind, each.label, needs(each), _sample(each)) for each in variants]
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
