"""Wins, losses, ties, shares, sign tests."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.stats.proportion import proportion_confint

from core.errors import BadInput, TooLittleData
from core.preference.outcomes import ALL_TIED, ONE_TOPIC, sign_test, tabulate_outcomes
from core.preference.pair_counts import count_pairs
from core.preference.selection import decided_preferences, preference_parts
from tests.core.agreement.leaving_out import limits_of_share
from tests.core.preference.simulated import preferences, simulate


@given(st.lists(st.tuples(st.integers(0, 400), st.integers(0, 400)), min_size=1))
def test_the_sign_test_is_the_exact_binomial(trials):
    won, lost = np.array(trials).T
    for p, one, other in zip(sign_test(won, lost), won, lost, strict=True):
        if one + other:
            assert p == pytest.approx(binomtest(int(one), int(one + other)).pvalue)
        else:
            assert np.isnan(p)


def test_documents_are_compared_within_their_topic():
    frame = preferences(
        *[
            ("1", "a", "b", choice, f"x{at}")
            for at, choice in enumerate(["first"] * 6 + ["tie"] * 2)
        ],
        *[
            ("1", "a", "b", "second", "y"),
            ("2", "a", "b", "tie", "x"),
            ("1", "a", "c", "second", "x"),
        ],
    )
    table = tabulate_outcomes(frame)
    columns = ["topic_id", "first", "second", "wins", "losses", "ties", "n", "won", "lost"]
    assert table[columns].values.tolist() == [
        ["1", "a", "b", 6, 1, 2, 9, 6, 1],
        ["1", "a", "c", 0, 1, 0, 1, 0, 1],
        ["2", "a", "b", 0, 0, 1, 1, 0, 0],
    ]
    assert table["share"].tolist() == pytest.approx([7 / 9, 0, 1 / 2])
    assert table["p"][0] == pytest.approx(2 * 8 / 128)
    assert np.isnan(table["p"][2])
    assert table["reason"].tolist() == ["", "", ALL_TIED]


def test_the_interval_within_a_topic_is_wilsons():
    frame = simulate(300, 5, 2, np.random.default_rng(0))
    for row in tabulate_outcomes(frame).to_dict("records"):
        gained = row["wins"] + row["ties"] / 2
        wanted = proportion_confint(gained, row["n"], method="wilson")
        assert (row["low"], row["high"]) == pytest.approx(wanted)
        assert (row["interval"], row["unit"], row["units"]) == ("wilson", "preference", row["n"])


def test_the_interval_over_topics_leaves_each_topic_out():
    frame = simulate(400, 3, 9, np.random.default_rng(1), kind="systems")
    for row in tabulate_outcomes(frame).to_dict("records"):
        own = frame[(frame["first"] == row["first"]) & (frame["second"] == row["second"])]
        worth = own["choice"].map({"first": 1, "tie": 0.5, "second": 0})
        without = [worth[own["topic_id"] != topic].mean() for topic in own["topic_id"].unique()]
        topics, sizes = len(without), own["topic_id"].value_counts().tolist()
        limits = limits_of_share(worth.mean(), without, sizes)
        assert [row["low"], row["high"]] == pytest.approx(limits)
        assert (row["interval"], row["unit"], row["units"]) == ("jackknife", "topic", topics)


def test_shares_over_topics_have_limits_in_0_to_1_or_a_reason():
    """A wins every topic, C ties with B in all, D and E met in one topic only."""
    rows = [
        (f"t{topic}", *pair, choice)
        for topic in range(4)
        for pair, choice in ((("A", "B"), "first"), (("B", "C"), "tie"))
    ]
    rows.append(("t0", "D", "E", "first"))
    table = tabulate_outcomes(preferences(*rows, kind="systems", facet="panel"))
    # Of four topics that all favour A, one in 1 − .025^(1/4) could favour B and be missed.
    assert (table["low"][0], table["high"][0]) == pytest.approx((0.025**0.25, 1))
    half = 0.025**0.25 / 2
    assert (table["low"][1], table["high"][1]) == pytest.approx((half, 1 - half))
    assert table["low"][2:].isna().all()
    assert table["reason"].tolist() == ["", ALL_TIED, ONE_TOPIC]


def test_systems_are_compared_over_topics_and_a_topic_is_one_trial():
    """Five judges a topic: A wins topics 1, 2 and 3, B topic 4; topic 5 is tied, so dropped."""
    choices = {
        "1": ["first"] * 5,
        "2": ["first"] * 3 + ["second"] * 2,
        "3": ["first", "tie", "tie", "tie", "tie"],
        "4": ["second"] * 4 + ["tie"],
        "5": ["first", "second", "tie", "tie", "tie"],
    }
    rows = [
        (topic, "A", "B", choice, f"x{at}")
        for topic, given in choices.items()
        for at, choice in enumerate(given)
    ]
    frame = preferences(*rows, ("1", "A", "C", "tie"), kind="systems", facet="panel")
    table = tabulate_outcomes(frame)
    assert table["topic_id"].tolist() == ["", ""]
    columns = ["wins", "losses", "ties", "won", "lost"]
    assert table[columns].values.tolist() == [[10, 7, 8, 3, 1], [0, 0, 1, 0, 0]]
    assert table["p"][0] == pytest.approx(binomtest(3, 4).pvalue)
    by_topic = tabulate_outcomes(frame, by_topic=True)
    assert by_topic["topic_id"].tolist() == ["1", "1", "2", "3", "4", "5"]
    assert by_topic[["wins", "losses"]].sum().tolist() == [10, 7]


def test_many_judges_of_few_topics_do_not_make_a_difference_significant():
    rows = [(topic, "A", "B", "first", f"x{at}") for topic in ("1", "2", "3") for at in range(100)]
    frame = preferences(*rows, kind="systems", facet="panel")
    assert tabulate_outcomes(frame)["p"].tolist() == [0.25]


def test_counts_over_topics_equal_a_plain_loop():
    frame = simulate(3000, 6, 20, np.random.default_rng(2), kind="systems")
    table = tabulate_outcomes(frame).set_index(["first", "second"])
    for pair, own in frame.groupby(["first", "second"]):
        signs = own["choice"].map({"first": 1, "tie": 0, "second": -1})
        majority = np.sign(signs.groupby(own["topic_id"]).sum())
        row = table.loc[pair]
        assert row["won"] == (majority > 0).sum()
        assert row["lost"] == (majority < 0).sum()
        assert [row["wins"], row["ties"]] == [(signs > 0).sum(), (signs == 0).sum()]


def test_only_first_occasions_in_state_level_count():
    frame = preferences(
        ("1", "a", "b", "first", "x", "a", 0, "level"),
        ("1", "a", "b", "second", "x", "b", 1, "level"),
        ("1", "a", "b", "", "y", "a", 0, "cannot judge"),
    )
    assert len(decided_preferences(frame)) == 1
    assert tabulate_outcomes(frame)[["wins", "n"]].values.tolist() == [[1, 1]]
    with pytest.raises(TooLittleData, match="nobody has given a preference"):
        count_pairs(frame[frame["occasion"] == 1])


def test_kinds_and_facets_are_not_mixed():
    frame = pd.concat([preferences(("1", "a", "b", "tie"), facet=f) for f in ("page", "snippet")])
    assert preference_parts(frame) == [("documents", "page"), ("documents", "snippet")]
    with pytest.raises(BadInput, match=r"documents \(page\), documents \(snippet\); choose one"):
        tabulate_outcomes(frame)
