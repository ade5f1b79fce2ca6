"""Whoever may read something while a round is open cannot tell from it what somebody else said.

The guesser knows every label but the last one, and can compute what would be shown for each level
that it may have. The right one is told by anything that depends on it: a hash, a count, a mean, a
share, an agreement.
"""

import shutil
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.analysis.base.study import Study
from core.analysis.results import public_results as analysis
from core.assessment.rounds.rounds import Plan, open_round
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import numeric_scale
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.public_pages import PublicChoice, find_public_page, publish
from core.store.content.scales import get_scales
from core.store.content.webhooks import make_webhook
from core.store.events.labels import Key, LabelEvent
from core.store.people.members import add_member
from core.store.people.people import add_person, begin_session
from core.store.people.token_scopes import SCOPES
from core.store.people.tokens import make_token
from core.store.store import Store
from pages.api import public_results
from pages.api.routes import MIDDLEWARE, ROUTES
from pages.server import running
from pages.server.running import Server
from pages.shared.session import session_cookie
from tests.short import long

LEVELS = 4
TOPICS, PAGES = 5, 40
OTHERS = ("ann", "ben", "cleo")
CHOICE = PublicChoice("all, maximum", "nDCG@10", qrels=True, bundle=True)


def fill(store: Store) -> str:
    """Make a collection with three runs and a public page, in which a round is open."""
    rng = np.random.default_rng(11)
    scale = numeric_scale(range(LEVELS))
    made = create_collection(store, "Cats", scales={"snippet": scale, "page": scale})
    pages = [(f"t{topic}", f"d{page:02}") for topic in range(TOPICS) for page in range(PAGES)]
    runs = [
        f"t{topic} Q0 d{page:02} {rank} {99 - rank} s{system}"
        for system in range(3)
        for topic in range(TOPICS)
        for rank, page in enumerate(rng.permutation(PAGES)[:20], start=1)
    ]
    given = [
        f"{who}\t{topic}\t{page}\t{rng.integers(LEVELS)}"
        for who in OTHERS
        for topic, page in pages[::7]
    ]
    for kind, lines in (
        ("topics", [f"t{topic}\tquery {topic}" for topic in range(TOPICS)]),
        ("documents", ["id\ttext", *(f"d{page:02}\ttext" for page in range(PAGES))]),
        ("runs", runs),
        ("labels", ["assessor\ttopic\tdocument\tlevel", *given]),
    ):
        options = {"scales": get_scales(store, made)} if kind == "labels" else {}
        source = Source(f"{kind}.tsv", "\n".join([*lines, ""]).encode())
        write_import(store, made, read_import(kind, source, **options))
    open_round(store, made, Plan(judges=1, flow="page only", depth=5))
    make_webhook(store, made, "https://example.org/hook")
    publish(store, made, CHOICE)
    return made


@dataclass
class World:
    """A store that may be the real one, and how the guesser looks at it."""

    store: Store
    collection_id: str
    token: str
    session: str

    def say(self, who: str, item: tuple[str, str], level: int) -> None:
        """Have somebody give a label, or change it."""
        key = Key(*item, "page", "", who, 0)
        known = self.store.labels.current(self.collection_id, who).get(key)
        before = known.event_id if known else None
        event = LabelEvent(str(uuid.uuid4()), before, key, "level", level)
        self.store.labels.append(self.collection_id, [event])

    def look(self) -> list[str]:
        """Return all that an assessor, or anybody with the link, can read now."""
        running._running[:] = [Server(self.store, demo=False)]
        while public_results._held:
            public_results._held.pop().close()
        client = TestClient(Starlette(routes=ROUTES, middleware=MIDDLEWARE))
        page = find_public_page(self.store, self.collection_id)
        seen = []
        for name in ("", "/scores.csv", "/qrels.txt", "/study-bundle.zip"):
            answer = client.get(f"/public/{page.code}{name}")
            seen.append(f"{answer.status_code} {answer.headers.get('etag')} {answer.text}")
        bearer = {"Authorization": f"Bearer {self.token}"}
        for path in ("token", "collections", f"collections/{self.collection_id}"):
            seen.append(client.get(f"/api/v1/{path}", headers=bearer).text)
        client.cookies.set(session_cookie(self.store.secret), self.session)
        seen.append(client.get("/join/AAAAAAAA").text)
        sent = self.store.cursor().execute("SELECT event FROM webhook_deliveries").fetchall()
        return [*seen, str(sent)]


@pytest.fixture
def worlds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[World]]:
    """Return the real store, and one for each level that a label may have."""
    monkeypatch.setattr(running, "_running", [])
    first = tmp_path / "0.duckdb"
    with closing(Store(first)) as store:
        made = fill(store)
        eve = add_person(store, "Eve", "assessor")
        for who in (eve, "bob"):
            add_member(store, made, who, who)
        token, session = make_token(store, eve, "x", SCOPES["assessor"]), begin_session(store, eve)
        _ = store.secret
    with _opened(tmp_path, first) as stores:
        yield [World(store, made, token, session) for store in stores]
        while public_results._held:
            public_results._held.pop().close()


@contextmanager
def _opened(folder: Path, first: Path) -> Iterator[list[Store]]:
    copies = [folder / f"{number}.duckdb" for number in range(1, LEVELS + 1)]
    for copy in copies:
        for end in ("", ".key", ".last"):
            if Path(f"{first}{end}").exists():
                shutil.copy(f"{first}{end}", f"{copy}{end}")
    stores = [Store(path) for path in (first, *copies)]
    try:
        yield stores
    finally:
        for store in stores:
            store.close()


def guess(worlds: list[World], number: int, seed: int) -> int:
    """Return how many of some labels are guessed, each from all that is seen once it was given."""
    real, *possible = worlds
    rng = np.random.default_rng(seed)
    items = [(f"t{topic}", f"d{page:02}") for topic in range(TOPICS) for page in range(PAGES)]
    right = 0
    for place in rng.permutation(len(items))[:number]:
        item, level = items[place], int(rng.integers(LEVELS))
        for who in rng.permutation(OTHERS)[:2]:
            theirs = int(rng.integers(LEVELS))
            for world in worlds:
                world.say(str(who), item, theirs)
        real.say("bob", item, level)
        for one, world in enumerate(possible):
            world.say("bob", item, one)
        seen = real.look()
        fits = [one for one, world in enumerate(possible) if world.look() == seen]
        right += int(rng.choice(fits or range(LEVELS))) == level
        for one, world in enumerate(possible):
            if one != level:
                world.say("bob", item, level)
    return right


def test_a_label_is_not_guessed_from_what_is_shown(worlds: list[World], long_form: bool):
    number = 200 if long_form else 10
    right = guess(worlds, number, seed=3)
    assert binomtest(right, number, 1 / LEVELS, "greater").pvalue > 0.01, right


@long
def test_with_a_page_that_is_always_of_now_it_is(
    worlds: list[World], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(
        public_results,
        "study_of_page",
        lambda store, collection_id: Study(store, collection_id, is_masked=True),
    )
    monkeypatch.setattr(analysis, "is_judging_open", lambda *_: False)
    assert guess(worlds, 10, seed=3) >= 9
