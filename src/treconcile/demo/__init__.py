"""The ten-document example: what `treconcile demo` searches, judges and scores.

It is small enough to be checked by hand, and it is used as a user would use the library: `search` and
`metrics` are a team's own code, which knows nothing of treconcile; the two JSON files are a team's own data.
"""

from importlib.resources import files

DOCUMENTS = files(__name__) / "documents.json"
"""Ten short instructions in Russian: `[{"id", "text"}]`."""

QRELS = files(__name__) / "qrels.json"
"""Six queries and the documents that answer them: `[{"id", "query", "relevant", "why"}]`."""
