"""The command that tells how far a round is."""

from contextlib import closing

import pandas as pd
import pytest

from core.analysis.judging.progress import ask_progress
from core.assessment.rounds.rounds import close_round
from core.store.store import Store
from core.wording import drop_marks
from tests.core.analysis.overview.conftest import Scene, scene, scene_store

__all__ = ["scene", "scene_store"]


@pytest.fixture
def begun(scene: Scene) -> Scene:
    """A round that was closed, and one of which a place is begun; the store is closed."""
    scene.invite("Anna", "Bob")
    first = scene.open(judges=1, name="First")
    scene.judge_place("Anna")
    close_round(scene.store, first.round_id, closed=True)
    scene.open(judges=2, name="Second")
    scene.judge_place("Bob", most=2)
    scene.store.close()
    return scene


def words(scene: Scene, *others: str) -> tuple[str, ...]:
    return "progress", "--store", str(scene.store.path), "--collection", "Small", *others


def test_json_is_what_the_report_says(begun, dissent):
    told = dissent(*words(begun, "--names", "--format", "json")).json
    with closing(Store(begun.store.path)) as begun.store:
        found = ask_progress(begun.study)
        assert told["answer"] == drop_marks(found.answer)
        assert (told["name"], told["round"]) == ("Second", found.rules.round_id)
        assert (told["judged"], told["required"], told["left"]) == (2, 36, 34)
        assert (told["fully_judged"], told["asked"], told["imported"]) == (0, 18, 0)
        assert told["end"] == told["ahead"] == []
        given = [(one["assessor"], one["judged"], one["labels"]) for one in told["people"]]
        assert given == [("Bob", 2, 2), ("Anna", 0, 6)]
        assert pd.Timestamp(told["people"][0]["last"]).tz is not None
        assert [one["judged"] for one in told["course"]] == [0, 1, 2, 2]


def test_a_table_begins_with_the_answer_and_has_codes(begun, dissent):
    out = dissent(*words(begun)).out
    assert out.startswith("Second: 2 of 36 judgements, 0 of 18 items fully judged; no forecast, as")
    assert "By topic" in out
    assert "Places of every round" in out
    assert "Anna" not in out


def test_another_round_is_asked_about_by_its_name(begun, dissent):
    out = dissent(*words(begun, "--round", "First")).out
    assert out.startswith("First was closed with 6 of 18 judgements, 6 of 18 items fully judged; ")
    assert "; still open: Second.\n" in out
    failed = dissent(*words(begun, "--round", "Third"))
    assert failed.status == 1
    assert "There is no round 'Third' in this collection." in failed.err


def test_before_the_first_round_it_says_so(scene, dissent):
    scene.store.close()
    told = dissent(*words(scene, "--format", "json")).json
    assert told["answer"] == "Nothing is assigned: no round has been opened."
    assert told["round"] is told["name"] is None
    assert [one["topic_id"] for one in told["topics"]] == ["t1", "t2", "t3"]
    assert told["topics"][0]["judged"] is None
