"""Every label of a facet, as the tests of the model draw from them."""

import numpy as np

from core.analysis.base.study import Study, follows_labels, labels_of, scales_of
from core.collection.records import counted_levels
from core.disagreement.repeated_labels import RepeatedLabels, code_repeated_labels


@follows_labels
def repeated_labels_of(study: Study, facet: str, group_by: str) -> RepeatedLabels:
    """Return the labels of a facet by item, repeated ones included."""
    levels = list(counted_levels(scales_of(study)[facet]))
    return code_repeated_labels(labels_of(study), facet, levels, group_by=group_by)


def suggest_least(labels: RepeatedLabels, most: int, enough: int) -> int:
    """Return how many labels to ask of an item: the most, up to ``most``, that keep enough items.

    Where fewer items than enough have two labels, all of them are kept.
    """
    sizes = np.bincount(labels.item)
    kept = {least: int((sizes >= least).sum()) for least in range(2, most + 1)}
    return max(least for least, items in kept.items() if items >= min(enough, kept[2]))


def count_most(labels: RepeatedLabels) -> int:
    """Return the number of labels on the item that has most."""
    return int(np.bincount(labels.item).max(initial=0))
