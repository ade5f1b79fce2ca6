"""The agreement page's part on every coefficient: overall, by group and by engine."""

import pandas as pd
import streamlit as st

from core.agreement.base import (
    COEFFICIENTS,
    Coefficient,
    PairCoefficient,
    PanelCoefficient,
    name_coefficient,
)
from core.analysis.agreement.between_assessors import (
    agreement_of,
    agreement_of_groups,
    agreement_of_parts,
)
from core.reports.agreement import LINEAR
from pages.shared.figure import show_table
from pages.shared.session import PageContext

CHOOSING = (
    "They correct for chance in different ways. Intervals are 95 %; topics are what is sampled. "
    "Where the coefficients disagree, look at how unevenly the levels are used before you choose "
    "one."
)
GROUPS = (
    "Linear weighted κ of pairs of assessors by the groups of the two, and the differences between "
    "these. Topics are what is sampled. An interval that does not contain 0 is evidence of a real "
    "difference."
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


def every_coefficient(context: PageContext, facet: str) -> pd.DataFrame:
    """Return every coefficient over all assessors, as ``measure_agreement`` does."""
    return agreement_of(context.study, facet).overall


def show_coefficients(context: PageContext, facet: str) -> None:
    """Show every coefficient, and linear weighted κ by group and by engine."""
    _show(every_coefficient(context, facet), "agreement-coefficients", explain_coefficients())
    groups = agreement_of_groups(context.study, facet)
    if len(groups):
        st.header("By group")
        _show(groups, "agreement-groups", GROUPS)
    for part, meaning in PARTS.items():
        table = agreement_of_parts(context.study, facet, part)
        if len(table):
            st.header(f"By {part}")
            _show(table, f"agreement-by-{part.replace(' ', '-')}", meaning)


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


def _show(table: pd.DataFrame, name: str, explanation: str) -> None:
    show_table(
        table,
        name,
        explanation,
        column_config={
            "n": "common items",
            "value": "value" if "coefficient" in table else LINEAR.title,
            "units": "topics",
            "pairs": "pairs" if "pairs" in table else None,
        },
        written={"coefficient": name_coefficient} if "coefficient" in table else None,
    )
