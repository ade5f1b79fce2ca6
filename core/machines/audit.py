"""How far a machine agrees with people, beside how far people agree on the same items.

Figures hold for the items that were judged by both. How these were chosen decides what they tell of
others: a machine that is right on pooled documents may be wrong on the rest.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from core.agreement.base import Coefficient, PairCoefficient, name_coefficient
from core.agreement.groups import agreement_differences
from core.agreement.intervals import Floats, divide, share_interval
from core.agreement.pairs import ONE_TOPIC
from core.agreement.pooled import overall_agreement
from core.agreement.single_pairs import agreement_of_each_pair
from core.agreement.topics import agreement_by_topic
from core.errors import BadInput
from core.machines.choices import SAMPLING
from core.machines.joined_labels import JoinedLabels
from core.numerals import write_limits, write_number
from core.wording import count

OF_MACHINE = "for machine and people it is not defined, as "
OF_PEOPLE = "for people with each other it is not defined, as "
"""Whose agreement is not, before the reason why."""

NO_PEOPLE = "no two people judged the same item among those of the machine"


def describe_sampling(items: str) -> str:
    """Return what figures hold for; ``items`` is how the items were chosen, as in `SAMPLING`.

    Raises
    ------
    BadInput
        It is none of these.
    """
    if items not in SAMPLING:
        raise BadInput(f"items are chosen in one of these ways: {', '.join(SAMPLING)}; not {items}")
    return SAMPLING[items]


def agreement_with_machine(
    joined: JoinedLabels, coefficients: Sequence[Coefficient]
) -> pd.DataFrame:
    """Tabulate the agreement of the machine with each person, on the items of both.

    Parameters
    ----------
    joined : JoinedLabels
        From `join_labels`.
    coefficients : sequence of Coefficient
        What to compute.

    Returns
    -------
    DataFrame
        ``machine, person`` and the columns of `agreement_of_each_pair` from ``n`` on; one row for
        each person with common items and coefficient. 95 % limits by the jackknife over topics.
    """
    rows = agreement_of_each_pair(joined.matrices.select(joined.has_machine), coefficients)
    person = rows["first"].where(rows["first"] != joined.machine, rows["second"])
    return _name_first(
        rows.drop(columns=["first", "second"]), machine=joined.machine, person=person
    )


def agreement_of_people(joined: JoinedLabels, coefficients: Sequence[Coefficient]) -> pd.DataFrame:
    """Tabulate the agreement of every two people, on the items that the machine judged.

    Returns
    -------
    DataFrame
        ``machine`` and the columns of `agreement_of_each_pair`; no row where no two people judged
        the same item.
    """
    rows = agreement_of_each_pair(joined.matrices.select(~joined.has_machine), coefficients)
    return _name_first(rows, machine=joined.machine)


def agreement_with_machine_by_topic(
    joined: JoinedLabels, coefficients: Sequence[PairCoefficient]
) -> pd.DataFrame:
    """Tabulate the agreement of the machine with each person topic by topic.

    Returns
    -------
    DataFrame
        ``machine, person`` and the columns of `agreement_by_topic` without the pair: items are what
        is sampled. ``counted`` is False below 10 common items, or where the value is undefined.
    """
    rows = agreement_by_topic(joined.matrices.select(joined.has_machine), coefficients)
    person = rows["first"].where(rows["first"] != joined.machine, rows["second"])
    return _name_first(
        rows.drop(columns=["first", "second"]), machine=joined.machine, person=person
    )


def level_shift(joined: JoinedLabels) -> pd.DataFrame:
    """Measure how much higher the machine judges than each person.

    The shift is the mean of the machine's level less the person's, over the items of both. Above 0
    the machine is more lenient, below 0 stricter.

    Parameters
    ----------
    joined : JoinedLabels
        From `join_labels`.

    Returns
    -------
    DataFrame
        ``machine, person, n, value, low, high, interval, unit, units, reason``. ``value`` is in
        levels, from lowest less highest to highest less lowest of the scale, and so are the 95 %
        limits by `share_interval`, in which topics are what is sampled. ``reason`` says why a limit
        is NaN.
    """
    person, topic, counts = joined.beside_people()
    levels = np.asarray(joined.ratings.levels, dtype=np.float64)
    apart = levels - levels[:, np.newaxis]
    shape = (len(joined.ratings.topics), len(joined.ratings.assessors))
    sums, items = np.zeros(shape), np.zeros(shape)
    sums[topic, person] = (counts * apart).sum(axis=(1, 2))
    items[topic, person] = counts.sum(axis=(1, 2))
    known = items.sum(axis=0) > 0
    sums, items = sums[:, known], items[:, known]
    widest = max(float(levels[-1] - levels[0]), 1.0)
    low, high, topics = share_interval(sums / widest, items, -1.0)
    columns = {
        "machine": joined.machine,
        "person": pd.Index(joined.ratings.assessors, dtype="str")[known],
        "n": items.sum(axis=0).astype(np.int64),
        "value": divide(sums.sum(axis=0), items.sum(axis=0)),
    }
    return _with_limits(columns, low * widest, high * widest, topics)


def _with_limits(
    columns: Mapping[str, Any], low: Floats, high: Floats, topics: Any
) -> pd.DataFrame:
    """Return a table whose limits are over topics; one topic has none."""
    reason = np.where(np.isnan(low), ONE_TOPIC, "")
    return pd.DataFrame(
        {
            **columns,
            **{"low": low, "high": high},
            **{"interval": "jackknife", "unit": "topic", "units": topics, "reason": reason},
        }
    )


def compare_with_people(
    joined: JoinedLabels, coefficients: Sequence[PairCoefficient]
) -> pd.DataFrame:
    """Compare how far the machine agrees with people with how far these agree, on the same items.

    All is on the items that two people or more judged; where there are none, the machine's
    agreement with people is on all items. It is pooled over pairs as by `overall_agreement`: the
    mean of the pairs, each by its items; those with fewer than ten are left out as soon as one has
    more.

    Parameters
    ----------
    joined : JoinedLabels
        From `join_labels`.
    coefficients : sequence of PairCoefficient
        What to compare.

    Returns
    -------
    DataFrame
        ``machine, coefficient``; of the pairs of the machine and a person ``machine_pairs,
        machine_n, machine_value, machine_low, machine_high``, the same beginning ``people_`` of the
        pairs of people; ``difference`` (machine less people), ``low, high, interval, unit, units,
        shown, reason``. Each topic is left out of both at once. ``shown`` is 'higher' or 'lower'
        where the limits leave out 0, '' otherwise.
    """
    joined = joined.among_several()
    parts = {
        "machine": joined.matrices.select(joined.has_machine),
        "people": joined.matrices.select(~joined.has_machine),
    }
    found = agreement_differences(parts, coefficients)
    overall = {name: overall_agreement(one, coefficients) for name, one in parts.items()}
    pooled = {
        f"{name}_{column}": own[column]
        for name, own in overall.items()
        for column in ("pairs", "n", "value", "low", "high")
    }
    shown = np.select([found["low"] > 0, found["high"] < 0], ["higher", "lower"], "")
    reason = found["reason"]
    for whose, own in zip((OF_MACHINE, OF_PEOPLE), overall.values(), strict=True):
        reason = reason.mask(own["value"].isna(), whose + own["reason"])
    reason = reason.mask(pooled["people_pairs"] == 0, NO_PEOPLE)
    found = found.assign(**pooled, shown=shown, reason=reason)
    limits = ["difference", "low", "high", "interval", "unit", "units", "shown", "reason"]
    return _name_first(found[["coefficient", *pooled, *limits]], machine=joined.machine)


def describe_comparison(row: Mapping[Any, Any], mark: Callable[[str], str] = str) -> str:
    """Return what a row of `compare_with_people` comes to, as one sentence.

    "Not shown to differ" is not "equal": the least difference that could have been shown stands
    beside it. ``mark`` makes key facts stand out.
    """
    what = f"{name_coefficient(row['coefficient'])} with people"
    is_known = not np.isnan(row["machine_value"])
    value = mark(write_number(row["machine_value"]) if is_known else "not defined")
    with_people = f"{row['machine']}: {what} is {value}"
    if np.isnan(row["difference"]):
        unknown = "how far people agree is not known"
        if row["people_pairs"]:
            unknown = "nothing is compared"
        return f"{with_people}{_say_limits(row)}; {unknown}: {row['reason']}."
    apart = f"{with_people}, of people with each other {mark(write_number(row['people_value']))}"
    if np.isnan(row["low"]):
        return f"{apart}; whether they differ cannot be said: {row['reason']}."
    limits = write_limits(row["low"], row["high"])
    difference = f"difference {write_number(row['difference'], signed=True)} {limits}"
    sampled = count(row["units"], "topic")
    if row["shown"]:
        return f"{apart}; {mark('shown to be ' + row['shown'])} ({difference}, {sampled})."
    least = max(row["high"] - row["difference"], row["difference"] - row["low"])
    could = f"a difference above about {write_number(least)} would have been shown"
    if least >= 1 + abs(row["people_value"]):
        could = "so few could not have shown any"
    return f"{apart}; {mark('not shown to differ')} ({difference}, {sampled}; {could})."


def _say_limits(row: Mapping[Any, Any]) -> str:
    """Return the limits of the machine's agreement with people, or that a value has none."""
    if np.isnan(row["machine_value"]):
        return ""
    limits = f" {write_limits(row['machine_low'], row['machine_high'])}"
    if np.isnan(row["machine_low"]):
        limits = " without limits"
    return f"{limits}, {count(row['units'], 'topic')}"


def _name_first(rows: pd.DataFrame, **names: Any) -> pd.DataFrame:
    """Return rows with further columns in front of the others."""
    return rows.assign(**names)[[*names, *rows.columns]]
