"""How far assessors marked the same passages."""

import pandas as pd

from core.agreement.passages import code_passages
from core.agreement.passages import passage_agreement as tabulate
from core.collection.records import FACETS
from core.errors import BadInput


def passage_agreement(passages: pd.DataFrame, *, facet: str = "") -> pd.DataFrame:
    """Measure how far assessors marked the same passages.

    Parameters
    ----------
    passages : DataFrame
        As a store's ``passages`` gives them.
    facet : {'', 'page', 'snippet'}
        Which passages; needed where there are both.

    Returns
    -------
    DataFrame
        ``coefficient, n, value, low, high, interval, unit, units, reason``: ``f1`` of characters,
        in [0, 1], the mean over pairs of assessors and then over items, and ``alpha(nominal)``, at
        most 1, with each character as a unit. 95 % limits by the jackknife over topics.
        ``reason`` says why something is NaN.

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
    >>> passage_agreement(passages)[["coefficient", "value"]]
          coefficient     value
    0              f1  0.500000
    1  alpha(nominal)  0.341667
    """
    known = [one for one in FACETS if (passages["facet"] == one).any()]
    if facet and facet not in FACETS:
        raise BadInput(f"'{facet}' is none of {', '.join(FACETS)}", field="facet")
    if not facet and len(known) > 1:
        raise BadInput(f"say which of {', '.join(known)}", field="facet")
    return tabulate(code_passages(passages, facet or (known or [*FACETS])[0]))
