"""The pages of the presets, made from the mappings: each variant before and after, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from _check.generated import plain, table
from _check.mapping import GROUPS
from _check.preset_examples import BINARY, FILES, Example, before_and_after, refused
from treconcile.formats.systems.mapping.presets import Preset, Variant, preset, preset_names
from treconcile.rendering.presets import facts, kinds, needs

FOLDER = Path(__file__).resolve().parent.parent / "presets"
STUB = """# {name}

[All formats of other systems](index.md) · [how a mapping is written](../reference/mapping.md)

<!-- generated: preset {name} -->
<!-- end -->
"""
"""A page of a preset before anything is generated."""


def code(text: str) -> str:
    """A text as code, whatever is in it; nothing if it is empty."""
    if not text:
        return ""
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    pad = " " if "`" in text else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def missing_pages() -> dict[Path, str]:
    """The pages of presets that have none yet, as they begin."""
    paths = {FOLDER / f"{name}.md": STUB.format(name=name) for name in preset_names()}
    return {path: text for path, text in paths.items() if not path.exists()}


def page_links() -> str:
    """The pages, for the map."""
    return ", ".join(f"[{name}](presets/{name}.md)" for name in preset_names())


def overview() -> str:
    """All presets in a table."""
    rows = [
        (
            f"[{name}]({name}.md)",
            preset(name).title,
            ", ".join(kinds(preset(name))),
            ", ".join(f"`{each.mapping.name}`" for each in preset(name).variants if each.mapping.name),
        )
        for name in preset_names()
    ]
    return table(("name", "what it is", "gives", "variants"), rows)


def files() -> str:
    """The files that examples have beside their input."""
    return "\n\n".join(f"`{name}`:\n\n```text\n{text}```" for name, text in FILES.items())


def preset_page(name: str) -> str:
    """What stands below the title of a preset's page."""
    given = preset(name)
    parts = [f"{plain(given.title)}.", _prose(given.note)]
    if len(given.variants) > 1:
        parts += [_variants(given)]
    parts += [_section(each) for each in given.variants]
    parts += [_refusal(given), f"## Source\n\n{_linked(given.source)}"]
    return "\n\n".join(parts)


def _prose(text: str) -> str:
    return re.sub(r"(?<!\w)--[a-z][a-z-]+", lambda found: code(found[0]), plain(text))


def _variants(given: Preset) -> str:
    rows = [
        (f"[{each.label}](#{_anchor(each.label)})", facts(each)["gives"], _prose(needs(each)))
        for each in given.variants
    ]
    listed = table(("variant", "gives", "has to be given"), rows)
    return (
        f"`--from {given.name}` finds the variant by the structure of the input; "
        f"`--from {given.variants[0].label}` reads only that one.\n\n{listed}"
    )


def _anchor(label: str) -> str:
    return re.sub(r"[^\w\-]", "", label.lower())


def _section(variant: Variant) -> str:
    said = "\n".join(f"- {topic}: {text}" for topic, text in facts(variant, code).items())
    example = before_and_after(variant)
    parts = [f"## {_heading(variant)}", said, "The mapping:", f"```yaml\n{mapping_text(variant)}```"]
    if variant.label in BINARY:
        parts.append(f"Before, `{example.path}`: {variant.sample.strip()}")
    else:
        parts += [f"Before, `{example.path}`:", _block(example.path, variant.sample)]
    parts += [f"After{_beside(example)}:", f"```console\n$ {example.command}\n{example.output.rstrip()}\n```"]
    return "\n\n".join(parts)


def _heading(variant: Variant) -> str:
    return variant.label if variant.mapping.name else "Before and after"


def _refusal(given: Preset) -> str:
    example = refused(given)
    return "\n\n".join(
        (
            "## What is refused",
            _prose(given.why_refused),
            f"This is refused, `{example.path}`:",
            _block(example.path, given.near_miss),
            f"```console\n$ {example.command}\n{example.output.rstrip()}\n```",
        )
    )


def _beside(example: Example) -> str:
    linked = [f"[`{name}`](index.md#the-files-of-the-examples)" for name in example.files]
    return f", with {' and '.join(linked)}" if linked else ""


def _block(path: str, text: str) -> str:
    language = "json" if Path(path).suffix in (".json", ".jsonl") else "text"
    return f"```{language}\n{text.strip()}\n```"


def _linked(source: str) -> str:
    return re.sub(r"https://[^\s,;]+", lambda found: f"<{found[0]}>", source)


def mapping_text(variant: Variant) -> str:
    """The mapping of a variant alone, as a file of a user's own would have it."""
    fields = {key: variant.fields[key] for key in _ORDER if key in variant.fields}
    return yaml.safe_dump(fields, sort_keys=False, allow_unicode=True, width=1000)


_ORDER = tuple(key for group in GROUPS.values() for key in group if key != "name")
"""The keys as one reads an input: records, queries, hits, documents, scores."""
