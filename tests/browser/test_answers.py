"""Every page opens with its answer, whole on a laptop's screen."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.views import LAPTOP, SEEN, come_in, find_answer, look, open_store

pytestmark = [pytest.mark.browser, pytest.mark.timeout(400)]


def test_every_page_opens_with_its_answer(browser: Browser, tmp_path: Path):
    width, height = LAPTOP
    wrong = {}
    with open_store(None, tmp_path) as (server, enter, _):
        page = come_in(browser, server, enter, viewport={"width": width, "height": height})
        for path in SEEN:
            look(page, server, path)
            text, inside = find_answer(page)
            if not (text and inside):
                wrong[path] = text or "no answer"
        page.context.close()
    assert not wrong
