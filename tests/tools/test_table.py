"""The table of reference tools."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import treconcile.tools
from treconcile.errors import UsageError
from treconcile.tools import TOOLS, load

# What the adapters share; every other module of the folder is a tool's.
SHARED = {
    "__init__",
    "asking",
    "inputs",
    "ir_measures_input",
    "ir_measures_objects",
    "ir_measures_provider",
    "ir_measures_providers",
    "isolation",
    "protocol",
    "question",
    "trec_names",
}


def test_every_module_stands_in_the_table() -> None:
    here = {path.stem for path in Path(treconcile.tools.__file__).parent.glob("*.py")}
    assert here - SHARED == {tool.module for tool in TOOLS.values()}


@pytest.mark.parametrize("name", TOOLS)
def test_each_tool_loads_under_its_name(name: str) -> None:
    tool = load(name)
    assert tool.name == name
    usable, why = tool.available()
    assert usable == (why == "")


def test_an_unknown_tool_gets_a_suggestion() -> None:
    with pytest.raises(UsageError) as caught:
        load("pytrec-eval")
    assert caught.value.hint == "did you mean 'pytrec_eval'?"


def test_only_a_program_takes_a_path() -> None:
    with pytest.raises(UsageError, match="ranx is not a program"):
        load("ranx", "/bin/ranx")


def test_loading_imports_no_tool() -> None:
    code = (
        "import sys; from treconcile.tools import TOOLS, load\n"
        "for name in TOOLS: load(name).available()\n"
        "print(sorted({'ir_measures', 'pytrec_eval', 'ranx', 'pandas', 'numba'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
