"""Machine judges under audit: how far their labels agree with those of people."""

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from core.agreement.base import COEFFICIENTS
from core.analysis.frames.machines import MachineAudit
from core.api.agreement import choose_facet
from core.machines.alternative_test import EPSILON


def machines(
    labels: pd.DataFrame,
    machines: Mapping[str, pd.DataFrame],
    coefficients: Sequence[str] = (),
    *,
    facet: str = "",
    levels: Iterable[int] | None = None,
    epsilon: float = EPSILON,
    scoring: str = "accuracy",
    fewest_items: int = 1,
    chosen: str = "unknown",
) -> MachineAudit:
    """Measure how far machines agree with people, beside how far people agree with each other.

    Parameters
    ----------
    labels : DataFrame
        Of people, as `read_labels` gives them.
    machines : mapping of str to DataFrame
        By name, labels as `read_machine_labels` gives them: ``topic_id, document_id, level``.
    coefficients : sequence of str, optional
        Such as ``kappa(linear)``, ``alpha(ordinal)``; all that are suggested, without it.
    facet : {'', 'page', 'snippet'}
        Which labels of people; needed where there are both.
    levels : iterable of int, optional
        The levels of the scale; those that people gave, without it. What a machine gave beyond them
        is invalid: named and counted apart, never made another level.
    epsilon, scoring, fewest_items
        Of the alternative annotator test: what people may be better by (.2 for experts, .15 for
        skilled people, .1 for a crowd), 'accuracy' or 'rmse', and how many items a person needs.
    chosen : {'unknown', 'random', 'selected'}
        How the judged items were chosen; ``sampling`` of the result says what follows from it.

    Returns
    -------
    MachineAudit
        ``pairs, people, differences, verdicts, shifts, topics, distributions, near, invalid,
        coverage, alternative_tests, sampling``, computed when first asked for.

    Raises
    ------
    BadInput
        A coefficient, facet or way of choosing is unknown, the facet is left open where there are
        two, no machine is named, a person has a machine's name, or a machine has two labels for an
        item.
    TooLittleData
        A machine gave no level of the scale to an item that a person judged.

    Examples
    --------
    >>> import pandas as pd
    >>> labels = pd.DataFrame({
    ...     "topic_id": "t1", "document_id": list("abcd") * 2, "facet": "page", "engine": "",
    ...     "assessor_id": ["ann"] * 4 + ["bob"] * 4, "occasion": 0, "state": "level",
    ...     "group": "", "level": [0, 1, 2, 2, 0, 1, 2, 1],
    ... })
    >>> given = pd.DataFrame(
    ...     {"topic_id": "t1", "document_id": list("abcd"), "level": [0, 1, 2, 5]}
    ... )
    >>> found = machines(labels, {"m": given}, ["raw"])
    >>> found.pairs[["machine", "person", "n", "value"]]
      machine person  n  value
    0       m    ann  3    1.0
    1       m    bob  3    1.0
    >>> found.invalid[["machine", "topic_id", "document_id", "value"]]
      machine topic_id document_id  value
    0       m       t1           d      5
    """
    found = MachineAudit(
        labels,
        machines,
        choose_facet(labels, facet),
        None if levels is None else sorted(levels),
        tuple(map(COEFFICIENTS.parse, coefficients)),
        epsilon,
        scoring,
        fewest_items,
        chosen,
    )
    found.check()
    return found
