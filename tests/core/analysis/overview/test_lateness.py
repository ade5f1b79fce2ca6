"""Rounds that are late, or too slow for their deadline, are told."""

import numpy as np
import pandas as pd

from core.analysis.overview.findings import STOPS
from core.analysis.overview.forecast import Forecast, forecast_end
from core.analysis.overview.lateness import find_late, find_too_slow
from core.analysis.overview.round_progress import round_progress
from core.assessment.rounds.rounds import close_round
from tests.short import long

DAY = pd.Timedelta(days=1)


def test_an_open_round_is_late_after_its_deadline_and_while_slots_are_left(scene):
    scene.invite("Anna")
    due = pd.Timestamp("2031-05-02 12:00")
    rules = scene.open(judges=1, name="First *one*", due_at=due.to_pydatetime())
    assert find_late(scene.study, due) == ()
    (one,) = find_late(scene.study, due + DAY)
    assert one.what == (
        r"First \*one\* was due by 2 May 2031, 12:00 UTC; 3 of 3 slots not finished"
    )
    assert (one.page, one.grade, one.share) == ("assignments", STOPS, 1)
    scene.judge_place("Anna")
    (one,) = find_late(scene.study, due + DAY)
    assert "2 of 3 slots" in one.what
    close_round(scene.store, rules.round_id, closed=True)
    assert find_late(scene.study, due + DAY) == ()


@long
def test_a_round_without_a_deadline_is_never_late(scene):
    scene.invite("Anna")
    scene.open(judges=1)
    assert find_late(scene.study, pd.Timestamp("2099-01-01")) == ()


def test_a_pace_that_ends_after_the_deadline_is_told(scene):
    scene.invite("Anna")
    now = pd.Timestamp("2031-05-10")
    given = np.arange("2031-05-01", "2031-05-10", np.timedelta64(6, "h"), dtype="datetime64[us]")
    forecast = forecast_end(given, 40, now, np.random.default_rng(1))
    assert isinstance(forecast, Forecast)
    scene.open(judges=1, due_at=(forecast.median - DAY).to_pydatetime())
    (one,) = find_too_slow(round_progress(scene.study), forecast, now)
    assert one.kind == "Too slow"
    assert "likely to end later" in one.what
    assert find_too_slow(round_progress(scene.study), "too few judgements", now) == ()
    assert find_too_slow(round_progress(scene.study), forecast, forecast.median + DAY) == ()


@long
def test_a_pace_that_ends_in_time_is_not_told(scene):
    scene.invite("Anna")
    now = pd.Timestamp("2031-05-10")
    given = np.arange("2031-05-01", "2031-05-10", np.timedelta64(6, "h"), dtype="datetime64[us]")
    forecast = forecast_end(given, 40, now, np.random.default_rng(1))
    scene.open(judges=1, due_at=(forecast.median + DAY).to_pydatetime())
    assert find_too_slow(round_progress(scene.study), forecast, now) == ()
