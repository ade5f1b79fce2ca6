"""What showing a machine's levels did in a round: halves, assessors and drift, and the answer."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from core.analysis.base.study import Study, follows_labels, mask_people, stands_apart_from_labels
from core.assessment.showing import is_drawn
from core.collection.records import PAGE
from core.errors import NotFound
from core.machines.anchoring import (
    FIRST,
    REVISED,
    TOWARDS,
    compare_by_assessor,
    compare_halves,
    follow_drift,
)
from core.numerals import write_number
from core.store.events.labels import Key
from core.store.people.roster import read_left_out
from core.store.rounds.rounds import get_round
from core.store.rounds.showing import Showing, find_showing, list_showings, read_beside
from core.wording import count, plain


@stands_apart_from_labels
def showing_rounds_of(study: Study) -> dict[str, str]:
    """Return the names of the rounds that show a machine's levels, by id, oldest first."""
    rounds = [one.round_id for one in list_showings(study.store, study.collection_id)]
    return {round_id: get_round(study.store, round_id).name for round_id in rounds}


@follows_labels
def shown_labels_of(study: Study, round_id: str) -> pd.DataFrame:
    """Return the labels of a round that shows a machine's levels, with the half each is in.

    Returns
    -------
    DataFrame
        What ``read_beside`` gives, and shown: whether it is drawn to be told. ``told`` says whether
        it was; those that were judged after the round was closed were not. Of persons only.

    Raises
    ------
    NotFound
        The round shows no machine's levels.
    """
    showing = require_showing(study, round_id)
    rows = read_beside(study.store, showing)
    persons = rows[~rows["assessor_id"].isin(list(read_left_out(study.store, study.collection_id)))]
    drawn = [
        is_drawn(showing, Key(topic, document, PAGE, "", assessor, 0))
        for assessor, topic, document in zip(
            persons["assessor_id"], persons["topic_id"], persons["document_id"], strict=True
        )
    ]
    return mask_people(study, persons.assign(shown=np.asarray(drawn, bool)).reset_index(drop=True))


def require_showing(study: Study, round_id: str) -> Showing:
    """Return whose levels a round of the collection shows; raises NotFound where it shows none."""
    showing = find_showing(study.store, round_id)
    if showing is None or showing.collection_id != study.collection_id:
        raise NotFound("This round shows no machine's levels.")
    return showing


@follows_labels
def halves_of(study: Study, round_id: str) -> pd.DataFrame:
    """Return ``compare_halves`` of a round; raises TooLittleData before anything was judged."""
    return compare_halves(shown_labels_of(study, round_id))


@follows_labels
def halves_by_assessor(study: Study, round_id: str) -> pd.DataFrame:
    """Return ``compare_by_assessor`` of a round; raises TooLittleData as ``halves_of`` does."""
    return compare_by_assessor(shown_labels_of(study, round_id))


@follows_labels
def drift_of(study: Study, round_id: str) -> pd.DataFrame:
    """Return ``follow_drift`` of a round; raises TooLittleData as ``halves_of`` does."""
    return follow_drift(shown_labels_of(study, round_id))


def answer_anchoring(halves: pd.DataFrame, machine: str) -> str:
    """Return in Markdown what showing a machine's levels did, and whether the draw was fair.

    Parameters
    ----------
    halves : DataFrame
        As `halves_of` returns it.
    machine : str
        What the machine is called.
    """
    rows = halves.set_index("question").to_dict("index")
    revised, towards, first = rows[REVISED], rows[TOWARDS], rows[FIRST]
    if np.isnan(revised["difference"]):
        return f"Whether showing {plain(machine)} did anything cannot be told: {revised['reason']}."
    shown, other = (count(int(revised[one]), "label") for one in ("shown_items", "other_items"))
    return (
        f"Of {shown} after which {plain(machine)}'s level was to be shown, assessors revised "
        f"**{_say_share(revised['shown'])}**, {_say_share(towards['shown'])} towards it; of the "
        f"{other} without, **{_say_share(revised['other'])}**: {_say_difference(revised)}. "
        f"{_say_first(first)}."
    )


def _say_share(share: float) -> str:
    """Return a share in percent; what is neither none nor all is not told as that."""
    if 0 < share < _LEAST_SHARE:
        return "under 1%"
    return "over 99%" if 1 - _LEAST_SHARE < share < 1 else f"{share:.0%}"


_LEAST_SHARE = 0.005


def _say_first(first: Mapping[Any, Any]) -> str:
    """Return how far first labels agree with the machine in either half, and what that tells."""
    labels = "irst labels, given before anything was shown, agree with it"
    if np.isnan(first["difference"]):
        return f"How far f{labels} is not known of both: {first['reason']}"
    shares = f"{_say_share(first['shown'])} and {_say_share(first['other'])}"
    return f"F{labels} in {shares}; {_judge_draw(first)}"


def _say_difference(row: Mapping[Any, Any]) -> str:
    """Return a difference of shares with its limits, and no more than these bear out."""
    number = write_number(100 * row["difference"], 0, signed=True)
    points = f"{number} percentage {'point' if number in ('+1', '−1') else 'points'}"
    if row["reason"]:
        return f"{points}, without limits, as {row['reason']}"
    limits = f"[{write_number(100 * row['low'], 0)}, {write_number(100 * row['high'], 0)}]"
    moved = f"{points}, 95 % limits {limits} over {count(int(row['topics']), 'topic')}"
    if row["low"] <= 0 <= row["high"]:
        return f"{moved}, so no difference is shown, nor that there is none"
    return f"{moved}, so showing it made them revise {'more' if row['difference'] > 0 else 'less'}"


def _judge_draw(row: Mapping[Any, Any]) -> str:
    """Return whether first labels, which nothing can have moved, differ between the halves."""
    if row["reason"]:
        return f"whether these differ cannot be told, as {row['reason']}"
    if row["low"] <= 0 <= row["high"]:
        return "as the draw is random, they are not expected to differ, and are not shown to"
    return (
        "these differ, which a random draw leaves to happen in one round of twenty: read the rest "
        "with care"
    )
