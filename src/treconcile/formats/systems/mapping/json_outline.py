"""Where the records of a large JSON file are, if what finds them is more than a path of keys.

The expression is applied to an outline of the file, in which a few levels of objects are as they are and
what is in them is left out. If it picks one part of the outline, the keys that lead there are the path.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from treconcile.errors import FormatError

if TYPE_CHECKING:
    from treconcile.formats.systems.mapping.json_source import JsonText
    from treconcile.formats.systems.mapping.paths import Expression

_LEVELS, _MOST = 2, 10_000


def path_in(text: JsonText, expression: Expression) -> tuple[str, ...] | None:
    """The keys that lead to the one list or object that an expression picks; None if it does anything else.

    Raises:
        InputError: The file is not JSON.
    """
    outline = _outline(text, _LEVELS, [])
    text.check_end()
    if outline is None:
        return None
    try:
        found = expression.get(outline)
    except FormatError:
        return None
    return _path_to(found, outline) if isinstance(found, (list, dict)) else None


def _outline(text: JsonText, levels: int, keys: list[str]) -> object:
    """An outline of the next value; None if it has too many keys, after which the text is not read on."""
    if text.peek() not in (b"{", b"["):
        return text.value()
    if text.peek() == b"[" or not levels:
        # Only whether there is something in it can be asked of what is left out.
        is_list, filled = text.peek() == b"[", text.skip()
        return [None] * filled if is_list else dict.fromkeys([""] * filled)
    found: dict[str, object] = {}
    for key in text.members():
        keys.append(key)
        if len(keys) > _MOST:
            return None
        found[key] = _outline(text, levels - 1, keys)
    return found


def _path_to(wanted: object, node: object) -> tuple[str, ...] | None:
    if node is wanted:
        return ()
    for key, member in node.items() if isinstance(node, dict) else ():
        path = _path_to(wanted, member)
        if path is not None:
            return (key, *path)
    return None
