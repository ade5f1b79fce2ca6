"""A page says how old what it shows is, where the database does not answer."""

import pytest
from streamlit.testing.v1 import AppTest

from core.store.store import Store
from pages.shared.live import is_old
from tests.pages.conftest import OpenPage


@pytest.mark.parametrize(("behind", "says"), [(0.0, False), (1.9, False), (31.4, True)])
def test_it_is_said_from_two_seconds_on(
    store: Store, behind: float, says: bool, monkeypatch: pytest.MonkeyPatch
):
    def draw() -> None:
        from pages.server.running import server
        from pages.shared.live import say_how_old

        say_how_old(server().store)

    monkeypatch.setattr(store.database, "behind", lambda: behind)
    at = AppTest.from_function(draw).run()
    assert is_old(store) is says
    said = [one.value for one in at.warning]
    assert len(said) == says
    assert all("as of 31 seconds ago" in one for one in said)


def test_a_store_in_a_file_is_never_old(store: Store, open_page: OpenPage):
    assert store.behind() == 0
