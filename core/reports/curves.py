"""How precision falls with recall, and how gain adds up with rank: the report of curves."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import pandas as pd

from core.comparison.ties import tie_close
from core.errors import BadInput
from core.measures.catalogue import parse_measure
from core.measures.choices import AVERAGES, DEPTH, GAIN, Average
from core.measures.cumulated_gain import GainMeasure
from core.measures.curves import (
    area_under,
    gain_curve,
    interpolate_points,
    precision_recall_by_rank,
    precision_recall_curve,
    precision_recall_points,
)
from core.measures.ranking import Rankings
from core.numerals import write_number
from core.reports.report import Column, Estimated, Report
from core.reports.scores import JudgedRuns, name_systems
from core.wording import count, mark_fact

LOW = 0.1
"""The recall at which the answer compares precision."""

UNTESTED = "Differences are not tested."

_SYSTEM = {"system": Column("system")}
_RANK = {"rank": Column("rank")}
_OVER_TOPICS = {
    "eleven_points": Estimated(
        "Interpolated precision at the eleven standard levels of recall",
        "",
        {"recall": Column("recall", digits=1), **_SYSTEM, "value": Column("precision")},
        across="system",
    ),
    "ranks": Estimated(
        "Precision and recall by rank",
        "",
        {**_RANK, **_SYSTEM, "value": Column("precision"), "recall": Column("recall")},
        across="system",
        spread=("value", "recall"),
    ),
    "gain": Estimated(
        "Gain by rank",
        "",
        {**_RANK, "ideal": Column("ideal", "That of the best list of what was judged."),
         **_SYSTEM, "value": Column("gain")},
        across="system",
    ),
    "areas": Estimated(
        "Mean height of the curves of gain", "", {**_SYSTEM, "area": Column("mean height")}
    ),
}  # fmt: skip


def _split(table: Estimated) -> Estimated:
    """Return a table over topics as it is topic by topic."""
    columns = {"topic_id": Column("topic"), **table.columns}
    return table._replace(title=f"{table.title}, topic by topic", columns=columns)


@dataclass(frozen=True)
class CurvesQuestion:
    """What is asked of the lists of systems.

    Parameters
    ----------
    measure : str
        Which gain adds up: CG, nCG, DCG or nDCG, with its gain and discount, without a cut-off.
    rel : float
        The level from which a document counts as relevant, for precision and recall.
    depth : int
        The last rank of curves by rank, where lists are so long.
    average : {'topics', 'ratio'}
        How nCG and nDCG are averaged: as the mean of the topics' values, or as the mean gain
        divided by the mean ideal.
    """

    measure: str = GAIN
    rel: float = 1
    depth: int = DEPTH
    average: Average = "topics"

    def __post_init__(self) -> None:
        if self.depth < 1:
            raise BadInput("curves end at a rank from 1", field="depth")


USUAL = CurvesQuestion()
"""What is asked where nothing is chosen."""


@dataclass(frozen=True, eq=False)
class RankingCurves(Report):
    """What lists have found on the way down; ``dissent.curves`` makes it.

    Its tables are computed when first asked for, those topic by topic under names that end in
    ``_by_topic``. Those of precision, and those of gain, raise TooLittleData where no topic has
    anything to find, as do ``answer`` and ``notes``. Nothing is tested, and curves have no limits.
    """

    judged: JudgedRuns
    question: CurvesQuestion = USUAL

    name: ClassVar[str] = "curves"
    tables: ClassVar[Mapping[str, Estimated]] = {
        **_OVER_TOPICS,
        **{f"{name}_by_topic": _split(table) for name, table in _OVER_TOPICS.items()},
        "recall_points": Estimated(
            "Precision at every relevant document found",
            "",
            {"topic_id": Column("topic"), **_SYSTEM, **_RANK, "recall": Column("recall"),
             "value": Column("precision"), "interpolated": Column("interpolated")},
        ),
    }  # fmt: skip

    @property
    def rankings(self) -> Rankings:
        """The runs against the judgements."""
        return self.judged.rankings

    @cached_property
    def measure(self) -> GainMeasure:
        """The gain that adds up; raises BadInput for a measure that is none."""
        found = parse_measure(self.question.measure)
        whole = found.cutoff is None and not getattr(found, "judged_only", False)
        if isinstance(found, GainMeasure) and whole:
            return found
        raise BadInput(
            f"'{found}' has no curve of gain: write CG, nCG, DCG or nDCG, without a cut-off, of "
            "all documents",
            field="measure",
        )

    @property
    def divides_means(self) -> bool:
        """Whether gain over topics is a quotient of means; CG and DCG are not divided."""
        return self.question.average == "ratio" and self.measure.normalised

    def name_gain(self, *, over_topics: bool = True) -> str:
        """Return what gain by rank is called, over topics or on one."""
        is_ratio = over_topics and self.divides_means
        return f"{self.measure}, ratio of averages" if is_ratio else str(self.measure)

    @property
    def depth(self) -> int:
        """The last rank of curves by rank: that of the question, or of the longest list."""
        return min(self.question.depth, int(self.rankings.length.max()))

    @cached_property
    def eleven_points(self) -> pd.DataFrame:
        """The columns of `precision_recall_curve`."""
        return precision_recall_curve(self.rankings, self.question.rel)

    @cached_property
    def eleven_points_by_topic(self) -> pd.DataFrame:
        """The same topic by topic."""
        return precision_recall_curve(self.rankings, self.question.rel, per_topic=True)

    @cached_property
    def ranks(self) -> pd.DataFrame:
        """The columns of `precision_recall_by_rank`."""
        return precision_recall_by_rank(self.rankings, self.depth, self.question.rel)

    @cached_property
    def ranks_by_topic(self) -> pd.DataFrame:
        """The same topic by topic."""
        return precision_recall_by_rank(
            self.rankings, self.depth, self.question.rel, per_topic=True
        )

    @cached_property
    def recall_points(self) -> pd.DataFrame:
        """The columns of `interpolate_points`; without a row where nothing relevant is found."""
        return interpolate_points(precision_recall_points(self.rankings, self.question.rel))

    @cached_property
    def gain(self) -> pd.DataFrame:
        """``system, rank, ideal, value, topics``: gain by the measure, and that of the best list.

        The ideal of nCG and nDCG is 1.
        """
        return self._trace_gain(per_topic=False)

    @cached_property
    def gain_by_topic(self) -> pd.DataFrame:
        """``system, topic_id, rank, ideal, value``."""
        return self._trace_gain(per_topic=True)

    def _trace_gain(self, *, per_topic: bool) -> pd.DataFrame:
        if self.question.average not in AVERAGES:
            known = " or ".join(AVERAGES)
            raise BadInput(f"'{self.question.average}' is no average: {known}", field="average")
        measure, average = self.measure, self.question.average
        curve = gain_curve(
            self.rankings,
            self.depth,
            measure,
            self.judged.weights,
            average=average,
            per_topic=per_topic,
        )
        gained = curve.pop("dcg")
        if measure.normalised:
            return curve.assign(ideal=1.0)
        return curve.assign(value=gained)

    @property
    def areas(self) -> pd.DataFrame:
        """``system, area``: see `area_under`; without a row where gain is no share of the ideal."""
        return area_under(self.gain) if self.measure.normalised else pd.DataFrame()

    @property
    def areas_by_topic(self) -> pd.DataFrame:
        """``system, topic_id, area``."""
        return area_under(self.gain_by_topic) if self.measure.normalised else pd.DataFrame()

    @property
    def notes(self) -> Sequence[str]:
        """What runs and judgements do not have in common, and how many topics are left out."""
        notes = [*self.judged.notes]
        for what, name in (("precision", "eleven_points"), (self.name_gain(), "gain")):
            without = len(self.rankings.topics) - int(self.table(name)["topics"].iloc[0])
            note = f"{what}: topics with nothing to find, left out: {without:,}"
            notes += self.judged.name_note(note if without else "")
        return notes

    @property
    def answer(self) -> str:
        """Who has the highest precision at a low recall, and the most gain at the last rank."""
        several = [UNTESTED] if len(self.rankings.systems) > 1 else []
        return " ".join([self.tell_precision(), self.tell_gain(), *several])

    def tell_precision(self, topic: str = "", systems: Collection[str] = ()) -> str:
        """Return which system has the highest interpolated precision at a low recall.

        Parameters
        ----------
        topic : str
            The topic of which it is told; over all where '', and '' for one left out.
        systems : collection of str
            Those that are compared; all where empty.
        """
        return self._tell("eleven_points", "recall", LOW, "interpolated precision", topic, systems)

    def tell_gain(self, topic: str = "", systems: Collection[str] = ()) -> str:
        """Return which system has the most gain at the last rank; arguments as before."""
        name = self.name_gain(over_topics=not topic)
        return self._tell("gain", "rank", self.depth, name, topic, systems)

    def _tell(
        self,
        table: str,
        axis: str,
        place: float,
        what: str,
        topic: str,
        systems: Collection[str],
    ) -> str:
        rows = self.table(f"{table}_by_topic" if topic else table)
        rows = rows[rows[axis] == place]
        rows = rows[rows["topic_id"] == topic] if topic else rows
        rows = rows[rows["system"].isin(systems)] if systems else rows
        if rows.empty:
            return ""
        tied = tie_close(rows["value"])
        best = rows[tied == tied.max()]
        verb = "has the highest" if len(best) == 1 else "share the highest"
        where = f"on topic {topic}" if topic else f"over {count(best['topics'].iloc[0], 'topic')}"
        return (
            f"{name_systems(best['system'].tolist())} {verb if len(rows) > 1 else 'has this'} "
            f"{what} at {axis} {place:g}: {mark_fact(write_number(best['value'].iloc[0]))} {where}."
        )
