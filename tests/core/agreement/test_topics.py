import numpy as np
import pandas as pd
import pytest

from core.agreement.coefficients import Kappa, Raw
from core.agreement.confusion import confusion_matrices
from core.agreement.multi_rater import krippendorff_alpha
from core.agreement.multi_rater_counts import level_counts, sum_items
from core.agreement.pairwise import cohen_kappa, kappa_interval
from core.agreement.ratings import Ratings, ratings_from_labels
from core.agreement.topics import (
    ONE_ITEM,
    agreement_by_topic,
    alpha_by_topic,
    describe_topics,
    split_topics,
)
from tests.core.agreement.leaving_out import limits_of


def judge(topic, levels, names="ab"):
    """Return rows in which each item of a topic gets one level from each assessor."""
    return [
        (topic, f"d{at}", name, level)
        for at, both in enumerate(levels)
        for name, level in zip(names, both, strict=True)
    ]


AGREED = [(level, level) for level in (0, 1, 2, 0, 1, 2, 0, 1, 2, 0)]
OPPOSED = [(level, 2 - level) for level in (0, 1, 2, 0, 1, 2, 0, 1, 2, 0)]


def matrices_of(make_labels, rows):
    return confusion_matrices(ratings_from_labels(make_labels(rows), "page", (0, 1, 2)))


def test_sets_of_topics(make_labels):
    rows = [
        *judge("agreed", AGREED),
        *judge("opposed", OPPOSED),
        *judge("nine items", AGREED[:9]),
        *judge("one level", [(1, 1)] * 12),
        *judge("one pair opposed", AGREED, "ab"),
        *judge("one pair opposed", [(second,) for _, second in OPPOSED], "c"),
        *judge("one thin pair", AGREED, "ab"),
        *judge("one thin pair", [(2 - second,) for _, second in AGREED[:9]], "c"),
    ]
    table = agreement_by_topic(matrices_of(make_labels, rows))
    sets = split_topics(table)
    assert sets.high == ("agreed", "one thin pair")
    assert sets.low == ("one pair opposed", "opposed")
    counted = table.set_index(["topic_id", "first", "second"])["counted"]
    assert not counted["nine items", "a", "b"]
    assert not counted["one level", "a", "b"]
    assert not counted["one thin pair", "b", "c"]
    assert counted["one thin pair", "a", "b"]
    thin = table[(table["topic_id"] == "nine items")].iloc[0]
    assert (thin["value"], thin["reason"]) == (1, "")
    assert table[table["topic_id"] == "one level"]["reason"].tolist() == [Kappa.undefined]


def test_a_lower_limit_of_zero_is_low():
    table = pd.DataFrame({"topic_id": ["t", "u"], "low": [0.0, 1e-9], "counted": [True, True]})
    assert split_topics(table).low == ("t",)
    assert split_topics(table).high == ("u",)


def test_nothing_counted_gives_empty_sets(make_labels):
    sets = split_topics(agreement_by_topic(matrices_of(make_labels, judge("t", AGREED[:2]))))
    assert sets.high == sets.low == ()


def test_no_common_items_give_an_empty_table(make_labels):
    rows = [("t", "d1", "a", 1), ("t", "d2", "b", 1)]
    table = agreement_by_topic(matrices_of(make_labels, rows))
    assert table.empty
    assert split_topics(table).high == ()


def test_several_coefficients_stay_together(make_labels):
    rows = judge("u", AGREED) + judge("t", OPPOSED)
    table = agreement_by_topic(matrices_of(make_labels, rows), [Raw(), Kappa("linear")])
    assert table["topic_id"].tolist() == ["t", "t", "u", "u"]
    assert table["coefficient"].tolist() == ["raw", "kappa(linear)"] * 2


def test_every_topic_of_dl19_equals_a_crosstab(dl19_labels):
    matrices = confusion_matrices(ratings_from_labels(dl19_labels, "page", range(4)))
    table = agreement_by_topic(matrices, interval="analytic")
    assert table["topic_id"].nunique() == 22
    grouped = dict(list(dl19_labels.groupby(["topic_id", "assessor_id"])))
    for row in table.itertuples():
        one, other = grouped[row.topic_id, row.first], grouped[row.topic_id, row.second]
        both = one.merge(other, on="document_id")
        cross = pd.crosstab(both["level_x"], both["level_y"])
        cross = cross.reindex(index=range(4), columns=range(4), fill_value=0).to_numpy()
        low, high = kappa_interval(cross, "linear")
        assert row.n == len(both)
        assert row.value == pytest.approx(float(cohen_kappa(cross, "linear")), nan_ok=True)
        assert row.low == pytest.approx(float(low), nan_ok=True)
        assert row.high == pytest.approx(float(high), nan_ok=True)
    sets = split_topics(agreement_by_topic(matrices))
    assert len(sets.high) + len(sets.low) == 22
    assert not set(sets.high) & set(sets.low)


def test_limits_leave_out_each_item_of_the_topic(make_labels):
    levels = [(0, 0), (0, 1), (1, 1), (2, 2), (2, 1), (0, 0), (1, 0), (2, 2), (1, 1), (0, 2)]
    table = agreement_by_topic(matrices_of(make_labels, judge("t", levels))).iloc[0]

    def kappa(pairs):
        cross = np.zeros((3, 3))
        np.add.at(cross, tuple(np.array(pairs).T), 1)
        return float(cohen_kappa(cross, "linear"))

    left = [kappa(levels[:at] + levels[at + 1 :]) for at in range(10)]
    assert table[["low", "high"]].tolist() == pytest.approx(limits_of(kappa(levels), left))
    assert table[["interval", "unit", "units"]].tolist() == ["jackknife", "item", 10]


def test_a_topic_without_a_lower_limit_is_low(make_labels):
    """One item alone keeps κ from being undefined: nothing is known of its sampling."""
    rows = judge("t", [(0, 0)] * 11 + [(2, 2)])
    table = agreement_by_topic(matrices_of(make_labels, rows))
    assert table["value"].tolist() == [1]
    assert table["low"].isna().all()
    assert table["reason"].tolist() == [ONE_ITEM]
    assert split_topics(table).low == ("t",)


def test_limits_by_formula_are_those_of_pairs(make_labels):
    matrices = matrices_of(make_labels, judge("t", [*AGREED, *OPPOSED]))
    row = agreement_by_topic(matrices, [Kappa("linear")], "fleiss1969").iloc[0]
    found = kappa_interval(matrices.counts[0], "linear", (0, 1, 2), "fleiss1969")
    assert (row["low"], row["high"]) == pytest.approx(tuple(found))
    assert row["interval"] == "fleiss1969"


def test_how_single_topics_spread_is_said_as_in_the_source(make_labels):
    rows = [*judge("t1", AGREED), *judge("t2", OPPOSED), *judge("t3", [(1, 1)] * 12)]
    table = agreement_by_topic(matrices_of(make_labels, rows))
    (worst,) = table.loc[table["topic_id"] == "t2", "value"]
    wanted = (
        f"By topic it is {(1 + worst) / 2:.3f} on average, from {worst:.3f} to 1.000; "
        "1 of 2 topics is not shown to be above 0"
    )
    assert describe_topics(table) == wanted.replace("-", "−")


def test_of_several_pairs_values_are_counted(make_labels):
    rows = [row for topic in ("t1", "t2") for row in judge(topic, AGREED)]
    rows += [row for topic in ("t1", "t2") for row in judge(topic, [(b,) for _, b in AGREED], "c")]
    table = agreement_by_topic(matrices_of(make_labels, rows))
    said = describe_topics(table)
    assert said.startswith("By topic and pair it is 1.000 on average")
    assert said.endswith("0 of 6 values are not shown to be above 0")


def test_one_topic_has_no_spread(make_labels):
    assert describe_topics(agreement_by_topic(matrices_of(make_labels, judge("t1", AGREED)))) == ""


def rate(levels: dict[str, list[tuple[int, ...]]]) -> Ratings:
    rows = [
        (topic, f"d{item}", f"a{who}", level)
        for topic, items in levels.items()
        for item, given in enumerate(items)
        for who, level in enumerate(given)
    ]
    labels = pd.DataFrame(rows, columns=["topic_id", "document_id", "assessor_id", "level"])
    labels = labels.assign(facet="page", engine="", occasion=0, state="level")
    return ratings_from_labels(labels, "page", [0, 1, 2])


def test_each_topic_has_its_alpha_with_limits_the_lowest_first():
    rng = np.random.default_rng(1)
    random = [tuple(pair) for pair in rng.integers(0, 3, (40, 2)).tolist()]
    alike = [(n % 3, n % 3, n % 3) for n in range(20)] + [(0, 1, 0)]
    ratings = rate({"same": alike, "random": random})
    table = alpha_by_topic(ratings)
    assert table["topic_id"].tolist() == ["random", "same"]
    assert table["items"].tolist() == [40, 21]
    counts = level_counts(ratings)
    for row in table.itertuples():
        own = counts.counts[counts.topic == ratings.topics.index(row.topic_id)]
        alpha = float(krippendorff_alpha(sum_items(own, counts.levels), "ordinal"))
        assert row.value == pytest.approx(alpha)
        assert row.low <= row.value <= row.high
    assert table["low"].iloc[0] < 0 < table["low"].iloc[1]


def test_topics_with_few_items_or_one_level_are_left_out():
    few = [(0, 1)] * 9 + [(0,)] * 30
    assert alpha_by_topic(rate({"few": few, "one level": [(1, 1)] * 20})).empty


def test_without_labels_there_is_no_topic():
    assert alpha_by_topic(rate({"t": [(0,)]})).empty


def draw_items(rng: np.random.Generator, number: int) -> list[tuple[int, ...]]:
    """Return levels by three assessors who give an item's own level with probability .6."""
    own = rng.integers(0, 3, (number, 1))
    other = rng.integers(0, 3, (number, 3))
    return [tuple(row) for row in np.where(rng.random((number, 3)) < 0.6, own, other).tolist()]


def test_limits_hold_the_agreement_that_many_items_would_show():
    rng = np.random.default_rng(4)
    truth = alpha_by_topic(rate({"t": draw_items(rng, 20_000)}))["value"].item()
    topics = {f"t{number}": draw_items(rng, 30) for number in range(600)}
    table = alpha_by_topic(rate(topics))
    held = (table["low"] <= truth) & (truth <= table["high"])
    assert 0.93 <= held.mean() <= 0.985
