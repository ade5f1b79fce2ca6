"""Qrels of samples: judgements together with the pool that a sample of was judged."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

NOT_DRAWN = -1
"""The level of what was pooled and not drawn, as in trec_eval's qrels."""

NONE = "no round has judged a sample of its pool"
SEVERAL = "several rounds have judged samples of its pool"
LACKING = "documents that were drawn have no level"
OTHERS = "documents were judged that were not drawn"

_ITEM = ["topic_id", "document_id"]


@dataclass(frozen=True, eq=False)
class SampledQrels:
    """Judgements with what they are a sample of.

    Parameters
    ----------
    frame : DataFrame
        ``topic_id, iteration, document_id, level, stratum, probability``. Of topics with a sample
        it lists the whole pool, with level -1 for what was not drawn; of others, what is judged,
        without a stratum and a probability.
    reasons : dict
        Why a topic has no sample, by topic.
    """

    frame: pd.DataFrame
    reasons: dict[str, str]

    @property
    def sampled(self) -> pd.DataFrame:
        """The rows of the topics with a sample."""
        return self.frame[~self.frame["topic_id"].isin(list(self.reasons))]


def add_samples(qrels: pd.DataFrame, samples: pd.DataFrame) -> SampledQrels:
    """Return judgements with the pool of each topic of which just a sample was judged.

    A topic has a sample where one round drew one, every document that it drew has a level, and no
    other document has.

    Parameters
    ----------
    qrels : DataFrame
        ``topic_id, iteration, document_id, level``, each pair once.
    samples : DataFrame
        ``round_id, topic_id, document_id, stratum, probability, is_drawn, fault``; a fault says why
        nothing can be estimated from a round.
    """
    topics = pd.Index(qrels["topic_id"].unique())
    samples = samples[samples["topic_id"].isin(topics)]
    reasons = _find_reasons(qrels, samples, topics)
    kept = samples[~samples["topic_id"].isin(list(reasons))]
    sample = kept[[*_ITEM, "stratum", "probability"]].astype(
        {**dict.fromkeys([*_ITEM, "stratum"], "str"), "probability": "float64"}
    )
    judged = qrels.merge(sample, how="left", on=_ITEM)
    left = sample[~kept["is_drawn"].to_numpy(np.bool_)]
    left = left.assign(iteration="0", level=NOT_DRAWN).astype({"iteration": "str"})
    whole = pd.concat([judged, left[list(judged)].astype({"level": qrels["level"].dtype})])
    return SampledQrels(whole.sort_values(_ITEM, ignore_index=True), reasons)


def without_samples(qrels: pd.DataFrame, reason: str) -> SampledQrels:
    """Return judgements none of whose topics has a sample."""
    return SampledQrels(qrels, dict.fromkeys(map(str, qrels["topic_id"].unique()), reason))


def _find_reasons(
    qrels: pd.DataFrame, samples: pd.DataFrame, topics: "pd.Index[str]"
) -> dict[str, str]:
    rounds = samples.groupby("topic_id")["round_id"].nunique()
    faults = dict(zip(samples["topic_id"], samples["fault"], strict=True))
    drawn = samples.loc[samples["is_drawn"].to_numpy(np.bool_), _ITEM]
    others, lacking = _find_missing(qrels, drawn), _find_missing(drawn, qrels)
    reasons = {}
    for topic in map(str, topics):
        known = {
            NONE: topic not in rounds,
            SEVERAL: rounds.get(topic, 0) > 1,
            faults.get(topic, ""): bool(faults.get(topic)),
            LACKING: topic in lacking,
            OTHERS: topic in others,
        }
        if reason := next((reason for reason, holds in known.items() if holds), ""):
            reasons[topic] = reason
    return reasons


def _find_missing(rows: pd.DataFrame, among: pd.DataFrame) -> set[str]:
    """Return the topics of pairs that are not among others."""
    there = pd.MultiIndex.from_frame(among[_ITEM].astype("object"))
    own = pd.MultiIndex.from_frame(rows[_ITEM].astype("object"))
    return set(map(str, rows.loc[~own.isin(there), "topic_id"]))
