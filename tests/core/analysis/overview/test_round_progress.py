"""How far a round is: required, judged and left, people, topics, and the baseline."""

import numpy as np
import pandas as pd

from core.analysis.base.study import Study
from core.analysis.overview.round_progress import (
    burn_up,
    count_imported,
    current_round,
    other_open_rounds,
    round_by_topic,
    round_progress,
)
from core.assessment.handing_out.queue import finish_assignment
from core.assessment.rounds.rounds import close_round
from core.store.people.members import drop_member
from tests.short import long


def test_before_the_first_round_there_is_nothing(scene):
    assert current_round(scene.study) is None
    assert round_progress(scene.study) is None
    assert burn_up(scene.study).empty
    assert round_by_topic(scene.study).empty


def test_the_latest_open_round_counts_and_else_the_latest(scene):
    first, second = scene.open(name="First"), scene.open(name="Second")
    assert current_round(scene.study).name == "Second"
    assert other_open_rounds(scene.study) == ("First",)
    close_round(scene.store, second.round_id, closed=True)
    assert current_round(scene.study).name == "First"
    assert other_open_rounds(scene.study) == ()
    close_round(scene.store, first.round_id, closed=True)
    assert current_round(scene.study).name == "Second"


def test_required_is_every_item_of_every_place(scene):
    scene.invite("Anna", "Bob")
    scene.open(judges=2, repeat_share=0.5)
    progress = round_progress(scene.study)
    assert (progress.judged, progress.required, progress.left) == (0, 2 * 3 * 6, 36)
    scene.judge_place("Anna", most=2)
    progress = round_progress(scene.study)
    assert (progress.judged, progress.left) == (2, 34)
    assert len(progress.times) == 2


@long
def test_a_finished_place_requires_what_was_answered(scene):
    scene.invite("Anna")
    scene.open(judges=1)
    finish_assignment(scene.store, scene.judge_place("Anna", most=4))
    assert round_progress(scene.study).required == 4 + 12


@long
def test_imported_labels_are_no_progress_even_of_who_judges_now(scene):
    scene.invite("Anna")
    anna = scene.people["Anna"]
    scene.bring(
        "labels", f"assessor\ttopic\tdocument\tlevel\n{anna}\tt1\tt1d1\t1\nx\tt1\tt1d2\t1\n"
    )
    scene.open(judges=1)
    assert round_progress(scene.study).required == 18
    assert scene.take("Anna").topic_id == "t1"
    scene.give(anna, "t1", 2)
    scene.give(anna, "t1", 3)
    progress = round_progress(scene.study)
    assert (progress.judged, progress.required, progress.left) == (2, 17, 15)
    assert count_imported(scene.study) == 2
    assert len(progress.times) == 2


@long
def test_people_are_those_with_places_and_those_who_could_take_one(scene):
    scene.invite("Anna", "Bob", "Carla")
    scene.open(judges=1)
    scene.judge_place("Anna", most=2)
    drop_member(scene.store, scene.collection_id, scene.people["Carla"])
    people = round_progress(scene.study).people
    assert people["assessor"].tolist() == ["Anna", "Bob"]
    assert people["held"].tolist() == [1, 0]
    assert people["judged"].tolist() == [2, 0]
    assert people["left"].tolist() == [4, 0]
    assert people["last"].notna().tolist() == [True, False]


@long
def test_where_no_place_is_free_others_do_not_belong_to_the_round(scene):
    scene.invite("Anna", "Bob")
    scene.open(judges=1, assessors=(scene.people["Anna"],))
    assert round_progress(scene.study).people["assessor"].tolist() == ["Anna"]


@long
def test_who_judged_within_a_day_is_active(scene):
    scene.invite("Anna")
    scene.open(judges=1)
    scene.judge_place("Anna", most=1)
    progress = round_progress(scene.study)
    last = progress.people["last"].iloc[0]
    assert progress.count_active(last + pd.Timedelta(hours=24)) == 1
    assert progress.count_active(last + pd.Timedelta(hours=25)) == 0


def test_a_viewer_meets_codes(scene):
    scene.invite("Anna")
    scene.open(judges=1)
    scene.judge_place("Anna", most=1)
    people = round_progress(Study(scene.store, scene.collection_id, True)).people
    assert people["judged"].tolist() == [1]
    assert "Anna" not in people.to_string()
    assert scene.people["Anna"] not in people.to_string()


def test_the_curve_rises_by_one_with_each_judgement_and_is_thinned(scene, monkeypatch):
    scene.invite("Anna")
    scene.open(judges=1)
    scene.judge_place("Anna")
    curve = burn_up(scene.study)
    assert curve["judged"].tolist() == [1, 2, 3, 4, 5, 6]
    assert curve["time"].is_monotonic_increasing
    monkeypatch.setattr("core.analysis.overview.round_progress.MOST_POINTS", 3)
    scene.judge_place("Anna")
    assert burn_up(scene.study)["judged"].tolist() == [1, 6, 12]


def test_a_topic_half_done_is_half_done(scene):
    scene.invite("Anna", "Bob")
    scene.open(judges=2)
    topic = scene.judge_place("Anna").topic_id
    row = round_by_topic(scene.study).set_index("topic_id").loc[topic]
    assert row["progress"] == 0.5
    assert (row["judged"], row["required"], row["at_k"]) == (6, 12, 0)
    assert (row["open"], row["taken"], row["finished"], row["free"]) == (1, 0, 1, 1)
    scene.judge_place("Bob", most=3)
    row = round_by_topic(scene.study).set_index("topic_id").loc[topic]
    assert (row["progress"], row["at_k"], row["taken"]) == (0.75, 3, 1)
    others = round_by_topic(scene.study).set_index("topic_id").drop(topic)
    assert others["progress"].eq(0).all()


@long
def test_what_is_asked_of_nobody_is_done(scene):
    scene.invite("Anna")
    scene.open(judges=1)
    finish_assignment(scene.store, scene.take("Anna"))
    assert round_by_topic(scene.study)["progress"].max() == 1
    assert np.isfinite(round_by_topic(scene.study)["progress"]).all()
