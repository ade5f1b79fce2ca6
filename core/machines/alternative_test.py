"""Whether a machine may stand in for any one of several people: the alternative annotator test."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from core.agreement.intervals import Floats, divide
from core.agreement.pairs import ONE_TOPIC
from core.errors import BadInput
from core.machines.advantage_tests import (
    FEW_ITEMS,
    is_rejected,
    p_over_items,
    p_over_topics,
)
from core.machines.choices import EPSILON, FEWEST_PEOPLE, SCORINGS
from core.machines.joined_labels import JoinedLabels
from core.numerals import write_number
from core.wording import count

FALSE_DISCOVERY = 0.05
PASSING = 0.5

FEW_PEOPLE = "each person is left out in turn and another is needed; only one judged"
FEW_LABELS = "no item of the machine has labels of {:,} people"


@dataclass(frozen=True, eq=False)
class AlternativeTest:
    """What the alternative annotator test says of one machine.

    Parameters
    ----------
    machine : str
        What the machine is called.
    epsilon : float
        What people may be better by.
    annotators : DataFrame
        ``person, n, advantage, disadvantage, test, p, rejected, topics, topic_p, topic_rejected,
        reason``, a row for each person who was left out in turn. ``n`` counts the items;
        ``advantage`` is the share of them on which the machine is at least as close to the others
        as the person, ``disadvantage`` that on which the person is. ``test`` is 't' or 'wilcoxon',
        over items; ``topic_p`` belongs to the same difference over topics, and is NaN with a
        ``reason`` for one topic. What is rejected is that the person is better by ``epsilon``.
    reason : str
        Why the test is not defined; empty where it is.
    """

    machine: str
    epsilon: float
    annotators: pd.DataFrame
    reason: str

    def describe(self, mark: Callable[[str], str] = str) -> str:
        """Return what the test comes to, or why it is not defined; ``mark`` is for key facts."""
        if not self.defined:
            return f"{self.machine}: the alternative annotator test is not defined: {self.reason}."
        over_items = mark("passed" if self.passed else "not passed")
        could = "" if self.could_pass else "; with so few items nothing else could come of it"
        return (
            f"{self.machine}: over items the alternative annotator test is {over_items}: for "
            f"{self.annotators['rejected'].sum():,} of "
            f"{count(len(self.annotators), 'person', 'people')} the machine is shown to be no "
            f"worse by ε = {self.epsilon:g} (winning rate ω = {write_number(self.omega)}; "
            f"{PASSING:g} passes{could}). {self._describe_topics(mark)} On average the machine is "
            f"at least as close to others as the person left out on {write_number(self.rho)} of "
            "items (ρ)."
        )

    def _describe_topics(self, mark: Callable[[str], str]) -> str:
        """Return what the test over topics comes to; who has one topic only tells nothing there."""
        single = int(self.annotators["topic_p"].isna().sum())
        if self.topic_passed is None:
            return f"Over topics it is not made: {ONE_TOPIC}."
        over_topics = mark("passed" if self.topic_passed else "not passed")
        untold = (
            f"; {count(single, 'person', 'people')} with one topic only "
            f"{'counts' if single == 1 else 'count'} as not shown"
        )
        rate = write_number(self.topic_omega)
        return f"Over topics it is {over_topics} (ω = {rate}{untold if single else ''})."

    @property
    def defined(self) -> bool:
        """Whether anybody could be left out."""
        return not self.reason

    @property
    def omega(self) -> float:
        """The winning rate with items as what is sampled, as the authors have it.

        The share of people whom the machine is shown to be behind by less than ``epsilon``, if at
        all, in [0, 1]; NaN where the test is not defined.
        """
        return self._average("rejected")

    @property
    def topic_omega(self) -> float:
        """The winning rate with topics as what is sampled.

        NaN where everybody has one topic only; else these count as people of whom nothing is shown.
        """
        is_known = self.annotators["topic_p"].notna().any()
        return self._average("topic_rejected") if is_known else float("nan")

    @property
    def rho(self) -> float:
        """The average advantage probability, in [0, 1]; NaN where the test is not defined."""
        return self._average("advantage")

    @property
    def passed(self) -> bool | None:
        """Whether the winning rate is .5 or more; None where the test is not defined."""
        return self.omega >= PASSING if self.defined else None

    @property
    def could_pass(self) -> bool:
        """Whether items are enough for the winning rate to be .5, however close the machine is.

        Signed ranks of n differences have no p below 1 in 2 to the nth.
        """
        n = self.annotators["n"].to_numpy(np.float64)
        least = np.where(n < FEW_ITEMS, 2**-n, 0.0)
        return bool(is_rejected(least, FALSE_DISCOVERY).mean() >= PASSING)

    @property
    def topic_passed(self) -> bool | None:
        """The same as `passed` with topics as what is sampled; None where nobody has two."""
        return None if np.isnan(self.topic_omega) else self.topic_omega >= PASSING

    def _average(self, column: str) -> float:
        return float(self.annotators[column].mean()) if self.defined else float("nan")


def alternative_test(
    joined: JoinedLabels,
    epsilon: float = EPSILON,
    *,
    scoring: str = "accuracy",
    fewest_items: int = 1,
    fewest_people: int = FEWEST_PEOPLE,
) -> AlternativeTest:
    """Test whether a machine may take the place of any one of several people.

    Each person is left out in turn. On each of their items that others judged, too, the person and
    the machine are compared with these others: W^f is 1 where the machine is at least as close to
    them as the person, W^h where the person is. The hypothesis is that the mean of W^h − W^f is
    ``epsilon`` or more; the authors take items for what is sampled (`p_over_items`). Items of
    one topic are alike, so that the same with topics stands beside it (`p_over_topics`); that
    is Dissent's addition. Over people, both are corrected by Benjamini and Yekutieli's procedure
    at a false discovery rate of .05.

    Parameters
    ----------
    joined : JoinedLabels
        From `join_labels`.
    epsilon : float, default .2
        From 0, below 1.
    scoring : {'accuracy', 'rmse'}
        See `count_closer`.
    fewest_items : int, default 1
        Who has fewer items is not left out, and counts in no rate. The authors' program asks for
        30, and so never ranks.
    fewest_people : int, default 2
        Labels of people that an item needs. Two are the authors' program's rule; three, so that
        each person is compared with two others or more, is stricter than theirs.

    Returns
    -------
    AlternativeTest
        Not defined, with a reason, where nobody has an item with labels of others.

    Raises
    ------
    BadInput
        ``epsilon`` or ``fewest_people`` is out of range, or the scoring unknown.

    References
    ----------
    Calderon, Reichart and Dror (2025), The Alternative Annotator Test for LLM-as-a-Judge: How to
    Statistically Justify Replacing Human Annotators with LLMs, ACL, arXiv:2501.10970.
    """
    check_settings(epsilon, scoring, fewest_people)
    outcomes = count_closer(joined, scoring, fewest_people)
    items = outcomes.sum(axis=(0, 1))
    kept = items >= max(fewest_items, 1)
    names = pd.Index(joined.ratings.assessors, dtype="str")[kept]
    annotators = _test_people(names, outcomes[:, :, kept], epsilon)
    reason = "" if kept.any() else _explain(joined, items, fewest_items, fewest_people)
    return AlternativeTest(joined.machine, epsilon, annotators, reason)


def check_settings(epsilon: float, scoring: str, fewest_people: int) -> None:
    """Raise BadInput for what `alternative_test` cannot be made with."""
    if not 0 <= epsilon < 1:
        raise BadInput(f"epsilon is a number from 0 and below 1, not {epsilon:g}", field="epsilon")
    if scoring not in SCORINGS:
        raise BadInput(f"'{scoring}' is no way to score; known are {', '.join(SCORINGS)}")
    if fewest_people < 2:
        raise BadInput("a person is compared with others: at least 2 people", field="fewest_people")


def _test_people(names: "pd.Index[str]", outcomes: Floats, epsilon: float) -> pd.DataFrame:
    """Return a row for each person, from items by outcome, topic and person."""
    ahead, level, behind = by_person = outcomes.sum(axis=1)
    items = by_person.sum(axis=0)
    p, topic_p = p_over_items(by_person, epsilon), p_over_topics(outcomes, epsilon)
    return pd.DataFrame(
        {
            "person": names,
            "n": items.astype(np.int64),
            "advantage": divide(behind + level, items),
            "disadvantage": divide(ahead + level, items),
            "test": np.where(items < FEW_ITEMS, "wilcoxon", "t"),
            "p": p,
            "rejected": is_rejected(p, FALSE_DISCOVERY),
            "topics": np.count_nonzero(outcomes.sum(axis=0), axis=0),
            "topic_p": topic_p,
            "topic_rejected": is_rejected(topic_p, FALSE_DISCOVERY),
            "reason": np.where(np.isnan(topic_p), ONE_TOPIC, ""),
        }
    )


def _explain(joined: JoinedLabels, items: Floats, fewest_items: int, fewest_people: int) -> str:
    """Return why nobody can be left out."""
    if len(joined.people) < 2:
        return FEW_PEOPLE
    if items.any():
        return f"nobody has {fewest_items:,} items with labels of {fewest_people:,} people"
    return FEW_LABELS.format(fewest_people)


def count_closer(
    joined: JoinedLabels, scoring: str = "accuracy", fewest_people: int = FEWEST_PEOPLE
) -> Floats:
    """Count on how many items each person, left out, or the machine is closer to the others.

    Parameters
    ----------
    joined : JoinedLabels
        From `join_labels`.
    scoring : {'accuracy', 'rmse'}
        How close a label is to those of the others: the share of these with the same level, or the
        negative root mean squared difference of the levels.
    fewest_people : int, default 2
        Items with labels of so many people or more count, from 2.

    Returns
    -------
    array, shape (3, n_topics, n_assessors)
        Items on which the person is closer, both are as close, and the machine is closer; zeros for
        the machine itself.

    Raises
    ------
    BadInput
        The scoring is unknown.
    """
    check_settings(0, scoring, 2)
    ratings, levels = joined.ratings, np.asarray(joined.ratings.levels, dtype=np.float64)
    apart = _level_costs(levels, scoring)
    is_machine = ratings.assessor == joined.code
    own = np.zeros(len(ratings.items), dtype=np.int64)
    own[ratings.item[is_machine]] = ratings.level[is_machine]
    item, level = ratings.item[~is_machine], ratings.level[~is_machine]
    given = np.bincount(item * len(levels) + level, minlength=len(own) * len(levels))
    # What a level costs beside the labels of all; the cost of a label beside itself is 0.
    costs = given.reshape(len(own), -1) @ apart
    person = costs[item, level]
    machine = costs[item, own[item]] - apart[own[item], level]
    outcome = 1 + np.sign(person - machine).astype(np.int64)
    counted = np.bincount(item, minlength=len(own))[item] >= max(fewest_people, 2)
    topic, who = ratings.topic[~is_machine], ratings.assessor[~is_machine]
    shape = (3, len(ratings.topics), len(ratings.assessors))
    cells = np.ravel_multi_index((outcome, topic, who), shape)[counted]
    return np.bincount(cells, minlength=int(np.prod(shape))).reshape(shape).astype(np.float64)


def _level_costs(levels: Floats, scoring: str) -> npt.NDArray[np.float64]:
    """Return what two levels that differ cost, shape (L, L); whole numbers, so that ties are."""
    distance = np.abs(levels - levels[:, np.newaxis])
    return np.sign(distance) if scoring == "accuracy" else distance**2
