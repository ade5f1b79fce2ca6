"""A round under MaxMean with three assessors, whose server is killed in the middle.

Every document is judged by exactly k of them and by nobody twice, what chose it is recorded, and
none of them is told anything of it.
"""

import re
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from core.assessment.rounds.rounds import Plan, open_round
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.command.check import check_store
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.file.database import fetch
from core.store.people.members import add_member
from core.store.people.people import add_person, invite
from core.store.rounds.orders import read_choices
from core.store.rounds.rounds import read_slots
from core.store.store import Store
from tests.browser.conftest import begin, judge_screen, press_when_seen, sign_in
from tests.browser.test_side_by_side import listen
from tests.short import long

pytestmark = pytest.mark.browser

JUDGES, DOCUMENTS, BUDGET = 2, 8, 12
RUNS = {"run-that-is-good": range(1, 9), "run-that-is-poor": range(8, 0, -1)}
NOTHING = "There is nothing for you to judge now"
TURNS_BEFORE = 8


def make_store(path: Path) -> tuple[str, list[str]]:
    """Make a store with a round that MaxMean chooses in; returns the collection and the links."""
    with closing(Store(path)) as store:
        collection_id = create_collection(store, "Ordered", guidelines="Judge for the user.")
        names = [f"t{topic}d{n}" for topic in (1, 2) for n in range(1, DOCUMENTS + 1)]
        documents = ["id\ttitle\ttext", *(f"{name}\tTitle\tCats in {name}" for name in names)]
        runs = [
            f"t{topic} Q0 t{topic}d{number} {rank} {20 - rank} {name}"
            for name, order in RUNS.items()
            for topic in (1, 2)
            for rank, number in enumerate(order, start=1)
        ]
        for kind, lines in (
            ("topics", ["t1\tcats\tcats", "t2\tdogs\tdogs"]),
            ("documents", documents),
            ("runs", runs),
        ):
            source = Source(f"{kind}.tsv", ("\n".join(lines) + "\n").encode())
            write_import(store, collection_id, read_import(kind, source))
        links = []
        for name in ("Anna", "Bob", "Cleo"):
            person = add_person(store, name, "assessor")
            add_member(store, collection_id, person, name)
            links.append(invite(store, person))
        open_round(
            store,
            collection_id,
            Plan(
                judges=JUDGES,
                flow="page only",
                order="max-mean",
                budget=BUDGET,
                batch_size=3,
            ),
        )
    return collection_id, links


def answer(page: Page) -> str:
    """Judge what is on the screen by what it is; returns it, or nothing where there is no item."""
    step = judge_screen(page).get_attribute("data-step") or ""
    if "|" not in step:
        return ""
    number = int(step.split("|")[1][-1])
    press_when_seen(page, "3" if number <= DOCUMENTS // 2 else "1")
    return step


def answer_and_go_on(page: Page) -> str:
    """Wait for an item and judge it; returns it, or nothing where nothing is left."""
    if not find_item(page):
        return ""
    step = answer(page)
    expect(judge_screen(page)).not_to_have_attribute("data-step", step)
    return step


def find_item(page: Page) -> bool:
    """Go on to the next item, past the card at the end of a batch; False where none is left."""
    item = page.locator("[data-step*='|']")
    nothing = page.get_by_text(NOTHING).filter(visible=True)
    # It names the topic only once what is next has been chosen.
    following = page.get_by_role("button", name=re.compile("^Next")).filter(visible=True)
    expect(item.or_(nothing).or_(following).first).to_be_visible()
    if following.count():
        page.keyboard.press("Enter")  # a click would wait for a button that the answer may hide
        expect(item.or_(nothing).first).to_be_visible()
    return not nothing.count()


@long
@pytest.mark.timeout(600)
def test_a_round_under_max_mean_survives_a_server_that_is_killed(
    browser: Browser, tmp_path: Path, run_server
):
    path = tmp_path / "store.duckdb"
    collection_id, links = make_store(path)
    server = run_server(path)
    pages, received = [], []
    for link in links:
        page = browser.new_context().new_page()
        received.append(listen(page))
        sign_in(page, server, link)
        begin(page)
        pages.append(page)
    pressed: list[set[str]] = [set() for _ in pages]
    for turn in range(TURNS_BEFORE):
        place = turn % len(pages)
        pressed[place].add(answer_and_go_on(pages[place]))
    server.kill()
    for place, page in enumerate(pages):  # what is answered now waits in the browser
        pressed[place].add(answer(page))
    server.start()
    left = set(range(len(pages)))
    for turn in range(200):
        place = turn % len(pages)
        if place in left:
            step = answer_and_go_on(pages[place])
            pressed[place].add(step)
            left -= {place} if not step else set()
        if not left:
            break
    assert not left
    for page in pages:
        page.context.close()
    server.stop()
    check_store_after(path, collection_id, [one - {""} for one in pressed])
    for heard in received:
        everything = b"".join(heard)
        assert b"Cats in" in everything, "what is sent is seen here"
        for told in (b"max-mean", b"budget", *(name.encode() for name in RUNS)):
            assert told not in everything, told


def check_store_after(path: Path, collection_id: str, pressed: list[set[str]]) -> None:
    """Assert that what is stored is what was pressed, by k for each document that was chosen."""
    with closing(Store(path)) as store:
        choices = read_choices(store, collection_id)
        rows = fetch(
            store.cursor(),
            "SELECT topic_id, document_id, assessor_id, stale FROM labels WHERE state = 'level'",
        )
        slots = read_slots(store.cursor(), collection_id)
    assert len(choices) == BUDGET
    assert choices["place"].tolist() == list(range(1, BUDGET + 1))
    assert set(choices["order"]) == {"max-mean"}
    assert choices["chosen_at"].is_monotonic_increasing
    chosen = set(zip(choices["topic_id"], choices["document_id"], strict=True))
    assert len(chosen) == BUDGET
    judged = [(row["topic_id"], row["document_id"], row["assessor_id"]) for row in rows]
    assert not any(row["stale"] for row in rows)
    assert len(judged) == len(set(judged)) == JUDGES * BUDGET == sum(map(len, pressed))
    assert Counter(one[:2] for one in judged) == dict.fromkeys(chosen, JUDGES)
    by_batch = Counter((slot.topic_id, slot.batch) for slot in slots)
    assert set(by_batch.values()) == {JUDGES}
    assert all(slot.finished_at for slot in slots)
    assert [one.proof for one in check_store(path, by_use=False) if one.faults] == []
