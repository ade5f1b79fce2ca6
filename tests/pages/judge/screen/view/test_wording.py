"""Addresses and times as people read them."""

import pytest

from tests.pages.judge.screen.conftest import Run

pytestmark = pytest.mark.browser

FILE = "view/wording.js"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://www.example.org/a/b?x=1", "example.org › a › b"),
        ("example.org/a/b/c/d", "example.org › … › c › d"),
        ("https://example.org/%D7%A2", "example.org › ע"),
        ("https://example.org/%E0", "example.org › %E0"),
        ("javascript:alert(1)", "javascript:alert(1)"),
        ("http://[", "http://["),
        ("", ""),
    ],
)
def test_addresses_are_shown_as_result_pages_do(run: Run, url: str, shown: str):
    assert run(FILE, script="return breadcrumb(given)", given=url) == shown


def test_times_have_a_unit_that_fits(run: Run):
    script = "return [0, 1.26, 12.4, 60, 3599, 5400].map(readableTime)"
    shown = ["0.1 s", "1.3 s", "12 s", "1 min", "1 h 0 min", "1 h 30 min"]
    assert run(FILE, script=script) == shown
