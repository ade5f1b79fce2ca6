"""The audit page shows every change with old and new value, to organisers only."""

import csv
import io
import uuid
from datetime import UTC, date, datetime, timedelta

import pytest
import streamlit as st

from core.store.audit.audit import AuditFilter, AuditSpan, span_audit
from core.store.content.collections import create_collection
from core.store.events.labels import Key, LabelEvent
from core.store.people.members import add_member
from core.store.people.people import add_person
from pages.collection.audit import ROWS, describe_span, write_audit
from tests.each import each
from tests.short import long

KEY = Key("t1", "d1", "page", "", "", 0)


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


def choose(at, label: str, value):
    elements = [*at.selectbox, *at.text_input, *at.date_input, *at.number_input]
    next(one for one in elements if one.label.startswith(label)).set_value(value)
    return at.run()


def answer(at) -> str:
    return next(one.value for one in at.markdown if "change" in one.value and "**" in one.value)


def test_the_page_filters_and_turns_over(open_page, store, filled, organiser, anna):
    for number in range(ROWS):
        judge(store, filled, anna, key={"document_id": f"x{number}"})
    at = open_page("audit", organiser)
    assert not at.exception
    assert len(at.dataframe[0].value) == ROWS
    wanted = AuditFilter(collection_id=filled, folds_imports=True)
    span, today = span_audit(store, wanted), datetime.now(UTC).date()
    # It may have been drawn before midnight.
    days = (today, today - timedelta(days=1))
    assert answer(at) in [describe_span(span, "Anna", wanted, day) for day in days]
    assert f"**{span.entries} changes** in this collection" in answer(at)
    choose(at, "Page of", 2)
    assert len(at.dataframe[0].value) == span.entries - ROWS
    choose(at, "Person", anna)
    assert set(at.dataframe[0].value["person"]) == {"Anna"}
    choose(at, "Search", "x7")
    assert at.dataframe[0].value["subject"].tolist() == ["topic t1, document x7, page"]
    choose(at, "From", (datetime.now(UTC) + timedelta(days=2)).date())
    assert any("No entries match this choice" in one.value for one in at.info)
    assert not at.exception


@long
def test_the_page_shows_the_labels_of_one_item(open_page, store, filled, organiser, anna):
    judge(store, filled, anna, 2)
    at = open_page("audit", organiser)
    choose(at, "Topic", "t1")
    choose(at, "Document", "d1")
    assert at.dataframe[-1].value["person"].tolist() == ["a1", "a2", "Anna"]
    choose(at, "Document", "d9")
    assert any("Nobody has judged" in one.value for one in at.info)


def test_the_file_holds_all_of_the_choice_in_safe_cells(store, filled):
    spy = add_person(store, '=HYPERLINK("x")', "assessor")
    judge(store, filled, spy, comment="=1+1")
    text = write_audit(store, AuditFilter(person_id=spy), names=True).decode()
    (row,) = csv.DictReader(io.StringIO(text))
    assert row["person"] == '\'=HYPERLINK("x")'
    assert row["change"] == 'none → 1 Rel; comment: "" → "=1+1"'
    assert not any(cell.startswith(("=", "+", "-", "@", "\t")) for cell in row.values())


@long
def test_events_have_the_numbers_of_their_collection(open_page, store, filled, organiser, anna):
    judge(store, create_collection(store, "Other"), anna)
    # What is looked for is in no random id.
    judge(store, filled, anna, key={"document_id": "no hex"})
    wanted = AuditFilter(text="no hex", collection_id=filled)
    (row,) = csv.DictReader(io.StringIO(write_audit(store, wanted, names=False).decode()))
    assert (row["event"], "sequence" in row) == ("4", False)
    at = open_page("audit", organiser, filled)
    choose(at, "Search", "no hex")
    assert at.dataframe[0].value["event"].tolist() == [4]


@long
def test_a_slot_is_told_by_topic_and_round(open_page, live_demo, organiser):
    at = open_page("audit", organiser, live_demo)
    subjects = at.dataframe[0].value["subject"]
    assert subjects.str.fullmatch(r"slot of topic t\d\d, batch \d, Round 1").any()
    assert not subjects.str.contains("r-").any()


def test_the_file_names_people_only_when_asked(
    open_page, store, filled, organiser, anna, monkeypatch
):
    judge(store, filled, anna, comment="Good.")
    offered = []
    monkeypatch.setattr(st, "download_button", lambda *_, **told: offered.append(told["data"]))
    at = open_page("audit", organiser)
    assert "Anna" in set(at.dataframe[0].value["person"])
    assert any("as codes unless you ask" in one.value for one in at.caption)
    at.toggle(key="audit-names").set_value(True).run()
    hidden, named = (make().decode() for make in (offered[0], offered[-1]))
    words = [organiser, "Olga", anna, "Anna"]
    assert [word for word in words if word in named] == words
    assert [word for word in words if word in hidden] == []
    rows = list(csv.DictReader(io.StringIO(hidden)))
    assert not {"a1", "a2"} & {row["person_id"] for row in rows}
    assert not {"assessor a1", "assessor a2"} & {row["subject"] for row in rows}
    assert [row["change"] for row in rows if "Good." in row["change"]]


@long
def test_assessors_do_not_see_it(open_page, anna):
    at = open_page("audit", anna)
    assert not any("Who changed what" in one.value for one in at.markdown)
    assert not [one for one in at.selectbox if one.label == "Kind"]


@long
def test_an_empty_store_can_be_audited(open_page, organiser):
    at = open_page("audit", organiser)
    assert not at.exception
    assert len(at.dataframe[0].value) == 2


@long
def test_it_begins_with_the_collection_in_view_and_imports_are_one_entry(
    open_page, store, filled, organiser
):
    other = create_collection(store, "Other", by=organiser)
    at = open_page("audit", organiser, collection=filled)
    entries = at.dataframe[0].value
    assert "collection" not in entries
    assert (entries["kind"] == "imports").sum() == 5
    assert not {"labels", "people"} & set(entries["kind"])
    assert "the last by the command line." in answer(at)
    next(one for one in at.toggle if one.label == "Each imported label").set_value(True).run()
    entries = at.dataframe[0].value
    assert (entries["kind"] == "labels").sum() == 3
    choose(at, "In", "the whole store")
    assert "in the whole store" in answer(at)
    assert set(at.dataframe[0].value["collection"]) >= {"Small *one*", "Other"}
    choose(at, "In", "no collection")
    assert "in no collection" in answer(at)
    assert other


@long
def test_an_import_can_be_opened(open_page, store, filled, organiser):
    at = open_page("audit", organiser)
    (opened,) = (one for one in at.selectbox if one.label == "Import")
    assert opened.options[0].endswith("· 3 labels")
    assert len(at.dataframe) == 1
    opened.select_index(0).run()
    events = at.dataframe[1].value
    assert events["person"].tolist() == ["a1", "a2", "a1"]
    assert not at.exception


@long
def test_a_collection_without_imported_labels_has_none_to_open(open_page, store, organiser):
    create_collection(store, "New", by=organiser)
    at = open_page("audit", organiser)
    assert not [one for one in at.selectbox if one.label == "Import"]


@each(
    ("first", "last", "says"),
    [
        ("2026-10-03", "2026-11-24", " since 3 October; the last by A\\* today"),
        ("2025-10-03", "2026-11-23", " since 3 October 2025; the last by A\\* yesterday"),
        ("2026-11-02", "2026-11-02", ", on 2 November; the last by A\\*"),
        ("2026-11-01", "2026-11-02", " since 1 November; the last by A\\* on 2 November"),
    ],
)
def test_the_answer_says_since_when_and_who_was_last(first, last, says):
    span = AuditSpan(42, datetime.fromisoformat(first), datetime.fromisoformat(last))
    told = describe_span(span, "A*", AuditFilter(collection_id="c"), date(2026, 11, 24))
    assert told == f"**42 changes** in this collection{says}."
    assert describe_span(AuditSpan(1, None, None), "", AuditFilter(), date(2026, 1, 1)) == (
        "**1 change** in the whole store."
    )
