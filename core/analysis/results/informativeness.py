"""What informativeness needs of a collection."""

from hashlib import blake2b

import pandas as pd

from core.analysis.base.study import (
    Study,
    stands_apart_from_labels,
)
from core.analysis.results.qrels_choices import QrelsChoice, follows_version, version_of
from core.analysis.results.scores import rankings_of
from core.store.events.frames import read_subtopics


@stands_apart_from_labels
def probabilities_of(study: Study) -> pd.DataFrame | None:
    """Return the stored probabilities of intents; None where there are none."""
    subtopics = read_subtopics(study.store, study.collection_id)
    known = subtopics["probability"].notna()
    return subtopics[["topic_id", "subtopic_id", "probability"]] if known.any() else None


@follows_version
def identify_state(study: Study, choice: QrelsChoice) -> tuple[str, ...]:
    """Return what a study depends on besides its question: judgements, runs, probabilities."""
    rankings = rankings_of(study, choice)
    found = blake2b(repr((rankings.systems, rankings.topics)).encode())
    for cells in (rankings.retrieved, rankings.intents.retrieved):
        for numbers in (cells.row, cells.rank, cells.level):
            found.update(numbers.tobytes())
    probabilities = probabilities_of(study)
    weights = "" if probabilities is None else probabilities.to_json()
    content = version_of(study, choice).content_hash
    return content, found.hexdigest(), weights
