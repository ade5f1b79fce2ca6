"""What the page about machines answers, in a sentence or two."""

from typing import Any

import pandas as pd

from core.machines.audit import describe_comparison
from core.machines.conclusions import APPEARED, KEPT, TAU, TURNED, VANISHED
from core.numerals import say_p, write_limits, write_number
from core.reports.conclusions import Conclusions
from core.wording import count, mark_fact, plain_with_facts


def answer_agreement(row: "pd.Series[Any]") -> str:
    """Return in Markdown how far a machine agrees with people, beside people themselves.

    Parameters
    ----------
    row : Series
        A row of `compare_with_people`.
    """
    return plain_with_facts(describe_comparison(row.to_dict(), mark_fact))


def answer_conclusions(found: Conclusions, source: str) -> str:
    """Return in Markdown whether the order of systems and significance change under a source."""
    order, counts = (
        rows[rows["source"] == source].iloc[0] for rows in (found.orders, found.significant)
    )
    return plain_with_facts(
        f"By {found.measure}, {_tell_order(found, order)}; {_tell_counts(counts)}."
    )


def _tell_order(found: Conclusions, order: "pd.Series[Any]") -> str:
    rows = found.rankings[found.rankings["source"] == order["source"]]
    tau = rows[rows["coefficient"] == TAU].iloc[0]
    value = f"Kendall's τ-b {write_number(tau['value'])}"
    limits = write_limits(tau["low"], tau["high"]) if pd.notna(tau["low"]) else tau["reason"]
    begun = f"the order of {count(tau['systems'], 'system')} under its labels ({value} {limits}"
    if pd.isna(order["differ"]):
        return f"{begun}) was not tested against people's"
    said = "is shown to differ" if order["differ"] else "is not shown to differ"
    return f"{begun}, {say_p(order['p'])}) {mark_fact(said)} from people's"


def _tell_counts(counts: "pd.Series[Any]") -> str:
    if pd.isna(counts[KEPT]):
        return f"significant differences cannot be compared: {counts['reason']}"
    held = counts[KEPT] + counts[VANISHED] + counts[TURNED]
    lost, turned, new = (mark_fact(f"{counts[one]:,}") for one in (VANISHED, TURNED, APPEARED))
    return (
        f"of {count(held, 'significant difference')} by people's labels {lost} vanish and "
        f"{turned} turn round, and {new} appear"
    )
