"""What users' clicks say, beside position and beside people: the report of clicks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np
import pandas as pd

from core.agreement.intervals import Floats
from core.clicks.choices import USUAL as USUAL_MODELS
from core.clicks.click_lift import Opinion, SideBySide, Worths, click_lift
from core.clicks.click_log import ClickLog
from core.clicks.click_model import ClickModel, parse_click_model
from core.clicks.click_rates import (
    attractiveness_by_level,
    rates_by_level,
    rates_by_level_and_rank,
    rates_by_rank,
)
from core.clicks.contradictions import Contradictions, find_contradictions, middle_level
from core.clicks.evaluation import HeldOut, check_sessions, compare_held_out
from core.clicks.fitting import Fit, Unknown, cannot_tell, fit
from core.clicks.label_prediction import predict_levels
from core.clicks.likelihood import ATTRACTIVENESS
from core.clicks.preference_rule import PREFERENCE_RULES
from core.errors import BadInput, TooLittleData
from core.numerals import write_limits, write_number
from core.preference.selection import comparable_preferences
from core.reports.report import Column, Estimated, Report
from core.wording import count, mark_fact

BASELINE = parse_click_model("rank-CTR")
LEVELS, WEIGHTS, PREFERENCES = AGAINST = ("levels", "weights", "preferences")
"""What people said that clicks are set against."""

RATE = "click-through rate"
USUAL_RULE = "click-skip-above"
"""Of which the answer is."""


def name_level(level: float) -> str:
    """Return a level as tables have it."""
    return "unjudged" if np.isnan(level) else f"{level:g}"


_RATE = {
    "shown": Column("shown"),
    "clicks": Column("clicked"),
    "value": Column("rate", "the share of showings that were clicked", 4, percent=True),
}
_LEVEL = {"level": Column("level", write=name_level)}
_RANK = {"rank": Column("rank")}
_MODEL = {"model": Column("model", names="nobody")}
AGAINST_WORDS = dict(
    zip(AGAINST, ("levels", "UDM weights", "side-by-side preferences"), strict=True)
)
_CLICKED = "share of showings that were clicked"


OF_FEW_SESSIONS = (
    "With few sessions fewer may contradict than it says: in simulated logs of 10 to 300 sessions, "
    "in which high results were the more attractive, .05 to .58 of those listed at .56 to .64 did."
)
"""What is to be known of how likely a result contradicts."""


@dataclass(frozen=True)
class ClickQuestion:
    """What is asked of a click log.

    Parameters
    ----------
    models : tuple of str
        Click models, set against the click-through rate by rank. The first with attractiveness
        tells that of levels, contradictions and what clicks are worth for predicting levels.
    cut : float, optional
        The level from which results count as high; above the middle of the scale without it.
    folds, seed : int
        Of what is held out and drawn.
    """

    models: tuple[str, ...] = USUAL_MODELS
    cut: float | None = None
    folds: int = 5
    seed: int = 1

    def __post_init__(self) -> None:
        if self.cut is not None and not np.isfinite(self.cut):
            raise BadInput(f"a cut is a level, not {self.cut:g}", field="cut")


USUAL = ClickQuestion()
"""What is asked where nothing is chosen."""


@dataclass(frozen=True, eq=False)
class ClickAnalysis(Report):
    """A click log beside position and what people said; ``dissent.clicks`` makes it.

    Tables are computed when first asked for. ``offered`` are those that can be had: without
    levels, none is of them.

    Parameters
    ----------
    log : ClickLog
    levels : array of float, shape (n_items,), optional
        What people gave each item, NaN where nobody judged.
    opinions : mapping of str to Opinion
        What clicks are set against besides levels, by one of ``AGAINST``.
    question : ClickQuestion
        What is asked.
    alone : ClickAnalysis, optional
        That of the same log and models without judgements, which none of the models needs: it has
        their fits already.
    """

    log: ClickLog
    levels: Floats | None = None
    opinions: Mapping[str, Opinion] = field(default_factory=dict)
    question: ClickQuestion = USUAL
    alone: ClickAnalysis | None = None

    name: ClassVar[str] = "clicks"
    tables: ClassVar[Mapping[str, Estimated]] = {
        "by_rank": Estimated("Click-through rate by rank", f"{_CLICKED}, at this rank",
                             _RANK | _RATE),
        "by_level": Estimated("Click-through rate by level", f"{_CLICKED}, of this level",
                              _LEVEL | _RATE),
        "by_level_and_rank": Estimated(
            "Click-through rate by level and rank", f"{_CLICKED}, of this level at this rank",
            _LEVEL | _RANK | _RATE,
        ),
        "models": Estimated(
            "Click models on held-out sessions",
            "perplexity of clicks by this model",
            {**_MODEL, "log_likelihood": Column("log-likelihood", digits=1),
             "perplexity": Column("perplexity", digits=4),
             "difference": Column("from rank alone", "below 0 is better", 4),
             "conditional": Column("given clicks above", digits=4)},
            estimate="perplexity",
        ),
        "perplexity": Estimated(
            "Perplexity by rank on held-out sessions",
            "",
            {**_MODEL, **_RANK, "perplexity": Column("perplexity", digits=4),
             "conditional": Column("given clicks above", digits=4)},
        ),
        "cannot_tell": Estimated(
            "What fits cannot tell", "", {**_MODEL, "what": Column("what")}
        ),
        "lift": Estimated(
            "Preferences read from clicks, beside those of people",
            "agreement of clicks with people over that of position alone",
            {"against": Column("against", write=AGAINST_WORDS.__getitem__, names="nobody"),
             "title": Column("rule", names="nobody"), "pairs": Column("pairs"),
             "ties": Column("ties"), "unjudged": Column("unjudged"),
             "agree": Column("agree", percent=True),
             "expected": Column("by position", percent=True), "lift": Column("lift")},
            estimate="lift",
        ),
        "attractiveness": Estimated(
            "Attractiveness by level",
            "chance that a result of this level is clicked once it is examined",
            {**_LEVEL, "items": Column("results"), "value": Column("attractiveness", digits=4)},
        ),
        "contradicting": Estimated(
            "Results about which people and clicks contradict each other",
            "",
            {"query": Column("query", names="nobody"), "item": Column("document", names="nobody"),
             **_LEVEL, "side": Column("what it is", names="nobody"), "shown": Column("shown"),
             "clicks": Column("clicked"), "examined": Column("examined, expected", digits=1),
             "attractiveness": Column("attractiveness"),
             "probability": Column("probability", OF_FEW_SESSIONS),
             "false_share": Column("false up to here", percent=True)},
        ),
        "predicted": Estimated(
            "Which of two results of a query has the higher level",
            "area under the ROC curve (AUC) of this prediction",
            {"predictor": Column("by", names="nobody"), "value": Column("AUC", digits=4),
             "difference": Column("from rank alone", digits=4)},
        ),
    }  # fmt: skip

    @property
    def offered(self) -> tuple[str, ...]:
        """The tables that can be had of this log, and of what people said of its results."""
        missing = set()
        if self.levels is None:
            missing = {*_OF_LEVELS}
            if not self.opinions:
                missing.add("lift")
        return tuple(
            one for one in self.tables if one not in missing and one not in self._too_little
        )

    @property
    def notes(self) -> Sequence[str]:
        """Why tables cannot be had."""
        return list(dict.fromkeys(self._too_little.values()))

    @cached_property
    def _too_little(self) -> dict[str, str]:
        reasons = {}
        try:
            check_sessions(self.log, self.question.folds)
        except TooLittleData as error:
            reasons = dict.fromkeys(_HELD_OUT, str(error))
        for name in _OF_LEVELS if self.levels is not None else ():
            try:
                self.table(name)
            except TooLittleData as error:
                reasons[name] = str(error)
        return reasons

    @cached_property
    def answer(self) -> str:
        """What is clicked at the first rank and the last, and what clicks say beyond position."""
        rates = self.by_rank["value"]
        first = f"Of results at rank 1, {mark_fact(f'{rates.iloc[0]:.1%}')} were clicked"
        if len(rates) > 1:
            first += f"; of those at rank {len(rates)}, {mark_fact(f'{rates.iloc[-1]:.1%}')}"
        first += "."
        if self.levels is None or np.isnan(self.levels).all():
            return first
        return f"{first} {describe_lift(self.lift[self.lift['against'] == LEVELS])}"

    def tell(self, table: str, cut: str = "") -> str:
        """Return what a table comes to, in a sentence; '' where nothing is told of it.

        Parameters
        ----------
        table : str
        cut : str, optional
            What the level is called from which results are high.
        """
        if table == "models":
            return self.held_out.answer
        if table == "attractiveness":
            return f"By the model {self.leading}."
        if table != "contradicting":
            return ""
        found = self.contradictions
        listed = len(found.frame)
        some = mark_fact(f"{listed:,}" if listed else "none")
        return (
            f"Of {mark_fact(count(found.compared, 'judged result'))} {some} "
            f"{'are' if listed > 1 else 'is'} more likely than not judged high (from "
            f"{cut or name_level(found.cut)} up) and less attractive than low ones are on average "
            f"({write_number(found.low_mean)}), or judged low and more attractive than high ones "
            f"({write_number(found.high_mean)})."
        )

    @cached_property
    def _models(self) -> Sequence[ClickModel]:
        return [parse_click_model(one) for one in self.question.models]

    @cached_property
    def judged(self) -> Floats:
        """The levels; raises TooLittleData where nobody judged a result of the log."""
        if self.levels is None or np.isnan(self.levels).all():
            raise TooLittleData(
                "no result of the click log has a level: queries and documents have to be named "
                "in the judgements as they are in the log"
            )
        return self.levels

    @cached_property
    def by_rank(self) -> pd.DataFrame:
        """What `rates_by_rank` returns."""
        return rates_by_rank(self.log)

    @cached_property
    def by_level(self) -> pd.DataFrame:
        """What `rates_by_level` returns."""
        return rates_by_level(self.log, self.judged)

    @cached_property
    def by_level_and_rank(self) -> pd.DataFrame:
        """What `rates_by_level_and_rank` returns."""
        return rates_by_level_and_rank(self.log, self.judged)

    @cached_property
    def held_out(self) -> HeldOut:
        """What `compare_held_out` returns, beside the click-through rate by rank."""
        if self.alone:
            return self.alone.held_out
        asked = self.question
        return compare_held_out(
            self._models, self.log, BASELINE, levels=self.levels, folds=asked.folds, seed=asked.seed
        )

    @property
    def models(self) -> pd.DataFrame:
        """The columns of ``HeldOut.frame``, with ``units`` for n."""
        return self.held_out.frame.rename(columns={"n": "units"})

    @property
    def perplexity(self) -> pd.DataFrame:
        """``model, rank, perplexity, conditional``."""
        return self.held_out.by_rank

    @cached_property
    def fits(self) -> dict[str, Fit]:
        """Each model, and the one that others are set against, fitted to the whole log."""
        if self.alone:
            return self.alone.fits
        every = {str(model): model for model in (BASELINE, *self._models)}
        return {name: fit(one, self.log, levels=self.levels) for name, one in every.items()}

    @cached_property
    def unknown(self) -> dict[str, list[Unknown]]:
        """What each fit cannot tell."""
        return {name: cannot_tell(one, self.log) for name, one in self.fits.items()}

    @property
    def cannot_tell(self) -> pd.DataFrame:
        """``model, what``: the same as a table."""
        rows = [(name, one.what) for name, notes in self.unknown.items() for one in notes]
        return pd.DataFrame(rows, columns=["model", "what"])

    @cached_property
    def leading(self) -> ClickModel:
        """The first model with attractiveness; the PBM where none has it."""
        found = (one for one in self._models if ATTRACTIVENESS in self.fits[str(one)].parameters)
        return next(found, parse_click_model("PBM"))

    @cached_property
    def leading_fit(self) -> Fit:
        """The leading model's fit."""
        if self.alone:
            return self.alone.leading_fit
        return self.fits.get(str(self.leading)) or fit(self.leading, self.log)

    @cached_property
    def attractiveness(self) -> pd.DataFrame:
        """What `attractiveness_by_level` returns for the leading model, with ``units`` for n."""
        found = attractiveness_by_level(
            self.leading, self.log, self.judged, seed=self.question.seed
        )
        return found.rename(columns={"n": "units"})

    @cached_property
    def lift(self) -> pd.DataFrame:
        """What `click_lift` returns for every rule, ``against`` each of what people said."""
        rules = [entry() for entry in PREFERENCE_RULES]
        every: dict[str, Opinion] = {LEVELS: Worths(self.judged)} if self.levels is not None else {}
        parts = [
            click_lift(rules, self.log, opinion).assign(against=name)
            for name, opinion in (every | dict(self.opinions)).items()
        ]
        if not parts:
            raise TooLittleData("nothing that people said is there for clicks to be set against")
        return pd.concat(parts, ignore_index=True)

    @cached_property
    def contradictions(self) -> Contradictions:
        """What `find_contradictions` returns for the leading model."""
        cut = self.question.cut
        cut = middle_level(self.judged) if cut is None else cut
        return find_contradictions(self.leading_fit, self.log, self.judged, cut)

    @property
    def contradicting(self) -> pd.DataFrame:
        """The columns of ``Contradictions.frame``, the most likely first."""
        return self.contradictions.frame

    @cached_property
    def predicted(self) -> pd.DataFrame:
        """What `predict_levels` returns of click-through rates and of attractiveness."""
        size = len(self.log.items)
        shown, clicks = (
            np.bincount(self.log.item[where], minlength=size)
            for where in (self.log.shown, self.log.clicked)
        )
        attractive = self.leading_fit.parameters[ATTRACTIVENESS]
        signals = {RATE: clicks / np.maximum(shown, 1), ATTRACTIVENESS: attractive}
        asked = self.question
        return predict_levels(self.log, self.judged, signals, folds=asked.folds, seed=asked.seed)


_HELD_OUT = ("models", "perplexity")
_OF_LEVELS = ("by_level", "by_level_and_rank", "attractiveness", "contradicting", "predicted")


def analyse_clicks(
    log: ClickLog,
    question: ClickQuestion = USUAL,
    judgements: pd.DataFrame | None = None,
    *,
    weights: Mapping[int, float] | None = None,
    preferences: pd.DataFrame | None = None,
) -> ClickAnalysis:
    """Set a log, whose queries are called as topics, against frames of what people said.

    Parameters
    ----------
    log, question
        As for `ClickAnalysis`.
    judgements : DataFrame, optional
        ``topic_id, document_id, level``.
    weights : mapping of level to float, optional
        Of levels: another opinion that clicks are set against.
    preferences : DataFrame, optional
        Between documents: one more.

    Raises
    ------
    BadInput
        A model is unknown, one goes by levels, or weights are given, and there are no judgements.
    TooLittleData
        The log has no page, no result of it is judged, or no preference is between two of its
        results.
    """
    if not len(log):
        raise TooLittleData("the click log has no page of results")
    by_level = any(parse_click_model(one).needs_levels for one in question.models)
    if judgements is None and by_level:
        raise BadInput("a model by level needs judgements", field="judgements")
    if judgements is None and weights is not None:
        raise BadInput("weights are of levels: give judgements, too", field="judgements")
    levels = None if judgements is None else levels_of_items(log, log.queries, judgements)
    opinions: dict[str, Opinion] = {}
    if levels is not None and weights is not None:
        opinions[WEIGHTS] = Worths(weigh_items(levels, weights))
    if preferences is not None:
        opinions[PREFERENCES] = preferences_of_items(log, log.queries, preferences)
    found = ClickAnalysis(log, levels, opinions, question)
    if levels is not None:
        _ = found.judged
    return found


def levels_of_items(log: ClickLog, topics: Sequence[str], qrels: pd.DataFrame) -> Floats:
    """Return the level of each item of a log.

    Parameters
    ----------
    log : ClickLog
    topics : sequence of str
        The topic of each query of the log; empty where it is none.
    qrels : DataFrame
        ``topic_id, document_id, level``; of several rows for one item the highest counts.

    Returns
    -------
    array, shape (n_items,)
        NaN where nobody judged.
    """
    given = qrels.groupby(["topic_id", "document_id"], observed=True)["level"].max()
    items = _place(log, topics)
    wanted = pd.MultiIndex.from_arrays([items["topic_id"], items["document_id"]])
    found: Floats = given.reindex(wanted).to_numpy(np.float64)
    return found


def preferences_of_items(
    log: ClickLog, topics: Sequence[str], preferences: pd.DataFrame
) -> SideBySide:
    """Return preferences between documents as those between items of a log.

    Parameters
    ----------
    log, topics
        As `levels_of_items`.
    preferences : DataFrame
        Canonical preferences of one kind, documents, and facet.

    Raises
    ------
    BadInput
        They are of several kinds or facets.
    TooLittleData
        None is between two results that the log shows for the same query.
    """
    rows = comparable_preferences(preferences)
    rows = rows.assign(balance=rows["choice"].map({"first": 1.0, "tie": 0.0, "second": -1.0}))
    items = _place(log, topics)
    items = items[items["topic_id"] != ""].assign(place=lambda one: one.index)
    for name in ("first", "second"):
        own = items.rename(columns={"document_id": name, "place": f"{name}_place"})
        # Several queries may be one topic: each has items of its own.
        on = ["topic_id", name] if name == "first" else ["topic_id", "query", name]
        rows = rows.merge(own, on=on)
    if rows.empty:
        raise TooLittleData("no preference is between two results that the click log shows")
    first, second = (rows[f"{name}_place"].to_numpy() for name in ("first", "second"))
    return SideBySide(first, second, rows["balance"].to_numpy(float), len(log.items))


def weigh_items(levels: Floats, weights: Mapping[int, float]) -> Floats:
    """Return the weight of each item's level, NaN where it has none."""
    worth = np.full(len(levels), np.nan)
    for level, weight in weights.items():
        worth[levels == level] = weight
    return worth


def _place(log: ClickLog, topics: Sequence[str]) -> pd.DataFrame:
    """Return ``query, topic_id, document_id`` of each item."""
    query = log.query_of
    frame = pd.DataFrame({"query": query, "document_id": pd.array(list(log.items), dtype="str")})
    return frame.assign(topic_id=pd.array([topics[one] for one in query], dtype="str"))


def describe_lift(lift: pd.DataFrame) -> str:
    """Return how the usual rule agrees with people, as a sentence."""
    known = lift[lift["low"].notna()]
    if known.empty:
        most = lift.sort_values("pairs", ascending=False, kind="stable").iloc[0]
        why = most["reason"] if most["pairs"] else "no rule reads pairs that they tell apart"
        return f"Clicks cannot be set against people: {why}."
    usual = known["rule"] == USUAL_RULE
    row = (known[usual] if usual.any() else known).iloc[0]
    if row["low"] > 1:
        verdict = "more often than by position alone"
    elif row["high"] < 1:
        verdict = "less often than by position alone"
    else:
        verdict = "not shown to be other than by position alone"
    agree = mark_fact(f"{row['agree']:.1%}")
    return (
        f"People prefer what clicks prefer ({row['title']}) in {agree} of "
        f"{count(row['pairs'], 'pair')} ({count(row['units'], 'session')}), "
        f"{row['expected']:.1%} by position alone: {verdict} (lift {write_number(row['lift'])} "
        f"{write_limits(row['low'], row['high'])})."
    )
