"""Which id names a document, where its hits have one of the user's and one of the system's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from treconcile.errors import Notice
from treconcile.formats.systems.mapping.compiled import compile_expression
from treconcile.formats.systems.mapping.names import OWN_IDS

_HITS = 20


def ids_in(lists: Iterable[Sequence[object]], fields: Mapping[str, object]) -> tuple[str, ...]:
    """The names of the ids that hits have: the one that is taken first; empty where they have one id only.

    Args:
        lists: The hits of some queries.
        fields: The keys and values of the mapping that reads them.
    """
    named = [(name, compile_expression(name)) for name in _choices(fields)]
    if len(named) < 2:
        return ()
    found: dict[str, None] = {}
    for hits in islice(lists, _HITS):
        for hit in hits[:_HITS]:
            values = [(name, path.get(hit)) for name, path in named]
            present = [(name, value) for name, value in values if value not in (None, "")]
            if any(str(value) != str(present[0][1]) for _, value in present[1:]):
                taken = present[0]
                found.setdefault(taken[0])
                found |= dict.fromkeys(name for name, value in present if str(value) != str(taken[1]))
    return tuple(found)


def _choices(fields: Mapping[str, object]) -> list[str]:
    """The names of ids, in the order in which they count."""
    own, system = fields.get("own"), str(fields.get("docid", "")).split("||")
    paths = str(own or "").strip("()").split(" || ")
    users = [name if own in ("@", "@value") else f"{path}.{name}" for path in paths for name in OWN_IDS]
    plain = [each.strip(" ()").rpartition("&&")[2].strip() for each in system]
    return [*(users if own else []), *(each for each in plain if each and not each.startswith("@"))]


def said_of_ids(
    names: Sequence[str], fields: Mapping[str, object], preset: str, source: str
) -> Notice | None:
    """That of several ids one was taken, and how another one is; None where there is one."""
    if not names:
        return None
    taken, *others = names
    without = ", without own" if fields.get("own") else ""
    hint = (
        f"if it should be {others[0]}: copy the mapping (--show-map {preset}), and write docid: {others[0]}"
        f"{without}"
    )
    message = f"several ids stand beside documents: {taken} is taken, and not {' or '.join(others)}"
    return Notice("ids", message, source, hint, "note")
