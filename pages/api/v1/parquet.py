"""Frames as Parquet, from which pandas makes the same frame again."""

import io

import pandas as pd


def write_frame(frame: pd.DataFrame) -> bytes:
    """Return a frame as Parquet, with what pandas has to know of its columns."""
    out = io.BytesIO()
    frame.to_parquet(out, index=False)
    return out.getvalue()
