"""Frames and records as JSON: unrounded, what is not defined as null, times in UTC.

Frames as Parquet, from which pandas makes the same frame again.
"""

import io
from datetime import datetime
from typing import Any

import numpy as np
import pandas as pd


def to_records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a frame."""
    names = [str(name) for name in frame.columns]
    return [
        dict(zip(names, map(to_plain, row), strict=True))
        for row in frame.itertuples(index=False, name=None)
    ]


def to_plain(value: Any) -> Any:
    """Return a value as JSON has it."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, list | tuple | np.ndarray):
        return [to_plain(one) for one in value]
    if isinstance(value, dict):
        return {str(name): to_plain(one) for name, one in value.items()}
    if value is None or value is pd.NaT or value is pd.NA:
        return None
    if isinstance(value, datetime):
        return value.isoformat() + ("" if value.tzinfo else "Z")
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value if isinstance(value, str | int | float | bool) else str(value)


def write_frame(frame: pd.DataFrame) -> bytes:
    """Return a frame as Parquet, with what pandas has to know of its columns."""
    out = io.BytesIO()
    frame.to_parquet(out, index=False)
    return out.getvalue()
