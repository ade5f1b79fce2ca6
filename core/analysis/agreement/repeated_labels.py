"""Every label of a facet, as the tests of the model draw from them."""

import numpy as np

from core.analysis.base.labels import counted_levels
from core.analysis.base.study import Study, follows_labels, labels_of, scales_of
from core.disagreement.repeated_labels import EveryLabel, code_every_label


@follows_labels
def every_label_of(study: Study, facet: str, group_by: str) -> EveryLabel:
    """Return the labels of a facet by item, repeated ones included."""
    levels = list(counted_levels(scales_of(study)[facet]))
    return code_every_label(labels_of(study), facet, levels, group_by=group_by)


def count_most(labels: EveryLabel) -> int:
    """Return the number of labels on the item that has most."""
    return int(np.bincount(labels.item).max(initial=0))
