"""The User Disagreement Model of a collection: weights, what snippets hide, whether it holds."""

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
    stands_apart_from_labels,
    topics_of,
)
from core.collection.records import FACETS, PAGE, SNIPPET, counted_levels
from core.disagreement.combined import (
    CombinedRatings,
    combined_ratings,
    find_missed_pages,
    missed_pages_by_engine,
)
from core.disagreement.repeated_labels import RepeatedLabels, code_repeated_labels
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
from core.reports.verification import ModelVerification, VerificationQuestion
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


@stands_apart_from_labels
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


@follows_labels
def missed_pages_of(study: Study, top: int, below: int | None) -> pd.DataFrame:
    """Return the labels that find a page top, with the level the same assessor gave its snippet."""
    return find_missed_pages(combined_of(study), top, below)


@follows_labels
def missed_by_engine(study: Study, top: int, below: int) -> pd.DataFrame:
    """Return the share of missed pages of each engine, with intervals."""
    return missed_pages_by_engine(missed_pages_of(study, top, below))


@follows_labels
def missed_snippets(study: Study, top: int, below: int) -> pd.DataFrame:
    """Return every snippet that loses its page, with its text."""
    keys = ["topic_id", "document_id", "engine"]
    found = missed_pages_of(study, top, below)
    rows = found.groupby(keys, as_index=False).agg(
        lost=("lost", "sum"), top_labels=("lost", "size")
    )
    texts = results_of(study)[[*keys, "snippet"]]
    rows = rows[rows["lost"] > 0].merge(texts, on=keys, how="left")
    return rows.sort_values(["lost", "engine", "topic_id"], ascending=[False, True, True])


@follows_labels
def ask_verification(study: Study, facet: str, question: VerificationQuestion) -> ModelVerification:
    """Return what is asked of the model."""
    code = partial(_repeated_labels_of, study, facet)
    return ModelVerification(level_labels_of(study, facet), code, question)


@follows_labels
def _repeated_labels_of(study: Study, facet: str, group_by: str) -> RepeatedLabels:
    """Return the labels of a facet by item, repeated ones included."""
    levels = list(counted_levels(scales_of(study)[facet]))
    return code_repeated_labels(labels_of(study), facet, levels, group_by=group_by)


@follows_labels
def share_documents(study: Study, facet: str) -> bool:
    """Tell whether some document was judged for several topics."""
    labels = labels_of(study)
    rows = labels[labels["facet"] == facet]
    pairs = rows[["topic_id", "document_id"]].drop_duplicates()
    return bool(pairs["document_id"].duplicated().any())
