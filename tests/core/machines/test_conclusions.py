"""Orders and significant differences under other judgements than people's."""

import numpy as np
import pandas as pd
import pytest

from core.comparison.conditions import Condition, examine_condition
from core.comparison.significance_test import SignificanceTest
from core.comparison.tau_limits import SystemRanking, observe
from core.comparison.top_weighted import tau_ap
from core.machines.conclusions import (
    CHANGES,
    compare_differences,
    correlate_orders,
    count_changes,
    try_orders,
)

TEST = SignificanceTest("t", "none")


def examine(name: str, values, topics: int | None = None) -> Condition:
    """Return a condition of systems a, b, … whose scores are by topic and system."""
    rows = [
        (system, f"t{topic:02}", float(value), 1.0)
        for topic, row in enumerate(np.asarray(values)[:topics])
        for system, value in zip("abcdefghijkl", row, strict=False)
    ]
    frame = pd.DataFrame(rows, columns=["system", "topic_id", "value", "judged"])
    return examine_condition(name, frame, TEST)


def scores(means: list[float], spread: float = 0.02, seed: int = 0) -> np.ndarray:
    noise = np.random.default_rng(seed).normal(0, spread, (12, len(means)))
    return np.array(means) + noise


PEOPLE = examine("people", scores([0.6, 0.5, 0.4, 0.39]))
MACHINE = examine("m", scores([0.6, 0.7, 0.6, 0.2], seed=1))


def test_a_row_for_each_coefficient_with_limits_over_topics():
    frame = correlate_orders(PEOPLE, [MACHINE], bests=(9, 3, 2, 1))
    assert frame["coefficient"].tolist() == ["tau", "tau_ap", "tau_top", "tau_top"]
    assert frame["best"].tolist()[2:] == [2, 3]
    assert frame["best"].isna().tolist() == [True, True, False, False]
    assert frame["systems"].tolist() == [4, 4, 2, 3]
    means = [one.scores.groupby("system")["value"].mean().to_numpy() for one in (PEOPLE, MACHINE)]
    assert frame["value"].tolist() == pytest.approx([1 / 3, tau_ap(*means), -1, -1 / 3])
    assert observe(SystemRanking(PEOPLE.matrix), SystemRanking(MACHINE.matrix)) == frame["value"][0]
    assert (frame["low"] <= frame["value"]).all()
    assert (frame["value"] <= frame["high"]).all()
    assert (frame["low"] < frame["high"]).all()
    assert set(frame["interval"] + frame["unit"]) == {"bootstraptopic"}
    assert set(frame["units"]) == {12}
    assert set(frame["reason"]) == {""}


def test_one_topic_gives_a_reason_and_no_number():
    one = examine("m", scores([0.6, 0.7, 0.5, 0.4]), topics=1)
    frame = correlate_orders(PEOPLE, [one])
    assert frame["value"].isna().all()
    assert frame["reason"].str.contains("two topics").all()
    tests = try_orders(PEOPLE, [one])
    assert tests["p"].isna().all()
    assert tests["differ"].isna().all()
    assert tests["reason"].str.contains("two topics").all()
    assert compare_differences(PEOPLE, [one]).empty
    counts = count_changes(PEOPLE, [one]).iloc[0]
    assert counts[list(CHANGES)].isna().all()
    assert "two topics" in counts["reason"]


def test_orders_that_turn_are_shown_to_differ_and_the_same_are_not():
    turned = examine("turned", scores([0.3, 0.4, 0.5, 0.6], seed=2))
    tests = try_orders(PEOPLE, [PEOPLE, turned])
    assert tests["source"].tolist() == ["people", "turned"]
    assert tests["differ"].tolist() == [False, True]
    assert tests["p"][1] < 0.05 < tests["p"][0]


def test_differences_are_kept_vanish_appear_and_turn():
    frame = compare_differences(PEOPLE, [MACHINE]).set_index(["first", "second"])
    assert frame["change"].to_dict() == {
        ("a", "b"): "turned",
        ("a", "c"): "vanished",
        ("a", "d"): "kept",
        ("b", "c"): "kept",
        ("b", "d"): "kept",
        ("c", "d"): "appeared",
    }
    assert (frame["difference_people"] > 0).all()
    assert frame.loc[("a", "b"), "difference"] == pytest.approx(-0.1, abs=0.03)
    assert frame.loc[("a", "b"), "difference_people"] == pytest.approx(0.1, abs=0.03)
    counts = count_changes(PEOPLE, [MACHINE]).iloc[0]
    assert counts[list(CHANGES)].tolist() == [3, 1, 1, 1, 0]
    # The turned one counts on either side.
    assert counts["share"] == pytest.approx(3 / 7)
    assert (counts["pairs"], counts["reason"]) == (6, "")


def test_where_nothing_is_significant_there_is_no_share():
    same = examine("same", scores([0.5, 0.5, 0.5], spread=0.1, seed=3))
    counts = count_changes(same, [same]).iloc[0]
    assert counts["neither"] == 3
    assert np.isnan(counts["share"])
    assert counts["reason"] == "no difference is significant under either"


def test_topics_that_allow_no_small_p_are_named():
    few = SignificanceTest("randomisation", "none")
    frame = PEOPLE.scores[PEOPLE.scores["topic_id"] < "t03"]
    one = examine_condition("few", frame, few)
    counts = count_changes(one, [one]).iloc[0]
    assert counts["reason"] == "3 topics allow no p below 0.25"
    assert counts[list(CHANGES)].isna().all()
