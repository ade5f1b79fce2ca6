"""A visitor whose server dies is on another one within seconds: signed in, nothing lost."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from core.place import Address
from core.store.events.frames import read_labels
from core.store.store import Store
from tests.bench.collection import Prepared, prepare
from tests.browser.conftest import begin, press_when_seen
from tests.browser.running import wait_until
from tests.browser.study import expect_saved, judge
from tests.faults.several import Several
from tests.postgres import SAFE, Cluster
from tests.short import long

pytestmark = pytest.mark.browser


@dataclass
class House:
    """Two servers behind nginx, and what they serve."""

    several: Several
    address: Address
    prepared: Prepared
    url: str

    def enter(self, page: Page, link: str) -> None:
        """Follow an invitation link."""
        page.goto(f"{self.url}/enter/{link}")
        page.get_by_role("button", name="Sign in").click()

    def labels(self) -> list[int]:
        """Return the levels given, in order, as the database has them."""
        with closing(Store(self.address)) as store:
            return read_labels(store, self.prepared.collection_id)["level"].tolist()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    cluster = Cluster(*SAFE)
    address = Address(cluster.make())
    prepared = prepare(address, documents=20, assessors=2)
    several = Several(cluster, [address] * 2, tmp_path)
    several.start()
    yield House(several, address, prepared, f"http://127.0.0.1:{several.port}")
    several.stop()
    cluster.close()


@long
@pytest.mark.timeout(400)
def test_whose_server_dies_judges_on_at_another(page: Page, browser: Browser, house: House):
    house.enter(page, house.prepared.assessor_link)
    begin(page)
    beside = browser.new_context()
    watching = beside.new_page()
    house.enter(watching, house.prepared.organiser_link)
    watching.goto(f"{house.url}/monitor?collection={house.prepared.collection_id}")
    expect(watching.get_by_test_id("stApp")).to_contain_text("Benchmark")
    judge(page, "123")
    expect_saved(page)
    given = 3
    for dying in house.several.servers:  # one of them is the visitor's
        dying.kill()
        judge(page, "412")  # the browser keeps what nobody takes
        given += 3
        expect_saved(page)
        dying.start()
    assert house.labels() == [0, 1, 2, 3, 0, 1, 3, 0, 1]
    page.reload()
    root = begin(page)
    expect(page.get_by_test_id("progress")).to_contain_text(f"{given + 1} of 20")
    press_when_seen(page, "1")
    expect_saved(page)
    assert root.is_visible()
    expect(watching.get_by_test_id("stApp")).to_contain_text("10")
    expect(watching.get_by_text("Sign in")).to_have_count(0)
    beside.close()


@long
@pytest.mark.timeout(300)
def test_without_the_database_pages_say_how_old_they_are(page: Page, house: House):
    house.enter(page, house.prepared.organiser_link)
    page.goto(f"{house.url}/monitor?collection={house.prepared.collection_id}")
    app = page.get_by_test_id("stApp")
    expect(app).to_contain_text("Benchmark")
    expect(app).not_to_contain_text("seconds ago")
    house.several.cluster.stop()
    expect(app).to_contain_text("the database of this store does not answer")
    house.several.cluster.start()
    expect(app).not_to_contain_text("the database of this store does not answer")
    wait_until(lambda: all(one.answers() for one in house.several.servers))
