"""Hours and payment: how long everybody judged, and what that comes to at a rate."""

import pandas as pd

from core.analysis.base.labels import mark_machines, name_assessors
from core.analysis.base.study import Study
from core.errors import BadInput
from core.store.people.members import list_members
from core.store.people.pseudonyms import hide_assessors
from core.store.rounds.label_rounds import read_active_time

LONGEST_MINUTES = 10
"""What one answer counts for at most, unless somebody chooses otherwise."""

_MS_PER_HOUR = 3_600_000


def hours_of(
    study: Study,
    *,
    longest_minutes: float = LONGEST_MINUTES,
    rate: float | None = None,
    names: bool = False,
) -> pd.DataFrame:
    """Return hours, labels and payment by person and round, for organisers.

    Parameters
    ----------
    study : Study
        The collection; everybody who judged in it is listed, whatever they count as.
    longest_minutes : float
        What one answer counts for at most; the judging screen has left out longer pauses already.
    rate : float, optional
        What an hour is paid with.
    names : bool
        Show people by name; otherwise, and always in a masked study, by code.

    Returns
    -------
    DataFrame
        assessor_id, person, group, round, labels, hours (rounded to 0.01), capped, first, last
        (UTC); with a rate also rate and amount, which is hours × rate rounded to 0.01, so that
        whoever multiplies gets the same.

    Raises
    ------
    BadInput
        The cap is not above 0 or the rate below 0.
    """
    if not longest_minutes > 0:
        raise BadInput("an answer counts for more than 0 minutes", field="minutes")
    if rate is not None and not rate >= 0:
        raise BadInput("a rate is a number from 0", field="rate")
    here = study.store, study.collection_id
    time = read_active_time(*here, round(longest_minutes * 60_000))
    members = list_members(*here)[["assessor_id", "name", "group", "kind"]]
    table = time.merge(members, on="assessor_id", how="left").fillna({"name": "", "group": ""})
    table["person"] = _name(table)
    if study.is_masked or not names:
        table = hide_assessors(*here, table)
        table["person"] = table["assessor_id"]
    table["hours"] = (table["active_ms"] / _MS_PER_HOUR).round(2)
    columns = ["assessor_id", "person", "group", "round", "labels", "hours", "capped", "first"]
    table = table[[*columns, "last"]]
    return (
        table if rate is None else table.assign(rate=rate, amount=(table["hours"] * rate).round(2))
    )


def _name(table: pd.DataFrame) -> "pd.Series[str]":
    kinds = dict(zip(table["assessor_id"], table["kind"], strict=True))
    names = mark_machines(name_assessors(table.rename(columns={"name": "assessor"})), kinds)
    return table["assessor_id"].map(names).astype("str")


def sum_by_person(hours: pd.DataFrame) -> pd.DataFrame:
    """Return what ``hours_of`` does with one row for each person: sums, first and last."""
    sums = {"labels": "sum", "hours": "sum", "capped": "sum", "first": "min", "last": "max"}
    sums |= {"amount": "sum"} if "amount" in hours else {}
    known = ["assessor_id", "person", "group"]
    table = hours.groupby(known, sort=False, dropna=False).agg(sums).reset_index()
    return table.round({"hours": 2, "amount": 2})
