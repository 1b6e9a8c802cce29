"""Libraries that are loaded when something of them is first used."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType


def load_later(name: str) -> None:
    """Have a library loaded by its first use, whoever imports it; nothing if it is loaded already."""
    sys.modules.setdefault(name, _Later(name))


class _Later(ModuleType):
    """Stands for a library until it is loaded, and hands on what it has."""

    def __getattr__(self, name: str) -> object:
        """Something of the library."""
        if name.startswith("__"):  # what the import itself looks for
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is self:
            sys.modules.pop(self.__name__, None)
        library = import_module(self.__name__)  # which lets one thread at a time load it
        self.__dict__.update(library.__dict__)
        return getattr(library, name)
