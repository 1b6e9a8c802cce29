"""Reference tools, each behind an adapter that says which convention the tool follows.

Nothing is imported until a tool is loaded, and the tool itself not until it is asked for values.

    >>> load("pytrec_eval").name
    'pytrec_eval'
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, cast

from treconcile.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from treconcile.tools.protocol import ReferenceTool


@dataclass(frozen=True)
class Tool:
    """One row of the table of reference tools.

    Attributes:
        module: The module of this package with the adapter.
        adapter: The name of the adapter's class.
        title: What the tool is, in one line.
        install: How to install it.
        homepage: Its address.
        licence: Its SPDX licence identifier, or what its authors call it.
    """

    module: str
    adapter: str
    title: str
    install: str
    homepage: str
    licence: str


TOOLS: dict[str, Tool] = {
    "ir_measures": Tool(
        "ir_measures",
        "IrMeasures",
        "One interface to many implementations of measures, here with each provider that has the measure",
        "pip install ir-measures",
        "https://ir-measur.es",
        "MIT",
    ),
    "pytrec_eval": Tool(
        "pytrec_eval",
        "PytrecEval",
        "trec_eval's C code called from Python",
        "pip install pytrec-eval-terrier",
        "https://github.com/terrierteam/pytrec_eval",
        "MIT",
    ),
    "ranx": Tool(
        "ranx",
        "Ranx",
        "Ranking evaluation compiled with Numba",
        "pip install treconcile[ranx]",
        "https://amenra.github.io/ranx",
        "MIT",
    ),
    "trec_eval": Tool(
        "trec_eval",
        "TrecEval",
        "NIST's program, found by path, in TREC_EVAL or on PATH",
        "build it from its source and put it on PATH",
        "https://github.com/usnistgov/trec_eval",
        "NIST software, public domain",
    ),
}


def load(name: str, path: str | None = None) -> ReferenceTool:
    """The adapter of a tool.

    Args:
        name: A name of the table `TOOLS`.
        path: The program to run, for a tool that is one.

    Raises:
        UsageError: There is no such tool, or it is not a program and a path is given.
    """
    row = known_tool(name)
    if path is not None and name != "trec_eval":
        raise UsageError(f"{name} is not a program, so it takes no path")
    adapter = getattr(import_module(f"{__name__}.{row.module}"), row.adapter)
    return cast("ReferenceTool", adapter() if path is None else adapter(path))


def known_tool(name: str) -> Tool:
    """The row of a tool in the table.

    Raises:
        UsageError: There is none of that name.
    """
    if name not in TOOLS:
        hint = did_you_mean(name, TOOLS, "see `treconcile list tools`")
        raise UsageError(f"there is no reference tool {name!r}", hint=hint)
    return TOOLS[name]
