"""Coefficients of any number of assessors, of two: as on these two's common items alone."""

import krippendorff
import numpy as np
import pytest

from core.agreement.base import COEFFICIENTS, PairCoefficient, PanelCoefficient
from core.agreement.coefficients import Kappa
from core.agreement.confusion import confusion_matrices
from core.agreement.of_two import OfTwo, of_two
from core.agreement.overall import measure_agreement
from core.agreement.pairs import agreement_by_pair
from core.agreement.ratings import ratings_from_labels
from core.agreement.topics import agreement_by_topic
from core.errors import BadInput
from tests.core.agreement.test_pairs import simulate
from tests.each import each

LEVELS = (0, 1, 2)
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
