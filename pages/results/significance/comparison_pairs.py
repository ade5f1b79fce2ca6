"""One condition in detail: which systems differ, by how much, and how significantly."""

import streamlit as st

from core.analysis.base.wording import plain
from core.comparison.bayes import PRIOR, ROPE, compare_posterior
from core.comparison.conditions import BY, Comparison
from core.comparison.power import significant, superscripts
from core.comparison.score_matrix import ScoreMatrix
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
    _show_posterior(basis, chosen.name, matrix)


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
        "Every two systems: the difference of their means with 95 % limits, which hold for all "
        "pairs at once (each alone where no correction was chosen; topics are the sample); p, "
        "corrected like that; and the effect size, the difference in standard deviations. A small "
        "p says that there is a difference, not that it is large.",
        column_config={
            "difference": number(format="%.4f"),
            "low": number("from", format="%.4f"),
            "high": number("to", format="%.4f"),
            "p": number(format="%.4f"),
            "effect_size": number("effect size", format="%.2f"),
            "reason": "why empty" if shown["reason"].any() else None,
        },
        column_order=[
            *("first", "second", "difference", "low", "high", "p", "effect_size", "reason")
        ],
        nobody=("first", "second"),
    )


def _show_posterior(basis: ComparisonBasis, name: str, matrix: ScoreMatrix) -> None:
    """Show how likely each of two systems is better, where somebody looks."""
    with st.expander("How likely is one better? (Bayesian)"):
        rope = st.number_input(
            "Practically equal within", 0.0, value=ROPE, step=0.01, width=220, key="comparison-rope"
        )
        percent = st.column_config.NumberColumn
        show_table(
            basis.of_conditions(compare_posterior(matrix, rope).assign(condition=name, rope=rope)),
            "comparison-posterior",
            "Every two systems: the posterior probability that the first is better by more than "
            f"{rope:g}, that both are equal within {rope:g}, and that the second is better; the "
            f"95 % credible limits of the difference (topics are the sample). Prior: {PRIOR}.",
            column_config={
                "difference": percent(format="%.4f"),
                "low": percent("from", format="%.4f"),
                "high": percent("to", format="%.4f"),
                "first_better": percent("first better", format="percent"),
                "equal": percent(format="percent"),
                "second_better": percent("second better", format="percent"),
            },
            column_order=[
                *("first", "second", "first_better", "equal", "second_better"),
                *("difference", "low", "high"),
            ],
            nobody=("first", "second"),
        )
