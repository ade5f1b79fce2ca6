"""What systems gain when a machine judges in place of people, and whether its own kind gains more.

A lenient machine lifts all systems, so that it is the gain beside that of the others that counts.
"""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.agreement.intervals import LOG_ODDS, Floats, mean_interval
from core.comparison.choices import SYSTEMS, TOPICS
from core.comparison.score_matrix import ScoreMatrix
from core.comparison.tau_limits import SystemRanking
from core.errors import BadInput
from core.measures.ranked import Mask
from core.numerals import write_limits, write_number

FEWEST_SYSTEMS = 3
"""So many runs of a lineage, and so many others, can stand for more of their kind."""

STUDENT, WELCH = "t", "Welch's t"

_NEARLY = 0.999
"""An advantage of this part of the most there can be is as good as the most."""

SHOWN, NOT_SHOWN = "shown", "not shown"

MEANING = {
    TOPICS: "these very runs on other topics of the kind",
    SYSTEMS: "other runs of either kind on these very topics",
}
"""What limits speak of, by what is taken for the sample."""

GAIN_COLUMNS = [
    "system", "people_mean", "machine_mean", "gain", "low", "high",
    "relative", "relative_low", "relative_high", "interval", "unit", "units", "reason",
]  # fmt: skip

ALIKE = "all topics give the same, so nothing tells how far another would differ"


@dataclass(frozen=True)
class LineageAdvantage:
    """How much more the runs of a lineage gain from a machine's labels than the others.

    Parameters
    ----------
    unit : str
        What is taken for the sample: 'topic' or 'system'.
    members, others : int
        How many runs are in the lineage, and how many are not.
    value : float
        The mean gain of the first less that of the others.
    low, high : float
        95 % limits; NaN with the ``reason``.
    interval : str
        How they were found.
    units : int
        How many topics, or runs.
    shown_from : float
        The least advantage that would have been shown by limits so wide; NaN where none would.
    verdict : str
        'shown' where the lower limit is above 0, else 'not shown'.
    reason : str
        Why a number is missing, else ''.
    """

    unit: str
    members: int
    others: int
    value: float
    low: float
    high: float
    interval: str
    units: int
    shown_from: float
    verdict: str
    reason: str = ""

    @property
    def sentence(self) -> str:
        """The result in words."""
        runs = "run of the lineage gains" if self.members == 1 else "runs of the lineage gain"
        others = "the 1 other" if self.others == 1 else f"the {self.others} others"
        difference = (
            f"The {self.members} {runs} {write_number(abs(self.value))} "
            f"{'less' if self.value < 0 else 'more'} than {others}"
        )
        if self.low != self.low:
            return f"{difference}; an advantage is not shown: {self.reason}."
        limits = write_limits(self.low, self.high)
        difference = f"{difference} (difference with 95 % limits {limits} for {MEANING[self.unit]})"
        if self.verdict == SHOWN:
            return f"{difference}: an advantage is shown."
        least = f"one from about {write_number(self.shown_from)} on would have been"
        if self.shown_from != self.shown_from:
            least = "by limits so wide none would have been"
        return f"{difference}: an advantage is not shown; {least}."


def mean_gains(people: ScoreMatrix, machine: ScoreMatrix, highest: float) -> pd.DataFrame:
    """Return what each system gains from a machine's labels, and beside the others.

    Parameters
    ----------
    people, machine : ScoreMatrix
        The same systems on the same topics.
    highest : float
        The measure's highest score; its lowest is 0. Infinite where there is none.

    Returns
    -------
    DataFrame
        From the largest relative gain: ``system``; ``people_mean, machine_mean``; ``gain``, the
        second less the first, from -highest to highest, with ``low, high``; ``relative``, its gain
        less the mean gain of the others, with ``relative_low, relative_high``; ``interval, unit,
        units``, how these 95 % limits were found and what is sampled: topics; ``reason``, why a
        limit is NaN, else ''. Limits are of each system alone.

    Raises
    ------
    BadInput
        The two have other systems or topics.

    Notes
    -----
    Limits are those of ``mean_interval`` for means that lie between known ends, Student's t for a
    measure without a highest score.
    """
    by_topic = topic_gains(people, machine)
    others = _compare_with_rest(by_topic)
    low, high = limit_means(by_topic, highest)
    relative_low, relative_high = limit_means(others, 2 * highest)
    without = np.isnan(low) | np.isnan(relative_low)
    frame = pd.DataFrame(
        {
            "system": pd.array(list(people.systems), dtype="str"),
            "people_mean": people.values.mean(axis=0),
            "machine_mean": SystemRanking(machine).aligned(people.systems).mean(axis=0),
            "gain": by_topic.mean(axis=0),
            "low": low,
            "high": high,
            "relative": others.mean(axis=0),
            "relative_low": relative_low,
            "relative_high": relative_high,
            "interval": name_method(highest),
            "unit": TOPICS,
            "units": len(by_topic),
            "reason": pd.array(np.where(without, ALIKE, ""), dtype="str"),
        }
    )
    return frame.sort_values("relative", ascending=False, kind="stable", ignore_index=True)


def compare_lineage(
    people: ScoreMatrix,
    machine: ScoreMatrix,
    members: Collection[str],
    highest: float,
    unit: str = TOPICS,
) -> LineageAdvantage:
    """Return how much more the runs of a lineage gain from a machine's labels than the others.

    Parameters
    ----------
    people, machine, highest
        As for ``mean_gains``.
    members : collection of str
        The systems of the lineage: those that use the machine's model, say.
    unit : {'topic', 'system'}, default 'topic'
        What is taken for the sample. With topics, limits speak of these very runs on other topics;
        with systems, of other runs of either kind on these topics.

    Returns
    -------
    LineageAdvantage
        Without limits, and with the reason, for fewer than three runs of either kind where runs
        are the sample.

    Raises
    ------
    BadInput
        A member is no system, there is none, no system is left, or there is no such unit.

    References
    ----------
    Welch (1947), Biometrika 34(1/2), doi:10.2307/2332510.
    """
    if unit not in MEANING:
        raise BadInput(f"'{unit}' is none of {', '.join(MEANING)}", field="unit")
    is_member = _find_members(people.systems, members)
    by_topic = topic_gains(people, machine)
    counts = int(is_member.sum()), int((~is_member).sum())
    if unit == SYSTEMS:
        return _compare_systems(by_topic.mean(axis=0), is_member, counts, 2 * highest)
    advantage = by_topic[:, is_member].mean(axis=1) - by_topic[:, ~is_member].mean(axis=1)
    (low,), (high,) = limit_means(advantage[:, np.newaxis], 2 * highest)
    reason = ALIKE if np.isnan(low) else ""
    found = float(advantage.mean()), float(low), float(high)
    method = name_method(highest)
    return _conclude(unit, counts, found, method, len(by_topic), 2 * highest, reason)


def topic_gains(people: ScoreMatrix, machine: ScoreMatrix) -> Floats:
    """Return the machine's score less people's, shape (n_topics, n_systems), in people's order.

    Raises
    ------
    BadInput
        The two have other systems or topics.
    """
    if set(people.systems) != set(machine.systems) or people.topics != machine.topics:
        raise BadInput("a gain needs the same systems on the same topics under both judgements")
    return SystemRanking(machine).aligned(people.systems) - people.values


def limit_means(values: Floats, reach: float) -> tuple[Floats, Floats]:
    """Return 95 % limits of means of what lies between -reach and reach; topics are sampled.

    Parameters
    ----------
    values : array, shape (n_topics, n)
        At least two topics.
    reach : float
        Above 0; may be infinite.

    Returns
    -------
    low, high : array, shape (n,)
        Without a bound, NaN where all topics give the same.
    """
    topics = len(values)
    mean, deviation = values.mean(axis=0), values.std(axis=0, ddof=1)
    if np.isfinite(reach):
        error = deviation / (2 * reach) / np.sqrt(topics - 1)
        units = np.full(len(mean), float(topics))
        low, high = mean_interval((mean / reach + 1) / 2, error, units)
        return (2 * low - 1) * reach, (2 * high - 1) * reach
    from scipy.special import stdtrit

    half = stdtrit(topics - 1, 0.975) * np.where(deviation > 0, deviation, np.nan)
    return mean - half / np.sqrt(topics), mean + half / np.sqrt(topics)


def name_method(highest: float) -> str:
    """Return how limits of gains are found by a measure with this highest score."""
    return LOG_ODDS if np.isfinite(highest) else STUDENT


def _compare_with_rest(values: Floats) -> Floats:
    """Return each column less the mean of the others."""
    systems = values.shape[1]
    apart: Floats = (values - values.mean(axis=1, keepdims=True)) * systems / (systems - 1)
    return apart


def _find_members(systems: tuple[str, ...], members: Collection[str]) -> Mask:
    if strangers := sorted(set(members) - set(systems)):
        raise BadInput(
            f"'{strangers[0]}' of the lineage is not among the runs; name runs as they are called "
            "there",
            field="lineage",
        )
    found = np.array([system in members for system in systems])
    if not found.any() or found.all():
        raise BadInput("a lineage has some of the runs, not none and not all", field="lineage")
    return found


def _compare_systems(
    gains: Floats, is_member: Mask, counts: tuple[int, int], reach: float
) -> LineageAdvantage:
    """Return the advantage where runs are the sample, by Welch's t within what is possible."""
    kinds = gains[is_member], gains[~is_member]
    value = float(kinds[0].mean() - kinds[1].mean())
    if min(counts) < FEWEST_SYSTEMS:
        reason = f"limits over runs need {FEWEST_SYSTEMS} of the lineage and as many others"
        nothing = value, np.nan, np.nan
        return _conclude(SYSTEMS, counts, nothing, WELCH, sum(counts), reach, reason)
    parts = np.array([one.var(ddof=1) / len(one) for one in kinds])
    if not parts.any():
        found = value, np.nan, np.nan
        alike = "all runs gain the same"
        return _conclude(SYSTEMS, counts, found, WELCH, sum(counts), reach, alike)
    from scipy.special import stdtrit

    freedom = parts.sum() ** 2 / (parts**2 / (np.array(counts) - 1)).sum()
    half = float(stdtrit(freedom, 0.975) * np.sqrt(parts.sum()))
    found = value, max(value - half, -reach), min(value + half, reach)
    return _conclude(SYSTEMS, counts, found, WELCH, sum(counts), reach, "")


def _conclude(
    unit: str,
    counts: tuple[int, int],
    found: tuple[float, float, float],
    interval: str,
    units: int,
    reach: float,
    reason: str,
) -> LineageAdvantage:
    """Return the advantage with its verdict; ``reach`` is how far gains can be apart at most."""
    value, low, high = found
    verdict = SHOWN if low > 0 else NOT_SHOWN
    least = value - low if value - low < _NEARLY * reach else np.nan
    return LineageAdvantage(
        unit, *counts, value, low, high, interval, units, least, verdict, reason
    )
