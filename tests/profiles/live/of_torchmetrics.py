"""torchmetrics, one query at a time, over the retrieved documents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from profiles.live.data import Data, Situations
from profiles.live.named import function, named
from profiles.live.tool import Answers, Live, each


def torchmetrics(profile: str, **settings: bool) -> Callable[[Data], Answers]:
    """The functions of torchmetrics on tensors of scores and grades."""

    def call(data: Data) -> Answers:
        import torch
        from torchmetrics.functional import retrieval

        known = replace(data, judged=[*data.judged, *((query, "0", "", 0) for query in data.run)])

        def score(native: str) -> Callable[[str, list[str]], float]:
            name, given = function(native)

            def of(query: str, docs: list[str]) -> float:
                grades = torch.tensor([known.qrels[query].get(doc, 0) for doc in docs])
                target = grades if name.endswith("dcg") else grades > 0
                predicted = torch.tensor([score for _, score in known.run[query]])
                return float(getattr(retrieval, name)(predicted, target, **given, **settings))

            return of

        only = "retrieval_precision.top_k.*" if settings else ".*"
        return {ours: each(known, score(native)) for native, ours in named(profile, only).items()}

    return call


SHALLOW = Situations(deep=False)
"""Long sums in single precision are not precise enough."""

TOOLS = (
    Live("torchmetrics", ("torchmetrics",), torchmetrics("torchmetrics"), may=SHALLOW),
    Live(
        "torchmetrics-adaptive_k", ("torchmetrics",), torchmetrics("torchmetrics-adaptive_k", adaptive_k=True)
    ),
)
