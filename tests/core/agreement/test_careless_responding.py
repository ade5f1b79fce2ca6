"""Signs of careless responding: counted by hand, undefined where nothing is known."""

import numpy as np
import pandas as pd
import pytest

from core.agreement.assessor_null import deal
from core.agreement.careless_responding import (
    FAST_MS,
    NEAR,
    careless_by_chance,
    careless_responding,
)


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


def judge(rng: np.random.Generator, place: np.ndarray, name: str, shown: float) -> pd.DataFrame:
    """Return what is noted of one assessor's answers to items in a row."""
    size = len(place)
    ms, spot = shown * np.exp(rng.normal(size=size)), rng.integers(0, 900, (size, 2))
    rows = [(name, ms[n], ms[n], place[n], *spot[n]) for n in range(size)]
    return frame(*rows)


def test_clear_items_make_nobody_careless_and_who_clicks_through_is_found():
    """One button answers the first thirty items, for everybody; one person has read none."""
    rng = np.random.default_rng(1)
    clear = np.arange(60) < 30

    def answer() -> np.ndarray:
        return np.where(clear, 0, rng.integers(0, 4, 60))

    honest = [judge(rng, answer(), name, 9_000) for name in "abcde"]
    assert careless_responding(pd.concat(honest), "page")["longest_run"].min() >= 30
    found = careless_by_chance(pd.concat(honest), "page", 99)
    assert found.groupby("finding").size().to_dict() == {
        "fast": 5, "longest_run": 5, "same_spot": 5,
    }  # fmt: skip
    assert found["p"].min() > 0.05
    clicking = judge(rng, np.zeros(60), "z", 400).assign(x=5.0, y=5.0)
    table = pd.concat([*honest, clicking])
    found = careless_by_chance(table, "page", 99)
    beyond = found[found["p"] < 0.05]
    assert set(zip(beyond["assessor_id"], beyond["finding"], strict=True)) == {
        ("z", "fast"), ("z", "longest_run"), ("z", "same_spot"),
    }  # fmt: skip
    own = found[found["assessor_id"] == "z"].set_index("finding")
    counted = careless_responding(table, "page").set_index("assessor_id").loc["z"]
    assert own["value"].to_dict() == counted[["fast", "longest_run", "same_spot"]].to_dict()
    assert (own["items_high"] < own["value"]).all()
    noted = ["shown_ms", "dwell_ms", "place", "x", "y"]
    item = pd.factorize(table["document_id"])[0]
    (at,) = deal(item, 1, rng)
    dealt = table.assign(**{name: table[name].to_numpy()[at] for name in noted})
    assert careless_by_chance(dealt, "page")["p"].min() > 0.05


def test_alone_on_all_items_nobody_is_beyond_anybody():
    rng = np.random.default_rng(2)
    found = careless_by_chance(judge(rng, np.zeros(30), "a", 300), "page", 19)
    assert (found["p"] == 1).all()
    assert careless_by_chance(frame(), "page").empty
