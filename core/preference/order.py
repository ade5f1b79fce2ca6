"""The order that preferences make: of documents as judgements, of systems as a ranking."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from core.comparison.rank_correlation import kendall_tau
from core.errors import BadInput, TooLittleData
from core.preference.bradley_terry import Strengths

SEVERAL_GROUPS = (
    "not all its documents were compared, directly or through others: there is no single order"
)
_EQUAL = 1e-6
"""Strengths closer than this are the same: the fit is exact to about as much."""


@dataclass(frozen=True, eq=False)
class PreferenceOrder:
    """Judgements by preference.

    Attributes
    ----------
    qrels : DataFrame
        ``topic_id, iteration`` ('0'), ``document_id, level``, sorted by topic and document.
    left_out : DataFrame
        ``topic_id, reason``: topics without an order.
    """

    qrels: pd.DataFrame
    left_out: pd.DataFrame


def order_documents(
    strengths: Strengths, levels: Literal["rank", "strength"] = "rank"
) -> PreferenceOrder:
    """Return the order of each topic's documents as judgements that any measure takes.

    Parameters
    ----------
    strengths : Strengths
        Of documents, topic by topic.
    levels : {'rank', 'strength'}
        ``rank``: 0 for the weakest document of a topic, 1 for the next …, the same for equal
        strengths: whole numbers. ``strength``: how much stronger than the topic's weakest, on
        the log scale: real numbers, for graded measures. Binary ones, to which a level from 1
        on is relevant, are better served by ranks.

    Returns
    -------
    PreferenceOrder
        The weakest document of each topic has level 0 and so counts as not relevant. Topics whose
        documents fall into groups without a comparison between them are left out.

    Raises
    ------
    BadInput
        The strengths are those of systems over topics, or the levels are unknown.
    TooLittleData
        No topic has an order.
    """
    if levels not in ("rank", "strength"):
        raise BadInput(f"'{levels}' is not known; levels are by rank or strength", field="levels")
    frame = strengths.frame
    if (frame["topic_id"] == "").any():
        raise BadInput("these strengths are over topics; judgements need strengths topic by topic")
    several = frame.groupby("topic_id")["group"].transform("max") > 1
    if several.all():
        raise TooLittleData(f"no topic has an order by preference: {SEVERAL_GROUPS}")
    kept = frame[~several]
    make = _rank_levels if levels == "rank" else _strength_levels
    qrels = pd.DataFrame(
        {
            "topic_id": kept["topic_id"],
            "iteration": "0",
            "document_id": kept["item"],
            "level": make(kept),
        }
    )
    lost = frame.loc[several, ["topic_id"]].drop_duplicates(ignore_index=True)
    return PreferenceOrder(qrels.reset_index(drop=True), lost.assign(reason=SEVERAL_GROUPS))


def _rank_levels(frame: pd.DataFrame) -> "pd.Series[int]":
    ordered = frame.sort_values(["topic_id", "strength"], kind="stable")
    step = ordered.groupby("topic_id")["strength"].diff() > _EQUAL
    return step.groupby(ordered["topic_id"]).cumsum().astype(np.int64)


def _strength_levels(frame: pd.DataFrame) -> "pd.Series[float]":
    return frame["strength"] - frame.groupby("topic_id")["strength"].transform("min")


def rank_by_preference(strengths: Strengths) -> pd.DataFrame:
    """Return systems by falling strength.

    Parameters
    ----------
    strengths : Strengths
        Of systems over topics.

    Returns
    -------
    DataFrame
        ``system, strength, low, high, interval, unit, units, rank``; systems of equal strength
        share the better rank, and ranks count within a group of systems that were compared;
        ``group, note, reason`` as in ``Strengths``.

    Raises
    ------
    BadInput
        The strengths are those of documents.
    """
    frame = strengths.frame
    if (frame["topic_id"] != "").any():
        raise BadInput("these strengths are topic by topic; systems are ranked over topics")
    ordered = frame.sort_values(["group", "strength"], ascending=[True, False], kind="stable")
    step = ordered.groupby("group")["strength"].diff().lt(-_EQUAL)
    position = ordered.groupby("group").cumcount() + 1
    rank = position.where(step | (position == 1)).ffill().astype(np.int64)
    limits = ["low", "high", "interval", "unit", "units"]
    columns = ["item", "strength", *limits, "rank", "group", "note", "reason"]
    ranked = ordered.assign(rank=rank)[columns].rename(columns={"item": "system"})
    return ranked.reset_index(drop=True)


def compare_with_scores(ranked: pd.DataFrame, scores: "pd.Series[float]") -> tuple[float, int, str]:
    """Kendall's τ-b between the ranking by preference and one by scores.

    Parameters
    ----------
    ranked : DataFrame
        From ``rank_by_preference``.
    scores : Series
        A score for each system, higher is better, by system: mean nDCG, say.

    Returns
    -------
    tau : float
        In [-1, 1], over the systems that both rank; NaN where it is not defined.
    systems : int
        How many those are.
    reason : str
        Why τ is NaN; '' otherwise.
    """
    both = ranked[ranked["system"].isin(scores.dropna().index)]
    if both["group"].nunique() > 1:
        return float("nan"), len(both), "some systems were not compared, directly or through others"
    scored = both["system"].map(scores).astype(float)
    tau = kendall_tau(-both["rank"], scored)
    few = "fewer than two systems have both" if len(both) < 2 else "all systems are tied"
    return tau, len(both), few if np.isnan(tau) else ""
