"""Mapping files: those of the package by name, and a user's own.

A file holds one mapping, or under `variants` several of one system: then each has a name, and what stands
beside `variants` says what they have in common.
"""

from __future__ import annotations

from collections.abc import Mapping as MappingType
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from treconcile.errors import FormatError, UsageError, did_you_mean
from treconcile.files.text_files import read_text
from treconcile.formats.systems.mapping.composed import composed
from treconcile.formats.systems.mapping.document import MappingText, parse_mapping
from treconcile.formats.systems.mapping.language import Mapping, mapping_of
from treconcile.formats.systems.mapping.rules import Recognition, recognition_of
from treconcile.formats.systems.mapping.wrappings import Wrapping

ENDING = ".yaml"
DRAWN = "columns"
"""What a mapping is called that was drawn up from the names of columns or keys."""


@dataclass(frozen=True)
class Variant:
    """One mapping of a file.

    Attributes:
        preset: The name of the file.
        mapping: What is where.
        recognition: How an input of this form is recognised.
        sample: A whole small input of this form; empty where there is none.
        generic: It is a form that no system has alone: it counts only where nothing else fits.
        lenient: It says so little that it counts only where no other form does, to say what is wrong.
        native: It is a form of the package's own, of which nothing has to be said.
        trec: It is a TREC file, for which there is a reader of its own.
        auto: Whether it is recognised among all presets, or only among those of its own file.
        named: Whether the input was seen to tell the ids of its queries.
        others: Numbers of its hits that are called as scores are, are not read, and contradict their order.
        ids: The names of the ids that its hits have, where there are several: the one that is taken first.
        fields: Its keys and values as they are written, with those that the file says of all its variants.
    """

    preset: str
    mapping: Mapping
    recognition: Recognition
    sample: str
    generic: bool = False
    lenient: bool = False
    native: bool = False
    trec: bool = False
    auto: bool = True
    named: bool = True
    others: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    fields: MappingType[str, object] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """How it is asked for: `elasticsearch`, or with its own name `elasticsearch.msearch`."""
        return f"{self.preset}.{self.mapping.name}" if self.mapping.name else self.preset


@dataclass(frozen=True)
class Preset:
    """A file of mappings.

    Attributes:
        name: Its name, without ending.
        title: What it is for.
        source: Where the format is documented.
        why_refused: What looks almost like it, and why that is refused.
        near_miss: A whole small input that looks almost like it and is refused.
        note: What else a user has to know.
        variants: The mappings.
        text: The file as it is.
    """

    name: str
    title: str
    source: str
    why_refused: str
    near_miss: str
    note: str
    variants: tuple[Variant, ...]
    text: str

    def of_kind(self, kind: str) -> tuple[Variant, ...]:
        """The variants that give runs, or judgments."""
        return tuple(each for each in self.variants if each.mapping.kind == kind)


@cache
def preset_names() -> tuple[str, ...]:
    """The names of the package's mappings, in order."""
    folder = files("treconcile.formats.systems") / "presets"
    return tuple(
        sorted(each.name.removesuffix(ENDING) for each in folder.iterdir() if each.name.endswith(ENDING))
    )


@cache
def preset(name: str) -> Preset:
    """The package's mapping of that name.

    Raises:
        UsageError: There is none.
    """
    known = preset_names()
    if name not in known:
        raise UsageError(
            f"there is no mapping {name!r}", hint=did_you_mean(name, known, "they are " + ", ".join(known))
        )
    text = (files("treconcile.formats.systems") / "presets" / f"{name}{ENDING}").read_text("utf-8")
    return _preset(name, parse_mapping(text, f"{name}{ENDING}", trusted=True), text)


def read_preset(path: str) -> Preset:
    """The mapping of a user's file.

    Raises:
        InputError: It cannot be read, or is no mapping.
    """
    text, file, _ = read_text(path)
    return _preset(file.name, parse_mapping(text, file.name), text, answers=False)


_ABOUT = ("title", "source", "why_refused", "near_miss", "note", "variants")


def _preset(name: str, document: MappingText, text: str, *, answers: bool = True) -> Preset:
    about = {key: document.fields.get(key, "") for key in _ABOUT}
    return Preset(
        name,
        str(about["title"]),
        str(about["source"]),
        str(about["why_refused"]),
        str(about["near_miss"]),
        str(about["note"]),
        tuple(_variant(name, each, answer=answers) for each in _parts(document)),
        text,
    )


def _parts(document: MappingText) -> list[MappingText]:
    if "variants" not in document.fields:
        return [document]
    common = {key: value for key, value in document.fields.items() if key not in _ABOUT}
    variants = document.fields["variants"]
    if not isinstance(variants, list) or not variants or not all(isinstance(each, dict) for each in variants):
        raise FormatError("key 'variants': it has to be a list of mappings", where=document.where("variants"))
    return [_part(document, {**common, **each}, at) for at, each in enumerate(variants, start=1)]


def _part(document: MappingText, fields: dict[str, object], at: int) -> MappingText:
    if "name" not in fields:
        raise FormatError(f"key 'variants': the mapping {at} has no name", where=document.where("variants"))
    return MappingText(fields, f"{document.where('variants')}, {fields['name']}", {})


def _variant(name: str, text: MappingText, *, answer: bool) -> Variant:
    sample = text.fields.get("sample", "")
    given = MappingText(composed(text.fields, Wrapping()), text.source, text.lines) if answer else text
    return Variant(
        name,
        mapping_of(given),
        recognition_of(text),
        sample if isinstance(sample, str) else "",
        generic=text.fields.get("generic") is True,
        lenient=text.fields.get("lenient") is True,
        native=text.fields.get("native") is True,
        trec=text.fields.get("trec") is True,
        auto=text.fields.get("auto") is not False,
        fields=text.fields,
    )
