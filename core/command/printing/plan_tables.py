"""What ``dissent plan`` prints: JSON for programs, tables for people."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from core.command.printing.output import describe_interval, print_json, with_reason
from core.command.printing.tables import Cell, format_cell, format_table, name_units
from core.planning.variance import METHOD, UNIT, Variance
from core.reports.planning import AgreementPlan, CostPlan, TopicPlan


@dataclass(frozen=True, eq=False)
class Planned:
    """What was planned; None where nothing was given to plan from."""

    topics: TopicPlan | None
    present: int
    agreement: AgreementPlan | None
    cost: CostPlan | None


def print_plan_json(found: Planned) -> None:
    """Print everything, unrounded."""
    content: dict[str, Any] = {"designs": []}
    if plan := found.topics:
        content["variance"] = {
            "residual": _describe(plan.variance.residual),
            "within": _describe(plan.variance.within),
            "differences": _describe(plan.variance.differences),
        }
        content["designs"] = [_list_design(row) for row in plan.designs.to_dict("records")]
        content["curve"] = _drop_empty(plan.curve)
        content["reached"] = _drop_empty(plan.at(found.present)) if found.present else []
    if agreement := found.agreement:
        spread = agreement.spread
        content["agreement"] = {
            **{"figure": agreement.figure, "value": spread.value, "width": agreement.width},
            **{"alike": spread.alike, "pilot_topics": spread.topics, "pilot_items": spread.items},
            "pilot_width": agreement.now,
            "items": [_with_reason(row) for row in agreement.items.to_dict("records")],
        }
    if cost := found.cost:
        content["cost"] = cost.cost.to_dict("records")
        content["same_cost"] = {
            "hours": cost.hours,
            "depths": [_with_reason(row) for row in cost.same.to_dict("records")],
        }
    print_json(content)


def _describe(variance: Variance) -> dict[str, Any]:
    if not variance.topics:
        return {"value": variance.value}
    entry = {name: getattr(variance, name) for name in ("value", "low", "high")}
    interval = {"interval": METHOD, "unit": UNIT, "units": variance.topics}
    return with_reason({**entry, "interval": describe_interval(interval)}, variance.reason)


def _list_design(row: dict[Any, Any]) -> dict[str, Any]:
    """Return a design; what plays no part in it is null."""
    names = ("method", "alpha", "power", "effect", "width", "systems", "variance", "topics")
    entry = {name: row[name] for name in names}
    entry["topics"] = None if np.isnan(row["topics"]) else int(row["topics"])
    if row["units"]:
        entry |= {"low": row["low"], "high": row["high"], "interval": describe_interval(row)}
    told = row["reason"] if np.isnan(row["topics"]) or row["units"] else ""
    return with_reason(entry, told)


def _with_reason(row: dict[Any, Any]) -> dict[str, Any]:
    kept = {str(name): value for name, value in row.items() if name != "reason"}
    return with_reason(kept, row["reason"])


def _drop_empty(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return rows without what plays no part in them."""
    return [
        {str(name): value for name, value in row.items() if not pd.isna(value)}
        for row in table.to_dict("records")
    ]


def print_plan_tables(found: Planned) -> None:
    """Print topics, items judged twice and cost, as far as they were planned."""
    parts = []
    if found.topics:
        parts.append(_write_topics(found.topics))
        if found.present:
            parts.append(_write_reached(found.topics, found.present))
    if found.agreement:
        parts.append(_write_agreement(found.agreement))
    if found.cost:
        parts.append(_write_cost(found.cost))
    print("\n\n".join(parts))


def _write_topics(plan: TopicPlan) -> str:
    wanted, rows = plan.wanted, list[list[Cell]]()
    for row in plan.designs.to_dict("records"):
        limits = f"{_count(row['low'])} to {_count(row['high'])}" if row["units"] else ""
        topics = row["reason"] if np.isnan(row["topics"]) else _count(row["topics"])
        size = row["effect"] if np.isnan(row["width"]) else f"width {row['width']:.3g}"
        rows.append(
            [row["title"], row["systems"], size, format_cell(row["variance"], 4), topics, limits]
        )
    header = ["design", "systems", "difference", "variance", "topics", "limits"]
    text = format_table(header, rows, title="Topics")
    said = f"power {wanted.power:g} at α = {wanted.alpha:g}"
    if (plan.designs["units"] > 0).all():
        said += f"; {name_units(plan.designs)}, of the variance"
    return f"{text}\n{said}"


def _write_reached(plan: TopicPlan, present: int) -> str:
    titles = dict(zip(plan.designs["method"], plan.designs["title"], strict=True))
    rows: list[list[Cell]] = [
        [titles[row["method"]], row["power"], row["width"], row["effect"]]
        for row in plan.at(present).to_dict("records")
    ]
    header = ["design", "power", "width", "tells"]
    text = format_table(header, rows, title=f"What {present} topics tell")
    return (
        f"{present:,} topics: power for a difference of {plan.wanted.effect:g}, and the least\n"
        f"difference that they tell with power {plan.wanted.power:g}\n{text}"
    )


def _write_agreement(plan: AgreementPlan) -> str:
    spread = plan.spread
    rows: list[list[Cell]] = [
        [
            row["per_topic"],
            format_cell(row["design_effect"], 2),
            row["reason"] or _count(row["topics"]),
            _count(row["items"]),
            row["width"],
        ]
        for row in plan.items.to_dict("records")
    ]
    header = ["items of a topic", "design effect", "topics", "items", "width"]
    source = (
        f"from {spread.items:,} items in {spread.topics:,} topics" if spread.items else "assumed"
    )
    said = (
        f"{plan.figure} {spread.value:.3f}, {source}: items judged twice for a 95 % interval "
        f"{plan.width:g} wide"
    )
    text = format_table(header, rows, title=f"Items judged twice, {plan.figure}")
    if not np.isnan(plan.now):
        text += f"\nas many as in the pilot would give {plan.now:.3f}"
    return f"{said}\n{text}"


def _write_cost(plan: CostPlan) -> str:
    money = bool(plan.cost["money"].any())
    rows: list[list[Cell]] = [
        [row["depth"], _count(row["pool"]), _count(row["judgements"]), format_cell(row["hours"], 1),
         *([_count(row["money"])] if money else [])]
        for row in plan.cost.to_dict("records")
    ]  # fmt: skip
    header = ["depth", "documents a topic", "judgements", "hours", *(["money"] if money else [])]
    text = f"{plan.cost['topics'].iloc[0]:,} topics\n" + format_table(header, rows, title="Cost")
    if plan.same.empty:
        return text
    rows = [
        [row["depth"], row["topics"], format_cell(row["variance"], 4), row["power"],
         row["reason"] or row["effect"]]
        for row in plan.same.to_dict("records")
    ]  # fmt: skip
    header = ["depth", "topics", "variance", "power", "tells"]
    title = f"What {plan.hours:,.1f} hours buy"
    return f"{text}\n\n{title}\n{format_table(header, rows, title=title)}"


def _count(number: float) -> str:
    if np.isinf(number):
        return "more than 100,000"
    return format_cell(None if np.isnan(number) else round(number))
