"""Who drifts, among how many who do not."""

import numpy as np
import pandas as pd

from core.agreement.drifting import find_drifting, try_drift
from tests.short import long


def parts(spread: float = 0.1, **people) -> pd.DataFrame:
    """Return tenths of ten labels each, with the spread of each label in its tenth."""
    rows = [
        (name, part, value, 10, spread)
        for name, values in people.items()
        for part, value in enumerate(values, start=1)
    ]
    return pd.DataFrame(rows, columns=["assessor_id", "part", "leniency", "common", "spread"])


def test_a_steady_rise_is_found_with_its_size():
    rng = np.random.default_rng(1)
    noise = rng.normal(0, 0.05, (2, 10))
    found = find_drifting(parts(rises=np.linspace(0, 0.9, 10) + noise[0], stays=noise[1]))
    assert found["assessor_id"].tolist() == ["rises"]
    assert abs(found["change"].iloc[0] - 0.9) < 0.1
    assert found["p"].iloc[0] < 0.001


def test_a_perfect_line_has_p_0_and_a_flat_one_does_not_drift():
    found = find_drifting(parts(falls=np.linspace(0, -0.45, 10), flat=np.zeros(10)))
    assert found["assessor_id"].tolist() == ["falls"]
    assert found["change"].round(9).tolist() == [-0.45]
    assert found["p"].tolist() == [0]


def test_a_small_change_is_none_however_sure():
    assert find_drifting(parts(creeps=np.linspace(0, 0.2, 10))).empty


def test_parts_without_others_are_left_out_and_few_tell_nothing():
    line = np.where(np.arange(10) < 4, np.linspace(0, 1, 10), np.nan)
    assert find_drifting(parts(alone=line)).empty
    assert find_drifting(parts()).empty


@long
def test_among_many_who_stay_hardly_anybody_is_found():
    rng = np.random.default_rng(2)
    runs = [
        len(find_drifting(parts(**{str(n): rng.normal(0, 1, 10) for n in range(100)}))) > 0
        for _ in range(60)
    ]
    assert np.mean(runs) <= 0.12


def test_a_line_that_any_order_of_the_labels_gives_is_none():
    """Tenths lie on a line by luck: single labels are far wider apart than they move."""
    rising = np.linspace(0, 0.9, 10)
    assert find_drifting(parts(0.5, rises=rising))["assessor_id"].tolist() == ["rises"]
    loose = parts(3.0, rises=rising)
    assert find_drifting(loose).empty
    (row,) = try_drift(loose).to_dict("records")
    assert row["p"] == 0
    assert row["chance_p"] > 0.05
    assert row["low"] < row["change"] < row["high"]


def test_limits_in_any_order_are_those_of_orders_that_are_drawn():
    rng = np.random.default_rng(4)
    labels = rng.integers(-2, 4, 47).astype(float)
    tenth = np.arange(47) * 10 // 47 + 1

    def cut(values: np.ndarray) -> pd.DataFrame:
        own = pd.DataFrame({"assessor_id": "a", "part": tenth, "value": values})
        by = own.groupby(["assessor_id", "part"])["value"]
        return by.agg(
            common="count", leniency="mean", spread=lambda one: one.std(ddof=0)
        ).reset_index()

    drawn = [try_drift(cut(rng.permutation(labels)))["change"][0] for _ in range(1_500)]
    (row,) = try_drift(cut(labels)).to_dict("records")
    assert row["high"] == -row["low"]
    assert abs(row["high"] / 1.96 / np.std(drawn) - 1) < 0.06
