"""Who drifts, among how many who do not."""

import numpy as np
import pandas as pd

from core.agreement.drifting import find_drifting
from tests.short import long


def parts(**people) -> pd.DataFrame:
    rows = [
        (name, part, value)
        for name, values in people.items()
        for part, value in enumerate(values, start=1)
    ]
    return pd.DataFrame(rows, columns=["assessor_id", "part", "leniency"])


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
