"""What was judged side by side: the preferences, and the versions that they make."""

import pandas as pd

from core.analysis.base.declared import declared_of
from core.analysis.base.study import (
    Study,
    follows_labels,
    labels_of,
    leave_out,
    mask_people,
    stands_apart_from_labels,
)
from core.collection.records import DOCUMENTS, SYSTEMS
from core.errors import TooLittleData
from core.preference.order import order_documents
from core.preference.selection import decided_preferences
from core.reports.level_weights import Weights
from core.reports.preferences import USUAL, PreferenceQuestion, Preferences
from core.store.events.current_labels import LATEST
from core.store.events.preference_reasons import read_reasons
from core.store.rounds.pairs import read_preferences
from core.store.rounds.withdrawn_runs import list_withdrawn
from core.versions.combine import PREFERENCE
from core.versions.imported import version_from_order
from core.versions.rules import QrelsRule
from core.versions.versions import QrelsVersion


@follows_labels
def preferences_of(study: Study) -> pd.DataFrame:
    """Return everything said of pairs in the collection in view, by persons."""
    return preferences_at(study, LATEST)


def preferences_at(study: Study, until: int) -> pd.DataFrame:
    """Return what persons had said of pairs at a label event; of withdrawn runs nothing counts."""
    here = study.store, study.collection_id, until
    preferences = mask_people(study, read_preferences(*here, discussed=study.discussed))
    if gone := _withdrawn_runs_of(study):
        withdrawn = preferences[["first", "second"]].isin(gone).any(axis=1) & (
            preferences["kind"] == SYSTEMS
        )
        preferences = preferences[~withdrawn]
    return leave_out(study, preferences, until)


@stands_apart_from_labels
def _withdrawn_runs_of(study: Study) -> list[str]:
    return list_withdrawn(study.store, study.collection_id)["system"].tolist()


@follows_labels
def compared(study: Study, kind: str, facet: str) -> pd.DataFrame:
    """Return the preferences of one kind and facet."""
    found = preferences_of(study)
    return found[(found["kind"] == kind) & (found["facet"] == facet)].reset_index(drop=True)


@follows_labels
def ask_preferences(
    study: Study, kind: str, facet: str, question: PreferenceQuestion
) -> Preferences:
    """Return what is asked of the preferences of one kind and facet, with reasons and labels."""
    given = compared(study, kind, facet)

    def find_reasons() -> pd.DataFrame:
        return given.merge(read_reasons(study.store, study.collection_id), on="sequence")

    return Preferences(given, question, find_reasons, lambda: labels_of(study))


def preferences_on(
    study: Study, kind: str, facet: str, model: str = USUAL.model, weights: Weights = ()
) -> Preferences:
    """Return what the preferences of one kind and facet say, at the α that the study declares."""
    question = PreferenceQuestion(model, declared_of(study).alpha, weights)
    return ask_preferences(study, kind, facet, question)


def preference_rules(study: Study, facet: str) -> list[QrelsRule]:
    """Return the version that preferences between documents make, where there are any."""
    try:
        order_documents(preferences_on(study, DOCUMENTS, facet).fitted)
    except TooLittleData:
        return []
    return [QrelsRule(f"preferences, {facet}s", facet, PREFERENCE)]


def order_version(preferences: pd.DataFrame, rule: QrelsRule) -> QrelsVersion:
    """Return the order of each topic's documents as judgements; raises TooLittleData."""
    chosen = preferences[(preferences["kind"] == DOCUMENTS) & (preferences["facet"] == rule.facet)]
    counted = decided_preferences(chosen)
    order = order_documents(Preferences(counted).fitted)
    return version_from_order(order.qrels, counted, rule)


EVERYBODY = "all together"


def name_assessors(report: Preferences) -> dict[str, str]:
    """Return what assessors are called, by id; '' is everybody."""
    people = report.given[["assessor_id", "assessor"]].drop_duplicates()
    named = people["assessor"].mask(people["assessor"] == "", people["assessor_id"])
    return {**dict(zip(people["assessor_id"], named, strict=True)), "": EVERYBODY}
