"""Judging by keyboard in a real browser, with the server killed in the middle."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.assessment.rounds.rounds import Plan, open_round
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.file.database import fetch
from core.store.people.members import add_member
from core.store.people.people import add_person, invite
from core.store.store import Store
from tests.browser.conftest import begin, judge_screen, press_when_seen, sign_in
from tests.browser.running import Running
from tests.browser.study import wait_to_hear

pytestmark = pytest.mark.browser

DOCUMENTS = 8


def make_store(path: Path) -> tuple[str, str]:
    """Make a store with one topic of snippets and pages; returns the assessor and the link."""
    store = Store(path)
    collection_id = create_collection(store, "Small", guidelines="Judge for the user.")
    documents = ["id\ttitle\turl\ttext\thtml"] + [
        f"d{n}\tTitle {n}\thttps://site{n}.example/a\t"
        + ("\t<p>Page of cats</p><script>parent.hurt = 1</script>" if n == 3 else f"Cats {n}\t")
        for n in range(DOCUMENTS)
    ]
    results = ["topic\tengine\tdocument\trank\tsnippet"] + [
        f"t1\tengine-{e}\td{n}\t{n + 1}\tCats seen by {n}" for n in range(DOCUMENTS) for e in "ab"
    ]
    for kind, lines in (
        ("topics", ["t1\tcats\tThe user looks for cats."]),
        ("documents", documents),
        ("results", results),
    ):
        text = "\n".join(lines) + "\n"
        write_import(store, collection_id, read_import(kind, Source(f"{kind}.tsv", text.encode())))
    assessor = add_person(store, "Assessor", "assessor")
    add_member(store, collection_id, assessor, "Assessor")
    open_round(store, collection_id, Plan(judges=1, assessors=(assessor,)))
    token = invite(store, assessor)
    store.close()
    return assessor, token


def press(page: Page, key: str) -> str:
    """Press a key when an item is on screen and wait for the next; returns what was judged."""
    root = judge_screen(page)
    before = root.get_attribute("data-step")
    press_when_seen(page, key)
    expect(root).not_to_have_attribute("data-step", before or "")
    return before or ""


def test_every_press_has_exactly_one_label_though_the_server_is_killed(
    page: Page, tmp_path: Path, run_server: Callable[[Path | None], Running]
):
    path = tmp_path / "store.duckdb"
    assessor, token = make_store(path)
    server = run_server(path)
    sign_in(page, server, token)
    known: list[str] = []
    page.on("requestfinished", lambda one: known.append(one.url))
    root = begin(page)
    total = DOCUMENTS * 3
    pressed: dict[str, int] = {}
    for number in range(total - 1):
        if number == 9:
            # The one page that has a frame comes on the screen while the server is away.
            wait_to_hear(page, lambda: any("/api/page/" in one for one in known))
            server.kill()
        if number == 15:
            expect(root).not_to_have_attribute("data-waiting", "0")
            server.start()
        level = number % 4
        pressed[press(page, str(level + 1))] = level
    last = root.get_attribute("data-step") or ""
    press_when_seen(page, "1")
    pressed[last] = 0
    expect(page.get_by_text("There is nothing for you to judge now")).to_be_visible()
    server.stop()
    assert len(pressed) == total
    check_labels(path, assessor, pressed)


def check_labels(path: Path, assessor: str, pressed: dict[str, int]) -> None:
    """Assert that the store holds one event for each press, with its level, and no other."""
    store = Store(path)
    rows = fetch(
        store.cursor(),
        "SELECT topic_id, document_id, facet, assessor_id, occasion, state, level, stale "
        "FROM labels ORDER BY sequence",
    )
    store.close()
    assert len(rows) == len(pressed)
    assert {row["assessor_id"] for row in rows} == {assessor}
    assert {row["state"] for row in rows} == {"level"}
    assert not any(row["stale"] for row in rows)
    stored = sorted((row["document_id"], row["facet"], row["level"]) for row in rows)
    wanted = sorted((*step.split("|")[1:3], level) for step, level in pressed.items())
    assert stored == wanted
