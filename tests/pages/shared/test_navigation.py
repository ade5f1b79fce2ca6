"""Pages are found in the folders of their destinations, and stand in one order."""

from pages.shared.navigation import ORDER, PAGES, _place
from pages.shared.page import SECTIONS, Page


def test_pages_stand_in_the_order_that_is_written_down():
    assert [page.path for page in PAGES if page.path in ORDER] == list(ORDER)
    assert {page.section for page in PAGES} == set(SECTIONS)


def test_a_page_without_a_place_comes_last_and_by_its_title():
    new = [Page("Watch", title, "", "new", (), lambda _: None) for title in ("Beta", "Alpha")]
    ordered = sorted([*new, *PAGES], key=_place)
    behind = ordered[len(ORDER) :]
    assert [page.title for page in behind if page in new] == ["Alpha", "Beta"]
