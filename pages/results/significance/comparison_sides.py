"""Conditions side by side: means, orders, and which differences are significant."""

import pandas as pd
import streamlit as st

from core.comparison.choices import HOLLANDER_WOLFE, MEANING
from core.comparison.conditions import BY
from core.comparison.power import asl_curve
from core.figures.comparison import (
    draw_asl_curves,
    draw_means,
    draw_overlaps,
    draw_tau_intervals,
)
from core.reports.compare import SystemComparison
from pages.results.significance.comparison_basis import ComparisonBasis
from pages.shared.figure import show_figure, show_report


def show_means(basis: ComparisonBasis, report: SystemComparison) -> None:
    """Show each system's mean and rank under every condition."""
    st.header("Scores", anchor=False)
    comparison = report.comparison
    ranked, several = comparison.ranked, len(comparison.conditions) > 1
    first = comparison.conditions[0].name
    measure = basis.measure or "score"
    show_figure(
        draw_means(ranked, measure),
        basis.of_conditions(ranked),
        "comparison-means",
        f"Each system's mean under every condition, systems in the order of '{first}' (compare "
        "Sakai 2017, Figures 1 and 2). A line that never rises has the same order; where lines "
        "cross, systems swap ranks. Do not compare heights between versions or measures: their "
        "scales differ."
        if several
        else "Each system's mean, the best first.",
    )
    show_report(
        report,
        "ranking",
        "comparison-ranks",
        "The mean of every system with its 95 % limits, and its rank. Equal means share a rank.",
        stamp=basis.of_columns,
    )


def show_orders(basis: ComparisonBasis, report: SystemComparison) -> None:
    """Show how alike the orders of systems are."""
    st.header("Similarity of the orders", anchor=False)
    comparison, orders = report.comparison, report.orders
    names, sakai = [one.name for one in comparison.conditions], "equivalent" in orders
    show_figure(
        draw_tau_intervals(orders, names),
        basis.of_pairs(orders),
        "comparison-tau",
        "Kendall's τ-b of every two orders with its 95 % interval (compare Sakai 2017, Tables 3 "
        f"and 6): 1 is the same order, 0 unrelated, −1 reversed. Limits: {MEANING[_unit(orders)]}. "
        "Bold orders are shown to differ: were the true order one, chance would hardly ever give "
        "so low a τ. The others are not shown to differ, which does not make them equal.",
        listed=("first", "second"),
    )
    show_report(
        report,
        "orders",
        "comparison-orders",
        "Every two conditions: Kendall's τ-b with its interval; p of one true order, and below "
        "which τ the orders would have been shown to differ; τ_AP, RBO and RBA, which weigh the "
        "top of the order more; Spearman's ρ; how many systems move more than two ranks, and the "
        "system that moves most; which system is best under each."
        + (" Equivalent by Sakai's rule: the upper limit reaches 1." if sakai else ""),
        stamp=basis.of_pairs,
    )


def _unit(orders: pd.DataFrame) -> str:
    return HOLLANDER_WOLFE if "equivalent" in orders else str(orders["unit"].iloc[0])


def show_significance(basis: ComparisonBasis, report: SystemComparison) -> None:
    """Show how many differences each condition finds, and which of them others find, too."""
    st.header("Which differences are significant", anchor=False)
    _show_power(basis, report)
    comparison, overlap = report.comparison, report.overlap
    if overlap.empty:
        return
    names = [one.name for one in comparison.conditions if one.matrix is not None]
    explanation = (
        "Of the pairs of systems that differ significantly under either of two conditions: how "
        "many do so under the first only / under both / under the second only, and the share of "
        "both, the significance overlap (compare Sakai 2017, Tables 4 and 7). *Reversed* counts "
        "pairs that are significant under both in opposite directions; each counts once for the "
        "first only and once for the second only."
    )
    show_figure(
        draw_overlaps(overlap, names),
        basis.of_pairs(overlap),
        "comparison-overlap",
        f"{explanation} Read a cell as only its row / both / only its column.",
        nobody=("text",),
        listed=("first", "second"),
    )
    show_report(report, "overlap", "comparison-overlap-table", explanation, stamp=basis.of_pairs)


def _show_power(basis: ComparisonBasis, report: SystemComparison) -> None:
    comparison = report.comparison
    alpha = comparison.alpha
    show_report(
        report,
        "power",
        "comparison-power",
        f"Discriminative power: how many pairs of systems differ significantly at α = {alpha:g} "
        "(compare Sakai 2017, Tables 5 and 8). *Only here* counts those that are significant under "
        "none of the other conditions. With fewer topics, fewer pairs differ significantly, "
        "whatever the quality of the topics. No p can be below *least p*, however clear the "
        "difference.",
        stamp=basis.of_conditions,
        without=() if len(comparison.conditions) > 1 else ["only_here"],
    )
    tested = [one for one in comparison.conditions if not one.pairs.empty]
    if not tested:
        return
    curves = pd.concat([_rise(one.name, asl_curve(one.pairs)) for one in tested])
    show_figure(
        draw_asl_curves(curves, alpha),
        basis.of_conditions(curves),
        "comparison-asl",
        "The achieved significance levels: p of every pair of systems, the smallest first. Where a "
        "line crosses α, read off how many pairs are significant; a line further to the right has "
        "more significant pairs. Values of p above the drawn range are in the data.",
        nobody=("first", "second"),
    )


def _rise(name: str, curve: pd.DataFrame) -> pd.DataFrame:
    """Return a curve of falling p from its other end."""
    rising = curve.iloc[::-1].reset_index(drop=True)
    return rising.assign(**{BY: name}, pair=rising.index + 1)
