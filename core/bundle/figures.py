"""The figures of a bundle, as Plotly's JSON, drawn from its tables as they are printed."""

import io
import json

import pandas as pd

from core.bundle.printed import print_table
from core.collection.export.delimited import restore
from core.figures.agreement import draw_intervals
from core.figures.comparison import draw_means
from core.figures.style import Figure


def draw_figures(tables: dict[str, bytes]) -> dict[str, bytes]:
    """Return figures by the names of their entries.

    Parameters
    ----------
    tables : dict
        Printed tables by name; a figure is drawn where its table is there.
    """
    figures: dict[str, Figure] = {}
    if "agreement" in tables:
        for facet, own in _read(tables["agreement"]).groupby("facet", sort=False):
            rows = own.assign(name=own["coefficient"], counted=True)
            figures[f"agreement-{facet}"] = draw_intervals(rows, x=f"agreement, {facet}s")
    if "ranking" in tables:
        ranking = _read(tables["ranking"])
        for number, (measure, own) in enumerate(ranking.groupby("measure", sort=False), start=1):
            figures[f"means-{number:02}"] = draw_means(own, str(measure), "qrels")
    return {f"figures/{name}.json": _write(one) for name, one in figures.items()}


def print_tables(tables: dict[str, pd.DataFrame]) -> dict[str, bytes]:
    """Return tables as they are printed, by name."""
    return {name: print_table(table) for name, table in tables.items()}


def _read(table: bytes) -> pd.DataFrame:
    """Return a printed table with its numbers as numbers."""
    texts = {"facet", "coefficient", "measure", "qrels", "system", "reason", "interval", "unit"}
    frame = pd.read_csv(io.BytesIO(table), dtype=dict.fromkeys(texts, "str"), na_values=[""])
    for name in texts & set(frame):
        frame[name] = [restore(text) for text in frame[name].fillna("")]
    return frame


def _write(figure: Figure) -> bytes:
    # A running server draws with a look of its own unless a figure says which it has.
    drawn = json.loads(figure.update_layout(template="plotly_white").to_json(engine="json"))
    return (json.dumps(drawn, sort_keys=True, ensure_ascii=False) + "\n").encode()
