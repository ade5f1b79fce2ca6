"""Agreement on a few items of one topic: every pair counts, and the items are resampled."""

import numpy as np
import pandas as pd
import pytest

from core.agreement.base import COEFFICIENTS
from core.agreement.confusion import confusion_matrices
from core.agreement.jackknife import ONE_ITEM, agreement_on_items, part_items
from core.agreement.pairs import NO_ITEMS
from core.agreement.pooled import overall_agreement
from core.agreement.ratings import Ratings, ratings_from_labels
from core.errors import TooLittleData
from tests.core.agreement.leaving_out import limits_of_coefficient
from tests.short import long

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
