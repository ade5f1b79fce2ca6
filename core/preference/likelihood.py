"""The likelihood of preferences, given strengths: Bradley and Terry's, and Davidson's with ties."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.preference.pair_counts import Floats, PairCounts


class Moments(NamedTuple):
    """Of one preference at each strength difference; shape (n,) each.

    Attributes
    ----------
    log_scale : array
        Log of what the odds are divided by.
    mean, variance : array
        Of the outcome, ½ when the first is preferred, −½ when the second is and 0 for a tie.
    tie : array
        The chance of a tie.
    """

    log_scale: Floats
    mean: Floats
    variance: Floats
    tie: Floats


def outcome_moments(difference: Floats, tie_parameter: float) -> Moments:
    """Return the moments of an outcome, without overflow at any difference."""
    size = np.abs(difference)
    fade = np.exp(-size / 2)
    base = 1 + fade**2 + tie_parameter * fade
    better, worse, tie = 1 / base, fade**2 / base, tie_parameter * fade / base
    return Moments(
        log_scale=size / 2 + np.log(base),
        mean=np.sign(difference) * (better - worse) / 2,
        variance=(better + worse) * tie / 4 + better * worse,
        tie=tie,
    )


class Slopes(NamedTuple):
    """First and second derivatives of the log-likelihood, the second with their sign turned.

    Attributes
    ----------
    strength : array, shape (n_items,)
    log_tie : float
    weight : array, shape (n_pairs,)
        Information on the difference of each pair; a weighted graph whose Laplacian, with
        ``own`` added to the diagonal, is the information on strengths.
    own : array, shape (n_items,)
    shared : array, shape (n_items,)
        Of strength and log tie parameter together.
    tie_information : float
    """

    strength: Floats
    log_tie: float
    weight: Floats
    own: Floats
    shared: Floats
    tie_information: float


@dataclass(frozen=True)
class PreferenceLikelihood:
    """The log-likelihood of pair_counts as a function of strengths and tie parameter.

    With a tie parameter of 0 a tie counts half a win each, the Bradley–Terry model; otherwise
    the chances of first, tie and second are as e^(d/2) : ν : e^(−d/2), Davidson's model.

    Attributes
    ----------
    pair_counts : PairCounts
    extra : array, shape (n_items,)
        Ties with an imaginary item of strength 0, each half a win and half a loss.
    """

    pair_counts: PairCounts
    extra: Floats

    def _difference(self, strength: Floats) -> Floats:
        return strength[self.pair_counts.first] - strength[self.pair_counts.second]

    def value(self, strength: Floats, tie_parameter: float) -> float:
        """Return the log-likelihood, the extra ties included."""
        pair_counts, difference = self.pair_counts, self._difference(strength)
        scale = outcome_moments(difference, tie_parameter).log_scale
        ahead = (pair_counts.wins - pair_counts.losses) / 2
        total = (ahead * difference - pair_counts.played * scale).sum()
        if tie_parameter:
            total += pair_counts.ties.sum() * np.log(tie_parameter)
        return float(total - (self.extra * outcome_moments(strength, 0).log_scale).sum())

    def slopes(self, strength: Floats, tie_parameter: float) -> Slopes:
        """Return the derivatives."""
        pair_counts, played = self.pair_counts, self.pair_counts.played
        pairs = outcome_moments(self._difference(strength), tie_parameter)
        alone = outcome_moments(strength, 0)
        rise = (pair_counts.wins - pair_counts.losses) / 2 - played * pairs.mean
        shared = -played * pairs.tie * pairs.mean
        return Slopes(
            strength=pair_counts.sum_items(rise, -rise) - self.extra * alone.mean,
            log_tie=float((pair_counts.ties - played * pairs.tie).sum()),
            weight=played * pairs.variance,
            own=self.extra * alone.variance,
            shared=pair_counts.sum_items(shared, -shared),
            tie_information=float((played * pairs.tie * (1 - pairs.tie)).sum()),
        )
