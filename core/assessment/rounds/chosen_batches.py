"""What the order of a round chooses next, from the labels that have come in.

All that is chosen is in the store; what a process keeps only spares it reading everything again.
"""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from math import isnan
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from core.assessment.rounds.item_relevance import Item, ItemRelevance
from core.orders.base import Choice, Chooser, Known, parse_order
from core.orders.candidates import Candidates, Floats, Integers, build_candidates
from core.orders.choices import BATCH
from core.store.file.database import Cursor
from core.store.rounds.orders import (
    ChoosingState,
    Chosen,
    insert_chosen,
    read_candidate_runs,
    read_chosen,
    read_events_since,
    read_standing,
    update_order,
)
from core.store.rounds.rounds import Round, Slot
from core.store.store import Store, note_change


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
    told = f"budget: {'none' if rules.budget is None else rules.budget} → {chosen}"
    note_change(cursor, rules.collection_id, "set order", f"round {rules.round_id}", told)


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
