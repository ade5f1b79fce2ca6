"""Whether enough of a pool is judged: the report of today's ranking beside the full pool's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import ClassVar

import numpy as np
import pandas as pd

from core.comparison.ties import order_best
from core.errors import BadInput
from core.measures.base import Measure, Weights
from core.measures.catalogue import parse_measure
from core.measures.evaluate import refuse_unreachable
from core.numerals import write_limits, write_number
from core.orders.candidates import Candidates, Floats, build_candidates
from core.planning.cost import CostRates, Price, tell_cost
from core.reports.report import Column, Estimated, Report
from core.reports.sampling import new_rng
from core.stopping.bounds import ScoreBounds, bound_scores
from core.stopping.drawn_levels import DRAWS
from core.stopping.expected import (
    LIMITS,
    ExpectedTau,
    FullPools,
    draw_full_pools,
    pair_signs,
    share_uncertainty,
    tell_tau,
)
from core.stopping.stop_rule import StopRule
from core.versions.judgements import Judgements
from core.wording import count, mark_fact, tell_hours

DEEPEST = 100
"""How deep the pool is taken to be at most where nobody says so."""

MOMENTS = 8
"""At how many earlier moments, at most, one looks at what could have been told then."""

SURE = 0.95
"""The order of two systems is the same in so many of the draws, or it counts as in doubt."""

FREE = Price()

EARLIER_DRAWS = 200
_STEPS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.125)
_ITEM = ["topic_id", "document_id"]

Look = Callable[[], ExpectedTau]
Keep = Callable[[int, Floats, Look], ExpectedTau]
"""Is given how many items were judged at an earlier moment, their levels, and what looks back."""

PEOPLE = (
    "all of this is of this pool, these topics and these assessors: other topics or other "
    "assessors may rank otherwise, and documents that no run has are not in the pool"
)
UNJUDGED = (
    "the limits of τ allow for what documents without a judgement may turn out to be; they do not "
    "allow for further opinions on documents that are judged, which can change their levels"
)
PROBABLE = (
    "take P(best stays) with care: on 22 topics of TREC 2019 such probabilities by AP said no more "
    "than their mean alone does (Brier score .249 beside .248), and low ones were too low; on 25 "
    "topics of TREC-2 they said more (.084 beside .250)"
)
NOT_ASKED = (
    "these judgements do not tell what a round still asks for: every judged document is taken for "
    "finished"
)
ASSUMED = f"what is left is reckoned at a label an item, assumed {CostRates.seconds:g} s each"
NO_DOUBT = "By the labels so far, the order of no two systems is in doubt."


@dataclass(frozen=True)
class EnoughQuestion:
    """What is asked of a pool that is judged in part.

    Parameters
    ----------
    measure : str
        What systems are ranked by: AP, P, RBP without a gain, DCG or nDCG.
    depth : int
        How deep the pool is.
    rule : StopRule, optional
        From when on it is enough; by the usual rule, without. Only what it asks for counts here.
    price : Price
        What judging costs.
    """

    measure: str = "AP"
    depth: int = DEEPEST
    rule: StopRule | None = None
    price: Price = FREE

    def __post_init__(self) -> None:
        if self.depth < 1:
            raise BadInput("a pool is at least 1 document deep", field="depth")

    def at_least(self, best_stays: float | None, tau_low: float | None) -> EnoughQuestion:
        """Return the same by a rule that asks for what is given, else for what this one does.

        Raises
        ------
        BadInput
            As `StopRule`.
        """
        if best_stays is None and tau_low is None:
            return self
        rule = self.rule or StopRule()
        best = rule.best_stays if best_stays is None else best_stays
        low = rule.tau_low if tau_low is None else tau_low
        return replace(self, rule=StopRule(best, low, self.measure, self.depth, rule.version))


USUAL = EnoughQuestion()
"""What is asked where nothing is chosen."""


@dataclass(frozen=True)
class Spent:
    """What judging has taken so far, and what a label is reckoned to take.

    Parameters
    ----------
    labels, hours : float
        How many were given here, and the active time on record.
    per_item : float
        How many an item has when all that is asked for has been given.
    seconds : float
        What the next is reckoned to take.
    """

    labels: float
    hours: float
    per_item: float
    seconds: float


def depth_of_runs(runs: pd.DataFrame) -> int:
    """Return how deep the pool of runs is taken to be: as the deepest of them, at most 100."""
    return min(int(runs["rank"].max()), DEEPEST) if len(runs) else DEEPEST


def _write_share_of_draws(share: float) -> str:
    """Return a share of draws; all or none of them is no certainty."""
    return {0.0: "no draw", 1.0: "all draws"}.get(share, write_number(share))


_SHARE = {"judged": Column("judged"), "items": Column("items")}


@dataclass(frozen=True, eq=False)
class _Drawn:
    """What drawn full pools say.

    Parameters
    ----------
    figures : ExpectedTau
        τ and the probability that the best system stays best.
    part : array, shape (n_topics,)
        See `share_uncertainty`.
    sure, pairs : int
        Pairs of systems in today's order in nearly all draws, and all pairs.
    """

    figures: ExpectedTau
    part: Floats
    sure: int
    pairs: int


@dataclass(frozen=True, eq=False)
class Enough(Report):
    """How far today's ranking is from that of the fully judged pool; ``dissent.enough`` makes it.

    Its tables are ``expected``, ``topics``, ``bounds``, ``history`` and ``cost``.

    Parameters
    ----------
    candidates : Candidates
        The pool, as deep as the question says.
    judgements : Judgements
        Levels below 0 are none; of several the highest counts.
    question : EnoughQuestion
        What is asked.
    missing : DataFrame, optional
        ``topic_id, document_id, missing``: how many opinions open rounds still ask for; when
        absent, nobody knows.
    arrived : DataFrame, optional
        ``topic_id, document_id`` in the order in which they first got a label.
    spending : callable, optional
        Returns what judging has taken; when absent, nobody knows.
    keep : callable, optional
        Keeps what was found at earlier moments; when absent, each is looked at anew.
    weights : mapping of level to weight, optional
        What ``gain='udm'`` stands for.
    unmet : DataFrame, optional
        As ``missing``, of what closed rounds asked for and did not get.
    unable : DataFrame, optional
        ``topic_id, document_id`` of what somebody could not judge, which is an answer.
    follows_labels : bool, default True
        Whether the judgements are made of labels that are given here: imported ones are not.

    Raises
    ------
    BadInput
        The measure counts documents from a level that the scale does not have.
    """

    candidates: Candidates
    judgements: Judgements
    question: EnoughQuestion = USUAL
    missing: pd.DataFrame | None = None
    arrived: pd.DataFrame | None = None
    spending: Callable[[], Spent] | None = None
    keep: Keep | None = None
    weights: Weights | None = None
    unmet: pd.DataFrame | None = None
    unable: pd.DataFrame | None = None
    follows_labels: bool = True

    def __post_init__(self) -> None:
        refuse_unreachable(self.measure, self.judgements)

    name: ClassVar[str] = "enough"
    tables: ClassVar[Mapping[str, Estimated]] = {
        "expected": Estimated(
            "Today's ranking beside that of the full pool",
            "Kendall's τ-b between today's ranking and that of the full pool",
            {
                "tau": Column("τ to the full pool"),
                "best": Column("best today"),
                "best_stays": Column("P(best stays)", write=_write_share_of_draws),
                **_SHARE,
            },
            estimate="tau",
        ),
        "topics": Estimated(
            "What is not known of the ranking, by topic",
            "",
            {
                "topic_id": Column("topic"),
                **_SHARE,
                "lacking": Column("lacking opinions"),
                "part": Column("part of what is not known"),
            },
        ),
        "bounds": Estimated(
            "How low and how high scores can be",
            "",
            {
                "system": Column("system"),
                "today": Column("rest not relevant (today)"),
                "all_relevant": Column("rest all relevant"),
                "lowest": Column("lowest"),
                "highest": Column("highest"),
                "residual": Column("residual"),
            },
        ),
        "history": Estimated(
            "What could be told at earlier moments",
            "Kendall's τ-b between the ranking of that moment and that of the full pool",
            {
                "share": Column("share of the pool", write="{:.0%}".format),
                "judged": Column("with a label"),
                "tau": Column("τ"),
                "best": Column("best then"),
                "best_stays": Column("P(best stays)", write=_write_share_of_draws),
            },
            estimate="tau",
        ),
        "cost": Estimated(
            "Cost",
            "",
            {
                "what": Column(""),
                "labels": Column("labels", digits=0),
                "hours": Column("hours", digits=1),
                "money": Column("money", digits=2),
            },
        ),
    }

    @cached_property
    def measure(self) -> Measure:
        """What systems are ranked by."""
        return parse_measure(self.question.measure)

    @cached_property
    def _placed(self) -> tuple[Floats, int]:
        """The level of each item, NaN not judged, and how many judgements lie outside the pool."""
        frame = self.judgements.frame
        judged = frame[frame["level"] >= 0].astype(dict.fromkeys(_ITEM, "str"))
        highest = judged.groupby(_ITEM)["level"].max().reset_index()
        place = self.candidates.find(highest)
        level = np.full(len(self.candidates), np.nan)
        level[place[place >= 0]] = highest["level"].to_numpy(np.float64)[place >= 0]
        return level, int((place < 0).sum())

    @property
    def level(self) -> Floats:
        """The level of each item of the pool, NaN where nobody judged it."""
        return self._placed[0]

    @property
    def outside(self) -> int:
        """How many judged documents no run has in the pool's depth; they are left out."""
        return self._placed[1]

    @cached_property
    def _lacks(self) -> tuple[Floats, Floats]:
        """How many opinions each item lacks that open rounds ask for, and closed ones asked for."""
        lacks = np.zeros((2, len(self.candidates)))
        for own, rows in zip(lacks, (self.missing, self.unmet), strict=True):
            if rows is not None and len(rows):
                place = self.candidates.find(rows)
                inside = place >= 0
                np.add.at(own, place[inside], rows["missing"].to_numpy(np.float64)[inside])
        return lacks[0], lacks[1]

    @property
    def lacks(self) -> Floats:
        """How many opinions each item of the pool still lacks of those that rounds ask for."""
        return self._lacks[0] + self._lacks[1]

    def _name_asked(self) -> str:
        """Return whose asking opinions are missing, as a relative clause."""
        still, before = (bool(one.any()) for one in self._lacks)
        if still and before:
            return "that rounds ask for, or asked for before they were closed"
        return (
            "that rounds asked for before they were closed"
            if before
            else "that open rounds ask for"
        )

    @property
    def items(self) -> int:
        """How many items the pool has."""
        return len(self.candidates)

    @property
    def judged(self) -> int:
        """How many items have a level and lack no opinion that is asked for."""
        return int((~np.isnan(self.level) & (self.lacks == 0)).sum())

    @property
    def lacking(self) -> int:
        """How many items lack opinions that are asked for."""
        return int((self.lacks > 0).sum())

    @property
    def share(self) -> float:
        """The judged share of the pool, in [0, 1]."""
        return self.judged / max(self.items, 1)

    @property
    def proposes(self) -> bool:
        """Whether to stop is proposed: the rule is met, and no item lacks what was asked for."""
        return not self.lacking and self.rule.proposes(self.figures)

    @property
    def rule(self) -> StopRule:
        """From when on it is enough."""
        return self.question.rule or StopRule()

    @cached_property
    def _drawn(self) -> _Drawn:
        """What drawn full pools say, which take too much room to be kept; raises BadInput."""
        pools = draw_full_pools(
            self.candidates, self.level, self.measure, new_rng(), DRAWS, self.weights
        )
        return _Drawn(tell_tau(pools), share_uncertainty(pools), *_count_sure(pools))

    @property
    def figures(self) -> ExpectedTau:
        """τ to the full pool and P(best stays); raises BadInput."""
        return self._drawn.figures

    @cached_property
    def expected(self) -> pd.DataFrame:
        """One row: ``tau`` with its limits, ``best, best_stays, judged, items``."""
        unjudged = int(np.isnan(self.level).sum())
        row = _tell(self.figures, DRAWS, unjudged)
        return pd.DataFrame([{**row, "judged": self.judged, "items": self.items}])

    @cached_property
    def topics(self) -> pd.DataFrame:
        """``topic_id, judged, items, lacking, part``: whose unjudged items matter most, first.

        ``part`` is of what is not known of the ranking; NaN where nothing is in doubt.
        """
        candidates, topics = self.candidates, len(self.candidates.topics)
        judged = ~np.isnan(self.level) & (self.lacks == 0)
        table = pd.DataFrame(
            {
                "topic_id": candidates.topics,
                "judged": np.bincount(candidates.topic[judged], minlength=topics),
                "items": np.diff(candidates.first),
                "lacking": np.bincount(candidates.topic[self.lacks > 0], minlength=topics),
                "part": self._drawn.part,
            }
        )
        return table.sort_values("part", ascending=False, kind="stable", ignore_index=True)

    @cached_property
    def bounded(self) -> ScoreBounds:
        """How low and how high every score can be; raises BadInput."""
        return bound_scores(self.candidates, self.level, self.measure, self.weights)

    @cached_property
    def bounds(self) -> pd.DataFrame:
        """A row for each system, the best of today first: see `ScoreBounds`."""
        found = self.bounded
        rows = pd.DataFrame(
            {
                "system": found.systems,
                "today": found.today,
                "all_relevant": found.all_relevant,
                "lowest": found.low,
                "highest": found.high,
                "residual": found.residual,
            }
        )
        return rows.iloc[order_best(found.today)].reset_index(drop=True)

    @cached_property
    def history(self) -> pd.DataFrame:
        """``share, judged, tau`` with its limits, ``best, best_stays``, at moments up to today.

        Items count from when they first got a label, at the level that they have today. Only today
        has a row where nobody knows in which order items were judged.
        """
        level, rows = self.level, []
        place = np.empty(0, dtype=np.int64)
        if self.arrived is not None:
            place = self.candidates.find(self.arrived)
            place = place[place >= 0]
            place = place[~np.isnan(level[place])]
        for judged in choose_moments(len(place), self.items):
            then = np.full(len(level), np.nan)
            then[place[:judged]] = level[place[:judged]]
            look = partial(self._look_back, then)
            found = look() if self.keep is None else self.keep(judged, then, look)
            rows.append((judged, found, EARLIER_DRAWS))
        rows.append((int((~np.isnan(level)).sum()), self.figures, DRAWS))
        return pd.DataFrame(
            [
                {
                    "share": judged / max(self.items, 1),
                    "judged": judged,
                    **_tell(found, draws, self.items - judged),
                }
                for judged, found, draws in rows
            ]
        )

    def _look_back(self, then: Floats) -> ExpectedTau:
        pools = draw_full_pools(
            self.candidates, then, self.measure, new_rng(), EARLIER_DRAWS, self.weights
        )
        return tell_tau(pools)

    @cached_property
    def _spent(self) -> Spent | None:
        return self.spending() if self.spending else None

    @property
    def cost(self) -> pd.DataFrame:
        """``what, labels, hours, money``: so far, where it is known, and to the full pool."""
        return self.cost_at(self.question.price)

    def cost_at(self, price: Price) -> pd.DataFrame:
        """Return `cost` at another price.

        What is left are the opinions that are missing, and the items that nobody judged or is
        asked to, at as many labels each as others have in the end.
        """
        per_item, seconds = 1.0, CostRates.seconds
        rows = []
        if spent := self._spent:
            per_item, seconds = spent.per_item, spent.seconds
            rows.append(("so far", tell_cost(spent.labels, spent.hours, price)))
        unasked = int((np.isnan(self.level) & (self.lacks == 0)).sum())
        left = float(self.lacks.sum() + unasked * per_item)
        rows.append(("to the full pool", tell_cost(left, left * seconds / 3600, price)))
        return pd.DataFrame(
            [(what, one.labels, one.hours, one.money) for what, one in rows],
            columns=["what", "labels", "hours", "money"],
        )

    def tell_cost(self, price: Price) -> str:
        """Return in a sentence what stopping now would save."""
        rest = self.cost_at(price).iloc[-1]
        if not rest["labels"]:
            return "Nothing of the pool is left to judge, so that stopping now saves nothing."
        is_priced = price != FREE
        money = f" and {mark_fact(write_number(rest['money'], 2))} in any currency"
        asked = int(self.lacks.sum())
        named = f" ({asked:,} of them opinions {self._name_asked()})" if asked else ""
        return (
            f"Stopping now would save about {mark_fact(count(round(rest['labels']), 'label'))}"
            f"{named}: {mark_fact(tell_hours(rest['hours']))}{money if is_priced else ''}."
        )

    def tell_bounds(self) -> str:
        """Return in a sentence how many pairs of systems are decided by the bounds."""
        found = self.bounded
        if np.isnan(found.all_relevant).all():
            return f"No score by {self.measure} is defined: {self.figures.reason}."
        if np.isnan(found.low).all():
            return (
                f"For {self.measure} there are the two scenarios only: bounds that hold for every "
                "judgement of the rest are known for AP, P and RBP."
            )
        return (
            f"The order of {mark_fact(format(found.decided, ','))} of "
            f"{count(found.pairs, 'pair')} of systems cannot turn any more, whatever the rest of "
            "the pool says."
        )

    def tell_order(self) -> str:
        """Return in a sentence how many pairs of systems are in today's order in most draws."""
        if self.figures.reason:
            return f"There is no order to keep: {self.figures.reason}."
        sure, pairs = mark_fact(format(self._drawn.sure, ",")), count(self._drawn.pairs, "pair")
        keep = "keeps" if self._drawn.sure == 1 else "keep"
        return (
            f"In {SURE:.0%} of the draws or more, {sure} of {pairs} of systems {keep} today's "
            "order."
        )

    @property
    def answer(self) -> str:
        """Whether it is enough, by which rule, and the figures; of this pool and people alone."""
        return f"{self._tell_verdict()} {self._tell_figures()}"

    def _tell_verdict(self) -> str:
        if self.lacking:
            asked = count(int(self.lacks.sum()), "opinion")
            verb = "lacks" if self.lacking == 1 else "lack"
            so = (
                ", which can change what follows"
                if self.follows_labels
                else "; these judgements are imported and do not change with them"
            )
            return (
                f"{mark_fact('Not yet')}: {mark_fact(format(self.lacking, ','))} of "
                f"{count(self.items, 'item')} of the pool {verb} opinions {self._name_asked()}, "
                f"{asked} in all{so}."
            )
        if self.figures.reason and self.judged == self.items:
            return f"{mark_fact('Nothing of the pool is left to judge')}."
        kind = "the" if self.question.rule else "the usual"
        verdict = "Enough" if self.proposes else "Not yet"
        return f"{mark_fact(verdict)}, by {kind} rule ({self.rule.tell()})."

    def _tell_figures(self) -> str:
        figures, question = self.figures, self.question
        known = int((~np.isnan(self.level)).sum()) if self.lacking else self.judged
        state = "with a level" if self.lacking else "judged"
        judged = f"{known:,} of {count(self.items, 'item')} {state}"
        if figures.reason:
            return f"There is nothing to tell by {question.measure}: {figures.reason}; {judged}."
        is_exact = known == self.items
        sign, stays = _write_chance(figures.best_stays, is_exact=is_exact)
        others = f", as {count(figures.alike - 1, 'other')} the best today,"
        return (
            f"By {question.measure}, in this pool of depth {question.depth:,}, on these topics and "
            f"by these assessors, {mark_fact(figures.best)}{others if figures.alike > 1 else ''} "
            f"stays best with P {sign} {mark_fact(stays)}, and τ to the full pool is "
            f"{mark_fact(write_number(figures.tau))}{_tell_limits(figures, is_exact=is_exact)}; "
            f"{judged}."
        )

    @property
    def notes(self) -> Sequence[str]:
        """What the figures rest on, and what they do not allow for."""
        notes = [UNJUDGED, PROBABLE, PEOPLE]
        if self.outside:
            notes.append(
                f"{count(self.outside, 'judged document')} that no run has among its first "
                f"{self.question.depth:,} left out"
            )
        if self.unable is not None and len(self.unable):
            place = self.candidates.find(self.unable)
            if number := len(np.unique(place[place >= 0])):
                notes.append(
                    "items of the pool that somebody could not judge, which is an answer and no "
                    f"level: {number:,}"
                )
        notes += [NOT_ASKED] if self.missing is None else []
        notes += [ASSUMED] if self.spending is None else []
        return notes


def _write_chance(share: float, *, is_exact: bool) -> tuple[str, str]:
    """Return the sign and the number of a share of draws.

    None or all of them is no certainty, but tells an end that holds in 95 of 100 times.
    """
    if is_exact or 0 < share < 1:
        return "=", write_number(share)
    least = 0.05 ** (1 / DRAWS)
    return (">", write_number(least, 4)) if share else ("<", write_number(1 - least, 4))


def _tell_limits(figures: ExpectedTau, *, is_exact: bool) -> str:
    """Return what τ can be besides, and of what; that all draws agree is no limit of its own."""
    if is_exact:
        return ""
    if np.ptp(figures.taus) == 0:
        return f" in each of {len(figures.taus):,} draws of the rest"
    limits = write_limits(figures.low, figures.high)
    return f" (95 % limits over the rest of the pool {limits})"


def _tell(found: ExpectedTau, draws: int, unjudged: int) -> dict[str, object]:
    """Return what can be told at a moment as a row has it."""
    low, high = LIMITS
    return {
        "tau": found.tau,
        "low": found.low,
        "high": found.high,
        "interval": f"from {low:.0%} to {high:.0%} of {draws:,} draws of the rest of the pool",
        "unit": "unjudged item",
        "units": unjudged,
        "best": found.best,
        "best_stays": found.best_stays,
        "reason": found.reason,
    }


def ask_of_runs(
    runs: pd.DataFrame,
    judgements: Judgements,
    question: EnoughQuestion,
    weights: Weights | None = None,
) -> Enough:
    """Return what is asked of the pool of some runs, of which it is known what is judged."""
    pool = build_candidates(runs, question.depth)
    return Enough(pool, judgements, question, weights=weights)


def choose_moments(judged: int, items: int) -> list[int]:
    """Return at how many judged items one looks back: at round shares of the pool.

    So they stay the same while labels come in, and need not be looked at again.
    """
    for step in _STEPS:
        every = max(1, round(step * items))
        moments = list(range(every, judged, every))
        if len(moments) <= MOMENTS:
            break
    return moments


def _count_sure(pools: FullPools) -> tuple[int, int]:
    """Return how many pairs of systems are in the same order in nearly all draws, and of all."""
    means, today = np.nan_to_num(pools.drawn.means), np.nan_to_num(pools.today)
    same = (pair_signs(means) == pair_signs(today[np.newaxis])).mean(axis=0)
    return int((same >= SURE).sum()), len(same)
