"""Opening, topping up and closing rounds: which topics are judged by whom, how often."""

import hashlib
import json
import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np
import pandas as pd

from core.assessment.pools import pool_documents, sample_topics, split_batches
from core.errors import BadInput
from core.store.audit.change_diff import describe_change
from core.store.events.frames import read_document_index, read_results, read_runs, read_topics
from core.store.people.members import list_members
from core.store.rounds.pairs import insert_pairs
from core.store.rounds.rounds import (
    FLOWS,
    SIDE_BY_SIDE,
    SNIPPET_THEN_PAGE,
    Round,
    Slot,
    get_round,
    insert_pool,
    insert_round,
    insert_slots,
    read_pool,
    read_slots,
    update_closing,
)
from core.store.store import Store, utc_now


@dataclass(frozen=True)
class Plan:
    """What an organiser asks for.

    ``assessors`` are given their topics by name; when empty, whoever comes takes the next
    topic from the open queue. ``share`` is the share of the topics, drawn with ``seed``.
    """

    name: str = "Round 1"
    judges: int = 2
    depth: int = 10
    flow: str = "snippet then page"
    page_from: int | None = None
    share: float = 1.0
    batch_size: int | None = None
    lease_minutes: int = 60
    repeat_share: float = 0.0
    seed: int = 1
    assessors: tuple[str, ...] = ()

    def check(self) -> None:
        """Raise BadInput where the plan cannot be carried out."""
        if self.judges < 1:
            raise BadInput("each topic needs at least one assessor", field="judges")
        if self.depth < 1:
            raise BadInput("the pool needs at least the first document of a run", field="depth")
        flows = (*FLOWS, *SIDE_BY_SIDE)
        if self.flow not in flows:
            raise BadInput(f"the flow is one of: {'; '.join(flows)}", field="flow")
        if not 0 < self.share <= 1:
            raise BadInput("the share of topics lies above 0 and at most at 1", field="share")
        if not 0 <= self.repeat_share <= 1:
            raise BadInput("the share of repeats lies between 0 and 1", field="repeat_share")
        if self.lease_minutes < 1 or (self.batch_size is not None and self.batch_size < 1):
            raise BadInput("leases and batches need a size of at least 1")
        if self.assessors and len(set(self.assessors)) < self.judges:
            raise BadInput(
                f"{self.judges} different assessors per topic need as many names; "
                f"there are {len(set(self.assessors))}",
                field="assessors",
            )


@dataclass(frozen=True)
class Pooled:
    """A pool before it is judged: what can be handed out and what cannot."""

    pairs: pd.DataFrame
    without_text: int
    unknown_topics: int


def preview_pool(
    store: Store, collection_id: str, depth: int, flow: str = SNIPPET_THEN_PAGE
) -> Pooled:
    """Return the depth-k pool of a collection's runs.

    Pairs without anything to show (no page text; for snippets, no snippet) are counted and
    left out, and so are pairs of topics that the collection does not describe.
    """
    pool = pool_documents(read_runs(store, collection_id), depth)
    known = pool["topic_id"].isin(read_topics(store, collection_id)["topic_id"])
    documents = read_document_index(store, collection_id)
    readable = pool["document_id"].isin(documents.loc[documents["readable"], "document_id"])
    if flow == "snippet only":
        shown = read_results(store, collection_id)[["topic_id", "document_id"]].drop_duplicates()
        readable = pool.merge(shown, how="left", indicator=True)["_merge"] == "both"
    return Pooled(
        pool[known & readable].reset_index(drop=True),
        int((known & ~readable).sum()),
        int((~known).sum()),
    )


def open_round(store: Store, collection_id: str, plan: Plan, by: str = "") -> str:
    """Make a pool, divide it into slots and open it for judging; returns the round's id.

    Raises
    ------
    BadInput
        The plan cannot be carried out, or nothing can be judged.
    """
    plan.check()
    pooled = preview_pool(store, collection_id, plan.depth, plan.flow).pairs
    if pooled.empty:
        raise BadInput("nothing can be judged: import runs (or results) and documents first")
    rng = np.random.default_rng(plan.seed)
    topics = sample_topics(sorted(pooled["topic_id"].unique()), plan.share, rng)
    pool = split_batches(pooled[pooled["topic_id"].isin(topics)], plan.batch_size, rng)
    return insert_plan(store, collection_id, plan, pool, rng, by)


def insert_plan(
    store: Store,
    collection_id: str,
    plan: Plan,
    pool: pd.DataFrame,
    rng: np.random.Generator,
    by: str,
    pairs: pd.DataFrame | None = None,
) -> str:
    """Store a round over a pool, with its slots and, side by side, its pairs; return its id."""
    rules = Round(
        "r-" + secrets.token_hex(4),
        collection_id,
        plan.name,
        plan.judges,
        plan.flow,
        plan.page_from,
        plan.depth,
        plan.batch_size,
        plan.lease_minutes,
        plan.repeat_share,
        plan.seed,
        utc_now(),
        None,
    )
    slots = divide_slots(rules, pool, plan.assessors, rng)
    asked = json.dumps(asdict(plan), ensure_ascii=False)
    with store.change(collection_id, "open", f"round {rules.round_id}", asked, by) as cursor:
        insert_round(cursor, rules)
        insert_pool(cursor, rules.round_id, pool)
        insert_slots(cursor, slots, by)
        if pairs is not None:
            insert_pairs(cursor, collection_id, pairs)
    return rules.round_id


def divide_slots(
    rules: Round, pool: pd.DataFrame, assessors: Sequence[str], rng: np.random.Generator
) -> list[Slot]:
    """Return exactly ``judges`` slots for every batch.

    Named assessors take turns in a shuffled order, so that each gets the same number of
    batches (give or take one) and every pair of neighbours shares some.
    """
    people = list(dict.fromkeys(assessors))
    names = [people[place] for place in rng.permutation(len(people))]
    batches = pool[["topic_id", "batch"]].drop_duplicates().sort_values(["topic_id", "batch"])
    slots, turn = [], 0
    for topic_id, batch in batches.itertuples(index=False):
        for slot in range(rules.judges):
            holder = names[turn % len(names)] if names else None
            turn += 1
            slots.append(
                Slot(rules.round_id, topic_id, int(batch), slot, holder, bool(names), None, None)
            )
    return slots


def top_up(store: Store, round_id: str, by: str = "") -> int:
    """Add what new runs and documents bring to a round's pool; returns the number of pairs.

    A topic that nobody has begun simply grows. Otherwise the additions become a further
    batch for the same assessors; the place of one who has been dropped since is open to all.
    """
    rules = get_round(store, round_id)
    if rules.pair_facets:
        raise BadInput("a round of pairs is not topped up; open a further round for more pairs")
    pool = read_pool(store, round_id)
    wider = preview_pool(store, rules.collection_id, rules.depth, rules.flow).pairs
    wider = wider[wider["topic_id"].isin(pool["topic_id"])]
    merged = wider.merge(pool, how="left", on=["topic_id", "document_id"], indicator=True)
    new = merged.loc[merged["_merge"] == "left_only", ["topic_id", "document_id"]]
    if new.empty:
        return 0
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
    detail = f"{len(new)} pairs"
    with store.change(rules.collection_id, "top up", f"round {round_id}", detail, by) as cursor:
        insert_pool(cursor, round_id, new)
        insert_slots(cursor, fresh, by)
    return len(new)


def close_round(store: Store, round_id: str, *, closed: bool, by: str = "") -> None:
    """Close a round to new judgements, or open it again."""
    rules = get_round(store, round_id)
    what = "close" if closed else "reopen"
    detail = describe_change({"closed": not closed}, {"closed": closed})
    with store.change(rules.collection_id, what, f"round {round_id}", detail, by) as cursor:
        update_closing(cursor, round_id, utc_now() if closed else None)


def seeded(rules: Round, *parts: str) -> np.random.Generator:
    """Return a generator that is always the same for a round and the given parts."""
    digest = hashlib.sha256("\x1f".join(parts).encode()).digest()
    return np.random.default_rng([rules.seed, int.from_bytes(digest[:8], "big")])


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
