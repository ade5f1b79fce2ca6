"""The address says what is shown: collection, page and choices, after a reload and elsewhere."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.demo import load_demo
from core.store.content.collections import create_collection
from core.store.people.people import add_person, begin_session, invite
from core.store.store import Store
from tests.browser.conftest import settle, sign_in
from tests.short import long

pytestmark = pytest.mark.browser


@long
def test_a_reload_and_a_second_tab_show_the_same(page: Page, tmp_path: Path, run_server):
    store = Store(tmp_path / "store.duckdb")
    create_collection(store, "Another one")
    shown = load_demo(store)
    olga = add_person(store, "Olga", "organiser")
    begin_session(store, olga)
    token = invite(store, olga)
    store.close()
    server = run_server(tmp_path / "store.duckdb")
    sign_in(page, server, token)
    box = page.get_by_role("combobox", name="Collection")
    expect(box).to_have_value("Another one")
    box.click()
    page.get_by_role("option", name="Demo").click()
    expect(box).to_have_value("Demo: five made-up search engines")
    page.get_by_test_id("stTopNavLink").filter(has_text="Agreement").click()
    page.get_by_role("link", name="Level weights").click()
    expect(page.get_by_role("heading", name="Level weights")).to_be_visible()
    page.get_by_text("snippets", exact=True).click()
    answer = page.locator(".st-key-answer")
    expect(answer).to_contain_text("A snippet that one assessor calls")
    settle(page)
    assert f"/disagreement?collection={shown}" in page.url
    page.reload()
    expect(answer).to_contain_text("A snippet that one assessor calls")
    second = page.context.new_page()
    second.goto(page.url)
    expect(second.locator(".st-key-answer")).to_contain_text("A snippet that one assessor calls")
    expect(second.get_by_role("combobox", name="Collection")).to_have_value(
        "Demo: five made-up search engines"
    )
