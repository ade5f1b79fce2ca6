"""Figures read from Plotly's JSON."""

import json
from base64 import b64decode
from typing import Any

import numpy as np
import plotly.graph_objects as go


def read_figure(drawn: bytes) -> go.Figure:
    """Return the figure that Plotly's JSON describes, its packed numbers as lists.

    Raises
    ------
    ValueError
        It is no JSON, or describes no figure.
    """
    return go.Figure(_unpack(json.loads(drawn)))


def _unpack(value: Any) -> Any:
    if isinstance(value, list):
        return [_unpack(one) for one in value]
    if not isinstance(value, dict):
        return value
    if {"bdata", "dtype"} <= set(value):
        return np.frombuffer(b64decode(value["bdata"]), np.dtype(value["dtype"])).tolist()
    return {key: _unpack(one) for key, one in value.items()}
