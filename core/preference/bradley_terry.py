"""Strengths of items from preferences between them, with intervals."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.agreement.intervals import Z95
from core.errors import BadInput, TooLittleData
from core.preference.components import Components, connect_items
from core.preference.likelihood import Likelihood
from core.preference.newton import maximise, variances
from core.preference.pair_counts import Codes, Floats, PairCounts

MODELS = ("bradley-terry", "davidson")

UNBOUNDED = (
    "some items in the group won, or lost, every comparison with the others, so their strengths "
    "would be infinite; to avoid this, one tie with an item of average strength was added for each "
    "item"
)
APART = (
    "not compared with all others, directly or through other items; comparable within its "
    "group only"
)


@dataclass(frozen=True, eq=False)
class Strengths:
    """Strengths by a model of paired comparison.

    Attributes
    ----------
    frame : DataFrame
        A row for each item: ``topic_id`` ('' over topics), ``item, n`` (its comparisons),
        ``points`` (wins plus half the ties), ``strength`` with its 95 % limits ``low, high``,
        ``group`` (1, 2 … within the topic: only items of one group are comparable) and ``note``,
        '' where nothing is to be said.
    model : str
        'bradley-terry' or 'davidson'.
    tie_parameter : float
        Davidson's ν: two items of equal strength tie with chance ν / (2 + ν). NaN in the
        Bradley–Terry model.
    """

    frame: pd.DataFrame
    model: str
    tie_parameter: float


def bradley_terry(pair_counts: PairCounts, model: str = "bradley-terry") -> Strengths:
    """Strengths that make the preferences most likely.

    The log odds that one item is preferred to another are the difference of their strengths. A
    tie is half a win each; or, in Davidson's model, an outcome of its own, whose parameter is
    found for all topics together.

    Items that were not compared, directly or through other items, form separate groups with a
    mean of 0 each. Where some items of a group won (or lost) everything against the rest, the
    likelihood grows without end; there, and only there, every item of the group is given one more
    tie, with an imaginary item of average strength. Such strengths are finite, in the order of the
    evidence, and move with every new preference.

    Parameters
    ----------
    pair_counts : PairCounts
        From ``count_pairs``.
    model : {'bradley-terry', 'davidson'}
        How ties count.

    Returns
    -------
    Strengths
        On the log scale, mean 0 in each group; limits at ± 1.96 standard errors of the
        difference from that mean, from the inverse of the information matrix.

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
    likelihood = Likelihood(pair_counts, np.where(components.bounded, 0.0, 1.0))
    strength, ties = maximise(likelihood, with_ties)
    error = np.sqrt(
        variances(
            pair_counts,
            likelihood.slopes(strength, ties),
            components.component,
            components.bounded.astype(np.float64),
        )
    )
    centred = _centre(strength, components.component)
    frame = _tabulate(pair_counts, components, centred, error)
    return Strengths(frame, model, ties if model == "davidson" else float("nan"))


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
        low=strength - Z95 * error,
        high=strength + Z95 * error,
        group=group,
        note=pd.Series(notes, dtype="str"),
    )


def _number_groups(topics: "pd.Series[str]", component: Codes) -> tuple[Codes, "pd.Series[bool]"]:
    """Return components numbered from 1 in each topic; and whether a topic has only one."""
    code = pd.Series(component, topics.index)
    first = code.groupby(topics).transform("min")
    return (code - first + 1).to_numpy(), first == code.groupby(topics).transform("max")
