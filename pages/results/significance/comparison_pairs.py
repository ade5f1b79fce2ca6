"""One condition in detail: which systems differ, by how much, and how significantly."""

import streamlit as st

from core.comparison.bayes import PRIOR, ROPE
from core.comparison.conditions import BY, Comparison
from core.comparison.power import significant
from core.figures.comparison import draw_significance_matrix
from core.reports.compare import SystemComparison
from core.wording import plain
from pages.results.significance.comparison_basis import ComparisonBasis
from pages.shared.figure import show_figure, show_report
from pages.shared.session import PageContext

MOST_IN_MATRIX = 40


def show_one_condition(
    context: PageContext, basis: ComparisonBasis, report: SystemComparison
) -> None:
    """Show the differences of one condition, and the pairs behind it."""
    comparison = report.comparison
    tested = {one.name: one for one in comparison.conditions if one.matrix is not None}
    if not tested:
        return
    chosen = tested[_choose_condition(context, list(tested))]
    measure = basis.facts.set_index(BY)["measure"][chosen.name]
    ranked = comparison.ranked[comparison.ranked[BY] == chosen.name].sort_values("rank")
    if len(ranked) <= MOST_IN_MATRIX:
        show_figure(
            draw_significance_matrix(
                chosen.pairs, ranked["system"].tolist(), comparison.alpha, plain(measure)
            ),
            basis.of_conditions(chosen.pairs.assign(condition=chosen.name)),
            "comparison-differences",
            f"Every two systems under '{plain(chosen.name)}', the best first. The column is better "
            "by its mean, and darker by more; a dot marks differences that are significant at "
            f"α = {comparison.alpha:g}. The pointer shows the difference with the 95 % limits of "
            "the test, where it has any, and p. A cell without a dot may hide a difference that "
            "the test cannot show.",
            nobody=("first", "second"),
        )
    else:
        st.caption(f"With more than {MOST_IN_MATRIX} systems there is no matrix; see the table.")
    _show_pairs(basis, comparison, chosen.name)
    _show_posterior(basis, report, chosen.name)


def _choose_condition(context: PageContext, names: list[str]) -> str:
    """Return which condition is looked at closely, where there are several."""
    if len(names) == 1:
        return names[0]
    with context.sheet.choices:
        return st.selectbox(
            "Under the condition",
            names,
            label_visibility="collapsed",
            width=220,
            key="comparison-closely",
        )


def _show_pairs(basis: ComparisonBasis, comparison: Comparison, name: str) -> None:
    (pairs,) = (one.pairs for one in comparison.conditions if one.name == name)
    clear = significant(pairs, comparison.alpha)
    every = st.toggle(
        f"Show all {len(pairs):,} pairs, not only the {len(clear):,} significant ones",
        key="comparison-all-pairs",
    )
    shown = pairs if every or clear.empty else clear
    shown = shown.sort_values("p", kind="stable", ignore_index=True)
    show_report(
        SystemComparison,
        "pairs",
        "comparison-pairs",
        "Every two systems: the difference of their means with the 95 % limits of the test, which "
        "leave out 0 where p < .05 and hold for all pairs at once (each alone where no correction "
        "was chosen; topics are the sample); p, corrected like that; and the effect size, the "
        "difference in standard deviations. A small p says that there is a difference, not that it "
        "is large.",
        rows=shown.assign(condition=name),
        stamp=basis.of_conditions,
        without=[BY],
    )


def _show_posterior(basis: ComparisonBasis, report: SystemComparison, name: str) -> None:
    """Show how likely each of two systems is better, where somebody looks."""
    with st.expander("How likely is one better? (Bayesian)"):
        rope = st.number_input(
            "Practically equal within", 0.0, value=ROPE, step=0.01, width=220, key="comparison-rope"
        )
        show_report(
            report,
            "posterior",
            "comparison-posterior",
            "Every two systems: the posterior probability that the first is better by more than "
            f"{rope:g}, that both are equal within {rope:g}, and that the second is better; the "
            f"95 % credible limits of the difference (topics are the sample). Prior: {PRIOR}.",
            rows=report.bayesian(rope, name).assign(rope=rope),
            stamp=basis.of_conditions,
            without=[BY],
        )
