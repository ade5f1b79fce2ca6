"""Tables as they are drawn: no zero below zero."""

import pandas as pd

from pages.shared.table import _clear_zeros


def test_nothing_is_drawn_as_a_zero_below_zero():
    table = pd.DataFrame({"leniency": [-0.0004, -0.0006, 0.0004, float("nan")], "n": [1, 2, 3, 4]})
    drawn = _clear_zeros(table)
    assert [f"{value:+.3f}" for value in drawn["leniency"][:3]] == ["+0.000", "-0.001", "+0.000"]
    assert drawn["leniency"].isna().tolist() == [False, False, False, True]
    assert drawn["n"].equals(table["n"])
    assert table["leniency"].iloc[0] == -0.0004
