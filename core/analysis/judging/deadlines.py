"""The deadlines of rounds: what is said of them, and who is late; nothing is ever blocked."""

from datetime import datetime

from core.analysis.overview.findings import STOPS, Finding
from core.language.translate import t
from core.reports.progress import Progress
from core.store.rounds.rounds import Round
from core.wording import count, plain


def tell_deadline(rules: Round, unfinished: int, now: datetime) -> str:
    """Return until when a round is due, or how much of it is late; empty without a deadline.

    Parameters
    ----------
    rules : Round
        The round.
    unfinished : int
        How many of its slots are not finished.
    now : datetime
        The time in UTC, without a zone.
    """
    if rules.due_at is None:
        return ""
    due = write_time(rules.due_at)
    if not unfinished:
        return f"It was due by {due}; everything is finished."
    if rules.due_at >= now:
        return f"It is due by {due}."
    are = "is" if unfinished == 1 else "are"
    return f"It is late: it was due by {due}, and {count(unfinished, 'slot')} {are} not finished."


def tell_assessor(rules: Round, now: datetime) -> str:
    """Return what an assessor is told of the deadline of what they judge; empty without one."""
    if rules.due_at is None:
        return ""
    due = write_time(rules.due_at)
    if rules.due_at >= now:
        return t("Please finish by {time}.", time=due)
    return t("This was due by {time}. You can still judge; everything counts.", time=due)


def write_time(time: datetime) -> str:
    """Return a time as people write it, to the minute."""
    day = t("{day} {month} {year}", day=time.day, month=t(f"{time:%B}"), year=time.year)
    return f"{day}, {time:%H:%M} UTC"


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
