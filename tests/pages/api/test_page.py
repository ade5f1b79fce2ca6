"""Documents to be judged: only with a signed address, only in the sandbox."""

import re
from base64 import b64decode

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.content.imports import write_import
from core.store.events.marked import hash_text
from core.store.people.members import add_member, drop_member
from core.store.people.people import add_person, begin_session, end_session, hash_token
from core.store.store import Store
from pages.api.routes import MIDDLEWARE, ROUTES
from pages.server.running import server
from pages.shared.addresses import page_address
from pages.shared.session import session_cookie

HTML = "<h1>Jaguars</h1><script>alert(1)</script><p title='jaguar'>The jaguar.</p>"


@pytest.fixture
def client(store: Store, filled: str) -> TestClient:
    row = f'{{"id": "h", "html": "{HTML}"}}\n'
    write_import(store, filled, read_import("documents", Source("h.jsonl", row.encode())))
    visitor = TestClient(Starlette(routes=ROUTES, middleware=MIDDLEWARE))
    visitor.cookies.set(
        session_cookie(store.secret), begin_session(store, add_person(store, "Olga", "organiser"))
    )
    return visitor


def get(
    client: TestClient,
    collection_id: str,
    document_id: str,
    query: str = "",
    *,
    text_only: bool = False,
):
    """Ask for a document at the address that was made for the session of this client."""
    session_id = hash_token(client.cookies[session_cookie(server().store.secret)])
    return client.get(
        page_address(collection_id, document_id, query, session_id, text_only=text_only)
    )


def test_an_html_page_comes_in_its_sandbox(client: TestClient, filled: str):
    answer = get(client, filled, "h", "jaguar")
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    for rule in ("sandbox;", "default-src 'none'", "form-action 'none'", "base-uri 'none'"):
        assert rule in policy
    assert "allow-scripts" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert '<mark id="dissent-hit-0">Jaguars</mark>' in answer.text
    assert "<script>alert(1)</script>" in answer.text
    name, _, code = answer.text.rpartition("<!--dissent-text ")[2].partition(" ")
    text = b64decode(code.removesuffix("-->")).decode()
    assert "Jaguars" in text
    assert "alert" not in text
    assert name == hash_text(text)


def test_a_text_page_is_escaped(client: TestClient, store: Store, filled: str):
    row = '{"id": "t", "text": "1 < 2 & <b>bold</b>"}\n'
    write_import(store, filled, read_import("documents", Source("t.jsonl", row.encode())))
    text = get(client, filled, "t").text
    assert "1 &lt; 2 &amp; &lt;b&gt;bold&lt;/b&gt;" in text
    assert 'dir="auto"' in text


def test_of_an_html_page_the_text_alone_can_be_had(client: TestClient, filled: str):
    whole, text = (get(client, filled, "h", "jaguar", text_only=only) for only in (False, True))
    assert text.status_code == 200
    assert text.headers["content-security-policy"] == whole.headers["content-security-policy"]
    assert '<p dir="auto"><mark id="dissent-hit-0">Jaguars</mark></p>' in text.text
    assert "script" not in text.text
    ends = [one.text.rpartition("<!--dissent-text ")[2] for one in (whole, text)]
    assert ends[0] == ends[1], "passages are marked in the same text"


def test_that_it_is_the_text_alone_is_signed(client: TestClient, filled: str):
    session_id = hash_token(client.cookies[session_cookie(server().store.secret)])
    whole, text = (
        page_address(filled, "h", "", session_id, text_only=only).rsplit(".", 2)
        for only in (False, True)
    )
    assert whole[0] != text[0]
    assert client.get(".".join([text[0], *whole[1:]])).status_code == 403


def test_a_page_without_text_says_so(client: TestClient, store: Store, filled: str):
    row = '{"id": "p", "html": "<img src=a.png>"}\n'
    write_import(store, filled, read_import("documents", Source("p.jsonl", row.encode())))
    assert "There is no text in this page." in get(client, filled, "p", text_only=True).text
    assert 'data-not-stored="Picture not stored"' in get(client, filled, "p").text


def test_no_browser_translates_what_is_judged(client: TestClient, filled: str):
    for text_only in (False, True):
        shown = get(client, filled, "h", text_only=text_only).text
        assert '<html translate="no"><body tabindex="0" translate="no">' in shown


def test_other_addresses_lead_nowhere(client: TestClient, filled: str):
    session_id = hash_token(client.cookies[session_cookie(server().store.secret)])
    good = page_address(filled, "h", "", session_id)
    for address in (good + "x", "/api/page/h", "/api/page/..%2f..%2fetc%2fpasswd"):
        answer = client.get(address)
        assert answer.status_code in (403, 404)
        assert "Jaguars" not in answer.text
    gone = get(client, filled, "nowhere")
    assert "no longer" in gone.text


def test_an_address_is_for_the_session_that_it_was_made_in(
    client: TestClient, store: Store, filled: str
):
    session = client.cookies[session_cookie(store.secret)]
    address = page_address(filled, "h", "", hash_token(session))
    assert client.get(address).status_code == 200
    other = begin_session(store, add_person(store, "Otto", "organiser"))
    for cookie in ("", "x", other):
        client.cookies.set(session_cookie(store.secret), cookie)
        answer = client.get(address)
        assert answer.status_code == 403
        assert "Jaguars" not in answer.text
        assert answer.headers["cache-control"] == "no-store"
    client.cookies.set(session_cookie(store.secret), session)
    assert client.get(address).status_code == 200
    end_session(store, session)
    assert client.get(address).status_code == 403


def test_who_judges_elsewhere_or_no_longer_is_shown_nothing(
    client: TestClient, store: Store, filled: str
):
    anna = add_person(store, "Anna", "assessor")
    client.cookies.set(session_cookie(store.secret), begin_session(store, anna))
    assert get(client, filled, "h").status_code == 403
    add_member(store, filled, anna, "Anna")
    assert get(client, filled, "h").status_code == 200
    drop_member(store, filled, anna)
    assert get(client, filled, "h").status_code == 403


@pytest.mark.parametrize("document", ["h", "t"])
def test_a_page_takes_the_focus_and_has_places_to_scroll_to(
    client: TestClient, store: Store, filled: str, document: str
):
    row = '{"id": "t", "text": "word"}\n'
    write_import(store, filled, read_import("documents", Source("t.jsonl", row.encode())))
    text = get(client, filled, document).text
    assert '<body tabindex="0" ' in text
    places = [int(one) for one in re.findall(r'id="dissent-(\d+)"', text)]
    assert places == list(range(len(places)))
    assert len(places) >= 100
