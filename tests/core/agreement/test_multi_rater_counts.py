import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.agreement.multi_rater_counts import level_counts, sum_by_topic, sum_items
from core.agreement.ratings import ratings_from_labels

ROWS = [
    ("t2", "d1", "a", 2),
    ("t1", "d2", "a", 0),
    ("t1", "d2", "b", 2),
    ("t1", "d2", "c", 2),
    ("t1", "d1", "c", 1),
]
tables = arrays(np.int64, (6, 3), elements=st.integers(0, 4))


def sum_slowly(counts):
    """Go through every ordered pair of labels of each item."""
    coincidences, paired, shares = np.zeros((3, 3)), np.zeros((3, 3)), np.zeros(3)
    for row in counts:
        labels = [level for level, count in enumerate(row) for _ in range(count)]
        number = len(labels)
        for at, one in enumerate(labels):
            shares[one] += 1 / number
            for other in labels[:at] + labels[at + 1 :]:
                coincidences[one, other] += 1 / (number - 1)
                paired[one, other] += 1 / (number * (number - 1))
    return coincidences, paired, shares


def test_labels_are_counted_by_item_and_level(make_labels):
    found = level_counts(ratings_from_labels(make_labels(ROWS), "page", [0, 1, 2]))
    assert found.counts.tolist() == [[0, 1, 0], [1, 0, 2], [0, 0, 1]]
    assert found.topic.tolist() == [0, 0, 1]
    assert (found.topics, found.levels) == (("t1", "t2"), (0, 1, 2))


def test_nothing_judged_gives_no_items(make_labels):
    found = level_counts(ratings_from_labels(make_labels([]), "page"))
    assert found.counts.shape == (0, 0)
    assert found.by_topic().total().coincidences.shape == (0, 0)


@given(tables)
def test_sums_equal_a_loop_over_pairs_of_labels(counts):
    sums = sum_items(counts)
    for found, expected in zip(
        (sums.coincidences, sums.paired, sums.shares), sum_slowly(counts), strict=True
    ):
        np.testing.assert_allclose(found, expected, atol=1e-12)


@given(tables, arrays(np.int64, 6, elements=st.integers(0, 3)))
def test_sums_by_topic_need_no_order_and_add_up(counts, topic):
    sums = sum_by_topic(counts.astype(float), (0, 1, 2), topic, 4)
    for at in range(4):
        np.testing.assert_allclose(sums.flat[at], sum_items(counts[topic == at]).flat, atol=1e-12)
    np.testing.assert_allclose(sums.total().flat, sum_items(counts).flat, atol=1e-12)
