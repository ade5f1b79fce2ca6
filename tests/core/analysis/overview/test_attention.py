"""What needs attention: each kind when it is there, and not before."""

import numpy as np
import pandas as pd
import pytest

from core.analysis.judging.progress import ask_progress
from core.analysis.overview import idle
from core.analysis.overview.attention import find_attention, find_silence
from core.analysis.overview.findings import DOUBTFUL, OPEN, STOPS, Finding
from core.assessment.adjudication import adjudicate
from core.assessment.rounds.rounds import close_round
from core.store.events.labels import Key
from core.store.people.people import add_person
from tests.short import long


def found(scene, kind: str) -> list[Finding]:
    return [one for one in find_attention(scene.study) if one.kind == kind]


def test_an_empty_collection_needs_none(scene):
    assert find_attention(scene.study) == ()


@long
def test_the_worst_comes_first(scene):
    scene.invite("Anna")
    scene.open(judges=2)
    scene.give("x", "t1", 1, 2)
    scene.give("y", "t1", 1, 0)
    grades = [one.grade for one in find_attention(scene.study)]
    assert grades == sorted(grades)
    assert {STOPS, OPEN} <= set(grades)
    shares = [one.share for one in find_attention(scene.study) if one.grade == OPEN]
    assert shares == sorted(shares, reverse=True)


@long
def test_idle_people_are_named_with_what_is_left(scene, monkeypatch):
    monkeypatch.setattr(idle, "FEWEST", 5)
    scene.invite("An*na", "Bob")
    scene.open(judges=2)
    scene.judge_place("An*na", most=2)
    scene.judge_place("Bob")
    (one,) = found(scene, "Idle people")
    assert one.what == (r"An\*na: 4 judgements left, none since each of the others gave 6 or more")
    assert (one.page, one.grade) == ("assignments", STOPS)


def test_topics_with_too_few_people_cannot_reach_k(scene):
    scene.invite("Anna", "Bob")
    scene.open(judges=3)
    (one,) = found(scene, "Topics below k")
    assert one.what == "3 topics cannot reach k = 3: 2 people can judge here"
    assert one.page == "people"
    scene.invite("Carla")
    assert not found(scene, "Topics below k")


@long
def test_nobody_at_all_is_said_in_words(scene):
    scene.open(judges=1)
    assert "nobody can judge here" in found(scene, "Topics below k")[0].what


@long
def test_items_that_lack_levels_though_all_is_finished_are_below_k(scene):
    scene.invite("Anna")
    rules = scene.open(judges=1)
    topic = scene.judge_place("Anna", level=None).topic_id
    (one,) = found(scene, "Topics below k")
    assert one.what == f"6 items in 1 topic below k = 1 though their places are finished: {topic}"
    close_round(scene.store, rules.round_id, closed=True)
    (one,) = found(scene, "Topics below k")
    assert one.what.startswith("18 items in 3 topics below k = 1 though the round is closed: t1")


@long
def test_topics_that_nobody_has_begun_while_half_is_done_are_behind(scene):
    scene.invite("Anna")
    scene.open(judges=1)
    scene.judge_place("Anna")
    assert not found(scene, "Topics behind")
    scene.judge_place("Anna")
    (one,) = found(scene, "Topics behind")
    assert one.what == "nobody has begun 1 topic: t3"


@long
def test_what_people_here_cannot_judge_is_counted_by_item(scene):
    scene.bring("labels", "assessor\ttopic\tdocument\tlevel\nz\tt1\tt1d1\t1\n")
    assert not found(scene, "Cannot judge")
    for who in ("x", "y"):
        scene.give(who, "t1", 1, None)
    scene.give("x", "t1", 2, None)
    (one,) = found(scene, "Cannot judge")
    assert one.what == (
        "2 items could not be judged, 1 of them by two assessors or more; the remarks below say why"
    )
    assert one.share == 1


def test_different_labels_wait_until_somebody_decides(scene):
    scene.give("x", "t1", 1, 2)
    scene.give("y", "t1", 1, 0)
    scene.give("x", "t1", 2, 1)
    scene.give("y", "t1", 2, 1)
    (one,) = found(scene, "Disagreements")
    assert one.what == (
        "1 page with different labels not decided, 1 of them two levels apart or more"
    )
    assert (one.page, one.share) == ("adjudicate", 0.5)
    olga = add_person(scene.store, "Olga", "organiser")
    item = Key("t1", "t1d1", "page", "", olga, 0)
    adjudicate(scene.store, scene.collection_id, item, 1, "")
    assert not found(scene, "Disagreements")


@long
def test_topics_without_shown_agreement_are_counted_with_the_worst(scene):
    documents = [f"t1\td{n}" for n in range(30)]
    rng = np.random.default_rng(1)
    rows = [f"{who}\t{at}\t{rng.integers(0, 3)}" for at in documents for who in ("x", "y")]
    scene.bring("labels", "\n".join(["assessor\ttopic\tdocument\tlevel", *rows]) + "\n")
    (one,) = found(scene, "Low agreement")
    assert one.what.startswith("1 of 1 topic on pages not shown to agree beyond chance; α(ordinal)")
    assert (one.grade, one.page) == (DOUBTFUL, "agreement")


@long
def test_who_drifts_is_named_with_the_change(scene, monkeypatch):
    """And no labels are dealt anew for it, as that would be done whenever one comes."""
    monkeypatch.delattr("core.reports.assessors.deal_labels")
    many = [f"d{n:03}" for n in range(60)]
    rng = np.random.default_rng(1)
    calm = [f"calm\tt1\t{one}\t{rng.integers(1, 3)}" for one in many]
    scene.bring("labels", "\n".join(["assessor\ttopic\tdocument\tlevel", *calm]) + "\n")
    assert not found(scene, "Drift")
    for at, one in enumerate(many):
        level = 0 if at < 20 else 1 if at < 40 else 3
        scene.append(Key("t1", one, "page", "", "moving", 0), level)
    (one,) = found(scene, "Drift")
    said = (
        "leniency on pages moves, in levels from first to last, beside what the same labels give "
        r"in any order: moving \(\+"
    )
    assert one.what.startswith(said)
    assert "±" in one.what
    assert (one.grade, one.page) == (DOUBTFUL, "assessors")


@long
def test_systems_told_apart_by_unjudged_documents_are_counted(scene):
    scene.give("x", "t1", 1, 2)
    (one,) = found(scene, "Unjudged documents")
    assert one.what.startswith("1 of 1 pairs of systems could change order by P@10 under *all")
    assert "relevant from level 1: 3 documents" in one.what
    assert one.page == "assignments"
    scene.store.cursor().execute("UPDATE documents SET text = ''")
    scene.bring("topics", "t4\tlate\n")  # a change, so that texts are looked for again
    (one,) = found(scene, "Unjudged documents")
    assert one.page == "collection"


@pytest.mark.parametrize(("days", "told"), [(2.9, False), (3, True)])
def test_that_nobody_judges_is_told_after_three_days(scene, days, told):
    scene.open(judges=1)
    opened = ask_progress(scene.study).rules.created_at
    now = pd.Timestamp(opened).ceil("min") + pd.Timedelta(days=days)
    assert bool(find_silence(ask_progress(scene.study, now=now))) is told


@long
def test_silence_counts_from_the_last_judgement_and_ends_with_the_round(scene):
    scene.invite("Anna")
    rules = scene.open(judges=1)
    scene.judge_place("Anna")
    later = pd.Timestamp(ask_progress(scene.study).times[-1]) + pd.Timedelta(days=5, minutes=1)
    (one,) = find_silence(ask_progress(scene.study, now=later))
    assert one.what == "nobody has judged for 5 days; 12 judgements left"
    close_round(scene.store, rules.round_id, closed=True)
    assert find_silence(ask_progress(scene.study, now=later)) == ()
