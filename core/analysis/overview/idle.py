"""People who have something left to judge and have been silent while others judged."""

import numpy as np
import pandas as pd

from core.analysis.overview.forecast import Times
from core.analysis.overview.round_progress import RoundProgress

FEWEST = 20
"""Of so many judgements by others on average somebody is silent before it is remarked on."""


def find_idle(progress: RoundProgress) -> pd.DataFrame:
    """Find who is idle, compared with the others of a round.

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
    times = _times_by_person(progress.places)
    people = progress.people
    rows = []
    for one in people[(people["left"] > 0) & (people["held"] > 0)].itertuples():
        mine = times.get(str(one.assessor_id), _NO_TIMES)
        begun = np.datetime64(progress.rules.created_at, "us")
        since = mine[-1] if len(mine) else begun
        after = [len(given) - np.searchsorted(given, since, side="right")
                 for name, given in times.items() if name != one.assessor_id]  # fmt: skip
        going_on = [count for count in after if count]
        others = float(np.mean(going_on)) if going_on else 0.0
        silent = progress.times[-1] - since if len(progress.times) else np.timedelta64(0)
        longest = np.diff(mine).max() if len(mine) > 1 else np.timedelta64(0)
        if others >= FEWEST and silent > longest:
            rows.append((one.assessor_id, one.assessor, one.left, one.last, others))
    columns = ["assessor_id", "assessor", "left", "last", "others"]
    return pd.DataFrame(rows, columns=columns)


_NO_TIMES = np.empty(0, dtype="datetime64[us]")


def _times_by_person(places: pd.DataFrame) -> dict[str, Times]:
    given = places[places["times"].notna()].groupby("assessor_id")["times"]
    return {str(name): np.sort(np.concatenate([*parts])) for name, parts in given}
