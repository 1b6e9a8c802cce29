"""The data of a search: judgments and run in each setting, aligned when they are first asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from treconcile.align import Alignment
from treconcile.comparison.convention_search import narrowed, queries_of
from treconcile.comparison.explaining.trial import Bench, Budget, Whole

if TYPE_CHECKING:
    from treconcile.comparison.explaining.space import Setting
    from treconcile.model import Judgments, Run


SAMPLE = 60  # so many queries of a kind are looked at first


class Ground:
    """Judgments and a run as they are, and as they would be in a setting; trials are counted in `budget`."""

    def __init__(self, judgments: Judgments, run: Run, budget: Budget) -> None:
        self.judgments, self.run, self.budget = judgments, run, budget
        self._aligned: dict[str, Alignment] = {}
        self._benches: dict[tuple[str, str], Bench] = {}

    @property
    def plain(self) -> Alignment:
        """The data as they are."""
        if "" not in self._aligned:
            self._aligned[""] = Alignment(self.judgments, self.run)
        return self._aligned[""]

    @property
    def queries(self) -> tuple[str, ...]:
        """Every query that is judged or in the run."""
        return queries_of(self.plain)

    def aligned(self, setting: Setting) -> Alignment:
        """The data of a setting."""
        if setting.fault is None:
            return self.plain
        if setting.fault.name not in self._aligned:
            changed = setting.fault.change(self.judgments, self.run)
            self._aligned[setting.fault.name] = Alignment(*changed)
        return self._aligned[setting.fault.name]

    def bench(self, setting: Setting) -> Bench:
        """Where the measure of a setting is computed."""
        key = (setting.name, str(setting.measure))
        if key not in self._benches:
            name = f"{setting.measure} {setting.name}"
            self._benches[key] = Bench(self.aligned(setting), setting.measure, name, self.budget)
        return self._benches[key]

    def whole(self, setting: Setting) -> Whole:
        """The same for a few conventions on many queries."""
        return Whole(self.aligned(setting), setting.measure)

    def part(self, queries: Iterable[str]) -> Ground:
        """The same of some queries."""
        small = narrowed(self.plain, queries)
        return Ground(small.judgments, small.run, self.budget)


def spread(queries: Sequence[str]) -> list[str]:
    """At most `SAMPLE` of the queries, at equal distances."""
    return list(queries[:: max(1, len(queries) // SAMPLE)][:SAMPLE])
