"""People's judgements beside a machine's: one filling up the other, or of what both have."""

from collections.abc import Mapping

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
    rest = machine[~_name_items(machine).isin(_name_items(judged))]
    return pd.concat([judged, rest[judged.columns]], ignore_index=True)


def keep_common_documents(
    people: pd.DataFrame, machines: Mapping[str, pd.DataFrame]
) -> tuple[pd.DataFrame, dict[str, pd.DataFrame]]:
    """Return judgements of the documents that people and every machine have judged.

    Parameters
    ----------
    people : DataFrame
        As for ``mix_qrels``.
    machines : mapping of name to DataFrame
        The same of each machine.

    Returns
    -------
    people : DataFrame
    machines : dict of name to DataFrame
    """
    both = _name_items(people[people["level"] >= 0])
    for one in machines.values():
        both = both[both.isin(_name_items(one[one["level"] >= 0]))]
    kept = {name: one[_name_items(one).isin(both)] for name, one in machines.items()}
    return people[_name_items(people).isin(both)], kept


def _name_items(qrels: pd.DataFrame) -> pd.MultiIndex:
    return pd.MultiIndex.from_frame(qrels[["topic_id", "document_id"]].astype("str"))
