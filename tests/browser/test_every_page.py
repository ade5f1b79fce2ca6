"""Every page opens with its answer, keeps nobody out, and is red only where there is danger."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.accessibility import LOOKS, find_barriers
from tests.browser.colours import reds
from tests.browser.running import Running
from tests.browser.views import SEEN, come_in, find_answer, look, open_parts, open_store, walk
from tests.short import few

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

SHORT, MOST = ("Overview", "People"), 2
"""Where the short form goes, and how many pages it looks at there."""


def visit(page: Page, server: Running) -> Iterator[str]:
    """Go to every page by its address: on a narrow window the links are in a menu."""
    for path in SEEN:
        look(page, server, path)
        yield path


@pytest.mark.parametrize("seen", few(LOOKS))
def test_every_page_is_fit_to_be_seen(
    browser: Browser, tmp_path: Path, long_form: bool, record_property, seen: str
):
    """On a laptop the answer is not empty and seen whole; axe-core finds nothing in any look."""
    wrong, views = {}, 0
    with open_store(None, tmp_path) as (server, enter, _):
        page = come_in(browser, server, enter, **LOOKS[seen])
        places, most = ((), None) if long_form else (SHORT, MOST)
        paths = walk(page, *places) if seen == "light" else visit(page, server)
        for path in islice(paths, most):
            views += 1
            wrong[path] = find_barriers(page) + [f"red: {one}" for one in reds(page)]
            text, inside = find_answer(page)
            if not text or (seen == "light" and not inside):
                wrong[path].append(f"the answer is not seen: {text!r}")
            for part in open_parts(page) if long_form else ():
                views += 1
                wrong[f"{path}, part {part}"] = find_barriers(page)
        page.context.close()
    told = [f"{place}: {one}" for place, found in wrong.items() for one in found]
    record_property("counts", f"{views} views, {len(told)} barriers")
    assert told == []
