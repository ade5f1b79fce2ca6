"""What a plan says, in sentences: how many topics, items, hours."""

from collections.abc import Hashable
from typing import Any

import numpy as np

from core.analysis.judging.outlook import tell_hours
from core.numerals import write_number
from core.reports.planning import AgreementPlan, CostPlan, TopicPlan
from core.wording import count, plain

_USUAL_ITEMS = 20
"""Of each topic, in the sentence; the table has other numbers, too."""


def answer_topics(plan: TopicPlan, method: str, measure: str, present: int = 0) -> str:
    """Return in Markdown how many topics are needed, and what those that there are tell.

    Parameters
    ----------
    plan : TopicPlan
        With the design among its rows.
    method : str
        The text of the design.
    measure : str
        What systems are scored by; '' where it is not known.
    present : int
        How many topics there are; 0 for none.
    """
    row = plan.designs.set_index("method").to_dict("index")[method]
    wanted = _tell_wanted(row, f" in {plain(measure)}" if measure else "")
    if np.isnan(row["topics"]):
        return f"{wanted}: {plain(row['reason'])}."
    limits = ""
    if not np.isnan(row["low"]):
        high = "more than 100,000" if np.isinf(row["high"]) else f"{row['high']:,.0f}"
        limits = f" ({row['low']:,.0f} to {high}, as far as the variance is known)"
    needed = f"you need **{count(int(row['topics']), 'topic')}**"
    return f"{wanted} {needed}{limits}{_tell_present(plan, method, present)}."


def _tell_wanted(row: dict[Hashable, Any], measure: str) -> str:
    if np.isnan(row["power"]):
        return (
            f"For a confidence interval of the difference of two systems{measure} that is "
            f"{write_number(float(row['width']))} wide on average"
        )
    several = f", by {row['title']} among {row['systems']} systems,"
    return (
        f"To tell apart systems that differ by {write_number(float(row['effect']))}{measure} with "
        f"power {row['power']:g}{several if int(row['systems']) > 2 else ''}"
    )


def _tell_present(plan: TopicPlan, method: str, present: int) -> str:
    if present < 2:
        return ""
    rows = plan.at(present)
    told = rows.loc[rows["method"] == method, "effect"]
    if told.empty:
        return ""
    told_of = write_number(float(told.iloc[0]))
    return f"; the {present:,} with scores so far tell differences of **{told_of}**"


def answer_agreement(plan: AgreementPlan) -> str:
    """Return in Markdown how many items judged twice make the interval narrow enough."""
    spread, known = plan.spread, plan.items[plan.items["topics"].notna()]
    wanted = (
        f"For a 95 % interval of {plain(plan.figure)} (about {write_number(spread.value)}) that is "
        f"{write_number(plan.width)} wide on average"
    )
    if known.empty:
        return f"{wanted}: {plain(str(plan.items['reason'].iloc[0]))}."
    rows = known.to_dict("records")
    usual = min(rows, key=lambda row: abs(row["per_topic"] - _USUAL_ITEMS))
    said = (
        f"{wanted}, judge **{count(int(usual['items']), 'item')}** twice: {usual['per_topic']:,} "
        f"of each of {count(int(usual['topics']), 'topic')}"
    )
    if np.isnan(plan.now):
        return f"{said}."
    return (
        f"{said}. The {count(spread.items, 'item')} in {count(spread.topics, 'topic')} judged "
        f"twice so far would give **{write_number(plan.now)}**."
    )


def answer_cost(plan: CostPlan, depth: int, least: int | None) -> str:
    """Return in Markdown what judging costs at a depth, and where the same hours tell most.

    Parameters
    ----------
    plan : CostPlan
        By depth.
    depth : int
        The one that is told.
    least : int, optional
        The depth from which pools hold all that the measure looks at; without it, depths are not
        compared.
    """
    row = plan.cost.set_index("depth").to_dict("index")[depth]
    money = f", **{row['money']:,.0f}** in money" if row["money"] > 0 else ""
    said = (
        f"{count(int(row['topics']), 'topic')} with pools of depth {depth}, about "
        f"{row['pool']:,.0f} documents each, are **{row['judgements']:,.0f} judgements**: "
        f"**{tell_hours(float(row['hours']))}**{money}"
    )
    rows = [] if least is None else plan.same.to_dict("records")
    known = [one for one in rows if one["depth"] >= (least or 0) and not np.isnan(one["power"])]
    if not known:
        return f"{said}."
    best = max(known, key=lambda one: one["power"])
    among = f" (of those of {least} or more)" if least and least > 1 else ""
    return (
        f"{said}. The same hours tell most with pools of depth {best['depth']}{among}: "
        f"{count(int(best['topics']), 'topic')}, power {write_number(best['power'], 2)}."
    )
