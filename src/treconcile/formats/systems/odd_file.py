"""The file of a folder for which the whole folder is in no known format."""

from __future__ import annotations

from pathlib import Path

from treconcile.errors import FormatError, InputError
from treconcile.files.inputs import InputFile
from treconcile.files.limits import DEFAULT_LIMITS, Limits
from treconcile.formats.systems.mapping.choose import chosen
from treconcile.formats.systems.mapping.readers import kinds_of


def odd_file(
    folder: str, kind: str, name: str | None = None, limits: Limits = DEFAULT_LIMITS
) -> InputError | None:
    """The error of the first file of JSON that is in no known format, if another one is.

    Args:
        folder: The folder.
        kind: `run` or `qrels`.
        name: The preset that is asked for, if one is.
        limits: What is believed of the files.
    """
    files = [InputFile(each, str(each)) for each in sorted(Path(folder).iterdir()) if each.is_file()]
    odd: Path | None = None
    known: tuple[Path, str] | None = None
    for file in files:
        if file.kind not in kinds_of("json") or file.path.name.startswith("."):
            continue
        label = _label(file.path, kind, name, limits)
        known = known or ((file.path, label) if label else None)
        odd = odd or (None if label else file.path)
        if known and odd:
            what = "in no known format" if odd.stat().st_size else "empty"
            message = f"this file is {what}, and {known[0].name} beside it is {known[1]}"
            return FormatError(
                message, where=str(odd), hint="ask for this answer again, or take the file out"
            )
    return None


def _label(file: Path, kind: str, name: str | None, limits: Limits) -> str | None:
    try:
        choice = chosen(str(file), kind, name, limits=limits)
    except InputError:
        return None
    return choice.variant.label if choice else None
