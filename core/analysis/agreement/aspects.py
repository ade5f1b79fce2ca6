"""How far assessors agree on each aspect, and how each goes along with relevance."""

from typing import Any

import pandas as pd

from core.agreement.coefficients import Kappa
from core.analysis.agreement.between_assessors import agreement_of
from core.analysis.base.study import Study, follows_labels, labels_of
from core.collection.labels.counted_labels import counted_labels
from core.comparison.rank_correlation import kendall_tau
from core.errors import TooLittleData
from core.store.content.aspects import list_aspects

LINEAR = Kappa("linear")
_KEY = ["topic_id", "document_id", "facet", "engine", "assessor_id"]
_AGREED = ["value", "low", "high", "units", "reason"]
_ITEM = _KEY[:-1]


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
    for aspect in list_aspects(study.store, study.collection_id):
        if facet in aspect.facets:
            rows.append({"aspect": aspect.name} | _describe(study, aspect.name, facet))
    return pd.DataFrame(rows, columns=["aspect", "labels", *_AGREED, "tau", "items"])


def _describe(study: Study, name: str, facet: str) -> dict[str, Any]:
    own = study.of_aspect(name)
    labels = counted_labels(labels_of(own), facet)
    relevance = counted_labels(labels_of(study.of_aspect("")), facet)
    both = labels.merge(relevance, on=_KEY, suffixes=("", "_relevance"))
    means = both.groupby(_ITEM)[["level", "level_relevance"]].mean()
    tau = kendall_tau(means["level"], means["level_relevance"])
    return {"labels": len(labels), **_agree(own, facet), "tau": tau, "items": len(means)}


def _agree(study: Study, facet: str) -> dict[str, Any]:
    try:
        (row,) = agreement_of(study, facet).measure([LINEAR]).to_dict("records")
        return {name: row[name] for name in _AGREED}
    except TooLittleData as error:
        nothing = dict.fromkeys(("value", "low", "high"), float("nan"))
        return nothing | {"units": 0, "reason": str(error)}
