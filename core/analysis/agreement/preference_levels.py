"""Whether the levels of two documents tell which of them is preferred."""

import numpy as np
import pandas as pd

from core.analysis.agreement.preferences import compared
from core.analysis.base.study import Study, follows_labels, labels_of
from core.analysis.results.qrels_choices import Pairs
from core.collection.labels.counted_labels import counted_labels
from core.collection.records import DOCUMENTS
from core.preference.levels import gain_differences, preference_by_difference, preference_slope

CLASSES = 5
"""Into so many classes differences of weights are sorted."""


@follows_labels
def preferences_by_level(
    study: Study, facet: str, weights: Pairs
) -> tuple[pd.DataFrame, tuple[float, float, float, str]]:
    """Return preferences by the difference of mean levels, or of mean weights where given.

    Returns
    -------
    DataFrame
        The columns of `preference_by_difference`, and ``name``.
    tuple
        As `preference_slope` returns it.
    """
    given = counted_labels(labels_of(study), facet)
    gain = given["level"].map(dict(weights)) if weights else given["level"].astype("float64")
    means = given.assign(gain=gain).groupby(["topic_id", "document_id"])["gain"].mean()
    gains = means.dropna().rename_axis(["topic_id", "item"]).reset_index()
    differences = gain_differences(compared(study, DOCUMENTS, facet), gains)
    highest = float(differences["difference"].abs().max())
    edges = np.linspace(0, highest * (1 + 1e-9), CLASSES + 1).tolist() if highest else None
    rows = preference_by_difference(differences, edges)
    names = [f"{low:.2g}–{high:.2g}" for low, high in zip(rows["over"], rows["up_to"], strict=True)]
    return rows.assign(name=names), preference_slope(differences)
