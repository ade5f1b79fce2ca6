"""Moments in words: when it was, and how many label events the collection had."""

from core.analysis.base.study import Study
from core.store.events.current_labels import LATEST
from core.store.events.moments import read_moment


def describe_moment(study: Study, until: int = LATEST) -> str:
    """Return the moment after a label event: ``2 Mar 2026, 12:04 UTC (label event 3,371)``.

    Parameters
    ----------
    study : Study
        The collection, whose own events are counted.
    until : int
        The sequence of the event in the store; the latest without it.
    """
    moment = read_moment(study.store, study.collection_id, until)
    if moment.time is None:
        return "before the first label"
    time = moment.time
    return f"{time.day} {time:%b %Y, %H:%M} UTC (label event {moment.number:,})"


def count_since(study: Study, event: int) -> int:
    """Return how many label events the collection has had since one of the store's."""
    both = (read_moment(study.store, study.collection_id, one).number for one in (LATEST, event))
    latest, before = both
    return latest - before
