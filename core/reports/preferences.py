"""What people prefer of two things side by side, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import pandas as pd

from core.agreement.base import name_coefficient
from core.agreement.corrections import correct
from core.collection.labels.counted_labels import counted_labels
from core.collection.records import DOCUMENTS
from core.comparison.significance_test import SignificanceTest
from core.comparison.ties import tie_close
from core.errors import TooLittleData
from core.numerals import write_limits, write_number, write_p
from core.preference.agreement import preference_agreement, preference_agreement_by_pair
from core.preference.bradley_terry import Strengths, bradley_terry
from core.preference.choices import MODELS
from core.preference.clusters import cluster_preferences
from core.preference.levels import gain_differences, preference_by_difference, preference_slope
from core.preference.order import compare_with_scores, rank_by_preference
from core.preference.outcomes import tabulate_outcomes
from core.preference.pair_counts import count_pairs
from core.preference.reasons import count_reasons
from core.preference.sides import side_bias, swapped_repeats
from core.preference.transitivity import Transitivity, find_intransitive
from core.reports.report import Column, Estimated, Report
from core.wording import count, mark_fact

_TOPIC = {"topic_id": Column("topic")}
_TWO = {"first": Column("first"), "second": Column("second")}
_ITEMS = {name: Column(name, names="nobody") for name in ("first", "second", "third")}
_P = {"p": Column("p", write=write_p)}
_COUNTS = {name: Column(name) for name in ("wins", "losses", "ties")}
_OUTCOMES = {
    **_TOPIC,
    "first": _ITEMS["first"],
    "second": _ITEMS["second"],
    "n": Column("preferences"),
    **_COUNTS,
    "share": Column("share"),
    "won": Column("won", "topics, or preferences between documents, of which p is"),
    "lost": Column("lost"),
    **_P,
}
_AGREEMENT = {
    "coefficient": Column("coefficient", write=name_coefficient),
    "n": Column("common pairs"),
    "value": Column("value"),
}


def _name_assessor(assessor: str) -> str:
    return assessor or "(all)"


def _mark_note(note: str) -> str:
    return "*" if note else ""


UNCORRECTED = (
    "p in tables is of each pair, or of each assessor, by itself; p by which a winner is clear is "
    "corrected for all pairs"
)
NO_WEIGHT = "no preference is between two documents whose levels have a weight"
_ALL_AND_ONE = 2

CLASSES = 5
"""Into so many classes differences of levels, or of weights, are sorted."""

LEVEL, WEIGHT = "mean level", "mean UDM weight"
"""What documents can differ by."""


def _by_difference(of: str) -> Estimated:
    return Estimated(
        f"Preferences by the difference of {of}s",
        f"share of preferences for the document of the higher {of}, a tie half",
        {"name": Column("difference"), "n": Column("preferences"),
         **{name: Column(name) for name in ("higher", "lower", "ties")}, "share": Column("share")},
        estimate="share",
    )  # fmt: skip


_WHO = {"assessor_id": Column("assessor", write=_name_assessor)}


@dataclass(frozen=True)
class PreferenceQuestion:
    """What is asked of preferences.

    Parameters
    ----------
    model : str
        Of strengths: one of ``MODELS``, by what a tie is in it.
    alpha : float
        Below which corrected p of the sign test a pair has a clear winner.
    weights : pairs of level and weight
        What levels weigh, where preferences are set against weights, too.
    """

    model: str = MODELS[0]
    alpha: float = SignificanceTest.alpha
    weights: tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        _ = SignificanceTest(alpha=self.alpha)


USUAL = PreferenceQuestion()
"""What is asked where nothing is chosen."""


Rows = pd.DataFrame | Callable[[], pd.DataFrame]


def _take(given: Rows) -> pd.DataFrame:
    return given() if callable(given) else given


@dataclass(frozen=True, eq=False)
class Preferences(Report):
    """Which of two documents, or of two systems, people prefer; ``dissent.preferences`` makes it.

    Its tables are computed when first asked for, and raise TooLittleData where nobody has given a
    preference; ``answer`` is a sentence. Over topics, these are what limits take for sampled;
    within a topic it is its assessors for strengths, and preferences for shares.

    Parameters
    ----------
    given : DataFrame
        Preferences of one kind and facet.
    question : PreferenceQuestion
        What is asked.
    given_reasons : DataFrame or callable, optional
        Why they were given, a row for each reason, as ``count_reasons`` takes them; or what
        returns them once they are asked for.
    given_labels : DataFrame or callable, optional
        Levels of the same documents, of any facets; documents are set against those of their own.
    """

    given: pd.DataFrame
    question: PreferenceQuestion = USUAL
    given_reasons: Rows | None = None
    given_labels: Rows | None = None

    name: ClassVar[str] = "preferences"
    tables: ClassVar[Mapping[str, Estimated]] = {
        "outcomes": Estimated(
            "Outcomes of pairs",
            "share of preferences for the first of the two, a tie half a win",
            _OUTCOMES,
            estimate="share",
        ),
        "outcomes_by_topic": Estimated(
            "Outcomes of pairs, topic by topic",
            "share of preferences for the first of the two on this topic, a tie half a win",
            _OUTCOMES,
            estimate="share",
        ),
        "strengths": Estimated(
            "Strengths",
            "strength of this item in log odds, the mean of its group being 0",
            {**_TOPIC, "item": Column("item", names="nobody"), "n": Column("comparisons"),
             "strength": Column("strength"), "group": Column("group"),
             "note": Column("", write=_mark_note, names="nobody")},
            estimate="strength",
        ),
        "triples": Estimated(
            "Triples with a majority on all three pairs",
            "",
            {**_TOPIC, "triples": Column("triples"), "intransitive": Column("intransitive"),
             "share": Column("share")},
        ),
        "intransitive": Estimated(
            "Intransitive triples: first > second > third > first",
            "",
            {**_TOPIC, **_ITEMS},
        ),
        "agreement": Estimated(
            "Agreement of preferences", "agreement of all assessors on pairs",
            _AGREEMENT | {"pairs": Column("pairs of assessors")},
        ),
        "agreement_by_pair": Estimated(
            "Agreement of every two assessors on preferences",
            "agreement of these two assessors on pairs",
            _TWO | _AGREEMENT,
        ),
        "sides": Estimated(
            "Side bias",
            "share of choices that are of the left side",
            {**_WHO, "left": Column("left"), "n": Column("of"), "share": Column("share"), **_P},
            estimate="share",
        ),
        "repeats": Estimated(
            "The same pair again with sides swapped",
            "share of repeats with the same choice",
            {**_WHO, "n": Column("repeats"), "same": Column("same"), "left": Column("left"),
             "right": Column("right"), "changed": Column("changed"), "share": Column("same"),
             **_P},
            estimate="share",
        ),
        "reasons": Estimated(
            "Reasons of preferences",
            "",
            {"winner": Column("winner", names="nobody"), "reason": Column("reason", names="nobody"),
             "n": Column("given"), "left": Column("on the left"), "right": Column("on the right"),
             "of": Column("of"), "share": Column("share")},
        ),
        "by_level": _by_difference(LEVEL),
        "by_weight": _by_difference(WEIGHT),
        "slopes": Estimated(
            "Slope of the log odds of being preferred",
            "slope of the log odds of being preferred, for a unit of this difference",
            {"of": Column("for a unit of"), "value": Column("slope")},
        ),
    }  # fmt: skip

    @property
    def kind(self) -> str:
        """What was compared: 'documents' or 'systems'."""
        return str(self.given["kind"].iloc[0])

    @property
    def notes(self) -> Sequence[str]:
        """What cannot be told of agreement and levels, a tie's worth, and of strengths."""
        fitted = self.fitted
        notes = [self.no_agreement, self.no_levels, self.no_weights, *fitted.frame["note"].unique()]
        notes.append(self.tell_by_itself())
        if len(self.outcomes) > 1 or len(self.sides) > _ALL_AND_ONE:
            notes.append(UNCORRECTED)
        if fitted.model != MODELS[0]:
            notes.append(f"tie parameter of strengths: {write_number(fitted.tie_parameter)}")
        return [note for note in notes if note]

    def tell_by_itself(self, topic_id: str = "") -> str:
        """Return that limits of strengths are each item's own; '' where they are no more than two.

        Of two items, whose mean is 0, one strength is the other's opposite.

        Parameters
        ----------
        topic_id : str, optional
            Of which topic; of all, or of preferences over topics, without.
        """
        rows = self.fitted.frame
        rows = rows[np.isfinite(rows["low"]) & np.isfinite(rows["high"])]
        rows = rows[rows["topic_id"] == topic_id] if topic_id else rows
        groups = rows.groupby(["topic_id", "group"]).size()
        if not (groups > 2).any():
            return ""
        return (
            f"limits of strengths hold for each of the {len(rows):,} items by itself, not for all "
            "at once"
        )

    @cached_property
    def answer(self) -> str:
        """Which pairs are decided, the clearest of them, and how far one order fits them."""
        return f"{self.tell_pairs()} {self.tell_cycles()}".strip()

    def tell_pairs(self, topic_id: str = "") -> str:
        """Return how many pairs have a clear winner, of a topic or in all, and the clearest.

        p is corrected for all pairs that are spoken of, so that among equals hardly any is found.
        """
        rows = self.outcomes
        rows = rows[rows["topic_id"] == topic_id] if topic_id else rows
        clear = rows[correct(rows["p"].fillna(1.0).to_numpy(), "holm") < self.question.alpha]
        pairs = count(len(rows), f"pair of {self.kind}", f"pairs of {self.kind}")
        have = "have" if len(clear) > 1 else "has"
        number = mark_fact(f"{len(clear):,}" if len(clear) else "none")
        corrected = f" after Holm's correction for {len(rows):,} pairs" if len(rows) > 1 else ""
        sentence = (
            f"Of {pairs}, {number} {have} a clear winner (exact sign test, "
            f"p < {self.question.alpha:g}{corrected})"
        )
        if clear.empty:
            return f"{sentence}{self._tell_least(rows)}."
        alike = clear[clear["p"] == clear["p"].min()]
        row = alike.iloc[0]
        ends = [(row["won"], row["first"]), (row["lost"], row["second"])]
        (most, winner), (least, loser) = ends if row["won"] > row["lost"] else ends[::-1]
        where = "" if topic_id or not row["topic_id"] else f", on topic {row['topic_id']}"
        others = f", and {len(alike) - 1:,} more as clear" if len(alike) > 1 else ""
        return (
            f"{sentence}; the clearest{where}: {mark_fact(winner)} over {loser}, {most} to {least}"
            f"{others}."
        )

    def _tell_least(self, rows: pd.DataFrame) -> str:
        """Return that no pair could have a clear winner, where even one without a loss has none."""
        most = int(rows["units"].max())
        if min(1.0, 2.0 ** (1 - most)) * len(rows) < self.question.alpha:
            return ""
        return f"; with at most {count(most, rows['unit'].iloc[0])} a pair, none could have"

    def tell_cycles(self) -> str:
        """Return how many triples no order fits; '' where no triple is decided."""
        found = self.cycles
        if not found.triples:
            return ""
        number = mark_fact(f"{found.intransitive:,} of {found.triples:,}")
        triples = "triple" if found.triples == 1 else "triples"
        verb = "is" if 1 in (found.intransitive, found.triples) else "are"
        return (
            f"{number} {triples} with a majority on all three pairs {verb} intransitive "
            f"({100 * found.share:.1f} %; choices at random would give 25 % on average)."
        )

    @cached_property
    def outcomes(self) -> pd.DataFrame:
        """Wins, losses and ties of every pair: the columns of `tabulate_outcomes`."""
        return tabulate_outcomes(self.given)

    @cached_property
    def outcomes_by_topic(self) -> pd.DataFrame:
        """The same topic by topic."""
        return tabulate_outcomes(self.given, by_topic=True)

    @cached_property
    def fitted(self) -> Strengths:
        """The model of strengths, fitted; raises TooLittleData where it cannot be.

        Limits of systems are over topics, those of documents over the topic's assessors.
        """
        counts = count_pairs(self.given)
        return bradley_terry(counts, self.question.model, cluster_preferences(self.given, counts))

    @cached_property
    def strengths(self) -> pd.DataFrame:
        """The columns of ``Strengths``, of each topic and group the strongest first."""
        return self.fitted.frame.sort_values(
            ["topic_id", "group", "strength"],
            ascending=[True, True, False],
            kind="stable",
            ignore_index=True,
        )

    def rank_beside(self, scores: pd.Series[float]) -> pd.DataFrame:
        """Return systems by falling strength, beside their scores by a measure.

        Parameters
        ----------
        scores : Series
            By system, higher is better.

        Returns
        -------
        DataFrame
            The columns of `rank_by_preference`, ``score`` and ``rank_by_score``; NaN for a system
            without a score, the better rank for those that are tied.

        Raises
        ------
        BadInput
            The preferences are between documents.
        """
        ranked = rank_by_preference(self.fitted)
        ranked["score"] = ranked["system"].map(scores)
        tied = pd.Series(tie_close(ranked["score"]), ranked.index)
        return ranked.assign(rank_by_score=tied.rank(ascending=False, method="min"))

    def tell_beside(self, scores: pd.Series[float], measure: str) -> str:
        """Return how alike the order by preference is to that by scores: see `rank_beside`."""
        tau, systems, reason = compare_with_scores(rank_by_preference(self.fitted), scores)
        if np.isnan(tau):
            return f"Kendall's τ-b of the two orders is not defined: {reason}."
        return (
            f"Kendall's τ-b between the order by preference and that by {measure} is "
            f"{mark_fact(write_number(tau))} over {count(systems, 'system')}."
        )

    @cached_property
    def cycles(self) -> Transitivity:
        """The triples that were compared, and the cycles among them."""
        return find_intransitive(count_pairs(self.given))

    @property
    def triples(self) -> pd.DataFrame:
        """``topic_id, triples, intransitive, share, reason`` of each topic, or over topics."""
        return self.cycles.topics

    @property
    def intransitive(self) -> pd.DataFrame:
        """Some cycles: ``topic_id, first, second, third``."""
        return self.cycles.examples

    @property
    def agreement(self) -> pd.DataFrame:
        """Agreement of all assessors; no row where there is too little for it."""
        return self._agreement[0]

    @property
    def no_agreement(self) -> str:
        """Why there is no agreement of assessors; '' where there is."""
        return self._agreement[1]

    @cached_property
    def _agreement(self) -> tuple[pd.DataFrame, str]:
        try:
            return preference_agreement(self.given), ""
        except TooLittleData as error:
            return pd.DataFrame(), str(error)

    @cached_property
    def agreement_by_pair(self) -> pd.DataFrame:
        """Agreement of every two assessors; no row where there is too little for it."""
        return pd.DataFrame() if self.no_agreement else preference_agreement_by_pair(self.given)

    @cached_property
    def sides(self) -> pd.DataFrame:
        """How often each assessor, and all, prefer the left side: the columns of `side_bias`."""
        return side_bias(self.given)

    @cached_property
    def repeats(self) -> pd.DataFrame:
        """What was chosen again with sides swapped: the columns of `swapped_repeats`."""
        return swapped_repeats(self.given)

    @cached_property
    def reasons(self) -> pd.DataFrame:
        """How often each reason was given, by winner: the columns of `count_reasons`."""
        given = self.given_reasons
        return pd.DataFrame() if given is None else count_reasons(_take(given))

    @property
    def no_levels(self) -> str:
        """Why labels tell nothing of preferences; '' where they do, or where there are none."""
        return self._differences[1]

    @property
    def no_weights(self) -> str:
        """Why weights that are given tell nothing where levels do; '' where they do, too."""
        found = self._differences[0]
        return NO_WEIGHT if self.question.weights and found and WEIGHT not in found else ""

    @cached_property
    def _differences(self) -> tuple[dict[str, pd.DataFrame], str]:
        """How far the documents of each preference are apart, by what they differ by."""
        if self.given_labels is None or self.kind != DOCUMENTS:
            return {}, ""
        labels = _take(self.given_labels)
        if labels.empty:
            return {}, ""
        own = counted_labels(labels, str(self.given["facet"].iloc[0]))
        level, weights = own["level"].astype("float64"), dict(self.question.weights)
        gains = {LEVEL: level} | ({WEIGHT: level.map(weights)} if weights else {})
        found, reason = {}, ""
        for of, gain in gains.items():
            means = own.assign(gain=gain).groupby(["topic_id", "document_id"])["gain"].mean()
            known = means.dropna().rename_axis(["topic_id", "item"]).reset_index()
            try:
                found[of] = gain_differences(self.given, known)
            except TooLittleData as error:
                reason = str(error)
        return found, "" if found else reason

    @property
    def by_level(self) -> pd.DataFrame:
        """The columns of `preference_by_difference` of mean levels, and ``name``, the class.

        Without a row where no labels are given, or none on both documents of a preference.
        """
        return self._classify(LEVEL)

    @property
    def by_weight(self) -> pd.DataFrame:
        """The same by the difference of mean weights; without a row where no weights are asked."""
        return self._classify(WEIGHT)

    def _classify(self, of: str) -> pd.DataFrame:
        if of not in self._differences[0]:
            return pd.DataFrame()
        differences = self._differences[0][of]
        highest = float(differences["difference"].abs().max())
        edges = np.linspace(0, highest * (1 + 1e-9), CLASSES + 1).tolist() if highest else None
        rows = preference_by_difference(differences, edges)
        limits = zip(rows["over"], rows["up_to"], strict=True)
        return rows.assign(name=[f"{low:.2g}–{high:.2g}" for low, high in limits])

    @cached_property
    def slopes(self) -> pd.DataFrame:
        """``of, value, low, high, interval, unit, units, reason``: see `preference_slope`."""
        rows = []
        for of, differences in self._differences[0].items():
            slope, low, high, reason = preference_slope(differences)
            topics = differences.loc[differences["difference"] != 0, "topic_id"].nunique()
            numbers = {"of": of, "value": slope, "low": low, "high": high}
            about = {"interval": "jackknife", "unit": "topic", "units": topics, "reason": reason}
            rows.append(numbers | about)
        return pd.DataFrame(rows)

    def tell_slope(self, of: str = LEVEL) -> str:
        """Return how far a difference predicts the preference; '' where it is not known."""
        rows = self.slopes
        if rows.empty or of not in [*rows["of"]]:
            return ""
        row = rows[rows["of"] == of].iloc[0]
        what = f"The slope of the log odds of being preferred, for a unit of {of}, is"
        if np.isnan(row["value"]):
            return f"{what} not defined: {row['reason']}."
        reason, limits = row["reason"], write_limits(row["low"], row["high"])
        limits = f"no interval: {reason}" if reason else f"95 % interval over topics {limits}"
        return (
            f"{what} {mark_fact(write_number(row['value']))} ({limits}); 0 would mean that the "
            "difference does not predict the preference."
        )
