"""How far the assessors of a collection agree, on relevance and aspects, as pages show it."""

from textwrap import shorten
from typing import Any

import numpy as np
import pandas as pd

from core.agreement.coefficients import Kappa, Raw
from core.agreement.groups import read_groups
from core.agreement.item_disagreement import item_spread, list_disagreements
from core.agreement.ratings import Ratings, rank_items, ratings_from_labels
from core.analysis.base.labels import (
    gold_of,
    labels_by_round,
    names_of,
    people_of,
    ratings_of,
    round_names,
)
from core.analysis.base.study import (
    Study,
    aspects_of,
    coded_labels_of,
    follows_labels,
    labels_of,
    results_of,
    runs_of,
    scales_of,
    topics_of,
)
from core.collection.labels.counted_labels import counted_labels
from core.collection.records import counted_levels
from core.comparison.rank_correlation import kendall_tau
from core.errors import TooLittleData
from core.reports.agreement import (
    LINEAR,
    SUGGESTED,
    Agreement,
    AgreementQuestion,
    FacetLabels,
    ratings_by_round,
)
from core.store.content.gold import read_judged
from core.store.events.adjudications import read_adjudications
from core.store.events.current_labels import write_out

ITEM = ["topic_id", "document_id", "facet", "engine"]

HIGH, LOW, NEITHER = "high", "low", "too little data"
LONGEST = 28

ALL = ""

UNWEIGHTED, RAW = Kappa(), Raw()
MEASURES = {str(LINEAR): "linear", str(UNWEIGHTED): "unweighted", str(RAW): "raw"}

ITEM_OF_TOPIC = ["document_id", "engine"]

TEXT_COLUMNS = ["title", "shown"]

BY_ASSESSOR = "by "


@follows_labels
def disputed_items(study: Study, facet: str) -> pd.DataFrame:
    """Return the disputed items with their decision, its author and reason, if there is one."""
    decided = read_adjudications(study.store, study.collection_id)
    decided = decided.rename(columns={"given_level": "decided", "comment": "reason"})
    wanted = decided[[*ITEM, "decided", "reason", "assessor_id", "time"]]
    return list_disagreements(labels_of(study), facet).merge(wanted, on=ITEM, how="left")


@follows_labels
def pairs_on_topic(study: Study, facet: str, topic_id: str) -> pd.DataFrame:
    """Return the pairs of a topic or of all, named, lowest κ first."""
    rows = rows_by_topic(study, facet)
    rows = rows if topic_id == ALL else rows[rows["topic_id"] == topic_id]
    names = names_of(study)
    pair = rows["first"].map(names) + " – " + rows["second"].map(names)
    named = rows["name"] + ": " + pair if topic_id == ALL else pair
    return rows.assign(name=named).sort_values("value", kind="stable", ignore_index=True)


@follows_labels
def rows_by_topic(study: Study, facet: str) -> pd.DataFrame:
    """Return every pair's linear weighted κ on every topic, named by the topic's query."""
    rows = agreement_of(study, facet).topics
    names = _topic_names(topics_of(study))
    return rows.assign(name=rows["topic_id"].map(names).astype("object").fillna(rows["topic_id"]))


def _topic_names(topics: pd.DataFrame) -> dict[str, str]:
    """Return the beginning of each topic's query, with the id where two begin alike."""
    query = topics["query"].map(lambda text: shorten(text, LONGEST, placeholder=" …"))
    shared = query.duplicated(keep=False)
    named = query.mask(shared, query + " (" + topics["topic_id"] + ")")
    return dict(zip(topics["topic_id"], named, strict=True))


@follows_labels
def agreement_by_topic_set(study: Study, facet: str) -> pd.DataFrame:
    """Return agreement (high, low, too little data) and what decides it, by topic."""
    rows, sets = rows_by_topic(study, facet), agreement_of(study, facet).topic_sets
    belongs = dict.fromkeys(sets.high, HIGH) | dict.fromkeys(sets.low, LOW)
    counted = rows[rows["counted"]].groupby("topic_id")
    decisive = counted.agg(
        pairs=("n", "size"),
        lowest=("value", "min"),
        lowest_limit=("low", lambda low: low.min(skipna=False)),
    )
    known = topics_of(study)[["topic_id", "query"]]
    table = known.merge(rows[["topic_id"]].drop_duplicates(), how="outer").join(
        decisive, on="topic_id"
    )
    table.insert(2, "agreement", [belongs.get(topic, NEITHER) for topic in table["topic_id"]])
    table["pairs"] = table["pairs"].fillna(0).astype("int64")
    return table.sort_values("lowest_limit", kind="stable", ignore_index=True)


MOST_PAIRED = 40
"""Up to how many assessors every two of them are listed."""


@follows_labels
def pairs_of_assessors(study: Study, facet: str) -> pd.DataFrame:
    """Return one row for each pair, most common items first, with assessors' names.

    Among more than ``MOST_PAIRED`` assessors only pairs with common items have a row: those
    without are nearly all.
    """
    found = agreement_of(study, facet)
    few = len(found.ratings.assessors) <= MOST_PAIRED
    rows = found.by_pair((LINEAR, UNWEIGHTED, RAW), every_pair=few)
    parts = {
        short: rows[rows["coefficient"] == measure].reset_index(drop=True)
        for measure, short in MEASURES.items()
    }
    linear, raw = parts["linear"], parts["raw"]
    names = names_of(study)
    table = pd.DataFrame(
        {
            "first": linear["first"].map(names),
            "second": linear["second"].map(names),
            "n": linear["n"],
            "topics": linear["units"],
            "linear": linear["value"],
            "low": linear["low"],
            "high": linear["high"],
            "unweighted": parts["unweighted"]["value"],
            "raw": raw["value"],
            "raw_low": raw["low"],
            "raw_high": raw["high"],
            "reason": linear["reason"],
            "first_id": linear["first"],
            "second_id": linear["second"],
        }
    )
    return table.sort_values(["n", "first", "second"], ascending=[False, True, True]).reset_index(
        drop=True
    )


@follows_labels
def cells_of_pair(study: Study, facet: str, first: str, second: str) -> pd.DataFrame:
    """Return the two assessors' items by the levels of both, with shares of the row."""
    pairs = agreement_of(study, facet).matrices.by_pair()
    names = counted_levels(scales_of(study)[facet])
    items = pairs.matrix(first, second).astype(np.int64)
    sums = items.sum(axis=1, keepdims=True)
    share = np.where(sums > 0, items / np.maximum(sums, 1), np.nan)
    levels = [names[level] for level in pairs.levels]
    cells = pd.DataFrame(
        {
            "first": np.repeat(levels, len(levels)),
            "second": np.tile(levels, len(levels)),
            "items": items.ravel(),
            "share": share.ravel(),
        }
    )
    written = [
        f"{count:,}" if np.isnan(part) else f"{count:,}<br>{part:.0%}"
        for count, part in zip(cells["items"], cells["share"], strict=True)
    ]
    return cells.assign(written=written)


@follows_labels
def labels_of_facet(study: Study, facet: str) -> FacetLabels:
    """Return the labels of a facet, with ranks where there are runs."""
    runs = runs_of(study)

    def rank(ratings: Ratings) -> Ratings:
        return ratings if runs.empty else rank_items(ratings, runs)

    def by_round() -> dict[str, Ratings]:
        names, levels = round_names(study), list(counted_levels(scales_of(study)[facet]))
        found = ratings_by_round(labels_by_round(study), facet, levels)
        return {names[one]: rank(found[one]) for one in names if one in found}

    groups = read_groups(people_of(study))
    return FacetLabels(facet, rank(ratings_of(study, facet)), groups, names_of(study), by_round)


@follows_labels
def ask_agreement(study: Study, facet: str, question: AgreementQuestion) -> Agreement:
    """Return what is asked of how far the assessors agree on a facet."""
    return Agreement(labels_of_facet(study, facet), question)


def agreement_of(study: Study, facet: str) -> Agreement:
    """Return how far the assessors agree on a facet, by all that is suggested."""
    return ask_agreement(study, facet, SUGGESTED)


@follows_labels
def agreement_of_groups(study: Study, facet: str) -> pd.DataFrame:
    """Return linear weighted κ of every two groups; nothing without two groups."""
    return agreement_of(study, facet).by_group([LINEAR])


@follows_labels
def agreement_of_rounds(study: Study, facet: str) -> pd.DataFrame:
    """Return linear weighted κ of the labels of each round, oldest first."""
    return agreement_of(study, facet).by_round([LINEAR])


@follows_labels
def agreement_of_parts(study: Study, facet: str, part: str) -> pd.DataFrame:
    """Return linear weighted κ part by part; nothing without two parts."""
    found = agreement_of(study, facet)
    return found.by_part(_parts(study, found.ratings.items, part), [LINEAR])


def _parts(study: Study, items: pd.DataFrame, part: str) -> "pd.Series[str]":
    """Return the part that each item belongs to, missing where it belongs to none."""
    if part == "engine":
        found = items["engine"]
    elif part == "vertical":
        result = ["topic_id", "document_id", "engine"]
        found = items[result].merge(results_of(study), on=result, how="left")["vertical"]
    else:
        found = items["topic_id"].map(topics_of(study).set_index("topic_id")["type"])
    return found.mask(found == "")


@follows_labels
def disagreement_by_item(study: Study, facet: str, topic_id: str) -> pd.DataFrame:
    """Return the topic's items with text, spread, gold level, a column by assessor, comments."""
    labels = coded_labels_of(study)
    labels = write_out(labels[labels["topic_id"] == topic_id])
    labels = labels[(labels["facet"] == facet) & (labels["occasion"] == 0)]
    level_names = {one.level: one.name for one in scales_of(study)[facet]}
    ratings = ratings_from_labels(labels, facet, list(counted_levels(scales_of(study)[facet])))
    known = gold_of(study, facet)
    gold = known[known["topic_id"] == topic_id].set_index(ITEM_OF_TOPIC)["given_level"]
    table = (
        labels[ITEM_OF_TOPIC]
        .drop_duplicates()
        .merge(
            read_judged(study.store, study.collection_id, topic_id, facet),
            on=ITEM_OF_TOPIC,
            how="left",
        )
        .fillna({name: "" for name in TEXT_COLUMNS})
        .merge(
            item_spread(ratings)[[*ITEM_OF_TOPIC, "labels", "spread"]], on=ITEM_OF_TOPIC, how="left"
        )
        .join(gold.map(level_names).fillna("off the scale").rename("gold"), on=ITEM_OF_TOPIC)
        .fillna({"gold": "", "labels": 0})
        .join(_side_by_side(labels, level_names, names_of(study)), on=ITEM_OF_TOPIC)
    )
    order = ["spread", *ITEM_OF_TOPIC]
    return table.sort_values(order, ascending=[False, True, True], ignore_index=True)


def _side_by_side(
    labels: pd.DataFrame, level_names: dict[int, str], names: dict[str, str]
) -> pd.DataFrame:
    """Return each item's labels by assessor, as given, and its comments."""
    given = labels["given_level"].map(level_names).astype("str").fillna(labels["state"])
    name = labels["assessor_id"].map(names)
    wide = labels.assign(column=BY_ASSESSOR + name, given=given).pivot(
        index=ITEM_OF_TOPIC, columns="column", values="given"
    )
    commented = labels.assign(comments=name + ": " + labels["comment"])[labels["comment"] != ""]
    comments = commented.groupby(ITEM_OF_TOPIC)["comments"].agg("\n".join)
    return wide.fillna("").join(comments).fillna({"comments": ""})


LINEAR = Kappa("linear")
_KEY = ["topic_id", "document_id", "facet", "engine", "assessor_id"]
_AGREED = ["value", "low", "high", "units", "reason"]


@follows_labels
def agreement_of_aspects(study: Study, facet: str) -> pd.DataFrame:
    """Return how far assessors agree on each aspect of a facet, in the order of asking.

    Returns
    -------
    DataFrame
        aspect, labels (how many), value, low, high (linear weighted κ over all pairs with its 95 %
        limits, in which topics are what is sampled), units (topics), reason (why κ or its limits
        are NaN), tau (Kendall's τ-b in [-1, 1] between the mean levels of aspect and relevance,
        over items that have both by the same assessors; NaN where fewer than two items have, or
        all have the same level), items (how many).
    """
    rows = []
    for aspect in aspects_of(study):
        if facet in aspect.facets:
            rows.append({"aspect": aspect.name} | _describe_aspect(study, aspect.name, facet))
    return pd.DataFrame(rows, columns=["aspect", "labels", *_AGREED, "tau", "items"])


def _describe_aspect(study: Study, name: str, facet: str) -> dict[str, Any]:
    own = study.of_aspect(name)
    labels = counted_labels(labels_of(own), facet)
    relevance = counted_labels(labels_of(study.of_aspect("")), facet)
    both = labels.merge(relevance, on=_KEY, suffixes=("", "_relevance"))
    means = both.groupby(_KEY[:-1])[["level", "level_relevance"]].mean()
    tau = kendall_tau(means["level"], means["level_relevance"])
    return {"labels": len(labels), **_agree_on_aspect(own, facet), "tau": tau, "items": len(means)}


def _agree_on_aspect(study: Study, facet: str) -> dict[str, Any]:
    try:
        (row,) = agreement_of(study, facet).measure([LINEAR]).to_dict("records")
        return {name: row[name] for name in _AGREED}
    except TooLittleData as error:
        nothing = dict.fromkeys(("value", "low", "high"), float("nan"))
        return nothing | {"units": 0, "reason": str(error)}
