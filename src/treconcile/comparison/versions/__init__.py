"""What changed from one version of a search to others: queries, documents, and whether it can be told."""

from treconcile.comparison.versions.changes import Changes
from treconcile.comparison.versions.closer_look import CloserLook
from treconcile.comparison.versions.compare_systems import compare_systems
from treconcile.comparison.versions.repeats import group_repeats
from treconcile.comparison.versions.settings import Settings

__all__ = ["Changes", "CloserLook", "Settings", "compare_systems", "group_repeats"]
