"""When the round is done, in words: the sentence that the overview opens with."""

import pandas as pd

from core.analysis.base.study import Study
from core.analysis.base.versioned_cache import VersionedCache
from core.analysis.overview.forecast import Forecast, forecast_end
from core.analysis.overview.round_progress import RoundProgress, round_progress
from core.errors import TooLittleData
from core.reports.sampling import new_rng
from core.wording import count, plain

_FORECASTS = VersionedCache(most=16)


def forecast_of(study: Study, now: pd.Timestamp) -> Forecast | str:
    """Return the forecast of the current round as of this minute, or why there is none."""
    progress = round_progress(study)
    if progress is None or progress.rules.closed_at:
        return "no round is open"
    if progress.left < 1:
        return "nothing is left"
    minute, seen = now.floor("min"), progress
    key = (study.store, study.collection_id, study.is_masked)
    state = (study.sequence, study.store.state(study.collection_id)[1], minute)
    found: Forecast | str = _FORECASTS.get(key, state, lambda: _forecast(seen, minute))
    return found


def _forecast(progress: RoundProgress, now: pd.Timestamp) -> Forecast | str:
    try:
        return forecast_end(progress.times, progress.left, now, new_rng())
    except TooLittleData as error:
        return str(error)


def say_progress(
    progress: RoundProgress | None, forecast: Forecast | str, now: pd.Timestamp, imported: int
) -> str:
    """Return in one sentence of Markdown how far the round is, until when, and who is at it."""
    when = " before" if progress else ""
    baseline = f"; {count(imported, 'label')} imported{when}." if imported else "."
    return _say_round(progress, forecast, now) + baseline


def _say_round(progress: RoundProgress | None, forecast: Forecast | str, now: pd.Timestamp) -> str:
    if progress is None:
        return "Nothing is assigned: no round has been opened"
    name, done = (
        f"**{plain(progress.rules.name)}**",
        f"{progress.judged:,} of {progress.required:,}",
    )
    if progress.rules.closed_at:
        return f"No round is open; {name} was closed with {done} judgements"
    if not progress.required:
        return f"{name}: nothing to judge is assigned"
    if progress.left < 1:
        return f"{name} is done: all {count(progress.required, 'judgement')} are in"
    people = len(progress.people)
    active = f"{progress.count_active(now):,} of {count(people, 'person', 'people')} active"
    who = f"{active} in the last 24 hours" if people else "nobody is there to judge yet"
    return f"{name}: {done} judgements; {say_end(forecast, now)}; {who}"


def say_end(forecast: Forecast | str, now: pd.Timestamp) -> str:
    """Return in words when the round will be done: a range wherever it is wider than a day."""
    if isinstance(forecast, str):
        return f"no forecast, as {forecast}"
    pace = "at today's pace" if forecast.pace.days == 1 else "at this pace"
    is_sitting = forecast.pace.unit != "day" and not forecast.pace.days
    early = _name(forecast.early, now, is_sitting)
    if pd.isna(forecast.late):
        return f"{pace} done {early} at the earliest, with no latest date: the pace varies much"
    late = _name(forecast.late, now, is_sitting)
    if early == late:
        return f"{pace} done {early}"
    return f"{pace} done between {early.partition(' ')[2]} and {late.partition(' ')[2]}"


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
