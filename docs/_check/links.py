"""Links within the repository: the file and the heading have to be there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"`[^`\n]*`")


def broken_links(page: Path, root: Path) -> list[str]:
    """A line for each link of a page that leads nowhere."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    name = page.relative_to(root).as_posix()
    return [
        f"{name}: the link {target} leads nowhere"
        for target in LINK.findall(text)
        if not re.match(r"[a-z]+:", target) and not _leads_somewhere(page, target)
    ]


def _leads_somewhere(page: Path, target: str) -> bool:
    path, _, anchor = target.partition("#")
    goal = (page.parent / path).resolve() if path else page
    if not goal.exists():
        return False
    return not anchor or anchor in anchors(goal.read_text(encoding="utf-8"))


def anchors(text: str) -> set[str]:
    """The names that the headings of a page can be linked by."""
    headings = re.findall(r"^#+ (.*)$", FENCE.sub("", text), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.strip().replace(" ", "-") for heading in plain}
