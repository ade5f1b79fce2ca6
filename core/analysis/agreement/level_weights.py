"""The weights of a collection's levels by the User Disagreement Model."""

from functools import partial

import pandas as pd

from core.analysis.base.declared import model_of
from core.analysis.base.labels import ratings_of
from core.analysis.base.study import (
    Study,
    follows_labels,
    labels_of,
    results_of,
    scales_of,
    topics_of,
)
from core.collection.records import FACETS, PAGE, SNIPPET, counted_levels
from core.disagreement.combined import CombinedRatings, combined_ratings
from core.disagreement.strata import list_strata
from core.reports.level_weights import (
    CombinedWeights,
    LevelLabels,
    LevelWeights,
    PairLabels,
    PairWeights,
    WeightsQuestion,
)
from core.reports.user_model import UserModel
from core.store.rounds.rounds import list_rounds


@follows_labels
def strata_of(study: Study, facet: str, top: int) -> list[pd.DataFrame]:
    """Return the parts that differ from the whole: those of `list_strata`."""
    return list_strata(topics_of(study), results_of(study), ratings_of(study, facet), top)


def strata_names(study: Study, facet: str, top: int) -> list[str]:
    """Return the names of the parts to estimate from."""
    return [name for part in strata_of(study, facet, top) for name in part["stratum"].unique()]


@follows_labels
def ask_weights(study: Study, facet: str, question: WeightsQuestion) -> LevelWeights:
    """Return what is asked of the weights of a facet's levels."""
    return LevelWeights(level_labels_of(study, facet), question)


def level_labels_of(study: Study, facet: str) -> LevelLabels:
    """Return the labels of a facet, with what its levels are called and the collection's parts."""
    names, parts = counted_levels(scales_of(study)[facet]), partial(strata_of, study, facet)
    return LevelLabels(facet, ratings_of(study, facet), names, parts)


def declared_weights(study: Study, facet: str) -> LevelWeights:
    """Return the weights of a facet's levels to the users that the study declares."""
    return ask_weights(study, facet, WeightsQuestion(model_of(study, facet)))


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


@follows_labels
def ask_combined_weights(study: Study, facet: str, question: WeightsQuestion) -> CombinedWeights:
    """Return what is asked of the weights of pairs of levels; of collections with both scales."""
    names = {one: counted_levels(scales_of(study)[one]) for one in FACETS}
    parts, combined = partial(strata_of, study, facet), combined_of(study)
    notes = _describe_opened(study) if combined.unpaired else ()
    return CombinedWeights(PairLabels(combined, facet, names, parts, notes), question)


def _describe_opened(study: Study) -> tuple[str, ...]:
    """Say from which snippet level on pages were judged, where a round asks for it."""
    starts = [
        one.page_from
        for one in list_rounds(study.store, study.collection_id)
        if one.page_from is not None and one.judges_snippets and one.judges_pages
    ]
    if not starts:
        return ()
    (name,) = (one.name for one in scales_of(study)[SNIPPET] if one.level == min(starts))
    return (
        f"pages were judged from the snippet level {name} on only, so these weights hold for "
        "pages that an assessor would have opened",
    )


def pair_weights_of(study: Study, facet: str, model: UserModel) -> PairWeights:
    """Return the weight of each pair of levels that has one; none without double judgements."""
    if not has_both_scales(study):
        return ()
    return ask_combined_weights(study, facet, WeightsQuestion(model)).weights
