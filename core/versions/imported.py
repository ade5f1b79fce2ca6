"""Imported qrels, and the order that preferences make, in the form that versions have."""

import pandas as pd

from core.errors import TooLittleData
from core.versions.rules import QrelsRule
from core.versions.versions import QrelsVersion


def version_from_qrels(qrels: pd.DataFrame, name: str) -> QrelsVersion:
    """Return imported judgements as a version.

    Parameters
    ----------
    qrels : DataFrame
        ``topic_id, iteration, document_id, level``.
    name : str
        What they are called.

    Returns
    -------
    QrelsVersion
        Its last sequence is 0, for it is based on no label event; ``n_labels`` counts the lines.
        The hash is that of a version made from labels with the same rows. What their scale is
        nobody says: the highest level that occurs is taken for its highest.

    Raises
    ------
    TooLittleData
        There is no line.
    """
    if qrels.empty:
        raise TooLittleData(f"the qrels '{name}' hold no judgement")
    frame = qrels[["topic_id", "iteration", "document_id", "level"]].astype({"level": "float64"})
    if (frame["level"] % 1 == 0).all():
        frame = frame.astype({"level": "int64"})
    frame = frame.sort_values(["topic_id", "document_id", "iteration"], ignore_index=True)
    highest = float(frame["level"].max())
    return QrelsVersion(
        frame, highest, True, rule=QrelsRule(name), last_sequence=0, n_labels=len(frame)
    )


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
