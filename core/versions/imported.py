"""Judgements that came as a qrels file, in the form that versions made from labels have."""

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
