"""Labels with the rounds that they were given in."""

import pandas as pd

from core.analysis.base.study import Study, follows_labels, labels_of, mask_people
from core.store.rounds.label_rounds import join_rounds, read_label_rounds
from core.store.rounds.rounds import list_rounds


@follows_labels
def rounds_of_labels(study: Study) -> pd.DataFrame:
    """Return the round of each label that was judged here, by the label's key."""
    return mask_people(study, read_label_rounds(study.store, study.collection_id))


@follows_labels
def labels_by_round(study: Study) -> pd.DataFrame:
    """Return the labels of the collection with their round in round_id; imported ones have ''."""
    return with_rounds(study, labels_of(study))


def with_rounds(study: Study, labels: pd.DataFrame) -> pd.DataFrame:
    """Return labels of a study, as they stood at some time, with their round in round_id."""
    return join_rounds(labels, rounds_of_labels(study))


def round_names(study: Study) -> dict[str, str]:
    """Return the names of the collection's rounds by id, oldest first; no two are alike."""
    rounds = list_rounds(study.store, study.collection_id)
    names = [one.name for one in rounds]
    return {
        one.round_id: one.name if names.count(one.name) == 1 else f"{one.name} ({one.round_id})"
        for one in rounds
    }
