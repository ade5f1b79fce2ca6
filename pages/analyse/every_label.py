"""Every label of a facet, as the tests of the model draw from them."""

import numpy as np

from core.disagreement.every_label import EveryLabel, code_every_label
from pages.analyse.facets import counted_levels
from pages.shared.live import kept, labels_of, scales_of
from pages.shared.session import Visit


def every_label_of(visit: Visit, facet: str, group_by: str) -> EveryLabel:
    """Return the labels of a facet by item, repeated ones included."""
    return kept(visit, _code, facet, group_by)


def count_most(labels: EveryLabel) -> int:
    """Return the number of labels on the item that has most."""
    return int(np.bincount(labels.item).max(initial=0))


def _code(visit: Visit, facet: str, group_by: str) -> EveryLabel:
    levels = list(counted_levels(scales_of(visit)[facet]))
    return code_every_label(labels_of(visit), facet, levels, group_by=group_by)
