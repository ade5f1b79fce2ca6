"""Opening rounds of pairs, and what can be paired."""

import numpy as np
import pandas as pd

from core.assessment.rounds.pools import split_batches
from core.assessment.rounds.rounds import Plan, insert_plan
from core.errors import BadInput
from core.store.rounds.pairs import name_pairs
from core.store.rounds.rounds import SIDE_BY_SIDE
from core.store.store import Store


def open_pair_round(
    store: Store, collection_id: str, plan: Plan, pairs: pd.DataFrame, by: str = ""
) -> str:
    """Open a round in which two things are judged side by side; returns the round's id.

    Parameters
    ----------
    plan : Plan
        Its flow says what stands side by side; ``depth`` is the length of a system's panel.
    pairs : DataFrame
        topic_id, kind (documents or systems), first, second: what was chosen to be compared.
    by : str
        Who opens it.

    Raises
    ------
    BadInput
        The plan cannot be carried out, there is no pair, or the flow is not one of pairs.
    """
    plan.check()
    if plan.flow not in SIDE_BY_SIDE:
        raise BadInput("this flow judges one thing at a time", field="flow")
    if pairs.empty:
        raise BadInput(
            "there is no pair to compare: that takes topics, runs (or results) and documents"
        )
    rng = np.random.default_rng(plan.seed)
    named = name_pairs(store.secret, pairs)
    pool = named.rename(columns={"pair_id": "document_id"})[["topic_id", "document_id"]]
    pool = split_batches(pool, plan.batch_size, rng)
    return insert_plan(store, collection_id, plan, pool, rng, by, named)
