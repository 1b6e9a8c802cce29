"""The types of NumPy arrays that stand in signatures, one name for each."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Codes: TypeAlias = NDArray[np.int32]  # half the memory of 64 bits matters over millions of rows
Words: TypeAlias = NDArray[np.uint64]  # eight bytes of text, or a hash
Flags: TypeAlias = NDArray[np.bool_]
