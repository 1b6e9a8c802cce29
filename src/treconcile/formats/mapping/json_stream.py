"""One JSON file too large to be parsed as a whole: its records, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import IO, Any

from treconcile.errors import DuplicateError, FormatError, shown
from treconcile.formats.mapping.chunks import Chunk
from treconcile.formats.mapping.paths import Step

_RECORDS = 64


def can_stream() -> bool:
    """Whether the package that reads JSON in pieces is installed."""
    try:
        import ijson  # noqa: F401
    except ImportError:
        return False
    return True


def stream_chunks(
    reader: IO[bytes], source: str, stem: str, path: tuple[Step, ...], *, as_dict: bool
) -> Iterator[Chunk]:
    """The records at a path of keys, some at a time, as chunks that need no further look for records.

    Args:
        reader: The file.
        source: Its path, for messages.
        stem: Its name without endings.
        path: The keys that lead to the records.
        as_dict: The records are the values of an object, not the members of a list.

    Raises:
        DuplicateError: An object has a key twice.
        FormatError: It is not JSON.
    """
    keys: list[object] = []
    values: list[object] = []
    for key, value in _entries(reader, source, ".".join(map(str, path)), as_dict):
        keys.append(key)
        values.append(value)
        if len(values) == _RECORDS:
            yield Chunk(source, stem, values, keys=keys if as_dict else None, records=True)
            keys, values = [], []
    if values:
        yield Chunk(source, stem, values, keys=keys if as_dict else None, records=True)


def _entries(reader: IO[bytes], source: str, prefix: str, as_dict: bool) -> Iterator[tuple[object, object]]:
    import ijson

    repeated: list[str] = []
    known: set[object] = set()
    try:
        for entry in _found(ijson, reader, prefix, as_dict, _strict(repeated)):
            key, value = entry
            if repeated or (as_dict and key in known):
                twice = repeated[0] if repeated else str(key)
                raise DuplicateError(f"key {shown(twice)} stands twice in one object", where=source)
            if as_dict:
                known.add(key)
            yield key, _plain(value)
    except ijson.JSONError as error:
        raise FormatError("not JSON, or cut off", where=source) from error


def _found(ijson: Any, reader: IO[bytes], prefix: str, as_dict: bool, made: type) -> Iterator[Any]:  # noqa: ANN401
    if as_dict:
        yield from ijson.kvitems(reader, prefix, map_type=made)
        return
    item = f"{prefix}.item" if prefix else "item"
    yield from ((None, value) for value in ijson.items(reader, item, map_type=made))


def _strict(repeated: list[str]) -> type[dict[str, object]]:
    class Strict(dict[str, object]):
        # The C parser cannot pass an exception on, so the key is left for its caller to see.
        def __setitem__(self, key: str, value: object) -> None:
            if key in self:
                repeated.append(key)
            super().__setitem__(key, value)

    return Strict


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return float(value) if isinstance(value, Decimal) else value
