"""How each assessor judges, beside the others and beside gold."""

from collections.abc import Iterable

import pandas as pd

from core.api.calls.agreement import choose_facet
from core.api.calls.files import warn_of
from core.reports.assessors import AssessorQuality, read_assessors


def assessors(
    labels: pd.DataFrame,
    *,
    facet: str = "",
    levels: Iterable[int] | None = None,
    gold: pd.DataFrame | None = None,
    paradata: pd.DataFrame | None = None,
) -> AssessorQuality:
    """Tell how each assessor judges; nothing is corrected by it.

    Parameters
    ----------
    labels : DataFrame
        As `read_labels` or a store's ``labels`` gives them. Those of the assessor 'gold' are taken
        for gold, and are no assessor's.
    facet, levels
        As for `agreement`.
    gold : DataFrame, optional
        The levels that are taken for right, as a store's ``gold`` gives them.
    paradata : DataFrame, optional
        How labels came about, as a store's ``paradata`` gives it.

    Returns
    -------
    AssessorQuality
        ``answer`` and ``leniency_answer``, in sentences, and tables: ``assessors``, with leniency
        in steps of the scale and its 95 % limits by the jackknife over topics, linear weighted κ
        with the others from 10 common items on, and agreement with gold; ``level_shares``;
        ``active_time``, in seconds; ``drift``, over tenths of the labels; ``drifting``;
        ``careless``, where there is paradata.

    Raises
    ------
    BadInput
        The facet is left open where there are two.

    Examples
    --------
    >>> import pandas as pd
    >>> labels = pd.DataFrame({
    ...     "topic_id": "t1", "document_id": list("abcd") * 2, "facet": "page", "engine": "",
    ...     "assessor_id": ["ann"] * 4 + ["bob"] * 4, "occasion": 0, "state": "level",
    ...     "group": "", "level": [0, 1, 2, 2, 0, 1, 2, 1],
    ... })
    >>> assessors(labels).assessors[["assessor_id", "common", "leniency"]]
      assessor_id  common  leniency
    0         ann       4      0.25
    1         bob       4     -0.25
    """
    facet = choose_facet(labels, facet)
    scale = None if levels is None else sorted(levels)
    found = read_assessors(labels, facet, scale, gold, paradata)
    warn_of(found.notes, 3)
    return found
