"""What pairs of a snippet level and a page level weigh, by the labels so far."""

import pandas as pd

from core.analysis.base.labels import counted_levels
from core.analysis.base.study import Study, follows_labels, labels_of, scales_of
from core.collection.records import PAGE, SNIPPET
from core.disagreement.combined import CombinedRatings, combined_ratings
from core.reports.level_weights import weigh_pairs
from core.reports.user_model import UserModel

Triples = tuple[tuple[int, int, float], ...]


def has_both_scales(study: Study) -> bool:
    """Tell whether the collection has levels for snippets and for pages."""
    return {SNIPPET, PAGE} <= set(scales_of(study))


@follows_labels
def combined_of(study: Study) -> CombinedRatings:
    """Return each assessor's snippet labels joined with the same assessor's page labels."""
    return combine_facets(study, labels_of(study))


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


@follows_labels
def pair_weights_of(study: Study, facet: str, model: UserModel) -> Triples:
    """Return the weight of each pair of levels that has one; none without double judgements."""
    if not has_both_scales(study):
        return ()
    top = highest_levels(study, facet, model)
    return estimate_pair_weights(combined_of(study), top, model)


def estimate_pair_weights(
    combined: CombinedRatings, top: tuple[int, int], model: UserModel
) -> Triples:
    """Return (snippet level, page level, weight) of each pair that these labels give a weight.

    Pairs with the lowest page level weigh 0, unless the model gives them a weight above 0.
    """
    table = weigh_pairs(combined, top, model)
    if not table["pairs"].any():
        return ()
    known = table[table["weight"].notna()].sort_values(["snippet", "page"])
    return tuple(known[["snippet", "page", "weight"]].itertuples(index=False, name=None))
