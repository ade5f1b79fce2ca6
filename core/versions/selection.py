"""Which labels a rule takes."""

from collections.abc import Iterable

import pandas as pd

from core.collection.labels.counted_labels import counted_labels
from core.errors import BadInput
from core.versions.rules import QrelsRule


def order_labels(labels: pd.DataFrame, until_sequence: int | None) -> pd.DataFrame:
    """Return the labels in the order in which they were first given."""
    if "sequence" not in labels:
        if until_sequence is not None:
            raise BadInput("these labels carry no event sequence to stop at", field="sequence")
        return labels
    ordered = labels.sort_values("sequence", kind="stable")
    return ordered if until_sequence is None else ordered[ordered["sequence"] <= until_sequence]


def select_labels(labels: pd.DataFrame, rule: QrelsRule, facets: Iterable[str]) -> pd.DataFrame:
    """Return the labels that a rule admits; slots are counted among those left."""
    counted = counted_labels(labels).astype({"level": "float64"})
    selections = {
        "facet": tuple(facets),
        "topic_id": rule.topics,
        "assessor_id": rule.assessors,
        "group": rule.groups,
        "round_id": rule.rounds,
    }
    for column, wanted in selections.items():
        if wanted and column not in counted:
            raise BadInput(
                f"these labels have no {column.removesuffix('_id')} to select by", field=column
            )
        if wanted:
            counted = counted[counted[column].isin(wanted)]
    if rule.slots:
        counted = counted[_slot(counted).isin(rule.slots)]
    return counted if "engine" in counted else counted.assign(engine="")


def last_sequence(events: pd.DataFrame | None) -> int:
    """Return the highest event sequence; 0 where events carry none."""
    if events is None or events.empty or "sequence" not in events:
        return 0
    return int(events["sequence"].max())


def _slot(labels: pd.DataFrame) -> "pd.Series[int]":
    """Return for each label which assessor of its topic gave it, from 1."""
    pair = [labels["topic_id"], labels["assessor_id"]]
    newcomer = ~labels.duplicated(["topic_id", "assessor_id"])
    number = newcomer.groupby(labels["topic_id"]).cumsum().where(newcomer)
    return number.groupby(pair).transform("first").astype("int64")
