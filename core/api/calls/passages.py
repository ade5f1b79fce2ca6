"""How far assessors marked the same passages."""

import pandas as pd

from core.api.calls.files import warn_of
from core.collection.records import FACETS
from core.errors import BadInput
from core.reports.passages import PassageAgreement


def passage_agreement(passages: pd.DataFrame, *, facet: str = "") -> PassageAgreement:
    """Measure how far assessors marked the same passages.

    Parameters
    ----------
    passages : DataFrame
        As a store's ``passages`` gives them.
    facet : {'', 'page', 'snippet'}
        Which passages; needed where there are both.

    Returns
    -------
    PassageAgreement
        ``answer``, ``notes``, and the tables ``overall`` and ``items``. In ``overall``, ``f1`` is
        of characters, in [0, 1], the mean over pairs of assessors and then over items, and
        ``alpha(nominal)``, at most 1, has each character as a unit. 95 % limits by the jackknife
        over topics.

    Raises
    ------
    BadInput
        The facet is unknown, or left open where there are two.

    Examples
    --------
    >>> import pandas as pd
    >>> passages = pd.DataFrame({
    ...     "topic_id": "t1", "document_id": "d1", "facet": "page", "engine": "",
    ...     "assessor_id": ["ann", "bob"], "occasion": 0, "state": "level",
    ...     "start": [0, 5], "end": [10, 15], "characters": 40,
    ... })
    >>> passage_agreement(passages).overall[["coefficient", "value"]]
          coefficient     value
    0              f1  0.500000
    1  alpha(nominal)  0.341667
    """
    known = [one for one in FACETS if (passages["facet"] == one).any()]
    if facet and facet not in FACETS:
        raise BadInput(f"'{facet}' is none of {', '.join(FACETS)}", field="facet")
    if not facet and len(known) > 1:
        raise BadInput(f"say which of {', '.join(known)}", field="facet")
    report = PassageAgreement(passages, facet or (known or [*FACETS])[0])
    warn_of(report.notes, 3)
    return report
