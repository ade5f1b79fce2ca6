"""How far assessors agree on preferences."""

from dataclasses import replace

import numpy as np
import pandas as pd

from core.agreement.coefficients import Kappa, Raw
from core.agreement.confusion import ConfusionMatrices, confusion_matrices
from core.agreement.pairs import agreement_by_pair
from core.agreement.pooled import overall_agreement
from core.agreement.ratings import ratings_from_labels
from core.preference.selection import comparable_preferences

COEFFICIENTS = (Raw(), Kappa())
_LEVELS = {"second": -1, "tie": 0, "first": 1}


def preference_matrices(preferences: pd.DataFrame) -> ConfusionMatrices:
    """Count the choices of every two assessors on the pairs both judged, topic by topic.

    Which item of a pair is called the first is a matter of spelling. So each common pair counts
    half as it stands and half with the items exchanged: no coefficient depends on names.

    Parameters
    ----------
    preferences : DataFrame
        Canonical preferences of one kind and facet; first occasions in state 'level' count.

    Returns
    -------
    ConfusionMatrices
        The levels −1, 0 and 1 stand for second, tie and first.

    Raises
    ------
    BadInput
        There are several kinds or facets.
    TooLittleData
        Fewer than two assessors gave a preference.
    """
    rows = comparable_preferences(preferences)
    labels = pd.DataFrame(
        {
            "topic_id": rows["topic_id"],
            # A pair is to agreement what a document and its engine are: one thing to judge.
            "document_id": rows["first"],
            "engine": rows["second"],
            "facet": rows["facet"],
            "assessor_id": rows["assessor_id"],
            "occasion": rows["occasion"],
            "level": rows["choice"].map(_LEVELS).astype(np.float64),
            "state": rows["state"],
        }
    )
    levels = sorted(_LEVELS.values())
    matrices = confusion_matrices(ratings_from_labels(labels, rows["facet"].iloc[0], levels))
    exchanged = matrices.counts[:, ::-1, ::-1]
    return replace(matrices, counts=(matrices.counts + exchanged) / 2)


def preference_agreement(preferences: pd.DataFrame) -> pd.DataFrame:
    """Agreement on preferences, all pairs of assessors pooled.

    Parameters
    ----------
    preferences : DataFrame
        As for ``preference_matrices``.

    Returns
    -------
    DataFrame
        As ``overall_agreement`` returns it: the share of equal choices (``raw``) and Cohen's κ
        over first, tie and second (``kappa``); topics are what is sampled.

    Raises
    ------
    BadInput, TooLittleData
        As for ``preference_matrices``.
    """
    matrices = preference_matrices(preferences)
    return overall_agreement(matrices, COEFFICIENTS)


def preference_agreement_by_pair(preferences: pd.DataFrame) -> pd.DataFrame:
    """Agreement on preferences of every two assessors with common pairs.

    Parameters
    ----------
    preferences
        As for ``preference_agreement``, which see for errors, too.

    Returns
    -------
    DataFrame
        As ``agreement_by_pair`` returns it.
    """
    matrices = preference_matrices(preferences)
    return agreement_by_pair(matrices, COEFFICIENTS, every_pair=False)
