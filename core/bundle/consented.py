"""Whose labels may be published."""

import pandas as pd

from core.analysis.base.study import Study
from core.store.people.consent import NO, YES, read_roster
from core.store.people.pseudonyms import assessor_codes

_OF_FILES = {"imported", "simulated"}


def find_consenting(study: Study, labels: pd.DataFrame, *, imported: bool) -> frozenset[str]:
    """Return the codes of assessors whose labels may be published.

    Parameters
    ----------
    study : Study
        A masked study.
    labels : DataFrame
        Its labels: ``assessor_id`` (codes) and ``source``.
    imported : bool
        Also of assessors known by imported files or as simulated only, whom nobody can ask here.
        The organiser then vouches for them. Who said no is never among them.

    Returns
    -------
    frozenset of str
        Who answered yes to the text of consent as it is now, and those.
    """
    roster = read_roster(study.store, study.collection_id)
    codes = assessor_codes(study.store, study.collection_id, roster["assessor_id"])
    roster = roster.assign(code=roster["assessor_id"].map(codes))
    allowed = set(roster.loc[roster["consent"] == YES, "code"])
    if imported:
        judged_here = set(labels.loc[labels["source"] != "imported", "assessor_id"])
        simulated = set(roster.loc[roster["origin"] == "simulated", "code"])
        of_files = roster["origin"].isin(_OF_FILES) & (roster["consent"] != NO)
        allowed |= set(roster.loc[of_files, "code"]) - (judged_here - simulated)
    return frozenset(allowed & set(labels["assessor_id"].astype("str")))
