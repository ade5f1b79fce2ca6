"""What a fitted click model says of lists: how likely clicks are, and clicks drawn by it."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from core.clicks.click_log import Floats, Integers, Mask
from core.clicks.click_model import ClickModel
from core.clicks.fitting import MAXIMUM_LIKELIHOOD, Fit
from core.errors import BadInput


def set_parameters(
    model: ClickModel,
    items: int,
    depth: int,
    parameters: Mapping[str, npt.ArrayLike],
    levels: Floats | None = None,
) -> Fit:
    """Return a model with parameters that are given, to simulate from.

    Parameters
    ----------
    model : ClickModel
    items, depth : int
        How many items there are, and how long lists may be.
    parameters : dict of array
        All of the model's, in the shapes that `Fit` has them.
    levels : array of float, shape (n_items,), optional

    Raises
    ------
    BadInput
        A parameter is missing, unknown, of another shape, or not in [0, 1].
    """
    likelihood = model.on(items, depth, levels)
    shapes = {name: likelihood.shape(name) for name in likelihood.axes}
    given = {name: np.asarray(one, dtype=float) for name, one in parameters.items()}
    if {name: one.shape for name, one in given.items()} != shapes:
        expected = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        raise BadInput(f"the parameters of {model} and their shapes are: {expected}")
    for name, one in given.items():
        if not ((one >= 0) & (one <= 1)).all():
            raise BadInput(f"{name} is a probability: each must be in [0, 1]")
    means = dict.fromkeys(shapes, 0.5)
    return Fit(
        model,
        likelihood,
        given,
        means,
        MAXIMUM_LIKELIHOOD,
        np.nan,
        (np.nan,),
        converged=True,
        pages=0,
    )


def click_probabilities(fit: Fit, item: Integers) -> Floats:
    """Return how likely each result is clicked, whatever happens above it.

    Parameters
    ----------
    fit : Fit
    item : array of int, shape (n_pages, depth)
        Lists of the fit's items; -1 where a list is shorter.

    Returns
    -------
    array, shape (n_pages, depth)
        In [0, 1]; NaN where there is no item.

    Raises
    ------
    BadInput
        Lists are longer than those that were fitted, or an item is none of its items.
    """
    _check(fit, item)
    return np.where(item >= 0, fit.likelihood.marginal(fit.columns, item), np.nan)


def conditional_probabilities(fit: Fit, item: Integers, clicked: Mask) -> Floats:
    """Return how likely each result is clicked, given what was clicked above it.

    Parameters
    ----------
    fit : Fit
    item, clicked : array, shape (n_pages, depth)

    Returns
    -------
    array, shape (n_pages, depth)
        In [0, 1]; NaN where there is no item.

    Raises
    ------
    BadInput
        As `click_probabilities`.
    """
    _check(fit, item)
    walk = fit.likelihood.walk(fit.columns, item)
    found = np.empty(item.shape)
    for rank in range(item.shape[1]):
        found[:, rank] = walk.chance(rank)
        walk.see(rank, clicked[:, rank])
    return np.where(item >= 0, found, np.nan)


def simulate(fit: Fit, item: Integers, rng: np.random.Generator) -> Mask:
    """Return clicks as users of the model would make them on lists.

    Parameters
    ----------
    fit : Fit
    item : array of int, shape (n_pages, depth)
        Lists of the fit's items; -1 where a list is shorter.
    rng : Generator

    Returns
    -------
    array of bool, shape (n_pages, depth)

    Raises
    ------
    BadInput
        As `click_probabilities`.
    """
    _check(fit, item)
    walk = fit.likelihood.walk(fit.columns, item)
    clicked = np.zeros(item.shape, dtype=np.bool_)
    for rank in range(item.shape[1]):
        clicked[:, rank] = (rng.random(len(item)) < walk.chance(rank)) & (item[:, rank] >= 0)
        walk.see(rank, clicked[:, rank])
    return clicked


def _check(fit: Fit, item: Integers) -> None:
    if item.shape[1] > fit.likelihood.depth:
        raise BadInput(
            f"lists of {item.shape[1]} results, and the click model knows {fit.likelihood.depth} "
            "ranks; cut the lists"
        )
    if item.size and item.max() >= fit.likelihood.items:
        raise BadInput("a list holds a document that the click model does not know")
