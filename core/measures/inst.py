"""INST: a person who looks for T useful documents, and reads on while they are not found."""

from dataclasses import dataclass

import numpy as np

from core.measures.base import ABOVE_0, MEASURES, BinaryMeasure, Weights
from core.measures.cascade import check_top, share_of_top
from core.measures.gain import GainTable, check_gain
from core.measures.ranked import Floats, Ranked
from core.measures.ranking import Rankings


@MEASURES.register
@dataclass(frozen=True)
class INST(BinaryMeasure):
    """INST: the gain per document of a person who came for T of them.

    After rank i the person goes on with the chance ((i + T + T_i − 1) / (i + T + T_i))², where T_i
    is T less the gain found so far. The score is the mean gain of the documents looked at: each
    rank weighs in proportion to the chance that it is reached. Without a cut-off the ranks go on
    for ever, and gain nothing beyond the ranking's end; cwl_eval stops at rank 1,000, as
    ``INST@1000`` does.

    Parameters
    ----------
    cutoff : int, optional
        How many ranks are looked at; all of them when absent.
    rel : float, default 1
        The level from which a document counts as relevant; with a gain it plays no part.
    T : float, default 1
        How many documents of the highest gain the person came for, at least .5.
    gain : str or table, optional
        ``linear`` (cwl_eval's INST), ``exp`` or a table, each divided by its highest gain, or
        ``udm``, the weight itself. When absent, every relevant document gains 1.
    gmax : float, optional
        The highest level of the scale; when absent, that of the rankings, or else the highest
        level judged, for any topic. It plays no part with a table, weights or no gain.

    Notes
    -----
    Gain found early makes the person stop earlier, so that a better document further up need not
    raise the score.
    """

    T: float = 1
    gain: str | GainTable | None = None
    gmax: float | None = None

    name = "INST"
    graded = True
    monotone = False
    description = "mean gain of the documents read by a person who looks for T of them"
    reference = "Moffat, Bailey, Scholer & Thomas (2015), ADCS, doi:10.1145/2838931.2838938"
    examples = (
        "INST(gain='linear')",
        "INST(T=3)@10",
        "INST(rel=2, T=1.5)",
        "INST(T=2, gain='exp', gmax=4)",
    )
    suggested = ("INST",)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0.5 <= self.T < np.inf:
            raise ValueError("T is a finite number of at least 0.5")
        if int(self.T) == self.T:
            object.__setattr__(self, "T", int(self.T))
        object.__setattr__(self, "gmax", check_top(self.gmax))
        if self.gain is not None:
            object.__setattr__(self, "gain", check_gain(self.gain))

    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return INST, shape (n_rankings,), in [0, 1]."""
        lowest = self.rel if self.gain is None else ABOVE_0
        found = rankings.retrieved.at_least(lowest).up_to(self.cutoff)
        return self._expect(found, share_of_top(found.level, self, rankings, weights))

    def residual(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return what INST would gain if all ranks without a judgement gained 1, (n_rankings,).

        With a cut-off these are the ranks up to it. Somebody who finds more reads less, so that
        this is not always the most that could be gained, though never below 0.
        """
        judged = rankings.retrieved.up_to(self.cutoff)
        relevant = judged.level >= (self.rel if self.gain is None else ABOVE_0)
        gain = np.zeros(len(judged.level))
        gain[relevant] = share_of_top(judged.level[relevant], self, rankings, weights)
        best = np.empty(judged.rows)
        depth = self.cutoff or int(judged.rank.max(initial=1))
        for first in range(0, judged.rows, ROWS):
            own = slice(*np.searchsorted(judged.row, [first, first + ROWS]))
            gains = np.ones((min(ROWS, judged.rows - first), depth))
            gains[judged.row[own] - first, judged.rank[own] - 1] = gain[own]
            best[first : first + ROWS] = self._expect_of_all(gains)
        return np.maximum(best - self.score(rankings, weights), 0)

    def _expect_of_all(self, gains: Floats) -> Floats:
        """Return INST from the gain at every rank, shape (rows, depth); 1 beyond, if not cut."""
        place = np.arange(1, gains.shape[1] + 1) + 2 * self.T - gains.cumsum(axis=1)
        reached = np.cumprod((1 - 1 / place) ** 2, axis=1)
        beyond = np.zeros(len(gains))
        if self.cutoff is None:  # the chance to go on stays the same from here
            beyond = reached[:, -1] / (1 - (1 - 1 / place[:, -1]) ** 2)
        looked_at = 1 + reached[:, :-1].sum(axis=1) + beyond
        found = gains[:, 0] + (gains[:, 1:] * reached[:, :-1]).sum(axis=1) + beyond
        expected: Floats = found / looked_at
        return expected

    def _expect(self, found: Ranked, gain: Floats) -> Floats:
        """Return the gain per document looked at of each row, shape (rows,).

        Between two gains the chances to go on cancel out but for the first and the last, so that
        a stretch needs one product, and the sum over its ranks two values of the trigamma function.
        """
        wanted, last = 2.0 * self.T, np.inf if self.cutoff is None else float(self.cutoff)
        rank, first = found.rank.astype(np.float64), found.ordinal() == 1
        before = wanted - found.before(gain, np.add)
        after = before - gain
        # Where a stretch begins: x - 1 at its first rank, x = i + T + T_i.
        start = np.where(first, wanted, np.append(0.0, (rank + after - 1)[:-1]))
        passed = (start / (rank - 1 + before)) ** 2
        reached = found.before(passed, np.multiply) * passed
        following = np.where(np.append(first[1:], True), last, np.append(rank[1:], 0.0))
        behind = reached * (rank + after - 1) ** 2
        behind *= _trigamma(rank + after) - _trigamma(following + after)
        until = np.full(found.rows, last)
        until[found.row[first]] = rank[first]
        looked_at = wanted**2 * (_trigamma(np.array(wanted)) - _trigamma(until + wanted))
        expected: Floats = found.total(gain * reached) / (looked_at + found.total(behind))
        return expected


ROWS = 1_000
"""How many rankings are laid out at a time, to keep memory low."""

FAR = 20
"""From here on the asymptotic series is exact to a float's last digits."""


def _trigamma(x: Floats) -> Floats:
    """Return Σ 1 / (x + i)² over i from 0 on; 0 at infinity. A table could not serve all gains."""
    from scipy.special import polygamma

    inverse = 1 / x
    square = inverse**2
    series = 1 / 6 - square * (1 / 30 - square * (1 / 42 - square * (1 / 30 - square * 5 / 66)))
    found = np.asarray(inverse * (1 + inverse / 2 + square * series))
    near = x < FAR
    found[near] = polygamma(1, x[near])
    return found
