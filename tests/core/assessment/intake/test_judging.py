"""The intake: only what was handed out, keyed by what it is and never by where it stood."""

import uuid
from pathlib import Path

import pytest

import core.assessment.intake.judging as judging
from core.assessment.handing_out.assignment_content import Step
from core.assessment.handing_out.blinding import engine_code
from core.assessment.handing_out.queue import take_assignment
from core.assessment.handing_out.steps import lay_out
from core.assessment.intake.judging import MOST_EVENTS, Grant, Intake, grant_of
from core.assessment.rounds.rounds import Plan, open_round
from core.errors import BadInput, NotAllowed
from core.store.content.collections import close_collection, create_collection
from core.store.events.frames import read_labels
from core.store.people.members import add_member, drop_member
from core.store.store import Store
from tests.core.assessment.conftest import TOPICS, Small, documents, results
from tests.short import long

SEEN = {"t1d1": 3, "t1d2": 0, "t1d3": 2, "t1d4": 1}


def assignment_for(small: Small, assessor: str = "anna"):
    assignment = take_assignment(small.store, small.collection_id, assessor)
    return grant_of(assignment), lay_out(small.store, assignment)


def event_for(small: Small, step: Step, level: int = 1, **other: object) -> dict:
    return {
        "event_id": str(uuid.uuid4()),
        "supersedes": None,
        "topic": step.topic_id,
        "document": step.document_id,
        "facet": step.facet,
        "engine": engine_code(small.store.secret, step.key("anna")),
        "occasion": step.occasion,
        "state": "level",
        "level": level,
        "dwell_ms": 1200,
        "comment": "",
        "client_time": "2026-03-02T09:00:00Z",
        **other,
    }


@pytest.mark.contract
def test_labels_are_stored_under_what_was_judged(opened: Small):
    grant, content = assignment_for(opened)
    acks = Intake(opened.store).accept(grant, [event_for(opened, step) for step in content.steps])
    assert {ack["status"] for ack in acks} == {"saved"}
    labels = read_labels(opened.store, opened.collection_id)
    stored = set(labels[["topic_id", "document_id", "facet", "engine"]].itertuples(index=False))
    assert stored == {(s.topic_id, s.document_id, s.facet, s.engine) for s in content.steps}
    assert set(labels["dwell_ms"]) == {1200}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"document": "t3d1"}, "not handed out"),
        pytest.param({"topic": "elsewhere"}, "not handed out", marks=long),
        pytest.param({"engine": "one"}, "not handed out", marks=long),
        ({"occasion": 1}, "not handed out"),
        pytest.param({"occasion": "0"}, "not handed out", marks=long),
        pytest.param({"occasion": 1.5}, "occasion", marks=long),
        ({"level": 9}, "not on the"),
        pytest.param({"level": None}, "level", marks=long),
        pytest.param({"level": True}, "level", marks=long),
        ({"level": 1.5}, "level"),
        ({"state": "perhaps"}, "state"),
        ({"event_id": "1"}, "event_id"),
        pytest.param({"event_id": None}, "event_id", marks=long),
        ({"supersedes": "1"}, "supersedes"),
        ({"comment": "x" * 4001}, "comment"),
        pytest.param({"comment": 3}, "comment", marks=long),
        pytest.param({"comment": "a\x00b"}, "comment", marks=long),
        ({"dwell_ms": -1}, "dwell_ms"),
        pytest.param({"dwell_ms": 10**12}, "dwell_ms", marks=long),
    ],
)
def test_what_is_unfit_is_refused_with_its_reason_and_the_rest_is_saved(
    opened: Small, change: dict, reason: str
):
    grant, content = assignment_for(opened)
    bad = event_for(opened, content.steps[0], **{"level": 1, **change})
    good = event_for(opened, content.steps[1])
    refused, saved = Intake(opened.store).accept(grant, [bad, good])
    assert refused["status"] == "refused"
    assert reason in refused["reason"]
    assert refused["event_id"] == change.get("event_id", bad["event_id"])
    assert saved["status"] == "saved"
    assert len(read_labels(opened.store, opened.collection_id)) == 1


def test_rubbish_is_refused(opened: Small):
    grant, content = assignment_for(opened)
    (ack,) = Intake(opened.store).accept(grant, ["rubbish"])
    assert (ack["status"], ack["event_id"]) == ("refused", None)
    too_many = [event_for(opened, content.steps[0])] * (MOST_EVENTS + 1)
    with pytest.raises(BadInput, match="at most"):
        Intake(opened.store).accept(grant, too_many)


@pytest.mark.contract
def test_the_assessor_comes_from_the_grant_never_from_the_event(opened: Small):
    grant, content = assignment_for(opened)
    Intake(opened.store).accept(grant, [event_for(opened, content.steps[0], assessor_id="bob")])
    assert read_labels(opened.store, opened.collection_id)["assessor_id"].tolist() == ["anna"]


@long
def test_states_other_than_levels_carry_no_level(opened: Small):
    grant, content = assignment_for(opened)
    Intake(opened.store).accept(grant, [event_for(opened, content.steps[0], state="cannot judge")])
    labels = read_labels(opened.store, opened.collection_id)
    assert labels["given_level"].isna().all()


def test_one_may_revise_ones_own_labels_and_nothing_else(opened: Small):
    grant, content = assignment_for(opened)
    intake = Intake(opened.store)
    first = event_for(opened, content.steps[0])
    intake.accept(grant, [first])
    own = Grant(opened.collection_id, "anna")
    again = event_for(opened, content.steps[0], 2, supersedes=first["event_id"])
    other = event_for(opened, content.steps[1], 2)
    assert [a["status"] for a in intake.accept(own, [again, other])] == ["saved", "refused"]
    assert read_labels(opened.store, opened.collection_id)["given_level"].tolist() == [2]


@long
def test_two_pool_orders_give_the_same_labels(tmp_path: Path):
    """The same judgements end under the same keys however the pool was ordered."""
    stored = []
    for place, engines in enumerate(
        ({"one": [1, 2, 3], "two": [3, 2, 4]}, {"two": [4, 3, 2], "one": [3, 1, 2]})
    ):
        store = Store(tmp_path / f"{place}.duckdb")
        made = Small(store, create_collection(store, "Small"))
        made.add("topics", TOPICS.splitlines()[0] + "\n")
        made.add("documents", documents(("t1",), 4))
        made.add("results", results(engines, ("t1",)))
        add_member(store, made.collection_id, "anna", "anna")
        open_round(store, made.collection_id, Plan(judges=1, seed=place))
        grant, content = assignment_for(made)
        events = [event_for(made, step, SEEN[step.document_id]) for step in content.steps]
        acks = Intake(store).accept(grant, events)
        assert {ack["status"] for ack in acks} == {"saved"}
        orders = [step.document_id for step in content.steps]
        labels = read_labels(store, made.collection_id)
        key = ["topic_id", "document_id", "facet", "engine", "assessor_id", "occasion"]
        rows = set(labels[[*key, "given_level"]].itertuples(index=False, name=None))
        stored.append((orders, rows))
        store.close()
    assert stored[0][0] != stored[1][0]
    assert stored[0][1] == stored[1][1]
    assert len(stored[0][1]) == 10


def test_a_scale_change_is_noticed(opened: Small):
    grant, content = assignment_for(opened)
    intake = Intake(opened.store)
    step = next(step for step in content.steps if step.facet == "page")
    assert intake.accept(grant, [event_for(opened, step, 4)])[0]["status"] == "saved"
    with opened.store.change(opened.collection_id, "replace", "scale") as cursor:
        cursor.execute("DELETE FROM levels WHERE level = 4")
    assert intake.accept(grant, [event_for(opened, step, 4)])[0]["status"] == "refused"


def test_nothing_is_taken_once_the_collection_is_closed_or_the_assessor_is_gone(opened: Small):
    grant, content = assignment_for(opened)
    intake = Intake(opened.store)
    for step, stop, go_on in (
        (content.steps[0], close(opened, True), close(opened, False)),
        (content.steps[1], drop(opened), bring_back(opened)),
    ):
        event = event_for(opened, step)
        stop()
        with pytest.raises(NotAllowed):
            intake.accept(grant, [event])
        go_on()
        assert intake.accept(grant, [event])[0]["status"] == "saved"
    assert len(read_labels(opened.store, opened.collection_id)) == 2


def close(small: Small, closed: bool):
    return lambda: close_collection(small.store, small.collection_id, closed=closed)


def drop(small: Small):
    return lambda: drop_member(small.store, small.collection_id, "anna")


def bring_back(small: Small):
    return lambda: add_member(small.store, small.collection_id, "anna", "anna")


@long
def test_who_was_away_for_long_judges_on(opened: Small, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(judging, "_REMEMBERED_GRANTS", 1)
    intake, looked_up = Intake(opened.store), []
    look_up = judging._granted_keys
    monkeypatch.setattr(
        judging, "_granted_keys", lambda *given: looked_up.append(given[1]) or look_up(*given)
    )
    places = [(name, *assignment_for(opened, name)) for name in ("anna", "bob")]
    for at in range(2):
        for name, grant, content in places:
            step = content.steps[at]
            code = engine_code(opened.store.secret, step.key(name))
            for level in (1, 2):
                event = event_for(opened, step, level, engine=code)
                assert intake.accept(grant, [event])[0]["status"] in ("saved", "stale")
    assert looked_up == 2 * [grant for _, grant, _ in places]
    assert len(intake._allowed) == 1
