import numpy as np
import pandas as pd
import pytest

from core.agreement import pairs
from core.agreement.coefficients import Kappa, Pi, Raw
from core.agreement.confusion import confusion_matrices
from core.agreement.pairs import NO_ITEMS, ONE_TOPIC, agreement_by_pair
from core.agreement.pairwise import kappa_interval
from core.agreement.ratings import ratings_from_labels
from core.errors import BadInput
from tests.core.agreement.leaving_out import limits_of_coefficient
from tests.each import each

BOTH = (Kappa("linear"), Raw())


def simulate(seed=4, topics=12, items=9, assessors="abc"):
    """Return rows of simulated labels: a shared level, moved by one now and then."""
    rng = np.random.default_rng(seed)
    rows = []
    for topic in range(topics):
        for item in range(items):
            level = rng.integers(0, 3)
            for name in assessors:
                if rng.random() < 0.8:
                    moved = np.clip(level + rng.integers(-1, 2), 0, 2)
                    rows.append((f"t{topic:02}", f"d{item}", name, float(moved)))
    return rows


def matrices_of(make_labels, rows, levels=(0, 1, 2)):
    return confusion_matrices(ratings_from_labels(make_labels(rows), "page", levels))


def test_rows_by_pair_and_coefficient(make_labels):
    table = agreement_by_pair(matrices_of(make_labels, simulate()), BOTH)
    names = "first second n coefficient value low high interval unit units reason"
    assert " ".join(table.columns) == names
    both = table["first"] + table["second"]
    assert both.tolist() == ["ab", "ab", "ac", "ac", "bc", "bc"]
    assert table["coefficient"].tolist() == ["kappa(linear)", "raw"] * 3
    assert table[["interval", "unit", "units"]].drop_duplicates().to_numpy().tolist() == [
        ["jackknife", "topic", 12]
    ]
    assert (table["reason"] == "").all()
    assert table[["value", "low", "high"]].notna().all(axis=None)


def test_kappa_has_a_second_formula(make_labels):
    matrices = matrices_of(make_labels, simulate())
    table = agreement_by_pair(matrices, (*BOTH, Pi()), interval="fleiss1969")
    assert table["interval"].tolist() == ["fleiss1969", "wilson", "gwet2008"] * 3
    counts = matrices.by_pair().counts
    low, high = kappa_interval(counts, "linear", formula="fleiss1969")
    kappa = table[table["coefficient"] == "kappa(linear)"]
    assert kappa["low"].tolist() == low.tolist()
    assert kappa["high"].tolist() == high.tolist()


def test_values_are_those_of_the_summed_matrices(make_labels):
    matrices = matrices_of(make_labels, simulate())
    table = agreement_by_pair(matrices, BOTH).set_index(["first", "second", "coefficient"])
    summed = matrices.by_pair().matrix("a", "c")
    assert table.loc[("a", "c", "raw"), "n"] == summed.sum()
    assert table.loc[("a", "c", "raw"), "value"] == np.trace(summed) / summed.sum()
    expected = Kappa("linear").value(summed, (0, 1, 2))
    assert table.loc[("a", "c", "kappa(linear)"), "value"] == expected


def test_order_of_labels_does_not_matter(make_labels):
    rows = simulate()
    one = agreement_by_pair(matrices_of(make_labels, rows), BOTH)
    pd.testing.assert_frame_equal(
        one, agreement_by_pair(matrices_of(make_labels, rows[::-1]), BOTH)
    )


def test_what_is_missing_has_a_reason(make_labels):
    rows = [("t", "d1", "a", 1), ("t", "d1", "b", 1), ("t", "d2", "c", 2)]
    table = agreement_by_pair(matrices_of(make_labels, rows), BOTH)
    kappa = table[table["coefficient"] == "kappa(linear)"]
    assert kappa["n"].tolist() == [1, 0, 0]
    assert kappa["value"].isna().all()
    assert kappa["reason"].tolist() == [Kappa.undefined, NO_ITEMS, NO_ITEMS]
    raw = table[table["coefficient"] == "raw"]
    assert raw["reason"].tolist() == [ONE_TOPIC, NO_ITEMS, NO_ITEMS]
    assert raw["value"].tolist()[0] == 1


def test_pairs_without_common_items_can_be_left_out(make_labels):
    rows = [("t", "d1", "a", 1), ("t", "d1", "b", 1), ("t", "d2", "c", 2)]
    table = agreement_by_pair(matrices_of(make_labels, rows), BOTH, every_pair=False)
    assert table["first"].tolist() == ["a", "a"]
    nobody = matrices_of(make_labels, rows[1:])
    assert agreement_by_pair(nobody, BOTH, every_pair=False).empty


def test_limits_equal_leaving_out_each_topic_in_a_loop(make_labels):
    matrices = matrices_of(make_labels, simulate())
    table = agreement_by_pair(matrices, (*BOTH, Pi())).set_index(["first", "second"])
    for first, second in ((0, 1), (0, 2), (1, 2)):
        blocks = matrices.counts[(matrices.first == first) & (matrices.second == second)]
        rows = table.loc[("abc"[first], "abc"[second])].itertuples()
        for row, coefficient in zip(rows, (*BOTH, Pi()), strict=True):
            without = [
                float(coefficient.value(np.delete(blocks, topic, axis=0).sum(axis=0), (0, 1, 2)))
                for topic in range(12)
            ]
            items = blocks.sum(axis=(1, 2)).tolist()
            expected = limits_of_coefficient(row.value, without, items, coefficient.least)
            np.testing.assert_allclose([row.low, row.high], expected, rtol=1e-12)


def test_analytic_intervals_take_items_for_sampled(make_labels):
    table = agreement_by_pair(matrices_of(make_labels, simulate()), BOTH, interval="analytic")
    assert table["interval"].tolist() == ["cohen1968", "wilson"] * 3
    assert set(table["unit"]) == {"item"}
    assert table["units"].tolist() == table["n"].tolist()


@pytest.mark.parametrize("at_once", [2_000_000, 1])
def test_bootstrap_equals_resampling_labels_in_a_loop(make_labels, monkeypatch, at_once):
    monkeypatch.setattr(pairs, "_CELLS_AT_ONCE", at_once)
    matrices, samples = matrices_of(make_labels, simulate()), 60
    table = agreement_by_pair(
        matrices, BOTH, interval="bootstrap", samples=samples, rng=np.random.default_rng(8)
    )
    assert len(matrices.counts) == 3 * 12  # every pair shares every topic, and so the draws
    drawn = np.random.default_rng(8).integers(12, size=(samples, 12))
    for first, second in ((0, 1), (0, 2), (1, 2)):
        blocks = matrices.counts[(matrices.first == first) & (matrices.second == second)]
        for coefficient in BOTH:
            values = [float(coefficient.value(blocks[d].sum(axis=0), (0, 1, 2))) for d in drawn]
            chosen = (table["first"] == "abc"[first]) & (table["second"] == "abc"[second])
            row = table[chosen & (table["coefficient"] == str(coefficient))].iloc[0]
            expected = np.quantile(values, [0.025, 0.975])
            np.testing.assert_allclose([row["low"], row["high"]], expected, rtol=1e-12)
            assert row["interval"] == "bootstrap"


def test_bootstrap_of_one_topic_has_a_reason(make_labels):
    rows = [row for row in simulate() if row[0] == "t00" or (row[0] == "t01" and row[2] != "c")]
    table = agreement_by_pair(
        matrices_of(make_labels, rows), [Raw()], interval="bootstrap", rng=np.random.default_rng(1)
    )
    assert table["reason"].tolist() == ["", ONE_TOPIC, ONE_TOPIC]
    assert table["low"].notna().tolist() == table["high"].notna().tolist() == [True, False, False]
    assert table["value"].notna().all()


def test_bootstrap_skips_pairs_without_common_items(make_labels):
    rows = [row for row in simulate(assessors="ac")]
    rows += [("t00", "other", "b", 1.0)]
    table = agreement_by_pair(
        matrices_of(make_labels, rows), [Raw()], interval="bootstrap", rng=np.random.default_rng(1)
    )
    assert table["low"].notna().tolist() == [False, True, False]
    assert table["reason"].tolist() == [NO_ITEMS, "", NO_ITEMS]


@each(("interval", "rng"), [("exact", 1), ("bootstrap", None)])
def test_an_interval_that_cannot_be_had_is_refused(make_labels, interval, rng):
    generator = rng and np.random.default_rng(rng)
    with pytest.raises(BadInput, match=f"'{interval}' is not an interval"):
        agreement_by_pair(
            matrices_of(make_labels, simulate()), BOTH, interval=interval, rng=generator
        )


def test_three_raters_of_chorus_against_crosstabs(chorus_labels):
    ratings = ratings_from_labels(chorus_labels, "page", range(4))
    table = agreement_by_pair(confusion_matrices(ratings), [Raw()])
    wide = chorus_labels.pivot(
        index=["topic_id", "document_id"], columns="assessor_id", values="level"
    )
    names = zip(table["first"], table["second"], strict=True)
    expected = [(wide[first] == wide[second]).mean() for first, second in names]
    assert len(table) == 3
    assert table["n"].tolist() == [3188] * 3
    assert table["value"].tolist() == pytest.approx(expected, abs=1e-12)
