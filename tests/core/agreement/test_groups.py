import numpy as np
import pandas as pd
import pytest
from scipy.stats import t

from core.agreement.coefficients import Kappa, Raw
from core.agreement.confusion import confusion_matrices
from core.agreement.groups import (
    UNDEFINED,
    agreement_by_group,
    agreement_differences,
    between_assessors,
    between_groups,
    pair_groups,
    read_groups,
)
from core.agreement.pairs import NO_ITEMS, ONE_DEFINES
from core.agreement.pooled import overall_agreement
from core.agreement.ratings import ratings_from_labels
from core.errors import BadInput
from tests.core.agreement.leaving_out import equal_topics
from tests.each import each

GROUPS = {"a": "crowd", "b": "crowd", "c": "student", "d": "student"}
LINEAR = Kappa("linear")


def seeded(seed=1):
    return np.random.default_rng(seed)


def simulate(topics=10, items=8, steps=(1, 1, 1, 1), seed=3):
    """Return rows of simulated labels; each assessor errs by at most that many steps."""
    rng = seeded(seed)
    return [
        (f"t{topic}", f"d{item}", name, float(np.clip(level + rng.integers(-far, far + 1), 0, 2)))
        for topic in range(topics)
        for item, level in enumerate(rng.integers(0, 3, items))
        for name, far in zip("abcd", steps, strict=True)
    ]


def matrices_of(make_labels, rows, levels=(0, 1, 2)):
    return confusion_matrices(ratings_from_labels(make_labels(rows), "page", levels))


def test_groups_of_the_assessors(make_labels):
    labels = make_labels(simulate())
    labels["group"] = labels["assessor_id"].map(GROUPS | {"d": None}).astype("str")
    assert read_groups(labels) == GROUPS | {"d": ""}


def test_an_assessor_in_two_groups_is_refused():
    labels = pd.DataFrame({"assessor_id": ["a", "a", "b"], "group": ["x", "", "x"]}, dtype="str")
    with pytest.raises(BadInput, match="a is in more than one group"):
        read_groups(labels)


def test_pairs_of_groups_with_two_assessors(make_labels):
    matrices = matrices_of(make_labels, simulate())
    assert pair_groups(matrices, {"a": "x", "b": "x", "c": "y"}) == [
        ("", "x"),
        ("", "y"),
        ("x", "x"),
        ("x", "y"),
    ]


@each("order", [("crowd", "student"), ("student", "crowd")])
def test_pairs_between_groups(make_labels, order):
    matrices = matrices_of(make_labels, simulate())
    pairs = between_groups(matrices, GROUPS, *order).by_pair()
    assert list(zip(pairs.first, pairs.second, strict=True)) == [(0, 2), (0, 3), (1, 2), (1, 3)]
    within = between_groups(matrices, GROUPS, "student", "student").by_pair()
    assert list(zip(within.first, within.second, strict=True)) == [(2, 3)]


def test_groups_pool_their_pairs(make_labels):
    matrices = matrices_of(make_labels, simulate(steps=(0, 0, 2, 2)))
    table = agreement_by_group(matrices, GROUPS, [LINEAR, Raw()])
    pairs = list(zip(table["first_group"], table["second_group"], strict=True))
    assert pairs[::2] == [("crowd", "crowd"), ("crowd", "student"), ("student", "student")]
    assert table["pairs"].tolist() == [1, 1, 4, 4, 1, 1]
    assert table["value"].tolist()[:2] == [1, 1]
    mixed = between_groups(matrices, GROUPS, "crowd", "student")
    alone = overall_agreement(mixed, [LINEAR, Raw()])
    assert table["value"].tolist()[2:4] == alone["value"].tolist()


def test_groups_without_common_items_have_a_reason(make_labels):
    rows = [("t", "d", "a", 1), ("t", "e", "c", 1)]
    table = agreement_by_group(matrices_of(make_labels, rows), GROUPS, [LINEAR])
    assert table[["pairs", "n"]].to_numpy().tolist() == [[0, 0]]
    assert table["reason"].tolist() == [NO_ITEMS]


def test_without_groups_all_are_in_one(make_labels):
    matrices = matrices_of(make_labels, simulate())
    table = agreement_by_group(matrices, {}, [LINEAR])
    assert table[["first_group", "second_group"]].to_numpy().tolist() == [["", ""]]
    whole = overall_agreement(matrices, [LINEAR])
    pd.testing.assert_frame_equal(table.iloc[:, 2:], whole)


def test_difference_of_two_pairs_equals_a_loop_over_the_same_topics(make_labels):
    matrices = matrices_of(make_labels, simulate())
    chosen = {
        "ab": between_assessors(matrices, "a", "b"),
        "cd": between_assessors(matrices, "d", "c"),
    }
    (row,) = agreement_differences(chosen, [LINEAR]).itertuples()
    names = (
        "first second coefficient first_value second_value difference low high interval unit units "
        "reason"
    )
    assert " ".join(row._fields[1:]) == names
    assert (row.first, row.second, row.interval, row.reason) == ("ab", "cd", "jackknife", "")
    whole = [float(LINEAR.value(part.counts.sum(axis=0), (0, 1, 2))) for part in chosen.values()]
    assert [row.first_value, row.second_value] == pytest.approx(whole)
    assert row.difference == pytest.approx(whole[0] - whole[1])
    without = [
        np.subtract(
            *(
                LINEAR.value(np.delete(part.counts, topic, axis=0).sum(axis=0), (0, 1, 2))
                for part in chosen.values()
            )
        )
        for topic in range(10)
    ]
    error = np.sqrt(9 / 10 * np.sum((without - np.mean(without)) ** 2))
    items = sum(part.counts.sum(axis=(1, 2)) for part in chosen.values())
    half = t.ppf(0.975, equal_topics(items)) * error
    ends = row.difference, 10 * row.difference - 9 * np.mean(without)
    np.testing.assert_allclose([row.low, row.high], [min(ends) - half, max(ends) + half])


def test_every_two_selections_and_coefficients(make_labels):
    matrices = matrices_of(make_labels, simulate())
    chosen = {
        name: between_groups(matrices, GROUPS, *name.split())
        for name in ("crowd crowd", "crowd student", "student student")
    }
    table = agreement_differences(chosen, [LINEAR, Raw()])
    assert table["first"].tolist() == ["crowd crowd"] * 4 + ["crowd student"] * 2
    assert table["coefficient"].tolist() == ["kappa(linear)", "raw"] * 3
    assert (table["low"] < table["difference"]).all()
    assert (table["difference"] < table["high"]).all()


def test_careful_pairs_are_found_to_agree_more(make_labels):
    matrices = matrices_of(make_labels, simulate(topics=20, steps=(0, 0, 2, 2)))
    chosen = {
        "careful": between_groups(matrices, GROUPS, "crowd", "crowd"),
        "careless": between_groups(matrices, GROUPS, "student", "student"),
    }
    assert agreement_differences(chosen, [LINEAR])["low"].item() > 0
    same = agreement_differences({"one": matrices, "other": matrices}, [LINEAR])
    assert same["difference"].item() == 0
    unseen = 2 - 2 * 0.025 ** (1 / 20)
    assert same[["low", "high"]].iloc[0].tolist() == pytest.approx([-unseen, unseen])


def test_selections_of_other_labels_share_topics_by_id(make_labels):
    rows = simulate()
    one = matrices_of(make_labels, rows)
    other = matrices_of(make_labels, [row for row in rows if row[0] != "t0"])
    table = agreement_differences({"one": one, "other": other}, [LINEAR])
    assert table["low"].item() < table["difference"].item() < table["high"].item()


def test_what_is_missing_has_a_reason(make_labels):
    matrices = matrices_of(make_labels, simulate())
    one_topic = matrices_of(make_labels, [row for row in simulate() if row[0] == "t1"])
    nothing = matrices.select(np.zeros(60, dtype=bool))
    chosen = {"all": matrices, "one topic": one_topic, "nothing": nothing}
    table = agreement_differences(chosen, [LINEAR])
    assert table["reason"].tolist() == [ONE_DEFINES, UNDEFINED, UNDEFINED]
    assert table["difference"].isna().tolist() == [False, True, True]
    assert table["low"].isna().all()
    empty = agreement_differences({"one": nothing, "other": nothing}, [LINEAR])
    assert empty["reason"].item() == UNDEFINED


def test_the_limits_of_a_difference_stay_where_differences_are(make_labels):
    matrices = matrices_of(make_labels, simulate(topics=2, steps=(0, 0, 2, 2)))
    chosen = {
        "careful": between_groups(matrices, GROUPS, "crowd", "crowd"),
        "careless": between_groups(matrices, GROUPS, "student", "student"),
    }
    (row,) = agreement_differences(chosen, [LINEAR]).to_dict("records")
    assert (row["low"], row["high"]) == (-2, 2)
