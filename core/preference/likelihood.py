"""The likelihood of preferences, given strengths: Bradley and Terry's, and Davidson's with ties."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.preference.pair_counts import Contests, Floats


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
class Likelihood:
    """The log-likelihood of contests as a function of strengths and tie parameter.

    With a tie parameter of 0 a tie counts half a win each, the Bradley–Terry model; otherwise
    the chances of first, tie and second are as e^(d/2) : ν : e^(−d/2), Davidson's model.

    Attributes
    ----------
    contests : Contests
    extra : array, shape (n_items,)
        Ties with an imaginary item of strength 0, each half a win and half a loss.
    """

    contests: Contests
    extra: Floats

    def _difference(self, strength: Floats) -> Floats:
        return strength[self.contests.first] - strength[self.contests.second]

    def value(self, strength: Floats, tie_parameter: float) -> float:
        """Return the log-likelihood, the extra ties included."""
        contests, difference = self.contests, self._difference(strength)
        scale = outcome_moments(difference, tie_parameter).log_scale
        ahead = (contests.wins - contests.losses) / 2
        total = (ahead * difference - contests.played * scale).sum()
        if tie_parameter:
            total += contests.ties.sum() * np.log(tie_parameter)
        return float(total - (self.extra * outcome_moments(strength, 0).log_scale).sum())

    def slopes(self, strength: Floats, tie_parameter: float) -> Slopes:
        """Return the derivatives."""
        contests, played = self.contests, self.contests.played
        pairs = outcome_moments(self._difference(strength), tie_parameter)
        alone = outcome_moments(strength, 0)
        rise = (contests.wins - contests.losses) / 2 - played * pairs.mean
        shared = -played * pairs.tie * pairs.mean
        return Slopes(
            strength=contests.sum_items(rise, -rise) - self.extra * alone.mean,
            log_tie=float((contests.ties - played * pairs.tie).sum()),
            weight=played * pairs.variance,
            own=self.extra * alone.variance,
            shared=contests.sum_items(shared, -shared),
            tie_information=float((played * pairs.tie * (1 - pairs.tie)).sum()),
        )
