"""Checks the documentation: `python docs/check.py` verifies it, with `--write` it is brought up to date.

Three things in a Markdown file are checked:

- what follows `<!-- run -->`: a fenced block whose lines after `$` are commands, run in a temporary
  directory that holds the ten-document example; the lines below each are its real output;
- every fenced block of Python with `>>>`, run as a session in the same directory;
- what stands between `<!-- generated: NAME -->` and `<!-- end -->`, made from the tables in the code.

Links within the repository are checked, too. Version numbers are not compared, and no optional tool counts as
installed, so the result is the same on every machine.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "src")]

from _check.blocks import renewed  # noqa: E402 - the path comes first
from _check.links import broken_links  # noqa: E402
from _check.presets import missing_pages  # noqa: E402
from _check.sessions import Sessions, masked  # noqa: E402


def pages() -> list[Path]:
    """Every page: the README, then those below `docs`."""
    return [HERE.parent / "README.md", *sorted(HERE.rglob("*.md"))]


def problems(chosen: Sequence[Path] | None = None, *, write: bool = False) -> list[str]:
    """What is wrong, each with the page; pages are rewritten where that helps.

    Args:
        chosen: The pages to look at; all of them if not given.
        write: Replace outputs and generated parts that are out of date.
    """
    found: list[str] = []
    for page, text in missing_pages().items():
        if write:
            page.write_text(text, encoding="utf-8")
        else:
            found.append(f"{page.relative_to(HERE.parent).as_posix()}: there is no such page")
    looked_at = pages() if chosen is None else chosen
    with Sessions() as sessions:
        for page in looked_at:
            old = page.read_text(encoding="utf-8")
            new, complaints = renewed(old, sessions)
            name = page.relative_to(HERE.parent).as_posix()
            found += [f"{name}: {complaint}" for complaint in complaints]
            if masked(new) == masked(old):
                continue
            if write:
                page.write_text(new, encoding="utf-8")
                sys.stderr.write(f"written: {name}\n")
            else:
                found.append(_difference(name, old, new))
    return found + [each for page in looked_at for each in broken_links(page, HERE.parent)]


def _difference(name: str, old: str, new: str) -> str:
    lines = difflib.unified_diff(
        old.splitlines(),
        new.splitlines(),
        f"{name} (as it is)",
        f"{name} (as it should be)",
        lineterm="",
        n=2,
    )
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    """Check or write, and return the exit status."""
    if arguments not in ([], ["--write"]):
        sys.stderr.write("usage: python docs/check.py [--write]\n")
        return 2
    found = problems(write=bool(arguments))
    for each in found:
        print(each)
    if found and not arguments:
        sys.stderr.write("\nhint: `python docs/check.py --write` writes outputs and generated parts anew\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
