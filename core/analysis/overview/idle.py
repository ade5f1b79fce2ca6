"""People who have something left to judge and have been silent while others judged."""

import numpy as np
import pandas as pd

from core.reports.progress import Progress
from core.store.rounds.rounds import Round

FEWEST = 20
"""Of so many judgements by others on average somebody is silent before it is remarked on."""


def find_idle(progress: Progress, rules: Round) -> pd.DataFrame:
    """Find who is idle, compared with the others of its round.

    Somebody is idle who has judgements left, while each of the others who went on has given 20
    judgements on average since, for longer than the longest break that they made before. No clock
    is asked, so it holds for a class of an hour as for a round of weeks; where everybody is
    silent, nobody is idle.

    Returns
    -------
    DataFrame
        assessor_id, assessor, left, last (NaT for who has not begun), others (mean number of
        judgements of each of the others who went on, since then); most left first.
    """
    people, times = progress.holders, progress.times
    lasts = np.sort(people["last"].dropna().to_numpy("datetime64[us]"))
    waiting = people[(people["left"] > 0) & (people["held"] > 0)]
    begun = pd.Timestamp(rules.created_at)
    since = waiting["last"].fillna(begun)
    given = len(times) - np.searchsorted(times, since.to_numpy("datetime64[us]"), side="right")
    going_on = len(lasts) - np.searchsorted(lasts, since.to_numpy("datetime64[us]"), side="right")
    others = given / np.maximum(going_on, 1)
    latest = people["last"].max()
    breaks = _longest_breaks(progress.places)
    longest = np.array([breaks.get(str(one), 0.0) for one in waiting["assessor_id"]])
    silent = (latest - since).dt.total_seconds().to_numpy(np.float64)
    columns = ["assessor_id", "assessor", "left", "last"]
    is_idle = (others >= FEWEST) & (silent > longest)
    found: pd.DataFrame = waiting[columns].assign(others=others)[is_idle]
    return found.reset_index(drop=True)


def _longest_breaks(places: pd.DataFrame) -> dict[str, float]:
    """Return the longest time between two judgements of each who has given any, in seconds."""
    given = places[places["times"].notna()].groupby("assessor_id")["times"]
    joined = {str(name): np.sort(np.concatenate([*parts])) for name, parts in given}
    return {
        name: float((np.diff(times) / np.timedelta64(1, "s")).max(initial=0.0))
        for name, times in joined.items()
    }
