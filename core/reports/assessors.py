"""How each assessor judges, beside the others and beside gold: the report of assessors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from core.agreement.assessor_bias import (
    agreement_with_gold,
    agreement_with_others,
    gold_codes,
    leniency,
    level_shares,
)
from core.agreement.assessor_null import DealtScores, leniency_by_chance
from core.agreement.careless_responding import careless_by_chance, careless_responding
from core.agreement.coefficients import Kappa
from core.agreement.confusion import confusion_matrices
from core.agreement.drift import active_time, drift
from core.agreement.drifting import find_drifting, try_drift
from core.agreement.pairs import agreement_by_pair
from core.agreement.ratings import Codes, Ratings
from core.agreement.topics import FEWEST_ITEMS
from core.collection.labels.counted_labels import counted_labels
from core.collection.labels.label_options import GOLD
from core.comparison.assessor_groups import PeopleScores
from core.numerals import write_number
from core.reports.agreement import FacetLabels, read_facet
from core.reports.assessor_chance import (
    BESIDE_CHANCE,
    LEAVING_OUT,
    LEVEL,
    Lenient,
    list_findings,
    list_left_out,
    sort_findings,
    tell_agreement,
    tell_left_out,
    tell_move,
    tell_signs,
    write_corrected,
)
from core.reports.left_out_rankings import (
    LEFT_OUT_RANKING,
    RankingQuestion,
    rank_without,
    tell_rankings,
)
from core.reports.report import Column, Estimated, Report
from core.wording import count, mark_fact

if TYPE_CHECKING:
    import pandas as pd

NOBODY_ELSE = "nobody else judged the same items"
_AGREEMENT = {"mean": "kappa_mean", "lowest": "kappa_lowest", "highest": "kappa_highest"}
_GOLD = {"n": "gold_n", "raw": "gold_raw", "kappa": "gold_kappa"}
_ASSESSOR = {"assessor_id": Column("assessor")}


def _write_signed(value: float) -> str:
    return "" if np.isnan(value) else write_number(value, signed=True)


@dataclass(frozen=True, eq=False)
class AssessorQuality(Report):
    """How each assessor of one facet judges; ``dissent.assessors`` gives it.

    Its tables are computed when first asked for: ``assessors``, ``level_shares``,
    ``active_time``, ``drift``, ``drifting``, ``careless``, and what needs labels that are dealt
    anew: ``chance``, ``leaving_out``, ``leaving_out_ranking``, ``careless_chance``. ``answer``,
    ``leniency_answer``, ``chance_answer``, ``ranking_answer`` and ``careless_answer`` are
    sentences; the last three need it, too. Nothing is corrected by any of it.

    Parameters
    ----------
    labels : FacetLabels
        Who gave which level, gold left out.
    given : callable
        Returns the same labels as ``drift`` takes them; in the order of rows without
        ``sequence``, not timed without ``dwell_ms``.
    gold : DataFrame, optional
        As ``agreement_with_gold`` takes it.
    judged : callable, optional
        Returns those of the labels that were judged here: the order of imported ones may mean
        nothing. None, without.
    paradata : callable, optional
        Returns what ``careless_responding`` takes.
    shuffles : int, optional
        How often labels are dealt anew; as many as `count_shuffles` says, without.
    ranking : callable
        Returns the systems whose ranking is looked at, and how they are scored.
    """

    labels: FacetLabels
    given: Callable[[], pd.DataFrame]
    gold: pd.DataFrame | None = None
    judged: Callable[[], pd.DataFrame] | None = None
    paradata: Callable[[], pd.DataFrame] | None = None
    shuffles: int | None = None
    ranking: Callable[[], RankingQuestion] = RankingQuestion

    name: ClassVar[str] = "assessors"
    tables: ClassVar[Mapping[str, Estimated]] = {
        "assessors": Estimated(
            "Every assessor",
            "leniency of this assessor",
            {
                **_ASSESSOR,
                "labels": Column("labels"),
                "common": Column("common items"),
                "leniency": Column("leniency", "above 0 more lenient than the others"),
                "p": Column(
                    "p", "that it is 0, corrected for all assessors (Holm)", write=write_corrected
                ),
                "kappa_mean": Column("mean κ"),
                "kappa_lowest": Column("lowest"),
                "kappa_highest": Column("highest"),
                "gold_n": Column("gold items"),
                "gold_raw": Column("same as gold"),
                "gold_kappa": Column("κ with gold"),
            },
            estimate="leniency",
        ),
        "level_shares": Estimated(
            "How often each level was given",
            "",
            {**_ASSESSOR, "level": Column("level"), "labels": Column("labels"),
             "share": Column("share"), "others_share": Column("share of all others")},
        ),
        "active_time": Estimated(
            "Active time of a label, seconds",
            "",
            {**_ASSESSOR, "level": Column("level"), "labels": Column("labels"),
             "lower": Column("lower quartile", digits=1), "median": Column("median", digits=1),
             "upper": Column("upper quartile", digits=1)},
        ),
        "drift": Estimated(
            "Over successive tenths of the labels",
            "",
            {**_ASSESSOR, "part": Column("tenth"), "labels": Column("labels"),
             "common": Column("common items"), "leniency": Column("leniency", write=_write_signed),
             "median_seconds": Column("median time (s)", digits=1)},
        ),
        "drifting": Estimated(
            "Whose leniency moves, in levels from the first tenth to the last",
            "",
            {**_ASSESSOR, "change": Column("change", write=_write_signed), "p": Column("p"),
             "chance_p": Column("p in any order")},
            estimate="",
        ),
        "careless": Estimated(
            "Signs of careless responding",
            "",
            {**_ASSESSOR, "answers": Column("answers"), "fast": Column("under 1 s"),
             "longest_run": Column("longest run"), "same_spot": Column("same spot")},
        ),
        "chance": BESIDE_CHANCE,
        "leaving_out": LEAVING_OUT,
        "leaving_out_ranking": LEFT_OUT_RANKING,
        "careless_chance": BESIDE_CHANCE._replace(
            title="Signs of careless responding beside what chance gives"
        ),
    }  # fmt: skip

    @property
    def ratings(self) -> Ratings:
        """Who gave which level to which item."""
        return self.labels.ratings

    @property
    def notes(self) -> Sequence[str]:
        """What the reader has to know of how the labels were read."""
        return self.labels.notes

    @cached_property
    def assessors(self) -> pd.DataFrame:
        """A row for each assessor, most labels first.

        ``assessor_id, labels, common`` (items that others judged, too)``, leniency, low, high,
        p`` (corrected, as ``leniency`` has it)``, interval, unit, units, pairs`` (with 10 common
        items or more)``, kappa_mean, kappa_lowest, kappa_highest``, where there is gold also
        ``gold_n, gold_raw, gold_kappa``, and
        ``reason``. κ is linear weighted; the mean is the plain one over the pairs.
        """
        lenient = leniency(self.ratings)
        table = lenient.rename(columns={"n": "common", "value": "leniency"})
        labels = np.bincount(self.ratings.assessor, minlength=len(self.ratings.assessors))
        table.insert(1, "labels", labels)
        others = self._with_others().rename(columns={**_AGREEMENT, "reason": "reason_others"})
        table = table.merge(others, on="assessor_id", how="left")
        table["pairs"] = table["pairs"].fillna(0).astype("int64")
        if self.gold is not None:
            gold = agreement_with_gold(self.ratings, self.gold)
            gold = gold.rename(columns={**_GOLD, "reason": "reason_gold"})
            table = table.merge(gold[["assessor_id", *_GOLD.values(), "reason_gold"]])
        reason = _join_reasons(table)
        table = table.drop(columns=[name for name in _REASONS if name in table])
        table = table.assign(reason=reason)
        return table.sort_values("labels", ascending=False, kind="stable", ignore_index=True)

    def _with_others(self) -> pd.DataFrame:
        """Return each assessor's κ with the others; no row for who shares no item with any."""
        import pandas as pd

        pairs = pd.DataFrame({"first": [], "second": [], "n": [], "value": []})
        pairs = pairs.astype({"first": "str", "second": "str"})
        if len(self.ratings.assessors) > 1:
            matrices = confusion_matrices(self.ratings)
            pairs = agreement_by_pair(matrices, [Kappa("linear")], every_pair=False)
        return agreement_with_others(pairs)

    @cached_property
    def level_shares(self) -> pd.DataFrame:
        """How often each assessor gave each level: the columns of ``level_shares``."""
        return level_shares(self.ratings)

    @cached_property
    def active_time(self) -> pd.DataFrame:
        """The active time of each assessor by level: the columns of ``active_time``."""
        return active_time(self._ordered, self.labels.facet)

    @cached_property
    def drift(self) -> pd.DataFrame:
        """Leniency and active time over tenths of each assessor's labels: those of ``drift``."""
        return drift(self._ordered, self.labels.facet, self.ratings)

    @cached_property
    def drifting(self) -> pd.DataFrame:
        """Whose leniency moves over what they judged here: the columns of ``find_drifting``."""
        if self.judged is None:
            return find_drifting(self.drift[:0])
        return find_drifting(drift(self.judged(), self.labels.facet, self.ratings))

    @cached_property
    def _ordered(self) -> pd.DataFrame:
        given = self.given()
        return given.assign(**{name: 0 for name in ("sequence", "dwell_ms") if name not in given})

    @cached_property
    def careless(self) -> pd.DataFrame:
        """Signs of answering without looking: see ``careless_responding``.

        No row where nothing is known of how labels came about.
        """
        import pandas as pd

        if self.paradata is None:
            return pd.DataFrame(columns=[*self.tables["careless"].columns])
        return careless_responding(self.paradata(), self.labels.facet)

    @cached_property
    def dealt(self) -> DealtScores:
        """Agreement of each assessor, and of all, on labels dealt anew."""
        none = np.full(len(self.ratings.items), -1)
        gold = none if self.gold is None else gold_codes(self.ratings, self.gold)
        return DealtScores(self.ratings, gold, self.shuffles)

    @cached_property
    def _lenient(self) -> Lenient:
        """Leniency of those with 10 common items or more, in the order of codes."""
        table = leniency(self.ratings)
        value = table["value"].where(table["n"] >= FEWEST_ITEMS).to_numpy(np.float64)
        p = table["p"].to_numpy(np.float64)
        return Lenient(value, p, leniency_by_chance(self.ratings, value))

    @cached_property
    def chance(self) -> pd.DataFrame:
        """What labels tell of assessors beside what chance gives: see ``list_findings``."""
        return list_findings(self.ratings.assessors, self.dealt, self._lenient, self._moves)

    @cached_property
    def _moves(self) -> pd.DataFrame:
        """Whether leniency moves over all labels: the columns of ``try_drift``."""
        return try_drift(self.drift)

    @cached_property
    def leaving_out(self) -> pd.DataFrame:
        """What leaving out those who agree least does to α: see ``list_left_out``."""
        return list_left_out(self.dealt)

    @cached_property
    def _ranking(self) -> RankingQuestion:
        return self.ranking()

    @cached_property
    def _scores(self) -> PeopleScores | None:
        """Return what scores systems by some of the labels."""
        top = max(self.ratings.levels, default=0)
        return self._ranking.score(self.given(), self.labels.facet, top)

    @cached_property
    def leaving_out_ranking(self) -> pd.DataFrame:
        """What it does to the ranking of systems: see ``rank_without``."""
        return rank_without(self.dealt, self._scores, self._ranking.lack)

    @cached_property
    def careless_chance(self) -> pd.DataFrame:
        """Signs of careless responding beside what chance gives: the columns of ``chance``."""
        import pandas as pd

        if self.paradata is None:
            return pd.DataFrame(columns=[*BESIDE_CHANCE.columns])
        rows = careless_by_chance(self.paradata(), self.labels.facet, self.shuffles)
        rows = rows.rename(columns=lambda name: name.replace("items", "within_items"))
        return sort_findings(rows.assign(beyond=rows["p"] < LEVEL))

    def _name(self, assessor_id: str) -> str:
        return self.labels.names.get(assessor_id, assessor_id)

    @cached_property
    def answer(self) -> str:
        """How far assessors agree with the others, from lowest to highest; it names nobody.

        Whether anybody agrees less than chance gives is in ``chance_answer``.
        """
        table = self.assessors
        if table.empty:
            return f"Nobody has judged a {self.labels.facet} yet."
        known = table[table["kappa_mean"].notna()]
        of = count(len(table), "assessor")
        if known.empty:
            return (
                f"Among {of} nobody has a defined κ over {FEWEST_ITEMS} items in common with "
                "another, so who agrees less with the others cannot be said."
            )
        mean = known["kappa_mean"].round(12)
        least, most = (mark_fact(write_number(one)) for one in (mean.min(), mean.max()))
        between = f"is {least}" if mean.nunique() == 1 else f"goes from {least} to {most}"
        return (
            f"Of {of}, {len(known):,} share {FEWEST_ITEMS} items or more with another; mean κ with "
            f"the others (linear weighted) {between}. This alone is no verdict on anybody."
        )

    @cached_property
    def leniency_answer(self) -> str:
        """How many are lenient or strict, and the utmost of them; '' where nobody is known.

        Of whom it is said has p < .05 over topics, and where labels are dealt within items.
        """
        found = self._lenient
        counted = ~np.isnan(found.value)
        if not self.assessors["leniency"].notna().any():
            return ""
        if not counted.any():
            return (
                f"Nobody shares {FEWEST_ITEMS} items or more with others yet, so who is lenient "
                "and who is strict cannot be said."
            )
        differ = np.flatnonzero((found.p < LEVEL) & (found.chance.p < LEVEL))
        of = count(int(counted.sum()), "assessor")
        how_many = mark_fact(f"{len(differ):,} of {of}" if len(differ) else f"None of {of}")
        return (
            f"{how_many} {'is' if len(differ) < 2 else 'are'} shown to judge more leniently or "
            f"more strictly than the others (p < {LEVEL:g} after Holm's correction for all of "
            "them, over topics and beside labels dealt anew within items); "
            f"{self._tell_utmost(differ)}."
        )

    def _tell_utmost(self, differ: Codes) -> str:
        """Return who of those who differ does so most to either side."""
        if not len(differ):
            return "their differences are not shown to be more than chance"
        value = self._lenient.value
        order = differ[np.argsort(value[differ], kind="stable")]
        extremes = [
            f"{mark_fact(self._name(self.ratings.assessors[at]))} "
            f"({write_number(value[at], signed=True)} steps)"
            for at in dict.fromkeys([order[0], order[-1]])
        ]
        return f"most so {' and '.join(extremes)}"

    @cached_property
    def chance_answer(self) -> str:
        """Who agrees less than chance gives, and what leaving people out does; '' if unknown."""
        if self.assessors.empty:
            return ""
        agreement = tell_agreement(self.chance, self._name, self.dealt.times)
        return f"{agreement} {tell_left_out(self.leaving_out)}".strip()

    @cached_property
    def ranking_answer(self) -> str:
        """What leaving people out does to the ranking of systems; '' if unknown."""
        if self._scores is None:
            return ""
        by = self._ranking.describe(self.labels.facet)
        return tell_rankings(self.leaving_out_ranking, len(self._scores.systems), by)

    def tell_drift(self, assessor_id: str) -> str:
        """Return whether somebody's leniency moves more than chance gives; '' if unknown."""
        rows = self._moves[self._moves["assessor_id"] == assessor_id]
        return tell_move(rows.iloc[0].to_dict()) if len(rows) else ""

    @cached_property
    def careless_answer(self) -> str:
        """Who shows more signs of careless responding than chance gives; '' if unknown."""
        return tell_signs(self.careless_chance, self._name)


def read_assessors(
    labels: pd.DataFrame,
    facet: str,
    levels: Sequence[int] | None = None,
    gold: pd.DataFrame | None = None,
    paradata: pd.DataFrame | None = None,
    ranking: RankingQuestion | None = None,
) -> AssessorQuality:
    """Return the report of a frame of labels.

    Parameters
    ----------
    labels : DataFrame
        As for ``read_facet``; the labels of the assessor 'gold' are taken for gold.
    facet, levels
        As for ``read_facet``.
    gold : DataFrame, optional
        ``topic_id, document_id, facet, engine, level`` of items, in levels as given: they count
        as those in ``given_level`` of labels do. It goes before labels of 'gold'.
    paradata : DataFrame, optional
        As ``careless_responding`` takes it.
    ranking : RankingQuestion, optional
        The systems whose ranking is looked at, and how they are scored.

    Raises
    ------
    BadInput
        As from ``ratings_from_labels``.
    """
    is_gold = labels["assessor_id"] == GOLD
    own = labels[~is_gold]
    if gold is None:
        gold = counted_labels(labels[is_gold], facet) if is_gold.any() else None
    else:
        gold = gold[gold["facet"] == facet]
        if "given_level" in own:
            level = counted_labels(own, facet)
            counts_as = dict(zip(level["given_level"], level["level"], strict=True))
            gold = gold.assign(level=gold["level"].map(lambda one: counts_as.get(one, one)))
    return AssessorQuality(
        read_facet(own, facet, levels),
        lambda: own,
        gold,
        (lambda: own[own["source"] == "judged"]) if "source" in own else None,
        None if paradata is None else lambda: paradata,
        ranking=lambda: ranking or RankingQuestion(),
    )


_REASONS = {"reason": "leniency", "reason_others": "κ", "reason_gold": "gold"}
"""What each reason of a row is of."""


def _join_reasons(table: pd.DataFrame) -> list[str]:
    """Return why something is missing in each row; '' where nothing is, or nobody has gold."""
    reasons = {name: of for name, of in _REASONS.items() if name in table}
    if "gold_n" in table and not table["gold_n"].any():
        del reasons["reason_gold"]
    reasons_given = table[[*reasons]].fillna(NOBODY_ELSE)
    return [
        "; ".join(f"{of}: {why}" for of, why in zip(reasons.values(), row, strict=True) if why)
        for row in reasons_given.itertuples(index=False)
    ]
