"""What the order of a round chooses next, from the labels that have come in.

All that is chosen is in the store; what a process keeps only spares it reading everything again.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from math import isnan
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from core.collection.records import PAGE, SNIPPET
from core.orders.base import Choice, Chooser, Known, parse_order
from core.orders.candidates import Candidates, Floats, Integers, build_candidates
from core.orders.choices import BATCH
from core.store.file.database import Cursor
from core.store.rounds.orders import (
    ChoosingState,
    Chosen,
    LabelRow,
    insert_chosen,
    read_candidate_runs,
    read_chosen,
    read_events_since,
    read_standing,
    update_order,
)
from core.store.rounds.rounds import Round, Slot
from core.store.store import Store, note_change

Item = tuple[str, str]
"""Topic and document."""


_Given = dict[tuple[str, str, str], tuple[str, int | None]]
"""State and level that somebody gives now, by assessor, facet and engine."""


class ItemRelevance:
    """The share of an item's labels that say relevant.

    Labels of pages count where pages are judged, else those of snippets. A page that its snippets
    do not call for is not relevant to whoever judged them so. *Cannot judge* is no label.

    Parameters
    ----------
    rules : Round
        What is judged, and from which level on a label says relevant.
    counts_as : mapping
        What each level counts as, by facet and level.
    left_out : collection of str
        Assessors whose labels do not count.
    """

    def __init__(
        self, rules: Round, counts_as: Mapping[tuple[str, int], int], left_out: Iterable[str]
    ) -> None:
        self._relevant_from = rules.relevant_from or 0
        self._facet = PAGE if rules.judges_pages else SNIPPET
        is_chained = rules.judges_pages and rules.judges_snippets
        self._page_from = rules.page_from if is_chained else None
        self._counts_as, self._left_out = counts_as, frozenset(left_out)
        self._given: defaultdict[Item, _Given] = defaultdict(dict)

    def add(self, events: Iterable[LabelRow]) -> set[Item]:
        """Take in label events, in their order; return the items that they are about."""
        touched = set()
        for topic, document, assessor, facet, engine, state, level in events:
            if assessor not in self._left_out:
                self._given[topic, document][assessor, facet, engine] = state, level
                touched.add((topic, document))
        return touched

    def share(self, item: Item) -> float:
        """Return the share of an item's labels that say relevant, in [0, 1]; NaN without any."""
        votes = [*self._own_votes(item), *self._passed_over(item)]
        return sum(votes) / len(votes) if votes else float("nan")

    def _own_votes(self, item: Item) -> list[bool]:
        return [
            self._count(facet, level) >= self._relevant_from
            for (_, facet, _), (state, level) in self._given.get(item, {}).items()
            if facet == self._facet and state == "level" and level is not None
        ]

    def _passed_over(self, item: Item) -> list[bool]:
        """Return a vote against for each whose snippets did not call for the page."""
        if self._page_from is None:
            return []
        given = self._given.get(item, {})
        opened = {assessor for assessor, facet, _ in given if facet == PAGE}
        highest: dict[str, int] = {}
        for (assessor, facet, _), (state, level) in given.items():
            if facet == SNIPPET and state == "level" and level is not None:
                highest[assessor] = max(level, highest.get(assessor, level))
        return [
            False
            for assessor, level in highest.items()
            if assessor not in opened and level < self._page_from
        ]

    def _count(self, facet: str, level: int) -> int:
        return self._counts_as.get((facet, level), level)


@dataclass(eq=False)
class _RoundPool:
    """The candidates of a round, and where each lies among them."""

    extent: tuple[int, int]
    candidates: Candidates
    place: dict[Item, int]


@dataclass(eq=False)
class _Live:
    """An order at work, with all that it has been told.

    Parameters
    ----------
    basis : tuple
        What it was begun with, and what it cannot be told of while it is at work.
    pool : _RoundPool
        What it chooses from.
    chooser : Chooser
        The order.
    relevance : ItemRelevance
        What labels say by now.
    batches : Counter
        How many batches each topic has.
    number : int
        How many documents were chosen.
    last : tuple of str
        Topic and document of the last of them.
    sequence : int
        Label events up to it are known.
    """

    basis: tuple[Any, ...]
    pool: _RoundPool
    chooser: Chooser
    relevance: ItemRelevance
    batches: Counter[str]
    number: int
    last: Item
    sequence: int


_LIVE: "WeakKeyDictionary[Store, dict[str, _Live]]" = WeakKeyDictionary()


def choose_batch(store: Store, cursor: Cursor, rules: Round, now: datetime) -> list[Slot]:
    """Have the order of a round choose its next batch, within a transaction that writes.

    The batch has as many places as the round has assessors for each topic, all of them open.

    Returns
    -------
    list of Slot
        The places; empty where the budget is used up or nothing is left to choose.
    """
    standing = read_standing(cursor, rules)
    if standing is None or not standing.state.left:
        return []
    live = _bring_up_to_date(store, cursor, rules, standing)
    choice = live.chooser.choose(min(rules.batch_size or BATCH, standing.state.left))
    if choice is None:
        _end(cursor, rules, standing.state.chosen)
        return []
    chosen = _describe(rules, live, choice)
    slots = insert_chosen(cursor, rules, chosen, live.number, now)
    _tell_known(live, choice)
    live.number += len(chosen.documents)
    live.last = chosen.topic_id, chosen.documents[-1]
    live.batches[chosen.topic_id] += 1
    return slots


def _tell_known(live: _Live, choice: Choice) -> None:
    """Tell an order what labels of another round say of documents that it has just chosen."""
    items = {
        (live.pool.candidates.topics[live.pool.candidates.topic[one]],
         live.pool.candidates.document[one])
        for one in choice.item
    }  # fmt: skip
    item, share = _weigh(live.relevance, items, live.pool)
    if not np.isnan(share).all():
        live.chooser.learn(item[~np.isnan(share)], share[~np.isnan(share)])


def _end(cursor: Cursor, rules: Round, chosen: int) -> None:
    """Take down that an order has nothing more to choose: a sample is complete."""
    update_order(cursor, rules.round_id, rules.order or "", chosen)
    change = f"budget: {'none' if rules.budget is None else rules.budget} → {chosen}"
    note_change(cursor, rules.collection_id, "set order", f"round {rules.round_id}", change)


def _describe(rules: Round, live: _Live, choice: Choice) -> Chosen:
    """Return what was chosen, as it is stored."""
    candidates = live.pool.candidates
    topic_id = candidates.topics[int(candidates.topic[choice.item[0]])]
    strata = getattr(choice, "stratum", None)
    return Chosen(
        rules.round_id,
        topic_id,
        live.batches[topic_id],
        candidates.document[choice.item].tolist(),
        [candidates.systems[one] if one >= 0 else "" for one in choice.system],
        [None if isnan(one) else float(one) for one in choice.probability],
        [None] * len(choice.item) if strata is None else [int(one) for one in strata],
    )


def _bring_up_to_date(store: Store, cursor: Cursor, rules: Round, standing: ChoosingState) -> _Live:
    """Return the order at work, told what has come in; begun anew where that is not enough.

    It is not where others have chosen meanwhile, or a transaction was given up, where documents
    or runs came, and where it was changed what labels count as.
    """
    held = _LIVE.setdefault(store, {})
    live = held.get(rules.round_id)
    basis = (
        rules.order, rules.seed, rules.relevant_from,
        standing.counts_as, standing.left_out,
    )  # fmt: skip
    extent = standing.state.candidates, standing.systems
    if (
        live is None
        or (live.basis, live.pool.extent) != (basis, extent)
        or (live.number, live.last) != (standing.state.chosen, standing.last)
    ):
        pool = live.pool if live is not None and live.pool.extent == extent else None
        live = _begin(cursor, rules, standing, pool or _read_pool(cursor, rules, extent), basis)
        held[rules.round_id] = live
    elif standing.sequence > live.sequence:
        _learn(cursor, rules, live)
        live.sequence = standing.sequence
    return live


def _learn(cursor: Cursor, rules: Round, live: _Live) -> None:
    """Tell an order of the labels that have come since."""
    events = read_events_since(cursor, rules.collection_id, live.sequence)
    item, share = _weigh(live.relevance, live.relevance.add(events), live.pool)
    is_chosen = live.chooser.is_chosen[item]
    if is_chosen.any():
        live.chooser.learn(item[is_chosen], share[is_chosen])


def _begin(
    cursor: Cursor, rules: Round, standing: ChoosingState, pool: _RoundPool, basis: tuple[Any, ...]
) -> _Live:
    """Begin an order from what is stored."""
    relevance = ItemRelevance(rules, standing.counts_as, standing.left_out)
    touched = relevance.add(read_events_since(cursor, rules.collection_id, -1))
    chosen = read_chosen(cursor, rules.round_id)
    number = {name: place for place, name in enumerate(pool.candidates.systems)}
    rows = zip(chosen["topic_id"], chosen["document_id"], chosen["system"], strict=True)
    known = [
        (pool.place[topic, document], number.get(system, -1))
        for topic, document, system in rows
        if (topic, document) in pool.place
    ]
    item, system = np.array(known, dtype=np.int64).reshape(-1, 2).T
    share = np.full(len(pool.candidates), np.nan)
    judged, shares = _weigh(relevance, touched, pool)
    share[judged] = shares
    chooser = parse_order(rules.order or "").begin(
        pool.candidates, Known(item, system, share[item]), rules.seed
    )
    last = chosen.groupby("topic_id")["batch"].max()
    batches = Counter({str(topic): int(batch) + 1 for topic, batch in last.items()})
    return _Live(
        basis,
        pool,
        chooser,
        relevance,
        batches,
        standing.state.chosen,
        standing.last,
        standing.sequence,
    )


def _weigh(
    relevance: ItemRelevance, touched: set[Item], pool: _RoundPool
) -> tuple[Integers, Floats]:
    """Return the places of items among the candidates, those that are any, and their relevance."""
    inside = sorted(one for one in touched if one in pool.place)
    item = np.array([pool.place[one] for one in inside], dtype=np.int64)
    return item, np.array([relevance.share(one) for one in inside], dtype=np.float64)


def _read_pool(cursor: Cursor, rules: Round, extent: tuple[int, int]) -> _RoundPool:
    candidates = build_candidates(read_candidate_runs(cursor, rules), rules.depth)
    topics = np.array(candidates.topics, dtype=object)[candidates.topic].tolist()
    places = zip(topics, candidates.document.tolist(), strict=True)
    return _RoundPool(extent, candidates, {key: place for place, key in enumerate(places)})
