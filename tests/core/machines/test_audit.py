"""A machine beside people: coefficients, shift, and both compared on the same items."""

from collections import Counter

import numpy as np
import pytest
from scipy.stats import t
from sklearn.metrics import cohen_kappa_score

from core.agreement.coefficients import Alpha, Kappa, Raw
from core.agreement.confusion import confusion_matrices
from core.agreement.pairs import ONE_TOPIC, agreement_by_pair
from core.errors import BadInput
from core.machines.audit import (
    NO_PEOPLE,
    OF_PEOPLE,
    agreement_of_people,
    agreement_with_machine,
    agreement_with_machine_by_topic,
    compare_with_people,
    describe_comparison,
    describe_sampling,
    level_shift,
)
from core.numerals import write_limits
from tests.core.agreement.leaving_out import equal_topics
from tests.core.machines.made_up import join, simulate

LINEAR = Kappa("linear")


@pytest.fixture(scope="module")
def joined():
    return join(*simulate())


def levels_of_both(given, machine, person):
    """Return the levels of a person and of the machine on common items, by plain loops."""
    own = {(topic, document): level for topic, document, name, level in given if name == person}
    pairs = [
        (own[topic, document], level)
        for topic, document, level in machine
        if (topic, document) in own
    ]
    return tuple(zip(*pairs, strict=True))


def test_each_person_beside_the_machine_equals_scikit_learn(joined):
    given, machine = simulate()
    rows = agreement_with_machine(joined, [LINEAR, Alpha("ordinal")])
    assert rows["machine"].unique().tolist() == ["m"]
    assert rows["person"].tolist() == [name for name in "abcd" for _ in range(2)]
    assert (rows["low"] < rows["value"]).all()
    assert (rows["units"] == 8).all()
    for person, row in rows[rows["coefficient"] == "kappa(linear)"].set_index("person").iterrows():
        one, other = levels_of_both(given, machine, person)
        assert row["n"] == len(one)
        assert row["value"] == pytest.approx(cohen_kappa_score(one, other, weights="linear"))


def test_people_are_compared_on_the_items_of_the_machine_only():
    given, machine = simulate()
    kept = [row for row in machine if row[0] != "t0" and row[1] != "d3"]
    rows = agreement_of_people(join(given, kept), [LINEAR])
    items = {row[:2] for row in kept}
    same = join([row for row in given if row[:2] in items], machine)
    pairs = agreement_by_pair(same.matrices, [LINEAR])
    pairs = pairs[~pairs[["first", "second"]].eq("m").any(axis=1)]
    assert rows[["first", "second"]].to_numpy().tolist() == [
        *(["a", "b"], ["a", "c"], ["a", "d"], ["b", "c"], ["b", "d"], ["c", "d"])
    ]
    assert rows["value"].tolist() == pairs["value"].tolist()
    assert rows["n"].tolist() == pairs["n"].tolist()
    assert (rows["units"] == 7).all()


def test_shift_is_the_mean_difference_and_positive_where_the_machine_is_lenient(joined):
    given, machine = simulate()
    rows = level_shift(joined).set_index("person")
    for person, row in rows.iterrows():
        one, other = (np.array(levels) for levels in levels_of_both(given, machine, person))
        assert row["value"] == pytest.approx((other - one).mean())
        assert (row["n"], row["units"]) == (len(one), 8)
        assert -3 <= row["low"] < row["value"] < row["high"] <= 3
    lenient = join([("t", "d", "a", 1), ("u", "d", "a", 1)], [("t", "d", 3), ("u", "d", 2)])
    (row,) = level_shift(lenient).to_dict("records")
    assert row["value"] == 1.5


def test_shift_counts_in_levels_not_in_steps():
    people = [("t", "d", "a", 0), ("u", "d", "a", 0)]
    (row,) = level_shift(join(people, [("t", "d", 10), ("u", "d", 10)], (0, 4, 10))).itertuples()
    assert row.value == 10
    # Both topics alike: a limit as wide as two topics can tell, by Clopper and Pearson.
    assert row.low == pytest.approx(10 - 20 * (1 - 0.025**0.5))
    assert row.high == 10


def test_a_shift_in_one_topic_has_no_limits():
    (row,) = level_shift(join([("t", "d", "a", 1)], [("t", "d", 3)])).itertuples()
    assert (row.value, row.units, row.reason) == (2, 1, ONE_TOPIC)
    assert np.isnan(row.low)
    assert np.isnan(row.high)


def test_a_scale_of_one_level_has_no_shift():
    people = [("t", "d", "a", 1), ("u", "d", "a", 1)]
    (row,) = level_shift(join(people, [("t", "d", 1), ("u", "d", 1)], [1])).itertuples()
    assert row.value == 0


def test_topics_have_a_row_for_each_person(joined):
    given, machine = simulate()
    rows = agreement_with_machine_by_topic(joined, [LINEAR])
    assert len(rows) == 8 * 4
    row = rows[(rows["topic_id"] == "t3") & (rows["person"] == "b")].iloc[0]
    one, other = levels_of_both(
        [row for row in given if row[0] == "t3"], [row for row in machine if row[0] == "t3"], "b"
    )
    assert row["value"] == pytest.approx(cohen_kappa_score(one, other, weights="linear"))
    assert (row["machine"], row["n"], row["unit"]) == ("m", len(one), "item")


def pooled(given, machine, without=""):
    """Return pooled linear κ of machine pairs and of pairs of people, by plain loops."""
    items: dict = {}
    for topic, document, name, level in given:
        items.setdefault((topic, document), {})[name] = level
    several = {item for item, own in items.items() if len(own) > 1}
    levels = {"m": {(topic, document): level for topic, document, level in machine}}
    for item, own in items.items():
        for name, level in own.items():
            levels.setdefault(name, {})[item] = level
    parts = {"machine": [0.0, 0.0], "people": [0.0, 0.0]}
    names = sorted(levels)
    for at, first in enumerate(names):
        for second in names[at + 1 :]:
            matrix = np.zeros((4, 4))
            for item in levels[first].keys() & levels[second].keys() & several:
                if item[0] != without:
                    matrix[levels[first][item], levels[second][item]] += 1
            place = np.arange(4)
            weights = 1 - np.abs(place[:, None] - place) / 3
            chance = np.outer(matrix.sum(axis=1), matrix.sum(axis=0)) / matrix.sum()
            own = parts["machine" if "m" in (first, second) else "people"]
            own[0] += ((matrix - chance) * weights).sum()
            own[1] += matrix.sum() - (chance * weights).sum()
    return {name: reached / possible for name, (reached, possible) in parts.items()}


def test_the_comparison_equals_a_loop_that_leaves_topics_out():
    given, machine = simulate()
    given = [row for row in given if row[1] != "d5" or row[2] == "a"]  # items of one person
    (row,) = compare_with_people(join(given, machine), [LINEAR]).to_dict("records")
    whole = pooled(given, machine)
    assert row["machine_value"] == pytest.approx(whole["machine"])
    assert row["people_value"] == pytest.approx(whole["people"])
    assert row["difference"] == pytest.approx(whole["machine"] - whole["people"])
    left = [pooled(given, machine, f"t{topic}") for topic in range(8)]
    apart = np.array([one["machine"] - one["people"] for one in left])
    judged = Counter((topic, document) for topic, document, _, _ in given)
    items = [
        float(sum(n * (n + 1) // 2 for (own, _), n in judged.items() if own == topic and n > 1))
        for topic in sorted({topic for topic, _ in judged})
    ]
    freedom = equal_topics(items)
    half = t.ppf(0.975, freedom) * np.sqrt(7 / 8 * ((apart - apart.mean()) ** 2).sum())
    ends = row["difference"], 8 * row["difference"] - 7 * apart.mean()
    assert row["low"] == pytest.approx(min(ends) - half)
    assert row["high"] == pytest.approx(max(ends) + half)
    assert (row["machine_pairs"], row["people_pairs"], row["units"]) == (4, 6, 8)


def test_a_poor_machine_is_shown_to_be_lower():
    given, machine = simulate(wrong=0.05)
    worse = [
        (topic, document, (level + place) % 4)
        for place, (topic, document, level) in enumerate(machine)
    ]
    (row,) = compare_with_people(join(given, worse), [LINEAR]).to_dict("records")
    assert (row["shown"], row["reason"]) == ("lower", "")
    assert "shown to be lower (difference −0." in describe_comparison(row)
    (row,) = compare_with_people(join(given[::-1], machine), [LINEAR]).to_dict("records")
    assert row["shown"] == ""


def test_a_machine_can_be_shown_to_be_higher():
    rng = np.random.default_rng(2)
    given = [
        (
            f"t{topic}",
            f"d{item}",
            person,
            int(rng.integers(0, 4)) if rng.random() < 0.5 else item % 4,
        )
        for topic in range(10)
        for item in range(12)
        for person in "abc"
    ]
    machine = [(f"t{topic}", f"d{item}", item % 4) for topic in range(10) for item in range(12)]
    (row,) = compare_with_people(join(given, machine), [LINEAR]).to_dict("records")
    assert row["shown"] == "higher"
    assert "shown to be higher (difference +0." in describe_comparison(row)


def test_what_is_not_shown_is_not_called_equal(joined):
    (row,) = compare_with_people(joined, [LINEAR]).to_dict("records")
    assert row["shown"] == ""
    said = describe_comparison(row)
    assert said.startswith("m: linear weighted κ with people is 0.")
    assert "not shown to differ" in said
    half = row["high"] - row["difference"]
    assert f"a difference above about {half:.3f} would have been shown" in said
    assert "8 topics" in said
    assert "equal" not in said


def test_one_person_leaves_nothing_to_compare_with():
    given, machine = simulate(people="a")
    (row,) = compare_with_people(join(given, machine), [LINEAR]).to_dict("records")
    assert row["machine_n"] == len(given)
    assert np.isnan(row["difference"])
    assert (row["people_pairs"], row["shown"], row["reason"]) == (0, "", NO_PEOPLE)
    limits = write_limits(row["machine_low"], row["machine_high"])
    said = f"{limits}, 8 topics; how far people agree is not known: {NO_PEOPLE}."
    assert said in describe_comparison(row)
    assert agreement_of_people(join(given, machine), [LINEAR, Alpha("ordinal"), Raw()]).empty
    (row,) = compare_with_people(join(*simulate(1, people="a")), [LINEAR]).to_dict("records")
    assert " without limits, 1 topic; how far people" in describe_comparison(row)


def test_what_is_not_defined_is_told_with_whose_it_is():
    """All people say the same: they agree, but κ is not defined of them."""
    names = [(f"t{at % 4}", f"d{at}") for at in range(40)]
    people = [(*name, person, 1) for name in names for person in "abc"]
    various = [(*name, at % 3) for at, name in enumerate(names)]
    (row,) = compare_with_people(join(people, various), [LINEAR]).to_dict("records")
    assert row["reason"] == OF_PEOPLE + LINEAR.undefined
    said = describe_comparison(row)
    assert f"; nothing is compared: {OF_PEOPLE}both assessors used one level" in said
    assert "not known" not in said
    (row,) = compare_with_people(join(people, [(*name, 1) for name in names]), [LINEAR]).to_dict(
        "records"
    )
    assert describe_comparison(row).startswith("m: linear weighted κ with people is not defined; ")
    alone = [(*name, "a", 1) for name in names]
    (row,) = compare_with_people(join(alone, [(*name, 1) for name in names]), [LINEAR]).to_dict(
        "records"
    )
    assert f"is not defined; how far people agree is not known: {NO_PEOPLE}." in (
        describe_comparison(row)
    )


def test_what_so_few_topics_cannot_show_is_not_said_to_have_been_shown(joined):
    (row,) = compare_with_people(joined, [LINEAR]).to_dict("records")
    wide = row | {"people_value": 0.6, "difference": -0.1, "low": -2.0, "high": 2.0}
    assert "; so few could not have shown any)." in describe_comparison(wide)
    narrower = row | {"people_value": 0.6, "difference": -0.1, "low": -1.6, "high": 1.4}
    assert "a difference above about 1.500 would have been" in describe_comparison(narrower)


def test_key_facts_can_be_marked(joined):
    (row,) = compare_with_people(joined, [LINEAR]).to_dict("records")
    marked = describe_comparison(row, "*{}*".format)
    assert marked.count("*") == 6
    assert "*not shown to differ*" in marked


def test_one_topic_has_no_limits():
    given, machine = simulate(topics=1)
    (row,) = compare_with_people(join(given, machine), [LINEAR]).to_dict("records")
    assert (row["reason"], row["shown"]) == (ONE_TOPIC, "")
    assert f"whether they differ cannot be said: {ONE_TOPIC}." in describe_comparison(row)


def test_the_machines_own_pairs_are_those_of_all_labels(joined):
    """A machine is one more assessor: the house's tables of everybody have the same rows."""
    every = agreement_by_pair(confusion_matrices(joined.ratings), [LINEAR])
    with_machine = every[every["second"] == "m"]
    found = agreement_with_machine(joined, [LINEAR])
    for column in ("n", "value", "low", "high", "units"):
        assert found[column].tolist() == pytest.approx(with_machine[column].tolist())


def test_how_items_were_chosen_is_said():
    assert "not said how" in describe_sampling("unknown")
    assert "not drawn at random" in describe_sampling("selected")
    assert "drawn at random" in describe_sampling("random")
    with pytest.raises(BadInput, match="unknown, random, selected; not pooled"):
        describe_sampling("pooled")
