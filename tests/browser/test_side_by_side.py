"""Two assessors judge side by side in a real browser: what is stored is what was on the screen."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import Browser, Page, expect

from core.assessment.handing_out.blinding import occasion_code
from core.assessment.rounds.pair_rounds import open_pair_round
from core.assessment.rounds.rounds import Plan
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.events.labels import Key
from core.store.people.members import add_member
from core.store.people.people import add_person, begin_session
from core.store.rounds.pairs import read_preferences
from core.store.store import Store
from tests.browser.conftest import begin, judge_screen, press_when_seen
from tests.browser.running import Running
from tests.short import long

pytestmark = pytest.mark.browser

Shown = tuple[str, str, tuple[str, ...], tuple[str, ...]]
SYSTEMS = ("zyxalpha", "zyxbeta")
KEYS = {
    "ArrowLeft": (-1, 1),
    "Shift+ArrowLeft": (-1, 2),
    "ArrowRight": (1, 1),
    "Shift+ArrowRight": (1, 2),
    "=": (0, 0),
}
FRAMED = ("<p>Framed</p><script>parent.hurt=1</script>",)


@dataclass
class Made:
    """A store with a round of each kind, and a session for each assessor."""

    path: Path
    collection_id: str
    sessions: dict[str, str]


def make_store(path: Path, pages: Sequence[str] = FRAMED) -> Made:
    store = Store(path)
    collection_id = create_collection(store, "Pairs")
    documents = [
        json.dumps(
            {
                "id": f"d{n}",
                "title": f"Title {n}",
                "url": f"https://site{n}.example/a",
                **({"html": pages[n]} if n < len(pages) else {"text": f"Cats {n}"}),
            }
        )
        for n in range(8)
    ]
    lists = {SYSTEMS[0]: range(6), SYSTEMS[1]: range(7, 1, -1)}
    results = ["topic\tengine\tdocument\trank\tsnippet"] + [
        f"t1\t{system}\td{n}\t{rank}\tCats seen by {n}"
        for system, order in lists.items()
        for rank, n in enumerate(order, start=1)
    ]
    for kind, ending, lines in (
        ("topics", "tsv", ["t1\tcats\tThe user looks for cats."]),
        ("documents", "jsonl", documents),
        ("results", "tsv", results),
    ):
        source = Source(f"{kind}.{ending}", ("\n".join(lines) + "\n").encode())
        write_import(store, collection_id, read_import(kind, source))
    people = {add_person(store, name, "assessor"): name for name in ("Iris", "Jon")}
    for person, name in people.items():
        add_member(store, collection_id, person, name)
    for flow, kind, pairs in (
        ("snippets, then pages, side by side", "documents", [("d0", "d1"), ("d2", "d3")]),
        ("systems side by side", "systems", [SYSTEMS]),
    ):
        chosen = [("t1", kind, *pair) for pair in pairs]
        frame = pd.DataFrame(chosen, columns=["topic_id", "kind", "first", "second"])
        open_pair_round(store, collection_id, Plan(flow=flow, repeat_share=0.5), frame)
    sessions = {person: begin_session(store, person) for person in people}
    store.close()
    return Made(path, collection_id, sessions)


def enter(page: Page, server: Running, session: str) -> None:
    page.context.add_cookies([{"name": server.cookie, "value": session, "url": server.address}])
    page.goto(server.address)
    begin(page)


def listen(page: Page) -> list[bytes]:
    """Keep everything that reaches the browser: documents, answers and frames of the socket."""
    received: list[bytes] = []

    def keep(frame: bytes | str) -> None:
        received.append(frame if isinstance(frame, bytes) else frame.encode())

    page.on("websocket", lambda socket: socket.on("framereceived", keep))
    page.on(
        "response",
        lambda answer: (
            received.append(answer.body()) if "/api/" in answer.url and answer.ok else None
        ),
    )
    return received


def titles(page: Page, side: str) -> list[str]:
    return page.get_by_test_id(side).locator(".title").all_text_contents()


def press(page: Page, key: str) -> Shown:
    """Answer what is on the screen; returns its step, and the titles on the left and right."""
    root = judge_screen(page)
    before = root.get_attribute("data-step") or ""
    shown = tuple(titles(page, "left")), tuple(titles(page, "right"))
    press_when_seen(page, key)
    expect(root).not_to_have_attribute("data-step", before)
    return before, key, *shown


def judge_all(
    page: Page,
    keys: list[str],
    halfway: Callable[[], None] = lambda: None,
    look: Callable[[], None] = lambda: None,
) -> list[Shown]:
    """Look at everything that is handed out, and answer it, in turn by these keys."""
    seen: list[Shown] = []
    over = page.get_by_test_id("over")
    going = page.locator("[data-step]:not([data-step=finished], [data-step=start])")
    some = ", ".join(f"[data-testid={name}]:visible" for name in ("over", "next", "item"))
    while True:
        expect(page.locator(some).first).to_be_visible()
        if over.is_visible():
            return seen
        if not going.count():
            page.keyboard.press("Enter")
            expect(page.locator(some.replace("next", "start")).first).to_be_visible()
            begin(page)
            continue
        look()
        seen.append(press(page, keys[len(seen) % len(keys)]))
        if len(seen) == 3:
            halfway()
        expect(page.locator("[data-waiting='0']")).to_be_visible()


@long
def test_two_assessors_judge_pairs_and_lists(
    browser: Browser, tmp_path: Path, run_server: Callable[[Path | None], Running]
):
    made = make_store(tmp_path / "store.duckdb")
    server = run_server(made.path)

    def crash() -> None:
        server.kill()
        server.start()

    seen, bytes_of = {}, {}
    for (person, session), halfway in zip(
        made.sessions.items(), (crash, lambda: None), strict=True
    ):
        context = browser.new_context()
        page = context.new_page()
        bytes_of[person] = listen(page)
        enter(page, server, session)
        seen[person] = judge_all(page, list(KEYS), halfway)
        assert page.evaluate("window.hurt") is None
        context.close()
    server.stop()
    check_stored(made, seen)
    for person, received in bytes_of.items():
        everything = b"".join(received)
        assert b"Cats seen by" in everything
        for name in (*SYSTEMS, *(other for other in made.sessions if other != person)):
            assert name.encode() not in everything


def check_stored(made: Made, seen: dict[str, list[Shown]]) -> None:
    """Compare every stored preference with what its assessor saw and pressed."""
    store = Store(made.path)
    found = read_preferences(store, made.collection_id)
    places = store.cursor().execute("SELECT pair_id, first, second FROM pairs").fetchall()
    secret = store.secret
    store.close()
    assert not found.duplicated(["assessor_id", "pair_id", "facet", "occasion"]).any()
    assert len(found) == sum(map(len, seen.values())) == 2 * (2 * 2 + 2 + 1)
    pairs = {pair_id: {first, second} for pair_id, first, second in places}
    rows = found.set_index(["assessor_id", "pair_id", "facet", "occasion"])
    lists = {SYSTEMS[0]: "Title 0", SYSTEMS[1]: "Title 7"}
    for person, steps in seen.items():
        for step, key, left, right in steps:
            topic_id, pair_id, facet, _, code = step.split("|")
            occasion = next(
                number
                for number in (0, 1)
                if occasion_code(secret, Key(topic_id, pair_id, facet, "", person, number)) == code
            )
            row = rows.loc[(person, pair_id, facet.removesuffix(" pair"), occasion)]
            side, strength = KEYS[key]
            other = next(iter(pairs[pair_id] - {row["left"]}))
            for name, shown in ((row["left"], left), (other, right)):
                assert shown[0] == lists.get(name, f"Title {name[1:]}")
            better = {-1: row["left"], 1: other}.get(side, "tie")
            chosen = {"first": row["first"], "second": row["second"], "tie": "tie"}
            assert (chosen[row["choice"]], row["strength"]) == (better, strength)
    swapped = rows.xs(1, level="occasion")["left"]
    assert (swapped != rows.xs(0, level="occasion")["left"].reindex(swapped.index)).all()


def look_at_both(page: Page) -> str:
    """On a phone, look at the other side, too; returns which one had come first."""
    root = judge_screen(page)
    expect(root).to_have_attribute("data-lack", re.compile("left|right"))
    unseen = root.get_attribute("data-lack") or ""
    (first,) = {"left", "right"} - {unseen}
    button = page.get_by_test_id(f"side-{unseen}")
    expect(page.get_by_test_id(first)).to_be_visible()
    expect(page.get_by_test_id(unseen)).to_be_hidden()
    expect(button).to_have_text(f"{unseen.capitalize()}: not seen yet")
    button.click()
    expect(page.get_by_test_id(first)).to_be_hidden()
    expect(page.get_by_test_id(unseen)).to_be_visible()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(button).to_have_text(unseen.capitalize())
    expect(root).to_have_attribute("data-lack", "")
    expect(root).to_have_attribute("data-ready", "true")
    return first


@long
def test_on_a_phone_one_side_is_seen_at_a_time_and_buttons_have_their_keys(
    browser: Browser, tmp_path: Path, run_server: Callable[[Path | None], Running]
):
    made = make_store(tmp_path / "store.duckdb")
    session = next(iter(made.sessions.values()))
    server = run_server(made.path)
    page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    enter(page, server, session)
    look_at_both(page)
    page.keyboard.press("=")
    expect(judge_screen(page)).to_have_attribute("data-lack", re.compile("left|right"))
    left, right = page.get_by_test_id("left"), page.get_by_test_id("right")
    page.set_viewport_size({"width": 1366, "height": 768})
    expect(left).to_be_visible()
    expect(right).to_be_visible()
    expect(page.get_by_test_id("side-right")).to_be_hidden()
    keys = page.get_by_test_id("levels").locator("kbd")
    expect(keys).to_have_text(["⇧ ←", "←", "=", "→", "⇧ →"])
    page.set_viewport_size({"width": 683, "height": 384})  # a laptop's at 200 %
    title = page.get_by_test_id("pair").locator(".title:visible").first
    expect(title).to_be_in_viewport(ratio=1)
    page.context.close()
