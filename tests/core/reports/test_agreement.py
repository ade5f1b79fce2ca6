"""Differences of agreement: counted before they are made, and refused where nobody reads them."""

import pandas as pd
import pytest

from core.agreement.coefficients import Kappa
from core.agreement.ratings import ratings_from_labels
from core.errors import BadInput
from core.reports import agreement
from core.reports.agreement import LabelAgreement


@pytest.fixture
def four() -> LabelAgreement:
    """Four assessors who have judged the same twelve items of three topics."""
    rows = [
        (f"a{person}", f"t{item % 3}", f"d{item}", (item * (person + 2)) % 3)
        for person in range(4)
        for item in range(12)
    ]
    labels = pd.DataFrame(rows, columns=["assessor_id", "topic_id", "document_id", "level"])
    labels = labels.assign(facet="page", state="level", engine="", occasion=0)
    return LabelAgreement(ratings_from_labels(labels, "page", [0, 1, 2]))


def grouped(found: LabelAgreement) -> LabelAgreement:
    """Return the same with each assessor in a group of one's own."""
    return LabelAgreement(found.ratings, {name: name for name in found.ratings.assessors})


def test_their_number_is_known_before(four):
    assert four.count_differences() == len(four.differences([Kappa("linear")])) == 15
    groups = grouped(four)
    assert groups.count_differences() == len(groups.differences([Kappa("linear")])) == 15


def test_too_many_are_refused_with_their_number(four, monkeypatch):
    monkeypatch.setattr(agreement, "MOST_DIFFERENCES", 14)
    with pytest.raises(
        BadInput, match=r"two of 6 pairs of assessors are 15 .* at most 14 .* the a"
    ):
        four.differences([Kappa("linear")])
    with pytest.raises(BadInput, match=r"two of 6 pairs of groups are 15 .*; have fewer groups"):
        grouped(four).differences([Kappa("linear")])
