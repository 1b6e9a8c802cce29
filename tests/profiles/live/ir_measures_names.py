"""Every measure that ir_measures can compute, with the parameters and cut-offs that are tried."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from treconcile.errors import UsageError
from treconcile.measures.spec import parse_measure

CUT = (1, 3, 20, 1003)
PARAMETERS = {
    "P": ("rel=2", "judged_only=True"),
    "RR": ("rel=2", "judged_only=True"),
    "Rprec": ("rel=2", "judged_only=True"),
    "AP": ("rel=2", "judged_only=True"),
    "R": ("rel=2", "judged_only=True"),
    "Success": ("rel=2", "judged_only=True"),
    "nDCG": ("dcg='exp-log2'", "judged_only=True", "gains={1:3,2:1}"),
    "Bpref": ("rel=2",),
    "infAP": ("rel=2",),
    "NumRet": ("rel=1", "rel=2"),
    "NumRel": ("rel=2",),
    "SetAP": ("rel=2", "judged_only=True"),
    "SetF": ("rel=2", "beta=2.0", "judged_only=True"),
    "SetP": ("rel=2", "relative=True", "judged_only=True"),
    "SetR": ("rel=2",),
    "IPrec": ("rel=2", "judged_only=True"),
    "RBP": ("rel=1", "rel=2,p=0.5"),
    "Accuracy": ("rel=2",),
    "Compat": ("p=0.8", "normalize=False"),
    "alpha_nDCG": ("alpha=0.2", "rel=2"),
    "alpha_DCG": ("alpha=0.2", "rel=2"),
    "NRBP": ("alpha=0.2,beta=0.7", "rel=2"),
    "nNRBP": ("alpha=0.2,beta=0.7", "rel=2"),
    "ERR_IA": ("rel=2",),
    "nERR_IA": ("rel=2",),
    "AP_IA": ("rel=2",),
    "P_IA": ("rel=2",),
    "StRecall": ("rel=2",),
    **dict.fromkeys(
        ("BPM", "SDCG", "NERR8", "NERR9", "NERR10", "NERR11", "INST", "INSQ"),
        ("max_rel=3", "max_rel=3,min_rel=1"),
    ),
}
"""The parameters that are tried besides none."""


def spellings(name: str) -> Iterator[str]:
    """A measure without parameters and with each that is tried, without and with each cut-off."""
    cuts = ("0.0", "0.2", "0.65", "1.0") if name == "IPrec" else CUT
    for given in ("", *PARAMETERS.get(name, ())):
        text = f"{name}({given})" if given else name
        yield from (text, *(f"{text}@{k}" for k in cuts))


def pipeline() -> list[Any]:
    """The providers of the default pipeline, without our own, which registers itself there."""
    import ir_measures

    return [each for each in ir_measures.DefaultPipeline.providers if each.NAME != "treconcile"]


def engine_of(provider: str | None) -> Any:  # noqa: ANN401
    """A provider by name, or the default pipeline."""
    import ir_measures

    if provider:
        return ir_measures.providers.registry[provider]
    return ir_measures.providers.FallbackProvider(pipeline())


def asked(provider: str | None, only: str) -> dict[str, list[Any]]:
    """The measures that a provider says it has, those of one name and parameters together."""
    import ir_measures

    engine = engine_of(provider)
    found: dict[str, list[Any]] = {}
    names = sorted({each.NAME for each in ir_measures.measures.registry.values()})
    for text in (text for name in names if re.fullmatch(only, name) for text in spellings(name)):
        try:
            measure = ir_measures.parse_measure(text)
            if engine.supports(measure):
                parse_measure(text)
                # Together they could be computed with each other's gains.
                found.setdefault(text.partition("@")[0], []).append(measure)
        except (AssertionError, ValueError, UsageError):
            continue
    return found
