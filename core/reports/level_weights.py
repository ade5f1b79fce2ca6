"""What levels are worth to users who disagree as assessors do, alone and in pairs of facets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from core.agreement.intervals import Floats
from core.agreement.ratings import Ratings, ratings_from_labels
from core.collection.labels.level_use import describe_gap
from core.collection.records import PAGE, SNIPPET
from core.disagreement.beta_binomial import reach_probability
from core.disagreement.combined import CombinedRatings, combined_weights
from core.disagreement.model_fit import ModelFit, fit_labels
from core.disagreement.repeated_labels import RepeatedLabels
from core.disagreement.strata import estimate_by_stratum, select_stratum, strata_by_topic
from core.disagreement.top_results import effective_top_results, further_topics
from core.disagreement.user_disagreement import (
    FEW_CASES,
    FEW_TOPICS,
    estimate_top_probability,
    relevance_weights,
)
from core.errors import BadInput, TooLittleData
from core.measures.gain import gain_levels
from core.numerals import say_p, write_limits, write_number
from core.reports.report import Column, Estimated, Report
from core.reports.user_model import UserModel
from core.wording import count, mark_fact

if TYPE_CHECKING:
    import pandas as pd

Weights = tuple[tuple[int, float], ...]
"""(level, weight)."""

PairWeights = tuple[tuple[int, int, float], ...]
"""(snippet level, page level, weight)."""

Parts = Callable[[int], Sequence["pd.DataFrame"]]
"""Returns the parts that some labels have, as `list_strata`, by the top level."""

FEW = f"fewer than {FEW_CASES} cases or {FEW_TOPICS} topics"

_FEW = {"few": Column("few", f"of {FEW}")}
_NAME = {"name": Column("level", names="nobody")}
_CASES = {"cases": Column("cases", digits=1), "top_cases": Column("top cases", digits=1)}
_P = {"p": Column("p(top | level)", "the chance that another assessor finds it top")}
_WEIGHT = {"weight": Column("UDM weight", "the chance that enough users find it top")}


@dataclass(frozen=True)
class WeightsQuestion:
    """Whom weights stand for, and which labels they are estimated from.

    Parameters
    ----------
    model : UserModel
        At least so many of so many users, and which level is top to them.
    part : str
        The part of the collection whose labels are taken; all without it.
    topics : tuple of str
        The topics whose labels are taken; all without them.
    other_top : int, optional
        Of pairs, the top level of the other facet; its highest without it.
    """

    model: UserModel
    part: str = ""
    topics: tuple[str, ...] = ()
    other_top: int | None = None


def _no_parts(top: int) -> Sequence[pd.DataFrame]:
    return ()


@dataclass(frozen=True, eq=False)
class LevelLabels:
    """The labels of one facet, from wherever they come.

    Parameters
    ----------
    facet : str
        'snippet' or 'page'.
    ratings : Ratings
        Who gave which level.
    names : mapping of int to str
        What levels are called; one that is not in it goes by its number.
    parts : callable
        Returns parts of the collection.
    notes : tuple of str
        What the reader has to know of how they were read.
    """

    facet: str
    ratings: Ratings
    names: Mapping[int, str] = field(default_factory=dict)
    parts: Parts = _no_parts
    notes: tuple[str, ...] = ()

    def name(self, level: int) -> str:
        """Return what a level is called."""
        return self.names.get(level, str(level))


def read_levels(
    labels: pd.DataFrame,
    facet: str,
    levels: Sequence[int] | None = None,
    names: Mapping[int, str] | None = None,
) -> LevelLabels:
    """Return the labels of a facet of a frame.

    Parameters
    ----------
    labels : DataFrame
        As for ``ratings_from_labels``.
    facet : str
        'snippet' or 'page'.
    levels : sequence of int, optional
        All levels of the scale; without it those that occur, and a note says what that may miss.
    names : mapping of int to str, optional
        What levels are called.

    Raises
    ------
    BadInput
        As from ``ratings_from_labels``.
    """
    gap = describe_gap(labels, facet) if levels is None else ""
    ratings = ratings_from_labels(labels, facet, levels)
    return LevelLabels(facet, ratings, names or {}, notes=(gap,) if gap else ())


def _select(ratings: Ratings, question: WeightsQuestion, parts: Parts) -> Ratings:
    """Return the labels that a question is about."""
    if question.topics:
        chosen = strata_by_topic(dict.fromkeys(question.topics, "chosen"))
        ratings = select_stratum(ratings, chosen, "chosen")
    if not question.part:
        return ratings
    found = [part for part in parts(question.model.top) if question.part in {*part["stratum"]}]
    if not found:
        raise BadInput(f"there is no part '{question.part}' of this collection", field="part")
    return select_stratum(ratings, found[0], question.part)


@dataclass(frozen=True, eq=False)
class LevelWeights(Report):
    """What the levels of one facet are worth; ``dissent.weights`` gives its table ``levels``."""

    labels: LevelLabels
    question: WeightsQuestion

    name: ClassVar[str] = "weights"
    tables: ClassVar[Mapping[str, Estimated]] = {
        "levels": Estimated(
            "Weights of levels",
            "p(top | level), and by it of the weight",
            {
                **_NAME,
                **_CASES,
                **_P,
                **_WEIGHT,
                "varied": Column(
                    "if items differ",
                    "the weight if p(top | level) varies between items: beta-binomial",
                ),
                "linear": Column("linear", "the level as a gain, the highest being 1"),
                "exp": Column("exponential", "2 to the level, less 1, the highest being 1"),
                **_FEW,
            },
            estimate="p",
        ),
        "parts": Estimated(
            "p(top | level) in parts of the collection",
            "p(top | level) in this part",
            {"stratum": Column("part"), "items": Column("judged items")}
            | _NAME
            | _CASES
            | _P
            | _FEW,
            estimate="p",
        ),
        "topics": Estimated(
            "Top results by topic",
            "",
            {
                "topic_id": Column("topic"),
                "query": Column("query", names="nobody"),
                "items": Column("judged items"),
                "top_results": Column("plain", "found top by an assessor", digits=1),
                "effective": Column("effective", "expected to be top to enough users", digits=1),
            },
        ),
    }

    @property
    def model(self) -> UserModel:
        """Whom the weights stand for."""
        return self.question.model

    @cached_property
    def ratings(self) -> Ratings:
        """The labels that the weights are estimated from; raises BadInput for an unknown part."""
        return _select(self.labels.ratings, self.question, self.labels.parts)

    @cached_property
    def levels(self) -> pd.DataFrame:
        """A row for each level, lowest first: chance, weight and usual gains.

        ``level, name`` and the other columns of ``estimate_top_probability``; ``weight``, the
        chance that enough users find an item top, with ``weight_low, weight_high``, the weights of
        p's limits, as a weight rises with p; where items have three labels ``varied``, the weight
        if p varies between items of a level as it does there; ``linear, exp``, the usual gains, of
        which the highest is 1; ``interval, unit, units``.
        """
        table = self._estimated
        varied = {} if self.fit is None else {"varied": self._vary(table, self.fit.spread)}
        above = np.maximum(table["level"].to_numpy(), 0)
        gained = {name: gain_levels(above, name) for name in ("linear", "exp")}
        gains = {name: gain / max(gain.max(), 1) for name, gain in gained.items()}
        return _with_sample(table.assign(**varied, **gains))

    @cached_property
    def _estimated(self) -> pd.DataFrame:
        """The chances and weights of levels, which take no look at whether the model holds."""
        table = estimate_top_probability(self.ratings, self.model.top, self.model.weighting)
        table.insert(1, "name", table["level"].map(self.labels.name))
        of = {"weight": "p", "weight_low": "low", "weight_high": "high"}
        return table.assign(**{name: self._weigh(table, p) for name, p in of.items()})

    def _weigh(self, table: pd.DataFrame, p: str) -> pd.Series[float]:
        """Return the weight of each level if the chances are those of a column."""
        weights = relevance_weights(
            dict(zip(table["level"], table[p], strict=True)),
            self.model.top,
            users=self.model.users,
            at_least=self.model.at_least,
            keep_lowest=self.model.keep_lowest,
        )
        return table["level"].map(weights)

    def _vary(self, table: pd.DataFrame, spread: Mapping[int, float]) -> Floats:
        """Return the weight of each level if its chance varies so much between items."""
        level, model = table["level"].to_numpy(), self.model
        is_top = level >= model.top
        p = table["p"].to_numpy(np.float64)
        if not model.keep_lowest:
            p = np.where((level == level.min()) & ~is_top, 0, p)
        known = np.array([spread[one] for one in level])
        # Where nobody or everybody else finds it top, nothing varies.
        known = np.where((p == 0) | (p == 1), 0, known)
        needed = model.at_least - is_top
        weight: Floats = np.select(
            [needed == one for one in np.unique(needed)],
            [reach_probability(p, known, model.users - 1, int(one)) for one in np.unique(needed)],
        )
        return weight

    @cached_property
    def fit(self) -> ModelFit | None:
        """Whether the model of users holds in these labels; None where no item has three."""
        own = self.ratings
        labels = RepeatedLabels(own.item, own.assessor, own.level, own.levels, own.topic, "topic")
        return fit_labels(labels, self.model.top)

    @property
    def doubt(self) -> str:
        """What the labels tell of the model that the weights follow from, in a sentence."""
        if self.fit is None:
            return (
                "This takes it that people are independent, given a level, which these labels do "
                "not put to the test."
            )
        row, doubted = self._below_top, tell_fit(self.fit)
        if self.fit.verdict != "fails" or row is None or np.isnan(row["varied"]):
            return doubted
        return (
            f"{doubted} If the chance varies between items of the level as it does there, the "
            f"probability is {mark_fact(write_number(row['varied']))} instead."
        )

    @property
    def weights(self) -> Weights:
        """The weight of each level that has one; none without double judgements."""
        return tuple(_known(self._estimated, "level"))

    @cached_property
    def parts(self) -> pd.DataFrame:
        """The columns of `estimate_by_stratum` for every part of the collection, of all labels."""
        import pandas as pd

        top, weighting = self.model.top, self.model.weighting
        tables = [
            estimate_by_stratum(self.labels.ratings, part, top, weighting)
            for part in self.labels.parts(top)
        ]
        if not tables:
            return pd.DataFrame()
        table = pd.concat(tables, ignore_index=True)
        return _with_sample(table.assign(name=table["level"].map(self.labels.name)))

    @cached_property
    def topics(self) -> pd.DataFrame:
        """How many results of each topic are top: the columns of `effective_top_results`."""
        weights = dict(zip(self.levels["level"], self.levels["weight"], strict=True))
        return effective_top_results(self.labels.ratings, weights, self.model.top)

    def further(self, width: float) -> pd.DataFrame:
        """Return how many more topics make limits as narrow: columns of `further_topics`."""
        return further_topics(self.levels, self.ratings, width)

    @property
    def notes(self) -> Sequence[str]:
        """What the reader has to know of the labels, and what rests on few of them."""
        few = self.levels.loc[self.levels["few"] & (self.levels["cases"] > 0), "name"]
        return (*self.labels.notes, *_note_few(few))

    @property
    def has_pairs(self) -> bool:
        """Whether two assessors judged the same item."""
        return bool(self.levels["pairs"].any())

    @property
    def _below_top(self) -> dict[Any, Any] | None:
        """The highest level below the top whose weight is known and is no convention."""
        rows = self.levels
        free = self.model.keep_lowest | (rows["level"] > rows["level"].min())
        known = rows[free & (rows["level"] < self.model.top) & rows["weight"].notna()]
        return None if known.empty else known.iloc[-1].to_dict()

    @property
    def is_known(self) -> bool:
        """Whether a level below the top has a weight that labels tell."""
        return self._below_top is not None

    @property
    def lacks_labels(self) -> bool:
        """Whether there is a level whose weight more items that two assessors judged would tell."""
        levels, model = self.levels["level"], self.model
        between = (levels < model.top) & (levels > levels.min())
        return not self.is_known and bool(between.any() or model.keep_lowest or not self.has_pairs)

    @property
    def answer(self) -> str:
        """What the weight of the level below the top means, or why there is none."""
        facet, model = self.labels.facet, self.model
        if not self.has_pairs:
            where = " in this part of the collection" if self.question.part else ""
            return f"No two assessors have judged the same {facet}{where} yet."
        if row := self._below_top:
            return (
                f"A {facet} that one assessor calls {mark_fact(row['name'])} would be called "
                f"{mark_fact(self.labels.name(model.top))} by {_describe_users(model)} with "
                f"probability {_describe_weight(row)}, that assessor being one of them. "
                f"{self.doubt}"
            )
        if not self.lacks_labels:
            return "Below the top level there is only the lowest one, which weighs 0."
        return (
            "No level between the lowest and the top one occurs on an item that two assessors "
            "judged, so no weight of such a level is known yet."
        )


def tell_fit(fit: ModelFit) -> str:
    """Return in a sentence whether the model of users holds, by how many predictions are off."""
    outside = f"{fit.outside:,} of {count(fit.tested, 'prediction')}"
    verb = "lies" if fit.outside == 1 else "lie"
    if fit.verdict not in ("holds", "fails"):
        seen = {"items": fit.items, "topics": fit.units}[fit.verdict.removeprefix("too few ")]
        return (
            f"There are {fit.verdict} to tell whether the model of users holds, "
            f"{seen:,}: {outside} {verb} outside the 95 % limits of what is observed."
        )
    if fit.verdict == "fails":
        return (
            f"{mark_fact('The model of users does not hold here')}: {mark_fact(outside)} {verb} "
            f"outside the 95 % limits of what is observed, more than chance has it "
            f"({say_p(fit.p)}; {fit.by_chance:,} at most in 95 of 100 studies)."
        )
    return (
        f"{mark_fact('The model of users is not shown to fail here')}: {outside} {verb} "
        f"outside the 95 % limits of what is observed, not shown to be more than chance "
        f"({say_p(fit.p)})."
    )


def _note_few(named: pd.Series[str]) -> tuple[str, ...]:
    """Return a note of what rests on few cases, if anything does."""
    return (f"{FEW} behind {', '.join(named)}: a rough indication",) if len(named) else ()


def _describe_users(model: UserModel) -> str:
    return f"at least {model.at_least} of {count(model.users, 'user')}"


def _describe_weight(row: Mapping[Any, Any]) -> str:
    """Return a weight with its limits, and what is to be thought of them."""
    limits = (
        f"95 % interval over topics {write_limits(row['weight_low'], row['weight_high'])}"
        if not np.isnan(row["weight_low"])
        else f"no interval: {row['reason']}"
    )
    rough = "; few cases: a rough indication" if row["few"] else ""
    return f"{mark_fact(write_number(row['weight']))} ({limits}{rough})"


def _known(table: pd.DataFrame, *names: str) -> list[Any]:
    """Return the rows' names with their weight, where there are pairs and it is known."""
    if not table["pairs"].any():
        return []
    known = table[table["weight"].notna()].sort_values([*names])
    return [*known[[*names, "weight"]].itertuples(index=False, name=None)]


def _with_sample(table: pd.DataFrame) -> pd.DataFrame:
    """Say of each row what its limits are by, and over what."""
    return table.assign(interval="jackknife", unit="topic", units=table["topics"])


@dataclass(frozen=True, eq=False)
class PairLabels:
    """The labels of snippets and of their pages by the same assessors, from wherever they come.

    Parameters
    ----------
    combined : CombinedRatings
        Who gave which two levels.
    facet : str
        Whose top level the question names.
    names : mapping of str to mapping of int to str
        What levels are called, by facet; one that is not in it goes by its number.
    parts : callable
        Returns parts of the collection.
    notes : tuple of str
        What the reader has to know of how they came about.
    """

    combined: CombinedRatings
    facet: str = PAGE
    names: Mapping[str, Mapping[int, str]] = field(default_factory=dict)
    parts: Parts = _no_parts
    notes: tuple[str, ...] = ()

    def name(self, facet: str, level: int) -> str:
        """Return what a level of a facet is called."""
        return self.names.get(facet, {}).get(level, str(level))


@dataclass(frozen=True, eq=False)
class CombinedWeights(Report):
    """What pairs of a snippet level and a page level are worth.

    ``dissent.combined_weights`` gives its table ``pairs``.
    """

    labels: PairLabels
    question: WeightsQuestion

    name: ClassVar[str] = "combined weights"
    tables: ClassVar[Mapping[str, Estimated]] = {
        "pairs": Estimated(
            "Weights of pairs of levels",
            "p(both top | both levels), and by it of the weight",
            {
                "snippet_name": Column("snippet", names="nobody"),
                "page_name": Column("page", names="nobody"),
            }
            | _CASES
            | {"p": Column("p(both top)", "the chance that another assessor finds both top")}
            | _WEIGHT
            | {"page_weight": Column("page alone", "the weight of the page's level alone")}
            | _FEW,
            estimate="p",
        )
    }

    @property
    def model(self) -> UserModel:
        """Whom the weights stand for."""
        return self.question.model

    @property
    def top(self) -> tuple[int, int]:
        """The top level of snippets and that of pages; raises TooLittleData without a scale."""
        combined = self.labels.combined
        scales = {SNIPPET: combined.snippet_levels, PAGE: combined.page_levels}
        for facet, levels in scales.items():
            if not levels:
                raise TooLittleData(f"combined weights need {facet} labels; none were given so far")
        own, other = self.model.top, self.question.other_top
        snippet, page = (
            own if facet == self.labels.facet else max(levels) if other is None else other
            for facet, levels in scales.items()
        )
        return snippet, page

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """A row for each pair, by falling weight: the columns of `combined_weights`.

        With ``snippet_name, page_name`` and ``interval, unit, units``.
        """
        combined, parts = self.labels.combined, self.labels.parts
        chosen = replace(
            combined,
            ratings=_select(combined.ratings, self.question, parts),
            page_ratings=_select(combined.page_ratings, self.question, parts),
        )
        table = combined_weights(
            chosen,
            users=self.model.users,
            at_least=self.model.at_least,
            top=self.top,
            weighting=self.model.weighting,
            keep_lowest=self.model.keep_lowest,
        )
        for at, facet in enumerate((SNIPPET, PAGE)):
            names = [self.labels.name(facet, level) for level in table[facet]]
            table.insert(2 + at, f"{facet}_name", names)
        return _with_sample(table)

    @property
    def weights(self) -> PairWeights:
        """The weight of each pair that has one; none without double judgements.

        Pairs with the lowest page level weigh 0, unless the model gives them a weight above 0.
        """
        return tuple(_known(self.pairs, SNIPPET, PAGE))

    @property
    def notes(self) -> Sequence[str]:
        """What the reader has to know of labels that are left out, and what rests on few."""
        unpaired, few = self.labels.combined.unpaired, self.pairs[self.pairs["few"]]
        few = few[few["cases"] > 0]
        left = (
            f"{count(unpaired, 'snippet label')} left out, as the same assessor gave the page no "
            "level"
        )
        named = few["snippet_name"] + " with " + few["page_name"]
        return (*([left] if unpaired else []), *self.labels.notes, *_note_few(named))

    @property
    def has_pairs(self) -> bool:
        """Whether two assessors each judged the same snippet and its page."""
        return bool(self.pairs["pairs"].any())

    @property
    def answer(self) -> str:
        """What the weight of the heaviest pair that is not top itself means, or why none is."""
        if not self.has_pairs:
            return "No two assessors have each judged the same snippet and its page yet."
        rows, (snippet, page) = self.pairs, self.top
        is_top = (rows[SNIPPET] >= snippet) & (rows[PAGE] >= page)
        known = rows[~is_top & (rows["weight"] > 0)]
        if known.empty:
            return "No pair of levels below the top has a weight above 0 so far."
        row = known.iloc[0].to_dict()
        return (
            f"Where one assessor calls a snippet {mark_fact(row['snippet_name'])} and its page "
            f"{mark_fact(row['page_name'])}, {_describe_users(self.model)} would call the one "
            f"{mark_fact(self.labels.name(SNIPPET, snippet))} and the other "
            f"{mark_fact(self.labels.name(PAGE, page))} with probability {_describe_weight(row)}, "
            f"that assessor being one of them. By the page alone it is "
            f"{write_number(row['page_weight'])}."
        )
