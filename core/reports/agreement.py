"""How far the assessors of some labels agree: the report of agreement."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from core.agreement.base import (
    COEFFICIENTS,
    Coefficient,
    PairCoefficient,
    name_coefficient,
    suggest_coefficients,
)
from core.agreement.choices import ANALYTIC, INTERVALS
from core.agreement.coefficients import Kappa
from core.agreement.confusion import ConfusionMatrices, confusion_matrices
from core.agreement.groups import (
    agreement_by_group,
    agreement_differences,
    between_assessors,
    between_groups,
    pair_groups,
    read_groups,
)
from core.agreement.overall import agreement_by_part, measure_agreement
from core.agreement.pairs import agreement_by_pair
from core.agreement.pooled import COLUMNS
from core.agreement.ratings import Ratings, rank_items, ratings_from_labels
from core.agreement.single_pairs import of_two
from core.agreement.topics import (
    TopicSets,
    agreement_by_topic,
    describe_topics,
    split_topics,
)
from core.agreement.unusual_topics import ALPHA, size_effect, unusual_topics
from core.collection.labels.counted_labels import counted_labels
from core.collection.labels.label_options import GOLD
from core.collection.labels.level_use import describe_gap
from core.errors import BadInput, TooLittleData
from core.numerals import write_limits, write_number
from core.reports.report import Column, Estimated, Report
from core.reports.sampling import SAMPLES, SEED, new_rng
from core.wording import count, mark_fact

if TYPE_CHECKING:
    import pandas as pd

LINEAR = Kappa("linear")
"""Of the answer, of single topics and of differences, unless others are asked for."""

NO_GROUP = "no group"

FEW_COMMON = 10
"""Pairs with fewer common items are not named in the answer."""

FEW_TOPICS = 5
"""Where pairs share fewer on average, chance agreement is that of few topics, and this is said."""

MOST_DIFFERENCES = 20_000
"""As many as 20 assessors make who all have items in common; that takes a few seconds."""

_PAIR = "agreement of these two assessors"
_COEFFICIENT = {"coefficient": Column("coefficient", write=name_coefficient, names="nobody")}
_VALUE = {
    **_COEFFICIENT,
    "pairs": Column("pairs"),
    "n": Column("common items"),
    "value": Column("value"),
}
_TWO = {"first": Column("first"), "second": Column("second")}


def _name_group(group: str) -> str:
    return group or NO_GROUP


_GROUP = Column("group", write=_name_group, names="nobody")


@dataclass(frozen=True)
class AgreementQuestion:
    """What is asked of how far assessors agree.

    Parameters
    ----------
    coefficients : tuple of str
        Such as ``kappa(linear)``; those that are suggested for the scale and the ranks, without.
        The answer tells the first.
    binary_at : int, optional
        Where nothing is asked for: also with levels from this one up as one.
    interval : {'jackknife', 'bootstrap', 'analytic', 'fleiss1969'}
        Of pairs. Single topics have the same where it is a formula, else the jackknife; all else
        has the jackknife.
    seed : int
        Where resampling begins.
    """

    coefficients: tuple[str, ...] = ()
    binary_at: int | None = None
    interval: str = "jackknife"
    seed: int = SEED

    def __post_init__(self) -> None:
        if self.interval not in INTERVALS:
            text = f"'{self.interval}' is none of {', '.join(INTERVALS)}"
            raise BadInput(text, field="interval")


SUGGESTED = AgreementQuestion()
"""What is asked where nothing is chosen."""


@dataclass(frozen=True, eq=False)
class FacetLabels:
    """The labels of one facet, from wherever they come.

    Parameters
    ----------
    facet : str
        'snippet' or 'page'.
    ratings : Ratings
        Who gave which level; with ``rank`` among the items where runs tell it.
    groups : mapping of str to str
        The group of each assessor, '' for none.
    names : mapping of str to str
        What assessors are called, by id; who is not in it goes by the id.
    by_round : callable
        Returns the ratings of each round that has labels, by the round's name, in order.
    notes : tuple of str
        What the reader has to know of how they were read.
    """

    facet: str
    ratings: Ratings
    groups: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    by_round: Callable[[], Mapping[str, Ratings]] = dict
    notes: tuple[str, ...] = ()

    @property
    def is_ranked(self) -> bool:
        """Whether it is known how items rank."""
        return "rank" in self.ratings.items


def read_facet(
    labels: pd.DataFrame,
    facet: str,
    levels: Sequence[int] | None = None,
    runs: pd.DataFrame | None = None,
) -> FacetLabels:
    """Return the labels of a facet of a frame; rounds are by ``round_id``, where it has that.

    Parameters
    ----------
    labels : DataFrame
        As for ``ratings_from_labels``, with ``group`` where it is known.
    facet : str
        'snippet' or 'page'.
    levels : sequence of int, optional
        All levels of the scale; without it those that occur, and a note says what that may miss.
    runs : DataFrame, optional
        ``system, topic_id, document_id, rank``: by which items rank.

    Raises
    ------
    BadInput
        As from ``ratings_from_labels``.
    """
    gap = describe_gap(labels, facet) if levels is None else ""
    whole = ratings_from_labels(labels, facet, levels)

    def rank(ratings: Ratings) -> Ratings:
        return ratings if runs is None else rank_items(ratings, runs)

    def by_round() -> Mapping[str, Ratings]:
        return {
            name: rank(own) for name, own in ratings_by_round(labels, facet, whole.levels).items()
        }

    own = labels[(labels["facet"] == facet) & (labels["assessor_id"] != GOLD)]
    groups = read_groups(own) if "group" in own else {}
    notes = (gap,) if gap else ()
    return FacetLabels(facet, rank(whole), groups, {}, by_round, notes)


def ratings_by_round(labels: pd.DataFrame, facet: str, levels: Sequence[int]) -> dict[str, Ratings]:
    """Return the labels of each round alone, by ``round_id``, in the order in which they appear."""
    if "round_id" not in labels:
        return {}
    counted = counted_labels(labels, facet)
    rounds = counted["round_id"].astype("str")
    return {
        name: ratings_from_labels(counted[rounds == name], facet, levels)
        for name in dict.fromkeys(rounds[rounds != ""])
    }


@dataclass(frozen=True, eq=False)
class Agreement(Report):
    """How far the assessors of one facet agree; ``dissent.agreement`` gives it.

    Its tables are computed when first asked for: ``overall``, ``pairs``, ``topics``, ``groups``,
    ``engines``, ``rounds``, ``differences``; ``answer`` is a sentence. Every table has 95 % limits,
    and says beside them what they take for sampled: topics, but for ``topics``, where it is items.
    """

    labels: FacetLabels
    question: AgreementQuestion = SUGGESTED

    name: ClassVar[str] = "agreement"
    tables: ClassVar[Mapping[str, Estimated]] = {
        "overall": Estimated("All assessors", "agreement of all assessors", _VALUE),
        "pairs": Estimated("Every two assessors", _PAIR, _TWO | _VALUE, across="coefficient"),
        "topics": Estimated(
            "Topic by topic",
            f"{_PAIR} on this topic",
            {"topic_id": Column("topic")} | _TWO | _VALUE,
        ),
        "groups": Estimated(
            "By group",
            "agreement of the pairs between these two groups",
            {"first_group": _GROUP, "second_group": _GROUP} | _VALUE,
        ),
        "engines": Estimated(
            "By engine",
            "agreement on what this engine returned",
            {"part": Column("engine", names="nobody")} | _VALUE,
        ),
        "rounds": Estimated(
            "By round",
            "agreement of the labels of this round",
            {"part": Column("round")} | _VALUE,
        ),
        "differences": Estimated(
            "Differences",
            "difference in agreement of the two",
            _TWO | _COEFFICIENT | {"difference": Column("first less second")},
            estimate="difference",
        ),
    }

    @property
    def ratings(self) -> Ratings:
        """Who gave which level to which item."""
        return self.labels.ratings

    @property
    def notes(self) -> Sequence[str]:
        """What is to be known of how labels were read, of limits, and of what tables lack."""
        return (*self.labels.notes, *self._doubts, *self._list_left_out())

    def _list_left_out(self) -> tuple[str, ...]:
        """Say which coefficients groups and differences lack, where they have others."""
        others = [one for one in self.coefficients if not isinstance(one, PairCoefficient)]
        if not (others and self._two and (self.question.coefficients or self.has_groups)):
            return ()
        *most, last = dict.fromkeys(one.symbol for one in others)
        named = f"{', '.join(most)} and {last} do" if most else f"{last} does"
        return (
            "groups and differences are told by coefficients of two alone: "
            f"{named} not add up over pairs of assessors",
        )

    @cached_property
    def _doubts(self) -> tuple[str, ...]:
        """Where limits over topics may hold too seldom, and where κ is that of few topics."""
        return tuple(filter(None, (self._name_unusual(), self._say_few(), self._say_larger())))

    def _name_unusual(self) -> str:
        unusual = unusual_topics(self.ratings)
        if unusual.empty:
            return ""
        worst, more = unusual.iloc[0], len(unusual) - 1
        others = f" and {count(more, 'other topic')}" if more else ""
        return (
            f"on topic {worst['topic_id']}{others} assessors are not shown to agree beyond chance, "
            "and agree far less than elsewhere (labels of an item by "
            f"{write_number(worst['value'])} there, by {write_number(worst['others'])} on the "
            "median of the other topics): see whether somebody read it differently; where few "
            "topics are like that, limits over topics hold the true value less often than 95 times "
            "in 100"
        )

    def _say_few(self) -> str:
        try:
            starts, blocks = self.matrices.pair_starts(), len(self.matrices.first)
        except TooLittleData:
            return ""
        if len(starts) < 2 or blocks >= FEW_TOPICS * len(starts):
            return ""
        return (
            f"two assessors share {write_number(blocks / len(starts), 1)} topics on average, and κ "
            "takes chance agreement from these few: it tends to be lower than over many topics, "
            "and its limits are for studies so assigned; α takes it from all labels"
        )

    def _say_larger(self) -> str:
        if not size_effect(self.ratings) < ALPHA:
            return ""
        return (
            "topics with more items agree less, so that a few large ones move the value: limits "
            "over topics may hold the true value in about 90 of 100 such studies, not in 95"
        )

    @cached_property
    def coefficients(self) -> tuple[Coefficient, ...]:
        """What was asked for, else what is suggested."""
        asked = self.question.coefficients
        return tuple(map(COEFFICIENTS.parse, asked)) if asked else (*self._two, *self._panel)

    @cached_property
    def _suggested(self) -> tuple[list[PairCoefficient], list[Coefficient]]:
        two, panel = suggest_coefficients(
            self.ratings.levels, self.question.binary_at, ranked=self.labels.is_ranked
        )
        return two, [*panel]

    @property
    def _two(self) -> list[PairCoefficient]:
        asked = self.question.coefficients
        return self._of_pairs(self.coefficients) if asked else self._suggested[0]

    @property
    def _panel(self) -> list[Coefficient]:
        return self._suggested[1]

    @staticmethod
    def _of_pairs(coefficients: Iterable[Coefficient]) -> list[PairCoefficient]:
        return [one for one in coefficients if isinstance(one, PairCoefficient)]

    @property
    def _by_pairs(self) -> Sequence[Coefficient]:
        """What is told of two assessors: what was asked for, else those of two."""
        return self.coefficients if self.question.coefficients else self._two

    @cached_property
    def matrices(self) -> ConfusionMatrices:
        """The confusion matrices of every two assessors; raises TooLittleData."""
        return confusion_matrices(self.ratings, self.labels.names)

    @property
    def has_groups(self) -> bool:
        """Whether assessors are in different groups."""
        return len(set(self.labels.groups.values())) > 1

    @cached_property
    def overall(self) -> pd.DataFrame:
        """A row for each coefficient, over all assessors: the columns of `measure_agreement`."""
        return self.measure(self.coefficients)

    def measure(self, coefficients: Sequence[Coefficient]) -> pd.DataFrame:
        """Return the columns of `measure_agreement` of chosen coefficients, all assessors."""
        return measure_agreement(self.ratings, coefficients, matrices=self.matrices)

    def _measure_one(self, coefficient: Coefficient) -> dict[str, Any]:
        """Return the row of a coefficient, of ``overall`` where it is among those."""
        every = self.coefficients
        at, rows = (
            (every.index(coefficient), self.overall)
            if coefficient in every
            else (0, self.measure([coefficient]))
        )
        return {str(name): value for name, value in rows.iloc[at].items()}

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """A row for every two assessors with common items and each coefficient.

        Where none was asked for, those of two; else also those of any number, of the two alone.
        """
        return self.by_pair(self._by_pairs)

    def by_pair(
        self, coefficients: Sequence[Coefficient], *, every_pair: bool = False
    ) -> pd.DataFrame:
        """Return the columns of `agreement_by_pair`, also for pairs without common items or not.

        Raises
        ------
        BadInput
            A coefficient weighs items by rank: it is of all assessors together.
        """
        return agreement_by_pair(
            self.matrices,
            [*map(of_two, coefficients)],
            interval=self.question.interval,
            samples=SAMPLES,
            rng=new_rng(self.question.seed),
            every_pair=every_pair,
        )

    @cached_property
    def topics(self) -> pd.DataFrame:
        """A row for every two assessors, topic and coefficient; linear κ where none was asked."""
        interval = self.question.interval
        return agreement_by_topic(
            self.matrices,
            [*map(of_two, self.coefficients if self.question.coefficients else [LINEAR])],
            interval=interval if interval in ANALYTIC else "jackknife",
        )

    @cached_property
    def topic_sets(self) -> TopicSets:
        """The topics on which every two assessors agree beyond chance by linear κ, and others."""
        return split_topics(self._ask().topics)

    def _ask(self, *coefficients: str) -> Agreement:
        """Return the report of other coefficients, or of none; itself where it is of these."""
        if self.question.coefficients == coefficients:
            return self
        return replace(self, question=replace(self.question, coefficients=coefficients))

    @cached_property
    def groups(self) -> pd.DataFrame:
        """A row for every two groups and coefficient of two; no row without two groups.

        Raises
        ------
        BadInput
            There is no coefficient of two: the others have no value of two groups.
        """
        return self.by_group(self._two)

    def by_group(self, coefficients: Sequence[PairCoefficient]) -> pd.DataFrame:
        """Return the columns of `agreement_by_group` of chosen coefficients."""
        if not coefficients:
            raise BadInput("two groups are compared by coefficients of two, such as kappa")
        if not self.has_groups:
            return _no_rows("first_group", "second_group")
        return agreement_by_group(self.matrices, self.labels.groups, coefficients)

    @cached_property
    def engines(self) -> pd.DataFrame:
        """A row for each engine and coefficient; no row without two engines."""
        return self.by_part(self.ratings.items["engine"], self.coefficients)

    def by_part(self, parts: pd.Series[str], coefficients: Sequence[Coefficient]) -> pd.DataFrame:
        """Return the columns of `agreement_by_part`; no row without two parts.

        Parameters
        ----------
        parts : Series of str
            The part of each of the ratings' items; missing where it belongs to none.
        coefficients : sequence of Coefficient
            Those wanted.
        """
        parts = parts if parts.nunique() > 1 else parts.mask(parts.notna())
        return agreement_by_part(self.ratings, parts, coefficients)

    @cached_property
    def rounds(self) -> pd.DataFrame:
        """A row for each round (``part``) and coefficient; no row where no label has a round."""
        return self.by_round(self.coefficients)

    def by_round(self, coefficients: Sequence[Coefficient]) -> pd.DataFrame:
        """Return ``part`` (the round) and the columns of `measure_agreement`, rounds in order.

        The labels of a round count apart from those of all others. Where it has too little data,
        ``reason`` says so and ``value`` is NaN.
        """
        import pandas as pd

        tables = []
        for name, ratings in self.labels.by_round().items():
            table = _measure_or_say_why(ratings, coefficients, self.labels.names)
            table.insert(0, "part", name)
            tables.append(table)
        return pd.concat(tables, ignore_index=True) if tables else _no_rows("part")

    @cached_property
    def differences(self) -> pd.DataFrame:
        """Agreement of every two pairs of groups, else of assessors, less that of the other.

        By linear κ where nothing was asked for, else by what is asked for of two.

        Raises
        ------
        BadInput
            There would be more than ``MOST_DIFFERENCES``, which nobody reads; or no
            coefficient of two is among those that are asked for.
        """
        number = self.count_differences()
        if number > MOST_DIFFERENCES:
            what = "groups" if self.has_groups else "assessors"
            how = (
                "have fewer groups"
                if self.has_groups
                else "give the assessors groups, and pairs of groups are compared instead"
            )
            raise BadInput(
                f"every two of {self._count_selections():,} pairs of {what} are {number:,} "
                f"differences, and at most {MOST_DIFFERENCES:,} are compared; {how}"
            )
        chosen = self._two if self.question.coefficients else [LINEAR]
        if not chosen:
            raise BadInput("differences are of coefficients of two, such as kappa")
        return agreement_differences(self._selections(), chosen)

    def count_differences(self) -> int:
        """Return how many differences there are: of every two pairs of groups or assessors."""
        number = self._count_selections()
        return number * (number - 1) // 2

    def _count_selections(self) -> int:
        if self.has_groups:
            return len(pair_groups(self.matrices, self.labels.groups))
        return len(self.matrices.pair_starts())

    def _selections(self) -> dict[str, ConfusionMatrices]:
        """Return the pairs of assessors to compare, by name."""
        matrices, groups = self.matrices, self.labels.groups
        if self.has_groups:
            return {
                f"{first or NO_GROUP} × {second or NO_GROUP}": between_groups(
                    matrices, groups, first, second
                )
                for first, second in pair_groups(matrices, groups)
            }
        pairs, names = matrices.by_pair(), np.asarray(matrices.assessors)
        return {
            f"{first} × {second}": between_assessors(matrices, first, second)
            for first, second in zip(names[pairs.first], names[pairs.second], strict=True)
        }

    @cached_property
    def answer(self) -> str:
        """How far assessors agree by what is asked first; which pairs do least and most; by topic.

        By linear weighted κ where nothing is asked. Pairs and topics are left out where the
        coefficient is of all assessors together, and topics where 0 is not agreement by chance.
        """
        coefficient = self.coefficients[0] if self.question.coefficients else LINEAR
        title = (
            coefficient.title[:1].upper()
            if coefficient.title[:1].isascii()
            else coefficient.title[:1]
        )
        title += coefficient.title[1:]
        row = self._measure_one(coefficient)
        if np.isnan(row["value"]):
            return f"{title} is not defined: {row['reason']}."
        limits = (
            write_limits(row["low"], row["high"])
            if not np.isnan(row["low"])
            else f"(no interval: {row['reason']})"
        )
        common = (
            "common item"
            if isinstance(coefficient, PairCoefficient)
            else "item of several assessors"
        )
        common = count(int(row["n"]), common, common.replace("item", "items"))
        begun = (
            f"{title} is {mark_fact(write_number(row['value']))} {limits} over "
            f"{count(int(row['units']), 'topic')} and {common}"
        )
        try:
            of_pairs = of_two(coefficient)
        except BadInput:
            return f"{begun}."
        asked = self._ask(*self.question.coefficients[:1])
        by_topic = describe_topics(asked.topics) if coefficient.least < 0 else ""
        return f"{begun}{self._name_ends(of_pairs)}.{f' {by_topic}.' if by_topic else ''}"

    def _name_ends(self, coefficient: PairCoefficient) -> str:
        """Return the pairs that agree least and most, among those with enough common items."""
        pairs = self.matrices.by_pair()
        values = coefficient.value(pairs.counts, pairs.levels)
        known = np.flatnonzero((pairs.counts.sum(axis=(1, 2)) >= FEW_COMMON) & ~np.isnan(values))
        if len(known) < 2:
            return ""
        order = known[np.argsort(values[known], kind="stable")]
        names = [self.labels.names.get(one, one) for one in pairs.assessors]
        least, most = (
            f"{write_number(values[at])} ({names[pairs.first[at]]} and {names[pairs.second[at]]})"
            for at in (order[0], order[-1])
        )
        return f". Of {count(len(known), 'pair')}, the lowest has {least}, the highest {most}"


def _no_rows(*first: str) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(columns=[*first, *COLUMNS])


def _measure_or_say_why(
    ratings: Ratings, coefficients: Sequence[Coefficient], names: Mapping[str, str]
) -> pd.DataFrame:
    import pandas as pd

    try:
        matrices = confusion_matrices(ratings, names)
        return measure_agreement(ratings, coefficients, matrices=matrices)
    except TooLittleData as error:
        rows = [
            {"coefficient": str(one), "n": 0, "interval": "jackknife", "unit": "topic", "units": 0,
             "reason": str(error)}
            for one in coefficients
        ]  # fmt: skip
        empty = pd.DataFrame(rows).reindex(columns=list(COLUMNS))
        numbers = dict.fromkeys(("value", "low", "high"), "float64")
        return empty.astype({"pairs": "Int64", **numbers})
