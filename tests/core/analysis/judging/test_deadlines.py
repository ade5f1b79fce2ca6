"""What is said of a deadline."""

from datetime import datetime, timedelta

from core.analysis.judging.deadlines import tell_assessor, tell_deadline
from core.store.rounds.rounds import Round
from tests.each import each

DUE = datetime(2026, 5, 3, 12, 0)
HOUR = timedelta(hours=1)


def plan(due: datetime | None) -> Round:
    return Round("r", "c", "Round", 2, "page only", None, 10, None, 60, 0.0, 1, DUE, None, due)


@each(
    ("left", "now", "said"),
    [
        (3, DUE - HOUR, "It is due by 3 May 2026, 12:00 UTC."),
        (0, DUE - HOUR, "It was due by 3 May 2026, 12:00 UTC; everything is finished."),
        (1, DUE + HOUR, "It is late: it was due by 3 May 2026, 12:00 UTC, and 1 slot is not fini"),
        (2, DUE + HOUR, "It is late: it was due by 3 May 2026, 12:00 UTC, and 2 slots are not fi"),
    ],
)
def test_organisers_are_told_what_is_late(left, now, said):
    assert tell_deadline(plan(DUE), left, now).startswith(said)


def test_assessors_are_told_and_never_stopped():
    assert tell_assessor(plan(DUE), DUE - HOUR) == "Please finish by 3 May 2026, 12:00 UTC."
    assert "You can still judge" in tell_assessor(plan(DUE), DUE + HOUR)


def test_without_a_deadline_nothing_is_said():
    assert tell_assessor(plan(None), DUE) == tell_deadline(plan(None), 4, DUE) == ""
