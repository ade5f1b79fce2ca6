"""What was judged side by side: the preferences, and the versions that they make."""

import pandas as pd

from core.analysis.base.masking import mask_people
from core.analysis.base.study import Study, follows_labels, leave_out
from core.collection.records import DOCUMENTS, SYSTEMS
from core.errors import TooLittleData
from core.preference.bradley_terry import Strengths, bradley_terry
from core.preference.order import order_documents
from core.preference.pair_counts import count_pairs
from core.preference.selection import decided_preferences
from core.preference.sides import side_bias, swapped_repeats
from core.preference.transitivity import Transitivity
from core.reports.preferences import PreferenceAnalysis
from core.store.events.current_labels import LATEST
from core.store.rounds.pairs import read_preferences
from core.store.rounds.withdrawn_runs import list_withdrawn
from core.versions.combine import PREFERENCE
from core.versions.preferred import version_from_order
from core.versions.rules import QrelsRule
from core.versions.versions import QrelsVersion


@follows_labels
def preferences_of(study: Study) -> pd.DataFrame:
    """Return everything said of pairs in the collection in view, by persons."""
    return preferences_at(study, LATEST)


def preferences_at(study: Study, until: int) -> pd.DataFrame:
    """Return what persons had said of pairs at a label event."""
    here = study.store, study.collection_id, until
    said = mask_people(study, read_preferences(*here, discussed=study.discussed))
    return leave_out(study, said, until)


@follows_labels
def compared(study: Study, kind: str, facet: str) -> pd.DataFrame:
    """Return the preferences of one kind and facet."""
    found = preferences_of(study)
    return found[(found["kind"] == kind) & (found["facet"] == facet)].reset_index(drop=True)


def strengths_of(study: Study, kind: str, facet: str, model: str = "bradley-terry") -> Strengths:
    """Return the strengths of what was compared; raises TooLittleData."""
    return _fit(study, kind, facet, model)


@follows_labels
def _fit(study: Study, kind: str, facet: str, model: str) -> Strengths:
    found = compared(study, kind, facet)
    if kind == SYSTEMS:
        gone = set(list_withdrawn(study.store, study.collection_id)["system"])
        found = found[~found["first"].isin(gone) & ~found["second"].isin(gone)]
    return PreferenceAnalysis(found.reset_index(drop=True)).strengths(model)


def analyse(study: Study, kind: str, facet: str) -> PreferenceAnalysis:
    """Return what the preferences of one kind and facet say."""
    return PreferenceAnalysis(compared(study, kind, facet))


def preference_rules(study: Study, facet: str) -> list[QrelsRule]:
    """Return the version that preferences between documents make, where there are any."""
    try:
        order_documents(strengths_of(study, DOCUMENTS, facet))
    except TooLittleData:
        return []
    return [QrelsRule(f"preferences, {facet}s", facet, PREFERENCE)]


def order_version(preferences: pd.DataFrame, rule: QrelsRule) -> QrelsVersion:
    """Return the order of each topic's documents as judgements; raises TooLittleData."""
    chosen = preferences[(preferences["kind"] == DOCUMENTS) & (preferences["facet"] == rule.facet)]
    counted = decided_preferences(chosen)
    order = order_documents(bradley_terry(count_pairs(counted)))
    return version_from_order(order.qrels, counted, rule)


EVERYBODY = "all together"


def _with_names(study: Study, kind: str, facet: str, rows: pd.DataFrame) -> pd.DataFrame:
    people = compared(study, kind, facet)[["assessor_id", "assessor"]].drop_duplicates()
    names = people.set_index("assessor_id")["assessor"].to_dict() | {"": EVERYBODY}
    named = rows["assessor_id"].map(names)
    return rows.assign(assessor=named.mask(named == "", rows["assessor_id"]))


@follows_labels
def sides_by_assessor(study: Study, kind: str, facet: str) -> pd.DataFrame:
    """Return how often each assessor prefers the left side."""
    return _with_names(study, kind, facet, side_bias(compared(study, kind, facet)))


@follows_labels
def repeats_by_assessor(study: Study, kind: str, facet: str) -> pd.DataFrame:
    """Return how often each assessor stands by a choice when the sides are swapped."""
    return _with_names(study, kind, facet, swapped_repeats(compared(study, kind, facet)))


@follows_labels
def agreement_on_preferences(study: Study, kind: str, facet: str) -> pd.DataFrame:
    """Return how far the assessors agree on pairs, with intervals over topics."""
    return analyse(study, kind, facet).agreement


@follows_labels
def pairs_on_preferences(study: Study, kind: str, facet: str) -> pd.DataFrame:
    """Return the same for every two assessors."""
    return analyse(study, kind, facet).agreement_by_pair


@follows_labels
def cycles_of(study: Study, kind: str, facet: str) -> Transitivity:
    """Return the cycles in what is preferred to what."""
    return analyse(study, kind, facet).cycles


@follows_labels
def outcomes_of(study: Study, kind: str, facet: str) -> pd.DataFrame:
    """Return wins, losses and ties of every pair."""
    return analyse(study, kind, facet).outcomes
