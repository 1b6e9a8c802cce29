"""Named conventions of real tools: data in `data/*.toml`, one entry a tool, version and setting.

A profile is a convention, with changes for single measures where the tool mixes several.
`resolve` reads what users write after `-C`: a profile's name, axis changes, or both joined by `+`.

    >>> str(resolve("trec_eval-9+ties:input").for_measure("P", 10).changed())
    'ties:input score_precision:float32 missing:skip empty:as-missing'
"""

from treconcile.profiles.profile import Profile
from treconcile.profiles.table import known_profile, profiles, resolve

__all__ = ["Profile", "known_profile", "profiles", "resolve"]
