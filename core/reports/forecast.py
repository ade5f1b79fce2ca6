"""When a round will be done: the pace that it has had so far, drawn again and again."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.errors import TooLittleData
from core.reports.sampling import SAMPLES
from core.wording import count

Floats = NDArray[np.float64]
Times = NDArray[Any]

FEWEST_UNITS, FEWEST_JUDGEMENTS = 5, 10
LENGTHS = {unit: pd.Timedelta(1, unit) for unit in ("day", "hour", "minute")}
SITTING = pd.Timedelta(hours=8)
"""What ends within this time is taken to be judged without a night between."""

LONGEST = 10
"""What takes more years than this at the mean pace is not foretold."""

_UNSEEN = 0.5
_STEPS, _REACH = 60, 6
_DAYS_A_YEAR = 365.25
_MANY_MINUTES = 240
_TAILS = (0.025, 0.5, 0.975)


@dataclass(frozen=True, eq=False)
class Pace:
    """How many judgements came in each of successive units of time, the latest last.

    ``days`` is over how many days these units, all with judgements, are spread: as many days are
    taken to have as many of them. It is 0 where one unit follows the other without a break.
    """

    unit: str
    counts: Floats
    days: int = 0

    @property
    def step(self) -> pd.Timedelta:
        """How much time passes for one unit of judging."""
        return LENGTHS["day"] * self.days / len(self.counts) if self.days else LENGTHS[self.unit]


@dataclass(frozen=True, eq=False)
class Forecast:
    """When a round ends, with 95 % limits, and the course until then.

    ``late`` is NaT where no end can be told: the pace may be too low. ``course`` has time, low,
    median, high: how many judgements there are by then besides those of now.
    """

    pace: Pace
    early: pd.Timestamp
    median: pd.Timestamp
    late: pd.Timestamp
    course: pd.DataFrame


def forecast_end(
    times: Times, left: int, now: pd.Timestamp, rng: np.random.Generator, samples: int = SAMPLES
) -> Forecast:
    """Foretell when so many judgements more will have been given.

    Parameters
    ----------
    times : array of datetime64, shape (n_judgements,)
        When each judgement so far was given, in UTC, in order.
    left : int
        How many are to come, at least 1.
    now : Timestamp
        In UTC, without a zone.
    rng : Generator
        What courses are drawn with.
    samples : int
        How many courses.

    Returns
    -------
    Forecast
        Its limits held the end of 95 % or more of simulated rounds whose pace varies about a
        level that stays, idle days and weekends among them, and of 92 % or more where the pace of
        a day resembles that of the day before (ρ = .5). A change of the level they do not foresee.

    Raises
    ------
    TooLittleData
        There is no pace to go by, or it takes more than ten years; the message says why.
    """
    pace = measure_pace(times, left, now)
    if left / pace.counts.mean() * (pace.step / LENGTHS["day"]) > LONGEST * _DAYS_A_YEAR:
        raise TooLittleData(f"it would take more than {LONGEST} years at this pace")
    grid, courses = draw_courses(pace.counts, left, rng, samples)
    units = np.quantile(_find_ends(grid, courses, left), _TAILS, method="inverted_cdf")
    early, median, late = (_move(now, pace, one) for one in units.tolist())
    bands = np.quantile(np.minimum(courses, left), _TAILS, axis=0)
    course = pd.DataFrame(
        {
            "time": [now + float(at) * pace.step for at in grid],
            **dict(zip(("low", "median", "high"), bands, strict=True)),
        }
    )
    return Forecast(pace, early, median, late, course)


def _move(now: pd.Timestamp, pace: Pace, units: float) -> Any:
    return now + units * pace.step if np.isfinite(units) else pd.NaT


def measure_pace(times: Times, left: int, now: pd.Timestamp) -> Pace:
    """Return the pace that a forecast goes by.

    After five days that is the number of judgements in each day, idle days included. Before, it
    is that in each minute, breaks included, where the rest can be judged in one sitting; or else
    that in each hour or minute in which anything was judged, as many of them a day as so far.

    Raises
    ------
    TooLittleData
        Too little has been judged, or too short a time.
    """
    if not len(times):
        raise TooLittleData("nothing has been judged")
    since = now - pd.Timestamp(times[0])
    if since >= FEWEST_UNITS * LENGTHS["day"]:
        return Pace("day", _check(count_units(times, "day", now), "day"))
    minutes = count_units(times, "minute", now)
    if len(minutes) < FEWEST_UNITS:
        raise TooLittleData(f"judging began less than {FEWEST_UNITS} minutes ago")
    _check(minutes, "minute")
    if left / minutes.mean() * LENGTHS["minute"] <= SITTING:
        return Pace("minute", minutes)
    whole_days = max(1, since // LENGTHS["day"])
    for unit in ("hour", "minute"):
        counts = count_units(times, unit, now)
        active = counts[-whole_days * (LENGTHS["day"] // LENGTHS[unit]) :]
        active = active[active > 0]
        if len(active) >= FEWEST_UNITS:
            return Pace(unit, active, whole_days)
    span = "day" if whole_days == 1 else f"{whole_days:,} days"
    raise TooLittleData(
        f"in the last {span} judgements came in fewer than {FEWEST_UNITS} different minutes"
    )


def _check(counts: Floats, unit: str) -> Floats:
    """Return counts of enough judgements."""
    if counts.sum() < FEWEST_JUDGEMENTS:
        is_long = unit == "minute" and len(counts) >= _MANY_MINUTES
        span = f"{len(counts) // 60:,} hours" if is_long else f"{len(counts):,} {unit}s"
        raise TooLittleData(f"fewer than {FEWEST_JUDGEMENTS} judgements came in the last {span}")
    return counts


def count_units(times: Times, unit: str, now: pd.Timestamp) -> Floats:
    """Return how many judgements came in each whole unit, counted back from now.

    What came before the first whole unit, and what a clock puts after now, is in none.
    """
    ago = pd.TimedeltaIndex(now - pd.DatetimeIndex(times)) / LENGTHS[unit]
    passed = np.asarray(ago, dtype=np.float64)
    units = int(max(passed[0], 0))
    inside = passed[(passed >= 0) & (passed < units)].astype(np.int64)
    return np.bincount(inside, minlength=units)[::-1].astype(np.float64)


def draw_courses(
    counts: Floats, left: int, rng: np.random.Generator, samples: int
) -> tuple[Floats, Floats]:
    """Draw how judging may go on, to six times as far as it would take at the mean pace.

    The units so far are drawn again (bootstrap), beside half an idle one and half of one
    twice as busy as the mean: few units do not show all there is. How far the mean pace may
    be off is drawn first, in the way of Student's t, and wider where units resemble the one
    before them.

    Parameters
    ----------
    counts : array, shape (n_units,)
        At least two, not all 0.
    left, rng, samples
        As for ``forecast_end``.

    Returns
    -------
    grid : array, shape (60,)
        Units from now on.
    courses : array, shape (samples, 60)
        Judgements given by then.
    """
    mean, units = float(counts.mean()), len(counts)
    values = np.append(counts, (0.0, 2 * mean))
    chance = np.append(np.ones(units), (_UNSEEN, _UNSEEN))
    values, place = np.unique(values, return_inverse=True)
    chance = np.bincount(place, weights=chance) / (units + 2 * _UNSEEN)
    wider = _likeness(counts)
    spread = np.sqrt(wider + units * mean / left * (wider - 1))
    spread = spread * np.sqrt((units - 1) / rng.chisquare(units - 1, samples))
    drawn = rng.multinomial(units - 1, chance, size=samples) @ values / (units - 1) / mean
    with np.errstate(divide="ignore"):
        level = np.exp(np.minimum(spread * np.log(drawn), np.log(_FASTEST)))
    stride = max(1, int(np.ceil(_REACH * left / mean / _STEPS)))
    # A course at a time: all that is drawn for all of them would take tens of megabytes.
    steps = np.stack([rng.multinomial(stride, chance, _STEPS) @ values for _ in range(samples)])
    grid = stride * np.arange(1, _STEPS + 1, dtype=np.float64)
    return grid, np.cumsum(steps * level[:, np.newaxis], axis=1)


_FASTEST = 1e6
"""By what a pace may exceed the mean in a course: far more than makes a difference."""


def _likeness(counts: Floats) -> float:
    """Return by how much likeness of successive units widens the variance of their mean."""
    units = len(counts)
    apart = counts - counts.mean()
    variance = float((apart**2).sum())
    if not variance:
        return 1.0
    found = float((apart[1:] * apart[:-1]).sum()) / variance
    # Found too low in few units: by (1 + 4ρ)/n or so, for a ρ of a quarter.
    likeness = min(max((units * found + 2) / max(units - 4, 1), 0.0), 0.9)
    return (1 + likeness) / (1 - likeness)


def _find_ends(grid: Floats, courses: Floats, left: int) -> Floats:
    """Return after how many units each course has reached what is left; inf if it never has."""
    reached = courses >= left
    at = reached.argmax(axis=1)
    rows = np.arange(len(courses))
    begun = np.where(at > 0, courses[rows, at - 1], 0.0)
    rise = courses[rows, at] - begun
    part = np.divide(left - begun, rise, out=np.ones(len(rows)), where=rise > 0)
    ends: Floats = np.where(reached.any(axis=1), (at + part) * grid[0], np.inf)
    return ends


def say_end(forecast: Forecast | str, now: pd.Timestamp) -> str:
    """Return in words when the round will be done: a range wherever it is wider than a day."""
    if isinstance(forecast, str):
        return f"no forecast, as {forecast}"
    pace = "at today's pace" if forecast.pace.days == 1 else "at this pace"
    is_sitting = forecast.pace.unit != "day" and not forecast.pace.days
    early = _name(forecast.early, now, is_sitting)
    if pd.isna(forecast.late):
        return (
            f"{pace} done {early} at the earliest (95 % limit), with no latest date: the pace "
            "varies much"
        )
    late = _name(forecast.late, now, is_sitting)
    if early == late:
        return f"{pace} done {early} (95 % limits)"
    first, last = early.partition(" ")[2], late.partition(" ")[2]
    return f"{pace} done between {first} and {last} (95 % limits)"


def _name(time: pd.Timestamp, now: pd.Timestamp, with_clock: bool) -> str:
    day = f"{time:%A} {time.day} {time:%B}" + (f" {time.year}" if time.year != now.year else "")
    if not with_clock:
        return f"on {day}"
    clock = f"{time:%H:%M} UTC"
    return f"at {clock}" if time.date() == now.date() else f"on {day}, {clock}"


def describe_model(forecast: Forecast) -> str:
    """Return in words what a forecast is made of and what it takes for granted."""
    pace = forecast.pace
    unit = count(len(pace.counts), pace.unit)
    drawn = {
        True: f"The forecast draws the last {unit} again and again (bootstrap), idle ones included",
        False: f"The forecast draws the {unit} with judgements again and again (bootstrap), "
        f"{len(pace.counts) / max(pace.days, 1):.1f} of them a day as so far",
    }[not pace.days]
    return (
        f"{drawn}, until nothing is left: the band holds the middle 95 % of these courses, the "
        "dashed line is their median. It allows for the chance in so few units and for units that "
        "resemble the one before, and takes for granted that the pace stays about the same: new "
        "people, holidays and a last effort are not foreseen."
    )
