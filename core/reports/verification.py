"""Whether the User Disagreement Model holds in some labels: the report of its verification."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from core.comparison.robustness import evaluate_mutually, summarise_robustness
from core.disagreement.consistency import CROSS, SELF, Consistency, estimate_consistency
from core.disagreement.model_fit import (
    FEW_ITEMS,
    ModelFit,
    assess_fit,
    count_most,
    suggest_least,
)
from core.disagreement.repeated_labels import RepeatedLabels, code_repeated_labels
from core.disagreement.strata import list_strata
from core.disagreement.verification import (
    WANTED,
    Draws,
    draw_labels,
    verify_probability,
    verify_weights,
)
from core.errors import TooLittleData
from core.numerals import write_limits, write_number
from core.reports.level_weights import (
    LevelLabels,
    LevelWeights,
    WeightsQuestion,
    read_levels,
    tell_fit,
)
from core.reports.report import Column, Estimated, Report
from core.reports.sampling import SEED, new_rng
from core.reports.user_model import UserModel
from core.wording import count, mark_fact

if TYPE_CHECKING:
    import pandas as pd

REPEATS = 50
FEW_REPEATS = 30
"""With fewer repeats nothing is said about assessors beside themselves."""

FEW_TOPICS = 5
"""With fewer topics mean scores are a rough indication."""

SURE = 0.975
"""The share of samples in which people agree with themselves more, for this to be said."""

NO_STRATA = "there are no parts: give results with several ranks, or topics with a type"

_WITHIN = {SELF: "the same person again", CROSS: "another person"}


@dataclass(frozen=True)
class VerificationQuestion:
    """What is asked of the model.

    Parameters
    ----------
    top : int
        The top level.
    group_by : {'topic', 'document'}
        Whether an item is a document of one topic, or of all topics together.
    min_labels : int, optional
        Items with fewer are left out of the draws; without it as many, up to ``WANTED``, as leave
        ``FEW_ITEMS`` items or, where there are fewer, all with two.
    repeats : int
        How often labels are drawn.
    seed : int
        Where drawing begins.
    """

    top: int
    group_by: str = "topic"
    min_labels: int | None = None
    repeats: int = REPEATS
    seed: int = SEED


@dataclass(frozen=True, eq=False)
class ModelVerification(Report):
    """The model beside the labels of one facet; ``dissent.verify`` makes it.

    Its tables are computed when first asked for, and raise TooLittleData where labels do not do.

    Parameters
    ----------
    labels : LevelLabels
        The labels, one of each assessor and item.
    code : callable
        Returns all labels, repeated ones included, by what an item is.
    question : VerificationQuestion
        What is asked.
    """

    labels: LevelLabels
    code: Callable[[str], RepeatedLabels]
    question: VerificationQuestion

    name: ClassVar[str] = "verification"
    tables: ClassVar[Mapping[str, Estimated]] = {
        "chances": Estimated(
            "p(top | level) by number of others",
            "p(top | level) with so many others",
            {
                "level": Column("level", write=str),
                "n": Column("others"),
                "mean": Column("p(top | level)"),
                "sd": Column("sd of redrawing", "of drawing the same labels again"),
            },
            estimate="mean",
        ),
        "weights": Estimated(
            "Weights, observed and predicted",
            "share of items that at least so many of so many users find top",
            {
                "level": Column("level", write=str),
                "at_least": Column("at least"),
                "users": Column("of"),
                "observed": Column("observed"),
                "sd": Column("sd of redrawing"),
                "predicted": Column("predicted", "by the model, from the same draws"),
            },
            estimate="observed",
        ),
        "mutual": Estimated(
            "One assessor's best ranking, scored by another's labels",
            "mean score of an assessor's ranking by another's labels",
            {
                "measure": Column("measure", write=str, names="nobody"),
                "users": Column("N", "users of the weights that are gains", digits=0),
                "mean": Column("mean"),
                "sd": Column("sd over topics"),
                "topics": Column("topics"),
            },
            estimate="mean",
        ),
        "repeats": Estimated(
            "Assessors beside themselves and beside others",
            "",
            {
                "level": Column("one label", write=str),
                "within": Column("then", write=_WITHIN.__getitem__, names="nobody"),
                "mean": Column("p(top | level)"),
                "sd": Column("sd of redrawing"),
            },
        ),
        "parts": LevelWeights.tables["parts"],
    }

    @property
    def top(self) -> int:
        """The top level."""
        return self.question.top

    @cached_property
    def coded(self) -> RepeatedLabels:
        """All labels by item, repeated ones included."""
        return self.code(self.question.group_by)

    @property
    def most_labels(self) -> int:
        """The number of labels on the item that has most."""
        return count_most(self.coded)

    @property
    def min_labels(self) -> int:
        """How many labels an item needs: as asked, else as suggests itself."""
        if self.question.min_labels is not None:
            return self.question.min_labels
        most = min(WANTED, self.most_labels)
        return suggest_least(self.coded, most) if most > 1 else 2

    @cached_property
    def draws(self) -> Draws:
        """The draws of labels; raises TooLittleData where no item has enough."""
        question = self.question
        return draw_labels(
            self.coded,
            question.top,
            min_labels=self.min_labels,
            others=WANTED - 1,
            repeats=question.repeats,
            rng=new_rng(question.seed),
        )

    @cached_property
    def chances(self) -> pd.DataFrame:
        """The columns of `verify_probability`."""
        return verify_probability(self.draws)

    @cached_property
    def weights(self) -> pd.DataFrame:
        """The columns of `verify_weights`."""
        return verify_weights(self.draws)

    @cached_property
    def fit(self) -> ModelFit | None:
        """Whether the model holds; None where no item has three labels."""
        return assess_fit(self.draws)

    @cached_property
    def consistency(self) -> Consistency:
        """Assessors beside themselves and others; raises TooLittleData without repeats."""
        return estimate_consistency(self.coded, self.top, rng=new_rng(self.question.seed))

    @property
    def repeats(self) -> pd.DataFrame:
        """The columns of ``Consistency.summary``."""
        return self.consistency.summary()

    @cached_property
    def mutual(self) -> pd.DataFrame:
        """The columns of `summarise_robustness`: assessors scored by each other's labels.

        Raises TooLittleData where no two assessors have ten items of a topic in common.
        """
        return summarise_robustness(evaluate_mutually(self.labels.ratings, self.top))

    @property
    def parts(self) -> pd.DataFrame:
        """The table ``parts`` of `LevelWeights`; raises TooLittleData where there are none."""
        found = LevelWeights(self.labels, WeightsQuestion(UserModel(self.top))).parts
        if found.empty:
            raise TooLittleData(NO_STRATA)
        return found

    def strata(
        self, results: pd.DataFrame | None = None, topics: pd.DataFrame | None = None
    ) -> pd.DataFrame:
        """Return ``parts`` of these results and topics.

        Parameters
        ----------
        results : DataFrame, optional
            ``topic_id, engine, document_id, rank``.
        topics : DataFrame, optional
            ``topic_id, type``.

        Raises
        ------
        TooLittleData
            There are no parts.
        """
        labels = with_parts(self.labels, results, topics)
        return replace(self, labels=labels).parts

    @property
    def notes(self) -> Sequence[str]:
        """What the reader has to know of the labels, and where they are too few."""
        notes, least, most = [*self.labels.notes], self.min_labels, self.most_labels
        if least <= most < WANTED:
            notes.append(
                f"no item has {WANTED} labels; the most is {most}, so that items with {least} are "
                f"used and N ends there; {WANTED} assessors who judge the same two or three topics "
                "would test larger N"
            )
        if most >= least and self.draws.items < FEW_ITEMS:
            notes.append(
                f"only {count(self.draws.items, 'item')} with {least} labels or more: too few for "
                f"a verdict, and what is seen is mostly chance; about {FEW_ITEMS} would do"
            )
        return notes

    @property
    def answer(self) -> str:
        """How many predictions are outside their limits, whether by chance, and else why."""
        fit = self.fit
        if fit is None and self.draws.expected.shape[2] > 1:
            return (
                f"No prediction is put to the test: one {self.draws.unit} alone tells of each, or "
                "all tell the same."
            )
        if fit is None:
            return (
                "With two labels an item the prediction is what it was estimated from. Items with "
                "three labels or more would put it to the test."
            )
        worst = fit.worst
        ratio = worst["ratio"]
        times = "" if np.isnan(ratio) else f", a ratio of {ratio:,.1f}"
        sentence = (
            f"{tell_fit(fit)} The mean error is {mark_fact(write_number(fit.difference))}; the "
            f"largest ratio is for {self.labels.name(int(worst['level']))} at "
            f"{worst['at_least']:.0f} of {worst['users']:.0f}: {write_number(worst['observed'])} "
            f"observed, {write_number(worst['predicted'])} predicted{times}."
        )
        return f"{sentence} {why}" if (why := _explain_departure(fit)) else sentence

    @property
    def mutual_answer(self) -> str:
        """How high an assessor's best ranking scores by another's labels; TooLittleData as there.

        '' where no topic has a score.
        """
        known = self.mutual[self.mutual["mean"].notna()]
        if known.empty:
            return ""
        ends = (known.iloc[known["mean"].argmin()], known.iloc[known["mean"].argmax()])
        low, high = (
            f"{mark_fact(write_number(one['mean']))} ({_name_measure(one)})" for one in ends
        )
        reached = low if len(known) == 1 else f"{low} to {high}"
        topics = int(known["topics"].max())
        hint = " Few topics: treat this as a rough indication." if topics < FEW_TOPICS else ""
        return (
            f"The best ranking by one assessor's labels reaches {reached} by another's, on average "
            f"over {count(topics, 'topic')}: about what a system can be expected to reach for "
            f"users whose labels it has not seen.{hint}"
        )

    @property
    def consistency_answer(self) -> str:
        """Whether people agree with themselves more than with others; TooLittleData as there."""
        found, top = self.consistency, self.labels.name(self.top)
        at = found.levels.index(self.top)
        own, others = found.samples[SELF][:, at], found.samples[CROSS][:, at]
        both = ~np.isnan(own) & ~np.isnan(others)
        repeats = f"{count(found.repeated, 'repeat')} on {count(found.items, 'item')}"
        if not both.any():
            return f"None of {repeats} has the level {top}, so nothing is known yet."
        if found.repeated < FEW_REPEATS:
            verdict = "Too few repeats for a verdict"
        elif found.share_apart(self.top) >= SURE:
            verdict = mark_fact("Assessors disagree with each other more than with themselves")
        else:
            verdict = mark_fact("Disagreement cannot be told apart from inconsistency")
        means, spreads = (
            [write_number(float(apply(one[both]))) for one in (own, others)]
            for apply in (np.mean, np.std)
        )
        return (
            f"{verdict}: an assessor who says {top} says so again with probability "
            f"{mark_fact(means[0])}, another person with {mark_fact(means[1])} ({repeats}; drawing "
            f"labels again changes these by {spreads[0]} and {spreads[1]}, which is no sampling "
            "error)."
        )

    @property
    def knows_repeats(self) -> bool:
        """Whether an item that somebody judged several times has the top level."""
        return not np.isnan(self.consistency.share_apart(self.top))

    def tell_chances(self) -> str:
        """Return what one other and several others say of the level below the top, or ''."""
        rows = self.chances
        below = rows[(rows["level"] < self.top) & rows["sd"].notna()]
        own = below[below["level"] == below["level"].max()]
        if own.empty:
            return ""
        one, several = own.iloc[0], own.iloc[-1]
        sentences = (
            f"Where one person says {mark_fact(self.labels.name(int(one['level'])))}, one other "
            f"says {mark_fact(self.labels.name(self.top))} with probability "
            f"{mark_fact(write_number(one['mean']))}{_describe_limits(one)}"
        )
        if several["n"] > 1:
            sentences += (
                f"; of {several['n']} others, {mark_fact(write_number(several['mean']))} do "
                f"(redrawing their labels changes it by {write_number(several['sd'])})"
            )
        return f"{sentences}."


def _explain_departure(fit: ModelFit) -> str:
    """Return what departs where the model fails, and whether another one does better; or ''."""
    if fit.verdict != "fails":
        return ""
    sentence = "What seems to depart is that people are independent, given a level"
    if not any(spread > 0 for spread in fit.spread.values()):
        return f"{sentence}: they find an item top together less often than predicted."
    sentence += (
        ": some items of a level please more of them than others do, so that people find an item "
        "top together more often than predicted."
    )
    if (varied := fit.varied) is None:
        return sentence
    outside = f"{varied.outside:,} of {count(varied.tested, 'prediction')}"
    verb = "lies" if varied.outside == 1 else "lie"
    return (
        f"{sentence} With a chance that varies between items (beta-binomial), {outside} of four "
        f"users or more {verb} outside."
    )


def _name_measure(row: Any) -> str:
    users = row["users"]
    return str(row["measure"]) + (f", N = {users:.0f}" if users == users else "")


def _describe_limits(row: Any) -> str:
    """Return the limits of a row in words; nothing where there are none."""
    if np.isnan(row["low"]):
        return ""
    return f" (95 % interval over {row['unit']}s {write_limits(row['low'], row['high'])})"


def with_parts(
    labels: LevelLabels, results: pd.DataFrame | None, topics: pd.DataFrame | None
) -> LevelLabels:
    """Return labels with the parts that results and topics make; see `list_strata`."""
    import pandas as pd

    lists = pd.DataFrame(columns=["rank"]) if results is None else results
    kinds = pd.DataFrame({"topic_id": [], "type": []}, dtype="str") if topics is None else topics
    return replace(labels, parts=lambda top: list_strata(kinds, lists, labels.ratings, top))


def read_verification(
    labels: pd.DataFrame,
    facet: str,
    question: VerificationQuestion,
    levels: Sequence[int] | None = None,
    names: Mapping[int, str] | None = None,
) -> ModelVerification:
    """Return the report of the labels of a facet of a frame.

    Parameters
    ----------
    labels : DataFrame
        Canonical labels, levels as counted.
    facet, levels, names
        As for `read_levels`.
    question : VerificationQuestion
        What is asked.
    """

    def code(group_by: str) -> RepeatedLabels:
        return code_repeated_labels(labels, facet, levels, group_by=group_by)

    return ModelVerification(read_levels(labels, facet, levels, names), code, question)
