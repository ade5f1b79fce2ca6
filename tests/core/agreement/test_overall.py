import numpy as np
import pandas as pd
import pytest

from core.agreement.base import COEFFICIENTS
from core.agreement.coefficients import AC1, Alpha, Fleiss, Kappa, Overlap, Raw
from core.agreement.confusion import confusion_matrices
from core.agreement.multi_rater_counts import level_counts, sum_items
from core.agreement.overall import (
    NO_TWO_LABELS,
    agreement_by_part,
    measure_agreement,
    panel_agreement,
)
from core.agreement.pairs import NO_ITEMS, ONE_TOPIC
from core.agreement.pooled import overall_agreement
from core.agreement.ratings import ratings_from_labels
from core.errors import BadInput, TooLittleData
from tests.core.agreement.leaving_out import limits_of_coefficient

PANEL = (Alpha("nominal"), Alpha("ordinal"), Fleiss(), AC1())
MIXED = (Alpha("ordinal"), Kappa("linear"), Fleiss(), Raw(), Overlap(1))
COLUMNS = [
    *("coefficient", "pairs", "n", "value", "low", "high", "interval", "unit", "units"),
    "reason",
]


def seeded(seed=1):
    return np.random.default_rng(seed)


def simulate(topics=8, items=6, assessors="abcd", seed=2):
    """Return rows of simulated labels; now and then somebody gives none."""
    rng = seeded(seed)
    return [
        (f"t{topic}", f"d{item}", name, float(np.clip(level + rng.integers(-1, 2), 0, 2)))
        for topic in range(topics)
        for item, level in enumerate(rng.integers(0, 3, items))
        for name in assessors
        if rng.random() < 0.7
    ]


def ratings_of(make_labels, rows, **columns):
    return ratings_from_labels(make_labels(rows, **columns), "page", (0, 1, 2))


def test_value_and_count_are_those_of_all_items(make_labels):
    counts = level_counts(ratings_of(make_labels, simulate()))
    table = panel_agreement(counts, PANEL)
    assert table.columns.tolist() == [name for name in COLUMNS if name != "pairs"]
    sums = sum_items(counts.counts)
    assert table["value"].tolist() == pytest.approx([float(one.value(sums)) for one in PANEL])
    assert set(table["n"]) == {int((counts.counts.sum(axis=1) > 1).sum())}
    assert (table["low"] < table["value"]).all()
    assert (table["value"] < table["high"]).all()
    assert set(table["interval"]) == {"jackknife"}
    assert set(table["reason"]) == {""}


def test_limits_equal_leaving_out_each_topic_in_a_loop(make_labels):
    counts = level_counts(ratings_of(make_labels, simulate()))
    table = panel_agreement(counts, PANEL)
    assert set(table["units"]) == {8}
    for row, coefficient in zip(table.itertuples(), PANEL, strict=True):
        without = [
            float(coefficient.value(sum_items(counts.counts[counts.topic != topic])))
            for topic in range(8)
        ]
        several = counts.counts.sum(axis=1) > 1
        items = [float((several & (counts.topic == topic)).sum()) for topic in range(8)]
        expected = limits_of_coefficient(row.value, without, items)
        np.testing.assert_allclose([row.low, row.high], expected)


def test_what_is_missing_has_a_reason(make_labels):
    cases = {
        NO_TWO_LABELS: [("t", "d", "a", 1), ("u", "e", "b", 1)],
        Fleiss.undefined: [(topic, "d", name, 1) for topic in "tu" for name in "ab"],
        ONE_TOPIC: [("t", "d", "a", 0), ("t", "d", "b", 0), ("t", "e", "a", 1), ("t", "e", "b", 1)],
    }
    for reason, rows in cases.items():
        row = panel_agreement(level_counts(ratings_of(make_labels, rows)), [Fleiss()])
        assert row["reason"].item() == reason
        assert np.isnan(row["low"].item())
        assert np.isnan(row["value"].item()) == (reason != ONE_TOPIC)


def test_nothing_judged_is_a_reason_too(make_labels):
    counts = level_counts(ratings_from_labels(make_labels([]), "page"))
    table = panel_agreement(counts, PANEL)
    assert set(table["reason"]) == {NO_TWO_LABELS}
    assert table["value"].isna().all()


def test_a_topic_of_single_labels_is_no_second_topic(make_labels):
    rows = [row for row in simulate(topics=1)] + [("u", "d", "a", 1.0)]
    table = panel_agreement(level_counts(ratings_of(make_labels, rows)), PANEL)
    assert set(table["reason"]) == {ONE_TOPIC}


def test_mixed_coefficients_keep_their_order(make_labels):
    ratings = ratings_of(make_labels, simulate())
    table = measure_agreement(ratings, MIXED)
    assert table.columns.tolist() == COLUMNS
    assert table["coefficient"].tolist() == [str(one) for one in MIXED]
    assert table["pairs"].isna().tolist() == [True, False, True, False, False]
    pooled = overall_agreement(confusion_matrices(ratings), MIXED[1::2])
    pd.testing.assert_series_equal(
        table[table["pairs"].notna()]["value"].iloc[:2].reset_index(drop=True), pooled["value"]
    )


def test_every_registered_coefficient_can_be_asked_for(make_labels):
    texts = [entry.examples[-1] for entry in COEFFICIENTS]
    table = measure_agreement(
        ratings_of(make_labels, simulate()), [*map(COEFFICIENTS.parse, texts)]
    )
    assert table["coefficient"].tolist() == texts
    assert table[["value", "low", "high"]].notna().all(axis=None)


def test_only_one_kind_of_coefficient(make_labels):
    ratings = ratings_of(make_labels, simulate())
    for some in ((Kappa(),), (Fleiss(),), ()):
        table = measure_agreement(ratings, some)
        assert table["coefficient"].tolist() == [str(one) for one in some]
        assert table.columns.tolist() == COLUMNS


def test_one_assessor_is_too_little(make_labels):
    with pytest.raises(TooLittleData, match="only a has given"):
        measure_agreement(ratings_of(make_labels, simulate(assessors="a")), MIXED)


def test_parts_are_measured_apart(make_labels):
    ratings = ratings_of(make_labels, simulate())
    part = ratings.items["document_id"].isin(["d0", "d1"]).map({True: "web", False: "news"})
    table = agreement_by_part(ratings, part, MIXED)
    assert table.columns.tolist() == ["part", *COLUMNS]
    assert table["part"].tolist() == ["news"] * 5 + ["web"] * 5
    rows = [row for row in simulate() if row[1] in ("d0", "d1")]
    alone = measure_agreement(ratings_of(make_labels, rows), MIXED)
    web = table[table["part"] == "web"].reset_index(drop=True)
    pd.testing.assert_frame_equal(web[["n", "value", "reason"]], alone[["n", "value", "reason"]])


def test_engines_are_parts(make_labels):
    labels = make_labels(simulate(), facet="snippet", engine="e1")
    both = pd.concat([labels, labels.assign(engine="e2", level=1.0)])
    ratings = ratings_from_labels(both, "snippet", (0, 1, 2))
    table = agreement_by_part(ratings, ratings.items["engine"], [Kappa(), Raw()])
    rows = table.set_index(["part", "coefficient"])
    assert rows.loc[("e2", "kappa"), "reason"] == Kappa.undefined
    assert rows.loc[("e2", "raw"), "value"] == 1
    assert rows.loc[("e1", "raw"), "value"] < 1


def test_items_without_a_part_are_left_out(make_labels):
    ratings = ratings_of(make_labels, simulate())
    part = ratings.items["topic_id"].where(ratings.items["topic_id"] == "t1")
    table = agreement_by_part(ratings, part, MIXED)
    assert set(table["part"]) == {"t1"}
    assert set(table["reason"]) == {ONE_TOPIC}
    nowhere = agreement_by_part(ratings, part.mask(part.notna()), MIXED)
    assert nowhere.empty
    assert nowhere.columns.tolist() == table.columns.tolist()


def test_a_part_that_one_assessor_judged_has_a_reason(make_labels):
    rows = [*simulate(), ("t0", "alone", "a", 1.0)]
    ratings = ratings_of(make_labels, rows)
    part = ratings.items["document_id"].where(ratings.items["document_id"] == "alone", "rest")
    table = agreement_by_part(ratings, part, (Kappa(), Fleiss()))
    assert table["reason"].tolist() == [NO_ITEMS, NO_TWO_LABELS, "", ""]


def test_parts_of_other_items_are_refused(make_labels):
    ratings = ratings_of(make_labels, simulate())
    with pytest.raises(BadInput, match=r"1 values were given for the parts of \d+ items"):
        agreement_by_part(ratings, pd.Series(["x"]), MIXED)
