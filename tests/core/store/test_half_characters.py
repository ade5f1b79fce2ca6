"""Half a character is refused wherever a text reaches the store, and nothing is changed."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from core.errors import BadInput
from core.store.content.collections import create_collection, describe_collection, get_collection
from core.store.content.saved_rules import save_rule
from core.store.content.scales import get_scales, replace_scale
from core.store.events.labels import Key, LabelEvent
from core.store.file import database
from core.store.file.database import fetch
from core.store.people.accounts import set_email
from core.store.people.members import add_member, add_viewer
from core.store.people.passwords import find_by_password
from core.store.people.people import add_person, end_session, find_session
from core.store.store import Store
from tests.short import few

HALF = "a\ud800"
EVENT = "3e0bc0a4-54bd-4a71-9a80-cd1f32fd3e6a"


def judge(store: Store, collection_id: str, **fields: str) -> None:
    key = Key(fields.get("topic", "t"), "d", "page", "", fields.get("who", "a"), 0)
    store.labels.append(
        collection_id, [LabelEvent(EVENT, None, key, "level", 1, comment=fields.get("said", ""))]
    )


def rename_level(store: Store, collection_id: str) -> None:
    first, *others = get_scales(store, collection_id)["page"]
    replace_scale(store, collection_id, "page", (replace(first, meaning=HALF), *others))


WAYS: dict[str, Callable[[Store, str], object]] = {
    "a name": lambda store, _: add_person(store, HALF, "assessor"),
    "a nickname": lambda store, one: add_member(store, one, "p-1", HALF),
    "a group": lambda store, one: add_member(store, one, "p-1", "Anna", group=HALF),
    "an address": lambda store, _: set_email(store, "p-1", f"{HALF}@example.org"),
    "a viewer": lambda store, one: add_viewer(store, one, HALF),
    "a collection": lambda store, _: create_collection(store, HALF),
    "guidelines": lambda store, one: describe_collection(
        store, one, name="Small", description="", guidelines=HALF
    ),
    "a rule": lambda store, one: save_rule(store, one, HALF, "{}"),
    "a level": rename_level,
    "a comment": lambda store, one: judge(store, one, said=HALF),
    "a topic": lambda store, one: judge(store, one, topic=HALF),
    "an assessor": lambda store, one: judge(store, one, who=HALF),
    "what is looked for": lambda store, one: fetch(
        store.cursor(), "FROM labels WHERE topic_id = ?", [HALF]
    ),
    "who signs in": lambda store, _: find_by_password(store, HALF, HALF),
    "a collection's id": lambda store, _: get_collection(store, HALF),
}


def rows(store: Store) -> dict[str, int]:
    tables = [name for (name,) in store.cursor().execute("SHOW TABLES").fetchall()]
    return {
        name: store.cursor().execute(f"SELECT count(*) FROM {name}").fetchall()[0][0]
        for name in tables
    }


@pytest.mark.parametrize("way", few(WAYS, 2))
def test_it_is_refused_with_a_sentence(store: Store, way: str):
    collection_id = create_collection(store, "Small")
    before = rows(store)
    with pytest.raises(BadInput, match="half a character"):
        WAYS[way](store, collection_id)
    assert rows(store) == before
    judge(store, collection_id, said="whole")
    assert rows(store)["labels"] == before["labels"] + 1


@pytest.mark.file_only
@pytest.mark.parametrize("way", few(["a name", "what is looked for"]))
def test_without_the_guard_it_is_an_error(store: Store, way: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(database, "refuse_half", lambda _: None)
    with pytest.raises(database.duckdb.Error):
        WAYS[way](store, create_collection(store, "Small"))


def test_nobody_has_such_a_session(store: Store):
    assert find_session(store, HALF) is None
    end_session(store, HALF)
