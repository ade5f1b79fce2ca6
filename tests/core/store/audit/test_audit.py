"""The history tells every change with its author, its old and its new value."""

import uuid
from datetime import UTC, datetime, timedelta

import pytest

from core.assessment.adjudication import adjudicate
from core.assessment.handing_out.queue import take_assignment
from core.assessment.rounds.rounds import Plan, close_round, open_round
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import Level, numeric_scale
from core.store.audit.audit import (
    KINDS,
    AuditFilter,
    list_actors,
    name_rounds,
    read_audit,
    read_item_history,
    span_audit,
)
from core.store.content.collections import close_collection, create_collection, describe_collection
from core.store.content.gold import GoldItem, mark_gold, take_over_gold, unmark_gold
from core.store.content.imports import write_import
from core.store.content.practice import PracticeItem, add_practice_item, remove_practice_item
from core.store.content.saved_rules import delete_rule, save_rule
from core.store.content.scales import get_scales, replace_scale
from core.store.events.labels import Key, LabelEvent
from core.store.people.members import add_member, drop_member
from core.store.people.people import accept_invitation, add_person, end_session, invite
from core.store.rounds.rounds import list_rounds
from core.store.store import Store
from tests.short import long

KEY = Key("t1", "d1", "page", "", "", 0)
FILES = {
    "topics": "t1\tjaguar\nt2\tpuma\n",
    "documents": "id\ttext\nd1\tA cat.\nd2\tA car.\n",
    "runs": "t1 Q0 d1 1 2.5 s1\nt2 Q0 d2 1 3.5 s1\n",
    "labels": "assessor\ttopic\tdocument\tlevel\na1\tt1\td1\t2\na2\tt1\td1\t3\na1\tt1\td2\t0\n",
}


@pytest.fixture
def organiser(store: Store) -> str:
    return add_person(store, "Olga", "organiser")


@pytest.fixture
def filled(store: Store) -> str:
    collection_id = create_collection(store, "Small *one*", guidelines="Be kind.")
    for kind, text in FILES.items():
        options = {"scales": get_scales(store, collection_id)} if kind == "labels" else {}
        imported = read_import(kind, Source(f"{kind}.txt", text.encode()), **options)
        write_import(store, collection_id, imported)
    return collection_id


def judge(store, filled, who, level=1, supersedes=None, **other) -> str:
    key = KEY._replace(assessor_id=who, **other.pop("key", {}))
    event = LabelEvent(str(uuid.uuid4()), supersedes, key, "level", level, **other)
    store.labels.append(filled, [event])
    return event.event_id


@pytest.fixture
def anna(store, filled, organiser) -> str:
    person_id = add_person(store, "Anna", "assessor", organiser)
    add_member(store, filled, person_id, "Anna", group="experts", by=organiser)
    return person_id


def latest(store, kind: str) -> tuple[str, str, str, str]:
    row = read_audit(store, AuditFilter(kind=kind), 1).iloc[0]
    return row["person"], row["what"], row["subject"], row["change"]


def test_every_label_event_is_told_with_what_it_replaced(store, filled, anna):
    first = judge(store, filled, anna, 1)
    assert latest(store, "labels") == (
        "Anna", "judge", "topic t1, document d1, page", "none → 1 Rel",
    )  # fmt: skip
    second = judge(store, filled, anna, 3, first, comment="Better.")
    assert latest(store, "labels")[1::2] == (
        "revise", '1 Rel → 3 Key; comment: "" → "Better."',
    )  # fmt: skip
    judge(store, filled, anna, 0, first)
    assert latest(store, "labels")[1::2] == ("judge too late", "1 Rel → 0 Non")
    history = read_item_history(store, filled, "t1", "d1")
    mine = history[history["person"] == "Anna"]
    assert mine["standing"].tolist() == ["replaced", "stands", "late"]
    assert mine["supersedes"].tolist()[1:] == [first, first]
    assert mine["replaces"].tolist()[1:] == [mine["event"].iloc[0]] * 2
    assert second in set(mine["event_id"])
    assert history["what"].tolist()[:2] == ["import", "import"]


def test_a_level_that_is_called_by_its_number_is_told_once(store, organiser):
    collection_id = create_collection(store, "Numbers")
    replace_scale(store, collection_id, "page", numeric_scale(range(3)), organiser)
    first = judge(store, collection_id, "anna", 1)
    judge(store, collection_id, "anna", 2, first)
    history = read_item_history(store, collection_id, "t1", "d1")
    assert history["change"].tolist() == ["none → 1", "1 → 2"]


@long
def test_events_are_numbered_in_their_collection(store, filled):
    other = create_collection(store, "Other")
    first = judge(store, other, "anna", 1)
    judge(store, filled, "anna", 1)
    judge(store, other, "anna", 2, first)
    everywhere = read_audit(store, AuditFilter(kind="labels"), 3)
    assert everywhere["event"].tolist() == [2, 4, 1]
    assert everywhere["sequence"].tolist() == [6, 5, 4]
    assert read_audit(store, AuditFilter(kind="collections"), 1)["event"].isna().all()
    history = read_item_history(store, other, "t1", "d1")
    assert (history["event"].tolist(), history["replaces"].tolist()[1:]) == ([1, 2], [1])


@long
def test_subjects_call_rounds_by_their_names(store, filled, organiser, anna):
    open_round(store, filled, Plan("Round 1", judges=1, assessors=(anna,)), organiser)
    open_round(store, filled, Plan("Late", judges=1, batch_size=1), organiser)
    entries = read_audit(store, AuditFilter(kind="assignments"), 9)
    told = name_rounds(store, entries)
    assert set(told["subject"]) == {
        *("Round 1", "round Late", "slot of topic t1, Round 1", "slot of topic t2, Round 1"),
    }
    assert told.drop(columns="subject").equals(entries.drop(columns="subject"))
    (late,) = (one.round_id for one in list_rounds(store, filled) if one.name == "Late")
    odd = entries.head(3).assign(subject=[f"slot {late} t 1 2", "slot r-none t1 0", "scale"])
    assert name_rounds(store, odd)["subject"].tolist() == [
        *("slot of topic t 1, batch 3, round Late", "slot r-none t1 0", "scale"),
    ]


@long
def test_changes_of_settings_keep_old_and_new_value(store, filled, organiser):
    texts = {"name": "New", "description": "", "guidelines": "Be strict."}
    describe_collection(store, filled, **texts, by=organiser)
    assert latest(store, "collections") == (
        "Olga", "describe", "collection",
        'name: "Small *one*" → "New"; guidelines: "Be kind." → "Be strict."',
    )  # fmt: skip
    close_collection(store, filled, closed=True, by=organiser)
    assert latest(store, "collections")[1::2] == ("close", "closed: no → yes")
    levels = list(get_scales(store, filled)["page"])
    levels[0] = Level(0, "Nothing", "", "1", 0)
    replace_scale(store, filled, "page", levels, organiser)
    who, what, _, change = latest(store, "scales")
    assert (who, what) == ("Olga", "replace")
    assert change.startswith('page, level 0: "Non [1] = 0: The page is of no use')
    assert change.endswith('→ "Nothing [1] = 0: "')
    save_rule(store, filled, "mine", "{}", organiser)
    assert latest(store, "qrels versions")[1::2] == ("save", "mine: {}")
    delete_rule(store, filled, "mine", organiser)
    assert latest(store, "qrels versions")[1] == "delete"


@long
def test_gold_practice_and_adjudication_keep_old_and_new_level(store, filled, organiser):
    mark_gold(store, filled, GoldItem("t1", "d1", "page", "", 1), organiser)
    mark_gold(store, filled, GoldItem("t1", "d1", "page", "", 2), organiser)
    assert latest(store, "gold") == ("Olga", "mark", "gold item", "t1 d1 page, level: 1 → 2")
    unmark_gold(store, filled, GoldItem("t1", "d1", "page", "", 2), organiser)
    assert latest(store, "gold")[1::2] == ("unmark", "t1 d1 page, level: 2 → none")
    judge(store, filled, "gold", 3)
    take_over_gold(store, filled, organiser)
    taken = read_audit(store, AuditFilter(kind="gold", text="none → 3"), 9)
    assert taken["change"].tolist() == ["t1 d1 page, level: none → 3"]
    item = PracticeItem("t1", "d1", "page", "", 2, "Why.")
    add_practice_item(store, filled, item, organiser)
    add_practice_item(store, filled, PracticeItem("t1", "d1", "page", "", 1, "So."), organiser)
    assert latest(store, "practice")[3] == 't1 d1 page, level: 2 → 1; why: "Why." → "So."'
    remove_practice_item(store, filled, item, organiser)
    assert latest(store, "practice")[3] == 't1 d1 page, level: 1 → none; why: "So." → none'
    for level in (1, 3):
        adjudicate(store, filled, KEY._replace(assessor_id=organiser), level)
    assert latest(store, "adjudication") == (
        "Olga", "adjudicate", "topic t1, document d1, page", "1 Rel → 3 Key",
    )  # fmt: skip


@long
def test_assignments_go_from_hand_to_hand_on_record(store, filled, organiser, anna):
    open_round(store, filled, Plan(judges=1, assessors=(anna,)), organiser)
    assert latest(store, "assignments")[1] == "open"
    reserved = read_audit(store, AuditFilter(kind="assignments", text="reserve"), 9)
    assert set(reserved["change"]) == {f'assessor: none → "{anna}"'}
    assert set(reserved["person"]) == {"Olga"}
    given = take_assignment(store, filled, anna)
    assert latest(store, "assignments") == (
        "Anna", "take", f"slot {given.rules.round_id} {given.topic_id} 0", "begun: no → yes",
    )  # fmt: skip
    again = span_audit(store, AuditFilter()).entries
    take_assignment(store, filled, anna)
    assert span_audit(store, AuditFilter()).entries == again
    drop_member(store, filled, anna, by=organiser)
    handed = read_audit(store, AuditFilter(kind="assignments", text="hand on"), 9)
    assert set(handed["change"]) == {f'assessor: "{anna}" → none'}
    add_member(store, filled, anna, "Anna", by=organiser)
    assert latest(store, "people")[3] == 'group: "experts" → ""; taken off: yes → no'
    bob = add_person(store, "Bob", "assessor")
    add_member(store, filled, bob, "Bob")
    take_assignment(store, filled, bob)
    take_assignment(store, filled, anna, datetime.now(UTC).replace(tzinfo=None) + timedelta(days=1))
    assert latest(store, "assignments")[1] == "take"
    close_round(store, given.rules.round_id, closed=True, by=organiser)
    assert latest(store, "assignments")[1::2] == ("close", "closed: no → yes")


@long
def test_a_lapsed_place_says_from_whom_it_came(store, filled, organiser, anna):
    open_round(store, filled, Plan(judges=1, lease_minutes=1, share=0.4), organiser)
    bob = add_person(store, "Bob", "assessor")
    add_member(store, filled, bob, "Bob")
    take_assignment(store, filled, anna)
    later = datetime.now(UTC).replace(tzinfo=None) + timedelta(hours=1)
    assert take_assignment(store, filled, bob, later) is not None
    assert latest(store, "assignments")[::3] == ("Bob", f'assessor: "{anna}" → "{bob}"')


@long
def test_people_come_go_and_sign_in_on_record(store, organiser):
    bob = add_person(store, "Bob", "assessor", organiser)
    assert latest(store, "people") == (
        "Olga", "add", f"person {bob}", 'name: none → "Bob"; role: none → "assessor"',
    )  # fmt: skip
    token = accept_invitation(store, invite(store, bob, organiser))
    assert latest(store, "people") == ("Bob", "sign in", f"person {bob}", "by invitation")
    end_session(store, token)
    assert latest(store, "people")[:2] == ("Bob", "sign out")


def test_imports_say_what_was_read_and_what_was_new(store, filled):
    imports = read_audit(store, AuditFilter(kind="imports"), 9)
    assert imports["change"].iloc[0].startswith("read 3 labels")
    assert imports["change"].iloc[0].endswith("added 3 labels")
    assert imports["person"].iloc[0] == "command line"
    newcomers = read_audit(store, AuditFilter(text="imported", kind="people"), 9)
    assert sorted(newcomers["subject"]) == ["assessor a1", "assessor a2"]


@long
def test_every_filter_leaves_out_the_rest(store, filled, anna, organiser):
    judge(store, filled, anna)
    everything = read_audit(store, AuditFilter(), 999)
    assert everything["time"].is_monotonic_decreasing
    assert span_audit(store, AuditFilter()).entries == len(everything)
    assert set(everything["kind"]) <= set(KINDS)
    for field, wanted in (
        ("kind", "imports"), ("person_id", anna), ("collection_id", filled), ("collection_id", ""),
    ):  # fmt: skip
        part = read_audit(store, AuditFilter(**{field: wanted}), 999)
        assert len(part) == (everything[field] == wanted).sum() > 0
        assert set(part[field]) == {wanted}
    middle = everything["time"].iloc[len(everything) // 2].to_pydatetime()
    newer, older = AuditFilter(since=middle), AuditFilter(until=middle)
    assert span_audit(store, newer).entries + span_audit(store, older).entries == len(everything)
    assert read_audit(store, newer, 999)["time"].min() >= middle
    assert span_audit(store, AuditFilter(text="EXPERTS")).entries == 1
    pages = [read_audit(store, AuditFilter(), 4, skip) for skip in range(0, len(everything), 4)]
    assert [row for one in pages for row in one["change"]] == everything["change"].tolist()


@long
def test_everybody_who_did_something_has_a_name(store, filled, organiser, anna):
    judge(store, filled, "stranger")
    assert list(list_actors(store).values()) == ["a1", "a2", "Olga", "stranger"]
    judge(store, filled, anna)
    assert list_actors(store)[anna] == "Anna"
