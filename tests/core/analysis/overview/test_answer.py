"""The sentence that the overview opens with."""

import numpy as np
import pandas as pd

from core.analysis.overview.answer import describe_model, forecast_of, say_end, say_progress
from core.analysis.overview.forecast import Forecast, Pace
from core.analysis.overview.round_progress import round_progress
from core.assessment.rounds.rounds import close_round

NOW = pd.Timestamp("2026-11-24 15:00")


def ahead(early: str, late: str | None, unit: str = "day", days: int = 0) -> Forecast:
    ends = [
        pd.Timestamp(early),
        pd.Timestamp(early),
        pd.NaT if late is None else pd.Timestamp(late),
    ]
    return Forecast(Pace(unit, np.ones(8), days), *ends, pd.DataFrame())  # type: ignore[arg-type]


def test_an_end_within_one_day_is_that_day():
    one = ahead("2026-11-26 04:00", "2026-11-26 23:00", "minute", 1)
    assert say_end(one, NOW) == "at today's pace done on Thursday 26 November"


def test_an_end_that_is_not_sure_is_a_range():
    one = ahead("2026-12-30 04:00", "2027-01-02 23:00")
    assert say_end(one, NOW) == (
        "at this pace done between Wednesday 30 December and Saturday 2 January 2027"
    )


def test_an_end_in_this_sitting_has_the_clock():
    one = ahead("2026-11-24 15:20", "2026-11-24 15:40", "minute")
    assert say_end(one, NOW) == "at this pace done between 15:20 UTC and 15:40 UTC"
    one = ahead("2026-11-24 23:20", "2026-11-25 00:40", "minute")
    assert say_end(one, NOW).endswith("between 23:20 UTC and Wednesday 25 November, 00:40 UTC")


def test_an_end_without_a_latest_date_says_why():
    assert say_end(ahead("2026-12-01 04:00", None), NOW) == (
        "at this pace done on Tuesday 1 December at the earliest, with no latest date: the pace "
        "varies much"
    )


def test_without_a_forecast_the_reason_stands_there():
    assert say_end("nothing has been judged", NOW) == "no forecast, as nothing has been judged"


def say(scene, now: pd.Timestamp = NOW, imported: int = 0) -> str:
    progress = round_progress(scene.study)
    return say_progress(progress, forecast_of(scene.study, now), now, imported)


def test_every_state_of_a_round_has_its_sentence(scene):
    assert say(scene, imported=2710) == (
        "Nothing is assigned: no round has been opened; 2,710 labels imported."
    )
    assert forecast_of(scene.study, NOW) == "no round is open"
    rules = scene.open(judges=1, name="*First*")
    assert say(scene) == (
        r"**\*First\***: 0 of 18 judgements; no forecast, as nothing has been judged; "
        "nobody is there to judge yet."
    )
    scene.invite("Anna")
    scene.judge_place("Anna")
    now = pd.Timestamp(round_progress(scene.study).times[-1])
    assert "6 of 18 judgements; no forecast, as judging began less than" in say(scene, now)
    assert say(scene, now).endswith("1 of 1 person active in the last 24 hours.")
    close_round(scene.store, rules.round_id, closed=True)
    assert say(scene) == r"No round is open; **\*First\*** was closed with 6 of 18 judgements."
    close_round(scene.store, rules.round_id, closed=False)
    scene.judge_place("Anna")
    scene.judge_place("Anna")
    assert say(scene) == r"**\*First\*** is done: all 18 judgements are in."
    assert forecast_of(scene.study, NOW) == "nothing is left"


def test_a_round_in_which_nothing_is_assigned_says_so(scene):
    scene.open(judges=1)
    scene.store.cursor().execute("DELETE FROM slots")
    assert say(scene) == "**Round 1**: nothing to judge is assigned."


def test_a_forecast_is_kept_for_a_minute_and_made_again_after_a_label(scene):
    scene.invite("Anna")
    scene.open(judges=1)
    scene.judge_place("Anna", most=5)
    scene.judge_place("Anna", most=1)
    scene.judge_place("Anna")
    cursor = scene.store.cursor()
    cursor.execute("UPDATE rounds SET created_at = created_at - INTERVAL 1 HOUR")
    cursor.execute("UPDATE labels SET time = time - to_minutes((9 - sequence)::BIGINT)")
    scene.judge_place("Anna", most=5)
    now = pd.Timestamp(round_progress(scene.study).times[-1]) + pd.Timedelta(minutes=1)
    first = forecast_of(scene.study, now)
    assert isinstance(first, Forecast)
    assert "between" in say_end(first, now)
    assert forecast_of(scene.study, now) is first
    assert forecast_of(scene.study, now + pd.Timedelta(minutes=1)) is not first
    scene.judge_place("Anna", most=1)
    assert forecast_of(scene.study, now) is not first


def test_the_model_names_its_unit():
    text = describe_model(ahead("2026-12-01", None))
    assert text.startswith("The forecast draws the last 8 days again and again (bootstrap), idle")
    text = describe_model(ahead("2026-12-01", None, "hour", 2))
    assert "draws the 8 hours with judgements again" in text
    assert "4.0 of them a day as so far" in text
