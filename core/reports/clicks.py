"""Clicks beside judges: each question one table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd

from core.agreement.intervals import Floats
from core.clicks.click_lift import Opinion, SideBySide, Worths, click_lift
from core.clicks.click_log import ClickLog
from core.clicks.click_model import ClickModel, parse_click_model
from core.clicks.click_rates import rates_by_level, rates_by_level_and_rank, rates_by_rank
from core.clicks.contradictions import Contradictions, find_contradictions, middle_level
from core.clicks.evaluation import HeldOut, compare_held_out
from core.clicks.fitting import Fit, fit
from core.clicks.identification import Unknown, cannot_tell
from core.clicks.label_prediction import predict_levels
from core.clicks.level_attractiveness import attractiveness_by_level
from core.clicks.likelihood import ATTRACTIVENESS
from core.clicks.preference_rule import PREFERENCE_RULES
from core.errors import BadInput, TooLittleData
from core.numerals import write_limits, write_number
from core.preference.selection import comparable_preferences

BASELINE = parse_click_model("rank-CTR")
LEVELS, WEIGHTS, PREFERENCES = AGAINST = ("levels", "weights", "preferences")
"""What people said that clicks are set against."""

RATE = "click-through rate"
USUAL_RULE = "click-skip-above"
"""Of which the answer is."""

FOLDS = 5


@dataclass(frozen=True, eq=False)
class ClickAnalysis:
    """A click log, what people said of its results, and click models.

    Tables are computed when first asked for.

    Parameters
    ----------
    log : ClickLog
    models : sequence of ClickModel
        Set against the click-through rate by rank. The first with attractiveness tells that of
        levels, contradictions and what clicks are worth for predicting levels.
    levels : array of float, shape (n_items,), optional
        What people gave each item, NaN where nobody judged.
    opinions : mapping of str to Opinion
        What clicks are set against besides levels, by one of ``AGAINST``.
    cut : float, optional
        The level from which results count as high; above the middle of the scale without it.
    folds, seed : int
    alone : ClickAnalysis, optional
        That of the same log and models without judgements, which none of the models needs: it has
        their fits already.
    """

    log: ClickLog
    models: Sequence[ClickModel]
    levels: Floats | None = None
    opinions: Mapping[str, Opinion] = field(default_factory=dict)
    cut: float | None = None
    folds: int = FOLDS
    seed: int = 1
    alone: "ClickAnalysis | None" = None

    @cached_property
    def judged(self) -> Floats:
        """The levels; raises TooLittleData where nobody judged a result of the log."""
        if self.levels is None or not (~np.isnan(self.levels)).any():
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
        return compare_held_out(
            self.models, self.log, BASELINE, levels=self.levels, folds=self.folds, seed=self.seed
        )

    @cached_property
    def fits(self) -> dict[str, Fit]:
        """Each model, and the one that others are set against, fitted to the whole log."""
        if self.alone:
            return self.alone.fits
        every = {str(model): model for model in (BASELINE, *self.models)}
        return {name: fit(one, self.log, levels=self.levels) for name, one in every.items()}

    @cached_property
    def unknown(self) -> dict[str, list[Unknown]]:
        """What each fit cannot tell."""
        return {name: cannot_tell(one, self.log) for name, one in self.fits.items()}

    @cached_property
    def leading(self) -> ClickModel:
        """The first model with attractiveness; the PBM where none has it."""
        found = (one for one in self.models if ATTRACTIVENESS in self.fits[str(one)].parameters)
        return next(found, parse_click_model("PBM"))

    @cached_property
    def leading_fit(self) -> Fit:
        """The leading model's fit."""
        if self.alone:
            return self.alone.leading_fit
        return self.fits.get(str(self.leading)) or fit(self.leading, self.log)

    @cached_property
    def attractiveness(self) -> pd.DataFrame:
        """What `attractiveness_by_level` returns for the leading model."""
        return attractiveness_by_level(self.leading, self.log, self.judged, seed=self.seed)

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
        cut = middle_level(self.judged) if self.cut is None else self.cut
        return find_contradictions(self.leading_fit, self.log, self.judged, cut)

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
        return predict_levels(self.log, self.judged, signals, folds=self.folds, seed=self.seed)


def analyse_clicks(
    log: ClickLog,
    models: Sequence[ClickModel],
    judgements: pd.DataFrame | None = None,
    *,
    weights: Mapping[int, float] | None = None,
    preferences: pd.DataFrame | None = None,
    cut: float | None = None,
    folds: int = FOLDS,
    seed: int = 1,
) -> ClickAnalysis:
    """Set a log, whose queries are called as topics, against frames of what people said.

    Parameters
    ----------
    log, models, cut, folds, seed
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
        A model goes by levels, or weights are given, and there are no judgements.
    TooLittleData
        No result of the log is judged, or no preference is between two of its results.
    """
    if judgements is None and any(model.needs_levels for model in models):
        raise BadInput("a model by level needs judgements", field="judgements")
    if judgements is None and weights is not None:
        raise BadInput("weights are of levels: give judgements, too", field="judgements")
    levels = None if judgements is None else levels_of_items(log, log.queries, judgements)
    opinions: dict[str, Opinion] = {}
    if levels is not None and weights is not None:
        opinions[WEIGHTS] = Worths(weigh_items(levels, weights))
    if preferences is not None:
        opinions[PREFERENCES] = preferences_of_items(log, log.queries, preferences)
    found = ClickAnalysis(log, models, levels, opinions, cut, folds, seed)
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


def describe_clicks(found: ClickAnalysis) -> str:
    """Return what clicks say of levels beyond position, in a sentence or two of plain text."""
    rates = found.by_rank["value"]
    first = (
        f"Of results at rank 1, {rates.iloc[0]:.1%} were clicked; of those at rank {len(rates)}, "
        f"{rates.iloc[-1]:.1%}."
    )
    if found.levels is None or not (~np.isnan(found.levels)).any():
        return first
    return f"{first} {describe_lift(found.lift[found.lift['against'] == LEVELS])}"


def describe_lift(lift: pd.DataFrame) -> str:
    """Return how the usual rule agrees with people, as a sentence."""
    known = lift[lift["low"].notna()]
    if known.empty:
        return "Clicks cannot be set against people: no rule reads pairs that they tell apart."
    usual = known["rule"] == USUAL_RULE
    row = (known[usual] if usual.any() else known).iloc[0]
    if row["low"] > 1:
        told = "more often than by position alone"
    elif row["high"] < 1:
        told = "less often than by position alone"
    else:
        told = "not shown to be other than by position alone"
    return (
        f"People prefer what clicks prefer ({row['title']}) in {row['agree']:.1%} of "
        f"{row['pairs']:,} pairs, {row['expected']:.1%} by position alone: {told} (lift "
        f"{write_number(row['lift'])} {write_limits(row['low'], row['high'])})."
    )
