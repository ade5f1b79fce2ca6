"""Figures read from Plotly's JSON are the figures that were written."""

import numpy as np
import plotly.graph_objects as go
import pytest

from core.figures.printed import print_figure, read_figure
from tests.each import each


def test_what_was_written_reads_back_and_prints_the_same():
    pytest.importorskip("matplotlib")
    values = np.array([0.25, 0.5, 0.75])
    whiskers = {"type": "data", "array": values / 10, "arrayminus": values / 5}
    drawn = go.Figure(
        go.Scatter(x=values, y=["a", "b", "c"], mode="markers", error_x=whiskers, name="means")
    )
    text = drawn.to_json(engine="json").encode()
    assert b"bdata" in text
    read = read_figure(text)
    assert list(read.data[0].x) == values.tolist()
    assert print_figure(read, "svg") == print_figure(drawn, "svg")


@each("text", [b"", b"{", b'{"data": [{"type": "magic"}]}'])
def test_what_is_no_figure_is_refused(text):
    with pytest.raises(ValueError, match=r"Expecting|Invalid"):
        read_figure(text)
