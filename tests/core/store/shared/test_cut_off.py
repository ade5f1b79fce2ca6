"""A server that hears nothing of the database lets nobody in by what may have ended."""

import pytest

from core.errors import StoreUnreachable
from core.store import store as stores
from core.store.people.people import add_person
from core.store.people.token_scopes import SCOPES
from core.store.people.tokens import end_token, find_token, list_tokens, make_token
from core.store.shared import followed_copy
from core.store.store import Store
from tests.browser.running import wait_until
from tests.postgres import Cluster


def test_tokens_count_for_nothing_while_the_database_is_away(
    cluster: Cluster, open_server, monkeypatch: pytest.MonkeyPatch
):
    store: Store = open_server()
    person = add_person(store, "Olga", "organiser")
    token = make_token(store, person, "report", SCOPES["organiser"])
    assert find_token(store, token)
    store.require_reach()
    assert not store.is_cut_off()
    monkeypatch.setattr(stores, "CUT_OFF", 0.5)
    # However long nobody asks again, once the database is heard of everybody does.
    monkeypatch.setattr(followed_copy, "_RESPITE", 600.0)
    cluster.stop()
    try:
        wait_until(lambda: store.behind() > 0.5)
        assert store.is_cut_off()
        with pytest.raises(StoreUnreachable):
            find_token(store, token)
    finally:
        cluster.start()
    wait_until(lambda: not store.is_cut_off())
    assert find_token(store, token)
    end_token(store, list_tokens(store, person)[0].token_id, by=person)
    assert find_token(store, token) is None
