"""Coefficients of many assessors for two at a time equal those of the two alone."""

import krippendorff
import numpy as np
import pytest

from core.agreement.base import (
    COEFFICIENTS,
    PairCoefficient,
    PanelCoefficient,
    suggest_coefficients,
)
from core.agreement.coefficients import Alpha, Kappa, Raw
from core.agreement.confusion import confusion_matrices
from core.agreement.multi_rater_counts import level_counts
from core.agreement.overall import measure_agreement, panel_agreement
from core.agreement.pairs import ONE_DEFINES, ONE_TOPIC, agreement_by_pair
from core.agreement.ratings import ratings_from_labels
from core.agreement.single_pairs import OfTwo, agreement_of_each_pair, of_two, pair_sums
from core.agreement.topics import agreement_by_topic
from core.errors import BadInput
from tests.core.agreement.test_pairs import simulate
from tests.each import each

LEVELS = (0, 1, 2)
PANEL = suggest_coefficients(LEVELS)[1]


def draw_rows(seed=3, topics=6, items=9):
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
    rows = [row for row in draw_rows() if row[2] != "c"]
    items = {row[:2] for row in rows if row[2] == "a"} & {row[:2] for row in rows if row[2] == "b"}
    ratings = ratings_of(make_labels, [row for row in rows if row[:2] in items])
    (counts,) = confusion_matrices(ratings).by_pair().counts
    expected = level_counts(ratings).by_topic().total().flat
    assert pair_sums(counts, LEVELS).flat.tolist() == pytest.approx(expected.tolist())


@each("pair", ["ab", "ac", "bc"])
def test_each_pair_equals_the_panel_of_the_two(make_labels, pair):
    rows = draw_rows()
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
    matrices = confusion_matrices(ratings_of(make_labels, draw_rows()))
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
    matrices = confusion_matrices(ratings_of(make_labels, draw_rows()))
    with pytest.raises(BadInput, match=r"alpha\(ordinal, p=0.8\) needs to know how items rank"):
        agreement_of_each_pair(matrices, [COEFFICIENTS.parse("alpha(ordinal, p=0.8)")])


PANELS = [
    str(one)
    for entry in COEFFICIENTS
    for one in map(COEFFICIENTS.parse, entry.examples)
    if isinstance(one, PanelCoefficient) and one.weigh(np.ones(1)) is None
]


def only(frame, first, second):
    """Return the labels of two assessors for items that both judged."""
    own = frame[frame["assessor_id"].isin([first, second])]
    both = own.groupby(["topic_id", "document_id"])["assessor_id"].transform("nunique") == 2
    return own[both]


@each("text", PANELS)
def test_it_is_the_coefficient_of_these_two_alone(make_labels, text):
    frame = make_labels(simulate())
    coefficient = COEFFICIENTS.parse(text)
    table = agreement_by_pair(
        confusion_matrices(ratings_from_labels(frame, "page", LEVELS)), [of_two(coefficient)]
    )
    assert table["coefficient"].tolist() == [text] * 3
    for row in table.to_dict("records"):
        ratings = ratings_from_labels(only(frame, row["first"], row["second"]), "page", LEVELS)
        alone = measure_agreement(ratings, [coefficient]).iloc[0]
        for name in ("value", "low", "high"):
            assert row[name] == pytest.approx(alone[name], rel=1e-9), name
        assert row["units"] == alone["units"]


def test_alpha_of_two_is_that_of_another_program(make_labels):
    frame = only(make_labels(simulate()), "a", "b")
    matrices = confusion_matrices(ratings_from_labels(frame, "page", LEVELS))
    row = agreement_by_pair(matrices, [of_two(COEFFICIENTS.parse("alpha(ordinal)"))]).iloc[0]
    item = ["topic_id", "document_id"]
    wide = frame.pivot(index="assessor_id", columns=item, values="level").to_numpy()
    theirs = krippendorff.alpha(wide, level_of_measurement="ordinal", value_domain=[*LEVELS])
    assert row["value"] == pytest.approx(theirs, rel=1e-12)


@each("text", PANELS)
def test_it_has_a_value_on_every_topic(make_labels, text):
    frame = make_labels(simulate(topics=4))
    coefficient = COEFFICIENTS.parse(text)
    table = agreement_by_topic(
        confusion_matrices(ratings_from_labels(frame, "page", LEVELS)), [of_two(coefficient)]
    )
    assert len(table) == 12
    for row in table.to_dict("records"):
        own = only(frame[frame["topic_id"] == row["topic_id"]], row["first"], row["second"])
        alone = measure_agreement(ratings_from_labels(own, "page", LEVELS), [coefficient])
        assert row["value"] == pytest.approx(alone["value"].iloc[0], rel=1e-9, nan_ok=True)
        assert row["unit"] == "item"


def test_what_cannot_be_had_of_two_is_refused():
    kappa = Kappa("linear")
    assert of_two(kappa) is kappa
    with pytest.raises(BadInput, match="weighs items by rank"):
        of_two(COEFFICIENTS.parse("alpha(ordinal, p=0.8)"))
    alpha = of_two(COEFFICIENTS.parse("alpha(ordinal)"))
    assert isinstance(alpha, OfTwo)
    assert isinstance(alpha, PairCoefficient)
    with pytest.raises(BadInput, match="take the jackknife"):
        alpha.interval(np.ones((2, 2)), (0, 1), "analytic")
    with pytest.raises(BadInput, match="does not add up"):
        alpha.counted((0, 1))
    with pytest.raises(BadInput, match="of all assessors together"):
        of_two(object())
