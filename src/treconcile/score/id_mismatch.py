"""Judgments and runs that do not belong together."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from treconcile.errors import MismatchError, shown_id

if TYPE_CHECKING:
    from treconcile.align import Alignment
    from treconcile.model import Judgments, Run


MEETING = 0.3
"""Which part of the ids of the smaller side have to meet once they are changed."""

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
"""What may have happened to ids: a change of the judged ones and one of the run's that make them meet."""


def refuse_disjoint_ids(judgments: Judgments, run: Run, alignment: Alignment) -> None:
    """Refuse judgments and a run that have no query in common.

    Raises:
        MismatchError: They have none, though both have queries.
    """
    known = {*judgments.queries, *judgments.negative}
    ranked_any = any(query in known for query in (*run.queries, *run.empty))
    if ranked_any or not (run.queries or run.empty):
        return
    mine, theirs = judgments.queries, run.queries or run.empty
    raise MismatchError(
        f"the run shares none of its {len(theirs)} queries with the {len(mine)} judged ones: "
        f"judged are {_some(mine)}; the run has {_some(theirs)}",
        where=run.source,
        hint=why_apart(mine, theirs)
        or "were the qrels and the run swapped, or are they of different test collections?",
    )


def _some(ids: Sequence[str]) -> str:
    return ", ".join(repr(shown_id(each)) for each in ids[:3]) + (", …" if len(ids) > 3 else "")


def why_apart(judged: Iterable[str], ran: Iterable[str]) -> str | None:
    """What one may do to the ids of one side so that most of the run's meet the judged ones.

    Args:
        judged: The ids of the judgments, queries or documents.
        ran: Those of the run.
    """
    mine, theirs = set(judged), set(ran)
    for explanation, (of_judged, of_run) in CHANGES.items():
        known = {of_judged(each) for each in mine} - {""}
        # Of two changed ids one may meet by chance; of few, all have to.
        if sum(of_run(each) in known for each in theirs) >= max(1, MEETING * min(len(theirs), len(mine))):
            return f"{explanation}: make them equal"
    return None
