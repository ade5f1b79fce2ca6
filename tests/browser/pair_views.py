"""Two things side by side: two results, two systems' lists, what is opened, and reasons."""

import json

import pandas as pd
from playwright.sync_api import Page, expect

from core.assessment.rounds.pair_rounds import open_pair_round
from core.assessment.rounds.rounds import Plan
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.events.preference_reasons import set_reason_choices
from core.store.people.members import add_member
from core.store.people.people import add_person, begin_session
from core.store.store import Store
from tests.browser.chair_looks import LOOKS, Act
from tests.browser.conftest import begin, press_when_seen
from tests.browser.study import Study

SYSTEMS = ("first", "second")
REASONS = ("more relevant", "fresher", "easier to read", "says where it is from")
FLOWS = {
    "pages": ("pages side by side", "documents", ("d1", "d2")),
    "snippets": ("snippets, then pages, side by side", "documents", ("d1", "d2")),
    "framed": ("pages side by side", "documents", ("d3", "d4")),
    "lists": ("systems side by side", "systems", SYSTEMS),
}
TEXTS = {
    "d1": "A grown cat eats twice a day.\n\nFresh water stands beside it. " * 12,
    "d2": "Kittens eat four times a day, grown cats twice.\n\n" * 3,
    "d3": "",
    "d4": "",
    "d5": "There are some seventy breeds of cats.",
    "d6": "Wet food has more water in it than dry food.",
}
TITLES = ("Feeding a cat", "How often does a cat eat?", "A shop", "A forum", "Breeds", "Wet or dry")
HTML = "<h1>A framed page</h1>" + "<p>It says how to feed a cat, and what it costs.</p>" * 20


def fill(store: Store) -> dict[str, str]:
    """Open a round of each kind for each look; returns a session for each."""
    sessions = {}
    for look in LOOKS:
        for name, (flow, kind, pair) in FLOWS.items():
            place = create_collection(store, f"Cats, {name}, {look}")
            _import(store, place)
            set_reason_choices(store, place, REASONS)
            person = add_person(store, f"Compares {name}, {look}", "assessor")
            add_member(store, place, person, "Compares")
            chosen = pd.DataFrame(
                [("t1", kind, *pair)], columns=["topic_id", "kind", "first", "second"]
            )
            open_pair_round(store, place, Plan(judges=1, flow=flow), chosen)
            sessions[f"pair {name}, {look}"] = begin_session(store, person)
    return sessions


def _import(store: Store, collection_id: str) -> None:
    documents = [
        {"id": name, "title": title, "url": f"https://{name}.example/cats/feeding", "text": text}
        | ({"html": HTML, "text": ""} if not text else {})
        for (name, text), title in zip(TEXTS.items(), TITLES, strict=True)
    ]
    snippet = "Twice a day is right for a grown cat; a kitten eats more often, four times or more."
    results = [
        {"topic": "t1", "engine": system, "document": name, "rank": rank, "snippet": snippet}
        for system, order in zip(SYSTEMS, (sorted(TEXTS), sorted(TEXTS)[::-1]), strict=True)
        for rank, name in enumerate(order, start=1)
    ]
    wanted = "How often, how much, and what a cat is fed."
    for kind, rows in (
        ("topics", [{"id": "t1", "query": "feeding cats", "description": wanted}]),
        ("documents", documents),
        ("results", results),
    ):
        text = "".join(json.dumps(row) + "\n" for row in rows)
        write_import(store, collection_id, read_import(kind, Source("file.jsonl", text.encode())))


def compare(name: str, *keys: str, side: str = "") -> Act:
    """Return what comes to two things, presses keys, and on a phone looks at one side."""

    def act(page: Page, study: Study, look: str) -> None:
        study.enter(page, study.collections[f"pair {name}, {look}"])
        begin(page)
        for key in keys:
            press_when_seen(page, key)
        tab = page.get_by_test_id(f"side-{side}")
        if side and tab.is_visible():
            tab.click()
            expect(tab).to_have_attribute("aria-pressed", "true")

    return act


STATES: dict[str, Act] = {
    "pair-snippets": compare("snippets"),
    "pair-pages": compare("pages"),
    "pair-right": compare("pages", side="right"),
    "pair-framed": compare("framed"),
    "pair-reasons": compare("pages", "Shift+Digit1", "Shift+Digit3"),
    "lists": compare("lists"),
    "lists-right": compare("lists", side="right"),
    "list-opened": compare("lists", "o"),
    "list-opened-framed": compare("lists", "o", "3"),
}
