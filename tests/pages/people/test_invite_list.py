"""Many people are invited at once: links once, mails to copy, one bad line refuses all."""

from urllib.parse import parse_qs, urlsplit

import pytest

from core.store.people.members import list_members
from core.store.people.people import accept_invitation, find_session, list_people
from pages.people.invite_list import write_mail
from tests.short import long

LIST = "name,group,e-mail\nAnna,experts,anna@example.org\n=Bob,,\n"


def press(at, label: str):
    next(one for one in at.button if one.label == label).click()
    return at.run()


def invite(at, text: str):
    area = next(one for one in at.text_area if one.label.startswith("One person a line"))
    area.set_value(text)
    return press(at, "Invite all")


@pytest.fixture
def invited(open_page, organiser, filled):
    return invite(open_page("people", organiser), LIST)


def links(at) -> list[str]:
    return next(one.value for one in at.dataframe if "link" in one.value)["link"].tolist()


def test_the_links_let_people_in_and_are_gone_once_put_away(invited, store, filled):
    assert not invited.exception
    token = links(invited)[1].rpartition("/")[2]
    assert find_session(store, accept_invitation(store, token)).name == "=Bob"
    members = list_members(store, filled).set_index("name")
    assert members.loc["Anna", "group"] == "experts"
    press(invited, "I have the links")
    assert not any("link" in one.value for one in invited.dataframe)


@long
def test_the_mail_of_each_can_be_copied_and_sent_where_an_address_is_known(invited):
    assert links(invited)[0] in invited.code[0].value
    (button,) = invited.get("link_button")
    assert button.proto.url.startswith("mailto:anna@example.org?subject=")
    invited.selectbox(key="invited-mail").select_index(1).run()
    assert "Dear =Bob," in invited.code[0].value
    assert not invited.get("link_button")


@long
def test_a_file_is_read_as_well(open_page, store, organiser, filled):
    at = open_page("people", organiser)
    at.file_uploader[0].upload("people.tsv", b"Carla\tstudents\n")
    press(at, "Invite all")
    assert "Carla" in list_members(store, filled)["name"].tolist()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Anna\nAnna\n", "pasted list:2: field 'name'"),
        pytest.param("Olga\n", "already somebody", marks=long),
        pytest.param("", "empty", marks=long),
    ],
)
def test_a_bad_line_refuses_all(open_page, store, organiser, filled, text, fault):
    at = invite(open_page("people", organiser), text)
    assert at.error[0].value == "Nobody was invited."
    assert fault in at.code[0].value
    assert len(list_people(store)) == 1


def test_a_mail_link_holds_any_text_whole():
    mail = write_mail("A&B", "a?cc=x@example.org", "http://h/enter/t", "50 % & more", "Olga", 7)
    parts = urlsplit(mail.link)
    assert (parts.scheme, parts.path) == ("mailto", "a%3Fcc%3Dx@example.org")
    assert parse_qs(parts.query) == {"subject": [mail.subject], "body": [mail.body]}
    assert write_mail("A", "", "l", "c", "s", 7).link == ""
