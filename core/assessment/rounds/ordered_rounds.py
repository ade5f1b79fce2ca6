"""Rounds with an order, while they go on: another order, another budget, more to choose from."""

from dataclasses import replace

import numpy as np
import pandas as pd

from core.assessment.rounds.rounds import preview_pool
from core.errors import BadInput
from core.orders.base import Choice, Order, parse_order
from core.orders.candidates import Candidates, Floats
from core.store.audit.change_diff import describe_change
from core.store.file.database import Cursor
from core.store.rounds.orders import (
    OrderState,
    find_order_state,
    insert_candidates,
    insert_systems,
    read_candidates,
    update_order,
)
from core.store.rounds.rounds import Round, get_round
from core.store.store import Store

_ITEM = ["topic_id", "document_id"]


def set_order(
    store: Store, round_id: str, order: str, budget: int | None = None, by: str = ""
) -> Round:
    """Have another order choose from now on, or more or fewer documents be chosen.

    What was chosen stays, with the order that chose it.

    Parameters
    ----------
    budget : int, optional
        The most documents that are chosen in all; the whole pool if left out.

    Returns
    -------
    Round
        The round as it is now.

    Raises
    ------
    BadInput
        The round has no order or is closed, the order is unknown or draws a sample, or more has
        been chosen than the budget allows.
    """
    rules = get_round(store, round_id)
    if rules.closed_at is not None:
        raise BadInput("this round is closed; reopen it first, then change its order")
    after = parse_order(order)
    detail = ""
    with store.change(
        rules.collection_id, "set order", f"round {round_id}", lambda: detail, by
    ) as cursor:
        state = _require_state(cursor, round_id)
        _check_change(rules, state, after, budget)
        detail = describe_change(
            {"order": rules.order, "budget": state.budget}, {"order": str(after), "budget": budget}
        )
        update_order(cursor, round_id, str(after), budget)
    return replace(rules, order=str(after), budget=budget)


def _require_state(cursor: Cursor, round_id: str) -> OrderState:
    state = find_order_state(cursor, round_id)
    if state is None:
        raise BadInput(
            "everything of this round was handed out when it was opened: there is nothing to choose"
        )
    return state


def _check_change(rules: Round, state: OrderState, after: Order, budget: int | None) -> None:
    before = parse_order(rules.order or "")
    if budget is not None and budget < max(state.chosen, 1):
        raise BadInput(
            f"{state.chosen:,} documents were chosen already: the budget cannot be lower",
            field="budget",
        )
    if after.has_probabilities and after != before:
        raise BadInput(
            "this order draws a sample with known probabilities, which it can only do from the "
            "start: open a further round for it",
            field="order",
        )
    is_cut = after.has_probabilities and state.budget is not None and budget != state.budget
    if is_cut:
        raise BadInput(
            "this round judges a sample: another number of documents would not have the stated "
            "probabilities",
            field="budget",
        )


def top_up_candidates(store: Store, rules: Round, by: str = "") -> int:
    """Let the order of a round choose from what new runs and documents brought to its topics.

    It goes by the ranks of all runs that count now, besides those it went by.

    Returns
    -------
    int
        How many pairs are new.

    Raises
    ------
    BadInput
        The order draws a sample, whose probabilities would not hold any more.
    """
    if parse_order(rules.order or "").has_probabilities:
        raise BadInput(
            "this round judges a sample with known probabilities, which more documents would "
            "change: open a further round for them"
        )
    detail = ""
    with store.change(
        rules.collection_id, "top up", f"round {rules.round_id}", lambda: detail, by
    ) as cursor:
        new = _find_new(store, cursor, rules)
        insert_candidates(cursor, rules.round_id, new)
        runs = insert_systems(cursor, rules)
        detail = f"{len(new)} pairs, {runs} runs"
    return len(new)


def _find_new(store: Store, cursor: Cursor, rules: Round) -> pd.DataFrame:
    known = read_candidates(cursor, rules.round_id)
    wider = preview_pool(store, rules.collection_id, rules.depth, rules.flow).pairs
    wider = wider[wider["topic_id"].isin(known["topic_id"])]
    merged = wider[_ITEM].merge(known, how="left", on=_ITEM, indicator=True)
    return merged.loc[merged["_merge"] == "left_only", _ITEM]


def order_pool(
    candidates: Candidates,
    order: Order,
    relevance: Floats,
    *,
    seed: int = 1,
    batch: int = 1,
    budget: int | None = None,
) -> pd.DataFrame:
    """Return what an order chooses, in turn, when it learns each label once it has chosen.

    Parameters
    ----------
    candidates : Candidates
        The pool.
    order : Order
        What chooses.
    relevance : array of float, shape (n_items,)
        The share of an item's labels that say relevant, in [0, 1]; NaN where there is none, so
        that the item stays as it is in a round before somebody has judged it.
    seed : int
        With which what is drawn is drawn.
    batch : int
        How many documents of a topic are chosen together, from 1.
    budget : int, optional
        The most that are chosen.

    Returns
    -------
    DataFrame
        topic_id, document_id, place (from 1), probability (NaN where nobody can say), system (the
        run that it was chosen from, empty where there is none).
    """
    chooser = order.begin(candidates, seed=seed)
    left = len(candidates) if budget is None else min(budget, len(candidates))
    choices: list[Choice] = []
    while left > 0 and (choice := chooser.choose(min(batch, left))) is not None:
        choices.append(choice)
        left -= len(choice.item)
        known = choice.item[~np.isnan(relevance[choice.item])]
        if len(known):
            chooser.learn(known, relevance[known])
    return _lay_out(candidates, choices)


def _lay_out(candidates: Candidates, choices: list[Choice]) -> pd.DataFrame:
    item, system = (
        np.concatenate([np.empty(0, dtype=np.int64), *(getattr(one, name) for one in choices)])
        for name in ("item", "system")
    )
    names = np.array([*candidates.systems, ""], dtype=object)
    return pd.DataFrame(
        {
            "topic_id": np.array(candidates.topics, dtype=object)[candidates.topic[item]],
            "document_id": candidates.document[item],
            "place": np.arange(1, len(item) + 1),
            "probability": np.concatenate([np.empty(0), *(one.probability for one in choices)]),
            "system": names[system],
        }
    )


def share_relevant(labels: pd.DataFrame, relevant_from: float) -> pd.DataFrame:
    """Return the share of labels from a level on, by item.

    Parameters
    ----------
    labels : DataFrame
        topic_id, document_id, level; several rows an item where several have judged it.

    Returns
    -------
    DataFrame
        topic_id, document_id, relevance.
    """
    votes = labels[_ITEM].astype("str").assign(relevance=labels["level"] >= relevant_from)
    shares = votes.astype({"relevance": "float64"}).groupby(_ITEM)["relevance"].mean()
    return shares.reset_index()


def place_relevance(candidates: Candidates, shares: pd.DataFrame) -> Floats:
    """Return the relevance of each candidate, shape (n_items,); NaN where there is no label."""
    relevance = np.full(len(candidates), np.nan)
    place = candidates.find(shares)
    inside = place >= 0
    relevance[place[inside]] = shares["relevance"].to_numpy(dtype=np.float64)[inside]
    return relevance
