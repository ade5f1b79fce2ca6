from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.agreement.intervals import share_interval
from core.disagreement.repeated_labels import code_repeated_labels
from core.disagreement.user_disagreement import relevance_weight
from core.disagreement.verification import draw_labels, verify_probability, verify_weights
from core.errors import BadInput, TooLittleData
from tests.each import each

ITEMS = {"d": (0, 1, 2, 2), "e": (1, 1, 0, 2, 0), "f": (2, 1, 1), "g": (0, 2)}


def draw(make_labels, items, seed=1, levels=(0, 1, 2), **options):
    rows = [
        ("t", document, f"a{at}", level)
        for document, given_levels in items.items()
        for at, level in enumerate(given_levels)
    ]
    coded = code_repeated_labels(make_labels(rows), "page", levels)
    return draw_labels(coded, 2, rng=np.random.default_rng(seed), **options)


def test_draws_have_the_chances_of_drawing_without_replacement(make_labels):
    draws = draw(make_labels, ITEMS, min_labels=3, repeats=20_000)
    expected = np.zeros((3, 2, 3))
    for labels in [labels for labels in ITEMS.values() if len(labels) >= 3]:
        orders = list(permutations(labels, 3))
        for first, *others in orders:
            for n in (1, 2):
                found = sum(level == 2 for level in others[:n])
                expected[first, n - 1, found] += 1 / len(orders)
    assert draws.items == 3
    np.testing.assert_allclose(draws.counts.mean(axis=0), expected, atol=0.02)


@given(st.lists(st.lists(st.integers(0, 2), min_size=4, max_size=8), min_size=1, max_size=5))
def test_every_draw_has_every_item_once_at_each_number_of_others(make_labels, given_levels):
    draws = draw(make_labels, dict(zip("defgh", given_levels, strict=False)), min_labels=4)
    assert draws.counts.shape == (50, 3, 3, 4)
    assert (draws.counts.sum(axis=(1, 3)) == len(given_levels)).all()


def test_no_label_is_drawn_twice(make_labels):
    # One top label in each item: it is the first, or among all others.
    items = {name: (2, 0, 0, 0, 0, 0) for name in "defghijk"}
    draws = draw(make_labels, items, repeats=200)
    assert draws.counts[:, 2, 4, 1:].sum() == 0
    assert draws.counts[:, 0, 4, 0].sum() == draws.counts[:, 0, 4, 2:].sum() == 0
    first_is_top = draws.cases[:, 2].sum() / (200 * 8)
    assert first_is_top == pytest.approx(1 / 6, abs=0.03)


def test_tables_by_hand(make_labels):
    draws = draw(make_labels, {"d": (2, 2, 2), "e": (1, 1, 1)}, min_labels=3, repeats=4)
    table = verify_probability(draws)
    assert " ".join(table.columns) == ("level n mean sd cases low high interval unit units reason")
    assert table["n"].tolist() == [1, 2] * 3
    assert table["mean"].tolist()[2:] == [0, 0, 1, 1]
    assert table["sd"].tolist()[2:] == [0] * 4
    assert table["cases"].tolist() == [0, 0, 1, 1, 1, 1]
    assert table["mean"].isna().tolist() == [True] * 2 + [False] * 4
    assert table["reason"].tolist()[0] == "no item has a first label of this level"
    weights = verify_weights(draws).set_index(["level", "users", "at_least"])
    assert len(weights) == 3 * (2 + 3)
    for (level, _, _), row in weights.iterrows():
        expected = {0: np.nan, 1: 0, 2: 1}[level]
        assert row["observed"] == pytest.approx(expected, nan_ok=True)
        assert row["predicted"] == pytest.approx(expected, nan_ok=True)
        one_topic = "one topic alone tells of it, or all tell the same: no interval over topics"
        assert row["reason"] == (one_topic if level else table["reason"][0])


def test_predictions_are_the_models_weights(make_labels):
    draws = draw(make_labels, ITEMS, min_labels=3)
    chances = verify_probability(draws).query("n == 2").set_index("level")
    for row in verify_weights(draws).itertuples():
        told = row.predicted, row.predicted_low, row.predicted_high
        for p, found in zip(chances.loc[row.level, ["mean", "low", "high"]], told, strict=True):
            expected = relevance_weight(p, row.level == 2, row.users, row.at_least)
            assert found == pytest.approx(expected, nan_ok=True)


def test_one_repeat_has_no_spread(make_labels):
    draws = draw(make_labels, ITEMS, min_labels=3, repeats=1)
    table = verify_probability(draws)
    assert table["sd"].isna().all()
    drawn = table[table["mean"].notna()]
    said = "drawn in one repeat only, so there is no standard deviation"
    assert drawn["reason"].str.startswith(said).all()
    assert verify_weights(draws)["predicted"].notna().sum() >= len(drawn)


def test_levels_above_the_top_are_top(make_labels):
    items = {"d": (1, 3, 1, 3)}
    table = verify_probability(draw(make_labels, items, levels=(1, 2, 3), min_labels=4))
    assert table[table["level"] == 1]["mean"].tolist() == pytest.approx([2 / 3] * 3, abs=0.25)
    assert table[(table["level"] == 1) & (table["n"] == 3)]["mean"].tolist() == [
        pytest.approx(2 / 3)
    ]


def test_the_same_seed_draws_the_same(make_labels):
    first, second = (draw(make_labels, ITEMS, 5, min_labels=3).counts for _ in range(2))
    other = draw(make_labels, ITEMS, 6, min_labels=3).counts
    assert (first == second).all()
    assert (first != other).any()


def test_rf10_gives_the_figures_of_the_paper(rf10_labels):
    coded = code_repeated_labels(rf10_labels, "page", group_by="document")
    draws = draw_labels(coded, 2, rng=np.random.default_rng(1))
    assert draws.items == 2738
    p = verify_probability(draws)
    for level, expected in ((2, 0.336), (1, 0.298), (0, 0.230)):
        # Fig. 1: flat in n, and the spread falls with n.
        row = p[p["level"] == level]
        assert (abs(row["mean"] - expected) < 0.004).all()
        assert row["sd"].iloc[0] > row["sd"].iloc[-1] > 0
    weights = verify_weights(draws).set_index(["level", "users", "at_least"])
    # Table 1: M, N, experimental, prediction.
    for at_least, users, observed, predicted in (
        (1, 3, 0.49, 0.51),
        (2, 3, 0.10, 0.09),
        (2, 4, 0.23, 0.21),
        (2, 5, 0.35, 0.35),
    ):
        row = weights.loc[1, users, at_least]
        assert abs(row["observed"] - observed) < row["sd"]
        assert row["predicted"] == pytest.approx(predicted, abs=0.01)


@each("field", ["min_labels", "others", "repeats"])
def test_numbers_that_are_too_small_are_refused(make_labels, field):
    least = 1 if field == "min_labels" else 0
    with pytest.raises(BadInput, match=f"field '{field}'"):
        draw(make_labels, ITEMS, **{"min_labels": 3, field: least})


def test_too_few_labels(make_labels):
    with pytest.raises(TooLittleData, match="no item has 6 labels; the most is 5"):
        draw(make_labels, ITEMS)
    with pytest.raises(TooLittleData, match="nothing was judged so far"):
        draw(make_labels, {})


def by_topic(make_labels, seed=2):
    """Return labels of five assessors on 40 items, 8 of each of 5 topics that differ."""
    rng = np.random.default_rng(seed)
    chance = np.repeat([0.1, 0.3, 0.5, 0.7, 0.9], 8)
    return make_labels(
        [
            (f"t{item // 8}", f"d{item:02}", f"a{who}", int(level))
            for item, levels in enumerate(rng.binomial(2, chance[:, np.newaxis], size=(40, 5)))
            for who, level in enumerate(levels)
        ]
    )


def test_what_is_expected_is_the_mean_of_very_many_draws(make_labels):
    coded = code_repeated_labels(by_topic(make_labels), "page", (0, 1, 2))
    draws = draw_labels(coded, 2, min_labels=5, repeats=4_000, rng=np.random.default_rng(3))
    np.testing.assert_allclose(draws.expected.sum(axis=0), draws.counts.mean(axis=0), atol=0.15)
    assert draws.expected[:, :, 0].sum() == pytest.approx(40)


def test_limits_leave_each_topic_out(make_labels):
    """p given 1: over items, first labels of 1 by the share of 2 among the four others."""
    labels = by_topic(make_labels)
    draws = draw_labels(
        code_repeated_labels(labels, "page", (0, 1, 2)), 2, rng=np.random.default_rng(3),
        min_labels=5,
    )  # fmt: skip
    table = verify_probability(draws).set_index(["level", "n"])
    counts = labels.groupby(["topic_id", "document_id"])["level"].agg(
        ones=lambda level: (level == 1).sum(), twos=lambda level: (level == 2).sum()
    )
    hits = (counts["ones"] / 5 * counts["twos"] / 4).groupby("topic_id").sum().to_numpy()
    cases = (counts["ones"] / 5).groupby("topic_id").sum().to_numpy()
    low, high, topics = share_interval(hits[:, np.newaxis], cases[:, np.newaxis])
    for n in (1, 4):
        row = table.loc[(1, n)]
        assert (row["low"], row["high"]) == pytest.approx((low[0], high[0]))
        assert (row["interval"], row["unit"], row["units"]) == ("jackknife", "topic", topics[0])
        # The topics differ: redrawing the labels of the same items says far too little.
        assert row["high"] - row["low"] > 4 * row["sd"]
        assert row["low"] < row["mean"] < row["high"]


def test_items_of_all_topics_are_sampled_themselves(make_labels):
    coded = code_repeated_labels(by_topic(make_labels), "page", (0, 1, 2), group_by="document")
    draws = draw_labels(coded, 2, min_labels=5, rng=np.random.default_rng(3))
    weights = verify_weights(draws)
    assert (weights["unit"] == "item").all()
    assert weights["units"].max() > 20


def test_users_who_divide_on_some_items_lie_below_the_model_for_one_and_above_it_for_more(
    make_labels,
):
    """Half of the items please 9 of 10 people and half please 1: with M = 4 more than predicted."""
    rng = np.random.default_rng(7)
    rows = [
        ("t", f"d{item:03}", f"a{who}", 2 if pleased else 1)
        for item in range(200)
        for who, pleased in enumerate(rng.random(10) < (0.75 if item % 2 else 0.15))
    ]
    coded = code_repeated_labels(make_labels(rows), "page", (0, 1, 2))
    draws = draw_labels(coded, 2, rng=np.random.default_rng(3))
    found = verify_weights(draws).set_index(["level", "users", "at_least"]).loc[(1, 6)]
    assert found.loc[1, "observed"] < found.loc[1, "predicted"] - 0.05
    for at_least in (3, 4, 5):
        assert found.loc[at_least, "observed"] > found.loc[at_least, "predicted"]
    assert found.loc[4, "observed"] > 1.5 * found.loc[4, "predicted"]
