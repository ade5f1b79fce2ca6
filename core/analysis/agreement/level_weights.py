"""The weights of a collection's levels by the User Disagreement Model."""

from dataclasses import replace

import pandas as pd

from core.agreement.ratings import Ratings
from core.analysis.agreement.pair_weights import combined_of, highest_levels
from core.analysis.base.labels import ratings_of
from core.analysis.base.study import Study, follows_labels, results_of, topics_of
from core.disagreement.strata import estimate_by_stratum, list_strata, select_stratum
from core.disagreement.top_results import effective_top_results
from core.disagreement.user_disagreement import estimate_top_probability
from core.reports.level_weights import weigh_pairs
from core.reports.user_model import UserModel


def ratings_in(study: Study, facet: str, top: int, stratum: str) -> Ratings:
    """Return the labels of a facet in one part of the collection, or all of them."""
    return _select(study, facet, top, stratum) if stratum else ratings_of(study, facet)


@follows_labels
def strata_of(study: Study, facet: str, top: int) -> list[pd.DataFrame]:
    """Return the parts that differ from the whole: those of `list_strata`."""
    return list_strata(topics_of(study), results_of(study), ratings_of(study, facet), top)


def strata_names(study: Study, facet: str, top: int) -> list[str]:
    """Return the names of the parts to estimate from."""
    return [name for part in strata_of(study, facet, top) for name in part["stratum"].unique()]


def select_part(study: Study, facet: str, top: int, stratum: str, ratings: Ratings) -> Ratings:
    """Return what of any ratings of the collection belongs to one part of it, or all."""
    if not stratum:
        return ratings
    parts = strata_of(study, facet, top)
    (own,) = [part for part in parts if (part["stratum"] == stratum).any()]
    return select_stratum(ratings, own, stratum)


@follows_labels
def _select(study: Study, facet: str, top: int, stratum: str) -> Ratings:
    return select_part(study, facet, top, stratum, ratings_of(study, facet))


@follows_labels
def chances_by_stratum(study: Study, facet: str, top: int, weighting: str) -> pd.DataFrame:
    """Return p(top | level) in each part of the collection."""
    ratings = ratings_of(study, facet)
    parts = strata_of(study, facet, top)
    found = [estimate_by_stratum(ratings, part, top, weighting) for part in parts]
    return pd.concat(found, ignore_index=True)


@follows_labels
def chances_by_level(
    study: Study, facet: str, top: int, weighting: str, stratum: str
) -> pd.DataFrame:
    """Return p(top | level) with intervals, in one part of the collection or in all."""
    return estimate_top_probability(ratings_in(study, facet, top, stratum), top, weighting)


@follows_labels
def combined_weights_of(study: Study, facet: str, model: UserModel, stratum: str) -> pd.DataFrame:
    """Return the weight of each pair of a snippet level and a page level."""
    combined, part = combined_of(study), (study, facet, model.top, stratum)
    chosen = replace(
        combined,
        ratings=select_part(*part, combined.ratings),
        page_ratings=select_part(*part, combined.page_ratings),
    )
    return weigh_pairs(chosen, highest_levels(study, facet, model), model)


Weights = tuple[tuple[int, float], ...]


@follows_labels
def top_results_of(study: Study, facet: str, top: int, weights: Weights) -> pd.DataFrame:
    """Return for each topic how many results M of N users are expected to find top."""
    table = effective_top_results(ratings_of(study, facet), dict(weights), top)
    query = topics_of(study).set_index("topic_id")["query"]
    table.insert(1, "query", table["topic_id"].map(query))
    return table
