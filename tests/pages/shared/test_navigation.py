"""Pages are found in the folders of their destinations, and stand in one order."""

from pages.shared.navigation import ORDER, PAGES, _place
from pages.shared.page import DESTINATIONS, Page


def test_pages_stand_in_the_order_that_is_written_down():
    assert [page.path for page in PAGES if page.path in ORDER] == list(ORDER)
    assert {page.destination for page in PAGES} == set(DESTINATIONS)


def test_a_page_without_a_place_comes_last_in_its_destination_and_by_its_title():
    new = [Page("People", title, "new", (), lambda _: None) for title in ("Beta", "Alpha")]
    ordered = [page for page in sorted([*new, *PAGES], key=_place) if page.destination == "People"]
    assert [page.title for page in ordered[-2:]] == ["Alpha", "Beta"]
