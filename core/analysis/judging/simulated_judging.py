"""What orders of judging would have cost a collection whose pool is judged."""

from hashlib import blake2b

import numpy as np
import pandas as pd

from core.analysis.base.study import Study, runs_of, stands_apart_from_labels
from core.analysis.results.declared import judged_of, scored_runs_of
from core.analysis.results.qrels_choices import Pairs, QrelsChoice, follows_version
from core.analysis.results.scores import weights_for
from core.orders.candidates import build_candidates
from core.reports.judging_orders import (
    JudgingQuestion,
    JudgingSimulation,
    Progress,
    simulate_judging,
)

COMPLETE_FROM = 0.9
"""From which share of judged documents a pool is taken for judged."""

DEEPEST = 100


@follows_version
def judged_depth(study: Study, choice: QrelsChoice) -> int:
    """Return down to which depth the pool of all runs is judged; 0 where it is nowhere.

    The deepest, of 100 at most, of whose pool nine tenths are judged in the version.
    """
    judged = judged_of(study, choice).frame
    topics = judged["topic_id"].astype("str").unique()
    runs = runs_of(study)
    runs = runs[runs["topic_id"].astype("str").isin(topics)]
    candidates = build_candidates(runs, DEEPEST)
    item = candidates.find(judged[judged["level"] >= 0])
    is_judged = np.zeros(len(candidates), dtype=np.bool_)
    is_judged[item[item >= 0]] = True
    best = candidates.best_rank
    pooled = np.bincount(best, minlength=2)[1:].cumsum()
    covered = np.bincount(best, is_judged, minlength=2)[1:].cumsum()
    deep = np.flatnonzero((covered >= COMPLETE_FROM * pooled) & (pooled > 0))
    return int(deep[-1]) + 1 if len(deep) else 0


@follows_version
def count_pool(study: Study, choice: QrelsChoice, depth: int) -> int:
    """Return how many items the pool of the judged topics has at a depth."""
    topics = judged_of(study, choice).frame["topic_id"].astype("str").unique()
    runs = runs_of(study)
    return len(build_candidates(runs[runs["topic_id"].astype("str").isin(topics)], depth))


def simulate_orders(
    study: Study,
    choice: QrelsChoice,
    question: JudgingQuestion,
    progress: Progress | None = None,
) -> JudgingSimulation:
    """Judge the pool of a collection again in several orders; see `simulate_judging`."""
    weights = dict(weights_for(study, choice, (str(question.measure),))) or None
    return simulate_judging(
        scored_runs_of(study),
        judged_of(study, choice),
        question,
        weights=weights,
        progress=progress,
    )


def identify_pool(study: Study, choice: QrelsChoice, measure: str) -> tuple[str, str, Pairs]:
    """Return what a simulation depends on besides its question: judgements, runs and weights."""
    weights = weights_for(study, choice, (measure,))
    return judged_of(study, choice).content_hash, _identify_runs(study), weights


@stands_apart_from_labels
def _identify_runs(study: Study) -> str:
    runs = runs_of(study)[["system", "topic_id", "document_id", "rank"]]
    return blake2b(pd.util.hash_pandas_object(runs, index=False).to_numpy().tobytes()).hexdigest()
