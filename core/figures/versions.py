"""Figures of qrels versions."""

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from core.figures.line_names import shorten
from core.figures.style import COLOURS, lay_out, plain_text

COLUMNS = 2
ROW_HEIGHT = 190


def draw_level_distributions(rows: pd.DataFrame) -> go.Figure:
    """Draw how the levels of several versions are spread, a small panel for each.

    Parameters
    ----------
    rows : DataFrame
        version, written (the level), documents, share; the panels come in the order in which
        versions first appear, their bars in the order of the rows. At least one row.
    """
    versions = list(rows["version"].unique())
    lines = -(-len(versions) // COLUMNS)
    figure = make_subplots(
        rows=lines,
        cols=COLUMNS,
        subplot_titles=[shorten(version) for version in versions],
        shared_yaxes=True,
        vertical_spacing=0.48 / lines if lines > 1 else 0,
        horizontal_spacing=0.06,
    )
    for index, version in enumerate(versions):
        one = rows[rows["version"] == version]
        figure.add_bar(
            x=list(map(plain_text, one["written"])),
            y=one["share"],
            name=plain_text(version),
            text=[f"{number:,}" for number in one["documents"]],
            textposition="outside",
            cliponaxis=False,
            marker={"color": COLOURS[0]},
            hovertemplate="level %{x}: %{text} documents, %{y:.1%}<extra></extra>",
            row=index // COLUMNS + 1,
            col=index % COLUMNS + 1,
        )
    lay_out(figure, x="", y="", height=70 + ROW_HEIGHT * lines, legend=False)
    figure.update_layout(margin={"l": 45, "r": 10, "t": 40, "b": 40})
    figure.update_xaxes(type="category", title=None)
    highest = float(rows["share"].max())
    figure.update_yaxes(title=None, tickformat=".0%", range=[0, max(highest, 0.01) * 1.25])
    figure.update_annotations(font_size=12)
    return figure
