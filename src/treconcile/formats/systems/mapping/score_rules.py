"""Rules for scores: those that are missing, infinite or padding, and which direction is better."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from treconcile.errors import MismatchError, Notice, NumberError, UsageError, shown_id
from treconcile.formats.json.cells import FLT_MAX, CellError, Number, numbers_of
from treconcile.formats.systems.mapping.language import Mapping, Order

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from treconcile.formats.systems.mapping.bulk import Columns

_SHOWN = 3


def all_or_none(scores: Sequence[Number | None], mapping: Mapping) -> bool:
    """Whether the hits of a query have scores: all of them, or none.

    Raises:
        CellError: Some have and others have not, and the mapping does not take the order then.
    """
    missing = scores.count(None)
    if 0 < missing < len(scores) and mapping.on_null_score == "error":
        error = NumberError(
            "some hits of this query have a score and others none",
            hint="on_null_score: rank in the mapping takes the order of the hits then",
        )
        raise CellError(scores.index(None), error)
    return missing == 0


def is_proper(score: Number) -> bool:
    """Whether a score is finite, and not the largest 32-bit number, which is padding."""
    return -FLT_MAX < score < FLT_MAX


def proper(scores: list[Number], mapping: Mapping) -> list[Number] | list[Number | None]:
    """The scores with those that are no proper numbers replaced by the mapping's rule; None drops the hit.

    Raises:
        CellError: There is one, and the rule makes it an error, or it is NaN and has no place in the order.
    """
    if _all_proper(scores):
        return scores
    good = [score for score in scores if is_proper(score)]
    return [_proper(at, score, good, mapping) for at, score in enumerate(scores)]


def _all_proper(scores: list[Number]) -> bool:
    try:
        # A sum is a number only if each of its terms is, and adds up much faster than a test of each.
        return not math.isnan(sum(scores)) and max(scores) < FLT_MAX and min(scores) > -FLT_MAX
    except (OverflowError, ValueError):
        return False


def _proper(at: int, score: Number, good: Sequence[Number], mapping: Mapping) -> Number | None:
    if is_proper(score):
        return score
    # A whole number may be too large to be asked whether it is NaN.
    nan = isinstance(score, float) and math.isnan(score)
    if mapping.on_nonfinite == "finite" and isinstance(score, float) and math.isfinite(score):
        return score
    if mapping.on_nonfinite == "drop":
        return None
    if mapping.on_nonfinite == "clamp" and not nan:
        return max(good, default=0) + 1 if score > 0 else min(good, default=0) - 1
    infinite = isinstance(score, float) and math.isinf(score)
    what = "NaN" if nan else "infinite" if infinite else "beyond the largest 32-bit number: padding"
    hint = "on_nonfinite in the mapping: drop leaves such hits out, clamp keeps them at their end"
    raise CellError(at, NumberError(f"the score is {what}", hint=hint))


def ranks_of(raw: Sequence[object]) -> list[int]:
    """Ranks as whole numbers, no two of them equal, of which the best is 0 or 1.

    Raises:
        CellError: One is not a whole number, or stands twice, or they begin elsewhere, as scores would.
    """
    found: list[int] = []
    for at, value in enumerate(numbers_of(raw)):
        if value is None or value != int(value):
            raise CellError(at, NumberError("a rank has to be a whole number"))
        found.append(int(value))
    if len(set(found)) < len(found):
        at = next(at for at, rank in enumerate(found) if rank in found[:at])
        raise CellError(at, NumberError(f"the rank {found[at]} stands twice in its query"))
    if found and min(found) not in (0, 1):
        best = min(found)
        hint = "if these are scores, read them with a mapping that has the key score instead of rank"
        raise CellError(
            found.index(best), NumberError(f"the best rank of a query is {best}, not 0 or 1", hint=hint)
        )
    return found


@dataclass
class Direction:
    """Whether higher or lower scores are better, checked against the order of the hits.

    Attributes:
        order: What is said of it; where that is `ask`, the order of the hits decides at the end.
        by: Who says so: the user, or the format; of a Python dictionary nobody does.
        ordered: Whether the hits stand in an order; the members of an object do not.
        table: Whether they are rows of a table, which may have any order where the direction is certain.
        up: How many scores are higher than the one before in their query.
        down: How many are lower.
        examples: Places where the scores go against what is said.
        rising: Whether the scores of every object of them so far rise strictly.
        several: How many objects of two and more scores there were.
    """

    order: Order
    by: Literal["user", "format", "nobody"] = "format"
    ordered: bool = True
    table: bool = False
    up: int = 0
    down: int = 0
    examples: list[str] = field(default_factory=list)
    rising: bool = True
    several: int = 0

    def look(self, query: str, ids: Sequence[str], scores: Sequence[Number]) -> None:
        """Takes note of the order of the hits of a query."""
        if not self.ordered:
            self.several += len(scores) > 1
            self.rising = self.rising and all(map(operator.lt, scores, scores[1:]))
            return
        if self.order != "asc" and all(map(operator.ge, scores, scores[1:])):
            self.down += scores[:1] != scores[-1:]
            return
        for at, (before, after) in enumerate(pairwise(scores)):
            self.up += after > before
            self.down += after < before
            wrong = after < before if self.order == "asc" else after > before
            if wrong and len(self.examples) < _SHOWN:
                self._show(query, at + 1, ids[at : at + 2], (before, after))

    def _show(self, query: str, rank: int, ids: Sequence[str], scores: Sequence[Number]) -> None:
        pair = f"{shown_id(ids[0])} {_shown(scores[0])}, then {shown_id(ids[1])} {_shown(scores[1])}"
        self.examples.append(f"query {shown_id(query)}, rank {rank}: {pair}")

    def look_at_columns(self, columns: Columns) -> None:
        """Takes note of the order of the hits of several queries."""
        scores, ends = columns.scores, columns.starts[1:]
        if scores is None:
            return
        rises, falls = scores[1:] > scores[:-1], scores[1:] < scores[:-1]
        if not self.ordered:
            self.several += int((columns.lengths > 1).sum())
            rises[ends - 1] = True
            self.rising = self.rising and bool(rises.all())
            return
        # From the last hit of a query to the first one of the next the scores may go either way.
        rises[ends - 1] = falls[ends - 1] = False
        self.up += int(rises.sum())
        self.down += int(falls.sum())
        for at in (falls if self.order == "asc" else rises).nonzero()[0][: _SHOWN - len(self.examples)]:
            query = int(columns.starts.searchsorted(at, "right")) - 1
            rank = int(at - columns.starts[query]) + 1
            ids, pair = columns.ids[at : at + 2].to_list(), scores[at : at + 2].tolist()
            self._show(columns.queries[query], rank, ids, pair)

    def directed(self, scores: list[Number]) -> list[Number]:
        """The scores so that higher is better: distances are negated, which keeps what lies between them."""
        # Subtraction leaves zero without a sign.
        return [0 - score for score in scores] if self.order == "asc" else scores

    def directed_columns(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """As `directed`, of several queries."""
        return 0.0 - scores if self.order == "asc" else scores

    @property
    def is_turned(self) -> bool:
        """Whether scores that were kept as they stand turned out to be distances."""
        return self.order == "ask" and self.up > 0 and not self.down

    def notices(self, source: str) -> list[Notice]:
        """What the order of the hits says of their scores.

        Raises:
            MismatchError: All of them go against it, so the direction is the other one.
            UsageError: They go both ways, and nothing else says which is better.
        """
        if not self.ordered:
            return self._unordered(source)
        if self.order == "ask":
            return self._asked(source)
        wrong, right = (self.up, self.down) if self.order == "desc" else (self.down, self.up)
        if not wrong:
            return []
        better, other = ("high", "lower") if self.order == "desc" else ("low", "higher")
        shown = "; ".join(self.examples)
        if not right and not self.table:
            says = "are said to be" if self.by == "user" else "of this format are"
            raise MismatchError(
                f"{better} scores {says} better, but the hits stand the other way round: {shown}",
                where=source,
                hint=f"--{other}-is-better" if self.by == "user" else None,
            )
        message = f"{wrong} scores go against the order of the hits ({shown}); the scores count"
        hint = None if self.table else "without score in the mapping the order of the hits counts"
        return [Notice("order-against-scores", message, source, hint, "note" if self.table else "warning")]

    def _unordered(self, source: str) -> list[Notice]:
        if self.order != "desc" or self.by != "format" or not self.several or not self.rising:
            return []
        message = (
            "in every query the scores rise from the first document to the last; the highest is the best"
        )
        return [Notice("scores-rise", message, source, "if they are distances: --lower-is-better")]

    def _asked(self, source: str) -> list[Notice]:
        if self.up and self.down:
            shown = "; ".join(self.examples)
            raise UsageError(
                f"it is not said whether high or low scores are better, and the order of the hits goes both"
                f" ways: {shown}",
                where=source,
                hint="--higher-is-better (similarities) or --lower-is-better (distances)",
            )
        if not self.up:
            return []
        message = "the scores of no list fall, so the lowest is taken for the best, and they are negated"
        return [
            Notice("scores-rise", message, source, "if the highest is the best: --higher-is-better", "note")
        ]


def _shown(score: Number) -> str:
    """A score for messages: `2` and `2.0` are the same."""
    return repr(int(score) if isinstance(score, float) and score.is_integer() else score)
