"""What is said of a deadline."""

from datetime import datetime, timedelta

import pandas as pd

from core.analysis.judging.deadlines import find_late, find_too_slow, tell_assessor, tell_deadline
from core.analysis.judging.progress import ask_progress
from core.analysis.overview.findings import STOPS
from core.assessment.rounds.rounds import close_round, set_deadline
from core.reports.forecast import Forecast
from core.reports.progress import Progress
from core.store.events.labels import Key
from core.store.rounds.rounds import Round
from tests.each import each
from tests.short import long

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


DAY = pd.Timedelta(days=1)


def test_an_open_round_is_late_after_its_deadline_and_while_slots_are_left(scene):
    scene.invite("Anna")
    due = pd.Timestamp("2031-05-02 12:00")
    rules = scene.open(judges=1, name="First *one*", due_at=due.to_pydatetime())
    assert find_late(ask_progress(scene.study, now=due)) == ()
    (one,) = find_late(ask_progress(scene.study, now=due + DAY))
    assert one.what == (
        r"First \*one\* was due by 2 May 2031, 12:00 UTC; 3 of 3 slots not finished"
    )
    assert (one.page, one.grade, one.share) == ("assignments", STOPS, 1)
    scene.judge_place("Anna")
    (one,) = find_late(ask_progress(scene.study, now=due + DAY))
    assert "2 of 3 slots" in one.what
    close_round(scene.store, rules.round_id, closed=True)
    assert find_late(ask_progress(scene.study, now=due + DAY)) == ()


@long
def test_a_round_without_a_deadline_is_never_late(scene):
    scene.invite("Anna")
    scene.open(judges=1)
    assert find_late(ask_progress(scene.study, now=pd.Timestamp("2099-01-01"))) == ()


def judge_slowly(scene) -> pd.Timestamp:
    """Have two of three topics judged, an item each twelve hours; returns when it is then."""
    scene.invite("Anna")
    rules = scene.open(judges=1)
    scene.judge_place("Anna")
    scene.judge_place("Anna", most=5)
    cursor = scene.store.cursor()
    cursor.execute("UPDATE rounds SET created_at = TIMESTAMP '2031-05-01'")
    cursor.execute(
        "UPDATE labels SET time = TIMESTAMP '2031-05-01' + to_hours((12 * sequence)::BIGINT)"
    )
    scene.append(Key("t2", "t2d1", "page", "", scene.people["Anna"], 0), 1)
    now = pd.Timestamp("2031-05-07 13:00")
    set_deadline(scene.store, rules.round_id, now.to_pydatetime())
    return now


def due_after_the_median(scene, now: pd.Timestamp, after: pd.Timedelta) -> Progress:
    found = ask_progress(scene.study, now=now)
    assert isinstance(found.forecast, Forecast)
    due = (found.forecast.median + after).to_pydatetime()
    set_deadline(scene.store, found.rules.round_id, due)
    return ask_progress(scene.study, now=now)


@long
def test_a_pace_that_ends_after_the_deadline_is_told(scene):
    now = judge_slowly(scene)
    (one,) = find_too_slow(due_after_the_median(scene, now, -pd.Timedelta(hours=1)))
    assert one.kind == "Too slow"
    assert "likely to end later" in one.what
    assert find_too_slow(ask_progress(scene.study, now=now + 99 * DAY)) == ()


@long
def test_a_pace_that_ends_in_time_is_not_told(scene):
    now = judge_slowly(scene)
    assert find_too_slow(due_after_the_median(scene, now, DAY)) == ()


def test_without_a_forecast_no_round_is_too_slow(scene):
    scene.open(judges=1, due_at=pd.Timestamp("2031-05-02").to_pydatetime())
    assert find_too_slow(ask_progress(scene.study)) == ()
