"""Comments that are not part of an event yet."""

import pytest

from tests.pages.judge.screen.conftest import Run

pytestmark = pytest.mark.browser

FILE = "storage/memory.js"


def test_a_draft_outlives_the_page_and_is_taken_once(run: Run):
    script = """new Drafts("draft").set("t|d", "odd");
        const later = new Drafts("draft");
        return [later.get("t|d"), later.take("t|d"), later.take("t|d"), localStorage.length]"""
    assert run(FILE, script=script) == ["odd", "odd", None, 0]


def test_an_empty_draft_is_a_draft(run: Run):
    script = """const drafts = new Drafts("draft"); drafts.set("t|d", "");
        return [drafts.take("t|d"), drafts.get("t|d")]"""
    assert run(FILE, script=script) == ["", None]
