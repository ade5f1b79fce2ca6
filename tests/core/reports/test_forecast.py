"""When a round ends: which pace is drawn, what is refused, and how often limits hold the end."""

import numpy as np
import pandas as pd
import pytest

from core.errors import TooLittleData
from core.reports.forecast import (
    Forecast,
    Pace,
    count_units,
    describe_model,
    draw_courses,
    forecast_end,
    measure_pace,
    say_end,
)
from tests.each import each
from tests.short import long

NOW = pd.Timestamp("2026-11-24 15:00")
MINUTE, HOUR, DAY = pd.Timedelta(minutes=1), pd.Timedelta(hours=1), pd.Timedelta(days=1)


def times(*ago: pd.Timedelta) -> np.ndarray:
    return np.sort(np.array([(NOW - one).to_datetime64() for one in ago]))


def spread_out(counts, unit: pd.Timedelta, rng: np.random.Generator) -> np.ndarray:
    """Return times within successive units that end now, the first of them at the beginning."""
    start = NOW - len(counts) * unit
    parts = [
        start + (at + rng.random(int(count))) * unit for at, count in enumerate(counts) if count
    ]
    drawn = np.sort(np.concatenate([np.asarray(part, dtype="datetime64[us]") for part in parts]))
    drawn[0] = start.to_datetime64()
    return drawn


def test_units_are_whole_and_counted_back_from_now():
    given = times(5 * MINUTE, 150 * MINUTE, 61 * MINUTE, 59 * MINUTE, -MINUTE)
    assert count_units(given, "hour", NOW).tolist() == [1, 2]
    assert count_units(given[2:], "day", NOW).tolist() == []
    assert count_units(times(-MINUTE), "hour", NOW).tolist() == []


def test_after_five_days_the_unit_is_the_day_and_idle_days_count():
    given = times(*[6.5 * DAY] * 3, *[5.5 * DAY] * 8, *[2.5 * DAY] * 7, HOUR)
    pace = measure_pace(given, 1000, NOW)
    assert (pace.unit, pace.counts.tolist()) == ("day", [8, 0, 0, 7, 0, 1])
    assert pace.days == 0
    assert pace.step == DAY


def test_what_can_be_judged_in_one_sitting_goes_by_minutes_breaks_included():
    given = times(20.5 * MINUTE, *[19.5 * MINUTE] * 5, *[3 * MINUTE] * 6)
    pace = measure_pace(given, 100, NOW)
    assert (pace.unit, pace.days, len(pace.counts)) == ("minute", 0, 20)
    assert pace.step == MINUTE
    assert pace.counts.sum() == 11


def test_what_takes_longer_goes_by_active_hours_as_many_a_day_as_so_far():
    given = times(*[at * HOUR + MINUTE for at in range(6) for _ in range(4)])
    pace = measure_pace(given, 10_000, NOW)
    assert (pace.unit, pace.counts.tolist(), pace.days) == ("hour", [4, 4, 4, 4, 4], 1)
    assert pace.step == DAY / 5


def test_a_short_first_sitting_goes_by_active_minutes():
    given = times(*[(2 * at + 1.5) * MINUTE for at in range(8) for _ in range(2)])
    pace = measure_pace(given, 10_000, NOW)
    assert (pace.unit, len(pace.counts), pace.days) == ("minute", 7, 1)


def test_later_days_count_whole_from_now_backwards():
    first = [50 * HOUR] * 9
    given = times(*first, *[at * HOUR + MINUTE for at in (1, 2, 3, 25, 26, 27)], *[HOUR / 2] * 4)
    pace = measure_pace(given, 10_000, NOW)
    assert pace.counts.tolist() == [1, 1, 1, 1, 1, 1, 4]
    assert pace.days == 2


@each(
    ("given", "why"),
    [
        (times(), "nothing has been judged"),
        (times(*[4 * MINUTE] * 30), "began less than 5 minutes ago"),
        (times(*[40 * MINUTE] * 9), "fewer than 10 judgements came in the last 40 minutes"),
        (times(*[49.5 * HOUR] * 30, HOUR), "fewer than 10 judgements came in the last 49 hours"),
        (times(*[5.5 * DAY] * 90, HOUR), "fewer than 10 judgements came in the last 5 days"),
        (
            times(*[39.5 * MINUTE] * 9, 40 * MINUTE, *[MINUTE] * 9),
            "in the last day judgements came in fewer than 5 different minutes",
        ),
        (
            times(49 * HOUR, *[47.5 * HOUR] * 30),
            "in the last 2 days judgements came in fewer than 5",
        ),
    ],
)
def test_where_there_is_too_little_it_says_why(given, why):
    with pytest.raises(TooLittleData, match=why):
        measure_pace(given, 10_000, NOW)


@each(("left", "is_foretold"), [(3_600, True), (3_700, False), (10**9, False)])
def test_what_takes_more_than_ten_years_is_not_foretold(left, is_foretold):
    """One judgement a day: dates further off than a clock can tell were an error."""
    given = times(*[(at + 0.5) * DAY for at in range(30)])
    if is_foretold:
        assert forecast_end(given, left, NOW, np.random.default_rng(1), 50).median.year == 2036
        return
    with pytest.raises(TooLittleData, match="more than 10 years at this pace"):
        forecast_end(given, left, NOW, np.random.default_rng(1), 50)


def test_an_even_pace_ends_when_expected():
    rng = np.random.default_rng(1)
    given = spread_out([40] * 40, DAY, rng)
    found = forecast_end(given, 400, NOW, rng)
    assert found.early < NOW + 10 * DAY < found.late
    assert abs(found.median - NOW - 10 * DAY) < DAY
    assert found.late - found.early < 5 * DAY
    course = found.course
    assert course["high"].iloc[-1] == 400
    assert (course["low"] <= course["median"]).all()
    assert (course["median"] <= course["high"]).all()
    assert course["low"].is_monotonic_increasing
    assert course["time"].is_monotonic_increasing


def test_few_uneven_days_leave_the_end_open():
    rng = np.random.default_rng(2)
    found = forecast_end(spread_out([60, 0, 0, 1, 0, 40], DAY, rng), 2000, NOW, rng)
    assert pd.isna(found.late)
    assert found.early > NOW


def test_the_same_generator_gives_the_same_forecast():
    given = spread_out([9, 4, 7, 8, 3, 6], DAY, np.random.default_rng(3))
    one, other = (forecast_end(given, 50, NOW, np.random.default_rng(4)) for _ in range(2))
    assert (one.early, one.median, one.late) == (other.early, other.median, other.late)


def test_more_courses_are_as_wide_where_units_resemble_each_other():
    apart = np.array([2.0, 9, 3, 8, 1, 10, 2, 9] * 2)
    alike = np.sort(apart)
    widths = []
    for counts in (apart, alike):
        _, courses = draw_courses(counts, 500, np.random.default_rng(5), 2000)
        widths.append(np.ptp(np.quantile(courses[:, 9], [0.1, 0.9])))
    assert widths[1] > 2 * widths[0]


def test_a_pace_knows_how_long_a_unit_takes():
    assert Pace("hour", np.ones(16), 2).step == 3 * HOUR


def even(rng: np.random.Generator, days: int) -> np.ndarray:
    return rng.poisson(20, days)


def uneven(rng: np.random.Generator, days: int) -> np.ndarray:
    return rng.poisson(rng.gamma(2, 10, days))


def with_idle_days(rng: np.random.Generator, days: int) -> np.ndarray:
    return rng.poisson(30, days) * (rng.random(days) < 0.7)


def with_weekends(rng: np.random.Generator, days: int) -> np.ndarray:
    return rng.poisson(28, days) * ((np.arange(days) + rng.integers(7)) % 7 < 5)


def alike(rng: np.random.Generator, days: int) -> np.ndarray:
    level = np.zeros(days)
    for day in range(1, days):
        level[day] = level[day - 1] / 2 + np.sqrt(0.75) * rng.normal()
    return rng.poisson(20 * np.exp(level / 2 - 1 / 8))


@long
@pytest.mark.parametrize("course", [even, uneven, with_idle_days, with_weekends, alike])
@pytest.mark.parametrize("days", [6, 12])
def test_limits_hold_the_end_of_simulated_courses(course, days, record_property):
    rng = np.random.default_rng(6)
    held, rounds = 0, 150
    for _ in range(rounds):
        counts = course(rng, days + 400)
        counts[0] = max(counts[0], 12)
        given = spread_out(counts[:days], DAY, rng)
        left = int(rng.integers(100, 600))
        found = forecast_end(given, left, NOW, rng, samples=400)
        after = np.concatenate([np.cumsum(counts[days:])])
        day = int(np.searchsorted(after, left))
        part = (left - (after[day - 1] if day else 0)) / counts[days + day]
        end = NOW + (day + part) * DAY
        held += found.early <= end and not end > found.late
    record_property("counts", f"{held} of {rounds}")
    assert held / rounds >= 0.93


def ahead(early: str, late: str | None, unit: str = "day", days: int = 0) -> Forecast:
    ends = [
        pd.Timestamp(early),
        pd.Timestamp(early),
        pd.NaT if late is None else pd.Timestamp(late),
    ]
    return Forecast(Pace(unit, np.ones(8), days), *ends, pd.DataFrame())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (
            ahead("2026-11-26 04:00", "2026-11-26 23:00", "minute", 1),
            "at today's pace done on Thursday 26 November (95 % limits)",
        ),
        (
            ahead("2026-12-30 04:00", "2027-01-02 23:00"),
            "at this pace done between Wednesday 30 December and Saturday 2 January 2027 (95 % "
            "limits)",
        ),
        (
            ahead("2026-11-24 15:20", "2026-11-24 15:40", "minute"),
            "at this pace done between 15:20 UTC and 15:40 UTC (95 % limits)",
        ),
        (
            ahead("2026-11-24 23:20", "2026-11-25 00:40", "minute"),
            "at this pace done between 23:20 UTC and Wednesday 25 November, 00:40 UTC (95 % "
            "limits)",
        ),
        (
            ahead("2026-12-01 04:00", None),
            "at this pace done on Tuesday 1 December at the earliest (95 % limit), with no latest "
            "date: the pace varies much",
        ),
        ("nothing has been judged", "no forecast, as nothing has been judged"),
    ],
)
def test_an_end_is_a_day_a_range_or_a_reason(found: Forecast | str, said: str):
    assert say_end(found, NOW) == said


def test_the_model_names_its_unit():
    text = describe_model(ahead("2026-12-01", None))
    assert text.startswith("The forecast draws the last 8 days again and again (bootstrap), idle")
    text = describe_model(ahead("2026-12-01", None, "hour", 2))
    assert "draws the 8 hours with judgements again" in text
    assert "4.0 of them a day as so far" in text
