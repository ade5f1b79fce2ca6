"""One condition in detail: which systems differ, by how much, and how significantly."""

import streamlit as st

from core.analysis.base.wording import plain
from core.comparison.conditions import BY, Comparison
from core.comparison.power import significant, superscripts
from pages.results.significance.comparison_basis import ComparisonBasis
from pages.shared.figure import show_table


def show_one_condition(basis: ComparisonBasis, comparison: Comparison) -> None:
    """Show the systems of one condition with whom each beats, and the pairs behind it."""
    tested = {
        one.name: (one, one.matrix) for one in comparison.conditions if one.matrix is not None
    }
    if not tested:
        return
    st.subheader("Who beats whom", anchor=False)
    chosen, matrix = tested[
        st.selectbox("Under the condition", list(tested), key="comparison-closely")
        if len(tested) > 1
        else next(iter(tested))
    ]
    letters = superscripts(matrix, chosen.pairs, comparison.alpha)
    measure = basis.facts.set_index(BY)["measure"][chosen.name]
    show_table(
        basis.of_conditions(letters.assign(condition=chosen.name)),
        "comparison-superscripts",
        f"Mean {plain(measure)} under '{plain(chosen.name)}', the best first. A system is better "
        f"than those with the letters behind it, significantly at α = {comparison.alpha:g}. A pair "
        "that is not listed may still differ: the test does not show it.",
        column_config={
            "letter": st.column_config.TextColumn("", width="small"),
            "system": st.column_config.TextColumn(pinned=True),
            "mean": st.column_config.NumberColumn(format="%.4f"),
            "better_than": st.column_config.TextColumn("better than", width="large"),
        },
        column_order=["letter", "system", "mean", "better_than"],
    )
    _show_pairs(basis, comparison, chosen.name)


def _show_pairs(basis: ComparisonBasis, comparison: Comparison, name: str) -> None:
    (pairs,) = (one.pairs for one in comparison.conditions if one.name == name)
    clear = significant(pairs, comparison.alpha)
    every = st.toggle(
        f"Show all {len(pairs):,} pairs, not only the {len(clear):,} significant ones",
        key="comparison-all-pairs",
    )
    shown = pairs if every or clear.empty else clear
    shown = shown.sort_values("p", kind="stable", ignore_index=True)
    number = st.column_config.NumberColumn
    show_table(
        basis.of_conditions(shown.assign(condition=name)),
        "comparison-pairs",
        "Every two systems: the difference of their means, p (already corrected for the number of "
        "pairs, unless no correction was chosen), and the effect size, the difference in standard "
        "deviations. A small p says that there is a difference, not that it is large.",
        column_config={
            "difference": number(format="%.4f"),
            "p": number(format="%.4f"),
            "effect_size": number("effect size", format="%.2f"),
            "reason": "why empty" if shown["reason"].any() else None,
        },
        column_order=["first", "second", "difference", "p", "effect_size", "reason"],
        nobody=("first", "second"),
    )
