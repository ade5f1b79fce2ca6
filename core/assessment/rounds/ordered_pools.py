"""A pool written down in the order in which an order would have it judged."""

import numpy as np
import pandas as pd

from core.orders.base import Choice, Order
from core.orders.candidates import Candidates, Floats

_ITEM = ["topic_id", "document_id"]


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
