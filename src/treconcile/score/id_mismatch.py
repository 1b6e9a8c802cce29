"""Judgments and runs whose ids do not match."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from treconcile.errors import MismatchError, shown_id

if TYPE_CHECKING:
    from treconcile.align import Alignment
    from treconcile.model import Judgments, Run


MATCHING = 0.3
"""The share of the ids of the smaller side that have to match after a change."""

Change: TypeAlias = Callable[[str], str]


def _unpadded(text: str) -> str:
    return re.sub(r"(?<![0-9])0+(?=[0-9])", "", text)


def _without_ending(text: str) -> str:
    return text.rpartition(".")[0]


def _without_letters(text: str) -> str:
    return text.lstrip("qQ_-")


def _without_prefix(text: str) -> str:
    return re.sub(r"^[^\W\d]+[-_:/]*(?=.)", "", text)


def _last_part(text: str) -> str:
    return text.rstrip("/").rpartition("/")[2] if "/" in text else ""


def _last_name(text: str) -> str:
    return text.rpartition(":")[2] if ":" in text else ""


def _address(text: str) -> str:
    return re.sub(r"^(https?:)?//(www\.)?|[/?#]+$", "", text.casefold())


def _spaceless(text: str) -> str:
    return re.sub(r"[\s\u200b\ufeff]+", "", unicodedata.normalize("NFKC", text))


_ONE_SIDE: dict[str, Change] = {
    "a suffix": _without_ending,
    "a prefix": _without_prefix,
    "a path or an address before them": _last_part,
    "a name and a colon before them": _last_name,
}
CHANGES: dict[str, tuple[Change, Change]] = {
    "the ids differ in upper and lower case": (str.casefold, str.casefold),
    "the ids differ by leading zeros": (_unpadded, _unpadded),
    **{
        f"the run's ids lack {what} that the judged ids have": (change, str)
        for what, change in _ONE_SIDE.items()
    },
    **{
        f"the judged ids lack {what} that the run's ids have": (str, change)
        for what, change in _ONE_SIDE.items()
    },
    "the ids differ by a prefix of letters": (_without_letters, _without_letters),
    "the ids are addresses that differ in how they begin or end": (_address, _address),
    "the ids differ in white space, or in how their letters are composed": (_spaceless, _spaceless),
}
"""Possible differences of ids: a change of the judged ids and one of the run's that make them equal."""


def refuse_disjoint_ids(judgments: Judgments, run: Run, alignment: Alignment) -> None:
    """Refuse judgments and a run that have no query in common.

    Raises:
        MismatchError: They have none, though both have queries.
    """
    known = {*judgments.queries, *judgments.negative}
    shared = any(query in known for query in (*run.queries, *run.empty))
    if shared or not (run.queries or run.empty):
        return
    judged, ran = judgments.queries, run.queries or run.empty
    raise MismatchError(
        f"the run shares none of its {len(ran)} queries with the {len(judged)} judged ones: "
        f"judged are {_first_ids(judged)}; the run has {_first_ids(ran)}",
        where=run.source,
        hint=why_apart(judged, ran)
        or "were the qrels and the run swapped, or are they of different test collections?",
    )


def _first_ids(ids: Sequence[str]) -> str:
    return ", ".join(repr(shown_id(name)) for name in ids[:3]) + (", …" if len(ids) > 3 else "")


def why_apart(judged: Iterable[str], ran: Iterable[str]) -> str | None:
    """A change after which most ids of the run are judged, in words; None if there is none.

    Args:
        judged: The ids of the judgments, queries or documents.
        ran: The ids of the run.
    """
    judged, ran = set(judged), set(ran)
    for explanation, (of_judged, of_run) in CHANGES.items():
        known = {of_judged(name) for name in judged} - {""}
        matching = sum(of_run(name) in known for name in ran)
        if matching >= max(1, MATCHING * min(len(ran), len(judged))):
            return f"{explanation}: make them equal"
    return None
