"""Consent: asked for while there is a text, answered to that text, and shown with its date."""

import pandas as pd
import pytest

from core.api.calls.store_frames import open_store
from core.errors import BadInput
from core.store.audit.audit import AuditFilter, read_audit
from core.store.content.collections import create_collection
from core.store.people.consent import (
    LONGEST_TEXT,
    answer_consent,
    get_consent_text,
    read_consent,
    read_consents,
    set_consent_text,
)
from core.store.people.erasure import erase_person
from core.store.people.members import add_member
from core.store.people.people import add_person
from tests.short import long


@pytest.fixture
def collection(store) -> str:
    return create_collection(store, "One")


@pytest.fixture
def anna(store, collection) -> str:
    add_person(store, "Olga", "organiser")
    made = add_person(store, "Anna", "assessor")
    add_member(store, collection, made, "Anna")
    return made


def test_nobody_is_asked_without_a_text(store, collection, anna):
    assert get_consent_text(store, collection) == ""
    assert read_consent(store, collection, anna) == "not asked"
    with pytest.raises(BadInput, match="no consent is asked for"):
        answer_consent(store, collection, anna, given=True)


def test_answers_have_a_date_and_are_on_record(store, collection, anna):
    set_consent_text(store, collection, " May we use it? ", by="olga")
    assert get_consent_text(store, collection) == "May we use it?"
    answer_consent(store, collection, anna, given=True)
    answer_consent(store, collection, anna, given=False)
    (row,) = read_consents(store, collection).to_dict("records")
    assert (row["assessor_id"], row["consent"]) == (anna, "no")
    assert pd.notna(row["consent_at"])
    told = read_audit(store, AuditFilter(text="consent:"), 9)["change"].tolist()
    assert told == ['consent: "yes" → "no"', 'consent: "not asked" → "yes"']
    set_consent_text(store, collection, "")
    assert read_consent(store, collection, anna) == "no"


def test_another_text_asks_again(store, collection, anna):
    set_consent_text(store, collection, "One?")
    answer_consent(store, collection, anna, given=True)
    set_consent_text(store, collection, "Two?")
    assert read_consent(store, collection, anna) == "not asked"
    assert read_consents(store, collection)["consent_at"].isna().all()
    set_consent_text(store, collection, "One?")
    assert read_consent(store, collection, anna) == "yes"
    with pytest.raises(BadInput, match="at most 20,000"):
        set_consent_text(store, collection, "x" * (LONGEST_TEXT + 1))


@long
def test_the_api_shows_it_and_erasing_takes_it_away(store, collection, anna):
    set_consent_text(store, collection, "One?")
    answer_consent(store, collection, anna, given=True)
    store.close()
    with open_store(store.place) as read:
        assert read.assessors()["consent"].tolist() == ["yes"]
        assert read.assessors()["name"].str.startswith("a-").all()


def test_erasing_takes_the_answer_away(store, collection, anna):
    set_consent_text(store, collection, "One?")
    answer_consent(store, collection, anna, given=True)
    erase_person(store, anna)
    assert read_consents(store, collection)["consent"].tolist() == ["not asked"]
