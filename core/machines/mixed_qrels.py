"""People's judgements where there are some, else a machine's."""

import pandas as pd

PEOPLE = "people"
"""The source that others are compared with."""


def mix_qrels(people: pd.DataFrame, machine: pd.DataFrame) -> pd.DataFrame:
    """Return every judgement by people, and a machine's of what nobody has judged.

    Parameters
    ----------
    people, machine : DataFrame
        ``topic_id, iteration, document_id, level``; a level below 0 is no judgement. Of people's
        the columns are kept.

    Returns
    -------
    DataFrame
        People's rows in their order, then the machine's.

    Examples
    --------
    >>> columns = ["topic_id", "iteration", "document_id", "level"]
    >>> people = pd.DataFrame([("1", "0", "a", 2), ("1", "0", "b", -1)], columns=columns)
    >>> machine = pd.DataFrame([("1", "0", "a", 0), ("1", "0", "b", 1)], columns=columns)
    >>> mix_qrels(people, machine)["level"].tolist()
    [2, 1]
    """
    judged = people[people["level"] >= 0]
    key = ["topic_id", "document_id"]
    known = pd.MultiIndex.from_frame(judged[key])
    rest = machine[~pd.MultiIndex.from_frame(machine[key]).isin(known)]
    return pd.concat([judged, rest[judged.columns]], ignore_index=True)
