"""Strengths of items from preferences between them, with intervals.

Which items are connected, and where strengths would grow without bound.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from core.agreement.intervals import Z95
from core.errors import BadInput, TooLittleData
from core.preference.choices import MODELS
from core.preference.clusters import ASSESSOR, PREFERENCE, TOPIC, Clusters, cluster_errors
from core.preference.likelihood import PreferenceLikelihood, Slopes
from core.preference.newton import maximise, variances
from core.preference.pair_counts import Codes, Floats, PairCounts


@dataclass(frozen=True)
class Components:
    """The graph of who was compared with whom.

    Attributes
    ----------
    component : array of int, shape (n_items,)
        Items are in the same component when they were compared, directly or through others.
    bounded : array of bool, shape (n_items,)
        Whether the likelihood alone gives the item's component finite strengths.
    """

    component: Codes
    bounded: npt.NDArray[np.bool_]


def connect_items(pair_counts: PairCounts, ties_bind: bool = True) -> Components:
    """Find the components, and those of them in which nobody is out of reach.

    Parameters
    ----------
    pair_counts : PairCounts
    ties_bind : bool
        Whether a tie counts as half a win each; with a tie parameter to be found it does not.

    Notes
    -----
    Strengths are finite where any item can be reached from any other along wins: however a
    component is divided in two, each part has won against the other at least once.

    References
    ----------
    Ford (1957), American Mathematical Monthly 64(8), doi:10.2307/2308513.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    size, half = len(pair_counts.items), pair_counts.ties * ties_bind
    over, under = pair_counts.wins + half > 0, pair_counts.losses + half > 0
    winner = np.concatenate([pair_counts.first[over], pair_counts.second[under]])
    loser = np.concatenate([pair_counts.second[over], pair_counts.first[under]])
    wins = coo_array((np.ones(len(winner)), (winner, loser)), shape=(size, size))
    pairs = coo_array(
        (pair_counts.played, (pair_counts.first, pair_counts.second)), shape=(size, size)
    )
    _, component = connected_components(pairs, directed=False)
    _, cycle = connected_components(wins, connection="strong")
    cycles = np.unique(np.stack([component, cycle]), axis=1)[0]
    bounded = np.bincount(cycles) == 1
    return Components(component.astype(np.int64), bounded[component])


UNBOUNDED = (
    "some items in the group won, or lost, every comparison with the others, so the data set no "
    "bound to their strengths; for a finite order, one tie with an item of average strength was "
    "added for each item"
)
APART = (
    "not compared with all others, directly or through other items; comparable within its "
    "group only"
)
NO_BOUND = "the data set no bound to strengths in this group"
ONE_UNIT = {
    TOPIC: "all preferences are of one topic; an interval over topics needs two",
    ASSESSOR: "all preferences are of one assessor; an interval over assessors needs two",
}
LOOSE = "without one {unit} some items are not compared with the others: no interval over {unit}s"
SAME = "every {unit} says the same of this item, so that nothing tells how far others would differ"
_NO_SPREAD = 1e-9


@dataclass(frozen=True, eq=False)
class Strengths:
    """Strengths by a model of paired comparison.

    Attributes
    ----------
    frame : DataFrame
        A row for each item: ``topic_id`` ('' over topics), ``item, n`` (its comparisons),
        ``points`` (wins plus half the ties), ``strength`` with its 95 % limits ``low, high``;
        ``interval, unit, units`` (the method, what it takes for sampled and how many of them
        the group has); ``error``, the standard error by the information; ``group`` (1, 2 …
        within the topic: only items of one group are comparable); ``note``, '' where nothing is
        to be said; ``reason`` where a limit is infinite or NaN.
    model : str
        'bradley-terry' or 'davidson'.
    tie_parameter : float
        Davidson's ν: two items of equal strength tie with chance ν / (2 + ν). NaN in the
        Bradley–Terry model.
    """

    frame: pd.DataFrame
    model: str
    tie_parameter: float


def bradley_terry(
    pair_counts: PairCounts, model: str = "bradley-terry", clusters: Clusters | None = None
) -> Strengths:
    """Strengths that make the preferences most likely.

    The log odds that one item is preferred to another are the difference of their strengths. A
    tie is half a win each; or, in Davidson's model, an outcome of its own, whose parameter is
    found for all topics together.

    Items that were not compared, directly or through other items, form separate groups with a
    mean of 0 each. Where some items of a group won (or lost) everything against the rest, the
    likelihood grows without end; there, and only there, every item of the group is given one more
    tie, with an imaginary item of average strength. Such strengths are finite, in the order of the
    evidence, and move with every new preference; their limits are −∞ and ∞.

    With clusters, these are what is sampled: topics, over which strengths may differ, or the
    assessors of a topic. The limits then come from leaving each unit out in turn
    (`cluster_errors`), with Student's t with one degree of freedom less than there are units.
    Without clusters, preferences are taken for independent, which covers too little where topics
    or assessors differ.

    Parameters
    ----------
    pair_counts : PairCounts
        From ``count_pairs``.
    model : {'bradley-terry', 'davidson'}
        How ties count.
    clusters : Clusters, optional
        From ``cluster_preferences``.

    Returns
    -------
    Strengths
        On the log scale, mean 0 in each group; limits are of the difference from that mean. The
        ``interval`` is 'jackknife' with clusters and 'information' without.

    Raises
    ------
    BadInput
        The model is unknown.
    TooLittleData
        Davidson's model, and every preference is a tie.

    Notes
    -----
    Time and memory of the limits grow with the third and second power of the largest group.

    References
    ----------
    Bradley and Terry (1952), Biometrika 39(3/4), doi:10.2307/2334029; Davidson (1970), Journal of
    the American Statistical Association 65(329), doi:10.1080/01621459.1970.10481082; Hunter
    (2004), Annals of Statistics 32(1), doi:10.1214/aos/1079120141.
    """
    if model not in MODELS:
        raise BadInput(f"'{model}' is not a model; known are {', '.join(MODELS)}", field="model")
    with_ties = model == "davidson" and bool(pair_counts.ties.any())
    if with_ties and not (pair_counts.wins + pair_counts.losses).any():
        raise TooLittleData(
            "every preference is a tie; Davidson's model needs a choice between two"
        )
    components = connect_items(pair_counts, ties_bind=not with_ties)
    likelihood = PreferenceLikelihood(pair_counts, np.where(components.bounded, 0.0, 1.0))
    strength, ties = maximise(likelihood, with_ties)
    slopes = likelihood.slopes(strength, ties)
    bounded = components.bounded.astype(np.float64)
    error = np.sqrt(variances(pair_counts, slopes, components.component, bounded))
    frame = _tabulate(pair_counts, components, _centre(strength, components.component), error)
    if clusters is None:
        limits = _by_information(frame, components)
    else:
        limits = _over_units(pair_counts, components, clusters, slopes, (strength, ties))
    return Strengths(
        _set_limits(frame, components, limits), model, ties if model == "davidson" else float("nan")
    )


@dataclass(frozen=True)
class _Limits:
    """How far limits are from the strengths, what they rest on and why they are missing."""

    half: Floats
    method: str
    unit: str
    units: Codes
    reason: "np.ndarray[tuple[int], np.dtype[np.str_]]"


def _by_information(frame: pd.DataFrame, components: Components) -> _Limits:
    n = np.bincount(components.component, frame["n"].to_numpy()) / 2
    units = n.astype(np.int64)[components.component]
    half = Z95 * frame["error"].to_numpy(np.float64)
    return _Limits(half, "information", PREFERENCE, units, np.full(len(frame), ""))


def _over_units(
    pair_counts: PairCounts,
    components: Components,
    clusters: Clusters,
    slopes: Slopes,
    found: tuple[Floats, float],
) -> _Limits:
    from scipy.special import stdtrit

    error, units = cluster_errors(pair_counts, clusters, slopes, *found, components.component)
    same = error < _NO_SPREAD
    half = np.where(same, np.nan, stdtrit(np.maximum(units - 1, 1), 0.975) * error)
    why = np.where(units < 2, ONE_UNIT[clusters.name], LOOSE.format(unit=clusters.name))
    why = np.where(same, SAME.format(unit=clusters.name), why)
    reason = np.where(np.isnan(half), why, "")
    return _Limits(half, "jackknife", clusters.name, units, reason)


def _set_limits(frame: pd.DataFrame, components: Components, limits: _Limits) -> pd.DataFrame:
    half = np.where(components.bounded, limits.half, np.inf)
    reason = np.where(components.bounded, limits.reason, NO_BOUND)
    return frame.assign(
        low=frame["strength"] - half,
        high=frame["strength"] + half,
        interval=limits.method,
        unit=limits.unit,
        units=limits.units,
        reason=pd.Series(reason, dtype="str"),
    )


def _centre(strength: Floats, component: Codes) -> Floats:
    mean = np.bincount(component, strength) / np.bincount(component)
    return strength - mean[component]


def _tabulate(
    pair_counts: PairCounts, components: Components, strength: Floats, error: Floats
) -> pd.DataFrame:
    half = pair_counts.ties / 2
    group, is_alone = _number_groups(pair_counts.items["topic_id"], components.component)
    notes = [
        "; ".join([UNBOUNDED] * (not bounded) + [APART] * (not alone))
        for bounded, alone in zip(components.bounded, is_alone, strict=True)
    ]
    return pair_counts.items.assign(
        n=pair_counts.sum_items(pair_counts.played, pair_counts.played).astype(np.int64),
        points=pair_counts.sum_items(pair_counts.wins + half, pair_counts.losses + half),
        strength=strength,
        low=np.nan,
        high=np.nan,
        interval="",
        unit="",
        units=0,
        error=error,
        group=group,
        note=pd.Series(notes, dtype="str"),
    )


def _number_groups(topics: "pd.Series[str]", component: Codes) -> tuple[Codes, "pd.Series[bool]"]:
    """Return components numbered from 1 in each topic; and whether a topic has only one."""
    code = pd.Series(component, topics.index)
    first = code.groupby(topics).transform("min")
    return (code - first + 1).to_numpy(), first == code.groupby(topics).transform("max")
