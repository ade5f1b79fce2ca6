"""Systems under several conditions: orders, power and overlap, recounted independently."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau

from core.comparison.choices import DEFAULT, MODERATED
from core.comparison.conditions import (
    HELD,
    compare_conditions,
    examine_condition,
    tell_many_pairs,
    tell_skewed,
    tell_unseen_gains,
)
from core.comparison.significance_test import SignificanceTest
from core.comparison.verdict import reach_verdict
from core.errors import BadInput
from tests.each import each

TRIAL = SignificanceTest(samples=500)


def scores(values, systems="abc", judged=1.0) -> pd.DataFrame:
    """Scores by topic (rows) and system (columns)."""
    return pd.DataFrame(
        [
            {"system": name, "topic_id": f"t{n}", "value": float(value), "judged": judged}
            for n, row in enumerate(values)
            for name, value in zip(systems, row, strict=True)
        ]
    )


def steps(order: str, topics: int = 12, seed: int = 0) -> pd.DataFrame:
    """Scores that put the systems in this order, clearly apart."""
    noise = np.random.default_rng(seed).normal(0, 0.01, (topics, len(order)))
    base = {name: 0.9 - 0.2 * place for place, name in enumerate(order)}
    names = "".join(sorted(order))
    return scores(noise + [base[name] for name in names], names)


def examine(trial: SignificanceTest = TRIAL, **named: pd.DataFrame):
    return [examine_condition(name, frame, trial) for name, frame in named.items()]


def test_a_condition_keeps_its_scores_and_starts_from_the_seed():
    first, second = examine(x=steps("abc"), y=steps("abc"))
    assert first.name == "x"
    assert len(first.scores) == 36
    pd.testing.assert_frame_equal(first.pairs, second.pairs)


def test_one_topic_cannot_be_tested_and_the_reason_is_kept():
    (one,) = examine(x=scores([[0.1, 0.2, 0.3]]))
    assert one.matrix is None
    assert one.pairs.empty
    assert "two topics" in one.reason


def test_progress_is_told_and_can_end_the_work():
    told = []
    examine_condition("x", steps("abc"), TRIAL, told.append)
    assert told[-1] == 1

    def stop(share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        examine_condition("x", steps("abc"), TRIAL, stop)


def test_orders_are_compared_with_their_moves():
    found = compare_conditions(examine(x=steps("abcdef"), y=steps("fabcde"), z=steps("abcdef")))
    orders = found.orders.set_index(["first", "second"])
    assert list(orders.index) == [("x", "y"), ("x", "z"), ("y", "z")]
    moved = orders.loc["x", "y"]
    assert moved["tau"] == pytest.approx(kendalltau([1, 2, 3, 4, 5, 6], [2, 3, 4, 5, 6, 1])[0])
    assert (moved["far"], moved["largest"], moved["mover"]) == (1, 5, "f")
    assert (moved["best_first"], moved["best_second"]) == ("a", "f")
    same = orders.loc["x", "z"]
    assert (same["far"], same["largest"], same["mover"]) == (0, 0, "")
    assert not same["differ"]
    assert (same["unit"], same["units"], same["interval"]) == ("topic", 12, "bootstrap")


def test_orders_differ_where_chance_hardly_ever_gives_so_low_a_tau():
    many = "abcdefghijklmnop"
    conditions = examine(x=steps(many), y=steps(many[::-1]), z=steps(many, seed=5))
    orders = compare_conditions(conditions).orders
    assert orders["differ"].tolist() == [True, False, True]
    assert (orders["p"] < 0.05).tolist() == [True, False, True]
    assert orders["shown_below"].between(-1, 1).all()
    assert "equivalent" not in orders
    sakai = compare_conditions(conditions, tau_unit="hollander-wolfe").orders
    assert sakai["equivalent"].tolist() == [False, True, False]
    assert sakai["equivalent"].tolist() == (sakai["high"] >= 1).tolist()
    assert (sakai["unit"] == "system").all()
    assert (sakai["units"] == 16).all()


@each("unit", ["topic", "system", "hollander-wolfe"])
def test_nothing_is_said_of_orders_that_are_all_ties(unit):
    tied = scores([[0.5, 0.5], [0.5, 0.5]], "ab")
    found = compare_conditions(examine(x=tied, y=steps("ab")), tau_unit=unit).orders
    assert np.isnan(found.loc[0, ["tau", "low", "high", "p", "shown_below"]].astype(float)).all()
    assert found["differ"].isna().all()
    assert found.loc[0, "limit_reason"]


def test_assessors_are_drawn_with_the_topics_they_judged():
    judges = {f"t{n}": [f"a{n % 4}"] for n in range(12)}
    conditions = [
        replace(one, judges=judges) for one in examine(x=steps("abcd"), y=steps("bacd", seed=3))
    ]
    for unit in ("assessor", "both"):
        (row,) = compare_conditions(conditions, tau_unit=unit).orders.to_dict("records")
        assert (row["unit"], row["units"], row["limit_reason"]) == (unit, 4, "")
        assert -1 <= row["low"] <= row["tau"] <= row["high"] <= 1
    unknown = compare_conditions(examine(x=steps("ab"), y=steps("ab")), tau_unit="assessor").orders
    assert "not known" in unknown.loc[0, "limit_reason"]
    assert np.isnan(unknown.loc[0, "low"])
    with pytest.raises(BadInput, match="none of topic, assessor"):
        compare_conditions(conditions, tau_unit="luck")


def test_p_may_be_corrected_for_the_number_of_conditions():
    frames = {"x": steps("abc"), "y": steps("abc", seed=1), "z": steps("acb", seed=2)}
    alone = compare_conditions(examine(**frames), TRIAL)
    over = replace(TRIAL, over_conditions=True)
    together = compare_conditions(examine(over, **frames), over)
    for one, other in zip(alone.conditions, together.conditions, strict=True):
        np.testing.assert_allclose(other.pairs["p"], np.minimum(3 * one.pairs["p"], 1))
    assert together.power["least_p"].tolist() == [pytest.approx(3 / 501)] * 3
    assert "not for the 3 conditions" in alone.correction
    assert "and for the 3 conditions, by Bonferroni's" in together.correction


def test_a_test_that_can_find_nothing_says_so():
    """Four topics have 8 exchanges: no p below 1/8."""
    found = compare_conditions(examine(x=steps("abc", topics=4), y=steps("abc")))
    power = found.power.set_index("condition")
    assert power["significant"].isna().tolist() == [True, False]
    assert power.loc["x", "least_p"] == 1 / 8
    assert "no p below 0.125" in power.loc["x", "reason"]
    assert found.overlap.empty


def test_significant_pairs_are_counted_by_direction():
    frames = {"x": steps("abcd"), "y": steps("abdc"), "z": steps("abcd", seed=5)}
    found = compare_conditions(examine(SignificanceTest("t"), **frames))
    overlap = found.overlap.set_index(["first", "second"])
    assert overlap.loc[("x", "y"), "text"] == "1/5/1 (71.4%)"
    assert overlap.loc[("x", "y"), "turned"] == 1
    assert overlap.loc[("x", "z"), "text"] == "0/6/0 (100.0%)"
    assert overlap.loc[("x", "z"), "turned"] == 0
    assert found.everywhere == 5
    power = found.power.set_index("condition")
    assert power["significant"].tolist() == [6, 6, 6]
    assert power["pairs"].tolist() == [6, 6, 6]
    assert power["only_here"].tolist() == [0, 1, 0]
    assert power["topics"].tolist() == [12, 12, 12]


def test_counts_equal_those_of_sets_on_noisy_scores():
    """Oracle: sets of (better, worse) built here from the pairs themselves."""
    rng = np.random.default_rng(3)
    systems = "abcdefgh"
    worth = np.linspace(0, 0.6, 8)
    frames = {
        name: scores(np.clip(worth + rng.normal(0, 0.35, (25, 8)), -9, 9), systems)
        for name in ("x", "y", "z")
    }
    conditions = examine(SignificanceTest("t", "none"), **frames)
    found = compare_conditions(conditions, SignificanceTest("t", "none", alpha=0.1))
    won = {}
    for one in conditions:
        clear = one.pairs[one.pairs["p"] < 0.1]
        won[one.name] = {
            (row.first, row.second) if row.difference > 0 else (row.second, row.first)
            for row in clear.itertuples()
        }
    for row in found.overlap.itertuples():
        first, second = won[row.first], won[row.second]
        assert row.only_first == len(first - second)
        assert row.both == len(first & second)
        assert row.only_second == len(second - first)
        assert row.share == pytest.approx(len(first & second) / len(first | second))
    for row in found.power.itertuples():
        others = set().union(*(wins for name, wins in won.items() if name != row.condition))
        assert row.only_here == len(won[row.condition] - others)
    assert found.everywhere == len(won["x"] & won["y"] & won["z"])
    assert 0 < found.everywhere < min(map(len, won.values()))


def test_a_condition_that_cannot_be_tested_is_in_the_orders_only():
    found = compare_conditions(examine(x=steps("abc"), y=scores([[0.3, 0.2, 0.1]]), z=steps("bac")))
    assert len(found.orders) == 3
    assert found.overlap[["first", "second"]].values.tolist() == [["x", "z"]]
    power = found.power.set_index("condition")
    assert power["significant"].isna().tolist() == [False, True, False]
    assert "two topics" in power.loc["y", "reason"]


def test_nothing_tested_and_a_single_condition():
    none = compare_conditions(examine(x=scores([[1, 0, 0]])))
    assert none.everywhere == 0
    assert none.overlap.empty
    assert none.orders.empty
    one = compare_conditions(examine(SignificanceTest("t"), x=steps("abc")))
    assert one.power["only_here"].tolist() == [0]
    assert one.everywhere == 3


def test_what_cannot_be_compared_is_refused():
    with pytest.raises(BadInput, match="nothing to compare"):
        compare_conditions([])
    twice = [*examine(x=steps("abc")), *examine(x=steps("abc"))]
    with pytest.raises(BadInput, match="same name"):
        compare_conditions(twice)
    with pytest.raises(BadInput, match="do not score the same systems"):
        compare_conditions(examine(x=steps("abc"), y=steps("abd")))
    (one,) = examine(x=steps("abc").iloc[:0])
    with pytest.raises(BadInput, match="x: there are no scores"):
        compare_conditions([one])


def test_settings_are_those_that_the_test_heeds():
    assert SignificanceTest().settings == {
        "test": "single-step",
        "permutations": 10_000,
        "seed": 1,
        "over_conditions": False,
        "alpha": 0.05,
    }
    assert (
        str(SignificanceTest()) == "single-step randomised max-t test, B = 10,000, seed 1, α = 0.05"
    )
    assert SignificanceTest("t", "bonferroni").settings == {
        "test": "t", "correction": "bonferroni", "over_conditions": False, "alpha": 0.05
    }  # fmt: skip
    assert str(SignificanceTest("parametric", over_conditions=True)) == (
        "two-way Tukey HSD, p times the number of conditions, α = 0.05"
    )
    assert (
        str(SignificanceTest("t", "none", alpha=0.01)) == "paired t test, p not corrected, α = 0.01"
    )
    assert str(SignificanceTest("randomisation", samples=99)) == (
        "paired randomisation test, p after Holm, B = 99, seed 1, α = 0.05"
    )
    assert str(SignificanceTest("parametric")) == "two-way Tukey HSD, α = 0.05"


@each(
    "wrong", [{"test": "luck"}, {"correction": "luck"}, {"samples": 0}, {"alpha": 0}, {"alpha": 1}]
)
def test_impossible_settings_are_refused(wrong):
    with pytest.raises(BadInput) as error:
        SignificanceTest(**wrong)
    assert error.value.field == next(iter(wrong))


def test_every_pair_is_compared_once():
    found = compare_conditions(examine(**{name: steps("abc") for name in "vwxyz"}))
    assert list(zip(found.orders["first"], found.orders["second"], strict=True)) == list(
        combinations("vwxyz", 2)
    )


def test_limits_of_tau_stay_within_its_range_and_sakais_rule_stands():
    """One swap of six: by the asymptotic variance the upper limit would be 1.236."""
    conditions = examine(x=steps("abcdef"), y=steps("bacdef", seed=1))
    (pair,) = compare_conditions(conditions, tau_unit="hollander-wolfe").orders.to_dict("records")
    assert -1 <= pair["low"] < pair["tau"] < pair["high"] == 1
    assert pair["equivalent"]
    back = examine(x=steps("abcdef"), y=steps("fedcab", seed=1))
    (turned,) = compare_conditions(back, tau_unit="hollander-wolfe").orders.to_dict("records")
    assert -1 == turned["low"] < turned["tau"]
    assert not turned["equivalent"]


def test_samples_that_were_raised_are_told():
    asked = replace(TRIAL, samples=20)
    raised = compare_conditions(examine(x=steps("abcdef")), asked)
    assert raised.made == TRIAL
    assert raised.correction.endswith("B was raised from 20, with which nothing could be found.")
    plain = compare_conditions(examine(x=steps("abc")), TRIAL)
    assert plain.correction == TRIAL.explain(3, 1)


def test_a_significant_difference_that_few_topics_make_is_noted():
    """Thirty topics, on two of which b gains much more than on the others."""
    rng = np.random.default_rng(8)
    values = np.array([0.5, 0.52, 0.5]) + rng.normal(0, 0.01, (30, 3))
    values[:2, 1] += 0.3
    skewed = scores(values)
    (one,) = examine(x=skewed)
    assert (one.pairs["p"] < 0.05).sum() == 2
    note = tell_skewed(one)
    assert note.startswith("x: a few topics make most of the difference between b and ")
    assert "(and of 1 more pairs)" in note
    assert "randomised max-t test errs more often than α; the test 'bootstrap'" in note
    (by_bootstrap,) = examine(SignificanceTest("bootstrap", samples=500), x=skewed)
    assert tell_skewed(by_bootstrap) == ""
    # Without skewness, or where nothing is significant, there is nothing to say.
    (even,) = examine(x=steps("abc"))
    assert (even.pairs["p"] < 0.05).any()
    assert tell_skewed(even) == ""
    (unclear,) = examine(x=scores(values - [0, 0.03, 0]))
    assert not (unclear.pairs["p"] < 0.05).any()
    assert tell_skewed(unclear) == ""
    (short,) = examine(x=scores([[0.1, 0.2, 0.3]]))
    assert tell_skewed(short) == ""


def test_a_p_over_conditions_has_no_limits():
    test = SignificanceTest(samples=500, over_conditions=True)
    found = compare_conditions(examine(test, x=steps("abc"), y=steps("abc")), test)
    for one in found.conditions:
        assert one.pairs["low"].isna().all()
        assert one.pairs["reason"].str.contains("corrected for the conditions").all()
    (alone,) = compare_conditions(examine(test, x=steps("abc")), test).conditions
    assert alone.pairs["low"].notna().all()


SYSTEMS = "abcdefghijkl"


def test_limits_of_very_many_differences_on_few_topics_are_noted():
    rng = np.random.default_rng(3)
    values = rng.random((20, 12))
    (one,) = examine(x=scores(values, SYSTEMS))
    note = tell_many_pairs(one)
    assert note.startswith("x: limits of 66 differences at once, on 20 topics, may hold less often")
    assert "no sentence rests on them" in note
    assert f"max-t test held in {HELD[DEFAULT]}; those of the test 'moderated' in" in note
    (fewer,) = examine(x=scores(values[:19, :3]))
    assert tell_many_pairs(fewer).startswith("x: limits of 3 differences at once, on 19 topics")
    # Who has taken the test that holds more often is told of its own limits.
    (moderated,) = examine(SignificanceTest("moderated", samples=199), x=scores(values, SYSTEMS))
    own = tell_many_pairs(moderated)
    assert f"those of this test held in {HELD[MODERATED]}; p" in own
    assert "max-t" not in own


def test_limits_of_few_differences_or_on_many_topics_need_no_note():
    rng = np.random.default_rng(3)
    values = rng.random((101, 12))
    asked = SignificanceTest(samples=199)
    (two,) = examine(asked, x=scores(values[:20, :2], "ab"))
    (long,) = examine(asked, x=scores(values[:51, :9], SYSTEMS[:9]))
    (longer,) = examine(asked, x=scores(values, SYSTEMS))
    # Of a step-down test there are no limits, and so nothing to say of them.
    few = scores(values[:20], SYSTEMS)
    (without,) = examine(SignificanceTest("max-t", samples=199), x=few)
    (short,) = examine(x=scores([[0.1, 0.2, 0.3]]))
    # Those of a test without a correction are for each pair by itself.
    (alone,) = examine(SignificanceTest("t", "none"), x=few)
    (corrected,) = examine(SignificanceTest("t", "bonferroni"), x=few)
    told = [tell_many_pairs(one) for one in (two, long, longer, without, short, alone)]
    assert told == [""] * 6
    assert tell_many_pairs(corrected).startswith("x: limits of 66 differences at once")


def test_no_sentence_rests_on_limits_of_differences():
    rng = np.random.default_rng(3)
    conditions = examine(
        x=scores(rng.random((20, 12)) + np.linspace(0, 1, 12), SYSTEMS),
        y=scores(rng.random((20, 12)), SYSTEMS),
    )
    hidden = [replace(one, pairs=one.pairs.assign(low=np.nan, high=np.nan)) for one in conditions]
    for told, bare in ((conditions, hidden), (conditions[:1], hidden[:1])):
        assert all(tell_many_pairs(one) for one in told)
        verdicts = [reach_verdict(compare_conditions(one, TRIAL)) for one in (told, bare)]
        assert verdicts[0] == verdicts[1]


def test_few_topics_may_not_show_a_system_that_gains_rarely():
    rng = np.random.default_rng(4)
    values = rng.random((11, 3))
    (ten,) = examine(x=scores(values[:10]))
    (eleven,) = examine(y=scores(values))
    (one_topic,) = examine(z=scores(values[:1]))
    assert tell_unseen_gains([ten]) == tell_unseen_gains([eleven, ten])
    assert "may be unseen on 10 topics" in tell_unseen_gains([ten])
    assert " 35 of 100 such studies" in tell_unseen_gains([ten])
    (six,) = examine(SignificanceTest("bootstrap", samples=99), x=scores(values[:6]))
    assert " 53 of 100 such studies" in tell_unseen_gains([ten, six])
    # Of more topics, or where nothing was tested, there is nothing to say.
    assert tell_unseen_gains([eleven]) == tell_unseen_gains([one_topic]) == ""
    assert tell_unseen_gains([]) == ""
