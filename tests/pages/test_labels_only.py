"""Labels alone, without topics, documents or runs: every page says what it can."""

import numpy as np
import pytest

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.store import Store
from pages.shared.navigation import PAGES
from tests.pages.conftest import lasting_organiser, lasting_store
from tests.pages.parts import list_views, mark_views, name_view

store, organiser = lasting_store, lasting_organiser


@pytest.fixture(scope="module")
def labels_only(store: Store) -> str:
    collection_id = create_collection(store, "Labels only")
    rng = np.random.default_rng(1)
    rows = [
        f"a{who}\tt{topic}\td{number}\t{rng.integers(0, 4)}"
        for topic in range(3)
        for number in range(15)
        for who in range(3)
    ]
    text = "\n".join(["assessor\ttopic\tdocument\tlevel", *rows]) + "\n"
    write_import(store, collection_id, read_import("labels", Source("l.tsv", text.encode())))
    return collection_id


VIEWS = list_views(page.path for page in PAGES if "organiser" in page.roles)
KEPT = {"agreement", "assessors", "disagreement", "effectiveness", "plan Cost", "people", "ranking"}


@pytest.mark.parametrize(
    "view",
    [pytest.param(view, marks=marks) for view, marks in mark_views(VIEWS, KEPT)],
    ids=name_view,
)
def test_every_page_can_be_opened(store: Store, labels_only: str, organiser, open_page, view):
    address, state = view
    at = open_page(address, organiser, **state)
    assert not at.exception
    assert not at.error


def test_topics_go_by_their_ids(labels_only: str, organiser, open_page):
    at = open_page("agreement", organiser, **{"agreement-part": "Topics"})
    sets = next(one.value for one in at.dataframe if "agreement" in one.value.columns)
    assert sorted(sets["topic_id"]) == ["t0", "t1", "t2"]
