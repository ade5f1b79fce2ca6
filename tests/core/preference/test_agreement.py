"""Agreement of assessors on preferences."""

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from core.errors import BadInput, TooLittleData
from core.preference.agreement import (
    preference_agreement,
    preference_agreement_by_pair,
    preference_matrices,
)
from tests.core.preference.simulated import preferences

CHOICES = np.array(["first", "tie", "second"])
EXCHANGED = {"first": "second", "second": "first", "tie": "tie"}


def two_assessors(rng, topics=30, pairs=4):
    """Return preferences of two who agree six times of ten or by chance, and both lists."""
    n = topics * pairs
    one = CHOICES[rng.integers(3, size=n)]
    other = np.where(rng.random(n) < 0.6, one, CHOICES[rng.integers(3, size=n)])
    rows = [
        (f"t{at // pairs:02}", f"d{at % pairs}", f"e{at % pairs}", choice, who)
        for who, choices in (("x", one), ("y", other))
        for at, choice in enumerate(choices)
    ]
    return preferences(*rows), one, other


def test_share_and_kappa_are_those_of_both_orientations():
    frame, one, other = two_assessors(np.random.default_rng(0))
    table = preference_agreement_by_pair(frame)
    values = table.set_index("coefficient")["value"]
    assert values["raw"] == pytest.approx((one == other).mean())
    turned = [[EXCHANGED[choice] for choice in side] for side in (one, other)]
    wanted = cohen_kappa_score([*one, *turned[0]], [*other, *turned[1]])
    assert values["kappa"] == pytest.approx(wanted)
    assert table["n"].tolist() == [120, 120]
    assert (table["low"] < table["value"]).all()
    assert (table["value"] < table["high"]).all()


def test_which_item_is_called_the_first_does_not_matter():
    frame, _, _ = two_assessors(np.random.default_rng(2))
    moved = frame["first"].isin(["d0", "d2"])
    turned = frame.assign(
        first=frame["second"].where(moved, frame["first"]),
        second=frame["first"].where(moved, frame["second"]),
        choice=frame["choice"].map(EXCHANGED).where(moved, frame["choice"]).astype("str"),
    )
    tables = [preference_agreement(each) for each in (frame, turned)]
    assert tables[0]["value"].tolist() == pytest.approx(tables[1]["value"].tolist())


def test_pairs_are_told_apart_by_both_items():
    frame = preferences(
        ("1", "a", "b", "first", "x"),
        ("1", "a", "c", "second", "y"),
        ("1", "a", "b", "first", "y"),
    )
    counts = preference_matrices(frame).by_pair().matrix("x", "y")
    assert counts.tolist() == [[0.5, 0, 0], [0, 0, 0], [0, 0, 0.5]]


def test_complete_agreement_pooled_over_three():
    rows = [
        (f"t{at}", "a", "b", choice, who)
        for at, choice in enumerate(["first", "second", "tie"] * 5)
        for who in "xyz"
    ]
    table = preference_agreement(preferences(*rows))
    assert table["value"].tolist() == [1, 1]
    # Fifteen topics without a difference: the share of those with one may be 1 − .025^(1/15).
    seldom = 1 - 0.025 ** (1 / 15)
    assert table.set_index("coefficient")["low"].to_dict() == pytest.approx(
        {"raw": 1 - seldom, "kappa": 1 - 2 * seldom}
    )
    assert table["high"].tolist() == [1, 1]
    assert table["pairs"].tolist() == [3, 3]


def test_one_assessor_or_one_twice_is_refused():
    with pytest.raises(TooLittleData, match="only x has"):
        preference_agreement(preferences(("1", "a", "b", "tie")))
    twice = preferences(("1", "a", "b", "tie"), ("1", "a", "b", "first"))
    with pytest.raises(BadInput, match="more than one label"):
        preference_agreement(twice)
