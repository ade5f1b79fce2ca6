"""What was judged side by side: the preferences, and the versions that they make."""

import pandas as pd

from core.collection.preferences import DOCUMENTS
from core.errors import TooLittleData
from core.preference.bradley_terry import Strengths, bradley_terry
from core.preference.contests import count_contests
from core.preference.order import order_documents
from core.preference.selection import decided_preferences
from core.store.pairs import read_preferences
from core.versions.combine import PREFERENCE
from core.versions.preferred import version_from_order
from core.versions.rules import QrelsRule
from core.versions.versions import QrelsVersion
from pages.shared.live import kept
from pages.shared.masking import mask_people
from pages.shared.session import Visit


def preferences_of(visit: Visit) -> pd.DataFrame:
    """Return everything said of pairs in the collection in view."""
    return kept(visit, _read)


def compared(visit: Visit, kind: str, facet: str) -> pd.DataFrame:
    """Return the preferences of one kind and facet."""
    return kept(visit, _select, kind, facet)


def strengths_of(visit: Visit, kind: str, facet: str, model: str = "bradley-terry") -> Strengths:
    """Return the strengths of what was compared; raises TooLittleData."""
    return kept(visit, _fit, kind, facet, model)


def preference_rules(visit: Visit, facet: str) -> list[QrelsRule]:
    """Return the version that preferences between documents make, where there are any."""
    try:
        order_documents(strengths_of(visit, DOCUMENTS, facet))
    except TooLittleData:
        return []
    return [QrelsRule(f"preferences, {facet}s", facet, PREFERENCE)]


def order_version(preferences: pd.DataFrame, rule: QrelsRule) -> QrelsVersion:
    """Return the order of each topic's documents as judgements; raises TooLittleData."""
    chosen = preferences[(preferences["kind"] == DOCUMENTS) & (preferences["facet"] == rule.facet)]
    counted = decided_preferences(chosen)
    order = order_documents(bradley_terry(count_contests(counted)))
    return version_from_order(order.qrels, counted, rule)


def _read(visit: Visit) -> pd.DataFrame:
    return mask_people(visit, read_preferences(visit.store, visit.collection_id))


def _select(visit: Visit, kind: str, facet: str) -> pd.DataFrame:
    found = preferences_of(visit)
    return found[(found["kind"] == kind) & (found["facet"] == facet)].reset_index(drop=True)


def _fit(visit: Visit, kind: str, facet: str, model: str) -> Strengths:
    return bradley_terry(count_contests(compared(visit, kind, facet)), model)
