"""Keeping an organiser's page fresh: what was computed is kept until the collection moves."""

from collections.abc import Callable
from typing import Any, TypeVar

import pandas as pd
import streamlit as st

from core.collection.records import Level
from core.store.frames import read_results, read_runs, read_topics
from core.store.scales import get_scales
from core.store.standing import write_out
from pages.shared.masking import mask_people
from pages.shared.session import Visit
from pages.shared.shelf import Shelf

SECONDS = 1.2

Result = TypeVar("Result")


def _is_as_late(held: tuple[int, int], wanted: tuple[int, int]) -> bool:
    """Tell whether counters have all come as far: pages drawn side by side share what is later."""
    return all(one >= least for one, least in zip(held, wanted, strict=True))


_SHELF = Shelf(most=128, serves=_is_as_late)


def keep_fresh(visit: Visit) -> None:
    """Run the page again soon after the collection has moved; do nothing while it stands.

    Call it before anything is read: what comes while the page is drawn is then seen as new, and
    a page that cannot be drawn yet still wakes up.
    """
    seen = visit.store.state(visit.collection_id)

    @st.fragment(run_every=SECONDS)
    def watch() -> None:
        moved = visit.store.state(visit.collection_id) != seen
        if moved and visit.drawing.may_be_followed():
            st.rerun()

    watch()


def kept(visit: Visit, compute: Callable[..., Result], *choices: Any) -> Result:
    """Return ``compute(visit, *choices)``, computed once for each state of the collection.

    Labels that come while a page is drawn show when it is drawn next: otherwise everything on a
    large page would be computed anew for each of them.

    Parameters
    ----------
    compute : callable
        A function at the top of a module; what it returns is shared and must not be changed.
    *choices
        What the page lets the organiser choose; hashable.
    """
    changes = visit.store.state(visit.collection_id)[1]
    return _look_up(visit, compute, (visit.sequence, changes), choices)


def settled(visit: Visit, compute: Callable[..., Result], *choices: Any) -> Result:
    """Return ``compute(visit, *choices)`` like `kept`, for what labels play no part in.

    It is computed again after every other change of the collection, a new run for instance.
    """
    return _look_up(visit, compute, (-1, visit.store.state(visit.collection_id)[1]), choices)


def _look_up(
    visit: Visit, compute: Callable[..., Result], state: tuple[int, int], choices: tuple[Any, ...]
) -> Result:
    key = (compute, visit.store, visit.collection_id, visit.is_masked, choices)
    result: Result = _SHELF.get(key, state, lambda: compute(visit, *choices))
    return result


def labels_of(visit: Visit) -> pd.DataFrame:
    """Return the current labels of the collection in view."""
    return kept(visit, _labels)


def coded_labels_of(visit: Visit) -> pd.DataFrame:
    """Return what ``labels_of`` does, with ids and states as categories.

    For what counts all labels whenever one has come: it takes a fraction of the time.
    """
    return kept(visit, _coded_labels)


def runs_of(visit: Visit) -> pd.DataFrame:
    """Return the runs of the collection in view."""
    return settled(visit, _runs)


def topics_of(visit: Visit) -> pd.DataFrame:
    """Return the topics of the collection in view."""
    return settled(visit, _topics)


def results_of(visit: Visit) -> pd.DataFrame:
    """Return the result lists of the collection in view."""
    return settled(visit, _results)


def scales_of(visit: Visit) -> dict[str, tuple[Level, ...]]:
    """Return the scales of the collection in view, by facet."""
    return settled(visit, _scales)


def _labels(visit: Visit) -> pd.DataFrame:
    return write_out(coded_labels_of(visit))


def _coded_labels(visit: Visit) -> pd.DataFrame:
    return mask_people(visit, visit.store.standing.get(visit.collection_id, visit.sequence))


def _runs(visit: Visit) -> pd.DataFrame:
    return read_runs(visit.store, visit.collection_id)


def _topics(visit: Visit) -> pd.DataFrame:
    return read_topics(visit.store, visit.collection_id)


def _results(visit: Visit) -> pd.DataFrame:
    return read_results(visit.store, visit.collection_id)


def _scales(visit: Visit) -> dict[str, tuple[Level, ...]]:
    return get_scales(visit.store, visit.collection_id)
