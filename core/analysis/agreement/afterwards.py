"""What came of seeing others afterwards: what was looked at again, changed, and towards whom."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from core.analysis.agreement.between_assessors import agreement_of
from core.analysis.base.study import (
    Study,
    coded_labels_of,
    follows_labels,
    mask_people,
    stands_apart_from_labels,
    topics_of,
)
from core.errors import TooLittleData
from core.reports.agreement import LINEAR
from core.store.events.afterwards import (
    count_marked,
    count_seen,
    count_since_seeing,
    read_items_seen,
)
from core.store.events.current_labels import write_out
from core.versions.combine import most_frequent
from core.wording import count

ITEM = ["topic_id", "document_id", "facet", "engine"]
KEPT, TAKEN_BACK = "kept", "taken back"
TO_MAJORITY, NEARER = "to the majority's level", "nearer to the others"
AS_FAR, FURTHER = "as far from the others", "further from the others"
OUTCOMES = (KEPT, TO_MAJORITY, NEARER, AS_FAR, FURTHER, TAKEN_BACK)
"""What may become of a label that was looked at again.

The majority's level is the one most frequent among the others, where there is one; near and far
are by the distance from the median of the others.
"""

_COUNTED = ["assessor_id", *ITEM, "level"]


@dataclass(frozen=True)
class Looking:
    """How much was looked at again: topics opened, by how many people, and labels given since."""

    people: int
    topics: int
    marked: int


def looking_of(study: Study) -> Looking:
    """Return how much was looked at again in the collection."""
    people, topics = count_seen(study.store, study.collection_id)
    return Looking(people, topics, count_since_seeing(study.store, study.collection_id))


@follows_labels
def describe_given(study: Study) -> str:
    """Return that labels are as given, where anything was said afterwards; empty otherwise."""
    marked = count_marked(study.store, study.collection_id)
    if not marked:
        return ""
    changed, since = (
        count(marked, "judgement"),
        count_since_seeing(study.store, study.collection_id),
    )
    whose = "others'" if since == marked else "others' or a machine's" if since else "a machine's"
    return (
        f"labels as given; {changed} that assessors made after seeing {whose} labels "
        f"{'is' if marked == 1 else 'are'} left out"
    )


@stands_apart_from_labels
def was_opened(study: Study) -> bool:
    """Tell whether anybody has opened a topic to see what others said."""
    return looking_of(study).topics > 0


def reopened_of(study: Study, facet: str) -> pd.DataFrame:
    """Return each label that was looked at again beside others', in the order of looking.

    Returns
    -------
    DataFrame
        assessor_id, topic_id, query, document_id, facet, engine, seen_at (UTC), given (the level
        before), said (the one after; NaN where it was taken back), others (how many), majority
        (the level most frequent among them; NaN where several are), median (of them), outcome
        (one of ``OUTCOMES``). Levels are as counted; others' are those as given.
    """
    shown = mask_people(study, read_items_seen(study.store, study.collection_id))
    shown = shown[shown["facet"] == facet].reset_index(drop=True)
    given, answered = (_counted(replace(study, discussed=one), facet) for one in (False, True))
    key = ["assessor_id", *ITEM]
    table = shown.merge(given.rename(columns={"level": "given"}), on=key, how="left")
    table = table.merge(answered.rename(columns={"level": "said"}), on=key, how="left")
    near = given.merge(shown[ITEM].drop_duplicates(), on=ITEM)
    found = [_sum_up(near, row) for row in table.to_dict("records")]
    columns = ["others", "majority", "median"]
    table = table.join(pd.DataFrame(found, columns=columns, index=table.index))
    outcome = [_tell(row) for row in table.to_dict("records")]
    queries = topics_of(study).set_index("topic_id")["query"].to_dict()
    table.insert(2, "query", [queries.get(one, "") for one in table["topic_id"]])
    return table.assign(outcome=pd.Series(outcome, index=table.index, dtype="str"))


def agreement_before_and_after(study: Study, facet: str) -> pd.DataFrame:
    """Return linear weighted κ of all pairs from labels as given, and after discussion.

    Only the first is of labels that were given independently; the second tells how far assessors
    came together, and is no agreement beyond chance in the sense of κ.

    Returns
    -------
    DataFrame
        labels ("as given", "after discussion"), and what ``measure_agreement`` gives.
    """
    rows = []
    for name, discussed in (("as given", False), ("after discussion", True)):
        try:
            overall = agreement_of(replace(study, discussed=discussed), facet).measure([LINEAR])
        except TooLittleData:
            continue
        rows.append(overall.assign(labels=name))
    return pd.concat(rows, ignore_index=True) if rows else pd.DataFrame()


def _counted(study: Study, facet: str) -> pd.DataFrame:
    labels = coded_labels_of(study)
    is_counted = (labels["state"] == "level") & (labels["occasion"] == 0)
    return write_out(labels.loc[is_counted & (labels["facet"] == facet), _COUNTED])


def _sum_up(given: pd.DataFrame, row: dict[Hashable, Any]) -> tuple[int, float, float]:
    """Return how many others gave an item a level, their majority's and their median."""
    others = given[given["assessor_id"] != row["assessor_id"]]
    others = others[(others[ITEM] == [row[name] for name in ITEM]).all(axis=1)]
    if others.empty:
        return 0, np.nan, np.nan
    found = most_frequent(others, ITEM).iloc[0]
    majority = found["lowest"] if found["lowest"] == found["highest"] else np.nan
    return len(others), float(majority), float(others["level"].median())


def _tell(row: dict[Hashable, Any]) -> str:
    given, answered, median = row["given"], row["said"], row["median"]
    if np.isnan(answered):
        return TAKEN_BACK
    if answered == given:
        return KEPT
    if answered == row["majority"]:
        return TO_MAJORITY
    closer = abs(given - median) - abs(answered - median)
    return NEARER if closer > 0 else FURTHER if closer < 0 else AS_FAR
