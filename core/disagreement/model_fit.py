"""Whether the User Disagreement Model predicts what several users of an item say."""

from dataclasses import dataclass

import pandas as pd

FEW_ITEMS = 50
"""With fewer items nothing is said about the model."""

WELL, ROUGHLY = 0.03, 0.08
"""Mean absolute differences of shares up to which the model holds well, and roughly."""

VERDICTS = ("too few items", "well", "roughly", "not")


@dataclass(frozen=True)
class ModelFit:
    """How far predicted shares are from observed ones.

    Parameters
    ----------
    verdict : str
        One of ``VERDICTS``: how the model holds.
    difference : float
        The mean absolute difference between observed and predicted shares, in [0, 1].
    worst : dict
        ``level, users, at_least, observed, predicted`` where they are farthest apart.
    """

    verdict: str
    difference: float
    worst: dict[str, float]


def select_predictions(weights: pd.DataFrame, top: int) -> pd.DataFrame:
    """Return what the model does predict: levels below the top, fewer than all users, observed.

    Parameters
    ----------
    weights : DataFrame
        From ``verify_weights``.
    top : int
        The top level.
    """
    below = (weights["level"] < top) & (weights["at_least"] < weights["users"])
    return weights[below & weights["observed"].notna()]


def assess_fit(weights: pd.DataFrame, top: int, items: int) -> ModelFit | None:
    """Compare predicted shares of three users or more with observed ones.

    Those of two users are what the prediction was estimated from.

    Parameters
    ----------
    weights : DataFrame
        From ``verify_weights``.
    top : int
        The top level.
    items : int
        How many items were drawn from.

    Returns
    -------
    ModelFit or None
        None where no item has three labels, so that nothing is put to the test.
    """
    tested = select_predictions(weights, top)
    tested = tested[tested["users"] > 2]
    if tested.empty:
        return None
    off = (tested["observed"] - tested["predicted"]).abs()
    difference, worst = float(off.mean()), int(off.to_numpy().argmax())
    if items < FEW_ITEMS:
        verdict = "too few items"
    elif difference <= WELL:
        verdict = "well"
    else:
        verdict = "roughly" if difference <= ROUGHLY else "not"
    names = ("level", "users", "at_least", "observed", "predicted")
    return ModelFit(verdict, difference, {name: tested[name].iloc[worst].item() for name in names})
