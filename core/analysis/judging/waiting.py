"""What waits for who is invited, and what a class will be: of what kind, how much, how long."""

from dataclasses import dataclass

import numpy as np

from core.analysis.base.study import Study
from core.analysis.judging.outlook import seconds_by_facet
from core.collection.records import PAGE, SNIPPET
from core.errors import NotFound
from core.language.translate import t, tn
from core.store.content.collections import get_collection
from core.store.people.people import find_person
from core.store.rounds.judgements import read_batch_sizes
from core.store.rounds.lessons import Lesson
from core.store.rounds.orders import find_order_state, mean_steps
from core.store.rounds.rounds import (
    PAGE_ONLY,
    SNIPPET_ONLY,
    SNIPPET_THEN_PAGE,
    Round,
    list_rounds,
    read_pool,
    read_slot_frame,
)
from core.store.store import Store
from core.wording import tell_hours

_TASKS = {
    PAGE_ONLY: "read pages and say how well each answers a query",
    SNIPPET_ONLY: "read the snippets of search results and say how well each answers a query",
    SNIPPET_THEN_PAGE: "read search results, then their pages, and say how well each answers "
    "a query",
    "systems side by side": "compare the results of two search engines and say which are better",
}
_PAIRS = "compare two search results at a time and say which is better"
_BATCH = ["topic_id", "batch"]


@dataclass(frozen=True)
class Waiting:
    """What one collection asks of somebody now.

    Parameters
    ----------
    name : str
        What the collection is called.
    tasks : tuple of str
        What is to be done, as sentences say it; nothing while no round is open.
    items : int
        How many judgements wait: of what is theirs, and of what they may take.
    is_shared : bool
        Whether others may take some of them first.
    seconds : float or None
        How long all of it takes by the median active times so far; None while there are none.
    """

    name: str
    tasks: tuple[str, ...]
    items: int
    is_shared: bool
    seconds: float | None

    def tell_size(self) -> str:
        """Return how much waits and how long it takes, as far as that is known."""
        if not self.items:
            return t("nothing waits at the moment")
        size = (
            tn(self.items, "up to {n} judgement", "up to {n} judgements")
            if self.is_shared
            else tn(self.items, "{n} judgement", "{n} judgements")
        )
        if self.seconds is None:
            return t("{judgements}; how long they take is not known yet", judgements=size)
        hours = tell_hours(self.seconds / 3600)
        return t(
            "{judgements}, about {hours} at the median time so far", judgements=size, hours=hours
        )


def waiting_for(store: Store, collection_id: str, person_id: str) -> Waiting:
    """Return what a collection asks of an assessor now."""
    collection = get_collection(store, collection_id)
    rounds = [one for one in list_rounds(store, collection_id) if one.closed_at is None]
    if collection.closed_at is not None:
        rounds = []
    seconds = seconds_by_facet(Study(store, collection_id, False)) if rounds else {}
    known = float(np.mean(list(seconds.values()))) if seconds else None
    items, taken, is_shared = 0, 0.0, False
    for rules in rounds:
        steps, shared = _count_steps(store, rules, person_id)
        items, is_shared = items + steps, is_shared or shared
        facets = [SNIPPET] * rules.judges_snippets + [PAGE] * rules.judges_pages
        times = [seconds.get(facet, known or 0.0) for facet in facets or rules.pair_facets]
        taken += steps * float(np.mean(times))
    tasks = tuple(dict.fromkeys(t(_TASKS.get(rules.flow, _PAIRS)) for rules in rounds))
    return Waiting(collection.name, tasks, items, is_shared, None if known is None else taken)


def _count_steps(store: Store, rules: Round, person_id: str) -> tuple[int, bool]:
    """Return how many judgements of a round somebody has before them, and whether others may."""
    slots = read_slot_frame(store, rules.collection_id)
    slots = slots[slots["round_id"] == rules.round_id]
    mine = slots["assessor_id"] == person_id
    own = slots.loc[mine & slots["finished_at"].isna(), _BATCH].drop_duplicates()
    free = slots.loc[slots["assessor_id"].isna() & slots["finished_at"].isna(), _BATCH]
    free = free.drop_duplicates().merge(slots.loc[mine, _BATCH].drop_duplicates(), how="left",
                                        on=_BATCH, indicator=True)  # fmt: skip
    free = free.loc[free["_merge"] == "left_only", _BATCH]
    sizes = read_batch_sizes(store, rules).set_index(_BATCH)["steps"]
    held = [sum(int(sizes.get(tuple(row), 0)) for row in part.to_numpy()) for part in (own, free)]
    shared = held[1] + count_to_come(store, rules) // rules.judges
    return held[0] + shared, shared > 0


def count_to_come(store: Store, rules: Round) -> int:
    """Return how many judgements a round will ask for of what its order has not chosen yet.

    Pages that depend on their snippets are counted as if every one were called for. It is 0 for a
    round without an order, or one that is closed.
    """
    cursor = store.cursor()
    state = find_order_state(cursor, rules.round_id)
    if state is None or not state.left or rules.closed_at is not None:
        return 0
    return round(state.left * mean_steps(cursor, rules)) * rules.judges


SECONDS_OF_CLASS = 30.0
"""What the guidelines of a class give a page, until students have taken their time."""


@dataclass(frozen=True)
class Outline:
    """A class as its students-to-be see it: whose it is, what it is called, and how long it is."""

    name: str
    lecturer: str
    pages: int
    seconds: float
    is_assumed: bool

    def tell_size(self) -> str:
        """Return how many pages there are, and about how long they take."""
        how = t("half a minute each") if self.is_assumed else t("at the median time so far")
        pages = tn(self.pages, "{n} page", "{n} pages")
        hours = tell_hours(self.pages * self.seconds / 3600)
        return t("{pages}, about {hours} ({how})", pages=pages, hours=hours, how=how)


def outline_of(store: Store, lesson: Lesson) -> Outline:
    """Return what is told of a class before somebody joins it."""
    known = seconds_by_facet(Study(store, lesson.collection_id, False)).get(PAGE)
    return Outline(
        get_collection(store, lesson.collection_id).name,
        _name_lecturer(store, lesson),
        len(read_pool(store, lesson.round_id)),
        known or SECONDS_OF_CLASS,
        known is None,
    )


def _name_lecturer(store: Store, lesson: Lesson) -> str:
    try:
        person = find_person(store, lesson.started_by)
    except NotFound:
        return ""
    return "" if person.erased_at else person.name
