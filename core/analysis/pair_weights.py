"""What pairs of a snippet level and a page level weigh, by the labels so far."""

from dataclasses import astuple
from typing import Any

import numpy as np
import pandas as pd

from core.analysis.labels import counted_levels
from core.analysis.study import Study, cached, labels_of, scales_of
from core.analysis.user_model import UserModel
from core.collection.records import PAGE, SNIPPET
from core.disagreement.combined import CombinedRatings, combined_ratings, combined_weights

Triples = tuple[tuple[int, int, float], ...]


def has_both_scales(study: Study) -> bool:
    """Tell whether the collection has levels for snippets and for pages."""
    return {SNIPPET, PAGE} <= set(scales_of(study))


def combined_of(study: Study) -> CombinedRatings:
    """Return each assessor's snippet labels joined with the same assessor's page labels."""
    return cached(study, _combined)


def combine_facets(study: Study, labels: pd.DataFrame) -> CombinedRatings:
    """Return these labels joined like those of the present."""
    snippet, page = (list(counted_levels(scales_of(study)[facet])) for facet in (SNIPPET, PAGE))
    return combined_ratings(labels, snippet, page)


def highest_levels(study: Study, facet: str, model: UserModel) -> tuple[int, int]:
    """Return the top snippet and page level: the chosen one, and the highest of the other."""
    highest = {
        name: model.top if name == facet else max(counted_levels(scale))
        for name, scale in scales_of(study).items()
    }
    return highest[SNIPPET], highest[PAGE]


def pair_weights_of(study: Study, facet: str, model: UserModel) -> Triples:
    """Return the weight of each pair of levels that has one; none without double judgements."""
    if not has_both_scales(study):
        return ()
    return cached(study, _weights_now, facet, *astuple(model))


def estimate_pair_weights(
    combined: CombinedRatings, top: tuple[int, int], model: UserModel
) -> Triples:
    """Return (snippet level, page level, weight) of each pair that these labels give a weight.

    Pairs with the lowest page level weigh 0, unless the model lets them weigh something.
    """
    table = combined_weights(
        combined,
        users=model.users,
        at_least=model.at_least,
        top=top,
        weighting=model.weighting,
        keep_lowest=model.keep_lowest,
        samples=1,
        rng=np.random.default_rng(0),
    )
    if not table["pairs"].any():
        return ()
    known = table[table["weight"].notna()].sort_values(["snippet", "page"])
    return tuple(known[["snippet", "page", "weight"]].itertuples(index=False, name=None))


def _combined(study: Study) -> CombinedRatings:
    return combine_facets(study, labels_of(study))


def _weights_now(study: Study, facet: str, *chosen: Any) -> Triples:
    model = UserModel(*chosen)
    top = highest_levels(study, facet, model)
    return estimate_pair_weights(combined_of(study), top, model)
