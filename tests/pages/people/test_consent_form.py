"""The organiser writes a text; assessors answer before their first item, and may change it."""

import pytest

from core.assessment.rounds.rounds import Plan, open_round
from core.store.people.consent import read_consent, read_roster, set_consent_text
from core.store.people.members import add_member
from core.store.people.people import add_person
from pages.people.roster import write_roster
from pages.shared.session import PageContext
from tests.short import long


@pytest.fixture
def anna(store, filled) -> str:
    made = add_person(store, "Anna", "assessor")
    add_member(store, filled, made, "Anna")
    open_round(store, filled, Plan(judges=1))
    return made


def press(at, label: str):
    next(one for one in at.button if one.label == label).click()
    return at.run()


def titles(at) -> list[str]:
    return [one.value for one in at.title]


def save(open_page, organiser, text: str):
    at = open_page("people", organiser)
    next(one for one in at.text_area if one.label == "Consent text").set_value(text)
    return press(at, "Save the text")


def test_it_is_asked_once_before_anything_is_handed_out(open_page, store, organiser, filled, anna):
    assert "Before you begin" not in titles(open_page("judge", anna))
    assert "is saved" in save(open_page, organiser, "May we use *it*?").success[0].value
    at = open_page("judge", anna)
    assert titles(at) == ["Before you begin"]
    assert "May we use *it*?" in [one.value for one in at.text]
    press(at, "I agree")
    assert "Before you begin" not in titles(at)
    assert read_consent(store, filled, anna) == "yes"
    roster = next(
        one.value for one in open_page("people", organiser).dataframe if "consent" in one.value
    )
    assert roster.set_index("name").loc["Anna", "consent"] == "yes"
    assert "Nobody is asked" in save(open_page, organiser, " ").success[0].value


@long
def test_who_does_not_agree_judges_and_may_change_the_answer(open_page, store, filled, anna):
    set_consent_text(store, filled, "May we?")
    at = press(open_page("judge", anna), "I do not agree")
    assert "Before you begin" not in titles(at)
    account = open_page("account", anna)
    assert "Your answer: **no**." in [one.value for one in account.markdown]
    press(account, "I agree")
    assert read_consent(store, filled, anna) == "yes"
    press(account, "I do not agree")
    assert read_consent(store, filled, anna) == "no"


@long
def test_a_text_that_is_too_long_is_refused(open_page, organiser, filled):
    at = save(open_page, organiser, "x" * 20_001)
    assert at.error[0].value == "The text was not saved."


def test_the_file_has_codes_unless_names_are_asked_for(store, filled, anna):
    context = PageContext(store, False, None, filled)
    members = read_roster(store, filled)
    assert b'"Anna"' in write_roster(context, members, names=True)
    coded = write_roster(context, members, names=False)
    assert b"Anna" not in coded
    assert b'"consent"' in coded
