"""What the order of a round chooses next, from the labels that have come in.

All that is chosen is in the store; what a process keeps only spares it reading everything again.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd

from core.orders.base import Choice, Chooser, Known, Order, parse_order
from core.orders.candidates import Candidates, build_candidates
from core.store.file.database import Cursor
from core.store.rounds.orders import (
    find_next_batch,
    find_order_state,
    insert_chosen,
    read_basis,
    read_candidate_runs,
    read_chosen,
    read_extent,
    read_last_chosen,
    read_relevance,
    read_sequence,
    update_order,
)
from core.store.rounds.rounds import Round, Slot, insert_pool, insert_slots
from core.store.store import Store, note_change

BATCH = 5
"""How many documents are handed out together where an order chooses, unless it is said."""


@dataclass(eq=False)
class _Pool:
    """The candidates of a round, and where each lies among them."""

    extent: tuple[int, int]
    candidates: Candidates
    place: dict[tuple[str, str], int]


@dataclass(eq=False)
class _Live:
    """An order at work, with what it has been told.

    Parameters
    ----------
    rules : tuple
        What it was begun with: order, seed, from which level on a label says relevant.
    basis : list
        What relevance rests on besides labels.
    last : tuple
        How many items were chosen, and the last of them.
    sequence : int
        Label events up to it are known.
    """

    rules: tuple[Any, ...]
    pool: _Pool
    basis: list[Any]
    chooser: Chooser
    last: tuple[int, str, str]
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
    state = find_order_state(cursor, rules.round_id)
    if state is None or rules.order is None or not state.left:
        return []
    live = _bring_up_to_date(store, cursor, rules)
    choice = live.chooser.choose(min(rules.batch_size or BATCH, state.left))
    if choice is None:
        _end(cursor, rules, state.chosen)
        return []
    chosen = _tell(cursor, rules, live, choice)
    insert_pool(cursor, rules.round_id, chosen)
    insert_chosen(cursor, rules.round_id, rules.order, chosen, now)
    live.last = (live.last[0] + len(chosen), *chosen[["topic_id", "document_id"]].iloc[-1])
    topic_id, batch = str(chosen["topic_id"].iloc[0]), int(chosen["batch"].iloc[0])
    slots = [
        Slot(rules.round_id, topic_id, batch, slot, None, False, None, None)
        for slot in range(rules.judges)
    ]
    insert_slots(cursor, slots)
    return slots


def begin_order(cursor: Cursor, rules: Round) -> tuple[Order, Candidates, Known]:
    """Return the order of a round, what it chooses from, and what it knows by now."""
    order = parse_order(rules.order or "")
    pool = _read_pool(cursor, rules, read_extent(cursor, rules.round_id))
    return order, pool.candidates, _read_known(cursor, rules, pool)


def _end(cursor: Cursor, rules: Round, chosen: int) -> None:
    """Take down that an order has nothing more to choose: a sample is complete."""
    update_order(cursor, rules.round_id, rules.order or "", chosen)
    told = f"budget: {'none' if rules.budget is None else rules.budget} → {chosen}"
    note_change(cursor, rules.collection_id, "set order", f"round {rules.round_id}", told)


def _tell(cursor: Cursor, rules: Round, live: _Live, choice: Choice) -> pd.DataFrame:
    """Return what was chosen, as it is stored."""
    candidates = live.pool.candidates
    topic_id = candidates.topics[int(candidates.topic[choice.item[0]])]
    systems = np.array(["", *candidates.systems], dtype=object)
    return pd.DataFrame(
        {
            "topic_id": topic_id,
            "document_id": candidates.document[choice.item],
            "batch": find_next_batch(cursor, rules.round_id, topic_id),
            "place": live.last[0] + 1 + np.arange(len(choice.item)),
            "probability": np.asarray(choice.probability, dtype=np.float64),
            "stratum": _read_strata(choice),
            "system": systems[choice.system + 1],
        }
    )


def _read_strata(choice: Choice) -> Any:
    """Return the stratum of each item where an order has strata; NaN elsewhere."""
    strata = getattr(choice, "stratum", None)
    return np.full(len(choice.item), np.nan) if strata is None else np.asarray(strata, dtype=float)


def _bring_up_to_date(store: Store, cursor: Cursor, rules: Round) -> _Live:
    """Return the order at work, told what has come in; begun anew where that is not enough.

    It is not where others have chosen meanwhile, or a transaction was given up, where documents
    or runs came, and where what labels count as was changed.
    """
    held = _LIVE.setdefault(store, {})
    extent, last = read_extent(cursor, rules.round_id), read_last_chosen(cursor, rules.round_id)
    basis = read_basis(cursor, rules.collection_id)
    about = (rules.order, rules.seed, rules.relevant_from)
    sequence = read_sequence(cursor, rules.collection_id)
    live = held.get(rules.round_id)
    if (
        live is None
        or (live.rules, live.basis, live.last) != (about, basis, last)
        or live.pool.extent != extent
    ):
        pool = live.pool if live is not None and live.pool.extent == extent else None
        pool = pool or _read_pool(cursor, rules, extent)
        order = parse_order(rules.order or "")
        chooser = order.begin(pool.candidates, _read_known(cursor, rules, pool), rules.seed)
        live = held[rules.round_id] = _Live(about, pool, basis, chooser, last, sequence)
    elif sequence > live.sequence:
        item, relevance = _place(read_relevance(cursor, rules, live.sequence), live.pool)
        if len(item):
            live.chooser.learn(item, relevance)
        live.sequence = sequence
    return live


def _read_pool(cursor: Cursor, rules: Round, extent: tuple[int, int]) -> _Pool:
    candidates = build_candidates(read_candidate_runs(cursor, rules), rules.depth)
    topics = np.array(candidates.topics, dtype=object)[candidates.topic].tolist()
    places = zip(topics, candidates.document.tolist(), strict=True)
    return _Pool(extent, candidates, {key: place for place, key in enumerate(places)})


def _read_known(cursor: Cursor, rules: Round, pool: _Pool) -> Known:
    """Return what was chosen in a round, from which run, and how relevant it is by now."""
    chosen = read_chosen(cursor, rules.round_id)
    item = np.array(
        [pool.place[key] for key in zip(chosen["topic_id"], chosen["document_id"], strict=True)],
        dtype=np.int64,
    )
    number = {name: place for place, name in enumerate(pool.candidates.systems)}
    system = np.array([number.get(name, -1) for name in chosen["system"]], dtype=np.int64)
    relevance = np.full(len(pool.candidates), np.nan)
    judged, share = _place(read_relevance(cursor, rules), pool)
    relevance[judged] = share
    return Known(item, system, relevance[item])


def _place(relevance: pd.DataFrame, pool: _Pool) -> tuple[np.ndarray[Any, Any], Any]:
    """Return the places of items among the candidates, and their relevance."""
    keys = zip(relevance["topic_id"], relevance["document_id"], strict=True)
    item = np.array([pool.place[key] for key in keys], dtype=np.int64)
    return item, relevance["relevance"].to_numpy(dtype=np.float64)
