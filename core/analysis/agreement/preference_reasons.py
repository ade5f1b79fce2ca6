"""Why assessors preferred what they did: their reasons by winner."""

import pandas as pd

from core.analysis.agreement.preferences import compared
from core.analysis.base.study import Study, follows_labels
from core.collection.counted_labels import counted_labels
from core.collection.preferences import FIRST, TIE
from core.store.events.preference_reasons import read_reasons


@follows_labels
def reasons_by_winner(study: Study, kind: str, facet: str) -> pd.DataFrame:
    """Return how often each reason was given, by what it was given for.

    Returns
    -------
    DataFrame
        winner (a document or a system; ``tie``), reason, n (preferences with this reason), of
        (preferences for this winner that have any reason), share (n of them). Hidden repeats, and
        what cannot be judged, are left out, as are preferences without a reason. Empty where
        nobody gave one. The most frequent winner first, then the most frequent reason.
    """
    given = counted_labels(compared(study, kind, facet))
    won = given["first"].where(given["choice"] == FIRST, given["second"])
    winners = given[["sequence"]].assign(winner=won.mask(given["choice"] == TIE, TIE))
    found = winners.merge(read_reasons(study.store, study.collection_id), on="sequence")
    if found.empty:
        return pd.DataFrame(columns=["winner", "reason", "n", "of", "share"])
    rows = found.groupby(["winner", "reason"], as_index=False).agg(n=("sequence", "size"))
    rows["of"] = rows["winner"].map(found.groupby("winner")["sequence"].nunique())
    rows["share"] = rows["n"] / rows["of"]
    order = ["of", "winner", "n", "reason"]
    return rows.sort_values(order, ascending=[False, True, False, True], ignore_index=True)
