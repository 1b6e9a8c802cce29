"""What accepting a new snapshot changes, and how it is accepted."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from treconcile.comparison.versions.changes import Changes
from treconcile.comparison.versions.compare_systems import compare_systems
from treconcile.comparison.versions.settings import Settings
from treconcile.comparison.versions.snapshot import read_snapshot
from treconcile.comparison.versions.snapshot_form import contents, read_stored
from treconcile.files.text_files import read_file, write_all_atomic


@dataclass(frozen=True, eq=False)
class Blessing:
    """A new snapshot and the accepted one.

    Attributes:
        source: The new one.
        target: The path of the accepted one, which need not be there yet.
        changes: What is between them; None if there is no accepted one, or no measure in common.
        is_new: There is no accepted one.
        same: Both hold the same, whatever version or command made them.
    """

    source: str
    target: str
    changes: Changes | None
    is_new: bool
    same: bool

    @classmethod
    def of(cls, source: str, target: str) -> Blessing:
        """Compare a new snapshot with the accepted one.

        Raises:
            FormatError: One of them is not a snapshot.
            FileError: One of them cannot be read.
        """
        after = read_snapshot(source, f"{Path(source).name} (new)")
        if not Path(target).exists():
            return cls(source, target, None, is_new=True, same=False)
        before = read_snapshot(target, f"{Path(target).name} (accepted)")
        shared = [measure for measure in before.values if measure in after.values]
        changes = compare_systems(before, [after], shared, Settings(), force=True) if shared else None
        same = contents(read_stored(target)) == contents(read_stored(source))
        return cls(source, target, changes, is_new=False, same=same)

    @property
    def changes_something(self) -> bool:
        """Whether the accepted snapshot would be another one."""
        return not self.same

    def accept(self) -> None:
        """Copy the new snapshot to the place of the accepted one.

        Raises:
            FileError: It cannot be written; the accepted one is left as it was.
        """
        if self.changes_something:
            Path(self.target).parent.mkdir(parents=True, exist_ok=True)
            write_all_atomic([(self.target, read_file(self.source).stored)])
