"""What can be written, as pages."""

from __future__ import annotations

from treconcile.conversion.targets import KINDS, LOSSES, TARGETS, Target
from treconcile.errors import UsageError, did_you_mean
from treconcile.rendering.page import Page
from treconcile.rendering.table import Cell, Table


def targets_page() -> Page:
    """One row a target."""
    rows: list[tuple[Cell, ...]] = [
        (target.kind, target.name, target.title, f"--from {target.read_as}") for target in TARGETS
    ]
    return Page(Table(("kind", "name", "what it is", "read again with"), rows))


def target_page(name: str) -> Page:
    """The targets of a name, of whatever kind, or those of a kind.

    Raises:
        UsageError: There is none.
    """
    matches = [target for target in TARGETS if name in (target.name, target.kind, *target.also)]
    if not matches:
        known = {*KINDS, *(name for target in TARGETS for name in (target.name, *target.also))}
        hint = did_you_mean(name, known, "see `treconcile list targets`")
        raise UsageError(f"there is no target {name!r}", hint=hint)
    rows: list[tuple[Cell, ...]] = [
        (
            target.kind,
            target.name,
            target.title,
            losses_of(target) or "-",
            f"--from {target.read_as}",
            ", ".join(target.also) or "-",
        )
        for target in matches
    ]
    return Page(Table(("kind", "name", "what it is", "leaves out", "read again with", "also called"), rows))


def losses_of(target: Target) -> str:
    """What a target cannot hold, in words."""
    return "; ".join(LOSSES[name] for name in target.loses)
