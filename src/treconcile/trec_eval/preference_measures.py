"""trec_eval's measures of preferences, each a function of the preferences for one query.

Range: 0 to 1, and counts for `prefs_num_prefs_*`. They differ in which preferences count, and in how
groups are combined:

- `_ret`: preferences with both documents retrieved; `_imp`: with at least one retrieved; otherwise all.
- `simp`: the share of all preferences; `pair`: the mean over pairs of documents of the share of their
  preferences; `avgjg`: the mean over judgment groups of the share of theirs.
- `Rnonrel`: as `avgjg`, with as many documents that are not relevant as relevant ones.

Source: Carterette, Bennett, Chickering and Dumais, Here or There: Preference Judgments for Relevance, ECIR
2008, for the share of preferences that a ranking fulfils; Chris Buckley, trec_eval 9 (2008), for the rest.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from treconcile.trec_eval.preference_pairs import fulfilled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from treconcile.arrays import Flags, Floats
    from treconcile.trec_eval.preference_pairs import Group, QueryPreferences


def _share(counts: Iterable[tuple[int, int]]) -> float:
    """The share of fulfilled preferences among all; 0 if there are none."""
    pairs = list(counts)
    total = sum(possible for _, possible in pairs)
    return sum(fulfilled for fulfilled, _ in pairs) / total if total else 0.0


def _mean_share(counts: Iterable[tuple[int, int]]) -> float:
    """The mean of the shares; a group without preferences counts 0."""
    shares = [found / possible if possible else 0.0 for found, possible in counts]
    return _added(shares) / len(shares)


def _all(query: QueryPreferences) -> list[tuple[int, int]]:
    return [(group.fulfilled, group.possible) for group in query.groups]


def _implied(query: QueryPreferences) -> list[tuple[int, int]]:
    return [(group.fulfilled, group.occurring) for group in query.groups]


def _retrieved(query: QueryPreferences) -> list[tuple[int, int]]:
    groups = [group.among_retrieved for group in query.groups]
    return [(group.fulfilled, group.possible) for group in groups]


def _pair_share(query: QueryPreferences, columns: int, *, unseen: bool = False) -> float:
    """The mean over pairs of the share of preferences for the document that stands first.

    Args:
        query: The preferences.
        columns: The number of judged documents, retrieved ones first, that may be second in a pair.
        unseen: Pairs without a retrieved document count 0; otherwise they do not count.
    """
    end = query.retrieved
    blocks = [_shares(query, slice(end)), _shares(query, slice(end, columns))]
    counts = query.counts[end:, end:]
    unseen_pairs = int(np.triu(counts + counts.T > 0, 1).sum()) if unseen else 0
    shares = np.concatenate(blocks)
    pairs = len(shares) + unseen_pairs
    return float(np.cumsum(shares)[-1]) / pairs if len(shares) else 0.0


def _shares(query: QueryPreferences, columns: slice) -> Floats:
    """The share of each pair of a retrieved document and one after it, if it has preferences."""
    before = query.counts[: query.retrieved, columns]
    either = before + query.counts[columns, : query.retrieved].T
    counted = either > 0 if columns.start is not None else np.triu(either, 1) > 0
    shares: Floats = before[counted] / either[counted]
    return shares


def _with_as_many_nonrelevant(query: QueryPreferences, *, retrieved: bool = False) -> float:
    """The mean share of groups; 0 if a group has no preferences, where trec_eval computes 0 / 0."""
    total = _added([_equalised(group, retrieved=retrieved) for group in query.groups])
    return total / len(query.groups) if total > 0 else 0.0


def _equalised(group: Group, *, retrieved: bool) -> float:
    """The share for a group; if nonrelevant documents are missing, they are assumed at the end.

    With `retrieved`, only retrieved documents count.
    """
    part = group.among_retrieved if retrieved else group
    lacking = 2 * part.relevant - len(part.value)
    if lacking >= 0:
        holding = part.fulfilled + group.among_retrieved.relevant * lacking
        possible = part.possible + group.relevant * lacking
    else:
        pairs = _without_last(part, group.relevant) if group.partial else _with_first(part, part.relevant)
        holding, possible = fulfilled(pairs, part.retrieved), int(pairs.sum())
    return holding / possible if possible else math.nan


def _without_last(group: Group, count: int) -> Flags:
    """The preferences without those of nonrelevant documents after the first so many."""
    left_out = (group.value <= 0) & (np.cumsum(group.value <= 0) > count)
    return group.preferred & ~left_out & ~left_out[:, np.newaxis]


def _with_first(group: Group, count: int) -> Flags:
    """The preferences with the first so many documents of the lowest value only.

    trec_eval also counts each document of that value as preferred to each of the first.
    """
    lowest = group.value == group.lowest
    first = lowest & (np.cumsum(lowest) <= count)
    pairs: Flags = (group.preferred & (first | ~lowest)) | (lowest[:, np.newaxis] & first)
    return pairs


def _added(values: Iterable[float]) -> float:
    # From first to last, as in trec_eval: sum() of Python 3.12 and later rounds differently.
    total = 0.0
    for value in values:
        total += value
    return total


PREFERENCE_MEASURES: dict[str, Callable[[QueryPreferences], float]] = {
    "prefs_num_prefs_poss": lambda query: sum(group.possible for group in query.groups),
    "prefs_num_prefs_ful": lambda query: sum(group.fulfilled for group in query.groups),
    "prefs_num_prefs_ful_ret": lambda query: sum(fulfilled for fulfilled, _ in _retrieved(query)),
    "prefs_simp": lambda query: _share(_all(query)),
    "prefs_pair": lambda query: _pair_share(query, query.judged, unseen=True),
    "prefs_avgjg": lambda query: _mean_share(_all(query)),
    "prefs_avgjg_Rnonrel": _with_as_many_nonrelevant,
    "prefs_simp_ret": lambda query: _share(_retrieved(query)),
    "prefs_pair_ret": lambda query: _pair_share(query, query.retrieved),
    "prefs_avgjg_ret": lambda query: _mean_share(_retrieved(query)),
    "prefs_avgjg_Rnonrel_ret": lambda query: _with_as_many_nonrelevant(query, retrieved=True),
    "prefs_simp_imp": lambda query: _share(_implied(query)),
    "prefs_pair_imp": lambda query: _pair_share(query, query.judged),
    "prefs_avgjg_imp": lambda query: _mean_share(_implied(query)),
}
"""Each measure by its name, in the order of trec_eval."""
