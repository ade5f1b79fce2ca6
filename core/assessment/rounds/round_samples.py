"""Samples that rounds have judged: the pool they were drawn from, and what was drawn of it."""

import numpy as np
import pandas as pd

from core.orders.base import parse_order
from core.orders.candidates import Candidates, build_candidates
from core.orders.random_sample import Random
from core.orders.samples import SampleOrder
from core.store.rounds.orders import find_order_state, read_candidate_runs, read_choices
from core.store.rounds.rounds import Round, list_rounds
from core.store.store import Store

NOT_WHOLE = "the sample of its pool is not handed out whole"
CHANGED = "its runs are not those that the sample of its pool was drawn from"

_ITEM = ["topic_id", "document_id"]
_COLUMNS = ["round_id", *_ITEM, "stratum", "probability", "is_drawn", "fault"]


def read_samples(store: Store, collection_id: str) -> pd.DataFrame:
    """Return the pools of a collection's rounds whose order draws a sample.

    Returns
    -------
    DataFrame
        A row for each document of each of these pools: round_id, topic_id, document_id, stratum (a
        number within the topic, as text), probability to be drawn, is_drawn, and fault: why nothing
        can be estimated from the round, empty where it can. Nothing can before all that was drawn
        is handed out.
    """
    sampled = []
    for one in list_rounds(store, collection_id):
        order = None if one.order is None else parse_order(one.order)
        if isinstance(order, SampleOrder | Random) and order.has_probabilities:
            sampled.append((one, order))
    if not sampled:
        return pd.DataFrame(columns=_COLUMNS)
    choices = read_choices(store, collection_id)
    return pd.concat(
        [
            _describe_round(store, rules, order, choices[choices["round_id"] == rules.round_id])
            for rules, order in sampled
        ],
        ignore_index=True,
    )


def _describe_round(
    store: Store, rules: Round, order: SampleOrder | Random, choices: pd.DataFrame
) -> pd.DataFrame:
    """Return the pool of a round, as its order told it into strata, with what was chosen."""
    cursor = store.cursor()
    candidates = build_candidates(read_candidate_runs(cursor, rules), rules.depth)
    pool = _describe_pool(order, candidates, rules.seed)
    state = find_order_state(cursor, rules.round_id)
    place = candidates.find(choices)
    pool["is_drawn"] = np.isin(np.arange(len(pool)), place)
    fault = ""
    if state is None or state.left:
        fault = NOT_WHOLE
    elif state.candidates != len(pool) or not _agree(pool, place, choices):
        fault = CHANGED
    return pool.assign(round_id=rules.round_id, fault=fault)[_COLUMNS]


def _describe_pool(order: SampleOrder | Random, candidates: Candidates, seed: int) -> pd.DataFrame:
    drawn = order.draw(candidates, seed)
    return pd.DataFrame(
        {
            "topic_id": np.array(candidates.topics, dtype=object)[candidates.topic],
            "document_id": candidates.document,
            "stratum": drawn.stratum.astype("str"),
            "probability": drawn.probability,
        }
    ).astype({name: "str" for name in (*_ITEM, "stratum")})


def _agree(pool: pd.DataFrame, place: np.ndarray, choices: pd.DataFrame) -> bool:
    """Tell whether what was chosen lies in the pool, with the probabilities taken down then."""
    if (place < 0).any():
        return False
    told = choices["probability"].to_numpy(np.float64)
    return bool(np.allclose(pool["probability"].to_numpy()[place], told, atol=1e-9))
