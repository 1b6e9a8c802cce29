"""The types of NumPy arrays that stand in signatures, one name for each."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
Integers: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]
Codes: TypeAlias = np.ndarray[
    Any, np.dtype[np.int32]
]  # half the memory of 64 bits matters over millions of rows
Words: TypeAlias = np.ndarray[Any, np.dtype[np.uint64]]  # eight bytes of text, or a hash
Flags: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]
