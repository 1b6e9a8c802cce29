"""What each line of a TREC run has, and what is raised where that is not proven."""

COLUMN_NAMES = ("query_id", "_q0", "doc_id", "rank", "score", "tag")
"""The columns of a file; names that begin with `_` are not kept."""
FIELDS = len(COLUMN_NAMES)


class NeedsExactReader(Exception):  # noqa: N818 - not an error: another reader takes over
    """The file is not of the kind that can be read in pieces."""
