"""Groups of assessors: what is told in which state, by hand where it can be; what is withheld."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from core.errors import BadInput, TooLittleData
from core.measures.catalogue import parse_measure
from core.measures.evaluate import evaluate
from core.measures.ranking import compile_rankings
from core.reports.groups import (
    ANY_OF_THREE,
    FEWEST,
    GroupRankings,
    GroupsQuestion,
    read_group_labels,
    read_rule,
    tau_of,
)
from core.reports.level_weights import LevelWeights, WeightsQuestion, read_levels
from core.reports.user_model import usual_model
from core.versions.versions import qrels_from_labels
from core.wording import drop_marks
from tests.calibration.groups import ALIKE as MODELS_ALIKE
from tests.calibration.groups import LEVELS, PeopleModel, find_in_groups
from tests.short import few, long

QUICK = GroupsQuestion(measure="nDCG@5", samples=99)
ALIKE = PeopleModel("alike", lenient=0.3)
APART = PeopleModel("apart", apart=6.0)


def draw(model: PeopleModel, people: int, seed: int = 1, groups: int = 2):
    labels, runs = model.draw(people, np.random.default_rng(seed))
    if groups > 2:
        number = labels["assessor_id"].str[1:].astype("int64")
        labels["group"] = "g" + (number % groups).astype("str")
    return labels, runs


def ask(labels, runs=None, question=QUICK, **reading) -> GroupRankings:
    given = read_group_labels(labels, "page", LEVELS, **reading)
    return GroupRankings(given, runs, question)


@pytest.fixture(scope="module")
def alike() -> GroupRankings:
    return ask(*draw(ALIKE, 12))


@pytest.fixture(scope="module")
def apart() -> GroupRankings:
    return ask(*draw(APART, 30, seed=5))


def test_that_three_things_are_tested_is_said_where_they_are(alike: GroupRankings):
    assert f"came up in up to {ANY_OF_THREE} of 100" in " ".join(alike.notes)
    without = ask(draw(ALIKE, 12)[0])
    assert without.levels["p"].notna().any()
    assert "of 100" not in " ".join(without.notes)


@long
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("model", MODELS_ALIKE, ids=lambda one: one.name)
@pytest.mark.parametrize("people", [10, 30])
def test_any_of_the_three_errs_no_more_often_than_is_said(model: PeopleModel, people: int):
    found = (find_in_groups(model, people, 1_000) > 0).any(axis=0).mean()
    assert found - 2 * (found * (1 - found) / 1_000) ** 0.5 <= ANY_OF_THREE / 100


def test_an_unusual_level_is_told():
    said = ask(draw(ALIKE, 12)[0], question=replace(QUICK, alpha=0.9)).answer
    assert said.endswith("People were dealt anew 99 times; what has p < 0.9 is shown.")


def test_only_what_is_tested_is_said_to_be(alike: GroupRankings):
    assert "rankings, means and weights are tested each on its own" in " ".join(alike.notes)
    labels, runs = draw(ALIKE, 12)
    one = ask(labels, runs[runs["system"] == "s00"])
    assert "means and weights are tested each on its own" in " ".join(one.notes)
    assert "rankings, means and weights are" not in " ".join(one.notes)


def test_a_geometric_mean_ranks_no_systems():
    """Means over topics are no geometric ones, so a test of these would be of another measure."""
    labels, runs = draw(ALIKE, 12)
    found = ask(labels, runs, replace(QUICK, measure="GMAP"))
    assert "by their rankings: systems are not ranked: GMAP is one geometric mean" in found.answer
    assert found.ranking.empty
    assert found.systems.empty
    assert found.levels["p"].notna().any()


def test_systems_that_are_all_alike_have_a_reason_for_no_order():
    labels, runs = draw(ALIKE, 12)
    same = runs[runs["system"] == "s00"]
    found = ask(labels, pd.concat([same, same.assign(system="again")]))
    assert found.orders["reason"].item().endswith("systems that are all alike neither")
    assert "by their rankings: one system has no order" in found.answer


def test_where_nothing_is_tested_no_dealing_is_told():
    labels, runs = draw(ALIKE, 5)
    said = ask(labels.assign(level=0), runs).answer
    assert said.endswith("are not compared by their rankings: no topic counts for both groups.")


@pytest.mark.parametrize(("samples", "least"), [(99, "0.010"), (1_999, "0.0005")])
def test_too_few_dealings_are_not_told_as_too_few_people(samples: int, least: str):
    labels, _ = draw(ALIKE, 40)
    said = drop_marks(ask(labels, question=replace(QUICK, alpha=1e-4, samples=samples)).answer)
    assert "so few people" not in said
    with_dealings = f"With {samples:,} dealings no p can be below {least}: only more of them could"
    assert with_dealings in said


def test_of_several_pairs_those_with_few_people_are_counted():
    labels, runs = draw(ALIKE, 21)
    labels.loc[labels["assessor_id"] == "a00", "group"] = "alone"
    said = drop_marks(ask(labels, runs).answer)
    assert "With so few people in 2 pairs of groups no p can be below 0.214: nothing could " in said
    assert "shown there." in said


def test_where_groups_are_alike_nothing_is_said_to_be_shown(alike: GroupRankings):
    order, said = alike.orders.iloc[0], drop_marks(alike.answer)
    assert order["p"] >= 0.05
    assert said.startswith("experts and others are not shown to rank the systems differently (")
    assert f"Kendall's τ-b {order['tau']:.3f}, and {order['dealt']:.3f} on average" in said
    least = alike.systems["p"].min()
    assert f"Of 5 differences in the mean nDCG@5 of a system, none is shown (least p = {least:.3f}"
    assert "of a level, none is shown" in said
    assert said.endswith("People were dealt anew 99 times.")
    assert "With so few" not in said


def test_where_groups_see_other_things_it_is_said(apart: GroupRankings):
    said = drop_marks(apart.answer)
    assert apart.orders["p"].item() < 0.05
    assert said.startswith("experts and others are shown to rank the systems differently (")
    found = int((apart.systems["p"] < 0.05).sum())
    assert found
    verb = "is" if found == 1 else "are"
    assert f"Of 5 differences in the mean nDCG@5 of a system, {found} {verb} shown" in said
    assert apart.orders["dealt"].item() > apart.orders["tau"].item()


def test_rankings_are_those_of_each_groups_own_labels(alike: GroupRankings):
    labels, runs = draw(ALIKE, 12)
    scored = {}
    for group, own in labels.groupby("group"):
        version = qrels_from_labels(own, alike.rule, None, 3)
        scored[group] = evaluate([parse_measure("nDCG@5")], compile_rankings(runs, version))
    common = set.intersection(*(set(one["topic_id"]) for one in scored.values()))
    assert alike.orders["topics"].item() == len(common)
    for group, scores in scored.items():
        expected = scores[scores["topic_id"].isin(common)].groupby("system")["value"].mean()
        shown = alike.ranking[alike.ranking["group"] == group].set_index("system")["value"]
        pd.testing.assert_series_equal(shown, expected, check_names=False, check_like=True)
    systems = alike.systems.set_index("system")
    both = alike.ranking.pivot(index="system", columns="group", values="value")
    np.testing.assert_allclose(
        systems["difference"], (both["experts"] - both["others"])[systems.index]
    )
    assert alike.orders["tau"].item() == pytest.approx(tau_of(both["experts"], both["others"]))
    assert alike.ranking["units"].tolist() == alike.ranking["topics"].tolist()


def test_weights_are_those_of_each_groups_own_labels(alike: GroupRankings):
    labels, _ = draw(ALIKE, 12)
    for at, (group, own) in enumerate(labels.groupby("group")):
        asked = WeightsQuestion(usual_model(LEVELS))
        expected = LevelWeights(read_levels(own, "page", LEVELS), asked).levels
        shown = alike.weights[alike.weights["group"] == group]
        np.testing.assert_allclose(shown["weight"], expected["weight"])
        np.testing.assert_allclose(shown["low"], expected["low"])
        of_level = alike.levels[("first_weight", "second_weight")[at]]
        np.testing.assert_allclose(of_level, expected["weight"].iloc[1:3])
    assert alike.levels["level"].tolist() == [1, 2]


def test_groups_are_counted(alike: GroupRankings):
    labels, _ = draw(ALIKE, 12)
    own = labels[labels["group"] == "experts"]
    row = alike.groups.set_index("group").loc["experts"]
    assert row.tolist() == [
        own["assessor_id"].nunique(),
        len(own),
        len(own.drop_duplicates(["topic_id", "document_id"])),
        own["topic_id"].nunique(),
    ]


def test_dealings_do_not_hang_on_what_people_are_called(alike: GroupRankings):
    labels, runs = draw(ALIKE, 12)
    codes = {one: f"z{hash(one) % 997}{one}" for one in labels["assessor_id"].unique()}
    codes = dict(zip(sorted(codes), sorted(codes.values(), key=lambda one: one[::-1]), strict=True))
    other = ask(labels.assign(assessor_id=labels["assessor_id"].map(codes)), runs)
    pd.testing.assert_frame_equal(other.orders, alike.orders)
    pd.testing.assert_frame_equal(other.systems, alike.systems)
    pd.testing.assert_frame_equal(other.levels, alike.levels)


def test_with_so_few_people_it_is_said_that_nothing_could_be_shown():
    labels, runs = draw(ALIKE, 5)
    said = drop_marks(ask(labels, runs).answer)
    assert "With so few people no p can be below 0.100: nothing could be shown." in said


def test_of_several_groups_p_are_corrected_for_the_pairs():
    labels, runs = draw(ALIKE, 18, groups=3)
    found = ask(labels, runs)
    assert found.orders[["first", "second"]].to_numpy().tolist() == [
        ["g0", "g1"], ["g0", "g2"], ["g1", "g2"],
    ]  # fmt: skip
    said = drop_marks(found.answer)
    assert said.startswith("Of 3 pairs of 3 groups, none is shown to rank the systems differently")
    pair = ask(labels[labels["group"] != "g2"], runs)
    # Dealt by another seed: about three times the p of the pair alone.
    assert found.orders["p"].iloc[0] == pytest.approx(min(3 * pair.orders["p"].item(), 1), abs=0.4)
    assert (found.systems["p"] <= 1).all()


@long
def test_which_of_several_groups_differ_is_named():
    labels, runs = draw(APART, 60, seed=5)
    third = labels[labels["group"] == "others"].assign(group="readers")
    number = third["assessor_id"].str[1:].astype("int64")
    labels = pd.concat([labels[~labels["assessor_id"].isin(third["assessor_id"][number % 2 == 0])],
                        third[number % 2 == 0]])  # fmt: skip
    found = ask(labels, runs, replace(QUICK, samples=299))
    said = drop_marks(found.answer)
    assert "are shown to rank the systems differently: experts and others, experts and" in said


def test_without_runs_weights_alone_are_compared():
    labels, _ = draw(ALIKE, 12)
    found = ask(labels)
    said = drop_marks(found.answer)
    assert said.startswith("experts and others are not compared by their rankings: there are no ")
    assert "UDM weight of a level" in said
    assert found.systems.empty
    assert found.ranking.empty
    assert "there are no runs, so systems are not ranked" in found.notes


def test_a_version_of_more_than_one_groups_labels_is_named():
    labels, runs = draw(ALIKE, 12)
    slots = replace(read_rule("all, maximum", "page"), slots=(1,), name="slot 1")
    found = ask(labels, runs, replace(QUICK, rule=slots))
    assert "the version 'slot 1' cannot be made of one group's labels" in found.answer


def test_groups_on_other_topics_have_no_rankings_to_compare():
    labels, runs = draw(ALIKE, 12)
    early = labels["topic_id"] < "t03"
    labels = labels[(labels["group"] == "experts") == early]
    found = ask(labels, runs)
    assert "not compared by their rankings: no topic counts for both groups" in found.answer
    assert found.ranking.empty
    assert found.systems["p"].isna().all()
    assert set(found.systems["reason"]) == {"no topic counts for both groups"}


def test_one_system_has_no_order():
    labels, runs = draw(ALIKE, 12)
    found = ask(labels, runs[runs["system"] == "s00"])
    assert "one system has no order" in found.answer


def test_only_declared_topics_are_scored():
    labels, runs = draw(ALIKE, 12)
    given = read_group_labels(labels, "page", LEVELS)
    found = GroupRankings(given, runs, QUICK, topics=("t01", "t02", "t03"))
    assert found.orders["topics"].item() == 3
    assert found.ranking["topics"].unique().tolist() == [3]


def test_who_is_in_no_group_is_left_out_and_counted():
    labels, runs = draw(ALIKE, 14)
    labels.loc[labels["assessor_id"].isin(["a12", "a13"]), "group"] = ""
    found = ask(labels, runs)
    assert "2 people without a group left out" in found.notes
    assert found.groups["people"].sum() == 12


def test_groups_may_come_from_a_list_of_people():
    labels, runs = draw(ALIKE, 12)
    people = labels[["assessor_id", "group"]].drop_duplicates()
    people = people.rename(columns={"assessor_id": "assessor", "group": "employer"})
    found = ask(labels.drop(columns="group"), runs, people=people, by="employer")
    pd.testing.assert_frame_equal(found.orders, ask(labels, runs).orders)


def test_what_cannot_be_read_is_refused():
    labels, _ = draw(ALIKE, 12)
    people = pd.DataFrame({"assessor": ["a00"], "employer": ["x"]})
    with pytest.raises(BadInput, match="the labels have no column 'expertise'"):
        ask(labels, by="expertise")
    with pytest.raises(BadInput, match="the list of people has no column 'expertise'"):
        ask(labels, people=people, by="expertise")
    with pytest.raises(BadInput, match="more than one group"):
        ask(labels, people=pd.concat([people, people.assign(employer="y")]), by="employer")
    with pytest.raises(BadInput, match="is not written as 'all, median, in whole levels'"):
        read_rule("best of all", "page")
    with pytest.raises(BadInput, match="99 to 100,000 times"):
        GroupsQuestion(samples=5)
    with pytest.raises(BadInput, match="α lies between 0 and 1"):
        GroupsQuestion(alpha=1)


def test_a_gap_in_the_scale_is_told():
    labels, _ = draw(ALIKE, 12)
    given = read_group_labels(labels[labels["level"] != 1], "page")
    assert "scale" in " ".join(given.notes)


def test_one_group_alone_is_not_compared():
    labels, runs = draw(ALIKE, 12)
    found = ask(labels.assign(group="all"), runs)
    for name in found.tables:
        with pytest.raises(TooLittleData, match="fewer than two groups of assessors"):
            found.table(name)


PERSONAL = (
    replace(QUICK, attribute="Age group"),
    replace(QUICK, attribute="postcode", personal=True),
)


@pytest.mark.parametrize("question", few(PERSONAL), ids=lambda one: one.attribute)
def test_small_groups_of_a_personal_attribute_are_in_no_table(question: GroupsQuestion):
    """Twenty people are shown and nineteen are not; their labels count nowhere."""
    labels, runs = draw(ALIKE, 2 * FEWEST + 19, seed=3)
    number = labels["assessor_id"].str[1:].astype("int64")
    labels["group"] = np.select([number < 20, number < 40], ["young", "old"], "hidden")
    found = ask(labels, runs, question)
    assert found.shown == ("old", "young")
    without = ask(labels[labels["group"] != "hidden"], runs, replace(question, personal=True))
    for name in found.tables:
        assert "hidden" not in found.table(name).to_csv()
        pd.testing.assert_frame_equal(found.table(name), without.table(name))
    assert "hidden" not in found.answer + " ".join(found.notes)
    assert any("groups of fewer than 20 people are not shown" in note for note in found.notes)
    assert ask(labels, runs).shown == ("hidden", "old", "young")


@pytest.mark.parametrize("question", PERSONAL, ids=lambda one: one.attribute)
def test_two_small_groups_of_a_personal_attribute_are_not_compared(question: GroupsQuestion):
    labels, runs = draw(ALIKE, 39, seed=3)
    number = labels["assessor_id"].str[1:].astype("int64")
    labels["group"] = np.where(number < 20, "many", "few")
    found = ask(labels, runs, question)
    for name in (*found.tables, "answer"):
        with pytest.raises(TooLittleData, match="is a personal attribute") as told:
            found.table(name) if name != "answer" else found.answer
        assert "few " not in str(told.value).replace("fewer", "")


def test_progress_is_told():
    labels, runs = draw(ALIKE, 9, groups=3)
    told: list[float] = []
    given = read_group_labels(labels, "page", LEVELS)
    _ = GroupRankings(given, runs, QUICK, progress=told.append).orders
    assert told == sorted(told)
    assert told[-1] == pytest.approx(1)
