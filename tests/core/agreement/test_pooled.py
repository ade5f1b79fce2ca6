from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from core.agreement.coefficients import Kappa, Overlap, Pi, Raw
from core.agreement.confusion import confusion_matrices
from core.agreement.pairs import NO_ITEMS, ONE_TOPIC, agreement_by_pair
from core.agreement.pooled import overall_agreement
from core.agreement.ratings import ratings_from_labels
from tests.core.agreement.leaving_out import limits_of_coefficient

BOTH = (Kappa("linear"), Raw())
EVERY = (*BOTH, Kappa("quadratic"), Pi(), Raw("binary>=1"), Overlap(2))


def simulate(topics=8, items=6, assessors="abcd", seed=2):
    """Return rows of simulated labels; nobody but a and b judges the first topic."""
    rng = np.random.default_rng(seed)
    return [
        (f"t{topic}", f"d{item}", name, float(np.clip(level + rng.integers(-1, 2), 0, 2)))
        for topic in range(topics)
        for item, level in enumerate(rng.integers(0, 3, items))
        for name in (assessors if topic else assessors[:2])
    ]


def matrices_of(make_labels, rows):
    return confusion_matrices(ratings_from_labels(make_labels(rows), "page", (0, 1, 2)))


def test_one_pair_keeps_its_value(make_labels):
    matrices = matrices_of(make_labels, simulate(assessors="ab"))
    table = overall_agreement(matrices, BOTH)
    pair = agreement_by_pair(matrices, BOTH)
    assert table["value"].tolist() == pair["value"].tolist()
    assert table["pairs"].tolist() == [1, 1]
    assert table["n"].tolist() == pair["n"].tolist()
    assert (table["low"] < table["value"]).all()
    assert (table["value"] < table["high"]).all()
    assert table["interval"].tolist() == ["jackknife"] * 2


def test_value_is_the_weighted_mean_of_the_pairs(make_labels):
    matrices = matrices_of(make_labels, simulate())
    table = overall_agreement(matrices, BOTH)
    pairs = agreement_by_pair(matrices, BOTH)
    counts = matrices.by_pair().counts
    for coefficient in BOTH:
        weights = coefficient.parts(counts, (0, 1, 2))[1]
        values = pairs[pairs["coefficient"] == str(coefficient)]["value"]
        found = table[table["coefficient"] == str(coefficient)]["value"].item()
        assert found == pytest.approx(np.average(values, weights=weights), abs=1e-12)
        assert values.min() < found < values.max()


def test_names_of_the_assessors_do_not_matter(make_labels):
    rows = simulate()
    renamed = [(t, d, {"a": "z", "b": "y", "c": "b", "d": "a"}[name], x) for t, d, name, x in rows]
    one = overall_agreement(matrices_of(make_labels, rows), BOTH)
    two = overall_agreement(matrices_of(make_labels, renamed), BOTH)
    pd.testing.assert_frame_equal(one, two)


def test_limits_equal_leaving_out_each_topic_in_a_loop(make_labels):
    matrices = matrices_of(make_labels, simulate())
    table = overall_agreement(matrices, EVERY)
    assert set(table["units"]) == {8}
    for row, coefficient in zip(table.itertuples(), EVERY, strict=True):
        without = []
        for topic in range(8):
            reached = possible = 0.0
            for first, second in combinations(range(4), 2):
                mine = (matrices.first == first) & (matrices.second == second)
                blocks = matrices.counts[mine & (matrices.topic != topic)]
                parts = coefficient.parts(blocks.sum(axis=0), (0, 1, 2))
                reached, possible = reached + parts[0], possible + parts[1]
            without.append(float(reached / possible))
        items = [float(matrices.counts[matrices.topic == topic].sum()) for topic in range(8)]
        expected = limits_of_coefficient(row.value, without, items, coefficient.least)
        np.testing.assert_allclose([row.low, row.high], expected, rtol=1e-12)


def test_thin_pairs_are_left_out_once_there_is_a_better_one(make_labels):
    rows = simulate(assessors="ab")
    thin = [("t1", f"d{at}", "c", 2.0) for at in range(5)]
    with_thin = overall_agreement(matrices_of(make_labels, rows + thin), BOTH)
    without = overall_agreement(matrices_of(make_labels, rows), BOTH)
    pd.testing.assert_frame_equal(with_thin, without)


def test_thin_pairs_are_used_when_there_are_no_others(make_labels):
    rows = [("t", "d1", "a", 1), ("t", "d1", "b", 1), ("u", "d1", "a", 1), ("u", "d1", "b", 2)]
    table = overall_agreement(matrices_of(make_labels, rows), [Raw()])
    assert table["value"].item() == 0.5
    assert table["low"].item() < 0.01
    assert table["high"].item() > 0.99


def test_coefficients_without_chance_need_no_pairs(make_labels):
    matrices = matrices_of(make_labels, simulate())
    alone = overall_agreement(matrices, [Raw()])
    beside = overall_agreement(matrices, BOTH)
    pd.testing.assert_frame_equal(alone, beside.iloc[[1]].reset_index(drop=True))


def test_what_is_missing_has_a_reason(make_labels):
    cases = {
        NO_ITEMS: [("t", "d1", "a", 1), ("u", "d2", "b", 1)],
        Kappa.undefined: [(t, "d", name, 1) for t in "tu" for name in "ab"],
        ONE_TOPIC: [("t", "d", "a", 0), ("t", "d", "b", 0), ("t", "e", "a", 1), ("t", "e", "b", 1)],
    }
    for reason, rows in cases.items():
        table = overall_agreement(matrices_of(make_labels, rows), [Kappa("linear")])
        assert table["reason"].item() == reason
        assert np.isnan(table["low"].item())
        assert np.isnan(table["value"].item()) == (reason != ONE_TOPIC)
