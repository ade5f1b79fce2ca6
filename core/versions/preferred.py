"""The order that preferences make, in the form that versions made from labels have."""

import pandas as pd

from core.errors import TooLittleData
from core.versions.rules import QrelsRule
from core.versions.versions import QrelsVersion


def version_from_order(
    order: pd.DataFrame, preferences: pd.DataFrame, rule: QrelsRule
) -> QrelsVersion:
    """Return a preference order as a version.

    Parameters
    ----------
    order : DataFrame
        ``topic_id, iteration, document_id, level``, sorted by topic and document.
    preferences : DataFrame
        What it was made of: ``assessor_id, sequence``, a row for each preference.
    rule : QrelsRule
        What it is called; of ``topics`` only those, where there are any.

    Returns
    -------
    QrelsVersion
        ``n_labels`` counts the preferences.

    Raises
    ------
    TooLittleData
        No topic is left.
    """
    frame = order[order["topic_id"].isin(rule.topics)] if rule.topics else order
    frame = frame.reset_index(drop=True)
    if frame.empty:
        raise TooLittleData(f"the version '{rule.name}' finds no preference that it may use")
    return QrelsVersion(
        frame,
        float(frame["level"].max()),
        rule=rule,
        last_sequence=int(preferences["sequence"].max()),
        n_labels=len(preferences),
        assessors=tuple(sorted(set(preferences["assessor_id"]))),
    )
