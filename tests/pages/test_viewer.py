"""What a viewer can do: see what is open to them only."""

import pytest

from core.store.content.collections import create_collection
from core.store.people.members import add_member, add_viewer, list_viewers, remove_viewer
from core.store.people.people import add_person
from core.store.store import Store
from pages.shared.navigation import PAGES
from tests.pages.conftest import OpenPage
from tests.pages.named_people import NAMES, everything, give_names


@pytest.fixture
def judged(store: Store, filled: str) -> str:
    give_names(store, filled)
    return filled


@pytest.fixture
def viewer(store: Store, judged: str) -> str:
    person = add_person(store, "Vera", "viewer")
    add_viewer(store, judged, person)
    return person


def test_a_viewer_reads_what_is_open_to_them_only(
    open_page: OpenPage, store: Store, judged: str, viewer: str
):
    create_collection(store, "Secret study")
    at = open_page("monitor", viewer)
    assert "Secret study" not in str(everything(at))
    assert list_viewers(store, judged) == {viewer: "Vera"}
    remove_viewer(store, judged, viewer)
    at = open_page("monitor", viewer, collection_id=judged, next_collection_id=judged)
    assert any("No collection is open to you" in one.value for one in at.info)
    assert b"jaguar" not in everything(at)


def test_a_collection_of_others_shows_an_assessor_nothing(
    open_page: OpenPage, store: Store, judged: str
):
    person = add_person(store, "Other", "assessor")
    elsewhere = create_collection(store, "Elsewhere")
    add_member(store, elsewhere, person, "Other")
    for path in (page.path for page in PAGES if "assessor" in page.roles):
        at = open_page(path, person, collection_id=judged, next_collection_id=judged)
        assert not at.exception
        for text in (
            b"Small *one",
            b"Small \\*one",
            b"Big cats",
            "עברית".encode(),
            *(n.encode() for n in NAMES),
        ):
            assert text not in everything(at), path
