"""A click on a cell of topics × people, in a real browser: the table is painted, not text."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.assessment.rounds.rounds import Plan, open_round
from core.demo import load_demo
from core.store.people.members import add_member
from core.store.people.people import add_person, begin_session, invite
from core.store.rounds.rounds import read_slots
from core.store.store import Store
from pages.judging.matrix.matrix import NARROWEST, ROW
from tests.browser.conftest import settle, sign_in
from tests.browser.running import Running
from tests.short import long

pytestmark = pytest.mark.browser


@long
def test_a_clicked_cell_is_assigned(
    page: Page, tmp_path: Path, run_server: Callable[[Path | None], Running]
):
    path = tmp_path / "store.duckdb"
    with closing(Store(path)) as store:
        collection_id = load_demo(store)
        ids = [add_person(store, name, "assessor") for name in ("Anna", "Bob")]
        for one, name in zip(ids, ("Anna", "Bob"), strict=True):
            add_member(store, collection_id, one, name)
        open_round(store, collection_id, Plan(name="Latest", judges=1, flow="page only"))
        olga = add_person(store, "Olga", "organiser")
        begin_session(store, olga)  # else the server makes a link of its own, which ends this one
        token = invite(store, olga)
    server = run_server(path)
    page.set_viewport_size({"width": 1366, "height": 768})
    sign_in(page, server, token)
    expect(page.get_by_test_id("stTopNavLink").first).to_be_visible()
    page.goto(f"{server.address}/matrix")
    table = page.get_by_test_id("stDataFrame").first
    expect(table.locator("canvas").first).to_be_visible()
    settle(page)
    box = table.bounding_box() or {}
    # The last column is Bob's; the third row is the third topic's.
    page.mouse.click(box["x"] + box["width"] - NARROWEST / 2, box["y"] + ROW * 3.5)
    button = page.get_by_role("button", name="Assign this slot")
    expect(button).to_be_visible()
    settle(page)
    button.click()
    expect(page.get_by_text("Bob has the slot of topic t03.")).to_be_visible()
    server.kill()
    with closing(Store(path)) as store:
        held = [one.topic_id for one in read_slots(store.cursor(), collection_id)
                if one.assessor_id == ids[1]]  # fmt: skip
    assert held == ["t03"]
