"""What a page that is still open may do after its person has signed out."""

from pathlib import Path

import pytest
import streamlit as st

from core.errors import NotAllowed
from core.store.people.people import add_person, begin_session, end_session
from core.store.store import Store
from pages.shared.session import session_cookie, while_signed_in
from tests.pages.conftest import OpenPage


def test_an_open_page_hands_out_no_file_after_signing_out(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    token = begin_session(store, add_person(store, "Olga", "organiser"))
    monkeypatch.setattr(st, "session_state", {"session_token": token})
    make = while_signed_in(lambda: b"everything")
    assert make() == b"everything"
    end_session(store, token)
    with pytest.raises(NotAllowed, match="signed out"):
        make()


def test_two_servers_on_a_host_have_cookies_of_their_own(tmp_path: Path):
    stores = [Store(tmp_path / f"{name}.duckdb") for name in ("first", "second")]
    names = {session_cookie(one.secret) for one in stores}
    assert len(names) == 2
    assert not any(one.secret in name for one in stores for name in names)
    for one in stores:
        one.close()


def test_every_download_is_made_by_a_guard(
    open_page: OpenPage, organiser: str, filled: str, monkeypatch: pytest.MonkeyPatch
):
    offered = []
    monkeypatch.setattr(st, "download_button", lambda *_given, **named: offered.append(named))
    for address in ("export", "effectiveness", "agreement", "disagreement", "ranking", "monitor"):
        open_page(address, organiser)
    assert len(offered) > 6
    for named in offered:
        data = named["data"]
        assert not callable(data) or data.__qualname__.startswith("while_signed_in")
