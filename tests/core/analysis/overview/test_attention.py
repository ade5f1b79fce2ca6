"""What needs attention: each kind when it is there, and not before."""

import numpy as np
import pandas as pd
import pytest

from core.analysis.base.study import Study
from core.analysis.judging.progress import ask_progress
from core.analysis.overview import attention
from core.analysis.overview.attention import (
    FAILED_TRIES,
    find_attention,
    find_failing,
    find_idle,
    find_late,
    find_silence,
    find_too_slow,
    setup_steps,
)
from core.analysis.overview.findings import DOUBTFUL, OPEN, STOPS, Finding
from core.assessment.adjudication import adjudicate
from core.assessment.rounds.rounds import close_round, set_deadline
from core.reports.forecast import Forecast
from core.reports.progress import Progress
from core.store.content.collections import create_collection
from core.store.content.webhook_deliveries import (
    begin_attempt,
    end_attempt,
    list_deliveries,
    queue_test,
)
from core.store.content.webhooks import make_webhook
from core.store.events.labels import Key
from core.store.people.people import add_person
from core.store.store import Store
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
    monkeypatch.setattr(attention, "FEWEST_BY_OTHERS", 5)
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
    (one,) = found(scene, "Agreement not shown")
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


@pytest.fixture
def study(scene) -> Study:
    return scene.study


def send(study: Study, webhook_id: str, *statuses: int | None) -> None:
    """Have a message tried until the last of these answers."""
    sent = queue_test(study.store, study.collection_id, webhook_id)
    for status in statuses:
        (one,) = [
            each
            for each in list_deliveries(study.store, study.collection_id)
            if each.delivery_id == sent
        ]
        begin_attempt(study.store, one)
        end_attempt(study.store, one, status, "" if status == 200 else "it was not reached")


def test_one_that_was_never_told_or_failed_once_is_not_named(study):
    assert find_failing(study) == ()
    made = make_webhook(study.store, study.collection_id, "https://example.org/hook").webhook_id
    queue_test(study.store, study.collection_id, made)
    send(study, made, *[500] * (FAILED_TRIES - 1))
    assert find_failing(study) == ()


def test_what_fails_is_counted_until_it_is_delivered(study):
    good, bad = (
        make_webhook(study.store, study.collection_id, f"https://{name}.example.org/").webhook_id
        for name in ("good", "bad")
    )
    send(study, good, *[500] * FAILED_TRIES)
    send(study, good, 200)
    for _ in range(2):
        send(study, bad, *[None] * FAILED_TRIES)
    (one,) = find_failing(study)
    assert one.what == "1 address not reached, 2 messages not delivered"
    assert (one.page, one.share) == ("export", 0.5)
    send(study, bad, 200)
    assert find_failing(study) == ()


@pytest.fixture(autouse=True)
def fewer(monkeypatch):
    monkeypatch.setattr(attention, "FEWEST_BY_OTHERS", 5)


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


def done(study: Study) -> list[bool]:
    return [step.is_done for step in setup_steps(study)]


def test_without_a_collection_nothing_is_done(store: Store):
    assert done(Study(store, "", False)) == [False] * 5
    empty = create_collection(store, "Empty")
    assert done(Study(store, empty, False)) == [True, False, False, False, False]


def test_each_step_is_ticked_when_it_is_done(scene):
    assert done(scene.study) == [True, True, False, False, False]
    scene.invite("Anna")
    scene.open(judges=1)
    assert done(scene.study) == [True, True, True, True, False]
    scene.judge_place("Anna", most=1)
    steps = setup_steps(scene.study)
    assert all(step.is_done for step in steps)
    assert [step.found for step in steps] == [
        "Small", "3 topics, 18 documents, 2 runs", "1 person", "1 round", "",
    ]  # fmt: skip


DAY = pd.Timedelta(days=1)


def test_an_open_round_is_late_after_its_deadline_and_while_slots_are_left(scene):
    scene.invite("Anna")
    due = pd.Timestamp("2031-05-02 12:00")
    rules = scene.open(judges=1, name="First *one*", due_at=due.to_pydatetime())
    assert find_late(ask_progress(scene.study, now=due)) == ()
    (one,) = find_late(ask_progress(scene.study, now=due + DAY))
    assert one.what == (
        r"First \*one\* was due by 2 May 2031, 12:00 UTC; 3 of 3 slots not finished"
    )
    assert (one.page, one.grade, one.share) == ("assignments", STOPS, 1)
    scene.judge_place("Anna")
    (one,) = find_late(ask_progress(scene.study, now=due + DAY))
    assert "2 of 3 slots" in one.what
    close_round(scene.store, rules.round_id, closed=True)
    assert find_late(ask_progress(scene.study, now=due + DAY)) == ()


@long
def test_a_round_without_a_deadline_is_never_late(scene):
    scene.invite("Anna")
    scene.open(judges=1)
    assert find_late(ask_progress(scene.study, now=pd.Timestamp("2099-01-01"))) == ()


def judge_slowly(scene) -> pd.Timestamp:
    """Have two of three topics judged, an item each twelve hours; returns when it is then."""
    scene.invite("Anna")
    rules = scene.open(judges=1)
    scene.judge_place("Anna")
    scene.judge_place("Anna", most=5)
    cursor = scene.store.cursor()
    cursor.execute("UPDATE rounds SET created_at = TIMESTAMP '2031-05-01'")
    cursor.execute(
        "UPDATE labels SET time = TIMESTAMP '2031-05-01' + to_hours((12 * sequence)::BIGINT)"
    )
    scene.append(Key("t2", "t2d1", "page", "", scene.people["Anna"], 0), 1)
    now = pd.Timestamp("2031-05-07 13:00")
    set_deadline(scene.store, rules.round_id, now.to_pydatetime())
    return now


def due_after_the_median(scene, now: pd.Timestamp, after: pd.Timedelta) -> Progress:
    found = ask_progress(scene.study, now=now)
    assert isinstance(found.forecast, Forecast)
    due = (found.forecast.median + after).to_pydatetime()
    set_deadline(scene.store, found.rules.round_id, due)
    return ask_progress(scene.study, now=now)


@long
def test_a_pace_that_ends_after_the_deadline_is_told(scene):
    now = judge_slowly(scene)
    (one,) = find_too_slow(due_after_the_median(scene, now, -pd.Timedelta(hours=1)))
    assert one.kind == "Too slow"
    assert "likely to end later" in one.what
    assert find_too_slow(ask_progress(scene.study, now=now + 99 * DAY)) == ()


@long
def test_a_pace_that_ends_in_time_is_not_told(scene):
    now = judge_slowly(scene)
    assert find_too_slow(due_after_the_median(scene, now, DAY)) == ()


def test_without_a_forecast_no_round_is_too_slow(scene):
    scene.open(judges=1, due_at=pd.Timestamp("2031-05-02").to_pydatetime())
    assert find_too_slow(ask_progress(scene.study)) == ()
