"""How far the latest round is: what it asks for, and what has been given in it."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from core.analysis.base.study import (
    Study,
    coded_labels_of,
    follows_labels,
    mask_people,
    stands_apart_from_labels,
    topics_of,
)
from core.analysis.judging.to_come import count_to_come
from core.analysis.overview.forecast import Times
from core.store.people.members import list_assessors, list_members
from core.store.rounds.judgements import read_items_at_k, read_places
from core.store.rounds.rounds import Round, list_rounds

ACTIVE = pd.Timedelta(hours=24)
"""Who has judged something within this time is active."""

MOST_POINTS = 300
"""How many points a curve is drawn with at most."""


@dataclass(frozen=True, eq=False)
class RoundProgress:
    """How far a round is.

    Parameters
    ----------
    rules : Round
        Which round.
    places : DataFrame
        From ``read_places``, with ``required``: how many judgements the place will have when it
        is done. What its holder had said before the round is not required.
    members : DataFrame
        assessor_id, assessor (the name) of those who hold a place or could take one.
    to_come : int
        Where an order chooses: how many judgements what is not chosen yet will ask for.
    """

    rules: Round
    places: pd.DataFrame
    members: pd.DataFrame
    to_come: int = 0

    @property
    def judged(self) -> int:
        """How many judgements have been given in the round."""
        return int(self.places["judged"].sum())

    @property
    def required(self) -> int:
        """How many judgements there are when the round is done."""
        return int(self.places["required"].sum()) + self.to_come

    @property
    def left(self) -> int:
        """How many judgements are still to come."""
        return self.required - self.judged

    @cached_property
    def times(self) -> Times:
        """When each judgement of the round was first given, in order, in UTC."""
        given = self.places["times"].dropna()
        none = np.empty(0, dtype="datetime64[us]")
        return np.sort(np.concatenate([none, *given]))

    @cached_property
    def people(self) -> pd.DataFrame:
        """Return assessor_id, assessor, held (places), judged, left, last; most left first.

        ``last`` is when somebody last judged in the round, NaT before the first time.
        """
        by = self.places.groupby("assessor_id")
        counts = by[["judged", "required"]].sum()
        counts["held"] = by.size()
        counts["last"] = by["times"].agg(_find_last).astype("datetime64[us]")
        table = self.members.set_index("assessor_id").join(counts)
        table[["held", "judged", "required"]] = (
            table[["held", "judged", "required"]].fillna(0).astype("int64")
        )
        table["left"] = table["required"] - table["judged"]
        columns = ["assessor_id", "assessor", "held", "judged", "left", "last"]
        ordered = table.sort_values(["left", "assessor"], ascending=[False, True])
        return ordered.reset_index()[columns]

    def count_active(self, now: pd.Timestamp) -> int:
        """Return how many people have judged something in the last 24 hours."""
        return int((self.people["last"] >= now - ACTIVE).sum())


def _find_last(times: "pd.Series[Any]") -> Any:
    return max((part[-1] for part in times.dropna()), default=pd.NaT)


@stands_apart_from_labels
def current_round(study: Study) -> Round | None:
    """Return the latest round that is open; the latest of all where none is."""
    rounds = list_rounds(study.store, study.collection_id)
    still_open = [one for one in rounds if one.closed_at is None]
    return next(iter((still_open or rounds)[::-1]), None)


@stands_apart_from_labels
def other_open_rounds(study: Study) -> tuple[str, ...]:
    """Return the names of the open rounds besides the current one, oldest first."""
    rounds, current = list_rounds(study.store, study.collection_id), current_round(study)
    return tuple(one.name for one in rounds if one.closed_at is None and one != current)


@follows_labels
def round_progress(study: Study) -> RoundProgress | None:
    """Return how far the current round is; None before the first."""
    rules = current_round(study)
    if rules is None:
        return None
    places = mask_people(study, read_places(study.store, rules))
    called_for = places["items"] - places["earlier"] - places["passed"]
    finished = places["finished_at"].notna()
    places = places.assign(required=called_for.mask(finished, places["judged"]))
    to_come = count_to_come(study.store, rules)
    return RoundProgress(rules, places, _list_people(study, places, to_come > 0), to_come)


def _list_people(study: Study, places: pd.DataFrame, more_comes: bool) -> pd.DataFrame:
    """Return those who hold a place, and those who can sign in where places are or get free."""
    listed = list_members(study.store, study.collection_id)
    here = listed.loc[listed["dropped_at"].isna(), ["assessor_id", "name"]]
    able = here["assessor_id"].isin(list(list_assessors(study.store, study.collection_id)))
    members = mask_people(study, here.assign(able=able)).rename(columns={"name": "assessor"})
    holds = members["assessor_id"].isin(places["assessor_id"].dropna())
    is_free = more_comes or bool(places["assessor_id"].isna().any())
    wanted = members[holds | (members["able"] & is_free)]
    return wanted.drop(columns="able").reset_index(drop=True)


@follows_labels
def burn_up(study: Study) -> pd.DataFrame:
    """Return time and judged, how many judgements of the round there were; no rows before any."""
    progress = round_progress(study)
    times = progress.times if progress else np.empty(0, dtype="datetime64[us]")
    keep = np.unique(np.linspace(0, len(times) - 1, min(len(times), MOST_POINTS)).astype(int))
    return pd.DataFrame({"time": times[keep], "judged": keep + 1})


@follows_labels
def round_by_topic(study: Study) -> pd.DataFrame:
    """Return how far each topic of the round is.

    Returns
    -------
    DataFrame
        topic_id, query, progress (share of judgements given, in [0, 1]), judged, required,
        items, at_k (items with a level by each holder that the round asks for), lacking, open,
        taken, finished (places: nobody has begun, under way, done), free (places that nobody
        holds), cannot_judge (judgements). No rows before the first round.
    """
    progress = round_progress(study)
    if progress is None:
        return pd.DataFrame(columns=[*_TOPIC])
    places = progress.places
    finished = places["finished_at"].notna()
    begun = (places["judged"] > 0) & ~finished
    table = (
        places.assign(
            finished=finished,
            taken=begun,
            open=~finished & ~begun,
            free=places["assessor_id"].isna(),
        )
        .groupby("topic_id")[
            ["judged", "required", "open", "taken", "finished", "free", "cannot_judge"]
        ]
        .sum()
        .join(read_items_at_k(study.store, progress.rules).set_index("topic_id"))
    )
    share = (table["judged"] / table["required"]).where(table["required"] > 0, 1.0)
    known = topics_of(study)[["topic_id", "query"]]
    return known.merge(table.assign(progress=share).reset_index(), on="topic_id")[[*_TOPIC]]


_TOPIC = (
    "topic_id", "query", "progress", "judged", "required", "items", "at_k", "lacking",
    "open", "taken", "finished", "free", "cannot_judge",
)  # fmt: skip


@follows_labels
def count_imported(study: Study) -> int:
    """Return how many of the labels that stand came by import: the baseline, never progress."""
    labels = coded_labels_of(study)
    return int(((labels["source"] != "judged") & (labels["state"] == "level")).sum())
