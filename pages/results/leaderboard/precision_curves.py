"""Precision by recall: interpolated or exact over all topics, both on one topic."""

from typing import Any

import pandas as pd
import streamlit as st

from core.figures.curves import draw_precision_points
from core.figures.effectiveness import draw_precision_recall
from core.reports.curves import CurvesQuestion, RankingCurves
from pages.results.leaderboard.curve_choice import CurveChoice

ELEVEN, EXACT = "11-point", "exact"

ABOUT_ELEVEN = (
    "Interpolated precision at eleven levels of recall, mean over topics. Left: precision at the "
    "top of the list; right: the precision that remains when all relevant documents have to be "
    "found. A curve that lies above another throughout is better for every kind of search; where "
    "curves cross, the better system depends on how much somebody wants to find. Recall is "
    "relative to the documents judged relevant; those that were never pooled are not included. "
    "Small differences may be chance."
)
ABOUT_ELEVEN_OF_TOPIC = (
    "One topic: the best precision at each of eleven levels of recall or beyond. It is 0 where the "
    "list ends before so much was found. One topic has few documents: use this to explain a score, "
    "not to decide which system is better."
)
ABOUT_RANKS = (
    "Each marker is one rank, from left to right: the mean precision there against the mean "
    "recall, nothing interpolated. It shows what somebody who reads that far has found. The lists "
    "are cut off at the last rank drawn, so a curve that ends early is not worse for that, and "
    "recall is relative to the documents judged relevant. Small differences may be chance."
)
ABOUT_POINTS = (
    "One topic. Each marker is a relevant document that the system found: how high it stands is "
    "the precision of the list down to it. The staircase is interpolated precision, the best "
    "precision at this recall or beyond; at the vertical grid lines it gives the eleven-point "
    "curve. Beyond the last document found it is 0. One topic has few documents: use this to "
    "explain a score, not to decide which system is better."
)


def show_precision(choice: CurveChoice) -> None:
    """Show precision by recall of the chosen systems."""
    report = choice.ask(CurvesQuestion(rel=choice.scoring.rel))
    kind = st.segmented_control(
        "Precision by recall",
        [ELEVEN, EXACT],
        default=ELEVEN,
        required=True,
        key="curve-precision",
        persist_state="page",
        help="11-point: interpolated, at recall 0, .1 … 1. Exact: on one topic at every relevant "
        "document, with the staircase of interpolation; over all topics mean precision against "
        f"mean recall at ranks 1 to {report.depth}.",
    )
    if kind == ELEVEN:
        _show_eleven(choice, report)
    elif choice.averaged:
        _show_by_rank(choice, report)
    else:
        _show_points(choice, report)


def _show_eleven(choice: CurveChoice, report: RankingCurves) -> None:
    curve = choice.pick(report, "eleven_points")
    if curve.empty:
        st.info("Nothing that was judged on this topic is relevant.")
        return
    explanation = ABOUT_ELEVEN if choice.averaged else ABOUT_ELEVEN_OF_TOPIC
    told = report.tell_precision(*choice.told_of)
    _show(choice, draw_precision_recall(curve), curve, explanation, "interpolated P", told=told)


def _show_by_rank(choice: CurveChoice, report: RankingCurves) -> None:
    curve = choice.pick(report, "ranks")
    figure = draw_precision_recall(curve, exact=True)
    _show(choice, figure, curve, ABOUT_RANKS, "P and R", depth=report.depth)


def _show_points(choice: CurveChoice, report: RankingCurves) -> None:
    points = choice.pick(report, "recall_points")
    if points.empty:
        st.info("None of these systems finds anything relevant on this topic.")
        return
    figure = draw_precision_points(points)
    _show(choice, figure, points, ABOUT_POINTS, "P and interpolated P")


def _show(
    choice: CurveChoice,
    figure: Any,
    curve: pd.DataFrame,
    explanation: str,
    measure: str,
    **shown: Any,
) -> None:
    name = f"{measure} (rel={choice.scoring.rel:g})"
    choice.show(figure, curve, "precision-recall", explanation, measure=name, **shown)
