"""Finding a Chromium where one has only just been installed."""

import pytest
from playwright.sync_api import Browser

from tests.browser import chromium

pytestmark = pytest.mark.browser


def test_playwrights_own_is_looked_for_while_a_browser_is_open(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
):
    assert browser.is_connected()
    monkeypatch.setattr(chromium, "NAMES", ())
    monkeypatch.setattr(chromium, "BARE_NAMES", ())
    monkeypatch.delenv("DISSENT_CHROMIUM", raising=False)
    found = chromium.find_chromium()
    assert found is None or "chrom" in found
