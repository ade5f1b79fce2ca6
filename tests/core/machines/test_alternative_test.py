"""The alternative annotator test equals a plain one; where it is not defined, it says so."""

import json
from dataclasses import replace

import numpy as np
import pytest

from core.agreement.pairs import ONE_TOPIC
from core.errors import BadInput
from core.machines.alternative_test import FEW_LABELS, FEW_PEOPLE, alternative_test, count_closer
from core.machines.choices import SCORINGS
from tests.core.machines.leaving_one_out import accuracy, compare_items, negative_rmse, run
from tests.core.machines.made_up import join, simulate
from tests.each import each

SCORES = {"accuracy": accuracy, "rmse": negative_rmse}


@each("scoring", SCORES)
@each(("topics", "wrong"), [(8, 0.3), (8, 0.6), (2, 0.3)])
def test_it_equals_a_plain_implementation(topics, wrong, scoring):
    people, machine = simulate(topics=topics, wrong=wrong, items=14)
    for epsilon, fewest in ((0.1, 2), (0.2, 2), (0.2, 3)):
        found = alternative_test(
            join(people, machine), epsilon, scoring=scoring, fewest_people=fewest
        )
        expected, omega, rho = run(people, machine, epsilon, SCORES[scoring], fewest_people=fewest)
        rows = found.annotators.set_index("person")
        assert rows.index.tolist() == list(expected)
        for person, (n, advantage, p, rejected) in expected.items():
            row = rows.loc[person]
            assert (row["n"], row["rejected"]) == (n, rejected)
            assert row["advantage"] == pytest.approx(advantage)
            assert row["p"] == pytest.approx(p, rel=1e-9)
            assert row["test"] == ("t" if n >= 30 else "wilcoxon")
        assert found.defined
        assert (found.omega, found.passed) == (omega, omega >= 0.5)
        assert found.rho == pytest.approx(rho)


def test_the_two_shares_are_never_below_one_together():
    rows = alternative_test(join(*simulate())).annotators
    assert (rows["advantage"] + rows["disadvantage"] >= 1).all()


def test_a_machine_as_good_as_people_passes_and_a_poor_one_does_not():
    people, machine = simulate(topics=30, wrong=0.3)
    good = alternative_test(join(people, machine))
    assert (good.passed, good.topic_passed) == (True, True)
    poor = [(topic, document, (level + 2) % 4) for topic, document, level in machine]
    bad = alternative_test(join(people, poor))
    assert (bad.omega, bad.topic_omega, bad.passed, bad.topic_passed) == (0, 0, False, False)
    assert bad.rho < good.rho


def test_topics_that_differ_weaken_the_test_over_topics_only():
    """A machine that is right on most topics and wrong throughout on the others."""
    people, machine = simulate(topics=8, wrong=0.3)
    uneven = [
        (topic, document, (level + 2) % 4 if topic in ("t1", "t4") else level)
        for topic, document, level in machine
    ]
    rows = alternative_test(join(people, uneven), 0.4).annotators
    assert (rows["topic_p"] > rows["p"]).all()
    assert rows["topics"].tolist() == [8] * 4


def test_items_of_one_topic_give_no_p_over_topics():
    found = alternative_test(join(*simulate(topics=1, items=40)))
    assert found.annotators["reason"].unique().tolist() == [ONE_TOPIC]
    assert not found.annotators["topic_rejected"].any()
    assert np.isnan(found.topic_omega)
    assert found.topic_passed is None
    said = found.describe("*{}*".format)
    assert f"Over topics it is not made: {ONE_TOPIC}. On average" in said
    assert said.count("passed*") == 1


def test_who_has_one_topic_only_is_counted_where_others_have_more():
    people, machine = simulate()
    for fewer, said in (("d", "1 person with one topic only counts"), ("cd", "2 people with one")):
        kept = [row for row in people if row[2] not in fewer or row[0] == "t0"]
        found = alternative_test(join(kept, machine))
        assert found.annotators["topic_p"].isna().sum() == len(fewer)
        assert said in found.describe()
        assert found.topic_passed is not None
    assert "one topic only" not in alternative_test(join(people, machine)).describe()


@each(("items", "could"), [(1, False), (5, False), (7, True), (30, True)])
def test_with_few_items_nothing_else_could_come_of_it(items, could):
    """Four people: the least of all p, 1 in 2^n, passes from n = 7 on."""
    names = [(f"t{item % 2}", f"d{item}") for item in range(items)]
    people = [(*name, person, 0) for name in names for person in "abcd"]
    found = alternative_test(join(people, [(*name, 3) for name in names]))
    assert (found.could_pass, found.passed) == (could, False)
    told = "0.5 passes; with so few items nothing else could come of it)" in found.describe()
    assert told != could


def test_one_person_is_not_told_as_people():
    found = alternative_test(join(*simulate()))
    found = replace(found, annotators=found.annotators[:1])
    assert "of 1 person the machine is" in found.describe()


AUTHORS = {
    "ann": {"i1": 0, "i2": 1, "i3": 2, "i4": 3},
    "bob": {"i1": 0, "i2": 1, "i3": 0},
    "cleo": {"i1": 1, "i2": 1},
}
"""People's labels in the shape of the authors' files: by person, by item."""

AUTHORS_MACHINE = {"i1": 0, "i2": 2, "i3": 2, "i4": 0, "i5": 1}


@each(
    ("fewest", "advantage"),
    [
        # i1: others of ann are 0, 1: person 1/2, machine 1/2. i2: others 1, 1: person 1, machine 0.
        # i3, with two people: the other is 0: person 0, machine 0. i4: nobody else.
        (2, {"ann": (3, 2 / 3), "bob": (3, 2 / 3), "cleo": (2, 1 / 2)}),
        (3, {"ann": (2, 1 / 2), "bob": (2, 1 / 2), "cleo": (2, 1 / 2)}),
    ],
)
def test_files_of_the_authors_shape_by_both_rules(fewest, advantage, tmp_path):
    """By hand; bob, left out on i3, says 0 where the other says 2, as the machine does."""
    files = {}
    for name, content in (("people", AUTHORS), ("machine", AUTHORS_MACHINE)):
        files[name] = tmp_path / f"{name}.json"
        files[name].write_text(json.dumps(content), encoding="utf-8")
    said = json.loads(files["people"].read_text(encoding="utf-8"))
    machine = json.loads(files["machine"].read_text(encoding="utf-8"))
    people = [("t", item, who, level) for who, own in said.items() for item, level in own.items()]
    joined = join(people, [("t", item, level) for item, level in machine.items()])
    rows = alternative_test(joined, fewest_people=fewest).annotators.set_index("person")
    assert {
        who: (int(row["n"]), pytest.approx(row["advantage"])) for who, row in rows.iterrows()
    } == advantage


def test_it_is_not_defined_without_another():
    people, machine = simulate(people="a")
    found = alternative_test(join(people, machine))
    assert (found.defined, found.reason) == (False, FEW_PEOPLE)
    assert (found.passed, found.topic_passed, found.annotators.empty) == (None, None, True)
    assert np.isnan([found.omega, found.rho, found.topic_omega]).all()
    # Three people, but never three on an item.
    people, machine = simulate(people="abc")
    pairs = [row for row in people if (ord(row[1][-1]) + ord(row[2])) % 3]
    assert alternative_test(join(pairs, machine), fewest_people=3).reason == FEW_LABELS.format(3)
    assert alternative_test(join(pairs, machine)).defined
    with pytest.raises(BadInput, match="at least 2 people"):
        alternative_test(join(pairs, machine), fewest_people=1)


def test_people_with_few_items_can_be_left_out_of_it():
    people, machine = simulate()
    kept = [row for row in people if row[2] != "d" or row[0] == "t0"]
    joined = join(kept, machine)
    assert alternative_test(joined).annotators["person"].tolist() == ["a", "b", "c", "d"]
    found = alternative_test(joined, fewest_items=30)
    assert found.annotators["person"].tolist() == ["a", "b", "c"]
    none = alternative_test(joined, fewest_items=1000)
    assert none.reason == "nobody has 1,000 items with labels of 2 people"


@each("epsilon", [-0.1, 1, float("nan")])
def test_a_margin_is_from_0_and_below_1(epsilon):
    with pytest.raises(BadInput, match="from 0 and below 1"):
        alternative_test(join(*simulate()), epsilon)


def test_it_is_told_in_a_sentence_with_what_it_rests_on():
    found = alternative_test(join(*simulate()), 0.2)
    said = found.describe("*{}*".format)
    assert said.startswith(f"{found.machine}: over items the alternative annotator test is *")
    assert f"people the machine is shown to be no worse by ε = {found.epsilon:g}" in said
    assert f"(ω = {found.topic_omega:.3f})" in said
    undefined = alternative_test(join(*simulate(people="a")))
    assert undefined.describe().endswith(f"is not defined: {FEW_PEOPLE}.")


@each("scoring", SCORINGS)
def test_outcomes_equal_a_plain_loop(scoring):
    people, machine = simulate()
    joined = join(people, machine)
    counts = count_closer(joined, scoring)
    expected = np.zeros_like(counts)
    names, topics = joined.ratings.assessors, joined.ratings.topics
    for person, own in compare_items(people, machine, SCORES[scoring]).items():
        for topic, ahead, behind in own:
            outcome = {1: 0, 0: 1, -1: 2}[behind - ahead]
            expected[outcome, topics.index(topic), names.index(person)] += 1
    assert counts.tolist() == expected.tolist()
    assert counts.sum() > 200
    assert counts[:, :, names.index("m")].sum() == 0


def test_levels_far_off_cost_more_by_rmse_only():
    people = [("t", "d", "a", 1), ("t", "d", "b", 0), ("t", "d", "c", 0)]
    joined = join(people, [("t", "d", 3)])
    who = joined.ratings.assessors.index("a")
    assert count_closer(joined)[:, 0, who].tolist() == [0, 1, 0]
    assert count_closer(joined, "rmse")[:, 0, who].tolist() == [1, 0, 0]


def test_distances_are_those_of_levels_not_of_steps():
    people = [("t", "d", "a", 4), ("t", "d", "b", 1), ("t", "d", "c", 9)]
    joined = join(people, [("t", "d", 9)], (0, 1, 4, 9))
    who = joined.ratings.assessors.index("a")
    # 3² + 5² for the person, 8² + 0 for the machine.
    assert count_closer(joined, "rmse")[:, 0, who].tolist() == [1, 0, 0]


def test_items_need_as_many_people_as_are_asked_for():
    people = [("t", "d", "a", 1), ("t", "d", "b", 1), ("t", "e", "a", 1)]
    joined = join(people, [("t", "d", 1), ("t", "e", 1)])
    assert count_closer(joined).sum() == 2
    assert count_closer(joined, fewest_people=3).sum() == 0


def test_an_unknown_scoring_is_refused():
    with pytest.raises(BadInput, match="'f1' is no way to score; known are accuracy, rmse"):
        count_closer(join(*simulate()), "f1")
