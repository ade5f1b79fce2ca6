from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from core.agreement.base import COEFFICIENTS
from core.agreement.coefficients import Kappa, Overlap, Pi, Raw
from core.agreement.confusion import confusion_matrices
from core.agreement.pairs import NO_ITEMS, ONE_TOPIC, agreement_by_pair
from core.agreement.pooled import ONE_ITEM, agreement_on_items, overall_agreement, part_items
from core.agreement.ratings import Ratings, ratings_from_labels
from core.errors import TooLittleData
from tests.core.agreement.leaving_out import limits_of_coefficient
from tests.short import long

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


KAPPA, LINEAR = (COEFFICIENTS.parse(name) for name in ("kappa", "kappa(linear)"))


def rate(**levels: str) -> Ratings:
    """Return ratings of one topic: a string of levels for each assessor, '.' for none."""
    rows = [
        ("t", f"d{place:02d}", "page", "", who, 0, float(level), "level")
        for who, given in levels.items()
        for place, level in enumerate(given)
        if level != "."
    ]
    columns = ["topic_id", "document_id", "facet", "engine", "assessor_id", "occasion", "level",
               "state"]  # fmt: skip
    return ratings_from_labels(pd.DataFrame(rows, columns=columns), "page", [0, 1, 2, 3])


def test_of_two_assessors_it_is_cohens_kappa():
    ratings = rate(a="0011223301", b="0111223300")
    table = agreement_on_items(ratings, [KAPPA, LINEAR])
    reference = overall_agreement(confusion_matrices(ratings), [KAPPA, LINEAR])
    assert table["value"].tolist() == pytest.approx(reference["value"].tolist())
    assert table["n"].tolist() == [10, 10]
    assert reference["low"].isna().all()
    assert (table["low"] < table["value"]).all()
    assert (table["value"] < table["high"]).all()


def test_a_pair_with_few_items_counts_too():
    whole = rate(a="0011223301", b="0111223300")
    more = rate(a="0011223301", b="0111223300", c="321.......")
    first, second = (agreement_on_items(one, [KAPPA]).iloc[0] for one in (whole, more))
    assert (first["pairs"], second["pairs"]) == (1, 3)
    assert second["n"] == 16
    assert second["value"] < first["value"]


def test_the_interval_leaves_out_each_item_in_turn():
    first, second = "0011223301", "0111223300"
    table = agreement_on_items(rate(a=first, b=second), [KAPPA])
    without = [
        agreement_on_items(
            rate(a=first[:at] + first[at + 1 :], b=second[:at] + second[at + 1 :]), [KAPPA]
        ).loc[0, "value"]
        for at in range(10)
    ]
    (row,) = table.itertuples()
    np.testing.assert_allclose(
        [row.low, row.high], limits_of_coefficient(row.value, without, [1] * 10)
    )


@long
def test_the_interval_covers_what_it_should():
    rng, hits, trials = np.random.default_rng(8), 0, 200
    # Five assessors keep to a hidden level of each item with probability .7, else they guess.
    for _ in range(trials):
        hidden = rng.integers(3, size=12)
        given = {
            f"a{who}": np.where(rng.random(12) < 0.7, hidden, rng.integers(3, size=12))
            for who in range(5)
        }
        ratings = rate(**{who: "".join(map(str, levels)) for who, levels in given.items()})
        row = agreement_on_items(ratings, [KAPPA]).iloc[0]
        hits += row["low"] <= 0.49 <= row["high"]
    assert 0.87 <= hits / trials <= 1


def test_one_common_item_has_no_interval():
    table = agreement_on_items(rate(a="01", b="1."), [KAPPA])
    assert table.loc[0, "value"] == pytest.approx(0)
    assert np.isnan(table.loc[0, "low"])
    assert table.loc[0, "reason"] == ONE_ITEM


def test_without_a_common_item_it_says_so():
    table = agreement_on_items(rate(a="0.", b=".1"), [KAPPA])
    assert np.isnan(table.loc[0, "value"])
    assert table.loc[0, "reason"] == NO_ITEMS


def test_where_everybody_uses_one_level_it_is_undefined():
    table = agreement_on_items(rate(a="111", b="111"), [KAPPA])
    assert np.isnan(table.loc[0, "value"])
    assert table.loc[0, "reason"] == KAPPA.undefined


def test_one_assessor_is_too_few():
    with pytest.raises(TooLittleData):
        agreement_on_items(rate(a="012"), [KAPPA])


def test_parting_items_keeps_the_labels():
    ratings = rate(a="012", b="210")
    parted = part_items(ratings)
    assert parted.topics == ("d00", "d01", "d02")
    assert parted.topic.tolist() == ratings.item.tolist()
    assert parted.level.tolist() == ratings.level.tolist()
