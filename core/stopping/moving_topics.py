"""Which topics' unjudged items still move the ranking."""

import numpy as np

from core.agreement.intervals import divide
from core.orders.candidates import Floats
from core.stopping.expected import FullPools


def share_uncertainty(pools: FullPools) -> Floats:
    """Return the part of each topic in what is not known of the ranking.

    Parameters
    ----------
    pools : FullPools
        Today's scores, and those under drawn full pools.

    Returns
    -------
    array, shape (n_topics,)
        They add up to 1; one may be a little below 0. NaN where the order of no pair of systems
        is in doubt.

    Notes
    -----
    The difference of two systems' means is a sum over topics; a topic's part is the covariance,
    over the draws, of its own difference with that of the means. Pairs are added up by how much
    their order is in doubt: p (1 − p), with p the share of the draws in which the first is better.
    """
    parts = pools.drawn.parts
    centred = parts - parts.mean(axis=0)
    summed = centred.sum(axis=1)
    means = pools.drawn.parts.sum(axis=1)
    first, second = np.triu_indices(means.shape[1], 1)
    better = (means[:, first] > means[:, second]).mean(axis=0)
    doubt = better * (1 - better)
    apart = summed[:, first] - summed[:, second]
    moved = [
        float((doubt * ((one[:, first] - one[:, second]) * apart).mean(axis=0)).sum())
        for one in np.moveaxis(centred, 1, 0)
    ]
    return divide(np.array(moved), np.array(float((doubt * (apart**2).mean(axis=0)).sum())))
