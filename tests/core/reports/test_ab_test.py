"""What an A/B test's log says in words: in which state a sentence is said, and in which not."""

import numpy as np
import pandas as pd
import pytest

import dissent
from core.errors import BadInput, TooLittleData
from core.interleaving.ab_test import compare_arms
from core.reports.ab_test import MISLEADS, ABQuestion, ABTest
from core.wording import drop_marks


def write_log(users=(200, 200), lead=0.0, before=False, seed=1) -> pd.DataFrame:
    """Users with up to four visits each, of whom those of B find ``lead`` more."""
    rng = np.random.default_rng(seed)
    rows = []
    for arm, number in zip("AB", users, strict=True):
        for at in range(number):
            own = rng.normal(1, 1)
            for _ in range(rng.integers(1, 5)):
                outcome = own + lead * (arm == "B") + rng.normal()
                rows.append((f"{arm}{at}", arm, outcome, own if before else np.nan))
    return pd.DataFrame(rows, columns=["user", "arm", "outcome", "before"])


def test_a_difference_is_told_with_its_users():
    found = ABTest(write_log(lead=1.0))
    answer = drop_marks(found.answer)
    assert answer.startswith("The outcome of a visit is higher in B than in A: ")
    assert "over 400 users. So many users find a difference of 0." in answer
    turned = drop_marks(ABTest(write_log(lead=1.0), ABQuestion("B")).answer)
    assert turned.startswith("The outcome of a visit is lower in A than in B: ")
    interval = found.describe_interval("difference", found.difference.iloc[0])
    assert interval == {
        "method": "welch", "unit": "user", "n": 400,
        "of": "difference in the outcome of a visit, over users like these",
    }  # fmt: skip


def test_what_is_not_shown_is_not_called_equal():
    answer = drop_marks(ABTest(write_log()).answer)
    assert answer.startswith("B and A are not shown to differ in the outcome of a visit: ")
    assert "The split" not in answer


def test_a_split_that_is_no_chance_comes_first():
    found = ABTest(write_log((250, 150)))
    assert drop_marks(found.answer).startswith(
        "The split is not as planned: 250 and 150 users, where 200 and 200 were to be expected (p"
    )
    planned = ABTest(write_log((250, 150)), ABQuestion(share=0.375))
    assert "The split" not in planned.answer


def test_outcomes_before_are_allowed_for():
    log = write_log(lead=0.3, before=True)
    plain, adjusted = ABTest(log).difference.to_dict("records")
    assert 0.3 < adjusted["removed"] < 0.9
    assert adjusted["high"] - adjusted["low"] < 0.85 * (plain["high"] - plain["low"])
    answer = drop_marks(ABTest(log).answer)
    assert ", and adjusted by the outcomes before a difference of +0." in answer
    assert len(ABTest(log.assign(before=np.nan)).difference) == 1
    assert ABTest(log).arms["before"].notna().all()
    some = log.assign(before=log["before"].where(log["user"] != "A0"))
    assert ABTest(some).notes == ("users without an outcome before, counted as its mean: 1",)


def test_users_in_both_arms_are_left_out():
    log = write_log()
    both = pd.concat([log, log[log["user"] == "A0"].assign(arm="B")])
    found = ABTest(both)
    assert found.notes == ("users in both arms, left out: 1",)
    assert found.arms["users"].tolist() == [199, 200]
    without = ABTest(log[log["user"] != "A0"])
    pd.testing.assert_frame_equal(found.difference, without.difference)


def test_few_users_are_noted():
    (note,) = ABTest(write_log((30, 60))).notes
    assert note == "an arm has 30 users: limits are not tried with fewer than 50"


def test_needed_users_stand_by_the_first_arm():
    found = ABTest(write_log())
    needed = found.needed
    assert needed["difference"].tolist() == pytest.approx(
        (found.arms["value"].iloc[0] * needed["effect"]).tolist()
    )
    ratio = needed["users"].iloc[0] / needed["users"].iloc[1]
    assert ratio == pytest.approx(4, rel=0.001)


def put(outcomes: tuple[list[float], list[float]], before: bool = False) -> pd.DataFrame:
    """Return users with a visit each; all that came of it was foretold where it is known before."""
    rows = [(f"{arm}{at}", arm, one + (arm == "B") * before, one if before else np.nan)
            for arm, own in zip("AB", outcomes, strict=True)
            for at, one in enumerate(own)]  # fmt: skip
    return pd.DataFrame(rows, columns=["user", "arm", "outcome", "before"])


def test_arms_that_differ_wholly_are_not_said_to_be_alike():
    answer = drop_marks(ABTest(put(([0.0] * 60, [1.0] * 60))).answer)
    assert answer == (
        "Outcomes do not vary between users of an arm: 0.000 a visit in A, 1.000 in B; nothing is "
        "tested."
    )
    uneven = drop_marks(ABTest(put(([0.0] * 10, [0.0] * 60))).answer)
    assert uneven.startswith("The split is not as planned: 10 and 60 users")


def test_where_outcomes_before_foretell_all_the_plain_estimate_is_told():
    values = [float(one) for one in range(60)]
    found = ABTest(put((values, values), before=True))
    plain, adjusted = found.difference.to_dict("records")
    assert np.isnan(adjusted["p"])
    assert adjusted["reason"].startswith("the outcomes before foretell all of it")
    answer = drop_marks(found.answer)
    assert answer.startswith("B and A are not shown to differ in the outcome of a visit: 30.500")
    assert "adjusted" not in answer
    assert plain["p"] > 0.5


def test_an_adjustment_that_turns_the_sign_says_so():
    rng = np.random.default_rng(1)
    arm = np.repeat(["A", "B"], 200)
    before = np.where(arm == "A", 3.0, 0.0) + rng.normal(size=400)
    outcome = before + (arm == "B") + 0.1 * rng.normal(size=400)
    users = [f"u{at}" for at in range(400)]
    found = ABTest(pd.DataFrame({"user": users, "arm": arm, "outcome": outcome, "before": before}))
    answer = drop_marks(found.answer)
    assert answer.startswith("The outcome of a visit is higher in B than in A: ")
    assert found.arms["value"].is_monotonic_decreasing
    assert (
        ", but adjusted by the outcomes before, which turns its sign, a difference of +" in answer
    )


def test_of_rare_outcomes_in_a_small_arm_nothing_is_told():
    """Nobody of 50 did what 50 of 4,950 did: Welch's p is below .001, the exact one .6."""
    few, many = [0.0] * 50, [1.0] * 50 + [0.0] * 4_900
    found = ABTest(put((few, many)), ABQuestion(share=0.99))
    assert compare_arms(found.users).p < 0.001
    (row,) = found.difference.to_dict("records")
    assert np.isnan([row["low"], row["high"], row["p"]]).all()
    assert row["value"] == pytest.approx(50 / 4950)
    assert row["reason"] == MISLEADS
    answer = drop_marks(found.answer)
    assert answer == (
        "Whether B and A differ in the outcome of a visit is not told: 0.0101 and 0.0000, over "
        "5,000 users, but so unevenly split that p would mislead."
    )
    (note,) = found.notes
    assert note.startswith("one arm has fewer users than the other")
    assert found.needed.empty
    assert note.endswith("up to 89 of 100 tests")
    some = ABTest(put(([1.0] * 5 + [0.0] * 45, [1.0] * 99 + [0.0] * 801)), ABQuestion(share=0.95))
    assert "not shown to differ" in drop_marks(some.answer)
    (note,) = some.notes
    assert note.endswith("up to 8 of 100 tests")
    often = ABTest(put(([0.0, 1.0] * 25, [0.0, 1.0] * 2_475)), ABQuestion(share=0.99))
    assert "not shown to differ" in drop_marks(often.answer)
    assert often.notes == ()


def test_small_outcomes_are_told_with_their_digits():
    rng = np.random.default_rng(1)
    rare = [(rng.random(20_000) < share).astype(float).tolist() for share in (0.0005, 0.0006)]
    answer = drop_marks(ABTest(put((rare[0], rare[1]))).answer)
    write = ABTest.tables["needed"].columns["difference"].write
    assert write is not None
    assert [write(one) for one in (0.0000057, 0.25)] == ["0.0000057", "0.2500"]
    assert ": 0.0008 and 0.0006, a difference of +0.0002 [−0.0003, 0.0007], " in answer


@pytest.mark.parametrize(("users", "alpha"), [((4, 60), 0.05), ((60, 60), 0.8)])
def test_what_so_many_users_find_is_not_told_of_few_nor_at_any_alpha(users, alpha):
    """With α at .8 four of five tests find what is not there."""
    found = ABTest(write_log(users), ABQuestion(alpha=alpha))
    assert "So many users" not in found.answer
    assert found.needed.empty
    assert "So many users" in ABTest(write_log((60, 60))).answer


def test_what_cannot_be_told():
    log = write_log((3, 3)).assign(outcome=1.0)
    found = ABTest(log)
    assert "Outcomes do not vary between users of an arm" in found.answer
    assert found.needed.empty
    (reason,) = found.difference["reason"]
    assert reason == "nobody's visits differ from the others' of the arm"
    with pytest.raises(BadInput, match="'C' is no arm; there are A and B"):
        _ = ABTest(log, ABQuestion("C")).answer
    with pytest.raises(BadInput, match="not 1"):
        _ = ABTest(log[log["arm"] == "A"]).answer
    with pytest.raises(TooLittleData, match="fewer than two users"):
        _ = ABTest(log[(log["arm"] == "A") | (log["user"] == "B0")]).answer
    with pytest.raises(BadInput, match="between 0 and 1"):
        ABQuestion(share=1)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"outcome": np.nan}, "row 2, counted from 0, has no outcome"),
        ({"user": None}, "row 2, counted from 0, has no user"),
        ({"outcome": "often"}, "row 2, counted from 0: 'often' is no number"),
        ({"before": np.inf}, "row 2, counted from 0: 'inf' is no number"),
        ({"before": 3.0, "user": "A0"}, "user 'A0' has two outcomes before the test"),
    ],
)
def test_a_frame_is_refused_for_what_a_file_is(change, reason):
    log = write_log(before=True).astype({"outcome": object, "user": object})
    ((field, value), *others) = change.items()
    log.loc[2, [field, *(name for name, _ in others)]] = [value, *(one for _, one in others)]
    with pytest.raises(BadInput) as refused:
        dissent.ab_test(log)
    assert refused.value.reason == reason
    assert refused.value.field == field


def test_outcomes_may_be_texts_of_numbers():
    log = write_log()
    told = dissent.ab_test(log.astype({"outcome": str})).difference
    pd.testing.assert_frame_equal(told, dissent.ab_test(log).difference)
