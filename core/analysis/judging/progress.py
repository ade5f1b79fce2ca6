"""How far the judging of a study is: what the report rests on."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial

import pandas as pd

from core.analysis.base.study import (
    Study,
    coded_labels_of,
    follows_labels,
    leave_out,
    mask_people,
    topics_of,
)
from core.analysis.base.versioned_cache import VersionedCache
from core.analysis.judging.waiting import count_to_come
from core.assessment.handing_out.matrix import read_slot_states
from core.assessment.handing_out.queue import count_places_to_come
from core.reports.progress import LATEST, Judging, Progress, ProgressQuestion, RoundAnswers
from core.store.people.members import list_assessors, list_members
from core.store.rounds.judgements import read_items_at_k, read_places
from core.store.rounds.rounds import Round, list_rounds

_KEPT = VersionedCache(most=16)


def ask_progress(
    study: Study, question: ProgressQuestion = LATEST, now: pd.Timestamp | None = None
) -> Progress:
    """Return how far a study is at a minute: this one, without.

    Raises
    ------
    NotFound
        There is no such round.
    """
    found = Progress(_read_judging(study, _read_answers), _find_minute(now), question)
    _ = found.rules  # there is such a round
    return found


def keep_progress(study: Study, now: pd.Timestamp | None = None) -> Progress:
    """Return what `ask_progress` does of the latest round, kept for live pages.

    It is read again when a label comes, the collection changes or a minute has passed; who takes
    or finishes a place without either is seen with the next.
    """
    minute = _find_minute(now)
    state = (study.sequence, study.store.state(study.collection_id)[1], minute)
    found: Progress = _KEPT.get(study, state, lambda: Progress(_judging_of(study), minute))
    return found


def _find_minute(now: pd.Timestamp | None) -> pd.Timestamp:
    time = pd.Timestamp(datetime.now(UTC)).tz_localize(None) if now is None else now
    return time.floor("min")


@follows_labels
def _judging_of(study: Study) -> Judging:
    return _read_judging(study, _answers_of)


@follows_labels
def _answers_of(study: Study, rules: Round) -> RoundAnswers:
    return _read_answers(study, rules)


def _read_judging(study: Study, read: Callable[[Study, Round], RoundAnswers]) -> Judging:
    here = study.store, study.collection_id
    return Judging(
        list_rounds(*here),
        mask_people(study, read_slot_states(*here)),
        count_places_to_come(*here),
        partial(read, study),
        partial(coded_labels_of, study),
        partial(topics_of, study),
        lambda: leave_out(study, mask_people(study, list_members(*here))),
    )


def _read_answers(study: Study, rules: Round) -> RoundAnswers:
    places = mask_people(study, read_places(study.store, rules))
    to_come = count_to_come(study.store, rules)
    holders = _list_holders(study, places, to_come > 0)
    return RoundAnswers(places, read_items_at_k(study.store, rules), holders, to_come)


def _list_holders(study: Study, places: pd.DataFrame, more_comes: bool) -> pd.DataFrame:
    """Return those who hold a place, and those who can sign in where places are or get free."""
    listed = list_members(study.store, study.collection_id)
    here = listed.loc[listed["dropped_at"].isna(), ["assessor_id", "name"]]
    able = here["assessor_id"].isin(list(list_assessors(study.store, study.collection_id)))
    members = mask_people(study, here.assign(able=able)).rename(columns={"name": "assessor"})
    holds = members["assessor_id"].isin(places["assessor_id"].dropna())
    is_free = more_comes or bool(places["assessor_id"].isna().any())
    wanted = members[holds | (members["able"] & is_free)]
    return wanted.drop(columns="able").reset_index(drop=True)
