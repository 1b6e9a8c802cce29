"""One's own numbers, from what a user names: a convention, a Python function, or a file of values."""

from __future__ import annotations

import re
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from treconcile.comparison.crosscheck import Mine
from treconcile.convention import Convention, axes
from treconcile.errors import UsageError, did_you_mean
from treconcile.profiles import Profile, profiles, resolve
from treconcile.users.metric_function import UserFunction
from treconcile.users.values_file import read_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treconcile.measures.spec import Measure
    from treconcile.model import Judgments, Run

FUNCTION = re.compile(r"(?:[^:=]+\.py|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*):[A-Za-z_]\w*")


def read_mine(
    spec: object,
    judgments: Judgments,
    run: Run,
    measures: Sequence[Measure],
    *,
    call: str | None = None,
    returns: str | None = None,
    chosen: bool = True,
) -> Mine:
    """Read a specification of one's own numbers.

    Args:
        spec: `denominator=returned`, `elasticsearch`, `package.module:function`, a path; or a convention,
            a function or values themselves, as dictionaries, lists or a data frame.
        judgments: The judgments, for a function.
        run: The run, for a function.
        measures: The measures that are wanted.
        call: How a function is called, as `f(ranked, relevant, k)`.
        returns: What a function returns, as `P,R,RR`.
        chosen: The measures were asked for by name; else a function or file gives those it has.

    Raises:
        UsageError: It is none of these.
        ToolError: The function cannot be imported, called or used.
        InputError: The file cannot be read.
    """
    kind = kind_of(spec) if isinstance(spec, str) else None
    if kind == "function" or callable(spec):
        options = {"call": call, "returns": returns}
        user_function = (
            UserFunction.of(spec, **options) if callable(spec) else UserFunction.load(str(spec), **options)
        )
        return Mine(
            user_function.name, observed=user_function.observe(judgments, run, measures, partial=not chosen)
        )
    if call or returns:
        raise UsageError("--call and --returns are for a function, and --mine names none")
    if isinstance(spec, Convention | Profile) or (isinstance(spec, str) and kind == "convention"):
        return Mine(str(resolve(spec)), resolve(spec))
    name = Path(spec).name if isinstance(spec, str | PathLike) else "values"
    return Mine(name, observed=read_values(spec, measures if chosen else None))


def kind_of(spec: str) -> str:
    """What a specification names: `convention`, `function` or `file`.

    Raises:
        UsageError: It is none of these.
    """
    parts = [part for part in re.split(r"[\s,+]+", spec) if part]
    named = {name.casefold() for name in profiles()}
    if parts and all(
        re.split("[=:]", part)[0].replace("-", "_") in axes() or part.casefold() in named for part in parts
    ):
        return "convention"
    if FUNCTION.fullmatch(spec):
        return "function"
    if spec == "-" or Path(spec).exists():
        return "file"
    if "=" in spec:
        return "convention"
    raise UsageError(
        f"{spec!r} is no profile, no axis=value, no module:function and no file",
        hint=did_you_mean(spec, (*profiles(), *axes()), "see `treconcile list profiles`"),
    )
