"""A user's own function, found by the name it has on the command line."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from treconcile.errors import ToolError, UsageError, did_you_mean

FAILURES = (Exception, SystemExit)
"""What someone else's code may raise without disturbing us; one that calls `sys.exit` failed."""


def load_function(spec: str) -> Callable[..., object]:
    """The function that a text names.

    Args:
        spec: `package.module:function`, looked for in the current directory first, as `python -m` does, or
            `path/to/file.py:function`.

    Raises:
        UsageError: It is not written that way, or there is no such module or function.
        ToolError: The module cannot be imported.
    """
    module_name, _, name = spec.rpartition(":")
    if not module_name or not name:
        hint = "write package.module:function or path/to/file.py:function"
        raise UsageError(f"{spec!r} names no function", hint=hint)
    target: object = _module(module_name)
    for part in name.split("."):
        if not hasattr(target, part):
            public_names = [name for name in dir(target) if not name.startswith("_")]
            hint = did_you_mean(
                part, public_names, f"it has {', '.join(public_names[:5]) or 'no public name'}"
            )
            raise UsageError(f"there is no {name!r} in {module_name}", hint=hint)
        target = getattr(target, part)
    if not callable(target):
        raise UsageError(f"{spec} is not a function but of type {type(target).__name__}")
    return target


def _module(name: str) -> object:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        with redirect_stdout(sys.stderr):
            return _from_file(Path(name)) if name.endswith(".py") else import_module(name)
    except UsageError:
        raise
    except ModuleNotFoundError as error:
        missing = error.name or ""
        if missing and f"{name}.".startswith(f"{missing}."):
            hint = "it is looked for in the current directory and among the installed packages"
            raise UsageError(f"there is no module {name!r}", hint=hint) from error
        raise ToolError(f"{name} needs the module {missing}, which is not installed") from error
    except FAILURES as error:
        what = f"{name} cannot be imported: {type(error).__name__}"
        raise ToolError(what, hint="--debug shows its message and where it arose") from error


def _from_file(path: Path) -> object:
    if not path.is_file():
        raise UsageError(f"there is no file {str(path)!r}")
    # A name of its own, so that a file called json.py does not take the place of the library.
    spec = spec_from_file_location(f"_of_user_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise UsageError(f"{str(path)!r} is not a Python file")
    module = module_from_spec(spec)
    # Registered first, as an import does: dataclasses look their module up.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
