"""Who is idle, compared with the others."""

import pytest

from core.analysis.judging.progress import ask_progress
from core.analysis.overview import idle
from core.analysis.overview.idle import find_idle
from tests.short import long


@pytest.fixture(autouse=True)
def fewer(monkeypatch):
    monkeypatch.setattr(idle, "FEWEST", 5)


def find(scene):
    progress = ask_progress(scene.study)
    return find_idle(progress, progress.rules)


def test_who_is_silent_while_others_judge_is_idle(scene):
    scene.invite("Anna", "Bob")
    scene.open(judges=2)
    scene.judge_place("Anna", most=2)
    scene.judge_place("Bob", most=4)
    assert find(scene).empty
    scene.judge_place("Bob")
    found = find(scene)
    assert found["assessor"].tolist() == ["Anna"]
    assert found["left"].tolist() == [4]
    assert found["others"].iloc[0] >= 5
    assert found["last"].notna().all()


@long
def test_who_never_began_what_is_theirs_is_idle_too(scene):
    scene.invite("Anna", "Bob")
    scene.open(judges=2, assessors=tuple(scene.people.values()))
    scene.judge_place("Bob")
    found = find(scene)
    assert found["assessor"].tolist() == ["Anna"]
    assert found["last"].isna().all()
    assert found["left"].tolist() == [18]


@long
def test_who_has_nothing_to_do_or_nobody_to_compare_with_is_not_idle(scene):
    scene.invite("Anna", "Bob")
    scene.open(judges=1)
    scene.judge_place("Anna")
    scene.judge_place("Bob")
    assert find(scene).empty


def test_nobody_is_idle_before_the_first_judgement(scene):
    scene.invite("Anna", "Bob")
    scene.open(judges=2, assessors=tuple(scene.people.values()))
    assert find(scene).empty


@long
def test_a_break_no_longer_than_an_earlier_one_is_no_idleness(scene):
    scene.invite("Anna", "Bob")
    scene.open(judges=2)
    scene.judge_place("Anna", most=1)
    scene.store.cursor().execute("UPDATE labels SET time = time - INTERVAL 1 HOUR")
    scene.store.cursor().execute("UPDATE rounds SET created_at = created_at - INTERVAL 2 HOUR")
    scene.judge_place("Anna", most=2)
    scene.judge_place("Bob")
    assert find(scene).empty
