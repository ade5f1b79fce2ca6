"""Why assessors preferred what they did: their reasons by winner."""

import pandas as pd

from core.analysis.agreement.preferences import compared
from core.analysis.base.study import Study, follows_labels
from core.preference.reasons import count_reasons
from core.store.events.preference_reasons import read_reasons


@follows_labels
def reasons_by_winner(study: Study, kind: str, facet: str) -> pd.DataFrame:
    """Return how often each reason was given, by what it was given for; see `count_reasons`."""
    given = compared(study, kind, facet)
    reasons = read_reasons(study.store, study.collection_id)
    return count_reasons(given.merge(reasons, on="sequence"))
