"""A server on a store in which every test has a collection and an assessor of its own."""

import json
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, Route, expect

from core.assessment.rounds.rounds import Plan, open_round
from core.collection.aspects import Aspect
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.language.translate import ENGLISH
from core.store.content.aspects import add_aspect
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.practice import PracticeItem, add_practice_item
from core.store.events.aspect_labels import list_aspect_levels, read_aspect_labels
from core.store.events.frames import read_labels
from core.store.file.database import fetch
from core.store.people.members import add_member
from core.store.people.people import add_person, begin_session
from core.store.store import Store
from tests.browser.conftest import begin, judge_screen, press_when_seen
from tests.browser.running import Running, wait_until


def page_of(number: int) -> dict[str, Any]:
    """Return a plain document."""
    return {
        "id": f"d{number}",
        "title": f"Title {number}",
        "url": f"https://site{number}.example/a",
        "text": f"Cats {number}",
    }


@dataclass(frozen=True)
class Wish:
    """What the collection of one test is to hold; ``sizes``: of how many documents each topic."""

    topics: tuple[str, ...] = ("cats",)
    documents: tuple[dict[str, Any], ...] = (page_of(1), page_of(2), page_of(3))
    plan: Plan = field(default_factory=lambda: Plan(judges=1, flow="page only"))
    guidelines: str = ""
    practice: tuple[PracticeItem, ...] = ()
    language: str = ENGLISH
    aspects: tuple[Aspect, ...] = ()
    sizes: tuple[int | None, ...] = ()


@dataclass(frozen=True)
class Seat:
    """An assessor's place: the collection, the person, and a session that browsers may share."""

    collection_id: str
    assessor_id: str
    session: str


class Study:
    """A running server and what was prepared on its store, by the name of the test.

    ``fill`` may put more collections into the store; it returns their ids by name.
    """

    def __init__(
        self,
        folder: Path,
        wishes: dict[str, Wish],
        fill: Callable[[Store], dict[str, str]] | None = None,
    ) -> None:
        self.path = folder / "store.duckdb"
        store = Store(self.path)
        organiser = add_person(store, "Organiser", "organiser")
        self.organiser = begin_session(store, organiser)
        self.seats = {name: _seat(store, name, wish) for name, wish in wishes.items()}
        self.collections = fill(store) if fill else {}
        store.close()
        self.server = Running(self.path, folder / "server.log")

    def sit(self, page: Page, name: str) -> Locator:
        """Sign in as the assessor of a test and return the judging screen."""
        self.enter(page, self.seats[name].session)
        return begin(page)

    def enter(self, page: Page, session: str, path: str = "") -> None:
        """Open a page of the app in a session that has begun."""
        cookie = {"name": self.server.cookie, "value": session, "url": self.server.address}
        page.context.add_cookies([cookie])
        page.goto(f"{self.server.address}/{path}")

    def labels(self, name: str) -> list[dict[str, Any]]:
        """Return the label events of a test in order, read from a copy of the store's files."""
        with self.copied() as store:
            return fetch(
                store.cursor(),
                "SELECT event_id::VARCHAR AS event_id, supersedes::VARCHAR AS supersedes, "
                "topic_id, document_id, facet, occasion, state, level, comment, stale "
                "FROM labels WHERE collection_id = ? ORDER BY sequence",
                [self.seats[name].collection_id],
            )

    @contextmanager
    def copied(self) -> Iterator[Store]:
        """Open a copy of the store's files, as they are now."""
        copy = self.path.parent / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        copy.mkdir()
        for part in self.path.parent.glob("store.duckdb*"):
            shutil.copy(part, copy)
        with closing(Store(copy / self.path.name)) as store:
            yield store

    def after_seeing(self, name: str) -> list[tuple[str, int]]:
        """Return document and level of the events of a test that were made after seeing."""
        with self.copied() as store:
            rows = fetch(
                store.cursor(),
                "SELECT document_id, level FROM labels SEMI JOIN labels_after_seeing "
                "USING (event_id, collection_id) WHERE collection_id = ? ORDER BY sequence",
                [self.seats[name].collection_id],
            )
        return [(row["document_id"], row["level"]) for row in rows]

    def said(self, name: str) -> list[list[Any]]:
        """Return document, aspect and level of what stands in a test, item by item."""
        with self.copied() as store:
            place = store, self.seats[name].collection_id
            rows = list_aspect_levels(read_labels(*place), read_aspect_labels(*place))
        rows = rows[["document_id", "aspect", "given_level"]].astype("object")
        found: list[list[Any]] = rows.where(rows.notna(), None).to_numpy().tolist()
        return found


@contextmanager
def run_study(
    folder: Path,
    wishes: dict[str, Wish],
    fill: Callable[[Store], dict[str, str]] | None = None,
) -> Iterator[Study]:
    """Prepare a store, run a server on it, and end it."""
    study = Study(folder, wishes, fill)
    study.server.start()
    yield study
    study.server.kill()


def judge(page: Page, keys: Iterable[str]) -> list[str]:
    """Press keys, each on the item that the one before led to; returns what was on screen."""
    return [change_by(page, lambda key=key: press_when_seen(page, key)) for key in keys]


def change_by(page: Page, act: Callable[[], None]) -> str:
    """Do something that leads to another item; returns what was on screen before."""
    root = judge_screen(page)
    before = root.get_attribute("data-step") or ""
    act()
    expect(root).not_to_have_attribute("data-step", before)
    return before


def wait_to_hear(page: Page, is_so: Callable[[], bool]) -> None:
    """Wait for something that is noted of what the browser does: it tells that meanwhile."""

    def listens() -> bool:
        page.wait_for_timeout(20)
        return is_so()

    wait_until(listens)


def expect_saved(page: Page) -> None:
    """Wait until everything pressed is acknowledged."""
    expect(judge_screen(page)).to_have_attribute("data-waiting", "0")
    expect(page.get_by_test_id("save-state")).to_have_text("All saved")


def spoil_tokens(page: Page) -> list[str]:
    """Make the token in use one that the server refuses; returns the tokens as they are sent."""
    page.wait_for_timeout(1_100)  # tokens are dated by the second
    tokens: list[str] = []

    def send(route: Route) -> None:
        headers = route.request.headers
        tokens.append(headers["authorization"])
        if tokens[-1] == tokens[0]:
            headers = {**headers, "authorization": "Bearer of.an.old.token"}
        route.continue_(headers=headers)

    page.route("**/api/labels", send)
    return tokens


def _seat(store: Store, name: str, wish: Wish) -> Seat:
    collection_id = create_collection(
        store, name, guidelines=wish.guidelines, language=wish.language
    )
    topics = "".join(
        json.dumps({"id": f"t{number}", "query": query, "description": f"About {query}."}) + "\n"
        for number, query in enumerate(wish.topics, start=1)
    )
    results = [
        {
            "topic": f"t{number}",
            "engine": "engine",
            "document": document["id"],
            "rank": rank,
            "snippet": document.get("snippet", f"Seen in {document['id']}"),
        }
        for number, size in enumerate(wish.sizes or [None] * len(wish.topics), start=1)
        for rank, document in enumerate(wish.documents[:size], start=1)
    ]
    documents = [{k: v for k, v in one.items() if k != "snippet"} for one in wish.documents]
    for kind, text in (
        ("topics", topics),
        ("documents", "".join(json.dumps(one) + "\n" for one in documents)),
        ("results", "".join(json.dumps(one) + "\n" for one in results)),
    ):
        write_import(store, collection_id, read_import(kind, Source("file.jsonl", text.encode())))
    for aspect in wish.aspects:
        add_aspect(store, collection_id, aspect)
    for item in wish.practice:
        add_practice_item(store, collection_id, item)
    assessor_id = add_person(store, name, "assessor")
    add_member(store, collection_id, assessor_id, name)
    open_round(store, collection_id, wish.plan)
    return Seat(collection_id, assessor_id, begin_session(store, assessor_id))
