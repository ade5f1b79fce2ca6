"""What is known of each assessor of a collection."""

import numpy as np
import pandas as pd

from core.agreement.assessor_bias import (
    agreement_with_gold,
    agreement_with_others,
    leniency,
    level_shares,
)
from core.agreement.careless_responding import careless_responding
from core.agreement.coefficients import Kappa
from core.agreement.confusion import confusion_matrices
from core.agreement.drift import active_time, drift
from core.agreement.pairs import agreement_by_pair
from core.analysis.base.labels import names_of, ratings_of
from core.analysis.base.study import (
    Study,
    follows_labels,
    labels_of,
    leave_out,
    mask_people,
    scales_of,
    stands_apart_from_labels,
)
from core.collection.records import counted_levels
from core.store.content.gold import (
    count_gold_labels,
    list_gold,
)
from core.store.events.paradata import read_paradata

_COLUMNS = ["topic_id", "document_id", "engine", "given_level", "level"]

_AGREEMENT = {"mean": "kappa_mean", "lowest": "kappa_lowest", "highest": "kappa_highest"}

_GOLD = {"n": "gold_n", "raw": "gold_raw", "kappa": "gold_kappa"}

REASONS = ("reason", "reason_agreement", "reason_gold")


@stands_apart_from_labels
def gold_of(study: Study, facet: str) -> pd.DataFrame:
    """Return topic_id, document_id, engine, given_level (as marked), level (as counted).

    A level that has gone from the scale since is NaN. Of an aspect there is no gold.
    """
    counts_as = {one.level: one.counts_as for one in scales_of(study)[facet]}
    rows = [
        (one.topic_id, one.document_id, one.engine, one.level, counts_as.get(one.level))
        for one in list_gold(study.store, study.collection_id)
        if one.facet == facet and not study.aspect
    ]
    table = pd.DataFrame(rows, columns=_COLUMNS)
    return table.astype({name: "str" for name in _COLUMNS[:3]} | {"level": "float64"})


@follows_labels
def gold_labels_of(study: Study) -> int:
    """Return how many labels of the assessor called 'gold' are no gold items yet."""
    return count_gold_labels(study.store, study.collection_id)


@follows_labels
def assessor_table(study: Study, facet: str) -> pd.DataFrame:
    """Return everything that is known of each assessor, most labels first."""
    ratings = ratings_of(study, facet)
    names = names_of(study)
    lenient = leniency(ratings)
    table = lenient.rename(columns={"n": "common", "value": "leniency"})
    table.insert(1, "assessor", table["assessor_id"].map(names))
    labels = np.bincount(ratings.assessor, minlength=len(ratings.assessors))
    table.insert(2, "labels", labels)
    gold = agreement_with_gold(ratings, gold_of(study, facet)).rename(columns=_GOLD)
    gold = gold[["assessor_id", *_GOLD.values(), "reason"]]
    table = table.merge(
        assessors_with_others(study, facet),
        on="assessor_id",
        how="left",
        suffixes=("", "_agreement"),
    ).merge(gold, on="assessor_id", suffixes=("", "_gold"))
    table["pairs"] = table["pairs"].fillna(0).astype("int64")
    table["why"] = _write_reasons(table)
    return table.sort_values("labels", ascending=False, kind="stable", ignore_index=True)


def assessors_with_others(study: Study, facet: str) -> pd.DataFrame:
    """Return each assessor's agreement with the others; no row for who shares no item with any."""
    ratings = ratings_of(study, facet)
    pairs = pd.DataFrame({"first": [], "second": [], "n": [], "value": []})
    pairs = pairs.astype({"first": "str", "second": "str"})
    if len(ratings.assessors) > 1:
        matrices = confusion_matrices(ratings)
        pairs = agreement_by_pair(matrices, [Kappa("linear")], every_pair=False)
    return agreement_with_others(pairs).rename(columns=_AGREEMENT)


def _write_reasons(table: pd.DataFrame) -> list[str]:
    """Return why something is missing in each row; empty where nothing is."""
    what = ("leniency", "κ", "gold")
    reasons = table[list(REASONS)].fillna("nobody else judged the same items")
    if not table["gold_n"].any():
        reasons["reason_gold"] = ""
    return [
        "; ".join(f"{name}: {why}" for name, why in zip(what, row, strict=True) if why)
        for row in reasons.itertuples(index=False)
    ]


@follows_labels
def careless_by_assessor(study: Study, facet: str) -> pd.DataFrame:
    """Return what answering without looking leaves behind; no row where nothing is known."""
    known = mask_people(study, read_paradata(study.store, study.collection_id))
    return careless_responding(leave_out(study, known), facet)


@follows_labels
def shares_by_level(study: Study, facet: str) -> pd.DataFrame:
    """Return how often each assessor gives each level."""
    return _name_levels(study, facet, level_shares(ratings_of(study, facet)))


@follows_labels
def times_by_level(study: Study, facet: str) -> pd.DataFrame:
    """Return the active time of each assessor by level."""
    return _name_levels(study, facet, active_time(labels_of(study), facet))


@follows_labels
def drift_by_assessor(study: Study, facet: str) -> pd.DataFrame:
    """Return leniency and active time over successive tenths of each assessor's labels."""
    return drift(labels_of(study), facet, ratings_of(study, facet))


def _name_levels(study: Study, facet: str, rows: pd.DataFrame) -> pd.DataFrame:
    return rows.assign(name=rows["level"].map(counted_levels(scales_of(study)[facet])))
