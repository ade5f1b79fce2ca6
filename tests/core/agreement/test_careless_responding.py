"""Signs of careless responding: counted by hand, undefined where nothing is known."""

import numpy as np
import pandas as pd
import pytest

from core.agreement.careless_responding import FAST_MS, NEAR, careless_responding


def frame(*rows: tuple) -> pd.DataFrame:
    """Return paradata of pages: assessor, shown_ms, dwell_ms, place, x, y."""
    columns = ["assessor_id", "shown_ms", "dwell_ms", "place", "x", "y"]
    table = pd.DataFrame(rows, columns=columns)
    item = [f"d{n}" for n in range(len(table))]
    return table.assign(
        topic_id="t1",
        document_id=item,
        engine="",
        facet="page",
        occasion=0,
        state="level",
        sequence=range(1, len(table) + 1),
    ).astype(dict.fromkeys(("shown_ms", "place", "x", "y"), "float64"))


def counted(table: pd.DataFrame, facet: str = "page") -> dict[str, list[float]]:
    rows = careless_responding(table, facet)
    return {row[0]: list(row[1:]) for row in rows.itertuples(index=False)}


def test_it_is_counted_for_each_assessor_in_the_order_of_judging():
    table = frame(
        ("anna", 300, 300, 0, 100, 900),
        ("bob", 5_000, 4_000, 0, None, None),
        ("anna", FAST_MS - 1, 900, 0, 100 + NEAR, 900 - NEAR),
        ("bob", 4_000, 4_000, 2, None, None),
        ("anna", FAST_MS, 900, 1, 100, 901),
        ("anna", 200, 200, 1, 100, 901),
        ("anna", 200, 200, 1, 101, 900),
    )
    assert counted(table) == {
        "anna": [5, pytest.approx(4 / 5), 3, 3 / 4],
        "bob": [2, 0.0, 1, pytest.approx(np.nan, nan_ok=True)],
    }
    farther = table.assign(x=table["x"].where(table["sequence"] != 3, 101 + NEAR))
    assert counted(farther)["anna"][3] == pytest.approx(2 / 4)


def test_a_label_seen_before_for_longer_is_not_fast():
    """A second look at what was read before may be short."""
    assert counted(frame(("anna", 200, 9_000, 0, None, None)))["anna"][1] == 0
    assert counted(frame(("anna", 9_000, 200, 0, None, None)))["anna"][1] == 0


def test_runs_do_not_go_on_from_one_assessor_to_the_next():
    rows = [(name, 2_000, 2_000, 1, 5, 5) for name in ("anna", "anna", "bob", "bob")]
    assert [one[2] for one in counted(frame(*rows)).values()] == [2, 2]
    assert [one[3] for one in counted(frame(*rows)).values()] == [1, 1]


def test_what_is_not_known_is_undefined():
    (row,) = counted(frame(("anna", None, 0, None, None, None))).values()
    assert (row[0], row[2]) == (1, 0)
    assert np.isnan([row[1], row[3]]).all()
    (once,) = counted(frame(("anna", None, 0, 0, 7, 7))).values()
    assert np.isnan(once[3])


def test_only_first_occasions_of_levels_of_the_facet_count():
    table = frame(*4 * [("anna", 100, 100, 0, None, None)])
    table.loc[1, "occasion"] = 1
    table.loc[2, "state"] = "cannot judge"
    table.loc[3, "facet"] = "snippet"
    assert counted(table)["anna"][0] == 1
    assert counted(table, "snippet")["anna"][0] == 1
    assert counted(frame()) == {}
