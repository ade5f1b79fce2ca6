"""The audit page shows every change with old and new value, to organisers only."""

import csv
import io
import uuid
from datetime import UTC, datetime, timedelta

import pytest
import streamlit as st

from core.store.audit.audit import AuditFilter, count_audit
from core.store.events.labels import Key, LabelEvent
from core.store.people.members import add_member
from core.store.people.people import add_person
from pages.collection.audit import ROWS, write_audit

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


def test_the_page_filters_and_turns_over(open_page, store, filled, organiser, anna):
    for number in range(ROWS):
        judge(store, filled, anna, key={"document_id": f"x{number}"})
    at = open_page("audit", organiser)
    assert not at.exception
    assert len(at.dataframe[0].value) == ROWS
    found = count_audit(store, AuditFilter())
    assert any(f"{found} entries" in one.value for one in at.caption)
    choose(at, "Page of", 2)
    assert len(at.dataframe[0].value) == found - ROWS
    choose(at, "Person", anna)
    assert set(at.dataframe[0].value["person"]) == {"Anna"}
    choose(at, "Search", "x7")
    assert at.dataframe[0].value["subject"].tolist() == ["topic t1, document x7, page"]
    choose(at, "From", (datetime.now(UTC) + timedelta(days=2)).date())
    assert any("No entries match this choice" in one.value for one in at.info)
    assert not at.exception


def test_the_page_shows_the_labels_of_one_item(open_page, store, filled, organiser, anna):
    judge(store, filled, anna, 2)
    at = open_page("audit", organiser)
    choose(at, "Topic", "t1")
    choose(at, "Document", "d1")
    assert at.dataframe[1].value["person"].tolist() == ["a1", "a2", "Anna"]
    choose(at, "Document", "d9")
    assert any("Nobody has judged" in one.value for one in at.info)


def test_the_file_holds_all_of_the_choice_in_safe_cells(store, filled):
    spy = add_person(store, '=HYPERLINK("x")', "assessor")
    judge(store, filled, spy, comment="=1+1")
    text = write_audit(store, AuditFilter(person_id=spy), names=True).decode()
    (row,) = csv.DictReader(io.StringIO(text))
    assert row["person"] == '\'=HYPERLINK("x")'
    assert row["change"] == 'label: none → "1 Rel"; comment: "" → "=1+1"'
    assert not any(cell.startswith(("=", "+", "-", "@", "\t")) for cell in row.values())


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


def test_assessors_do_not_see_it(open_page, anna):
    at = open_page("audit", anna)
    assert not any("Who changed what" in one.value for one in at.markdown)
    assert not [one for one in at.selectbox if one.label == "Kind"]


def test_an_empty_store_can_be_audited(open_page, organiser):
    at = open_page("audit", organiser)
    assert not at.exception
    assert len(at.dataframe[0].value) == 2
