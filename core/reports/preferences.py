"""What people prefer of two things side by side, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import pandas as pd

from core.agreement.base import name_coefficient
from core.errors import TooLittleData
from core.numerals import write_number, write_p
from core.preference.agreement import preference_agreement, preference_agreement_by_pair
from core.preference.bradley_terry import Strengths, bradley_terry
from core.preference.choices import MODELS
from core.preference.clusters import cluster_preferences
from core.preference.outcomes import tabulate_outcomes
from core.preference.pair_counts import count_pairs
from core.preference.reasons import count_reasons
from core.preference.sides import side_bias, swapped_repeats
from core.preference.transitivity import Transitivity, find_intransitive
from core.reports.report import Column, Estimated, Report
from core.wording import count, mark_fact

_TOPIC = {"topic_id": Column("topic")}
_TWO = {"first": Column("first"), "second": Column("second")}
_P = {"p": Column("p", write=write_p)}
_COUNTS = {name: Column(name) for name in ("wins", "losses", "ties")}
_OUTCOMES = {**_TOPIC, **_TWO, **_COUNTS, "share": Column("share"), **_P}
_AGREEMENT = {
    "coefficient": Column("coefficient", write=name_coefficient),
    "n": Column("common pairs"),
    "value": Column("value"),
}


def _name_assessor(assessor: str) -> str:
    return assessor or "(all)"


def _mark_note(note: str) -> str:
    return "*" if note else ""


_WHO = {"assessor_id": Column("assessor", write=_name_assessor)}


@dataclass(frozen=True)
class PreferenceQuestion:
    """What is asked of preferences.

    Parameters
    ----------
    model : str
        Of strengths: one of ``MODELS``, by what a tie is in it.
    alpha : float
        Below which p of the sign test a pair has a clear winner.
    """

    model: str = MODELS[0]
    alpha: float = 0.05


USUAL = PreferenceQuestion()
"""What is asked where nothing is chosen."""


@dataclass(frozen=True, eq=False)
class Preferences(Report):
    """Which of two documents, or of two systems, people prefer; ``dissent.preferences`` makes it.

    Its tables are computed when first asked for, and raise TooLittleData where nobody has given a
    preference; ``answer`` is a sentence. Over topics, these are what limits take for sampled;
    within a topic it is its assessors for strengths, and preferences for shares.

    Parameters
    ----------
    given : DataFrame
        Preferences of one kind and facet. ``sides`` and ``repeats`` can be of several.
    question : PreferenceQuestion
        What is asked.
    given_reasons : DataFrame, optional
        Why they were given, a row for each reason, as ``count_reasons`` takes them.
    """

    given: pd.DataFrame
    question: PreferenceQuestion = USUAL
    given_reasons: pd.DataFrame | None = None

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
            {**_TOPIC, "item": Column("item"), "n": Column("comparisons"),
             "strength": Column("strength"), "group": Column("group"),
             "note": Column("", write=_mark_note)},
            estimate="strength",
        ),
        "triples": Estimated(
            "Triples whose three pairs are decided",
            "",
            {**_TOPIC, "triples": Column("triples"), "intransitive": Column("intransitive"),
             "share": Column("share")},
        ),
        "intransitive": Estimated(
            "Intransitive triples: first > second > third > first",
            "",
            {**_TOPIC, **_TWO, "third": Column("third")},
        ),
        "agreement": Estimated(
            "Agreement of preferences", "agreement of all assessors on pairs", _AGREEMENT
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
            {name: Column(name)
             for name in ("winner", "reason", "n", "left", "right", "of", "share")},
        ),
    }  # fmt: skip

    @property
    def kind(self) -> str:
        """What was compared: 'documents' or 'systems'."""
        return str(self.given["kind"].iloc[0])

    @property
    def notes(self) -> Sequence[str]:
        """Why there is no agreement, what a tie is worth, and what strengths are not known."""
        fitted = self.fitted
        notes = [self.no_agreement, *fitted.frame["note"].unique()]
        if fitted.model != MODELS[0]:
            notes.append(f"tie parameter of strengths: {write_number(fitted.tie_parameter)}")
        return [note for note in notes if note]

    @cached_property
    def answer(self) -> str:
        """Which pairs are decided, the clearest of them, and how far one order fits them."""
        return f"{self.tell_pairs()} {self.tell_cycles()}".strip()

    def tell_pairs(self, topic_id: str = "") -> str:
        """Return how many pairs have a clear winner, of a topic or in all, and the clearest."""
        rows = self.outcomes
        rows = rows[rows["topic_id"] == topic_id] if topic_id else rows
        clear = rows[rows["p"] < self.question.alpha]
        pairs = count(len(rows), f"pair of {self.kind}", f"pairs of {self.kind}")
        have = "has" if len(clear) == 1 else "have"
        told = (
            f"Of {pairs}, {mark_fact(str(len(clear)))} {have} a clear winner (exact sign test, "
            f"p < {self.question.alpha:g}, not corrected for the number of pairs)"
        )
        if clear.empty:
            return f"{told}."
        row = clear.sort_values("p", kind="stable").iloc[0]
        ends = [(row["won"], row["first"]), (row["lost"], row["second"])]
        (most, winner), (least, loser) = ends if row["won"] > row["lost"] else ends[::-1]
        where = "" if topic_id or not row["topic_id"] else f", on topic {row['topic_id']}"
        return f"{told}; the clearest{where}: {mark_fact(winner)} over {loser}, {most} to {least}."

    def tell_cycles(self) -> str:
        """Return how many triples no order fits; '' where no triple is decided."""
        found = self.cycles
        if not found.triples:
            return ""
        number = mark_fact(f"{found.intransitive:,} of {found.triples:,}")
        return (
            f"{number} triples whose three pairs are decided are intransitive ({found.share:.1%}; "
            "choices at random would give 25 % on average)."
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
        return pd.DataFrame() if self.given_reasons is None else count_reasons(self.given_reasons)
