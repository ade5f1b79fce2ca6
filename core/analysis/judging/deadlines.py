"""What is said of the deadline of a round; nothing is ever blocked by it."""

from datetime import datetime

from core.language.translate import t
from core.store.rounds.rounds import Round
from core.wording import count


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
