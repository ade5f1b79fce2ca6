"""How pages show figures and tables: with an explanation and the data one click away.

Columns of the data behind figures and tables of which it is known whether they name people.
In all others, and in those that pages name themselves, codes stand for people wherever they are.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, cast

import numpy as np
import pandas as pd
import streamlit as st

from core.collection.export.delimited import write_table
from core.collection.export.table_formats import ENDINGS, TABLE_FORMATS, tabulate
from core.language.translate import t
from core.numerals import tell_limits_apart
from core.reports.report import SAMPLED, Column, Report
from core.store.people.hidden_names import find_names, hide_names
from pages.server.running import server
from pages.shared.session import shown_collection, while_signed_in
from pages.shared.table import Writers, draw_table

NOBODY = frozenset(
    {
        "topic_id", "topic", "query", "type of topic", "vertical", "stratum", "agreement",
        "document_id", "document", "documents", "title", "url", "shown", "engine",
        "system", "first_system", "second_system", "mover", "best_first", "best_second",
        "letter", "better_than", "facet", "label", "level", "gold", "judgement", "decided",
        "written", "page", "snippet", "state", "group", "between", "within", "standing",
        "measure", "first_measure", "second_measure", "short", "target", "known", "inferred",
        "coefficient", "interval", "test", "correction", "curve", "view", "recursion",
        "intent", "intents", "status", "weights", "p_shown", "weight_shown", "wanted",
        "content", "content_hash", "first_content_hash", "second_content_hash", "rule_hash",
        "n", "value", "low", "high", "labels", "topics", "pairs", "last_event", "undecided",
        "tied", "unpaired", "unweighed", "series", "here", "relevant", "unit",
    }
)  # fmt: skip
"""Topics, documents, systems, levels, measures, numbers and fixed words; groups are shown."""
LISTED = frozenset(
    {
        "version", "condition", "rule", "collection", "reason", "reason_agreement",
        "reason_gold", "why", "topic_set", "first_topic_set", "second_topic_set",
    }
)  # fmt: skip
"""What is called by fixed words or by organisers: it names people as a whole, or in lists."""

NAMES_IN_DATA = "names-in-data"
"""Whether somebody has asked for names in the data behind figures, for as long as they stay."""

_UNUSED = ("pan2d", "select2d", "lasso2d", "zoomIn2d", "zoomOut2d", "autoScale2d")
_SHOWN_WITH = {"displaylogo": False, "modeBarButtonsToRemove": _UNUSED}
"""To save, to zoom and back, to enlarge: screens without a mouse always show the buttons."""

_STYLE = (
    '<style>[data-testid="stElementToolbarButton"]:has(button[aria-label="Download as CSV"])'
    "{display:none}"
    '[data-testid="stPlotlyChart"]:has(.heatmaplayer .hm) .scatterlayer .textpoint text'
    "{fill:currentColor!important}</style>"
)


def style_figures() -> None:
    """Write numbers in cells as the page's text is, and take away the tables' own download.

    Streamlit gives figures a grey for text, too pale on a dark cell; the download would hand
    formulas out as they are.
    """
    st.html(_STYLE)


def show_figure(
    figure: Any,
    data: pd.DataFrame,
    name: str,
    explanation: str,
    *,
    nobody: Collection[str] = (),
    listed: Collection[str] = (),
) -> None:
    """Draw a figure, with what it shows and its data underneath.

    Parameters
    ----------
    figure : plotly Figure
        From core.figures.
    data : DataFrame
        The numbers in it.
    name : str
        A file name without its ending; also the widgets' key, so one for each page.
    explanation : str
        What it shows, what may be concluded, and what not; Markdown.
    nobody, listed : collection of str
        Columns of these data that are known as those in `NOBODY` and `LISTED` are, besides.
    """
    image = {"toImageButtonOptions": {"format": "svg", "filename": name}}
    st.plotly_chart(figure, key=name, config={**_SHOWN_WITH, **image})
    _offer(data, name, explanation, nobody, listed)


def show_table(
    data: pd.DataFrame,
    name: str,
    explanation: str,
    *,
    nobody: Collection[str] = (),
    listed: Collection[str] = (),
    **options: Any,
) -> None:
    """Draw a table as `draw_table` does, with what it shows and its data underneath.

    The data have numbers as they are; see `show_figure`.
    """
    draw_table(data, **options)
    _offer(data, name, explanation, nobody, listed)


def _count_digits(rows: pd.DataFrame, limits: Sequence[str], digits: int) -> int:
    """Return the decimals of a column: more, where limits in a row would be drawn alike."""
    if not limits:
        return digits
    ends = rows[list(limits)].to_numpy(np.float64, na_value=np.nan)
    near = ends[np.ptp(ends, axis=1) < 10.0**-digits]
    return max((tell_limits_apart(low, high, digits) for low, high in near), default=digits)


def show_report(
    report: Report | type[Report],
    table: str,
    name: str,
    explanation: str,
    *,
    rows: pd.DataFrame | None = None,
    stamp: Callable[[pd.DataFrame], pd.DataFrame] = lambda rows: rows,
    without: Collection[str] = (),
    written: Writers | None = None,
    column_config: Mapping[str, Any] | None = None,
    **options: Any,
) -> None:
    """Show a table of a report as `show_table` does, with the columns that people see of it.

    The columns stand in the report's order and go by its heads, with their limits and how many of
    what is sampled there are; why something is missing stands last.

    Parameters
    ----------
    report : Report
        Its class is enough where rows are given.
    table : str
        One of its tables that says which columns people see, and whom their texts may name.
    name, explanation : str
        See `show_figure`.
    rows : DataFrame, optional
        What is shown in place of all rows; the data have all its columns.
    stamp : callable, optional
        Adds columns to the data: what they are based on.
    without : collection of str
        Columns that are in the data only, as the page says them.
    written : mapping of str to function, optional
        What writes cells that are codes to the report, such as levels and people.
    column_config : mapping, optional
        What is drawn otherwise here than everywhere.
    **options
        What else ``st.dataframe`` takes.
    """
    table_of_report = report.tables[table]
    rows = cast("Report", report).table(table) if rows is None else rows
    sampled, numbers = _find_sampled(rows)
    if table_of_report.across:
        table_of_report, rows = table_of_report.side_by_side(rows)
    rows = stamp(rows)
    shown: dict[str, Column] = {}
    for one, column in table_of_report.select(
        rows.drop(columns=[*without], errors="ignore")
    ).items():
        limits = table_of_report.limits(one, rows) or ()
        column = column._replace(digits=_count_digits(rows, limits, column.digits))
        shown[one] = column
        for end, head in zip(limits, ("from", "to"), strict=False):
            shown[end] = column._replace(head=head, meaning="")
    if "units" in rows and len(numbers) > 1:
        shown["units"] = Column(sampled)
    show_table(
        rows,
        name,
        f"{explanation} Limits rest on {numbers[0]:,.0f} {sampled}."
        if len(numbers) == 1
        else explanation,
        nobody={one for one, column in table_of_report.columns.items() if column.names == "nobody"},
        listed={one for one, column in table_of_report.columns.items() if column.names == "lists"},
        pinned=next(iter(shown), ""),
        column_order=[*dict.fromkeys((*shown, "reason"))],
        column_config={**shown, **(column_config or {})},
        written={one: column.write for one, column in shown.items() if column.write}
        | {**(written or {})},
        **options,
    )


def _find_sampled(rows: pd.DataFrame) -> tuple[str, list[float]]:
    """Return what is sampled in rows with limits, and how many of it; ('', []) if rows differ."""
    if not {"low", "unit", "units"} <= {*rows}:
        return "", []
    known = rows[rows["low"].notna()]
    if len(unit := known["unit"].unique()) != 1:
        return "", []
    return SAMPLED.get(unit[0], f"{unit[0]}s"), list(known["units"].unique())


def write_data(
    find: Callable[[], pd.DataFrame],
    *,
    nobody: Collection[str] = (),
    listed: Collection[str] = (),
    write: Callable[[pd.DataFrame], bytes] = write_table,
) -> Callable[[], bytes]:
    """Return what writes data, as CSV, with codes for people unless names were asked for."""
    collection_id, names = shown_collection(), st.session_state.get(NAMES_IN_DATA, False)
    columns = {"nobody": NOBODY.union(nobody), "listed": LISTED.union(listed) - {*nobody}}

    def make() -> bytes:
        data = find()
        if collection_id and not names:
            data = hide_names(server().store, collection_id, data, **columns)
        return write(data)

    return while_signed_in(make)


def hide_in_name(version: str) -> str:
    """Return what a version is called in the name of a file: people by codes, as in the data."""
    collection_id, names = shown_collection(), st.session_state.get(NAMES_IN_DATA, False)
    if names or not collection_id:
        return version
    return find_names(server().store, collection_id).in_lists(version)


def _offer(
    data: pd.DataFrame,
    name: str,
    explanation: str,
    nobody: Collection[str],
    listed: Collection[str],
) -> None:
    with st.container(horizontal=True):
        with st.popover(t("What does this show?"), icon=":material/help:", type="tertiary"):
            st.markdown(explanation)
            _offer_for_papers(data, name, nobody, listed)
        st.download_button(
            t("Data"),
            data=write_data(lambda: data, nobody=nobody, listed=listed),
            file_name=f"{name}.csv",
            mime="text/csv",
            icon=":material/download:",
            type="tertiary",
            key=f"download-{name}",
            on_click="ignore",
        )


def _offer_for_papers(
    data: pd.DataFrame, name: str, nobody: Collection[str], listed: Collection[str]
) -> None:
    """Offer the data as a table for LaTeX and for Markdown, rounded as tables show them."""
    with st.container(horizontal=True):
        for form, title in (("latex", "LaTeX"), ("md", "Markdown")):
            st.download_button(
                title,
                data=write_data(
                    lambda: data, nobody=nobody, listed=listed, write=_write_as(form, name)
                ),
                file_name=f"{name}.{ENDINGS[form]}",
                mime="text/plain",
                icon=":material/download:",
                type="tertiary",
                key=f"download-{name}-{form}",
                on_click="ignore",
            )


def _write_as(form: str, name: str) -> Callable[[pd.DataFrame], bytes]:
    """Return what writes data as a table in a format, titled by the name of its file."""
    title = name.replace("-", " ").capitalize()
    return lambda data: TABLE_FORMATS[form](tabulate(data, title)).encode("utf-8", "replace")
