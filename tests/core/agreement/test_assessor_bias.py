"""One assessor beside the others and beside gold items, against plain loops."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa

from core.agreement.assessor_bias import (
    FEW_GOLD,
    FEW_ITEMS,
    NO_GOLD,
    agreement_with_gold,
    agreement_with_others,
    deviations,
    leniency,
    level_shares,
)
from core.agreement.coefficients import Kappa
from core.agreement.confusion import confusion_matrices
from core.agreement.corrections import correct
from core.agreement.intervals import share_interval, share_p
from core.agreement.pairs import NO_ITEMS, ONE_TOPIC, agreement_by_pair
from core.agreement.ratings import ratings_from_labels
from tests.calibration.label_models import rate as rate_drawn
from tests.core.agreement.leaving_out import limits_of_share
from tests.each import each

LEVELS = (0, 1, 3)
ROWS = [
    *[("t1", "d1", who, level) for who, level in (("a", 3), ("b", 0), ("c", 1))],
    *[("t1", "d2", who, level) for who, level in (("a", 1), ("b", 1))],
    *[("t2", "d1", who, level) for who, level in (("a", 3), ("c", 0))],
    ("t2", "d2", "a", 0),
    ("t2", "d3", "d", 1),
]
rated = st.dictionaries(
    st.tuples(st.sampled_from("tuv"), st.sampled_from("xyz"), st.sampled_from("abcd")),
    st.sampled_from(LEVELS),
    min_size=1,
)


def rate(make_labels, rows):
    return ratings_from_labels(make_labels(rows), "page", LEVELS)


def deviations_slowly(rows):
    """Return (topic, assessor, own step minus the others' mean) of every common item."""
    found = []
    for topic, document, who, level in rows:
        others = [
            LEVELS.index(other)
            for t, d, name, other in rows
            if (t, d) == (topic, document) and name != who
        ]
        if others:
            found.append((topic, who, LEVELS.index(level) - sum(others) / len(others)))
    return found


def test_shares_by_hand(make_labels):
    table = level_shares(rate(make_labels, ROWS)).set_index(["assessor_id", "level"])
    assert table.loc["a", "labels"].tolist() == [1, 1, 2]
    assert table.loc["a", "others"].tolist() == [2, 3, 0]
    assert table.loc["a", "share"].tolist() == [0.25, 0.25, 0.5]
    assert table.loc["b", "others_share"].tolist() == pytest.approx([2 / 7, 3 / 7, 2 / 7])


def test_shares_without_others_have_no_value(make_labels):
    table = level_shares(rate(make_labels, [("t", "d", "a", 1)]))
    assert table["share"].tolist() == [0, 1, 0]
    assert table["others_share"].isna().all()


@given(rated)
def test_leniency_equals_the_definition_written_out(make_labels, given_levels):
    rows = [(*key, level) for key, level in given_levels.items()]
    ratings = rate(make_labels, rows)
    slowly = deviations_slowly(rows)
    quick = deviations(ratings)
    assert sorted(quick[~np.isnan(quick)]) == pytest.approx(sorted(one for *_, one in slowly))
    table = leniency(ratings)
    for row in table.itertuples():
        own = [(topic, one) for topic, who, one in slowly if who == row.assessor_id]
        assert row.n == len(own)
        mean = np.mean([one for _, one in own]) if own else np.nan
        assert row.value == pytest.approx(mean, nan_ok=True)
        topics = {topic for topic, _ in own}
        few = NO_ITEMS if not own else ONE_TOPIC
        assert row.reason == (few if np.isnan(row.low) else "")
        assert np.isnan(row.low) == np.isnan(row.high)
        assert row.units == len(topics)
        if not np.isnan(row.low):
            assert len(topics) > 1
            assert -2 <= row.low <= row.value + 1e-9
            assert row.value - 1e-9 <= row.high <= 2


def test_limits_leave_out_each_topic_on_the_scale_of_log_odds(make_labels):
    rows = [
        (f"t{topic}", f"d{item}", who, LEVELS[(topic * step + item) % 3])
        for topic in range(6)
        for item in range(topic + 1)
        for who, step in (("a", 1), ("b", 2))
    ]
    table = leniency(rate(make_labels, rows))
    own = [(topic, one) for topic, who, one in deviations_slowly(rows) if who == "a"]
    value = np.mean([one for _, one in own])
    left = [np.mean([one for topic, one in own if topic != f"t{at}"]) for at in range(6)]
    items = [sum(topic == f"t{at}" for topic, _ in own) for at in range(6)]
    # Of three levels, leniency lies between −2 and 2.
    limits = [2 * end for end in limits_of_share(value / 2, np.array(left) / 2, items, -1)]
    assert table.loc[0, ["low", "high"]].tolist() == pytest.approx(limits)
    assert table.loc[0, ["interval", "unit", "units"]].tolist() == ["jackknife", "topic", 6]
    # Of two assessors who judge the same items each is as lenient as the other is strict.
    assert table["value"][0] == pytest.approx(-table["value"][1])


def test_leniency_that_is_the_same_in_every_topic_has_wide_limits(make_labels):
    rows = [
        (f"t{at}", "d", who, LEVELS[step]) for at in range(4) for who, step in (("a", 1), ("b", 0))
    ]
    table = leniency(rate(make_labels, rows))
    assert table["value"].tolist() == [1, -1]
    # One topic in 1 − .025^(1/4) could have leniency −2, or 2, and be missed.
    unseen = 1 - 0.025**0.25
    assert table.loc[0, ["low", "high"]].tolist() == pytest.approx([1 - 3 * unseen, 1 + unseen])
    assert table["reason"].tolist() == [""] * 2


def test_nothing_judged_gives_empty_tables(make_labels):
    ratings = rate(make_labels, [])
    assert leniency(ratings).empty
    assert level_shares(ratings).empty


def test_agreement_with_others_by_hand():
    pairs = pd.DataFrame(
        {
            "first": ["a", "a", "b", "a"],
            "second": ["b", "c", "c", "d"],
            "n": [10, 20, 9, 30],
            "value": [0.5, 0.1, 0.9, np.nan],
        }
    )
    table = agreement_with_others(pairs).set_index("assessor_id")
    assert table["pairs"].to_dict() == {"a": 2, "b": 1, "c": 1, "d": 0}
    assert table.loc["a", ["mean", "lowest", "highest"]].tolist() == pytest.approx([0.3, 0.1, 0.5])
    assert table.loc["c", ["mean", "lowest", "highest"]].tolist() == [0.1, 0.1, 0.1]
    assert table.loc["d", ["mean", "lowest", "highest"]].isna().all()
    assert table["reason"].to_dict() == {"a": "", "b": "", "c": "", "d": FEW_ITEMS}


def test_agreement_with_others_on_dl19_equals_loops(dl19_labels):
    matrices = confusion_matrices(ratings_from_labels(dl19_labels, "page", range(4)))
    pairs = agreement_by_pair(matrices, [Kappa("linear")])
    for row in agreement_with_others(pairs).itertuples():
        own = [
            pair.value
            for pair in pairs.itertuples()
            if row.assessor_id in (pair.first, pair.second)
            and pair.n >= 10
            and not np.isnan(pair.value)
        ]
        assert row.pairs == len(own)
        if own:
            assert (row.mean, row.lowest, row.highest) == pytest.approx(
                (sum(own) / len(own), min(own), max(own))
            )


def test_agreement_with_gold_equals_statsmodels(make_labels):
    rng = np.random.default_rng(3)
    given_levels, settled = rng.integers(3, size=40), rng.integers(3, size=40)
    rows = [("t", f"d{at:02}", "a", LEVELS[level]) for at, level in enumerate(given_levels)]
    rows += [("t", "d00", "b", LEVELS[settled[0]]), ("u", "d00", "c", 0)]
    gold = pd.DataFrame(
        {
            "topic_id": "t",
            "document_id": [f"d{at:02}" for at in range(40)],
            "engine": "",
            "level": [LEVELS[level] for level in settled],
        }
    )
    never_judged = gold.head(1).assign(document_id="d99")
    table = agreement_with_gold(rate(make_labels, rows), pd.concat([gold, never_judged]))
    cross = np.zeros((3, 3))
    np.add.at(cross, (given_levels, settled), 1)
    oracle = cohens_kappa(cross, wt="linear", return_results=False)
    first, second, third = table.itertuples()
    assert (first.n, first.reason) == (40, "")
    assert first.raw == pytest.approx(float(np.mean(given_levels == settled)))
    assert first.kappa == pytest.approx(oracle, abs=1e-9)
    assert first.low < first.kappa < first.high
    assert first.raw_low < first.raw < first.raw_high
    assert (second.n, second.raw) == (1, 1)
    assert np.isnan([second.kappa, second.low, second.high]).all()
    assert second.reason == FEW_GOLD
    assert (third.n, third.reason) == (0, NO_GOLD)
    assert np.isnan(third.raw)


def test_gold_levels_off_the_scale_are_left_out(make_labels):
    gold = pd.DataFrame({"topic_id": ["t1"], "document_id": ["d1"], "engine": [""], "level": [7]})
    assert agreement_with_gold(rate(make_labels, ROWS), gold)["n"].sum() == 0
    assert agreement_with_gold(rate(make_labels, ROWS), gold.head(0))["n"].sum() == 0


@each(("items", "reason"), [(9, FEW_GOLD), (10, "κ is not defined")])
def test_kappa_with_gold_needs_ten_items_and_two_levels(make_labels, items, reason):
    rows = [("t", f"d{at}", "a", 1) for at in range(items)]
    gold = pd.DataFrame(rows, columns=["topic_id", "document_id", "engine", "level"])
    table = agreement_with_gold(rate(make_labels, rows), gold.assign(engine=""))
    assert table["raw"].tolist() == [1]
    assert reason in table["reason"][0]


@given(st.integers(0, 2**32 - 1))
def test_p_is_small_where_the_limits_leave_out_0(seed):
    rng = np.random.default_rng(seed)
    topics = int(rng.integers(2, 12))
    cases = rng.integers(0, 6, (topics, 5)).astype(float)
    hits = np.clip(rng.normal(rng.normal(0, 0.3, 5), 0.2, (topics, 5)), -1, 1) * cases
    hits[:, 0] = 0.7 * cases[:, 0]
    low, high, _ = share_interval(hits, cases, -1.0)
    p = share_p(hits, cases)
    assert (np.isnan(p) == np.isnan(low)).all()
    known = ~np.isnan(p) & (low > -1) & (high < 1) & (np.abs(p - 0.05) > 1e-9)
    assert ((p < 0.05) == ((low > 0) | (high < 0)))[known].all()


def test_p_is_corrected_for_those_with_enough_items(make_labels):
    rng = np.random.default_rng(1)
    shape = 30, 20, 6
    levels = np.clip(rng.integers(0, 4, shape) + (np.arange(6) == 0), 0, 3)
    ratings = rate_drawn(levels)
    table = leniency(ratings).set_index("assessor_id")
    sums, counts = np.zeros((2, 30, 6))
    others = (levels.sum(axis=2, keepdims=True) - levels) / 5
    sums, counts = (levels - others).sum(axis=1) / 3, np.full((30, 6), 20.0)
    assert table["p"].to_numpy() == pytest.approx(correct(share_p(sums, counts), "holm"))
    assert leniency(rate_drawn(levels[:, :1, :2][:9]))["p"].isna().all()
