"""Versions that a sample of the pool was judged for: what measures are estimated from."""

from collections import Counter
from collections.abc import Iterable

import numpy as np
import pandas as pd

from core.analysis.base.study import Study, follows_labels
from core.analysis.results.qrels_choices import QrelsChoice, follows_version, version_of
from core.measures.catalogue import parse_measure
from core.orders.base import parse_order
from core.orders.candidates import Candidates, build_candidates
from core.orders.random_sample import Random
from core.orders.samples import SampleOrder
from core.store.rounds.orders import find_order_state, read_candidate_runs, read_choices
from core.store.rounds.rounds import Round, list_rounds
from core.store.store import Store
from core.versions.combine import PAIR, PREFERENCE
from core.versions.sampled import SampledQrels, add_samples, without_samples
from core.wording import count

IMPORTED = "imported qrels are kept without what was pooled and not judged"
ENGINES = "its levels differ by engine, and a sample is of documents"
PREFERENCES = "it is made from preferences, not from levels"


@follows_version
def sampled_qrels_of(study: Study, choice: QrelsChoice) -> SampledQrels:
    """Return the judgements of a version with the pools that samples of were judged.

    Raises
    ------
    TooLittleData
        No label fits the version's rule.
    """
    qrels = version_of(study, choice).frame
    if reason := find_obstacle(choice):
        return without_samples(qrels, reason)
    return add_samples(qrels, _samples_of(study))


def find_obstacle(choice: QrelsChoice) -> str:
    """Return why a version has no sample, whatever was judged; empty where it may have one."""
    if choice.rule is None:
        return IMPORTED
    return {PAIR: ENGINES, PREFERENCE: PREFERENCES}.get(choice.rule.combine, "")


@follows_labels
def _samples_of(study: Study) -> pd.DataFrame:
    return read_samples(study.store, study.collection_id)


def explain_unsampled(study: Study, choice: QrelsChoice, measures: Iterable[str]) -> list[str]:
    """Return why measures that are estimated from samples have no score on some or all topics."""
    estimated = [text for text in measures if parse_measure(text).lack]
    if not estimated:
        return []
    verb = "has" if len(estimated) == 1 else "have"
    left_out = describe_left_out(sampled_qrels_of(study, choice))
    return [f"{', '.join(estimated)} {verb} no score on {one}." for one in left_out]


def describe_left_out(qrels: SampledQrels) -> list[str]:
    """Return of how many topics there is no sample, for each reason why, most frequent first."""
    numbers = Counter(qrels.reasons.values()).most_common()
    return [f"{count(number, 'topic')}: {reason}" for reason, number in numbers]


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
    probability = choices["probability"].to_numpy(np.float64)
    return bool(np.allclose(pool["probability"].to_numpy()[place], probability, atol=1e-9))
