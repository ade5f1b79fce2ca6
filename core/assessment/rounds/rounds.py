"""Opening and closing rounds: which topics are judged by whom, how often, until when."""

import hashlib
import json
import secrets
from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime

import numpy as np
import pandas as pd

from core.assessment.rounds.pools import (
    keep_lacking,
    labels_given,
    pool_documents,
    sample_topics,
    split_batches,
)
from core.collection.records import PAGE, SNIPPET
from core.errors import BadInput
from core.orders.base import Order, parse_order
from core.orders.candidates import Candidates, build_candidates
from core.orders.choices import BATCH
from core.store.audit.change_diff import describe_change
from core.store.content.scales import get_scales
from core.store.events.frames import (
    read_document_index,
    read_labels,
    read_results,
    read_runs,
    read_topics,
)
from core.store.people.members import list_assessors
from core.store.people.roster import MACHINE, read_left_out
from core.store.rounds.orders import insert_candidates, insert_systems
from core.store.rounds.pairs import insert_pairs
from core.store.rounds.pools import insert_batch_judges
from core.store.rounds.rounds import (
    FLOWS,
    PAGE_ONLY,
    SIDE_BY_SIDE,
    SNIPPET_THEN_PAGE,
    Round,
    Slot,
    get_round,
    insert_pool,
    insert_round,
    insert_slots,
    update_closing,
    update_deadline,
)
from core.store.rounds.showing import insert_showing
from core.store.rounds.withdrawn_runs import list_withdrawn
from core.store.store import Store, utc_now


@dataclass(frozen=True)
class Plan:
    """What an organiser asks for.

    ``assessors`` are given their topics by name; when empty, whoever comes takes the next
    topic from the open queue. ``share`` is the share of the topics, drawn with ``seed``.
    ``lacking``: only what fewer assessors than this have labelled is judged, by as many as are
    missing of ``judges``. After ``due_at`` (UTC) judgements are late; nothing is blocked.
    ``shows_machine``: the machine, by its id as an assessor, whose level of a page an assessor is
    told on a random half of the pages, once all of a batch is judged. ``order``: what chooses
    batch by batch, as labels come in, which documents are judged next, at most ``budget`` of them;
    a label from ``relevant_from`` on tells it that a document is relevant.
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
    lacking: int | None = None
    due_at: datetime | None = None
    shows_machine: str | None = None
    order: str | None = None
    budget: int | None = None
    relevant_from: int = 1

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
        if self.lacking is not None and not 1 <= self.lacking <= self.judges:
            raise BadInput(
                "what is left out has from 1 label to as many as the round asks for",
                field="lacking",
            )
        if self.assessors and len(set(self.assessors)) < self.judges:
            raise BadInput(
                f"{self.judges} different assessors per topic need as many names; "
                f"there are {len(set(self.assessors))}",
                field="assessors",
            )
        if self.shows_machine is not None:
            self._check_showing()
        if self.order is not None:
            self._check_order(self.order)
        elif self.budget is not None:
            raise BadInput(
                "a budget needs an order: without one everything is handed out", field="budget"
            )

    def _check_order(self, order: str) -> None:
        parse_order(order)
        if self.flow not in FLOWS:
            raise BadInput("an order chooses documents, no pairs of things", field="order")
        if self.assessors:
            raise BadInput(
                "what an order chooses goes to whoever comes next: name no assessors",
                field="assessors",
            )
        if self.lacking is not None:
            raise BadInput(
                "an order chooses from the whole pool: it cannot leave out what has labels",
                field="lacking",
            )
        if self.budget is not None and self.budget < 1:
            raise BadInput("the budget is at least one document", field="budget")

    def _check_showing(self) -> None:
        if self.flow not in (SNIPPET_THEN_PAGE, PAGE_ONLY):
            raise BadInput(
                "a machine's levels are shown of pages: choose a flow in which pages are judged",
                field="shows_machine",
            )
        if self.repeat_share:
            raise BadInput(
                "a round that shows a machine's levels has no hidden repeats: what was seen of an "
                "item would bear on its repeat",
                field="repeat_share",
            )


@dataclass(frozen=True)
class Pooled:
    """A pool before it is judged: what can be handed out and what cannot."""

    pairs: pd.DataFrame
    without_text: int
    unknown_topics: int

    @property
    def advice(self) -> str:
        """Why nothing can be handed out, and what to import; empty where there is something."""
        if not self.pairs.empty:
            return ""
        missing = []
        if self.unknown_topics:
            missing.append("the collection has none of the topics of the runs: import these topics")
        if self.without_text:
            missing.append("it has no text of what the runs found: import the documents")
        return "; ".join(missing) or "there is no ranking yet: import runs or results"


def preview_pool(
    store: Store, collection_id: str, depth: int, flow: str = SNIPPET_THEN_PAGE
) -> Pooled:
    """Return the depth-k pool of a collection's runs.

    Pairs without anything to show (no page text; for snippets, no snippet) are counted and
    left out, and so are pairs of topics that the collection does not describe.
    """
    pool = pool_documents(read_runs(store, collection_id, deepest=depth), depth)
    known = pool["topic_id"].isin(read_topics(store, collection_id)["topic_id"])
    documents = read_document_index(store, collection_id)
    readable = pool["document_id"].isin(documents.loc[documents["readable"], "document_id"])
    if flow == "snippet only":
        shown = read_shown(store, collection_id)[["topic_id", "document_id"]].drop_duplicates()
        readable = pool.merge(shown, how="left", indicator=True)["_merge"] == "both"
    return Pooled(
        pool[known & readable].reset_index(drop=True),
        int((known & ~readable).sum()),
        int((~known).sum()),
    )


def read_shown(store: Store, collection_id: str) -> pd.DataFrame:
    """Return the results whose snippets a new round would show: of runs that count."""
    gone = list_withdrawn(store, collection_id)["system"]
    results = read_results(store, collection_id)
    return results[~results["engine"].isin(gone)]


def open_round(
    store: Store, collection_id: str, plan: Plan, by: str = "", now: datetime | None = None
) -> str:
    """Make a pool, divide it into slots and open it for judging; returns the round's id.

    Raises
    ------
    BadInput
        The plan cannot be carried out, or nothing can be judged.
    """
    plan.check()
    preview = preview_pool(store, collection_id, plan.depth, plan.flow)
    if preview.advice:
        raise BadInput(f"nothing can be judged: {preview.advice}")
    pooled = preview.pairs
    rng = np.random.default_rng(plan.seed)
    given = None
    if plan.lacking is not None:
        given = labels_given(read_labels(store, collection_id, discussed=True), plan.flow)
    pool = draw_pool(pooled, plan, rng, given, list_assessors(store, collection_id))
    if pool.empty:
        raise BadInput("nothing lacks labels: every document of this pool has as many as asked for")
    return insert_plan(store, collection_id, plan, pool, rng, by, now=now)


def draw_pool(
    pooled: pd.DataFrame,
    plan: Plan,
    rng: np.random.Generator,
    given: pd.DataFrame | None = None,
    present: Collection[str] = (),
) -> pd.DataFrame:
    """Return what a plan hands out of a pool, in batches.

    Parameters
    ----------
    pooled : DataFrame
        The pairs of ``preview_pool``; at least one.
    given : DataFrame, optional
        From ``labels_given``; needed where the plan leaves out what has labels.
    present : collection of str
        Those who can be asked to judge.

    Returns
    -------
    DataFrame
        The rows of the drawn topics with batch; with ``lacking`` those that lack labels only, and
        judges, judged_by as from ``keep_lacking``.
    """
    topics = sample_topics(sorted(pooled["topic_id"].unique()), plan.share, rng)
    pool = pooled[pooled["topic_id"].isin(topics)]
    if plan.lacking is not None and given is not None:
        pool = keep_lacking(pool, given, plan.judges, plan.lacking, present)
    return split_batches(pool, plan.batch_size, rng)


def insert_plan(
    store: Store,
    collection_id: str,
    plan: Plan,
    pool: pd.DataFrame,
    rng: np.random.Generator,
    by: str,
    pairs: pd.DataFrame | None = None,
    now: datetime | None = None,
) -> str:
    """Store a round over a pool, with its slots and, side by side, its pairs; return its id.

    With an order the pool is what can be chosen, and nothing is handed out yet.
    """
    rules = _make_rules(collection_id, plan, now)
    _require_machine(store, collection_id, plan.shows_machine)
    if rules.order is not None:
        rules = _fit_order(store, rules, pool)
    slots = [] if rules.order else divide_slots(rules, pool, plan.assessors, rng)
    asked = json.dumps(asdict(plan), ensure_ascii=False, default=str)
    with store.change(collection_id, "open", f"round {rules.round_id}", asked, by) as cursor:
        insert_round(cursor, rules)
        if rules.order is not None:
            insert_candidates(cursor, rules.round_id, pool)
            insert_systems(cursor, rules)
        else:
            insert_pool(cursor, rules.round_id, pool)
            insert_batch_judges(cursor, rules, pool)
            insert_slots(cursor, slots, by)
        if plan.shows_machine is not None:
            insert_showing(cursor, rules.round_id, plan.shows_machine, secrets.token_hex(32))
        if pairs is not None:
            insert_pairs(cursor, collection_id, pairs)
    return rules.round_id


def _make_rules(collection_id: str, plan: Plan, now: datetime | None = None) -> Round:
    """Return the rules of a new round of this plan, with an id of its own."""
    return Round(
        "r-" + secrets.token_hex(4),
        collection_id,
        plan.name,
        plan.judges,
        plan.flow,
        plan.page_from,
        plan.depth,
        plan.batch_size if plan.order is None else plan.batch_size or BATCH,
        plan.lease_minutes,
        plan.repeat_share,
        plan.seed,
        now or utc_now(),
        None,
        plan.due_at,
        plan.lacking,
        None if plan.order is None else str(parse_order(plan.order)),
        plan.budget,
        None if plan.order is None else plan.relevant_from,
    )


def _fit_order(store: Store, rules: Round, pool: pd.DataFrame) -> Round:
    """Return the rules of a round with an order, its budget being the sample where it draws one.

    Raises
    ------
    BadInput
        No level says relevant, or the budget would cut a sample short.
    """
    facet = PAGE if rules.judges_pages else SNIPPET
    levels = get_scales(store, rules.collection_id)[facet]
    lowest, highest = (pick(one.counts_as for one in levels) for pick in (min, max))
    if rules.relevant_from is not None and not lowest < rules.relevant_from <= highest:
        raise BadInput(
            f"a label says relevant from a level between {lowest + 1} and {highest} on, or the "
            "order learns nothing",
            field="relevant_from",
        )
    order = parse_order(rules.order or "")
    if not order.has_probabilities:
        return rules
    runs = read_runs(store, rules.collection_id, deepest=rules.depth)
    sample = count_sample(order, build_candidates(runs, rules.depth, pool), rules.seed)
    if sample == len(pool):
        return rules
    if rules.budget is not None and rules.budget < sample:
        raise BadInput(
            f"this sample has {sample:,} documents, and a part of it would not have the stated "
            "probabilities: ask for a smaller sample, or give no budget",
            field="budget",
        )
    return replace(rules, budget=sample)


def count_sample(order: Order, candidates: Candidates, seed: int) -> int:
    """Return how many documents an order chooses in all: fewer than there are, if it samples."""
    chooser, number = order.begin(candidates, seed=seed), 0
    while choice := chooser.choose(max(len(candidates), 1)):
        number += len(choice.item)
    return number


def _require_machine(store: Store, collection_id: str, machine_id: str | None) -> None:
    kinds = read_left_out(store, collection_id)
    if machine_id is not None and kinds.get(machine_id) != MACHINE:
        raise BadInput(
            f"'{machine_id}' is no machine of this collection, so a round cannot show its levels; "
            "say in the roster who is a machine",
            field="shows_machine",
        )


def divide_slots(
    rules: Round, pool: pd.DataFrame, assessors: Sequence[str], rng: np.random.Generator
) -> list[Slot]:
    """Return exactly ``judges`` slots for every batch, or as many as labels are missing there.

    Named assessors take turns in a shuffled order, so that each gets the same number of
    batches (give or take one) and every pair of neighbours shares some. Who has labelled a batch
    before is passed over; where nobody else is left, the slot is open.
    """
    people = list(dict.fromkeys(assessors))
    turns = deque(people[place] for place in rng.permutation(len(people)))
    slots = []
    for topic_id, batch, judges, judged_by in _list_batches(rules, pool):
        barred: set[str | None] = {*judged_by}
        for slot in range(judges):
            holder = _take_turn(turns, barred)
            barred.add(holder)
            is_theirs = holder is not None
            slots.append(Slot(rules.round_id, topic_id, batch, slot, holder, is_theirs, None, None))
    return slots


def _take_turn(turns: deque[str], barred: Collection[str | None]) -> str | None:
    """Return the next in turn who may judge, and put them last; None where nobody may."""
    chosen = next((one for one in turns if one not in barred), None)
    if chosen is not None:
        turns.remove(chosen)
        turns.append(chosen)
    return chosen


def _list_batches(rules: Round, pool: pd.DataFrame) -> list[tuple[str, int, int, tuple[str, ...]]]:
    """Return topic, number, how many are to judge it, and who did before, of every batch."""
    batches = pool.drop_duplicates(["topic_id", "batch"]).sort_values(["topic_id", "batch"])
    judges = batches.get("judges", pd.Series(rules.judges, index=batches.index))
    judged_by = batches.get("judged_by", pd.Series([()] * len(batches), index=batches.index))
    columns = batches["topic_id"], batches["batch"], judges, judged_by
    return [
        (topic, int(batch), int(number), before)
        for topic, batch, number, before in zip(*columns, strict=True)
    ]


def close_round(store: Store, round_id: str, *, closed: bool, by: str = "") -> None:
    """Close a round to new judgements, or open it again."""
    rules = get_round(store, round_id)
    what = "close" if closed else "reopen"
    detail = describe_change({"closed": not closed}, {"closed": closed})
    with store.change(rules.collection_id, what, f"round {round_id}", detail, by) as cursor:
        update_closing(cursor, round_id, utc_now() if closed else None)


def set_deadline(store: Store, round_id: str, due_at: datetime | None, by: str = "") -> None:
    """Say until when a round is to be finished (UTC), or that there is no such time any more."""
    rules = get_round(store, round_id)
    detail = describe_change({"due": rules.due_at}, {"due": due_at})
    if detail:
        with store.change(
            rules.collection_id, "set deadline", f"round {round_id}", detail, by
        ) as cursor:
            update_deadline(cursor, round_id, due_at)


def seeded(rules: Round, *parts: str) -> np.random.Generator:
    """Return a generator that is always the same for a round and the given parts."""
    digest = hashlib.sha256("\x1f".join(parts).encode()).digest()
    return np.random.default_rng([rules.seed, int.from_bytes(digest[:8], "big")])
