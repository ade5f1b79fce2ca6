"""Numbers written as text, many at a time."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from pandas import Series

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def parse_number(text: str) -> float:
    """Return the number that a text writes down in full; NaN when it is anything else."""
    return float(text) if _NUMBER.fullmatch(text) else math.nan


def parse_numbers(texts: Series[str]) -> NDArray[np.float64]:
    """Return the number of each text, shape (n,); NaN where there is none."""
    import numpy as np
    from pandas import factorize

    codes, distinct = factorize(texts)
    values = np.array([parse_number(text) for text in distinct], dtype=np.float64)
    return values[codes] if len(values) else np.empty(0)
