"""Maximising the likelihood of preferences, and the variances of what was found.

Newton's method; its equations are solved by conjugate gradients on the graph of pairs, so that no
table of items by items is needed until variances are. General minimisers, scipy's among them, stop
at a looser tolerance than equal strengths need to be told from unequal ones; the tests compare with
them, and with statsmodels.
"""

from collections.abc import Iterator

import numpy as np

from core.preference.likelihood import PreferenceLikelihood, Slopes
from core.preference.pair_counts import Codes, Floats, PairCounts

_STEP = 1e-9
_MOST_STEPS = 100
_SLACK = 1e-10
"""What the likelihood may fall by, as a share of it: rounding."""

_RELATIVE, _ABSOLUTE = 1e-20, 1e-24
"""When to stop: squared residuals, as a share of the first and in squared standard errors."""


def maximise(likelihood: PreferenceLikelihood, with_ties: bool) -> tuple[Floats, float]:
    """Return the strengths and the tie parameter of the greatest likelihood.

    Parameters
    ----------
    likelihood : PreferenceLikelihood
        With a maximum: see ``connect_items``.
    with_ties : bool
        Whether the tie parameter is to be found, too; it is 0 otherwise.

    Returns
    -------
    strength : array, shape (n_items,)
        On the log scale, relative to an arbitrary origin.
    tie_parameter : float
    """
    strength = np.zeros(len(likelihood.pair_counts.items))
    ties = _start_ties(likelihood.pair_counts) if with_ties else 0.0
    value, largest, steps = likelihood.value(strength, ties), np.inf, 0
    while largest > _STEP and steps < _MOST_STEPS:
        move, log_tie = _newton_step(likelihood.pair_counts, likelihood.slopes(strength, ties))
        least, scale, value = value - _SLACK * abs(value), 2.0, -np.inf
        while value < least:
            scale /= 2
            reached = strength + scale * move, ties * float(np.exp(scale * log_tie))
            value = likelihood.value(*reached)
        (strength, ties), steps = reached, steps + 1
        largest = float(np.abs(move).max())
    return strength, ties


def _start_ties(pair_counts: PairCounts) -> float:
    """Return the tie parameter that fits items of equal strength."""
    tied, played = pair_counts.ties.sum(), pair_counts.played.sum()
    return float(2 * tied / (played - tied))


def _newton_step(pair_counts: PairCounts, slopes: Slopes) -> tuple[Floats, float]:
    """Return the step of the strengths and of the log of the tie parameter."""
    move = solve(pair_counts, slopes, slopes.strength)
    if not slopes.tie_information:
        return move, 0.0
    aside = solve(pair_counts, slopes, slopes.shared)
    left = slopes.tie_information - slopes.shared @ aside
    log_tie = float((slopes.log_tie - slopes.shared @ move) / left)
    return move - log_tie * aside, log_tie


def solve(pair_counts: PairCounts, slopes: Slopes, right: Floats) -> Floats:
    """Solve information × x = right by preconditioned conjugate gradients."""
    first, second, weight = pair_counts.first, pair_counts.second, slopes.weight
    scale = 1 / (pair_counts.sum_items(weight, weight) + slopes.own)
    found, residual = np.zeros_like(right), right
    towards = scale * residual
    size = float(residual @ towards)
    limit, rounds = max(size * _RELATIVE, _ABSOLUTE), 2 * len(right) + 50
    while size > limit and rounds:
        flow = weight * (towards[first] - towards[second])
        image = pair_counts.sum_items(flow, -flow) + slopes.own * towards
        length = size / (towards @ image)
        found, residual = found + length * towards, residual - length * image
        scaled = scale * residual
        before, size = size, float(residual @ scaled)
        towards = scaled + size / before * towards
        rounds -= 1
    return found


def variances(pair_counts: PairCounts, slopes: Slopes, component: Codes, centred: Floats) -> Floats:
    """Return the variance of each strength, less the mean of its component.

    Parameters
    ----------
    component : array of int, shape (n_items,)
        The component of each item in the graph of pairs.
    centred : array, shape (n_items,)
        1 where the information leaves a component's mean open, 0 where it fixes it.

    References
    ----------
    The inverse of the information, component by component; with the tie parameter found as well,
    the information on strengths alone.
    """
    variance = np.zeros(len(component))
    for items, information in Blocks(pair_counts, slopes, component):
        variance[items] = _centred_diagonal(information, centred[items[0]])
    if slopes.tie_information:
        aside = solve(pair_counts, slopes, slopes.shared)
        left = slopes.tie_information - slopes.shared @ aside
        sizes = np.bincount(component)
        mean = np.bincount(component, aside) / sizes
        variance += (aside - mean[component]) ** 2 / left
    return variance


class Blocks:
    """The components one by one: their items, and the information on these.

    Attributes
    ----------
    members : list of array
        The items of each component.
    position : array of int, shape (n_items,)
        Where each item stands among those of its component.
    """

    def __init__(self, pair_counts: PairCounts, slopes: Slopes, component: Codes) -> None:
        self._pair_counts, self._slopes, self._component = pair_counts, slopes, component
        sizes = np.bincount(component)
        items = np.argsort(component, kind="stable")
        self.members = np.split(items, np.cumsum(sizes)[:-1])
        self.position = np.empty_like(items)
        self.position[items] = np.arange(len(items)) - np.repeat(np.cumsum(sizes) - sizes, sizes)

    def __iter__(self) -> Iterator[tuple[Codes, Floats]]:
        """Yield the items of each component and their information, shape (m, m)."""
        pair_counts, slopes = self._pair_counts, self._slopes
        diagonal = pair_counts.sum_items(slopes.weight, slopes.weight) + slopes.own
        of_pair = self._component[pair_counts.first]
        ends = np.cumsum(np.bincount(of_pair))[:-1]
        pairs = np.split(np.argsort(of_pair, kind="stable"), ends)
        for own, items in zip(pairs, self.members, strict=True):
            block = np.diag(diagonal[items])
            one = self.position[pair_counts.first[own]]
            other = self.position[pair_counts.second[own]]
            block[one, other] = block[other, one] = -slopes.weight[own]
            yield items, block


def _centred_diagonal(information: Floats, open_mean: float) -> Floats:
    """Return the diagonal of the inverse, rows and columns centred."""
    from scipy.linalg.lapack import dtrtri

    size = len(information)
    if open_mean:
        # Fixes the mean, which centring takes away again.
        information = information + np.trace(information) / size**2
    # Transposed, the factor lies in memory as LAPACK has it and is inverted in place.
    factor = np.linalg.cholesky(information).T
    inverse: Floats = dtrtri(factor, lower=0, overwrite_c=1)[0]
    row: Floats = inverse @ inverse.sum(axis=0)
    diagonal: Floats = np.einsum("ij,ij->i", inverse, inverse)
    return diagonal - 2 * row / size + float(row.sum()) / size**2
