"""Runs the test files of ir_measures or pytrec_eval with ours in the tool's place.

`python own_tests.py TOOL FOLDER` prints JSON: the tests that ran, and the assertions of each that failed. A
failed assertion does not end its test, so that all of them are seen. Floats may differ in their last bits,
and of a row the query, the measure and the value count: cwl_eval's rows hold further numbers.
"""

from __future__ import annotations

import functools
import json
import math
import sys
import unittest
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

PROFILES = {
    name: f"ir_measures-{name}"
    for name in ("pytrec_eval", "cwl_eval", "msmarco", "gdeval", "ranx", "trectools")
} | dict.fromkeys(("judged", "compat", "accuracy", "pyndeval"), "ir_measures")
"""The profile under which each provider of ir_measures is replaced."""

NEEDED = {"test_cwl_eval.py": "cwl.qrels", "test_compat.py": "compat.qrels"}
"""Files that tests read, which a source package may leave out."""

BASE = """
import unittest

class BaseMeasureTest(unittest.TestCase):
    def assertMetrics(self, a, b, places=4, not_equal=False):
        found, expected = sorted(a), sorted(b)
        self.assertEqual([row[:2] for row in found], [row[:2] for row in expected])
        compare = self.assertNotAlmostEqual if not_equal else self.assertAlmostEqual
        for one, other in zip(found, expected):
            compare(one.value, other.value, **({} if not_equal else {"places": places}))
"""
"""What ir_measures' tests import and its source package leaves out."""

failed: dict[str, list[str]] = defaultdict(list)
ran: list[str] = []


class Result(unittest.TestResult):
    def startTest(self, test: unittest.TestCase) -> None:  # noqa: N802 - unittest's name
        super().startTest(test)
        ran.append(test.id())

    def addError(self, test: Any, err: Any) -> None:  # noqa: ANN401, N802
        note(repr(err[1]))

    addFailure = addError  # noqa: N815

    def addSubTest(  # noqa: N802
        self,
        test: unittest.TestCase,
        subtest: unittest.TestCase,
        err: tuple[type, Exception, TracebackType] | None,
    ) -> None:
        if err is not None:
            note(repr(err[1]))


def note(text: str) -> None:
    """Note a failure of the test that runs."""
    failed[ran[-1] if ran else "loading"].append(text[:300])


def soft(check: Callable[..., None]) -> Callable[..., None]:
    """The same assertion, noted where it fails."""

    @functools.wraps(check)
    def checked(*args: object, **kwargs: object) -> None:
        try:
            check(*args, **kwargs)
        except AssertionError as error:
            one, other = [*args, None, None][isinstance(args[0], unittest.TestCase) :][:2]
            if not alike(one, other):
                note(str(error))

    return checked


def alike(one: Any, other: Any) -> bool:  # noqa: ANN401
    """Whether two results are the same but for the last bits of floats and the further numbers of rows."""
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, abs_tol=1e-12) or (math.isnan(one) and math.isnan(other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, set) and isinstance(other, set):
        return alike(sorted(one, key=str), sorted(other, key=str))
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(alike, one, other))
    if hasattr(one, "measure") and hasattr(other, "measure"):
        return (one.query_id, one.measure) == (other.query_id, other.measure) and alike(
            one.value, other.value
        )
    return bool(one == other)


def replace_pytrec_eval() -> None:
    from treconcile.compat import pytrec_eval

    sys.modules["pytrec_eval"] = pytrec_eval


def replace_ir_measures() -> None:
    import ir_measures
    import numpy

    from treconcile.tools.ir_measures_provider import Provider

    class Ours(Provider):
        """Ours in the place of another, with the measures that both have."""

        def __init__(self, name: str) -> None:
            super().__init__(PROFILES[name])
            self.replaced = ir_measures.providers.registry[name]

        def supports(self, measure: Any) -> bool:  # noqa: ANN401
            return self.replaced.supports(measure) and super().supports(measure)

        def iter_calc(self, measures: Any, qrels: Any, run: Any) -> Any:  # noqa: ANN401
            """With NaN for what is not supported, so that the test goes on."""
            try:
                return iter(list(super().iter_calc(measures, qrels, run)))
            except ValueError as error:
                note(str(error))
                queries = sorted({row.query_id for row in qrels})
                return (ir_measures.Metric(query, each, math.nan) for query in queries for each in measures)

    ours = {name: Ours(name) for name in PROFILES}
    ir_measures.providers.registry.update(ours)
    for name, provider in ours.items():
        setattr(ir_measures, name, provider)
    ir_measures.providers.PytrecEvalProvider = lambda: ours["pytrec_eval"]
    ir_measures.DefaultPipeline.providers = [ir_measures.runtime, Provider("ir_measures")]
    numpy.testing.assert_equal = soft(numpy.testing.assert_equal)


def prepare_ir_measures(tests: Path) -> str:
    (tests / "__init__.py").touch()
    if not (tests / "base.py").exists():
        (tests / "base.py").write_text(BASE)
    for name, data in NEEDED.items():
        if not (tests / data).exists():
            (tests / name).unlink()
    return "test_*.py"


def prepare_pytrec_eval(tests: Path) -> str:
    (tests / "__init__.py").touch()
    from tests import pytrec_eval_tests as own

    data = Path(own.TREC_EVAL_TEST_DIR)
    for *files, options in own.TRADITIONAL_TREC_EVAL_TEST_CASES:
        if all((data / name).exists() for name in files):
            test = own.generate_traditional_test(*files, **options)
            setattr(own.PyTrecEvalIntegrationTest, f"test_{files[2]}", test)
    return "pytrec_eval_tests.py"


def main(tool: str, folder: Path) -> None:
    sys.path.insert(0, str(folder))
    for name in ("assertEqual", "assertAlmostEqual", "assertNotAlmostEqual", "assertTrue"):
        setattr(unittest.TestCase, name, soft(getattr(unittest.TestCase, name)))
    {"ir_measures": replace_ir_measures, "pytrec_eval": replace_pytrec_eval}[tool]()
    prepare = {"ir_measures": prepare_ir_measures, "pytrec_eval": prepare_pytrec_eval}[tool]
    found = unittest.defaultTestLoader.discover(
        str(folder / "tests"), pattern=prepare(folder / "tests"), top_level_dir=str(folder)
    )
    found.run(Result())
    sys.__stdout__.write("\n" + json.dumps({"ran": ran, "failed": failed}) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
