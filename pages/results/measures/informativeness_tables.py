"""Errors of inferred curves, other measures inferred, and the outcome of the inference problems."""

import json

import pandas as pd
import streamlit as st

from core.figures.informativeness import STATISTICS, draw_curve_errors, draw_inference
from core.informativeness.inferred_curves import VIEWS
from core.informativeness.solve import STATUS
from core.wording import plain
from pages.results.measures.informativeness_study import ShownStudy
from pages.shared.figure import show_figure, show_report, write_data

ABOUT_ERRORS = (
    "The error of the inferred precision at the ranks of relevant documents: the root mean square "
    "error (*RMS*) and the mean absolute error (*MAE*) of each ranking, averaged over rankings. "
    "Hollow markers are the baseline: only the number of relevant documents is known, and they are "
    "spread evenly over the ranks. The farther a measure is to the left of its baseline, the more "
    "its value adds; a measure to the right of it misleads. Rankings without a relevant document "
    "have no curve and are left out. Compare measures within one view only: the mean over intents "
    "exists for measures by intent only, and averaging makes all errors smaller."
)
ABOUT_INFERENCE = (
    "One measure is known (row) and another one is inferred from it (column), as the mean over "
    "topics of each run. *Kendall's τ-b*: how well the predicted order of the runs matches their "
    "true order; 1 is the same order. *RMSR* and *MARE*: the error of the inferred means relative "
    "to the actual ones; 0 is no error. Darker is a larger number, so dark is good for τ and bad "
    "for the errors. A measure without intents cannot predict a measure by intent: –. Similar "
    "measures predict each other well, so a measure's row depends on which other measures you "
    "chose."
)
ABOUT_STATUSES = "An inference problem is one measure's value on one ranking. " + " ".join(
    f"*{status.capitalize()}*: {meaning}." for status, meaning in STATUS.items()
)


def show_errors(shown: ShownStudy) -> None:
    """Show how far the curves inferred from each measure are from the actual ones."""
    st.header("Where the relevant documents stand", anchor=False)
    errors, names = shown.study.curve_errors, shown.names
    views = [view for view in VIEWS if view in set(errors["curve"])]
    view = views[0]
    if len(views) > 1:
        view = st.segmented_control(
            "Curve",
            views,
            default="union",
            format_func=VIEWS.__getitem__,
            required=True,
            key="informativeness-view",
            help="Every measure allows only relevance to any intent to be inferred.",
        )
    rows = errors[errors["curve"] == view]
    show_figure(
        draw_curve_errors(rows, names),
        shown.stamp(rows),
        "informativeness-errors",
        ABOUT_ERRORS,
    )
    show_report(
        shown.report,
        "curve_errors",
        "informativeness-curve-errors",
        ABOUT_ERRORS,
        stamp=shown.stamp,
        without=() if len(views) > 1 else ["curve"],
        written={"measure": names.__getitem__},
    )


def show_inference(shown: ShownStudy) -> None:
    """Show how well each measure predicts each other one."""
    inference, names = shown.study.inference, shown.names
    if inference.empty:
        return
    st.header("Other measures, predicted", anchor=False)
    statistic = st.segmented_control(
        "How well",
        list(STATISTICS),
        default="tau",
        format_func=STATISTICS.__getitem__,
        required=True,
        key="informativeness-statistic",
    )
    show_figure(
        draw_inference(inference, names, statistic),
        shown.stamp(inference),
        "informativeness-inference",
        ABOUT_INFERENCE,
    )
    with st.expander("The same as a table"):
        show_report(
            shown.report,
            "inference",
            "informativeness-inference-table",
            ABOUT_INFERENCE,
            stamp=shown.stamp,
            written=dict.fromkeys(("target", "measure"), names.__getitem__),
        )


def show_statuses(shown: ShownStudy) -> None:
    """Show what became of the problems, and why some have no solution."""
    st.header("Outcome of the inference problems", anchor=False)
    show_report(
        shown.report,
        "statuses",
        "informativeness-statuses",
        ABOUT_STATUSES,
        stamp=shown.stamp,
        written={"measure": shown.names.__getitem__},
    )
    problems = shown.study.problems
    lost = problems[problems["reason"] != ""]
    if len(lost):
        show_report(
            shown.report,
            "problems",
            "informativeness-unsolved",
            "The inference problems that are left out of all results above, with the reason.",
            rows=lost.drop(columns="p"),
            stamp=shown.stamp,
        )
    st.download_button(
        "Every inference problem with its probabilities",
        data=write_data(lambda: shown.stamp(write_lists(problems)), nobody=("p",)),
        file_name="informativeness-problems.csv",
        mime="text/csv",
        icon=":material/download:",
        type="tertiary",
        on_click="ignore",
    )
    st.caption(
        plain(
            "In the file, p has one list for each intent with a relevant document: the probability "
            "of relevance at each rank."
        )
    )


def write_lists(problems: pd.DataFrame) -> pd.DataFrame:
    """Return problems with their lists of probabilities as JSON, for a file."""
    return problems.assign(p=[json.dumps(lists) for lists in problems["p"]])
