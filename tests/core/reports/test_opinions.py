"""The plan of opinions: what more would buy, in tables and in a sentence, of real labels, too."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.agreement.ratings import Ratings, ratings_from_labels
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.errors import BadInput, TooLittleData
from core.planning.opinions import ONE_OPINION, Opinions
from core.planning.variance import FEW_TOPICS, METHOD
from core.reports.opinions import OpinionPlan, OpinionQuestion
from core.reports.report import stack_tables
from core.wording import drop_marks
from tests.calibration.label_models import MODELS, label_rows
from tests.each import each
from tests.short import long


def draw(topics: int = 12, assessors: int = 3) -> Ratings:
    rows = label_rows(MODELS[1].draw(topics, assessors, np.random.default_rng(1)))
    return ratings_from_labels(rows, "page", range(4))


@pytest.fixture(scope="module")
def plan() -> OpinionPlan:
    return OpinionPlan(draw())


def test_as_many_labels_are_spent_on_topics_or_on_opinions(plan):
    rows = plan.equal_cost
    labels = len(plan.ratings.item)
    assert rows["opinions"].tolist() == [1, 2, 3, 5]
    assert (rows["labels"] <= labels).all()
    assert (rows["labels"] > 0.7 * labels).all()
    assert rows.set_index("opinions").loc[3, "topics"] == 12
    assert rows["people"].tolist() == [3, 3, 3, 5]
    assert rows["difference"].is_monotonic_increasing
    assert (rows["low"] < rows["difference"]).all()
    assert (rows["mean_high"] > rows["mean"]).all()
    assert set(rows["interval"]) == {METHOD}
    fewer = OpinionPlan(plan.ratings, OpinionQuestion(budget=labels // 2)).equal_cost
    assert (fewer["labels"] <= labels // 2).all()
    none = OpinionPlan(plan.ratings, OpinionQuestion(budget=3))
    assert none.equal_cost.empty
    assert none.answer.endswith(" alone " + none.answer.rpartition(" ")[2])


def test_what_one_more_buys(plan):
    rows = plan.gains.set_index("step")
    topic, opinion = rows.loc["one more topic"], rows.loc["one more opinion on each item"]
    here, instead = rows.loc["as it is"], rows.iloc[3]
    assert here["labels"] == here["saved"] == 0
    assert topic["labels"] == pytest.approx(len(plan.ratings.item) / 12)
    assert instead["labels"] == pytest.approx(opinion["labels"], rel=0.5)
    assert topic["difference"] == pytest.approx(here["difference"] * (12 / 13) ** 0.5)
    assert instead["difference"] < opinion["difference"] < here["difference"]
    assert (rows["saved"] == here["difference"] - rows["difference"]).all()
    more = OpinionPlan(plan.ratings, OpinionQuestion(items=1)).gains["difference"].iloc[0]
    assert more == pytest.approx(here["difference"] * plan.now.items**0.5)


def test_components_are_shares_of_their_sum(plan):
    rows = plan.components
    assert rows["facet"].tolist() == ["topic", "item", "assessor", "residual"]
    assert rows["share"].sum() == pytest.approx(1)


def test_the_learning_curve_falls_with_topics_and_with_opinions(plan):
    wide = plan.learning.pivot_table("error", "topics", "opinions", "first")
    assert wide.columns.tolist() == [1, 2, 3]
    assert (np.diff(wide, axis=0) < 0).all()
    assert wide.iloc[-1, -1] == 0
    assert (np.diff(wide.iloc[-1]) < 0).all()
    again = OpinionPlan(plan.ratings).learning
    pd.testing.assert_frame_equal(again, plan.learning)
    other = OpinionPlan(plan.ratings, OpinionQuestion(seed=2)).learning
    assert not other.equals(plan.learning)


def test_where_to_ask_next_follows_from_numbers_of_opinions_alone(plan):
    rows = plan.next
    assert rows["saved"].is_monotonic_decreasing
    assert (rows["after"] < rows["error"]).all()
    mixed = np.random.default_rng(2).permutation(len(plan.ratings.level))
    other = OpinionPlan(replace(plan.ratings, level=plan.ratings.level[mixed])).next
    assert other["topic_id"].tolist() == rows["topic_id"].tolist()
    ratio = other["error"] / rows["error"]
    assert ratio.to_numpy() == pytest.approx(ratio.iloc[0])
    kept = plan.ratings.assessor != 0
    kept |= plan.ratings.topic != 3
    few = replace(
        plan.ratings,
        **{name: getattr(plan.ratings, name)[kept] for name in ("item", "assessor", "level")},
        topic=plan.ratings.topic[kept],
    )
    first = OpinionPlan(few).next.iloc[0]
    assert first["topic_id"] == plan.ratings.topics[3]
    assert first["fewest"] == 2


def test_the_answer_says_what_is_known_and_what_more_buys(plan):
    said = drop_marks(plan.answer)
    here = plan.gains.iloc[0]
    assert said.startswith(
        f"By {len(plan.ratings.item):,} labels of 3 people on 12 topics, the mean"
    )
    assert f"of two systems one of {here['difference']:.3f} ({here['low']:.3f} to" in said
    best = "as many labels tell differences best with 1 opinion an item on 36 topics"
    assert f"By these variances, {best}" in said
    assert "\ue000" in plan.answer
    assert len(plan.notes) == 2


def test_without_limits_the_sentence_has_none():
    two = OpinionPlan(draw(2))
    assert FEW_TOPICS in set(two.gains["reason"])
    assert " to " not in drop_marks(two.answer).split(". ")[0]


def test_where_few_items_have_two_opinions_that_is_said(plan):
    ratings = plan.ratings
    kept = (ratings.assessor == 0) | (ratings.topic < 3)
    few = replace(
        ratings,
        item=ratings.item[kept],
        assessor=ratings.assessor[kept],
        level=ratings.level[kept],
        topic=ratings.topic[kept],
    )
    assert "fewer than half" in OpinionPlan(few).notes[-1]


def test_what_is_too_little_says_so(plan):
    ratings = plan.ratings
    none = ratings.select(np.zeros(len(ratings.items), dtype=bool))
    with pytest.raises(TooLittleData, match="nothing has been judged"):
        _ = OpinionPlan(none).answer
    with pytest.raises(TooLittleData, match=ONE_OPINION):
        _ = OpinionPlan(draw(assessors=1)).answer


@each("question", [OpinionQuestion(items=-1), OpinionQuestion(budget=-1)])
def test_numbers_below_one_are_refused(plan, question):
    with pytest.raises(BadInput):
        _ = OpinionPlan(plan.ratings, question).gains


def test_labels_that_are_all_alike_vary_from_nowhere(plan):
    alike = OpinionPlan(replace(plan.ratings, level=0 * plan.ratings.level))
    assert alike.components["share"].isna().all()
    assert alike.gains["difference"].eq(0).all()


def test_tables_stand_below_each_other(plan):
    whole = stack_tables({one: plan.table(one) for one in plan.tables})
    assert set(whole["table"]) == set(plan.tables)
    of = plan.describe_interval("gains", plan.gains.iloc[0])["of"]
    assert of == "standard error of the difference of two systems, over topics like these"


CROWD = {"assessor": "workerID", "topic": "topicID", "document": "docID", "level": "label"}


@long
def test_labels_of_trained_people_and_of_a_crowd(dl19: Path, shared_data: Path):
    """What the handbook tells of both."""
    trained = read_plan(dl19 / "labels.tsv")
    here, _, opinion, topics = trained.gains.to_dict("records")
    told = [here["difference"], here["low"], here["high"], opinion["difference"]]
    assert [round(one, 3) for one in told] == [0.074, 0.066, 0.084, 0.07]
    assert opinion["labels"] == 2_728
    assert topics["step"] == "11 more topics instead"
    assert round(topics["difference"], 3) == 0.061
    crowd = read_plan(shared_data / "rf10" / "labels.tsv.gz", columns=CROWD, missing=("-2",))
    plans = [one.components.set_index("facet") for one in (trained, crowd)]
    assert [round(one.loc["assessor", "share"], 2) for one in plans] == [0.23, 0.4]


def read_plan(path: Path, **options: object) -> OpinionPlan:
    rows = read_import("labels", Source.at(path), **options).frames["labels"]
    return OpinionPlan(ratings_from_labels(rows, "page"))


@long
@pytest.mark.parametrize("study", ["dl19", "rf10"])
def test_two_made_up_systems_differ_as_much_as_is_said(study: str, dl19: Path, shared_data: Path):
    """Ten items of a topic, and ten others, of every topic that has so many; all their labels."""
    if study == "dl19":
        plan = read_plan(dl19 / "labels.tsv")
    else:
        path = shared_data / "rf10" / "labels.tsv.gz"
        plan = read_plan(path, columns=CROWD, missing=("-2",))
    given, rng = Opinions.of(plan.ratings), np.random.default_rng(1)
    mean = np.bincount(given.item, given.value) / given.counts
    squares = []
    for topic in np.flatnonzero(given.sizes >= 20):
        items = np.flatnonzero(given.topic_of == topic)
        for _ in range(200):
            chosen = mean[rng.permutation(items)[:20]]
            squares.append((chosen[:10].mean() - chosen[10:].mean()) ** 2)
    told = plan.gains["difference"].iloc[0] * plan.now.topics**0.5
    assert np.mean(squares) ** 0.5 == pytest.approx(told, rel=0.1)


def test_where_no_error_is_known_the_reason_stands_and_nothing_is_called_best(plan):
    nothing = plan.gains.assign(difference=np.nan, reason="so few topics tell nothing")
    bare = replace(plan)
    bare.__dict__["gains"] = nothing
    assert bare.answer == "What more labels would buy cannot be told: so few topics tell nothing."
    assert "differences best with" in plan.answer


def test_labels_of_one_level_have_no_best_plan(plan):
    """All errors are 0 then: none is the least, and none is known to be 0."""
    same = replace(plan, ratings=replace(plan.ratings, level=np.ones_like(plan.ratings.level)))
    assert same.answer.startswith("The labels vary neither between topics and items nor between")
    assert "best" not in same.answer
    assert "vary neither" not in plan.answer


@pytest.mark.parametrize("draws", [-1, 0, 1])
def test_fewer_than_two_draws_are_no_curve(draws):
    with pytest.raises(BadInput, match="two draws or more"):
        OpinionQuestion(draws=draws)
