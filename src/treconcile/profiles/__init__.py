"""Named conventions of real tools: data in `data/*.toml`, one entry a tool, version and setting.

A profile is a convention, with changes for single measures where the tool mixes several.
`resolve` reads what users write after `-C`: a profile's name, axis changes, or both joined by `+`.

    >>> str(resolve("beir+rel:2").for_measure("RR", 10).changed())
    'ties:input duplicates:last rel:2 extra:fail over:judged mean_round:5'
"""

from treconcile.profiles.profile import Profile, known_profile, profiles, resolve

__all__ = ["Profile", "known_profile", "profiles", "resolve"]
