"""Reading what a page has drawn: its words, and the numbers in its figures."""

import base64
import json
from typing import Any

import numpy as np
import pandas as pd
from streamlit.testing.v1 import AppTest

PAGE = "effectiveness"


def said(at: AppTest) -> str:
    return "\n".join(part.value for part in [*at.markdown, *at.caption, *at.info])


def draw(open_page, person: str, **state: Any) -> AppTest:
    at = open_page(PAGE, person, **state)
    assert not at.exception
    return at


def figure_of(at: AppTest, axis: str) -> dict[str, Any]:
    """Return the figure whose y axis begins so, or the x axis where y has no title."""
    for chart in at.get("plotly_chart"):
        figure = json.loads(chart.proto.spec)
        titles = [figure["layout"][one]["title"].get("text", "") for one in ("yaxis", "xaxis")]
        if (titles[0] or titles[1]).startswith(axis):
            return figure
    raise AssertionError(f"no figure of {axis}")


def numbers(values: Any) -> list[float]:
    if isinstance(values, dict):
        return np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"]).tolist()
    return list(values)


def lines(figure: dict[str, Any]) -> dict[str, list[float]]:
    return {trace["name"]: numbers(trace["y"]) for trace in figure["data"]}


def of_system(curve: pd.DataFrame, column: str = "value") -> dict[str, list[float]]:
    return {str(name): part[column].tolist() for name, part in curve.groupby("system")}
