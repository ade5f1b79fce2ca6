"""Agreement of assessors, and weights of levels by the User Disagreement Model."""

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from core.api.calls.arguments import as_list, as_scale
from core.api.calls.files import warn_of
from core.collection.labels.label_options import JUDGED
from core.collection.records import FACETS
from core.disagreement.combined import combined_ratings
from core.errors import BadInput, TooLittleData
from core.reports.agreement import SUGGESTED, Agreement, AgreementQuestion, read_facet
from core.reports.level_weights import (
    CombinedWeights,
    LevelWeights,
    PairLabels,
    WeightsQuestion,
    read_levels,
)
from core.reports.report import Report
from core.reports.user_model import USERS, UserModel
from core.wording import drop_marks


def agreement(
    labels: pd.DataFrame,
    coefficients: str | Sequence[str] = (),
    *,
    facet: str = "",
    levels: Iterable[int] | None = None,
    runs: pd.DataFrame | None = None,
    binary_at: int | None = None,
    interval: str = SUGGESTED.interval,
) -> Agreement:
    """Measure how far assessors agree.

    Parameters
    ----------
    labels : DataFrame
        As `read_labels` or a store's ``labels`` gives them.
    coefficients : str or sequence of str, optional
        Such as ``kappa(linear)``, ``alpha(ordinal)``, ``overlap>=2``; all that are suggested,
        without it.
    facet : {'', 'page', 'snippet'}
        Which labels; needed where there are both.
    levels : iterable of int, optional
        The levels of the scale; those that occur without it.
    runs : DataFrame, optional
        As `read_runs` gives them: for ``alpha(ordinal, p=0.8)``, in which items count by the best
        rank that a run gives them.
    binary_at : int, optional
        Where no coefficients are named: also with levels from this one up as one.
    interval : {'jackknife', 'bootstrap', 'analytic', 'fleiss1969'}
        Limits of pairs, as for ``dissent agreement --interval``.

    Raises
    ------
    BadInput
        A coefficient, facet or interval is unknown, or the facet is left open where there are two.
    TooLittleData
        No two assessors judged the same item.

    Examples
    --------
    >>> import pandas as pd
    >>> labels = pd.DataFrame({
    ...     "topic_id": "t1", "document_id": list("abcd") * 2, "facet": "page", "engine": "",
    ...     "assessor_id": ["ann"] * 4 + ["bob"] * 4, "occasion": 0, "state": "level",
    ...     "group": "", "level": [0, 1, 2, 2, 0, 1, 2, 1],
    ... })
    >>> agreement(labels, ["kappa", "raw"]).overall[["coefficient", "value"]]
      coefficient     value
    0       kappa  0.636364
    1         raw      0.75
    """
    facet = choose_facet(labels, facet)
    own = read_facet(labels, facet, as_scale(levels), runs)
    warn_of(own.notes, 3)
    question = AgreementQuestion(tuple(as_list(coefficients)), binary_at, interval)
    return Agreement(own, question)


def weights(
    labels: pd.DataFrame,
    top: int,
    *,
    users: int = USERS,
    at_least: int = 1,
    facet: str = "",
    levels: Iterable[int] | None = None,
    weighting: str = "item",
    keep_lowest: bool = False,
) -> pd.DataFrame:
    """Estimate the weight of each level by the User Disagreement Model (Demeester et al. 2014).

    Parameters
    ----------
    labels, facet, levels
        As for `agreement`.
    top : int
        The level that a user wants, or above.
    users, at_least : int
        The weight of a level is the chance that ``at_least`` of ``users`` find an item top that
        one assessor gave this level.
    weighting : {'item', 'pairs'}
        Whether every item counts alike, or every pair of labels.
    keep_lowest : bool, default False
        Whether the lowest level has a weight; a top label beside it counts as a slip otherwise.

    Returns
    -------
    DataFrame
        ``level, cases, top_cases, pairs, p, low, high, topics, few, reason, weight, weight_low,
        weight_high``, lowest level first; ``p`` is p(top | level) in [0, 1] with 95 % limits, in
        which the ``topics`` with cases are what is sampled, and from which those of the weight
        follow; ``few`` tells of fewer than 50 cases or 5 topics. Beside them ``name``, the usual
        gains ``linear`` and ``exp``, of which the highest is 1, and ``interval, unit, units``. Its
        ``attrs`` have the ``answer`` in a sentence, and ``notes``.

    Raises
    ------
    BadInput
        The top is no level, or ``at_least`` is not within 1 … ``users``.
    """
    facet = choose_facet(labels, facet)
    own = read_levels(labels, facet, as_scale(levels))
    warn_of(own.notes, 3)
    model = UserModel(top, users, at_least, weighting, keep_lowest)
    found = LevelWeights(own, WeightsQuestion(model))
    return _with_answer(found, found.levels)


def combined_weights(
    labels: pd.DataFrame,
    top: tuple[int, int],
    *,
    users: int = USERS,
    at_least: int = 1,
    levels: Mapping[str, Iterable[int]] | None = None,
    weighting: str = "item",
    keep_lowest: bool = False,
) -> pd.DataFrame:
    """Estimate the weight of each pair of a snippet level and a page level.

    Parameters
    ----------
    labels : DataFrame
        Of both facets.
    top : tuple of int
        The top level of snippets and that of pages.
    levels : mapping of str to iterable of int, optional
        The levels of each scale, by facet; those that occur without it.
    users, at_least, weighting, keep_lowest
        As for `weights`.

    Returns
    -------
    DataFrame
        ``snippet, page`` and the columns of `weights` without usual gains, and ``page_weight``,
        that of the page alone; by falling weight. ``attrs`` as there.
    """
    scales = [sorted(levels[one]) if levels and one in levels else None for one in FACETS]
    combined = combined_ratings(labels, *scales)
    model = UserModel(top[1], users, at_least, weighting, keep_lowest)
    found = CombinedWeights(PairLabels(combined), WeightsQuestion(model, other_top=top[0]))
    return _with_answer(found, found.pairs)


def _with_answer(report: Report, table: pd.DataFrame) -> pd.DataFrame:
    """Return a table with what its report says in ``attrs``."""
    answered = table.copy()
    answered.attrs = {"answer": drop_marks(report.answer), "notes": [*report.notes]}
    return answered


def choose_facet(labels: pd.DataFrame, facet: str) -> str:
    """Return the facet, or the only one that was judged; raises BadInput, TooLittleData."""
    if facet and facet not in FACETS:
        raise BadInput(f"'{facet}' is none of {', '.join(FACETS)}", field="facet")
    judged = set(labels.loc[labels["state"] == JUDGED, "facet"])
    known = [one for one in FACETS if one in judged]
    if not facet and not known:
        raise TooLittleData("none of these labels is a level, so there is nothing to look at")
    if not facet and len(known) != 1:
        raise BadInput(f"say which of {', '.join(known)}", field="facet")
    return facet or known[0]
