"""How far the machines of a collection agree with people, as pages show it."""

from dataclasses import dataclass

import pandas as pd

from core.agreement.coefficients import Kappa
from core.analysis.base.labels import names_of
from core.analysis.base.study import Study, follows_labels, labels_of, scales_of
from core.analysis.machines.machine_labels import labels_of_machine, machines_of, was_asked_here
from core.collection.records import counted_levels
from core.errors import TooLittleData
from core.machines.alternative_test import AlternativeTest, alternative_test
from core.machines.audit import compare_with_people
from core.machines.choices import EPSILON, FEWEST_PEOPLE
from core.reports.agreement import FEW_COMMON
from core.reports.machines import MachineAudit

LINEAR = Kappa("linear")


@dataclass(frozen=True)
class AlternativeSettings:
    """How the alternative annotator test is made; see `alternative_test`."""

    epsilon: float = EPSILON
    scoring: str = "accuracy"
    fewest_items: int = 1
    fewest_people: int = FEWEST_PEOPLE


@follows_labels
def audit_of(study: Study, facet: str, machine: str) -> MachineAudit:
    """Return how far a machine agrees with people; everybody goes by name.

    Raises
    ------
    TooLittleData
        No person judged what the machine did.
    """
    people, names = labels_of(study), names_of(study)
    found = MachineAudit(
        people.assign(assessor_id=people["assessor_id"].map(names)),
        {names[machine]: labels_of_machine(study, facet, machine)},
        facet,
        list(counted_levels(scales_of(study)[facet])),
        chosen="selected" if was_asked_here(study, machine) else "unknown",
    )
    found.check()
    return found


@follows_labels
def alternative_test_of(
    study: Study, facet: str, machine: str, settings: AlternativeSettings
) -> AlternativeTest:
    """Return the alternative annotator test of a machine; raises as `audit_of`."""
    (joined,) = audit_of(study, facet, machine).joined.values()
    return alternative_test(
        joined,
        settings.epsilon,
        scoring=settings.scoring,
        fewest_items=settings.fewest_items,
        fewest_people=settings.fewest_people,
    )


@follows_labels
def comparison_of(study: Study, facet: str, machine: str) -> pd.DataFrame:
    """Return the row of `compare_with_people` for linear weighted κ; raises TooLittleData."""
    (joined,) = audit_of(study, facet, machine).joined.values()
    return compare_with_people(joined, [LINEAR])


@follows_labels
def compare_machines(study: Study, facet: str) -> pd.DataFrame:
    """Return each machine's linear weighted κ with people, the highest first, and that of people.

    Returns
    -------
    DataFrame
        ``name, machine, whose, n, pairs, value, low, high, interval, unit, units, counted``;
        ``whose`` is 'machine' or 'people'. People have one row at the end where they agree alike on
        the items of all machines, else one below each. ``counted`` is False below ten common
        items. No row for what is not defined, nor for a machine that shares no item with people.
    """
    parts = [_compare(study, facet, machine) for machine in machines_of(study, facet)]
    known = [part for part in parts if len(part)]
    known.sort(key=lambda part: -part["value"].iloc[0])
    rows = _join_people(pd.concat([*known, pd.DataFrame(columns=_COLUMNS)], ignore_index=True))
    rows = rows[rows["value"].notna()].astype({"n": "int64", "pairs": "int64"})
    return rows[_COLUMNS].reset_index(drop=True)


_COLUMNS = [
    "name", "machine", "whose", "n", "pairs", "value", "low", "high",
    "interval", "unit", "units", "counted",
]  # fmt: skip
_SAME = ["n", "pairs", "value", "low", "high"]


def _compare(study: Study, facet: str, machine: str) -> pd.DataFrame:
    """Return the row of a machine and that of people on its items; none without common items."""
    try:
        row = comparison_of(study, facet, machine).iloc[0]
    except TooLittleData:
        return pd.DataFrame(columns=_COLUMNS)
    return pd.DataFrame(
        [
            {
                "name": name.format(row["machine"]),
                "machine": row["machine"],
                "whose": whose,
                **{one: row[f"{whose}_{one}"] for one in _SAME},
                **{one: row[one] for one in ("interval", "unit", "units")},
                "counted": row[f"{whose}_n"] >= FEW_COMMON,
            }
            for whose, name in (("machine", "{}"), ("people", "people, on items of {}"))
        ]
    )


def _join_people(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows with those of people as one, where they are all the same."""
    of_people = rows[rows["whose"] == "people"]
    if len(of_people.drop_duplicates(_SAME)) != 1:
        return rows
    one = of_people.head(1).assign(name="people, on the same items")
    return pd.concat([rows[rows["whose"] != "people"], one])
