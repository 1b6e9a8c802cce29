"""Judgments and runs that do not belong together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from treconcile.errors import MismatchError, shown_id

if TYPE_CHECKING:
    from treconcile.align import Alignment
    from treconcile.model import Judgments, Run


def _unpadded(query: str) -> str:
    return query.lstrip("0")


def _without_suffix(query: str) -> str:
    return query.rpartition(".")[0]


def _without_letters(query: str) -> str:
    return query.lstrip("qQ_-")


CHANGES: dict[str, tuple[Callable[[str], str], Callable[[str], str]]] = {
    "the ids differ in upper and lower case": (str.casefold, str.casefold),
    "the ids differ by leading zeros": (_unpadded, _unpadded),
    "the run's ids lack a suffix that the judged ids have": (_without_suffix, str),
    "the judged ids lack a suffix that the run's ids have": (str, _without_suffix),
    "the ids differ by a prefix of letters": (_without_letters, _without_letters),
}
"""What may have happened to ids: a change of the judged ones and one of the run's that make them meet."""


def refuse_strangers(judgments: Judgments, run: Run, alignment: Alignment) -> None:
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
        hint=_guess(mine, theirs),
    )


def _some(ids: Sequence[str]) -> str:
    return ", ".join(repr(shown_id(each)) for each in ids[:3]) + (", …" if len(ids) > 3 else "")


def _guess(judged: Sequence[str], ran: Sequence[str]) -> str:
    """What one may do to the ids of one side so that they meet the other's."""
    for explanation, (of_judged, of_run) in CHANGES.items():
        if {of_judged(each) for each in judged} & {of_run(each) for each in ran} - {""}:
            return f"{explanation}: make them equal"
    return "were the qrels and the run swapped, or are they of different test collections?"
