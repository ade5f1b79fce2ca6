"""Coefficients of many assessors for two at a time equal those of the two alone."""

import numpy as np
import pytest

from core.agreement.base import COEFFICIENTS, suggest_coefficients
from core.agreement.coefficients import Alpha, Kappa, Raw
from core.agreement.confusion import confusion_matrices
from core.agreement.multi_rater_counts import level_counts
from core.agreement.overall import panel_agreement
from core.agreement.pairs import ONE_DEFINES, ONE_TOPIC, agreement_by_pair
from core.agreement.ratings import ratings_from_labels
from core.agreement.single_pairs import agreement_of_each_pair, pair_sums
from core.errors import BadInput
from tests.each import each

LEVELS = (0, 1, 2)
PANEL = suggest_coefficients(LEVELS)[1]


def simulate(seed=3, topics=6, items=9):
    rng = np.random.default_rng(seed)
    return [
        (f"t{topic}", f"d{item}", name, float(np.clip(level + rng.integers(-1, 2), 0, 2)))
        for topic in range(topics)
        for item, level in enumerate(rng.integers(0, 3, items))
        for name in "abc"
        if rng.random() < 0.8
    ]


def ratings_of(make_labels, rows):
    return ratings_from_labels(make_labels(rows), "page", LEVELS)


def test_sums_are_those_of_items_with_two_labels(make_labels):
    rows = [row for row in simulate() if row[2] != "c"]
    items = {row[:2] for row in rows if row[2] == "a"} & {row[:2] for row in rows if row[2] == "b"}
    ratings = ratings_of(make_labels, [row for row in rows if row[:2] in items])
    (counts,) = confusion_matrices(ratings).by_pair().counts
    expected = level_counts(ratings).by_topic().total().flat
    assert pair_sums(counts, LEVELS).flat.tolist() == pytest.approx(expected.tolist())


@each("pair", ["ab", "ac", "bc"])
def test_each_pair_equals_the_panel_of_the_two(make_labels, pair):
    rows = simulate()
    every = agreement_of_each_pair(confusion_matrices(ratings_of(make_labels, rows)), PANEL)
    found = every[(every["first"] == pair[0]) & (every["second"] == pair[1])]
    both = {row[:2] for row in rows if row[2] == pair[0]}
    both &= {row[:2] for row in rows if row[2] == pair[1]}
    own = [row for row in rows if row[2] in pair and row[:2] in both]
    expected = panel_agreement(level_counts(ratings_of(make_labels, own)), PANEL)
    assert found["coefficient"].tolist() == expected["coefficient"].tolist()
    for column in ("n", "value", "low", "high", "units"):
        assert found[column].tolist() == pytest.approx(expected[column].tolist())


def test_coefficients_stand_in_the_order_asked_for(make_labels):
    matrices = confusion_matrices(ratings_of(make_labels, simulate()))
    chosen = [Alpha("ordinal"), Raw(), Kappa("linear")]
    rows = agreement_of_each_pair(matrices, chosen)
    assert rows["coefficient"].tolist() == [*map(str, chosen)] * 3
    two = agreement_by_pair(matrices, chosen[1:])
    kept = rows[rows["coefficient"] != "alpha(ordinal)"]
    assert kept[two.columns].to_numpy().tolist() == two.to_numpy().tolist()


def test_reasons_of_what_is_missing(make_labels):
    one_topic = [("t", f"d{item}", name, item % 2) for item in range(4) for name in "ab"]
    rows = agreement_of_each_pair(
        confusion_matrices(ratings_of(make_labels, one_topic)), [Alpha("nominal")]
    )
    assert rows[["value", "reason"]].to_numpy().tolist() == [[1, ONE_TOPIC]]
    alike = [("u", f"d{item}", name, 0) for item in range(4) for name in "ab"]
    matrices = confusion_matrices(ratings_of(make_labels, [*one_topic, *alike]))
    (row,) = agreement_of_each_pair(matrices, [Alpha("nominal")]).itertuples()
    assert (row.value, row.reason) == (1, ONE_DEFINES)
    (row,) = agreement_of_each_pair(
        confusion_matrices(ratings_of(make_labels, alike)), [Alpha("nominal")]
    ).itertuples()
    assert np.isnan(row.value)
    assert row.reason == Alpha.undefined


def test_nobody_with_common_items_has_no_rows(make_labels):
    rows = [("t", "d", "a", 1), ("t", "e", "b", 1)]
    matrices = confusion_matrices(ratings_of(make_labels, rows))
    assert agreement_of_each_pair(matrices, [Raw(), Alpha("ordinal")]).empty


def test_what_needs_ranks_is_refused(make_labels):
    matrices = confusion_matrices(ratings_of(make_labels, simulate()))
    with pytest.raises(BadInput, match=r"alpha\(ordinal, p=0.8\) needs to know how items rank"):
        agreement_of_each_pair(matrices, [COEFFICIENTS.parse("alpha(ordinal, p=0.8)")])
