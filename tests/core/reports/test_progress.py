"""How far a round is: required, judged and left, people, topics, and the sentence about it."""

import uuid

import numpy as np
import pandas as pd
import pytest

from core.analysis.base.study import Study, coded_labels_of
from core.analysis.judging.progress import ask_progress, keep_progress
from core.analysis.judging.questions import find_remarks
from core.assessment.handing_out.queue import finish_assignment
from core.assessment.rounds.rounds import close_round
from core.errors import NotFound
from core.reports.forecast import Forecast
from core.reports.progress import Progress, ProgressQuestion
from core.store.events.labels import Key, LabelEvent
from core.store.people.members import add_member, drop_member
from core.wording import drop_marks
from tests.core.analysis.overview.conftest import Scene, scene, scene_store

__all__ = ["scene", "scene_store"]

NOW = pd.Timestamp("2026-11-24 15:00")


def ask(scene: Scene, round_name: str = "", now: pd.Timestamp | None = None) -> Progress:
    return ask_progress(scene.study, ProgressQuestion(round_name), now)


def test_before_the_first_round_there_is_nothing(scene):
    found = ask(scene)
    assert found.rules is None
    assert (found.judged, found.required, found.complete) == (0, 0, (0, 0))
    for name in ("rounds", "items", "course", "ahead", "end", "in_round", "holders", "places"):
        assert getattr(found, name).empty
    assert found.topics["topic_id"].tolist() == ["t1", "t2", "t3"]
    assert found.topics["judged"].isna().all()
    assert found.judges == 2
    assert found.notes == ()


def test_the_latest_open_round_counts_and_else_the_latest(scene):
    first, second = scene.open(name="First"), scene.open(name="Second")
    assert ask(scene).rules.name == "Second"
    assert ask(scene).others_open == ("First",)
    close_round(scene.store, second.round_id, closed=True)
    assert ask(scene).rules.name == "First"
    assert ask(scene).others_open == ()
    close_round(scene.store, first.round_id, closed=True)
    assert ask(scene).rules.name == "Second"


def test_a_round_is_asked_about_by_name_or_id(scene):
    first, _ = scene.open(name="First"), scene.open(name="Second")
    assert ask(scene, "First").rules == ask(scene, first.round_id).rules == first
    with pytest.raises(NotFound, match="no round 'Third'"):
        ask(scene, "Third")


def test_required_is_every_item_of_every_place(scene):
    scene.invite("Anna", "Bob")
    scene.open(judges=2, repeat_share=0.5)
    found = ask(scene)
    assert (found.judged, found.required, found.left) == (0, 2 * 3 * 6, 36)
    scene.judge_place("Anna", most=2)
    found = ask(scene)
    assert (found.judged, found.left, found.complete) == (2, 34, (0, 18))
    assert len(found.times) == 2


def test_a_finished_place_requires_what_was_answered(scene):
    scene.invite("Anna")
    scene.open(judges=1)
    finish_assignment(scene.store, scene.judge_place("Anna", most=4))
    assert ask(scene).required == 4 + 12
    assert ask(scene).complete == (4, 18)


def test_imported_labels_are_no_progress_even_of_who_judges_now(scene):
    scene.invite("Anna")
    anna = scene.people["Anna"]
    scene.bring(
        "labels", f"assessor\ttopic\tdocument\tlevel\n{anna}\tt1\tt1d1\t1\nx\tt1\tt1d2\t1\n"
    )
    scene.open(judges=1)
    assert ask(scene).required == 18
    assert scene.take("Anna").topic_id == "t1"
    scene.give(anna, "t1", 2)
    scene.give(anna, "t1", 3)
    found = ask(scene)
    assert (found.judged, found.required, found.left) == (2, 17, 15)
    assert found.imported == 2
    assert found.complete == (3, 18)
    assert len(found.times) == 2
    topic = found.topics.set_index("topic_id").loc["t1"]
    assert (topic["labels"], topic["imported"], topic["labelled"]) == (4, 2, 3)
    assert topic["assessors"] == 2


def test_holders_are_those_with_places_and_those_who_could_take_one(scene):
    scene.invite("Anna", "Bob", "Carla")
    scene.open(judges=1)
    scene.judge_place("Anna", most=2)
    drop_member(scene.store, scene.collection_id, scene.people["Carla"])
    found = ask(scene)
    assert found.holders["assessor"].tolist() == ["Anna", "Bob"]
    assert found.holders["held"].tolist() == [1, 0]
    assert found.holders["judged"].tolist() == [2, 0]
    assert found.holders["left"].tolist() == [4, 0]
    assert found.holders["last"].notna().tolist() == [True, False]
    people = found.people.set_index("assessor").loc[["Anna", "Bob", "Carla"]]
    assert people["dropped"].tolist() == [False, False, True]
    assert people["judged"].tolist() == [2, 0, 0]
    assert people.loc["Anna", ["places", "finished", "taken", "open"]].tolist() == [1, 0, 1, 0]


def test_where_no_place_is_free_others_do_not_belong_to_the_round(scene):
    scene.invite("Anna", "Bob")
    scene.open(judges=1, assessors=(scene.people["Anna"],))
    assert ask(scene).holders["assessor"].tolist() == ["Anna"]


def test_who_judged_within_a_day_is_active(scene):
    scene.invite("Anna")
    scene.open(judges=1)
    scene.judge_place("Anna", most=1)
    last = ask(scene).holders["last"].iloc[0]
    assert ask(scene, now=last + pd.Timedelta(hours=24)).count_active() == 1
    assert ask(scene, now=last + pd.Timedelta(hours=25)).count_active() == 0


def test_the_curve_rises_by_one_with_each_judgement_and_is_thinned(scene, monkeypatch):
    scene.invite("Anna")
    rules = scene.open(judges=1)
    scene.judge_place("Anna")
    curve = ask(scene).course
    assert curve["judged"].tolist() == [0, 1, 2, 3, 4, 5, 6, 6]
    assert curve["time"].is_monotonic_increasing
    assert curve["time"].iloc[0] == rules.created_at
    monkeypatch.setattr("core.reports.progress.MOST_POINTS", 3)
    scene.judge_place("Anna")
    assert ask(scene).course["judged"].tolist() == [0, 1, 6, 12, 12]
    close_round(scene.store, rules.round_id, closed=True)
    assert ask(scene).course["judged"].tolist() == [0, 1, 6, 12]


def test_a_topic_half_done_is_half_done(scene):
    scene.invite("Anna", "Bob")
    scene.open(judges=2)
    topic = scene.judge_place("Anna").topic_id
    row = ask(scene).in_round.set_index("topic_id").loc[topic]
    assert row["progress"] == 0.5
    assert (row["judged"], row["required"], row["at_k"], row["complete"]) == (6, 12, 0, 0)
    assert (row["open"], row["taken"], row["finished"], row["free"]) == (1, 0, 1, 1)
    scene.judge_place("Bob", level=None, most=3)
    row = ask(scene).topics.set_index("topic_id").loc[topic]
    assert (row["progress"], row["at_k"], row["complete"], row["taken"]) == (0.75, 0, 3, 1)
    others = ask(scene).topics.set_index("topic_id").drop(topic)
    assert others["progress"].eq(0).all()
    assert ask(scene).topics["topic_id"].iloc[-1] == topic


def test_what_is_asked_of_nobody_is_done(scene):
    scene.invite("Anna")
    scene.open(judges=1)
    finish_assignment(scene.store, scene.take("Anna"))
    assert ask(scene).in_round["progress"].max() == 1
    assert np.isfinite(ask(scene).in_round["progress"]).all()


def test_places_of_every_round_are_counted_as_they_stand(scene):
    scene.invite("Anna", "Bob")
    first = scene.open(judges=2, name="*First*", assessors=tuple(scene.people.values()))
    finish_assignment(scene.store, scene.take("Anna"))
    scene.take("Anna")
    close_round(scene.store, first.round_id, closed=True)
    second = scene.open(judges=1, name="Second")
    found = ask(scene)
    rows = found.rounds.set_index("round")
    assert rows.index.tolist() == ["*First*", "Second"]
    assert rows["state"].tolist() == ["closed", "open"]
    states = ["places", "finished", "taken", "open", "reserved", "free"]
    assert rows.loc["*First*", states].tolist() == [6, 1, 1, 4, 4, 0]
    assert rows.loc["Second", states].tolist() == [3, 0, 0, 3, 0, 3]
    assert rows["share"].tolist() == [1 / 6, 0]
    assert found.count_unfinished(first.round_id) == (5, 6)
    said = drop_marks(found.say_places(first.round_id, with_states=True))
    assert said == "*First*: 1 of 6 slots finished, 1 begun, 4 reserved"
    said = drop_marks(found.say_places(second.round_id))
    assert said == "Second: 0 of 3 slots finished"


def judge(scene, who, document, level, *, facet="page", engine="", occasion=0, dwell=0, **rest):
    state = "level" if level is not None else rest.pop("state", "cannot judge")
    key = Key(document[:2], document, facet, engine, who, occasion)
    event = LabelEvent(str(uuid.uuid4()), None, key, state, level, dwell, **rest)
    scene.store.labels.append(scene.collection_id, [event])


@pytest.fixture
def judged(scene):
    for name in ("anna", "bob", "carla", "dan"):
        add_member(scene.store, scene.collection_id, name, name)
    judge(scene, "anna", "t1d1", 2, dwell=4000)
    judge(scene, "anna", "t1d2", 0, dwell=8000, comment="odd")
    judge(scene, "anna", "t2d1", 1)
    judge(scene, "anna", "t1d1", 1, occasion=1, dwell=6000)
    judge(scene, "bob", "t1d1", 3)
    judge(scene, "bob", "t1d2", None)
    judge(scene, "bob", "t1d3", None, state="later")
    judge(scene, "stray", "t1d1", 1, facet="snippet", engine="one")
    return scene


def test_a_topic_counts_items_once_and_imported_labels_apart(judged):
    judge(judged, "dan", "t1d3", 1, source="import")
    judge(judged, "dan", "x9d3", 1)
    table = ask(judged).topics
    assert table["topic_id"].tolist() == ["t1", "t2", "t3", "x9"]
    assert table["query"].iloc[-1] == ""
    row = table.set_index("topic_id").loc["t1"]
    assert (row["labels"], row["imported"], row["labelled"]) == (6, 1, 4)
    assert (row["assessors"], row["cannot_judge"]) == (4, 1)
    empty = table.set_index("topic_id").loc["t3"]
    assert empty[["labels", "imported", "labelled", "assessors", "cannot_judge"]].eq(0).all()


def test_assessors_have_a_pace_and_those_without_labels_a_row(judged):
    drop_member(judged.store, judged.collection_id, "dan")
    table = ask(judged).people.set_index("assessor_id")
    assert table["labels"].to_dict() == {"anna": 4, "bob": 1, "stray": 1, "carla": 0, "dan": 0}
    assert table.index[0] == "anna"
    assert table.loc["anna", "median_seconds"] == 6.0
    assert pd.isna(table.loc["bob", "median_seconds"])
    assert table.loc["anna", "topics"] == 2
    assert table.loc["bob", ["cannot_judge", "later"]].tolist() == [1, 1]
    assert table.loc["stray", "assessor"] == "stray"
    assert pd.isna(table.loc["carla", "last"])
    assert table.index[table["dropped"]].tolist() == ["dan"]


def test_items_are_below_at_or_above_k(judged):
    judge(judged, "carla", "t1d1", 1)
    pages = ask(judged).items.query("facet == 'page'")
    assert pages["assessors"].tolist() == [1, 3]
    assert pages["items"].tolist() == [2, 1]
    assert pages["standing"].tolist() == ["below k", "surplus"]
    judged.open(judges=3)
    assert ask(judged).items["standing"].tolist() == ["below k", "at k", "below k"]


def test_remarks_are_comments_and_what_cannot_be_judged_latest_first(judged):
    table = find_remarks(coded_labels_of(judged.study))
    assert table["document_id"].tolist() == ["t1d2", "t1d2"]
    assert table["state"].tolist() == ["cannot judge", "level"]
    assert table["assessor"].tolist() == ["bob", "anna"]
    assert table["comment"].tolist() == ["", "odd"]
    assert table["given_level"].iloc[1] == 0
    judge(judged, "stray", "t1d1", None)
    assert find_remarks(coded_labels_of(judged.study))["assessor"].iloc[0] == "stray"


def test_a_viewer_meets_codes(scene):
    scene.invite("Anna")
    scene.open(judges=1)
    scene.judge_place("Anna", most=1)
    found = ask_progress(Study(scene.store, scene.collection_id, True))
    for people in (found.holders, found.people):
        assert people["judged"].tolist() == [1]
        assert "Anna" not in people.to_string()
        assert scene.people["Anna"] not in people.to_string()


def say(scene: Scene, now: pd.Timestamp = NOW) -> str:
    return drop_marks(ask(scene, now=now).answer)


def test_every_state_of_a_round_has_its_sentence(scene):
    scene.bring("labels", "assessor\ttopic\tdocument\tlevel\nx\tt1\tt1d1\t1\nx\tt1\tt1d2\t1\n")
    assert say(scene) == "Nothing is assigned: no round has been opened; 2 labels imported."
    assert ask(scene).forecast == "no round is open"
    rules = scene.open(judges=1, name="*First*")
    assert say(scene) == (
        "*First*: 0 of 18 judgements, 0 of 18 items fully judged; no forecast, as nothing "
        "has been judged; nobody is there to judge yet; 2 labels imported before."
    )
    scene.invite("Anna")
    scene.judge_place("Anna")
    now = pd.Timestamp(ask(scene).times[-1])
    said = say(scene, now)
    assert "6 of 18 judgements, 6 of 18 items fully judged; no forecast, as judging began" in said
    assert "1 of 1 person active in the last 24 hours;" in said
    close_round(scene.store, rules.round_id, closed=True)
    assert say(scene).startswith(
        "No round is open; *First* was closed with 6 of 18 judgements, 6 of 18 items"
    )
    close_round(scene.store, rules.round_id, closed=False)
    scene.judge_place("Anna")
    scene.judge_place("Anna")
    assert say(scene).startswith("*First* is done: all 18 judgements are in;")
    assert ask(scene).forecast == "nothing is left"


def test_a_closed_round_that_is_asked_for_does_not_deny_the_open_one(scene):
    first = scene.open(judges=1, name="First")
    close_round(scene.store, first.round_id, closed=True)
    scene.open(judges=1, name="Second")
    found = ask(scene, "First")
    assert drop_marks(found.answer).startswith("First was closed with 0 of 18 judgements, ")
    assert drop_marks(found.answer).endswith("; still open: Second.")
    assert found.forecast == "the round is closed"


def test_a_round_in_which_nothing_is_assigned_says_so(scene):
    scene.open(judges=1)
    scene.store.cursor().execute("DELETE FROM slots")
    assert say(scene) == "Round 1: nothing to judge is assigned."


def test_a_forecast_is_kept_for_a_minute_and_made_again_after_a_label(scene):
    scene.invite("Anna")
    scene.open(judges=1)
    scene.judge_place("Anna", most=5)
    scene.judge_place("Anna", most=1)
    scene.judge_place("Anna")
    cursor = scene.store.cursor()
    cursor.execute("UPDATE rounds SET created_at = created_at - INTERVAL 1 HOUR")
    cursor.execute("UPDATE labels SET time = time - to_minutes((9 - sequence)::BIGINT)")
    scene.judge_place("Anna", most=5)
    now = pd.Timestamp(ask(scene).times[-1]) + pd.Timedelta(minutes=1)
    first = keep_progress(scene.study, now)
    assert isinstance(first.forecast, Forecast)
    assert "between" in first.answer
    assert keep_progress(scene.study, now).forecast is first.forecast
    (row,) = first.end.to_dict("records")
    assert row["left"] == first.left
    assert row["earliest"] <= row["median"]
    assert first.describe_interval("end", row) == {
        "method": "bootstrap", "unit": "minute", "n": len(first.forecast.pace.counts),
        "of": "when the last judgement of the round comes, over minutes like these",
    }  # fmt: skip
    assert first.ahead["value"].iloc[0] == first.judged
    assert first.ahead["high"].max() <= first.required
    assert first.ahead["time"].is_monotonic_increasing
    (note,) = first.notes
    assert note.startswith("The forecast draws the ")
    later = now + pd.Timedelta(minutes=1)
    assert keep_progress(scene.study, later).forecast is not first.forecast
    scene.judge_place("Anna", most=1)
    assert keep_progress(scene.study, now).forecast is not first.forecast


def test_one_judgement_is_in_and_several_are(scene, monkeypatch: pytest.MonkeyPatch):
    scene.open(judges=1)
    monkeypatch.setattr(Progress, "left", 0)
    monkeypatch.setattr(Progress, "required", 1)
    assert ": the 1 judgement is in" in ask(scene).answer
    monkeypatch.setattr(Progress, "required", 2)
    assert ": all 2 judgements are in" in ask(scene).answer
