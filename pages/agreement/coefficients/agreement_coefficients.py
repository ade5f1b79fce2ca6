"""The agreement page's part on every coefficient: overall, by group and by engine."""

import streamlit as st

from core.agreement.base import (
    COEFFICIENTS,
    Coefficient,
    PairCoefficient,
    PanelCoefficient,
)
from core.analysis.agreement.between_assessors import (
    agreement_of,
    agreement_of_groups,
    agreement_of_parts,
)
from core.reports.agreement import MOST_DIFFERENCES
from pages.shared.figure import show_report
from pages.shared.session import PageContext

CHOOSING = (
    "They correct for chance in different ways. Intervals are 95 %; topics are what is sampled. "
    "Where the coefficients disagree, look at how unevenly the levels are used before you choose "
    "one."
)
GROUPS = (
    "Linear weighted κ of pairs of assessors by the groups of the two. Topics are what is sampled."
)
DIFFERENCES = (
    "The differences between these: an interval that does not contain 0 is evidence of a real "
    "difference. Topics are what is sampled."
)
PARTS = {
    "engine": "Agreement on the snippets of each engine. An engine on whose snippets people "
    "disagree may return ambiguous results, or write uninformative snippets.",
    "vertical": "Agreement on the snippets of each vertical, the kind of source that an engine "
    "searches. People can disagree more about pictures than about news, say, without being less "
    "careful.",
    "type of topic": "Agreement on the topics of each type. Where it is low, check whether the "
    "topics of that type say clearly what is wanted.",
}


def show_coefficients(context: PageContext, facet: str) -> None:
    """Show every coefficient, and linear weighted κ by group and by engine."""
    found = agreement_of(context.study, facet)
    show_report(found, "overall", "agreement-coefficients", explain_coefficients())
    groups = agreement_of_groups(context.study, facet)
    if len(groups):
        st.header("By group")
        show_report(found, "groups", "agreement-groups", GROUPS, rows=groups)
        if found.count_differences() <= MOST_DIFFERENCES and len(found.differences):
            show_report(found, "differences", "agreement-group-differences", DIFFERENCES)
    for part, meaning in PARTS.items():
        table = agreement_of_parts(context.study, facet, part)
        if len(table):
            st.header(f"By {part}")
            name = f"agreement-by-{part.replace(' ', '-')}"
            heads = {"part": part}
            show_report(found, "engines", name, meaning, rows=table, column_config=heads)


def explain_coefficients() -> str:
    """Return what each coefficient is, those of pairs of assessors first."""
    kinds = (
        ("Pooled over pairs of assessors", PairCoefficient),
        ("Of all assessors at once", PanelCoefficient),
    )
    listed = [
        f"{what}: {'; '.join(_explain(one) for one in COEFFICIENTS if issubclass(one, kind))}."
        for what, kind in kinds
    ]
    return "  \n".join([*listed, CHOOSING])


def _explain(entry: type[Coefficient]) -> str:
    return f"**{entry.symbol}**, {entry.description}"
