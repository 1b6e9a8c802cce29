"""`treconcile convert` of preferences to preferences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treconcile.cli.output import say_written
from treconcile.cli.terminal import tell
from treconcile.conversion.collection import counted
from treconcile.conversion.prefs_write import prefs_lines
from treconcile.conversion.reading import located
from treconcile.errors import UsageError

if TYPE_CHECKING:
    from treconcile.cli.conversions import Job
    from treconcile.conversion.collection import Collection
    from treconcile.model import Preferences


def rewrite_preferences(job: Job, given: Collection, preferences: Preferences) -> None:
    """Write preferences as they are, which as judgments might have no meaning.

    Raises:
        UsageError: Something is asked for that only judgments can follow.
        InputError: An id is not known, or cannot be written.
    """
    from treconcile.trec_eval.preferences import valued_documents

    job.mapped.refuse_without_mapping()
    if job.mapped.collapse:
        raise UsageError("--collapse has no meaning for preferences", hint="their documents are not joined")
    valued = valued_documents(preferences)
    notices = [*preferences.notices, *given.unknown(valued, job.unknown)]
    with located(valued):
        notices += job.write(prefs_lines(preferences.table), given)
    tell(notices)
    queries = counted(len(preferences.queries), "query", "queries")
    say_written(job.output, f"{counted(preferences.table.height, 'value', 'values')} of {queries}")
