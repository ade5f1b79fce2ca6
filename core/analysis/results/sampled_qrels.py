"""Versions that a sample of the pool was judged for: what measures are estimated from."""

from collections import Counter
from collections.abc import Iterable

import pandas as pd

from core.analysis.base.study import Study, follows_labels
from core.analysis.results.qrels_choices import QrelsChoice, follows_version, version_of
from core.assessment.rounds.round_samples import read_samples
from core.measures.catalogue import parse_measure
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
