"""The `ir-metadata.yml` beside a run for TIRA: what ir_metadata asks for, as far as it is known.

Source: https://www.ir-metadata.org/metadata/overview/. The keys are those of its schema 0.1. What is not
known is named in comments for the user to fill in; nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Mapping

from treconcile._version import __version__

NAME = "ir-metadata.yml"

_ABOUT = f"""\
# ir_metadata of this run (https://www.ir-metadata.org), written by treconcile {__version__}.
# It says what the converted files say. Only you know the rest, which TIRA may ask for:
#   platform: hardware, operating system, and software: libraries, retrieval toolkit
#   implementation: executable: cmd, and source: lang, repository, commit
#   resources: what indexing and search took
#   research goal: description, venue, publication, evaluation
#   method: automatic, indexing, retrieval
#   actor: team, name, mail
#   data: test collection: name, source, ir_datasets, and training data
"""


def ir_metadata(tag: str, *, test_collection: Mapping[str, str]) -> bytes:
    """The metadata of a run, as YAML.

    Args:
        tag: The name of the run.
        test_collection: Where its `qrels` and `topics` were read from, as far as they are known.
    """
    import yaml

    known: dict[str, object] = {
        "schema-version": 0.1,
        "tag": tag,
        "platform": {"software": {"libraries": {"python": [f"treconcile=={__version__}"]}}},
    }
    if test_collection:
        known["data"] = {"test collection": dict(test_collection)}
    text: str = yaml.safe_dump(known, sort_keys=False, allow_unicode=True, width=1000)
    return (_ABOUT + text).encode()
