"""What the variance of scores comes from, and how many topics tell systems apart."""

import numpy as np
import streamlit as st

from core.comparison.variance import ENOUGH, VarianceStudy
from core.numerals import write_limits, write_number
from core.reports.compare import SystemComparison
from pages.results.significance.comparison_basis import ComparisonBasis
from pages.shared.figure import show_table


def show_variance(basis: ComparisonBasis, report: SystemComparison) -> None:
    """Show variance components and generalisability coefficients."""
    found = report.variances
    if not found:
        return
    st.header("Where the variance comes from", anchor=False)
    for split in found:
        if len(found) > 1:
            st.markdown(f"*{', '.join(split.conditions)}*")
        st.markdown(_describe(split.study))
    show_table(
        basis.of_columns(report.variance),
        "comparison-variance",
        "The variance of the scores by its sources: how far topics differ, systems differ, the "
        "versions differ that judge the same topics, and what they do together; the last holds "
        "chance, too. Topics, systems and versions are taken for samples of many.",
        column_config={
            "variance": st.column_config.NumberColumn(format="%.5f"),
            "share": st.column_config.NumberColumn(format="percent"),
            "degrees": "degrees of freedom",
        },
        column_order=[
            *(["conditions"] if len(found) > 1 else []),
            *("source", "variance", "share", "degrees"),
        ],
    )


def _describe(study: VarianceStudy) -> str:
    if np.isnan(study.relative):
        return f"{study.reason[0].upper()}{study.reason[1:]}."
    limits = "" if np.isnan(study.low) else f" {write_limits(study.low, study.high)}"
    needed = (
        f"{study.topics_needed:,.0f} topics would give {ENOUGH:g}"
        if np.isfinite(study.topics_needed)
        else f"no number of topics would give {ENOUGH:g} with so few versions"
    )
    return (
        f"With {study.topics:,} topics the generalisability coefficient Eρ² is "
        f"**{write_number(study.relative)}**{limits}: 1 if other topics gave the same order of "
        f"systems. {needed[0].upper()}{needed[1:]}. Φ, for the means themselves, is "
        f"{write_number(study.absolute)}."
    )
