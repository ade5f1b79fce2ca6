"""Rounds that are late, or that will be at this pace."""

import pandas as pd

from core.analysis.base.study import Study
from core.analysis.judging.deadlines import write_time
from core.analysis.overview.findings import STOPS, Finding
from core.analysis.overview.forecast import Forecast
from core.analysis.overview.round_progress import RoundProgress
from core.assessment.handing_out.queue import count_places_to_come
from core.store.rounds.rounds import list_rounds, read_slots
from core.wording import count, plain


def find_late(study: Study, now: pd.Timestamp) -> tuple[Finding, ...]:
    """Return each open round whose deadline has passed, with how many slots are left of it."""
    slots = read_slots(study.store.cursor(), study.collection_id)
    to_come = count_places_to_come(study.store, study.collection_id)
    found = []
    for rules in list_rounds(study.store, study.collection_id):
        own = [one for one in slots if one.round_id == rules.round_id]
        more = to_come.get(rules.round_id, 0)
        left, places = sum(one.finished_at is None for one in own) + more, len(own) + more
        if rules.due_at is None or rules.due_at >= now or not left:
            continue
        what = (
            f"{plain(rules.name)} was due by {write_time(rules.due_at)}; "
            f"{left:,} of {count(places, 'slot')} not finished"
        )
        found.append(Finding("Late", what, "assignments", STOPS, left / places))
    return tuple(found)


def find_too_slow(
    progress: RoundProgress | None, forecast: Forecast | str, now: pd.Timestamp
) -> tuple[Finding, ...]:
    """Return that the round will not be done by its deadline at this pace, if that is likely.

    It is where the median of the forecast lies beyond the deadline.
    """
    if progress is None or isinstance(forecast, str):
        return ()
    due = progress.rules.due_at
    if due is None or due < now or forecast.median <= due:
        return ()
    what = (
        f"{plain(progress.rules.name)} is due by {write_time(due)}; at this pace it is more "
        f"likely to end later, about {write_time(forecast.median)}"
    )
    share = progress.left / max(progress.required, 1)
    return (Finding("Too slow", what, "assignments", STOPS, share),)
