"""Which mapping an input is read with: the user's own, one asked for by name, or the one it fits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from treconcile.errors import FormatError, Notice, UsageError, did_you_mean
from treconcile.files.limits import DEFAULT_LIMITS, Limits
from treconcile.formats.named.catalogue import FORMATS
from treconcile.formats.named.data_sets import is_data_set
from treconcile.formats.systems.mapping.drawn import drawn, unread
from treconcile.formats.systems.mapping.id_choice import said_of_ids
from treconcile.formats.systems.mapping.presets import (
    DRAWN,
    Preset,
    Variant,
    preset,
    preset_names,
    read_preset,
)
from treconcile.formats.systems.mapping.readers import PythonValue, Source, shown_source
from treconcile.formats.systems.mapping.recognise import beginning, fitting, reading, the_one

AUTO = "auto"
ALIASES = {
    "json-records": ("results", "texts"),
    "json-lists": ("dict", "texts"),
    "json-dict": ("dict", "texts"),
}
"""The presets that names of JSON forms stand for: of results and judgments, and of texts."""

_KINDS = {"run": "runs", "qrels": "judgments", "queries": "queries", "corpus": "documents"}


@dataclass(frozen=True)
class Chosen:
    """A mapping, and what is to be said of the choice."""

    variant: Variant
    notices: tuple[Notice, ...] = ()

    @property
    def why_refused(self) -> str:
        """What looks almost like the preset, and why that is refused; empty for a user's own mapping."""
        return preset(self.variant.preset).why_refused if self.variant.preset in preset_names() else ""


def chosen(
    source: Source,
    kind: str,
    name: str | None = None,
    path: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    columns: Mapping[str, str] | None = None,
) -> Chosen | None:
    """The mapping to read an input with; None if the package has a reader of its own for it.

    Args:
        source: The input.
        kind: `run`, `qrels`, `queries` or `corpus`.
        name: A preset, perhaps with its variant after a dot, `auto`, or a format that needs no mapping.
        path: The user's own mapping.
        limits: What is believed of the input.
        columns: What columns or keys hold, by part: `{"qid": "topic"}`.

    Raises:
        FormatError: Several presets fit, or none of the variants of the one that is asked for.
        UsageError: There is no such preset, or it is of another kind.
    """
    if is_data_set(source) and name in (None, AUTO) and path is None:
        return None
    if columns is not None:
        return _by_columns(source, kind, columns, limits)
    if path is not None:
        if name is not None:
            raise UsageError("--from and --map both say what the input is", hint="give one of them")
        return Chosen(_variant(source, kind, read_preset(path), None, limits))
    if name is None or name == AUTO:
        return one_of(source, recognised(source, kind, limits))
    if name in ALIASES:
        name = (
            ALIASES[name][kind in ("queries", "corpus")]
            if name != "json-records" or kind != "qrels"
            else "tutorial"
        )
    elif name in {each.name for each in FORMATS if each.kind == kind}:
        return None
    variant = _named(source, kind, name, limits)
    return Chosen(variant, _ids(source, variant))


def _by_columns(source: Source, kind: str, columns: Mapping[str, str], limits: Limits) -> Chosen:
    variant = drawn(source, kind, limits, columns)
    if variant is None:
        raise unread(source, kind, limits, columns) or FormatError(
            "there are no columns or keys in it", where=shown_source(source)
        )
    return Chosen(variant)


def recognised(source: Source, kind: str, limits: Limits = DEFAULT_LIMITS) -> list[Variant]:
    """The variants of presets that an input fits, of each preset the first.

    Args:
        source: The input.
        kind: `run`, `qrels`, `queries` or `corpus`.
        limits: What is believed of the input.
    """
    known = [preset(name) for name in preset_names()]
    variants = [each for one in known for each in one.of_kind(kind) if each.auto]
    found = fitting(source, variants, limits)
    if found:
        return found
    by_names = drawn(source, kind, limits)
    return [by_names] if by_names else []


def one_of(source: Source, found: list[Variant]) -> Chosen | None:
    """The only variant that an input fits; None if there is none, or if the package reads it by itself.

    Raises:
        FormatError: Several fit.
    """
    variant = the_one(source, found)
    if variant is None or variant.trec:
        return None
    said = _ignored(source, variant)
    if variant.preset == DRAWN:
        return Chosen(variant, (_by_names(source, variant), *said))
    if variant.native:
        return Chosen(variant, said)
    others = [f"--from {each.label}" for each in _read_otherwise(source, variant)]
    title = preset(variant.preset).title
    return Chosen(
        variant,
        (
            Notice(
                "recognised",
                f"taken for {variant.label}: {title}",
                shown_source(source),
                f"it would fit {' and '.join(others)} as well, and mean something else" if others else None,
                level="note",
            ),
            *said,
        ),
    )


def _by_names(source: Source, variant: Variant) -> Notice:
    parts = [
        part for part in ("qid", "hits", "docid", "score", "rank", "rel", "text") if part in variant.fields
    ]
    named = ", ".join(f"{part} {str(variant.fields[part]).strip('`')}" for part in parts)
    message, hint = (
        f"read by the names of its columns or keys: {named}",
        "--columns or --map says it otherwise",
    )
    return Notice("columns", message, shown_source(source), hint, level="note")


def _ignored(source: Source, variant: Variant) -> tuple[Notice, ...]:
    return (*_ids(source, variant), *_numbers(source, variant))


def _ids(source: Source, variant: Variant) -> tuple[Notice, ...]:
    said = said_of_ids(variant.ids, variant.fields, variant.preset, shown_source(source))
    return (said,) if said else ()


def _numbers(source: Source, variant: Variant) -> tuple[Notice, ...]:
    if not variant.others:
        return ()
    counts = "the scores count" if variant.mapping.score is not None else "the order counts"
    named = ", ".join(variant.others)
    message = f"hits have a number that is not read and is against their order ({named}); {counts}"
    hint = "if it is what ranks them: copy the mapping (--show-map), and write its name as score"
    return (Notice("other-scores", message, shown_source(source), hint),)


def _read_otherwise(source: Source, variant: Variant) -> list[Variant]:
    """The variants that are asked for by name only, which the input fits too, and which read it otherwise."""
    known = [each for name in preset_names() for each in preset(name).of_kind(variant.mapping.kind)]
    found = fitting(source, [each for each in known if not each.auto])
    return [each for each in found if reading(each) != reading(variant)]


def _named(source: Source, kind: str, name: str, limits: Limits) -> Variant:
    base, _, part = name.partition(".")
    if base not in preset_names():
        known = [*(each.name for each in FORMATS if each.kind == kind), *preset_names(), AUTO]
        hint = did_you_mean(name, known, "treconcile list formats shows them all")
        raise UsageError(f"there is no format {name!r} of {kind}", hint=hint)
    return _variant(source, kind, preset(base), part or None, limits)


def _variant(source: Source, kind: str, given: Preset, part: str | None, limits: Limits) -> Variant:
    variants = given.of_kind(kind)
    if not variants:
        other = next(each for each in given.variants).mapping.kind
        raise UsageError(
            f"{given.name} gives {_KINDS[other]}, not {_KINDS[kind]}", hint=f"treconcile convert {other}"
        )
    if part is not None:
        variants = tuple(each for each in variants if each.mapping.name == part)
        if not variants:
            known = [str(each.mapping.name) for each in given.of_kind(kind)]
            raise UsageError(
                f"{given.name} has no variant {part!r}", hint=did_you_mean(part, known, ", ".join(known))
            )
    found: list[Variant] = []
    if variants[0].recognition.levels:
        found = fitting(source, variants, limits) or beginning(source, variants, limits)
    if part is not None and not found:
        return variants[0]
    if (
        found
        or len(variants) > 1
        or (variants[0].recognition.levels and variants[0].mapping.flat and not _is_folder(source))
    ):
        return _one(source, given, found, variants)
    return variants[0]


def _is_folder(source: Source) -> bool:
    return not isinstance(source, PythonValue) and Path(source).is_dir()


def _one(source: Source, given: Preset, found: list[Variant], variants: tuple[Variant, ...]) -> Variant:
    names = ", ".join(each.label for each in variants)
    if not found:
        hint = f"it has the variants {names}" + (f". {given.why_refused}" if given.why_refused else "")
        raise FormatError(f"this does not look like {given.name}", where=shown_source(source), hint=hint)
    return found[0]
