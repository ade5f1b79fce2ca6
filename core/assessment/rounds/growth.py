"""Rounds that grow: by documents of new runs, and by further assessors for every topic."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pandas as pd

from core.assessment.rounds.ordered_rounds import top_up_candidates
from core.assessment.rounds.pools import keep_lacking, labels_given, split_batches
from core.assessment.rounds.rounds import divide_slots, preview_pool
from core.errors import BadInput
from core.store.audit.change_diff import describe_change
from core.store.events.frames import read_labels
from core.store.people.members import list_assessors, list_members
from core.store.rounds.lessons import is_lesson
from core.store.rounds.pools import insert_batch_judges, raise_judges
from core.store.rounds.rounds import (
    Round,
    Slot,
    get_round,
    insert_pool,
    insert_slots,
    read_pool,
    read_slots,
)
from core.store.store import Store

MOST_JUDGES = 50


def top_up(store: Store, round_id: str, by: str = "") -> int:
    """Add what new runs and documents bring to a round's pool; returns the number of pairs.

    A topic that nobody has begun simply grows. Otherwise the additions become a further
    batch for the same assessors; the place of one who has been dropped since is open to all.
    A round that leaves out what has labels takes what lacks them, in batches open to all. Where an
    order chooses, there is more to choose from, and it goes by the new runs as well.

    Raises
    ------
    BadInput
        The round is one of pairs, or judges a sample that is drawn.
    """
    rules = get_round(store, round_id)
    if rules.pair_facets:
        raise BadInput("a round of pairs is not topped up; open a further round for more pairs")
    if rules.order is not None:
        return top_up_candidates(store, rules, by)
    new = _find_new(store, rules)
    if new.empty:
        return 0
    if rules.lacking is None:
        new, fresh = _add_to_topics(store, rules, new)
    else:
        new = _number_after(new, read_pool(store, round_id))
        fresh = divide_slots(rules, new, (), np.random.default_rng(rules.seed))
    detail = f"{len(new)} pairs"
    with store.change(rules.collection_id, "top up", f"round {round_id}", detail, by) as cursor:
        insert_pool(cursor, round_id, new)
        insert_batch_judges(cursor, rules, new)
        insert_slots(cursor, fresh, by)
    return len(new)


def add_judges(store: Store, round_id: str, judges: int, by: str = "") -> int:
    """Have every topic of a round judged by more assessors; returns the number of new slots.

    What is finished stays so, and who judges a batch already is not asked again: the new slots
    are open to others.

    Raises
    ------
    BadInput
        The round is closed, has as many or more assessors, or belongs to a class.
    """
    rules = get_round(store, round_id)
    if rules.closed_at is not None:
        raise BadInput("this round is closed; reopen it first, then ask for more assessors")
    if is_lesson(store, rules.collection_id):
        raise BadInput("a class has a place for each student; it is not topped up")
    if not rules.judges < judges <= MOST_JUDGES:
        raise BadInput(
            f"each topic has {rules.judges} assessors; a number above it is needed, at most "
            f"{MOST_JUDGES}",
            field="judges",
        )
    fresh = _list_further(store, rules, judges - rules.judges)
    detail = describe_change({"assessors": rules.judges}, {"assessors": judges})
    what = "add assessors"
    with store.change(rules.collection_id, what, f"round {round_id}", detail, by) as cursor:
        raise_judges(cursor, round_id, judges - rules.judges)
        insert_slots(cursor, fresh, by)
    return len(fresh)


def _list_further(store: Store, rules: Round, more: int) -> list[Slot]:
    """Return so many more open slots for every batch, numbered after those that are there."""
    slots = [
        slot
        for slot in read_slots(store.cursor(), rules.collection_id)
        if slot.round_id == rules.round_id
    ]
    last: Counter[tuple[str, int]] = Counter()
    for slot in slots:
        place = slot.topic_id, slot.batch
        last[place] = max(last[place], slot.slot)
    return [
        Slot(rules.round_id, topic_id, batch, number + step, None, False, None, None)
        for (topic_id, batch), number in last.items()
        for step in range(1, more + 1)
    ]


def _find_new(store: Store, rules: Round) -> pd.DataFrame:
    """Return the pairs that a round's topics have now and its pool has not."""
    pool = read_pool(store, rules.round_id)
    wider = preview_pool(store, rules.collection_id, rules.depth, rules.flow).pairs
    wider = wider[wider["topic_id"].isin(pool["topic_id"])]
    if rules.lacking is not None:
        labels = read_labels(store, rules.collection_id, discussed=True)
        given = labels_given(labels, rules.flow)
        present = list_assessors(store, rules.collection_id)
        wider = keep_lacking(wider, given, rules.judges, rules.lacking, present)
    merged = wider.merge(pool, how="left", on=["topic_id", "document_id"], indicator=True)
    return merged[merged["_merge"] == "left_only"].drop(columns=["_merge", "batch"])


def _number_after(new: pd.DataFrame, pool: pd.DataFrame) -> pd.DataFrame:
    """Return additions in batches of their own, numbered after those of their topic."""
    split = split_batches(new, None, np.random.default_rng())
    following = pool.groupby("topic_id")["batch"].max() + 1
    return split.assign(batch=split["batch"] + split["topic_id"].map(following))


def _add_to_topics(
    store: Store, rules: Round, new: pd.DataFrame
) -> tuple[pd.DataFrame, list[Slot]]:
    """Return additions with their batches, and the slots that further batches need."""
    by_topic = _slots_by_topic(store, rules)
    members = list_members(store, rules.collection_id)
    gone = set(members.loc[members["dropped_at"].notna(), "assessor_id"])
    new = new.assign(batch=[_batch_for(by_topic.get(topic, [])) for topic in new["topic_id"]])
    fresh = [
        _hand_on(slot, batch, gone)
        for topic, batch in sorted(set(zip(new["topic_id"], new["batch"], strict=True)))
        for slot in by_topic[topic]
        if batch > 0 and slot.batch == 0
    ]
    return new, fresh


def _slots_by_topic(store: Store, rules: Round) -> dict[str, list[Slot]]:
    by_topic: dict[str, list[Slot]] = {}
    for slot in read_slots(store.cursor(), rules.collection_id):
        if slot.round_id == rules.round_id:
            by_topic.setdefault(slot.topic_id, []).append(slot)
    return by_topic


def _hand_on(slot: Slot, batch: int, gone: set[str]) -> Slot:
    """Return the place in a further batch that belongs to a place in the first."""
    holder = None if slot.assessor_id in gone else slot.assessor_id
    return replace(
        slot, batch=batch, assessor_id=holder, reserved=holder is not None, leased_until=None
    )


def _batch_for(slots: list[Slot]) -> int:
    """Return the batch that additions to a topic go into."""
    begun = any(slot.leased_until or slot.finished_at for slot in slots)
    last = max((slot.batch for slot in slots), default=0)
    return last + 1 if begun or last else 0
