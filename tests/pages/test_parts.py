"""Each part of a page is drawn alone, and what looks at every page knows all of them."""

import pytest

from core.store.store import Store
from pages.shared.navigation import PAGES
from tests.pages.conftest import lasting_demo, lasting_organiser
from tests.pages.judging_machine import judge_by_machine
from tests.pages.parts import PARTS
from tests.short import few

store, organiser = lasting_demo, lasting_organiser

ORGANISED = [page.path for page in PAGES if "organiser" in page.roles]
NOT_LAZY = {"people"}
"""Its parts are all drawn: they are forms, and compute nothing."""

KEPT, DRAWN = {"agreement", "export", "glossary"}, {"assessors", "enough"}
"""Pages that the short form looks at."""


@pytest.fixture(scope="module", autouse=True)
def judged_by_machine(store: Store, demo_store: tuple[object, str]) -> None:
    """Have all parts there: some pages have them only with labels of a machine."""
    judge_by_machine(store, demo_store[1])


@pytest.mark.parametrize("path", few(sorted(ORGANISED, key=KEPT.__contains__, reverse=True), 3))
def test_the_tests_know_all_parts(open_page, organiser, demo, path: str):
    at = open_page(path, organiser)
    assert not at.exception
    titles = tuple(tab.label for tab in at.tabs)
    if path not in NOT_LAZY:
        assert titles == PARTS.get(path, ("", ()))[1]


@pytest.mark.parametrize("path", few(sorted(PARTS, key=DRAWN.__contains__, reverse=True), 2))
def test_only_the_open_part_is_drawn(open_page, organiser, demo, path: str):
    key, titles = PARTS[path]
    for opened in titles:
        at = open_page(path, organiser, **{key: opened})
        assert not at.exception
        filled = [tab.label for tab in at.tabs if len(tab.children)]
        assert filled == [opened]
