"""What judging has cost, what the rest would cost, and what stopping now saves."""

import pandas as pd
import streamlit as st

from core.analysis.judging.enough import Enough, costs_of
from core.analysis.judging.outlook import tell_hours
from core.analysis.results.qrels_choices import QrelsChoice
from core.stopping.costs import Price
from pages.shared.figure import show_table
from pages.shared.session import PageContext


def show_cost(context: PageContext, choice: QrelsChoice, found: Enough) -> None:
    """Ask what an hour or a label costs, and show labels, hours and money."""
    left, right = st.columns(2)
    hour = left.number_input("Price of an hour", 0.0, key="enough-hour", step=1.0, format="%.2f")
    label = right.number_input(
        "Price of a label", 0.0, key="enough-label", step=0.01, format="%.2f"
    )
    costs = costs_of(context.study, choice, found, Price(hour, label))
    rest = costs["to the full pool"]
    money = f" and {rest.money:,.2f} in any currency" if hour or label else ""
    st.markdown(
        f"Stopping now would save about {rest.labels:,.0f} labels, {tell_hours(rest.hours)}{money}."
    )
    rows = pd.DataFrame(
        [
            {"what": what, "labels": one.labels, "hours": one.hours, "money": one.money}
            for what, one in costs.items()
        ]
    )
    number = st.column_config.NumberColumn
    show_table(
        rows,
        "enough-cost",
        "Labels given here so far with the active time on record, and a forecast of what is left: "
        "the unjudged items of the pool, at as many labels an item as so far and at the median "
        "time of a label. Imported labels cost nothing. Prices are not kept.",
        nobody=("what",),
        column_order=["what", "labels", "hours", *(("money",) if hour or label else ())],
        column_config={
            "what": "",
            "labels": number(format="%.0f"),
            "hours": number(format="%.1f"),
            "money": number(format="%.2f"),
        },
    )
