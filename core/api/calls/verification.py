"""Whether the User Disagreement Model holds where many users judged the same item."""

from collections.abc import Iterable

import pandas as pd

from core.api.calls.agreement import choose_facet
from core.api.calls.files import warn_of
from core.reports.verification import (
    REPEATS,
    ModelVerification,
    VerificationQuestion,
    read_verification,
)


def verify(
    labels: pd.DataFrame,
    top: int,
    *,
    facet: str = "",
    levels: Iterable[int] | None = None,
    group_by: str = "topic",
    min_labels: int | None = None,
    repeats: int = REPEATS,
) -> ModelVerification:
    """Compare the User Disagreement Model with labels of many users (Demeester et al. 2014).

    Parameters
    ----------
    labels, facet, levels
        As for `agreement`.
    top : int
        The level that a user wants, or above.
    group_by : {'topic', 'document'}
        Whether an item is a document of one topic, or of all topics together.
    min_labels : int, optional
        Items with fewer labels are left out of the draws; without it as many, up to 6, as leave 50
        items or, where there are fewer, all with two.
    repeats : int, default 50
        How often labels are drawn again.

    Returns
    -------
    ModelVerification
        ``answer``, in a sentence; ``chances, weights, fit``, by draws; ``mutual``, assessors scored
        by each other; ``consistency`` and the table ``repeats``, assessors beside themselves;
        ``strata(results, topics)``, p(top | level) in parts of the collection. Each is computed
        when first asked for and raises TooLittleData where labels do not do.

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
    >>> verify(labels, 2, min_labels=2).draws.items
    4
    """
    question = VerificationQuestion(top, group_by, min_labels, repeats)
    scale = None if levels is None else sorted(levels)
    found = read_verification(labels, choose_facet(labels, facet), question, scale)
    warn_of(found.labels.notes, 3)
    return found
