"""Rounds that are late, or that will be at this pace."""

from core.analysis.judging.deadlines import write_time
from core.analysis.overview.findings import STOPS, Finding
from core.reports.progress import Progress
from core.wording import count, plain


def find_late(progress: Progress) -> tuple[Finding, ...]:
    """Return each open round whose deadline has passed, with how many slots are left of it."""
    found = []
    for rules in progress.judging.rounds:
        left, places = progress.count_unfinished(rules.round_id)
        if rules.closed_at or rules.due_at is None or rules.due_at >= progress.now or not left:
            continue
        what = (
            f"{plain(rules.name)} was due by {write_time(rules.due_at)}; "
            f"{left:,} of {count(places, 'slot')} not finished"
        )
        found.append(Finding("Late", what, "assignments", STOPS, left / places))
    return tuple(found)


def find_too_slow(progress: Progress) -> tuple[Finding, ...]:
    """Return that the round will not be done by its deadline at this pace, if that is likely.

    It is where the median of the forecast lies beyond the deadline.
    """
    rules, forecast = progress.rules, progress.forecast
    if rules is None or isinstance(forecast, str):
        return ()
    due = rules.due_at
    if due is None or due < progress.now or forecast.median <= due:
        return ()
    what = (
        f"{plain(rules.name)} is due by {write_time(due)}; at this pace it is more "
        f"likely to end later, about {write_time(forecast.median)}"
    )
    share = progress.left / max(progress.required, 1)
    return (Finding("Too slow", what, "assignments", STOPS, share),)
