"""Which mapping an input fits, told by its structure and never by its name.

Two questions: how are the answers wrapped, and what is one answer? Each way of wrapping that the input may
have is compared with each answer that a preset describes. Several fit as a rule, and the one that says most
counts: a preset of a system before a general form, of two the one that names more keys, of one preset the
simplest wrapping.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from treconcile.errors import FormatError
from treconcile.files.limits import DEFAULT_LIMITS, Limits
from treconcile.formats.systems.mapping.composed import is_whole
from treconcile.formats.systems.mapping.fits import matches_of
from treconcile.formats.systems.mapping.key_values import TABLES
from treconcile.formats.systems.mapping.language import NOTES
from treconcile.formats.systems.mapping.matches import Match, composed_variant
from treconcile.formats.systems.mapping.presets import Variant
from treconcile.formats.systems.mapping.readers import Source, shown_source
from treconcile.formats.systems.mapping.sight import Sight, sight_of
from treconcile.formats.systems.mapping.wrappings import Wrapping


def fitting(source: Source, variants: Iterable[Variant], limits: Limits = DEFAULT_LIMITS) -> list[Variant]:
    """The variants that the beginning of an input fits best; several only if they read it differently."""
    return [each.variant for each in matching(source, variants, limits)]


def matching(source: Source, variants: Iterable[Variant], limits: Limits = DEFAULT_LIMITS) -> list[Match]:
    """As `fitting`, with what was seen."""
    return best(matches(sight_of(source, limits), list(variants)))


def beginning(source: Source, variants: Iterable[Variant], limits: Limits = DEFAULT_LIMITS) -> list[Variant]:
    """The variants that the first record of an input fits, whatever is wrong with others."""
    sight = sight_of(source, limits)
    answers = [each for each in variants if not is_whole(each.fields)]
    return [each.variant for each in best([one for each in answers for one in matches_of(sight, each, 1)])]


def matches(sight: Sight, variants: Sequence[Variant]) -> list[Match]:
    """Every variant that an input fits, with its simplest wrapping."""
    found = []
    for variant in variants:
        if variant.recognition.levels:
            found += matches_of(sight, variant)
    return found or _broken(sight, variants) or _nothing(sight, variants)


def _broken(sight: Sight, variants: Sequence[Variant]) -> list[Match]:
    """The package's own forms that the first record fits: what is wrong with another one can be said."""
    own = [each for each in variants if each.native]
    found = [match for variant in own for match in matches_of(sight, variant, 1)]
    # A row of a table is no object of documents and scores, even if all of its cells are numbers.
    return [match for match in found if match.variant.fields.get("reader") not in TABLES]


def _nothing(sight: Sight, variants: Iterable[Variant]) -> list[Match]:
    """The form of an empty list or object: a run without queries."""
    documents = sight.documents
    wanted = {"dict.ranking": [{}], "results.ids": [[]]}
    return [
        Match(composed_variant(each, {}, Wrapping(by_id=documents == [{}])), "possible", 0, 0)
        for each in variants
        if documents and documents == wanted.get(each.label)
    ]


def best(found: Sequence[Match]) -> list[Match]:
    """Of several matches those that say most; of one reading one."""
    if not found:
        return []
    # Of one preset the simplest wrapping is meant, and with it the answer that says most.
    simplest: dict[str, Match] = {}
    for each in found:
        known = simplest.setdefault(each.variant.preset, each)
        if each.choice > known.choice:
            simplest[each.variant.preset] = each
    most = max(each.weight for each in simplest.values())
    top = [each for each in simplest.values() if each.weight == most]
    kept = {each.variant.preset: each for each in top}
    alike: list[Match] = []
    for each in sorted(kept.values(), key=lambda match: match.size):
        if not any(reading(each.variant) == reading(other.variant) for other in alike):
            alike.append(each)
    if all(each.variant.native for each in alike):
        # Of the package's own forms it does not matter which one is named.
        alike = alike[:1]
    least = min(each.size for each in alike)
    return sorted((each for each in alike if each.size == least), key=lambda match: match.variant.label)


def reading(variant: Variant) -> dict[str, object]:
    """What a variant reads and how, whatever it is called."""
    return {key: value for key, value in variant.fields.items() if key not in ("name", "folder", *NOTES)}


def the_one(source: Source, found: list[Variant]) -> Variant | None:
    """The only variant that fits; None if there is none.

    Raises:
        FormatError: Several fit.
    """
    if len(found) > 1:
        names = [variant.label for variant in found]
        raise FormatError(
            f"it could be {' or '.join(names)}",
            where=shown_source(source),
            hint=f"say which: {' or '.join(f'--from {name}' for name in names)}",
        )
    return found[0] if found else None
