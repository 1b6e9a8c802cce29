"""Strictness: what is a warning elsewhere is an error, unless no number can differ for it."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from treconcile.errors import InputError, Notice


def refuse_warnings(notices: Iterable[Notice], excused: Collection[str] = ()) -> None:
    """Checks that nothing was read or written otherwise than one may think.

    Args:
        notices: All that is to be said.
        excused: The codes of warnings that are none here.

    Raises:
        InputError: There is such a warning; the error is the first of them, and has all notices with it.
    """
    notices = tuple(notices)
    for each in notices:
        if each.level == "warning" and not each.neutral and each.code not in excused:
            hint = f"{each.hint}; " if each.hint else ""
            error = InputError(
                each.message, where=each.where, hint=f"{hint}without --strict this is a warning"
            )
            error.notices = tuple(other for other in notices if other != each)
            raise error
