"""How many labels an item is asked to have."""

import numpy as np

from core.analysis.agreement.repeated_labels import count_most, suggest_least
from core.disagreement.repeated_labels import RepeatedLabels
from tests.each import each


def items_with(*sizes: int) -> RepeatedLabels:
    """Return items with so many labels each."""
    item = np.repeat(np.arange(len(sizes)), sizes)
    return RepeatedLabels(
        item, np.arange(len(item)), np.zeros(len(item), dtype=int), (0, 1), item, "item"
    )


@each(
    ("sizes", "least"),
    [
        ([6] * 50, 6),
        ([6] * 3 + [4] * 47, 4),
        ([6] * 12, 6),
        ([6] * 2 + [3] * 9, 3),
        ([2] * 60 + [5], 2),
        ([2] * 60, 2),
    ],
)
def test_as_many_as_keep_enough_items(sizes, least):
    labels = items_with(*sizes)
    assert suggest_least(labels, min(6, count_most(labels)), 50) == least
