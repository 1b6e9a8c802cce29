"""The shapes in which a probe can be handed to a function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

FEATURES = {
    "ranked": {"list": {"repeats"}, "dict": {"scores"}, "pairs": {"scores", "repeats"}},
    "relevant": {"dict": {"grades"}},
    "run": {"": {"scores", "ids", "run"}},
    "qrels": {"": {"grades"}},
    "scores": {"flat": {"scores"}, "nested": {"scores"}},
    "labels": {"flat": {"grades"}, "nested": {"grades"}},
}
"""What an argument can hand over, by its role and shape; `Probe.needs` has the words."""


@dataclass(frozen=True)
class Slot:
    """One argument.

    Attributes:
        role: `ranked`, `relevant`, `k`, `literal`; `run` and `qrels` of several queries; `labels` and
            `scores` as arrays.
        shape: Of ranked: `list`, `dict` or `pairs`; of relevant: `set`, `list` or `dict`; of arrays: `flat`
            or `nested`.
        keyword: The name it is passed by; None: by position.
        value: The value of a literal.
    """

    role: str
    shape: str = ""
    keyword: str | None = None
    value: Any = None

    def make(self, probe: Mapping[str, Any]) -> Any:  # noqa: ANN401 - whatever the function takes
        """The argument for a probe as `Probe.to_request` gives it."""
        if self.role in ("run", "qrels"):
            return {
                query["name"]: value
                for query in probe["queries"]
                if (value := _entry(query, self.role)) is not None
            }
        if self.role == "k":
            return probe["k"]
        if self.role == "literal":
            return self.value
        query = probe["queries"][0]
        if self.role in ("labels", "scores"):
            return _array(query, self.role, self.shape)
        return _ranked(query, self.shape) if self.role == "ranked" else _relevant(query, self.shape)

    def source(self, probe: Mapping[str, Any]) -> str:
        """The argument as Python source."""
        value = self.make(probe)
        if self.role in ("labels", "scores"):
            text = f"np.array({value.tolist()!r})"
        elif isinstance(value, set):
            text = "{" + ", ".join(map(repr, sorted(value))) + "}" if value else "set()"
        else:
            text = repr(value)
        return f"{self.keyword}={text}" if self.keyword else text


@dataclass(frozen=True)
class Form:
    """All arguments of a call."""

    slots: tuple[Slot, ...]

    @property
    def takes_k(self) -> bool:
        """Whether a cut-off is handed over."""
        return any(slot.role == "k" for slot in self.slots)

    @property
    def features(self) -> frozenset[str]:
        """What it can hand over."""
        features = {"empty"}
        for slot in self.slots:
            features |= FEATURES.get(slot.role, {}).get(slot.shape, set())
        return frozenset(features)

    def make(self, probe: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """The arguments by position and those by name."""
        by_position = [slot.make(probe) for slot in self.slots if slot.keyword is None]
        return by_position, {
            slot.keyword: slot.make(probe) for slot in self.slots if slot.keyword is not None
        }

    def source(self, probe: Mapping[str, Any], name: str) -> str:
        """The call as Python source."""
        return f"{name}({', '.join(slot.source(probe) for slot in self.slots)})"

    def to_dict(self) -> list[dict[str, Any]]:
        """The form as JSON can hold it."""
        return [asdict(slot) for slot in self.slots]

    @classmethod
    def from_dict(cls, slots: Sequence[Mapping[str, Any]]) -> Form:
        """The form from what `to_dict` gave."""
        return cls(tuple(Slot(**slot) for slot in slots))

    def __str__(self) -> str:
        return ", ".join(map(_slot_text, self.slots))


def _slot_text(slot: Slot) -> str:
    text = repr(slot.value) if slot.role == "literal" else slot.role
    shown = f"{text} ({slot.shape})" if slot.shape else text
    return f"{slot.keyword}={shown}" if slot.keyword else shown


def _entry(query: Mapping[str, Any], role: str) -> dict[str, Any] | None:
    if role == "qrels":
        return None if query["grades"] is None else dict(query["grades"])
    return None if query["ranked"] is None else {document: score for document, score, _ in query["ranked"]}


def _ranked(query: Mapping[str, Any], shape: str) -> Any:  # noqa: ANN401 - a list or a dictionary
    hits = query["ranked"] or []
    pairs = [(document, score) for document, score, _ in hits]
    return (
        dict(pairs) if shape == "dict" else pairs if shape == "pairs" else [document for document, _ in pairs]
    )


def _relevant(query: Mapping[str, Any], shape: str) -> Any:  # noqa: ANN401 - a set, a list or a dictionary
    grades = query["grades"] or {}
    if shape == "dict":
        return dict(grades)
    relevant = [document for document, grade in grades.items() if grade > 0]
    # Only a probe for this has a repetition to hand over.
    relevant += query.get("again", [])
    return relevant if shape == "list" else set(relevant)


def _array(query: Mapping[str, Any], role: str, shape: str) -> Any:  # noqa: ANN401 - an array
    import numpy as np

    grades, hits = query["grades"] or {}, query["ranked"] or []
    row = [grades.get(document, 0) if role == "labels" else score for document, score, _ in hits]
    array = np.array(row, dtype=np.int64 if role == "labels" else np.float64)
    return array[np.newaxis, :] if shape == "nested" else array
